//! Is a frequency set the same however it was reached, and the same that an outsider would count?

use std::collections::BTreeMap;

use crate::tables::{Plan, Quasi, Sensitive, as_text, random};
use proptest::prelude::*;
use shoal_core::frequency::{CountedTable, Generalization};
use shoal_core::lattice::Node;

/// A node of the whole lattice, and one at or above it, from places between 0 and 1.
pub fn two_nodes(plan: &Plan, places: &[(f64, f64)]) -> (Vec<u8>, Vec<u8>) {
    let levels = plan.quasi.iter().zip(places).map(|(quasi, &(low, rest))| {
        let low = (low * (quasi.height() + 1) as f64) as u8;
        (low, low + (rest * (quasi.height() + 1 - usize::from(low)) as f64) as u8)
    });
    levels.unzip()
}

fn assert_roll_up_is_scan(plan: &Plan, table: &CountedTable, places: &[(f64, f64)]) {
    let (low, high) = two_nodes(plan, places);
    let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
    let (low_node, high_node) = (Node::new(low.clone()), Node::new(high.clone()));
    let at_low = generalization.roll_up(&table.base, &table.ungeneralized(), &low_node);
    let rolled = generalization.roll_up(&at_low, &low_node, &high_node);
    let scanned = generalization.roll_up(&table.base, &table.ungeneralized(), &high_node);
    let naive = |levels: &[u8]| -> BTreeMap<Vec<String>, BTreeMap<Vec<String>, u64>> {
        let classes = plan.classes_at(levels).into_iter();
        classes.map(|(labels, rows)| (labels, plan.sensitive_counts(&rows))).collect()
    };
    assert_eq!(as_text(table, &at_low, &low), naive(&low));
    assert_eq!(as_text(table, &scanned, &high), naive(&high));
    assert_eq!(as_text(table, &rolled, &high), naive(&high));
    assert_eq!(rolled.rows(), table.rows);
    for class in 0..rolled.classes() {
        let (codes, counts) = rolled.entries(class);
        assert!(codes.is_sorted_by(|a, b| a < b), "sensitive tuples are sorted and distinct");
        assert_eq!(counts.iter().sum::<u64>(), rolled.sizes()[class]);
    }
}

proptest! {
    #![proptest_config(random::cases(200))]

    #[test]
    fn roll_up_is_scan_is_what_an_outsider_counts(
        plan in random::table(1..=4, 0..=2, 1..=30),
        places in prop::collection::vec((0.0..1.0, 0.0..1.0), 4),
    ) {
        assert_roll_up_is_scan(&plan, &plan.count(), &places);
    }

    #[test]
    fn marginal_counts_are_those_of_each_column(plan in random::three_classes(1..=2)) {
        let table = plan.count();
        for (class, (_, rows)) in plan.classes_at(&[0]).into_iter().enumerate() {
            for column in 0..plan.sensitive.len() {
                let mut naive: BTreeMap<&str, u64> = BTreeMap::new();
                for cells in plan.sensitive_cells(&rows) {
                    *naive.entry(&cells[column]).or_default() += 1;
                }
                let class = table.base.class(class);
                prop_assert_eq!(class.size(), rows.len() as u64);
                let counts = class.counts(column);
                let ours: BTreeMap<&str, u64> =
                    counts.iter().map(|(code, count)| (table.sensitive[column].value(code), count)).collect();
                prop_assert_eq!(ours, naive);
                prop_assert!(counts.codes.is_sorted_by(|a, b| a < b));
            }
        }
    }
}

/// A table whose columns hold so many values that its keys have this many words. Neighbours pair up on level 1, and
/// many pairs on level 2.
pub fn wide(columns: usize) -> Plan {
    const VALUES: usize = 1 << 9;
    let name = |column: usize, value: usize| format!("{column}-{value:03}");
    let quasi = |column: usize| {
        let path = |value: usize| {
            vec![name(column, value), format!("pair {}", value / 2), format!("many {}", value / 128), "*".to_owned()]
        };
        Quasi::new(&column.to_string(), (0..VALUES).map(path).collect())
    };
    // Columns move at different odd paces, so that every value occurs and many tuples differ in one column only.
    let row = |row: usize| {
        let cells =
            (0..columns).map(|column| name(column, (row / 2 * (2 * column + 1) + row % 2 * (column / 5)) % VALUES));
        cells.chain([(row % 3).to_string()]).collect()
    };
    Plan {
        quasi: (0..columns).map(quasi).collect(),
        sensitive: vec![Sensitive::new("s", None)],
        rows: (0..2 * VALUES).map(row).collect(),
    }
}

#[test]
fn keys_of_any_width_are_rolled_up_alike() {
    // Seven codes of 9 bits fit into a word.
    for (columns, words) in [(7, 1), (8, 2), (15, 3), (28, 4), (29, 5)] {
        let plan = wide(columns);
        let table = plan.count();
        assert_eq!(table.base.layout().words(), words);
        for (low, high) in [(0.0, 0.0), (0.0, 0.3), (0.3, 0.5), (0.3, 0.9), (0.6, 0.9)] {
            // Only every other column moves, so that classes of many sizes come up.
            let place = |column: usize| if column.is_multiple_of(2) { (low, high) } else { (0.99, 0.0) };
            let places: Vec<(f64, f64)> = (0..columns).map(place).collect();
            assert_roll_up_is_scan(&plan, &table, &places);
        }
    }
}
