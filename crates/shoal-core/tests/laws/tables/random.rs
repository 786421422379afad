//! Which small tables do the laws try?

use proptest::prelude::*;

use super::{Paths, Plan, Quasi, Sensitive};

/// This many cases; what failed is printed, not kept in a file.
pub fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Nested partitions of the values, some of which may not occur: `values[leaf]`, then a label for each level.
fn paths(values: Vec<String>, height: usize) -> impl Strategy<Value = Paths> {
    let leaves = values.len();
    let groups = prop::collection::vec(prop::collection::vec(0..3usize, leaves.max(3)), height - 1);
    groups.prop_map(move |levels| {
        let path = |leaf: usize| {
            let mut node = leaf;
            let mut path = vec![values[leaf].clone()];
            for (level, group_of) in levels.iter().enumerate() {
                node = group_of[node];
                path.push(format!("group {}.{node}", level + 1));
            }
            path.push("*".to_owned());
            path
        };
        (0..leaves).map(path).collect()
    })
}

fn quasi(name: String) -> impl Strategy<Value = Quasi> {
    let shape = (2..=5usize, 1..=3usize);
    let weight = prop_oneof![4 => Just(1.0), 1 => Just(0.5), 1 => Just(2.0), 1 => Just(0.0)];
    let bounds = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), prop::bool::weighted(0.3));
    (shape, weight, bounds).prop_flat_map(move |((leaves, height), weight, (low, high, is_bounded))| {
        let name = name.clone();
        paths((0..leaves).map(|leaf| format!("{name}{leaf}")).collect(), height).prop_map(move |paths| {
            let mut quasi = Quasi { weight, ..Quasi::new(&name, paths) };
            if is_bounded {
                quasi.min_level = low.index(height + 1) as u8;
                quasi.max_level = quasi.min_level + high.index(height + 1 - usize::from(quasi.min_level)) as u8;
            }
            quasi
        })
    })
}

/// The first sensitive column holds numbers, so that its values have an order; the second text without a hierarchy.
fn sensitive(place: usize) -> BoxedStrategy<(Sensitive, Vec<String>)> {
    let weight = prop_oneof![3 => Just(1.0), 1 => Just(0.5)];
    if place > 0 {
        let values: Vec<String> = (0..3).map(|value| format!("w{value}")).collect();
        return weight
            .prop_map(move |weight| (Sensitive { weight, ..Sensitive::new("w", None) }, values.clone()))
            .boxed();
    }
    let shape = (2..=5usize, 1..=3usize);
    let column = (shape, weight).prop_flat_map(|((leaves, height), weight)| {
        let values: Vec<String> = (0..leaves).map(|value| (value * 7).to_string()).collect();
        paths(values.clone(), height).prop_map(move |paths| {
            let column = Sensitive { weight, ..Sensitive::new("s", Some(paths)) };
            (column, values.clone())
        })
    });
    column.boxed()
}

/// A table with this many quasi-identifiers, sensitive columns and rows.
pub fn table(
    quasi_columns: std::ops::RangeInclusive<usize>,
    sensitive_columns: std::ops::RangeInclusive<usize>,
    rows: std::ops::RangeInclusive<usize>,
) -> impl Strategy<Value = Plan> {
    let columns = (quasi_columns, sensitive_columns);
    columns.prop_flat_map(move |(quasi_columns, sensitive_columns)| {
        let quasi: Vec<_> = (0..quasi_columns).map(|place| quasi(["a", "b", "c", "d"][place].to_owned())).collect();
        let sensitive: Vec<_> = (0..sensitive_columns).map(sensitive).collect();
        // Squaring makes some values frequent and others rare, so that classes of all kinds come up.
        let cells = prop::collection::vec(0.0..1.0f64, quasi_columns + sensitive_columns);
        let rows = prop::collection::vec(cells, rows.clone());
        (quasi, sensitive, rows).prop_map(|(quasi, sensitive, rows)| {
            let pick = |values: &[&str], place: f64| values[(place * place * values.len() as f64) as usize].to_owned();
            let row = |places: Vec<f64>| {
                let (of_quasi, of_sensitive) = places.split_at(quasi.len());
                let quasi = quasi.iter().zip(of_quasi).map(|(quasi, &place)| {
                    pick(&quasi.paths.iter().map(|path| path[0].as_str()).collect::<Vec<_>>(), place)
                });
                let sensitive = sensitive
                    .iter()
                    .zip(of_sensitive)
                    .map(|((_, values), &place)| pick(&values.iter().map(String::as_str).collect::<Vec<_>>(), place));
                quasi.chain(sensitive).collect()
            };
            let rows = rows.into_iter().map(row).collect();
            Plan { rows, sensitive: sensitive.into_iter().map(|(sensitive, _)| sensitive).collect(), quasi }
        })
    })
}

/// Three classes of records with sensitive values: level 1 joins the first two, level 2 all.
pub fn three_classes(sensitive_columns: std::ops::RangeInclusive<usize>) -> impl Strategy<Value = Plan> {
    let names = ["first", "second", "rest"];
    let paths = names.map(|name| {
        let joined = if name == "rest" { "rest" } else { "first or second" };
        [name, joined, "*"].map(str::to_owned).to_vec()
    });
    let table = table(1..=1, sensitive_columns, 3..=24);
    (table, prop::collection::vec(0..3usize, 24)).prop_map(move |(mut plan, classes)| {
        plan.quasi = vec![Quasi::new("class", paths.to_vec())];
        for (place, row) in plan.rows.iter_mut().enumerate() {
            // The first rows make sure that no class is empty.
            row[0] = names[if place < 3 { place } else { classes[place] }].to_owned();
        }
        plan
    })
}
