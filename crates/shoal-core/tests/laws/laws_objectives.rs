//! Does every objective measure what its definition says, and never less than its lower bound?

use crate::tables::naive_objectives::NaiveRelease;
use crate::tables::{Plan, random};
use proptest::prelude::*;
use shoal_core::frequency::{CountedTable, FrequencySet, Generalization};
use shoal_core::lattice::Node;
use shoal_core::objective::{Candidate, IdealCandidates, OBJECTIVES, ShownLabel};

/// A level for each column, from places between 0 and 1.
fn levels(plan: &Plan, places: &[f64]) -> Vec<u8> {
    plan.quasi.iter().zip(places).map(|(quasi, place)| (place * (quasi.height() + 1) as f64) as u8).collect()
}

/// Levels at or above these.
fn levels_above(plan: &Plan, below: &[u8], places: &[f64]) -> Vec<u8> {
    let columns = plan.quasi.iter().zip(below).zip(places);
    columns.map(|((quasi, &low), place)| low + (place * (quasi.height() + 1 - usize::from(low)) as f64) as u8).collect()
}

fn scan(table: &CountedTable, node: &Node) -> FrequencySet {
    let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
    generalization.roll_up(&table.base, &table.ungeneralized(), node)
}

/// The release that a candidate stands for, from the text alone.
fn naive<'a>(
    plan: &'a Plan,
    table: &CountedTable,
    set: &FrequencySet,
    accepted: &[bool],
    levels: &'a [u8],
) -> NaiveRelease<'a> {
    let mut rows_of = plan.classes_at(levels);
    let (mut classes, mut suppressed) = (Vec::new(), Vec::new());
    for (class, &is_accepted) in accepted.iter().enumerate() {
        let label = |column: usize| {
            let level = table.quasi[column].hierarchy.level(levels[column].into());
            level.label(set.code(class, column)).to_owned()
        };
        let rows = rows_of.remove(&(0..levels.len()).map(label).collect::<Vec<_>>()).expect("a class that is there");
        if is_accepted { classes.push(rows) } else { suppressed.extend(rows) }
    }
    assert!(rows_of.is_empty());
    NaiveRelease { plan, levels, classes, suppressed }
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

proptest! {
    #![proptest_config(random::cases(60))]

    /// What an objective says of itself that methods make use of.
    #[test]
    fn what_reads_leaves_alone_sees_nothing_else(
        plan in random::table(1..=4, 0..=2, 1..=25),
        leaves in 1_u64..=25,
        others in prop::collection::vec((0_u8..4, 0_u64..25), 2),
    ) {
        let table = plan.count();
        for objective in OBJECTIVES.iter().filter(|objective| objective.item.reads_leaves_alone()) {
            for column in &table.quasi {
                let lost = |&(level, rows): &(u8, u64)| {
                    objective.item.label_loss(column, ShownLabel { leaves, level, rows })
                };
                prop_assert!(lost(&others[0]).is_some());
                prop_assert_eq!(lost(&others[0]), lost(&others[1]), "{}", objective.item.id());
            }
        }
    }
}

proptest! {
    #![proptest_config(random::cases(400))]

    #[test]
    fn every_objective_is_its_definition_row_by_row(
        plan in random::table(1..=4, 0..=2, 1..=25),
        places in prop::collection::vec(0.0..1.0, 4),
        released in prop::collection::vec(prop::bool::weighted(0.7), 25),
    ) {
        let table = plan.count();
        let levels = levels(&plan, &places);
        let node = Node::new(levels.clone());
        let set = scan(&table, &node);
        for accepted in [&released[..set.classes()], &vec![true; set.classes()], &vec![false; set.classes()]] {
            let candidate = Candidate::new(&table, &node, &set, accepted);
            let naive = naive(&plan, &table, &set, accepted, &levels);
            for entry in OBJECTIVES {
                let (ours, naive) = (entry.item.value(&candidate), naive.value(entry.item.id()));
                prop_assert!(near(ours, naive), "{}: {ours} instead of {naive}", entry.item.id());
            }
        }
    }

    #[test]
    fn nothing_is_lost_by_the_original(
        plan in random::table(1..=4, 0..=2, 1..=25),
        places in prop::collection::vec(0.0..1.0, 4),
        released in prop::collection::vec(prop::bool::weighted(0.7), 25),
    ) {
        let table = plan.count();
        let bottom = table.ungeneralized();
        let everything = vec![true; table.base.classes()];
        let original = Candidate::new(&table, &bottom, &table.base, &everything);
        let node = Node::new(levels(&plan, &places));
        let set = scan(&table, &node);
        let everything = vec![true; set.classes()];
        for entry in OBJECTIVES {
            let (id, of_original) = (entry.item.id(), entry.item.value(&original));
            if !["discernibility", "average-class-size"].contains(&id) {
                prop_assert_eq!(of_original, 0.0, "{}", id);
            }
            let generalized = entry.item.value(&Candidate::new(&table, &node, &set, &everything));
            prop_assert!(of_original <= generalized, "{id}: {of_original} is above {generalized}");
            // Suppressing a large class makes the others smaller on average: the one exception.
            if id != "average-class-size" {
                let suppressed = entry.item.value(&Candidate::new(&table, &node, &set, &released[..set.classes()]));
                prop_assert!(of_original <= suppressed, "{id}: {of_original} is above {suppressed}");
            }
        }
    }

    #[test]
    fn no_candidate_is_better_than_the_lower_bound_below_it(
        plan in random::table(1..=4, 0..=2, 1..=25),
        places in prop::collection::vec(0.0..1.0, 4),
        above in prop::collection::vec(0.0..1.0, 4),
        released in prop::collection::vec(prop::bool::weighted(0.7), 25),
        more in 0..4u64,
    ) {
        let table = plan.count();
        let ideals = IdealCandidates::new(&table);
        let low = levels(&plan, &places);
        let (high, low) = (Node::new(levels_above(&plan, &low, &above)), Node::new(low));
        let set = scan(&table, &high);
        for accepted in [&released[..set.classes()], &vec![true; set.classes()]] {
            let candidate = Candidate::new(&table, &high, &set, accepted);
            let max_suppressed = (candidate.suppressed + more).min(table.rows);
            for entry in OBJECTIVES {
                let value = entry.item.value(&candidate);
                for node in [&low, &high] {
                    let bound = entry.item.lower_bound(&ideals.at(node), max_suppressed);
                    prop_assert!(bound <= value + 1e-12 * value.abs(), "{}: {bound} is above {value}", entry.item.id());
                }
            }
        }
    }
}
