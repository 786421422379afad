//! Is a summary what the whole classes say, as far as it goes, however it was reached?

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::laws_frequency::{two_nodes, wide};
use crate::tables::{Plan, profile, random, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, EquivalenceClass, FrequencySet, Generalization, Reads, Summaries, Summary};
use shoal_core::lattice::Node;
use shoal_core::method::Task;
use shoal_core::method::full_domain::Judge;
use shoal_core::model::releasable;
use shoal_core::objective::OBJECTIVES;

fn scan(table: &CountedTable, node: &Node) -> FrequencySet {
    let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
    generalization.roll_up(&table.base, &table.ungeneralized(), node)
}

/// Lists of what may be read of a table with so many sensitive columns.
fn lists(columns: usize) -> Vec<Vec<Reads>> {
    let distinct = |column, most| Reads::Distinct { column, most };
    let each = |of: &dyn Fn(usize) -> Reads| (0..columns).map(of).collect::<Vec<_>>();
    let mixed = |column: usize| if column == 0 { distinct(0, 3) } else { Reads::Counts { column } };
    vec![
        vec![],
        each(&|column| distinct(column, 1)),
        each(&|column| distinct(column, 2)),
        each(&|column| distinct(column, 2 + column as u64)),
        each(&|column| Reads::Counts { column }),
        each(&mixed),
        vec![Reads::Tuples],
    ]
}

/// Holds a class of a summary to the whole class.
fn assert_tells(summary: &EquivalenceClass<'_>, whole: &EquivalenceClass<'_>, reads: &[Reads]) {
    assert_eq!(summary.size(), whole.size());
    for read in reads {
        match *read {
            Reads::Distinct { column, most } => assert_eq!(summary.distinct(column), whole.distinct(column).min(most)),
            Reads::Counts { column } => {
                assert_eq!(summary.counts(column).codes, whole.counts(column).codes);
                assert_eq!(summary.counts(column).counts, whole.counts(column).counts);
            }
            Reads::People { column } => {
                assert_eq!(summary.people().with_values(column), whole.people().with_values(column));
            }
            Reads::Tuples => {
                for column in 0..whole.sensitive_columns() {
                    assert_eq!(summary.counts(column).codes, whole.counts(column).codes);
                    let blocks = |class: &EquivalenceClass<'_>| {
                        let mut blocks = Vec::new();
                        class.for_each_block(column, |block| blocks.push(block.counts(column).counts.to_vec()));
                        blocks
                    };
                    assert_eq!(blocks(summary), blocks(whole));
                }
            }
        }
    }
}

fn assert_is_summary_of(summary: &Summary, set: &FrequencySet, reads: &[Reads], columns: usize) {
    assert_eq!(summary.classes(), set.classes());
    let codes = |code: &dyn Fn(usize) -> u32| (0..columns).map(code).collect::<Vec<u32>>();
    let place: BTreeMap<Vec<u32>, usize> =
        (0..set.classes()).map(|class| (codes(&|column| set.code(class, column)), class)).collect();
    for class in 0..summary.classes() {
        let whole = place[&codes(&|column| summary.code(class, column))];
        assert_tells(&summary.class(class), &set.class(whole), reads);
    }
    // The rows of every other class, by label.
    let wanted = |class: usize| class.is_multiple_of(2);
    for (column, rows) in summary.rows_by_label(wanted).into_iter().enumerate() {
        let mut naive = vec![0; rows.len()];
        for class in (0..summary.classes()).filter(|&class| wanted(class)) {
            naive[summary.code(class, column) as usize] += summary.sizes()[class];
        }
        assert_eq!(rows, naive);
    }
}

fn assert_summaries_are_right(plan: &Plan, table: &CountedTable, places: &[(f64, f64)]) {
    let (low, high) = two_nodes(plan, places);
    let (low, high) = (Node::new(low), Node::new(high));
    let set = scan(table, &high);
    for reads in lists(plan.sensitive.len()) {
        let summaries = Summaries::new(&table.base, &table.quasi, reads.iter().copied());
        let columns = table.quasi.len();
        assert_is_summary_of(&summaries.at(&high), &set, &reads, columns);
        assert_is_summary_of(&summaries.above(&Arc::new(summaries.at(&low)), &high), &set, &reads, columns);
        // Sizes first, of both, and the rest when it is asked for.
        let sizes = summaries.sizes_above(&Arc::new(summaries.sizes_at(&low)), &high);
        summaries.complete(&sizes);
        assert_is_summary_of(&sizes, &set, &reads, columns);
        let (summary, class_of) = summaries.at_and_tell(&high);
        for (class, &became) in class_of.iter().enumerate() {
            let above = |column: usize| {
                let level = table.quasi[column].hierarchy.level(usize::from(high.levels()[column]));
                level.node_of(table.base.code(class, column))
            };
            assert!((0..columns).all(|column| summary.code(became as usize, column) == above(column)));
        }
    }
}

proptest! {
    #![proptest_config(random::cases(150))]

    #[test]
    fn a_summary_tells_what_the_classes_say(
        plan in random::table(1..=4, 0..=2, 1..=40),
        places in prop::collection::vec((0.0..1.0, 0.0..1.0), 4),
    ) {
        assert_summaries_are_right(&plan, &plan.count(), &places);
    }

    #[test]
    fn a_model_decides_by_what_it_says_it_reads(
        plan in random::table(1..=3, 1..=2, 1..=25),
        places in prop::collection::vec((0.0..1.0, 0.0..1.0), 3),
        percent in 0..60u32,
    ) {
        let table = plan.count();
        let node = Node::new(two_nodes(&plan, &places).1);
        let (set, input) = (scan(&table, &node), profile(&table));
        for sample in samples(&table) {
            let reads = sample.requirement.model.reads(table.sensitive.len());
            let summary = Summaries::new(&table.base, &table.quasi, reads).at(&node);
            // Both come straight from the table, so that classes come up in the same order.
            for class in 0..set.classes() {
                let (whole, kept) = (set.class(class), summary.class(class));
                let requirement = &sample.requirement;
                let name = requirement.model.name();
                prop_assert_eq!(requirement.accepts(&whole, &input), requirement.accepts(&kept, &input), "{}", &name);
                let failing = |class| requirement.least_failing(class, &input, 0.1);
                prop_assert_eq!(failing(&whole), failing(&kept), "{}", &name);
            }
            let requirements = [sample.requirement];
            let max_suppressed = Ratio::written(f64::from(percent) / 100.0).expect("a fraction");
            let task = Task::new(&table, &requirements, OBJECTIVES[0].item, max_suppressed);
            let judge = Judge::new(&task);
            let verdict = judge.judge(&judge.scan(&node));
            prop_assert_eq!(verdict.accepted, releasable(&requirements, &table.sensitive, &set, &input));
        }
    }
}

#[test]
fn keys_of_any_width_are_summed_up_alike() {
    for columns in [1, 3, 6, 8, 14, 29, 60] {
        let plan = wide(columns);
        let table = plan.count();
        for (low, high) in [(0.0, 0.0), (0.0, 0.3), (0.3, 0.5), (0.6, 0.9)] {
            for moving in [1, 2] {
                let place = |column: usize| if column.is_multiple_of(moving) { (low, high) } else { (0.99, 0.0) };
                let places: Vec<(f64, f64)> = (0..columns).map(place).collect();
                assert_summaries_are_right(&plan, &table, &places);
            }
        }
    }
}
