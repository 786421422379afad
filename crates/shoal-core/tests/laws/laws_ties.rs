//! Are losses that only rounding tells apart decided by the stated order, whatever the columns are called and however they stand?

use crate::tables::{Plan, Quasi, random, requirement};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::lattice::Node;
use shoal_core::method::full_domain::{FullDomain, Search, solutions};
use shoal_core::method::{Method, Task};
use shoal_core::objective::{OBJECTIVES, Objective};
use shoal_core::watch::Unwatched;

const SEARCHES: [Search; 3] = [Search::Exhaustive, Search::Incognito, Search::Optimal];

/// Columns with the same hierarchy and few values: many combinations of levels lose the same.
fn alike() -> impl Strategy<Value = Plan> {
    let path = |column: usize, leaf: usize| {
        vec![
            format!("{column}:{leaf}"),
            format!("{column}: pair {}", leaf / 2),
            format!("{column}: all"),
            "*".to_owned(),
        ]
    };
    let quasi =
        move |column: usize| Quasi::new(&format!("column {column}"), (0..6).map(|leaf| path(column, leaf)).collect());
    (2..=4usize, 2..=10usize).prop_flat_map(move |(columns, rows)| {
        let leaves = prop::collection::vec(prop::collection::vec(0..6usize, columns), rows);
        leaves.prop_map(move |leaves| {
            // Every row in every order of its columns, so that no column differs from another.
            let turned =
                leaves.iter().flat_map(|row| (0..columns).map(move |turn| [&row[turn..], &row[..turn]].concat()));
            let cells =
                |row: Vec<usize>| row.iter().enumerate().map(|(column, leaf)| format!("{column}:{leaf}")).collect();
            Plan { quasi: (0..columns).map(quasi).collect(), sensitive: vec![], rows: turned.map(cells).collect() }
        })
    })
}

/// The same table with its columns in another order.
fn turned(plan: &Plan, turn: usize) -> Plan {
    let mut plan = plan.clone();
    plan.quasi.rotate_left(turn);
    plan.rows.iter_mut().for_each(|row| row.rotate_left(turn));
    plan
}

/// By definition: of all satisfying nodes whose values are within a billionth of the least, the lowest, then the first. (No two
/// nodes of so small a table differ by so little, unless they are the same.)
fn expected(task: &Task<'_>) -> Option<Node> {
    let all = solutions(task, true, &Unwatched).expect("the lattice is small").all.expect("all were asked for");
    let id = task.objective.id();
    let value =
        |objectives: &[(&str, f64)]| objectives.iter().find(|(known, _)| *known == id).expect("every objective").1;
    let least = all.iter().map(|solution| value(&solution.objectives)).fold(f64::INFINITY, f64::min);
    let same = all.into_iter().filter(|solution| value(&solution.objectives) <= least + 1e-9 * least.abs().max(1.0));
    same.map(|solution| solution.node).min_by_key(|node| (node.height(), node.clone()))
}

proptest! {
    #![proptest_config(random::cases(60))]

    #[test]
    fn the_stated_order_decides_in_every_search(plan in alike(), k in 2..=5u64, limit in 0..=3u64) {
        for turn in 0..plan.quasi.len() {
            let table = turned(&plan, turn).count();
            let requirements = [requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
            for entry in OBJECTIVES {
                let objective: &dyn Objective = entry.item;
                let task = Task::new(&table, &requirements, objective, Ratio::new((2 * limit).into(), 20));
                let expected = expected(&task);
                for search in SEARCHES {
                    let found = FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).ok();
                    let found = found.and_then(|partition| partition.node);
                    prop_assert_eq!(&found, &expected, "{:?} by {}, turned by {}", search, objective.id(), turn);
                }
            }
        }
    }

    /// Local recoding takes nodes in the order of a bound: among columns that do not differ it must not matter how that is
    /// rounded, so that turning the columns gives the same number of classes of the same sizes.
    #[test]
    fn local_recoding_does_not_depend_on_rounding(plan in alike(), k in 2..=5u64) {
        let sizes = |turn: usize| {
            let plan = turned(&plan, turn);
            // The names of columns and values follow their places, so that only the rounding of sums could differ.
            let table = renamed(&plan).count();
            let requirements = [requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
            let task = Task::new(&table, &requirements, OBJECTIVES[0].item, Ratio::ZERO);
            let local = FullDomain { local: true, ..FullDomain::default() }.partition(&task, &Unwatched).ok();
            local.map(|partition| (partition.classes.clone(), partition.assignments.clone()))
        };
        let first = sizes(0);
        for turn in 1..plan.quasi.len() {
            prop_assert_eq!(sizes(turn), first.clone());
        }
    }
}

/// Columns and values named after their places.
fn renamed(plan: &Plan) -> Plan {
    let mut plan = plan.clone();
    let rename = |column: usize, text: &str| match text.split_once(':') {
        Some((_, rest)) => format!("{column}:{rest}"),
        None => text.to_owned(),
    };
    for (column, quasi) in plan.quasi.iter_mut().enumerate() {
        quasi.name = format!("column {column}");
        quasi.paths.iter_mut().flatten().for_each(|label| *label = rename(column, label));
    }
    for row in &mut plan.rows {
        row.iter_mut().enumerate().for_each(|(column, cell)| *cell = rename(column, cell));
    }
    plan
}
