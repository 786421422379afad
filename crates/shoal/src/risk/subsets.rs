//! How much does each combination of quasi-identifiers tell rows apart?

use std::hash::Hash;
use std::ops::BitAnd;

use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rayon::prelude::*;

use super::class_column::ClassColumn;
use super::grouping::{Coded, Distinction, combinations, number_of_combinations};

/// # Distinction and separation
///
/// **Definition.** The distinction of a set of columns is the number of combinations of values that occur by the number of
/// rows; its separation is the share of pairs of rows that differ in at least one of the columns.
/// **What it means.** A distinction of 1 is a key: every row has a combination of its own. A separation near 1 with a small
/// distinction means groups of even size; columns that reach much with few are what an attacker will ask for first.
/// **Lowered by.** Generalizing or leaving out the columns of the smallest sets with high figures.
/// **Options.** None. Every subset is looked at, up to 16 columns; of more columns, or very many classes, those of up to
/// three columns and all columns together.
/// **Example.** Of four rows with the values a, b, c, c the distinction is 3/4 and the separation 5/6.
/// **Reference.** Motwani and Xu 2007, "Efficient algorithms for masking and finding quasi-identifiers".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subset {
    /// The places of its columns.
    pub columns: Vec<usize>,
    /// What they tell apart.
    pub grouping: Distinction,
}

/// The figures of the subsets that were looked at.
#[derive(Debug, Clone, Default)]
pub struct Subsets {
    /// The subsets, those of the highest distinction first, then of the highest separation, then small ones.
    pub found: Vec<Subset>,
    /// Where not all were looked at: the most columns of one that was, but for all together.
    pub largest: Option<usize>,
}

/// All subsets of more columns are more than anybody can read.
const MOST_COLUMNS: usize = 16;

/// Looking at a class for one subset takes some twenty nanoseconds at most, and mostly far fewer classes are left.
const MOST_LOOKS: u64 = 1 << 30;

/// Where not all subsets are looked at, those of so many columns are.
const LARGEST: usize = 3;

/// Looks at every subset of the quasi-identifiers that can be looked at in time.
pub fn subsets(columns: &[ClassColumn<'_>], sizes: &[u64]) -> Subsets {
    let within = |looks: Option<u64>| looks.is_some_and(|looks| looks <= MOST_LOOKS);
    let classes = sizes.len() as u64;
    let all = u32::try_from(columns.len()).ok().and_then(|columns| 1u64.checked_shl(columns));
    let is_small = columns.len() <= MOST_COLUMNS && within(all.and_then(|all| all.checked_mul(classes)));
    let bits: u32 = columns.iter().map(width).sum();
    let (mut found, largest) = match bits {
        ..=64 if is_small => (every::<u64>(columns, sizes), None),
        ..=128 if is_small => (every::<u128>(columns, sizes), None),
        _ => {
            let looks = |largest: &usize| within(number_of_combinations(columns.len(), *largest).checked_mul(classes));
            let largest = (1..=LARGEST).rev().find(looks).unwrap_or(1);
            (small(columns, sizes, largest), Some(largest).filter(|&largest| largest + 1 < columns.len()))
        }
    };
    found.sort_by(|a, b| {
        let order = |subset: &Subset| (subset.grouping.distinct, subset.grouping.told_apart());
        order(b).cmp(&order(a)).then(a.columns.len().cmp(&b.columns.len())).then(a.columns.cmp(&b.columns))
    });
    Subsets { found, largest }
}

/// Subsets of few columns, each counted by itself, and all columns together.
fn small(columns: &[ClassColumn<'_>], sizes: &[u64], largest: usize) -> Vec<Subset> {
    let places: Vec<usize> = (0..columns.len()).collect();
    let mut subsets = combinations(&places, largest);
    if largest < columns.len() {
        subsets.push(places);
    }
    let look = |subset: Vec<usize>| {
        let chosen: Vec<&ClassColumn<'_>> = subset.iter().map(|&place| &columns[place]).collect();
        Subset { grouping: Distinction::of(&chosen, sizes), columns: subset }
    };
    subsets.into_par_iter().map(look).collect()
}

/// Codes of all columns side by side in a number: a column is taken out by masking its bits.
trait Packed: Copy + Eq + Hash + Send + Sync + BitAnd<Output = Self> {
    const ZERO: Self;
    fn with(self, code: u32, bits: u32) -> Self;
    fn without(from: u32, bits: u32) -> Self;
}

macro_rules! packed {
    ($word:ty) => {
        impl Packed for $word {
            const ZERO: Self = 0;

            fn with(self, code: u32, bits: u32) -> Self {
                self.checked_shl(bits).unwrap_or(0) | Self::from(code)
            }

            fn without(from: u32, bits: u32) -> Self {
                let ones = Self::MAX.checked_shr(Self::BITS - bits).unwrap_or(0);
                !ones.checked_shl(from).unwrap_or(0)
            }
        }
    };
}

packed!(u64);
packed!(u128);

/// The bits that a column takes.
fn width(column: &ClassColumn<'_>) -> u32 {
    u64::BITS - column.domain().saturating_sub(1).leading_zeros()
}

/// A way through all subsets: each is rolled up from one that has a column more.
struct Walk<W> {
    /// The places of the columns, those of many values first: they are taken out first, so that little is left for most.
    order: Vec<usize>,
    /// For each of these, a mask without it.
    masks: Vec<W>,
}

fn every<W: Packed>(columns: &[ClassColumn<'_>], sizes: &[u64]) -> Vec<Subset> {
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(columns[place].domain()));
    let key = |class: usize| {
        let codes = order.iter().map(|&place| (columns[place].code(class), width(&columns[place])));
        codes.fold(W::ZERO, |key, (code, bits)| key.with(code, bits))
    };
    let keys: Vec<(W, u64)> = sizes.iter().enumerate().map(|(class, &size)| (key(class), size)).collect();
    let widths: Vec<u32> = order.iter().map(|&place| width(&columns[place])).collect();
    let mask = |at: usize| W::without(widths[at + 1..].iter().sum(), widths[at]);
    let masks = (0..order.len()).map(mask).collect();
    let walk = Walk { order, masks };
    if columns.is_empty() {
        return Vec::new();
    }
    let present: Vec<usize> = (0..columns.len()).collect();
    walk.from(&keys, &present, 0)
}

impl<W: Packed> Walk<W> {
    /// This subset, whose classes are given, and all that are reached by taking out further columns from `first` on: a
    /// subset is reached in one way only.
    fn from(&self, classes: &[(W, u64)], present: &[usize], first: usize) -> Vec<Subset> {
        let mut grouping = Distinction::default();
        classes.iter().for_each(|&(_, count)| grouping.add(count));
        let mut columns: Vec<usize> = present.iter().map(|&at| self.order[at]).collect();
        columns.sort_unstable();
        let mut found = vec![Subset { columns, grouping }];
        if present.len() == 1 {
            return found;
        }
        let removed: Vec<usize> = (first..self.order.len()).collect();
        let below = removed.into_par_iter().flat_map_iter(|at| {
            let rest: Vec<usize> = present.iter().copied().filter(|&other| other != at).collect();
            self.from(&roll_up(classes, self.masks[at]), &rest, at + 1)
        });
        found.par_extend(below);
        found
    }
}

/// The classes that are left when only the bits of a mask count.
fn roll_up<W: Packed>(classes: &[(W, u64)], mask: W) -> Vec<(W, u64)> {
    let mut counts: HashMap<W, u64, FixedState> = HashMap::with_hasher(FixedState::default());
    for &(key, count) in classes {
        *counts.entry(key & mask).or_default() += count;
    }
    counts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn listed(found: &[Subset]) -> Vec<(Vec<usize>, Distinction)> {
        let mut listed: Vec<_> = found.iter().map(|subset| (subset.columns.clone(), subset.grouping)).collect();
        listed.sort_by_key(|pair| (pair.0.len(), pair.0.clone()));
        listed
    }

    proptest! {
        #[test]
        fn rolled_up_is_as_counted(
            rows in prop::collection::btree_map(prop::array::uniform5(0u32..4), 1u64..4, 1..40), wide in any::<bool>(),
        ) {
            let codes: Vec<u32> = rows.keys().flatten().copied().collect();
            let sizes: Vec<u64> = rows.values().copied().collect();
            let domains = if wide { [4, 1 << 30, 1, 4, 1 << 32] } else { [4, 9, 4, 17, 4] };
            let columns: Vec<ClassColumn<'_>> =
                (0..5).map(|place| ClassColumn::new(&codes, 5, place, if place == 2 { 4 } else { domains[place] })).collect();
            let slow = small(&columns, &sizes, 5);
            let fast = if wide { every::<u128>(&columns, &sizes) } else { every::<u64>(&columns, &sizes) };
            prop_assert_eq!(slow.len(), 31);
            prop_assert_eq!(listed(&fast), listed(&slow));
        }
    }

    #[test]
    fn the_most_telling_come_first() {
        // a = 0 0 1 1, b = 0 1 0 1, c constant.
        let codes = [0, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0];
        let columns: Vec<ClassColumn<'_>> = (0..3).map(|place| ClassColumn::new(&codes, 3, place, 2)).collect();
        let found = subsets(&columns, &[1; 4]);
        assert_eq!(found.largest, None);
        assert_eq!(found.found.len(), 7);
        assert_eq!(found.found[0].columns, [0, 1]);
        assert_eq!(found.found[1].columns, [0, 1, 2]);
        assert_eq!(found.found[2].columns, [0]);
        assert_eq!(found.found[2].grouping.separation(), Some(4.0 / 6.0));
        assert_eq!(found.found[6].columns, [2]);
        assert_eq!(found.found[6].grouping.separation(), Some(0.0));
        assert!(subsets(&[], &[]).found.is_empty());
    }

    #[test]
    fn of_many_columns_small_subsets_are_looked_at() {
        let codes: Vec<u32> = (0..20).map(|code| code % 2).collect();
        let columns: Vec<ClassColumn<'_>> = (0..20).map(|place| ClassColumn::new(&codes, 20, place, 2)).collect();
        let found = subsets(&columns, &[1]);
        assert_eq!(found.largest, Some(3));
        assert_eq!(found.found.len(), 20 + 190 + 1140 + 1);
    }
}
