//! How is a line of records cut into runs of enough records each, so that least is lost?

use super::super::Cover;
use crate::frequency::CountedTable;
use crate::watch::Watch;

/// Cuts a line of quasi-identifier tuples into runs whose sizes are all `enough`; where each run ends. Nothing if all
/// of them together are too few.
///
/// By dynamic programming, so that no way to cut this line between tuples loses less: the loss of a run is, for each of its
/// records and each column, the share of the domain's leaves that its label covers beyond one. A run that could be cut in
/// two is never better than the two, since labels only grow, so that few runs have to be looked at for each end.
pub(super) fn cut(
    line: &[u32],
    table: &CountedTable,
    covers: &[Cover<'_>],
    enough: impl Fn(u64) -> bool,
    watch: &dyn Watch,
) -> Option<Vec<usize>> {
    let sizes: Vec<u64> = line.iter().map(|&class| table.base.sizes()[class as usize]).collect();
    // The least loss of the first so many tuples, and where their last run begins.
    let mut least = vec![f64::INFINITY; line.len() + 1];
    let mut begins = vec![0u32; line.len() + 1];
    least[0] = 0.0;
    let mut extent = Extent::new(covers);
    for end in 1..=line.len() {
        if watch.is_stopped() {
            return None;
        }
        extent.clear();
        let (mut size, mut before_shortest) = (0, 0);
        let mut shortest = None;
        for begin in (0..end).rev() {
            extent.add(table, line[begin]);
            size += sizes[begin];
            if shortest.is_some() {
                before_shortest += sizes[begin];
            } else if enough(size) {
                shortest = Some(begin);
            }
            if shortest.is_none() {
                continue;
            }
            let loss = least[begin] + size as f64 * extent.loss();
            if loss < least[end] {
                (least[end], begins[end]) = (loss, begin as u32);
            }
            if enough(before_shortest) {
                break;
            }
        }
    }
    if least[line.len()].is_infinite() {
        return None;
    }
    let mut ends = Vec::new();
    let mut end = line.len();
    while end > 0 {
        ends.push(end);
        end = begins[end] as usize;
    }
    ends.reverse();
    Some(ends)
}

/// The smallest labels that cover some tuples.
struct Extent<'a> {
    covers: &'a [Cover<'a>],
    /// For each column, the smallest and largest code, and the level of the lowest node above all.
    columns: Vec<(u32, u32, usize)>,
    is_empty: bool,
}

impl<'a> Extent<'a> {
    fn new(covers: &'a [Cover<'a>]) -> Self {
        Self { covers, columns: vec![(0, 0, 0); covers.len()], is_empty: true }
    }

    fn clear(&mut self) {
        self.is_empty = true;
    }

    fn add(&mut self, table: &CountedTable, class: u32) {
        for (column, (known, cover)) in self.columns.iter_mut().zip(self.covers).enumerate() {
            let code = table.base.code(class as usize, column);
            let quasi = cover.column();
            if self.is_empty {
                *known = (code, code, usize::from(quasi.min_level));
                continue;
            }
            let (least, most, mut level) = *known;
            let levels = quasi.hierarchy.levels();
            while levels[level].node_of(code) != levels[level].node_of(least) {
                level += 1;
            }
            *known = (least.min(code), most.max(code), level);
        }
        self.is_empty = false;
    }

    /// The sum over columns of the share of leaves beyond one, by weight.
    fn loss(&self) -> f64 {
        let of_column = |(&(least, most, level), cover): (&(u32, u32, usize), &Cover<'_>)| {
            let quasi = cover.column();
            let leaves = if cover.shows_ranges() && quasi.dictionary.missing() != Some(most) {
                cover.leaves_between(least, most)
            } else {
                let level = quasi.hierarchy.level(level);
                level.leaves_under(level.node_of(least))
            };
            let others = quasi.hierarchy.domain_size().saturating_sub(1).max(1);
            quasi.weight * leaves.saturating_sub(1) as f64 / others as f64
        };
        self.columns.iter().zip(self.covers).map(of_column).sum()
    }
}
