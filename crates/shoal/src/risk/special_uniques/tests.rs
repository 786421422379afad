//! Are minimal sample uniques and their scores those of the definition?

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn columns(codes: &[u32], width: usize, domain: u64) -> Vec<ClassColumn<'_>> {
    (0..width).map(|place| ClassColumn::new(codes, width, place, domain)).collect()
}

/// Every set of columns and every record, as the definition says.
fn slowly(rows: &[(Vec<u32>, u64)], width: usize, largest: usize) -> Vec<(Vec<usize>, Vec<u32>)> {
    let sets: Vec<u32> = (1..1u32 << width).filter(|set| set.count_ones() as usize <= largest).collect();
    let is_unique = |class: usize, set: u32| {
        let same = |other: &[u32]| (0..width).all(|at| set >> at & 1 == 0 || other[at] == rows[class].0[at]);
        rows.iter().filter(|row| same(&row.0)).map(|row| row.1).sum::<u64>() == 1
    };
    let is_minimal = |class: usize, set: u32| {
        let parts = (1..set).filter(|part| part & set == *part);
        is_unique(class, set) && !parts.into_iter().any(|part| is_unique(class, part))
    };
    let mut found = Vec::new();
    for &set in &sets {
        let classes: Vec<u32> = (0..rows.len()).filter(|&class| is_minimal(class, set)).map(|at| at as u32).collect();
        if !classes.is_empty() {
            found.push(((0..width).filter(|at| set >> at & 1 == 1).collect(), classes));
        }
    }
    found.sort();
    found
}

proptest! {
    #[test]
    fn minimal_uniques_are_those_of_the_definition(
        rows in prop::collection::btree_map(prop::collection::vec(0u32..3, 4), 1u64..3, 1..25),
        largest in 1usize..5,
        wide in any::<bool>(),
    ) {
        let rows: Vec<(Vec<u32>, u64)> = rows.into_iter().collect();
        let codes: Vec<u32> = rows.iter().flat_map(|row| row.0.clone()).collect();
        let sizes: Vec<u64> = rows.iter().map(|row| row.1).collect();
        // A wide domain takes the way by sorting.
        let columns = columns(&codes, 4, if wide { 1 << 30 } else { 3 });
        let mut fast: Vec<_> = minimal_uniques(&columns, &sizes, largest)
            .into_iter()
            .filter(|found| !found.classes.is_empty())
            .map(|found| (found.columns, found.classes))
            .collect();
        fast.sort();
        prop_assert_eq!(&fast, &slowly(&rows, 4, largest));

        let mut scores: BTreeMap<u32, f64> = BTreeMap::new();
        for (set, classes) in &fast {
            classes.iter().for_each(|&class| *scores.entry(class).or_default() += score(set.len(), largest, 4));
        }
        let found = special_uniques(&columns, &sizes, largest, Some(0.1));
        prop_assert_eq!(found.records, scores.len() as u64);
        prop_assert_eq!(found.highest_score, scores.values().copied().fold(0.0, f64::max));
        let sets: u64 = fast.iter().map(|(_, classes)| classes.len() as u64).sum();
        prop_assert_eq!(found.minimal_uniques.iter().sum::<u64>(), sets);
    }
}

#[test]
fn scores_by_hand() {
    // Nine columns, up to three: 8 * 7 * 6, 7 * 6, 6.
    assert_eq!([1, 2, 3].map(|size| score(size, 3, 9)), [336.0, 42.0, 6.0]);
    // Three columns: 2 * 1, 1, and nothing is left for all of them.
    assert_eq!([1, 2, 3].map(|size| score(size, 3, 3)), [2.0, 1.0, 1.0]);
    assert_eq!(score(1, 1, 1), 1.0);
}

#[test]
fn a_table_by_hand() {
    // Records (0,0) twice, (0,1), (1,0), (2,2). The first value 1 singles out the fourth, 2 in either column the last, the
    // second value 1 the third.
    let codes = [0, 0, 0, 1, 1, 0, 2, 2];
    let found = special_uniques(&columns(&codes, 2, 3), &[2, 1, 1, 1], 2, Some(0.5));
    assert_eq!(found.minimal_uniques, [4, 0]);
    assert_eq!(found.records, 3);
    // Each of them scores 2 - 1; the last has two.
    assert_eq!((found.highest_score, found.worst[0].class, found.worst[0].minimal_uniques), (2.0, 3, 2));
    assert_eq!(found.contributions, [0.5, 0.5]);
    // Three unique records and one pair at a rate of a half: odds 3/2; times 3/4 for each point of the score.
    assert!((found.highest_dis_score - 2.25 / 3.25).abs() < 1e-12);
}

#[test]
fn who_is_not_alone_is_not_special() {
    let found = special_uniques(&columns(&[0, 1], 1, 2), &[2, 3], 3, None);
    assert_eq!((found.records, found.highest_score, found.highest_dis_score), (0, 0.0, 0.0));
    assert!(found.worst.is_empty());
}
