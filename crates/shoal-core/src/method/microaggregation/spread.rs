//! How does every cluster get sensitive values from all over their distribution, and still lie close together?

use super::space::Space;
use crate::frequency::{CountedTable, SensitiveColumn};
use crate::Result;
use crate::method::Member;
use crate::watch::Watch;

/// So many records of each stratum, nearest in the order of the space, are looked at for every cluster.
const WINDOW: usize = 1_024;

/// The records of a table, each alone, by the rank of their sensitive value and their place in the space.
#[derive(Debug)]
pub(super) struct Ranked {
    /// A record of each tuple and its place in the order of the space, sorted by rank, then place.
    records: Vec<(u32, Member)>,
}

/// Records of one stratum, in the order of the space.
struct Stratum<'a> {
    records: Vec<(u32, &'a Member)>,
    /// A place from which the next unused record at or after each is found; one more at the end.
    next: Vec<u32>,
    /// The same before each; 0 is none.
    previous: Vec<u32>,
}

impl Ranked {
    /// Ranks the records of a table by a sensitive column; `order` are all points in the order of the space.
    pub(super) fn new(table: &CountedTable, members: &[Member], order: &[u32], column: usize) -> Self {
        let mut place_of = vec![0u32; order.len()];
        (0..).zip(order).for_each(|(place, &point)| place_of[point as usize] = place);
        let ranks = ranks(&table.sensitive[column]);
        let mut records: Vec<(u32, u32, Member)> = Vec::with_capacity(table.rows as usize);
        for &member in members {
            let base = member.base as usize;
            let shows = table.base.entries(base).0[member.tuple as usize - table.base.first_entry(base)];
            let rank = ranks[table.base.sensitive().tuple(shows)[column] as usize];
            let record = (rank, place_of[base], Member { count: 1, ..member });
            records.extend(std::iter::repeat_n(record, member.count as usize));
        }
        records.sort_unstable();
        Self { records: records.into_iter().map(|(_, place, member)| (place, member)).collect() }
    }

    /// Clusters with a record from each of `size` strata of equally many records, so that each cluster's sensitive values
    /// are spread like the table's. A cluster begins with the next record of the first stratum, in the order of the space;
    /// what is left of the other strata at the end joins the last clusters.
    pub(super) fn clusters(&self, space: &Space, size: usize, watch: &dyn Watch) -> Result<Vec<Vec<Member>>> {
        let (records, many) = (self.records.len(), self.records.len() / size);
        let border = |stratum: usize| stratum * records / size;
        let mut strata: Vec<Stratum<'_>> =
            (0..size).map(|stratum| Stratum::new(&self.records[border(stratum)..border(stratum + 1)])).collect();
        let mut clusters: Vec<Vec<Member>> = Vec::with_capacity(many);
        for _ in 0..many {
            watch.proceed()?;
            let Some((place, seed)) = strata[0].first() else { break };
            let mut cluster = vec![seed];
            cluster.extend(strata[1..].iter_mut().filter_map(|stratum| stratum.take_nearest(space, place, seed)));
            clusters.push(cluster);
        }
        let mut leftover: Vec<Member> = Vec::new();
        for stratum in &mut strata {
            leftover.extend(std::iter::from_fn(|| stratum.first()).map(|(_, member)| member));
        }
        for member in leftover {
            watch.proceed()?;
            let nearest = (0..clusters.len()).min_by(|&a, &b| {
                let distance = |cluster: usize| space.distance(clusters[cluster][0].base, member.base, f64::INFINITY);
                distance(a).total_cmp(&distance(b))
            });
            match nearest {
                Some(cluster) => clusters[cluster].push(member),
                None => clusters.push(vec![member]),
            }
        }
        Ok(clusters.into_iter().map(together).collect())
    }
}

/// Records of the same tuple as one member; the first stays first.
fn together(cluster: Vec<Member>) -> Vec<Member> {
    let mut members: Vec<Member> = Vec::with_capacity(cluster.len());
    for member in cluster {
        match members.iter_mut().find(|known| known.tuple == member.tuple) {
            Some(known) => known.count += member.count,
            None => members.push(member),
        }
    }
    members
}

/// The rank of each value: by size where there is an order, else by hierarchy, so that similar values are neighbours.
fn ranks(column: &SensitiveColumn) -> Vec<u32> {
    let codes = 0..column.codes() as u32;
    let Some(hierarchy) = column.hierarchy().filter(|_| !column.column_type().is_ordered()) else {
        return codes.collect();
    };
    let path = |&code: &u32| -> Vec<u32> { hierarchy.levels().iter().rev().map(|level| level.node_of(code)).collect() };
    let mut sorted: Vec<u32> = codes.collect();
    sorted.sort_by_key(path);
    let mut ranks = vec![0; sorted.len()];
    (0..).zip(sorted).for_each(|(rank, code)| ranks[code as usize] = rank);
    ranks
}

impl<'a> Stratum<'a> {
    fn new(records: &'a [(u32, Member)]) -> Self {
        let mut records: Vec<(u32, &Member)> = records.iter().map(|(place, member)| (*place, member)).collect();
        records.sort_unstable();
        let many = records.len() as u32;
        Self { records, next: (0..=many).collect(), previous: (0..=many).collect() }
    }

    /// Follows a chain to its end, and shortens it for whoever comes next.
    fn end(chain: &mut [u32], mut at: u32) -> u32 {
        while chain[at as usize] != at {
            let beyond = chain[chain[at as usize] as usize];
            chain[at as usize] = beyond;
            at = beyond;
        }
        at
    }

    fn take(&mut self, at: u32) -> Member {
        self.next[at as usize] = at + 1;
        self.previous[at as usize + 1] = at;
        *self.records[at as usize].1
    }

    /// Takes the first unused record.
    fn first(&mut self) -> Option<(u32, Member)> {
        let at = Self::end(&mut self.next, 0);
        let place = self.records.get(at as usize)?.0;
        Some((place, self.take(at)))
    }

    /// Takes the nearest of the unused records that are next to a place in the order of the space.
    fn take_nearest(&mut self, space: &Space, place: u32, seed: Member) -> Option<Member> {
        let start = self.records.partition_point(|record| record.0 < place) as u32;
        let (mut up, mut down) = (start, start);
        let mut best: (f64, Option<u32>) = (f64::INFINITY, None);
        for _ in 0..WINDOW / 2 {
            up = Self::end(&mut self.next, up);
            down = Self::end(&mut self.previous, down);
            let candidates = [(up < self.records.len() as u32).then_some(up), down.checked_sub(1)];
            for at in candidates.into_iter().flatten() {
                let distance = space.distance(seed.base, self.records[at as usize].1.base, best.0);
                if distance < best.0 {
                    best = (distance, Some(at));
                }
            }
            up = (up + 1).min(self.records.len() as u32);
            down = down.saturating_sub(1);
        }
        best.1.map(|at| self.take(at))
    }
}
