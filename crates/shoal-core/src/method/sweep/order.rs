//! In which order are combinations of levels swept?

use num_bigint::BigUint;
use num_integer::Integer;

use crate::frequency::{CountedTable, QuasiColumn};
use crate::lattice::Node;

/// All combinations of levels, those that keep most information first (Definition 6): by the mean over the columns of
/// what a value of that level keeps on average, then the more important column's more specific level first. The columns'
/// order is their importance.
///
/// The paper's level 0 is the root, ours the leaves. Its trees may have branches of different lengths; ours have been
/// extended to full height, so that each combination of levels has a value above every record, and the next class of a
/// record (Definition 7) is always one of the next combination.
pub(super) fn sweeping_order(table: &CountedTable) -> Vec<Node> {
    let averages: Vec<Vec<Fractions>> = table.quasi.iter().map(information_of_levels).collect();
    let all = averages.iter().flatten().flat_map(|fractions| fractions.iter().map(|&(_, denominator)| denominator));
    // Compared exactly: their common denominator fits into no machine word.
    let common = all.fold(BigUint::from(1u8), |multiple, denominator| multiple.lcm(&BigUint::from(denominator)));
    let numerator = |fractions: &Fractions| -> BigUint {
        fractions.iter().map(|&(numerator, denominator)| &common / denominator * numerator).sum()
    };
    let kept: Vec<Vec<BigUint>> = averages.iter().map(|levels| levels.iter().map(numerator).collect()).collect();
    let lattice = table.lattice();
    let mut order: Vec<(BigUint, Node)> = (0..lattice.size() as usize)
        .map(|place| {
            let node = lattice.node(place);
            let levels = node.levels().iter().zip(&kept).map(|(&level, kept)| &kept[usize::from(level)]);
            (levels.sum(), node)
        })
        .collect();
    order.sort_by(|(kept, node), (other_kept, other)| other_kept.cmp(kept).then_with(|| node.cmp(other)));
    order.into_iter().map(|(_, node)| node).collect()
}

/// A sum of fractions, each a numerator and a denominator.
type Fractions = Vec<(u64, u64)>;

/// What a value of each level keeps on average, a value weighing as much as it has leaves that occur (equation before
/// Definition 6). The mean over columns is left to the caller.
fn information_of_levels(column: &QuasiColumn) -> Vec<Fractions> {
    let occurring: Vec<u32> = (0..column.counts.len() as u32).filter(|&leaf| column.counts[leaf as usize] > 0).collect();
    let of_level = |level: &crate::hierarchy::Level| {
        // Nodes with as many leaves keep as much: one fraction for all of them.
        let mut by_leaves: std::collections::BTreeMap<u64, u64> = std::collections::BTreeMap::new();
        for &leaf in &occurring {
            *by_leaves.entry(level.leaves_under(level.node_of(leaf)).max(1)).or_default() += 1;
        }
        let whole = occurring.len().max(1) as u64;
        by_leaves.into_iter().map(|(leaves, weight)| (weight, leaves.saturating_mul(whole))).collect()
    };
    column.hierarchy.levels().iter().map(of_level).collect()
}
