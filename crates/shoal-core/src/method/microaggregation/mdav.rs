//! Which records are near each other, at least so many at a time?

use super::space::{Centre, Space};

/// Records that become one class: so many at each point.
pub(super) type Cluster = Vec<(u32, u64)>;

/// Divides points along the longest extent of the space until no part has more than `block`, in the order of the space.
///
/// Each part is halved along the line between the centres of two halves, which are found along the line between two
/// points that are far from each other: the principal direction, near enough.
pub(super) fn blocks(space: &Space, points: &mut [u32], block: usize) -> Vec<Vec<u32>> {
    if points.len() <= block {
        return vec![points.to_vec()];
    }
    let everything = space.centre(points.iter().map(|&point| (point, space.counts[point as usize])));
    let first = farthest(points, |point| space.distance_from(&everything, point));
    let second = farthest(points, |point| space.distance(first, point, f64::INFINITY));
    halve(points, |point| space.distance(first, point, f64::INFINITY) - space.distance(second, point, f64::INFINITY));
    for _ in 0..2 {
        let (low, high) = points.split_at(points.len() / 2);
        let centre = |half: &[u32]| space.centre(half.iter().map(|&point| (point, space.counts[point as usize])));
        let (low, high) = (centre(low), centre(high));
        halve(points, |point| space.distance_from(&low, point) - space.distance_from(&high, point));
    }
    let (low, high) = points.split_at_mut(points.len() / 2);
    let (mut low, mut high) = rayon::join(|| blocks(space, low, block), || blocks(space, high, block));
    low.append(&mut high);
    low
}

/// Puts the half with the smaller keys first.
fn halve(points: &mut [u32], key: impl Fn(u32) -> f64) {
    let mut keyed: Vec<(f64, u32)> = points.iter().map(|&point| (key(point), point)).collect();
    keyed.select_nth_unstable_by(points.len() / 2, |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    points.iter_mut().zip(keyed).for_each(|(point, (_, sorted))| *point = sorted);
}

fn farthest(points: &[u32], distance: impl Fn(u32) -> f64) -> u32 {
    let mut best = (f64::NEG_INFINITY, u32::MAX);
    for &point in points {
        let distance = distance(point);
        if distance > best.0 || (distance == best.0 && point < best.1) {
            best = (distance, point);
        }
    }
    best.1
}

/// Points that are in no cluster yet, with how many records are left at each.
struct Remaining<'a> {
    space: &'a Space,
    points: Vec<u32>,
    left: Vec<u64>,
    records: u64,
    centre: Centre,
}

/// Clusters of at least `size` records each (all together if there are fewer): maximum distance to average vector.
pub(super) fn mdav(space: &Space, points: &[u32], size: u64) -> Vec<Cluster> {
    let left: Vec<u64> = points.iter().map(|&point| space.counts[point as usize]).collect();
    let mut remaining = Remaining {
        space,
        points: points.to_vec(),
        records: left.iter().sum(),
        left,
        centre: space.centre(points.iter().map(|&point| (point, space.counts[point as usize]))),
    };
    let mut clusters = Vec::new();
    while remaining.records >= 3 * size {
        let first = remaining.farthest_from_centre();
        clusters.push(remaining.take(first, size));
        if remaining.records >= 2 * size {
            let second = farthest(&remaining.points, |point| space.distance(first, point, f64::INFINITY));
            clusters.push(remaining.take(second, size));
        }
    }
    if remaining.records >= 2 * size {
        let first = remaining.farthest_from_centre();
        clusters.push(remaining.take(first, size));
    }
    let rest: Cluster = remaining.points.iter().copied().zip(remaining.left.iter().copied()).collect();
    match clusters.last_mut() {
        _ if rest.is_empty() => {}
        // Many equal records may have gone at once, and fewer than planned are left.
        Some(last) if remaining.records < size => last.extend(rest),
        _ => clusters.push(rest),
    }
    clusters
}

impl Remaining<'_> {
    fn farthest_from_centre(&self) -> u32 {
        farthest(&self.points, |point| self.space.distance_from(&self.centre, point))
    }

    /// All records at a point, and of the nearest others as many as are missing to `size`.
    fn take(&mut self, seed: u32, size: u64) -> Cluster {
        // The nearest so far, the farthest of them last; no more than `size` points can be needed.
        let most = usize::try_from(size).unwrap_or(usize::MAX);
        let mut nearest: Vec<(f64, u32, usize)> = Vec::with_capacity(most.min(self.points.len()) + 1);
        for (place, &point) in self.points.iter().enumerate() {
            let limit = if nearest.len() < most { f64::INFINITY } else { nearest[most - 1].0 };
            // A tie with the seed goes to the seed.
            let distance = if point == seed { -1.0 } else { self.space.distance(seed, point, limit) };
            if distance < limit {
                let at = nearest.partition_point(|known| (known.0, known.1) < (distance, point));
                nearest.insert(at, (distance, point, place));
                nearest.truncate(most);
            }
        }
        let (mut cluster, mut wanted) = (Cluster::new(), size);
        for (distance, point, place) in nearest {
            let taken = if distance < 0.0 { self.left[place] } else { wanted.min(self.left[place]) };
            self.left[place] -= taken;
            self.records -= taken;
            wanted = wanted.saturating_sub(taken);
            self.space.shift(&mut self.centre, point, -(taken as f64));
            cluster.push((point, taken));
            if wanted == 0 {
                break;
            }
        }
        self.forget_the_empty(&cluster);
        cluster
    }

    fn forget_the_empty(&mut self, cluster: &Cluster) {
        let gone = |&(point, _): &(u32, u64)| self.points.iter().position(|&known| known == point);
        let mut places: Vec<usize> = cluster.iter().filter_map(gone).filter(|&place| self.left[place] == 0).collect();
        places.sort_unstable();
        for place in places.into_iter().rev() {
            self.points.swap_remove(place);
            self.left.swap_remove(place);
        }
    }
}
