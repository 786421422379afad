//! Is every method's release what was asked for: nobody lost, every label true, every requirement met?

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::tables::naive_labels::{LabelledRelease, covered};
use crate::tables::releases::{Naive, released_rows};
use crate::tables::{Plan, Quasi, Sample, random, requirement, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::method::{Categories, Ends, Label, LabelStyle, METHODS, Method, Numbers, Partition, Task};
use shoal_core::objective::{Loss, OBJECTIVES};
use shoal_core::watch::Unwatched;

/// Every method, also with other than its usual parameters.
fn methods() -> Vec<Arc<dyn Method>> {
    METHODS.iter().flat_map(|entry| (entry.samples)()).collect()
}

const STYLES: [LabelStyle; 3] = [
    LabelStyle { numbers: Numbers::Ranges, categories: Categories::Sets, ends: Ends::Rounded },
    LabelStyle { numbers: Numbers::Hierarchy, categories: Categories::Hierarchy, ends: Ends::Rounded },
    LabelStyle { numbers: Numbers::Ranges, categories: Categories::Sets, ends: Ends::Exact },
];

/// Some random table whose last quasi-identifier holds numbers.
fn table() -> impl Strategy<Value = Plan> {
    let tables = random::table(1..=2, 1..=2, 4..=40);
    (tables, prop::collection::vec(0..12u32, 40)).prop_map(|(mut plan, numbers)| {
        // Only every other number is a leaf, so that a range covers fewer leaves than its width.
        let path = |number: u32| vec![(2 * number).to_string(), format!("group {}", number / 4), "*".to_owned()];
        let at = plan.quasi.len();
        plan.quasi.push(Quasi::new("n", (0..12).map(path).collect()));
        for (row, number) in plan.rows.iter_mut().zip(numbers) {
            row.insert(at, (2 * number).to_string());
        }
        // A lowest or highest level is for methods with levels; others may refuse it.
        for quasi in &mut plan.quasi {
            (quasi.min_level, quasi.max_level) = (0, quasi.height() as u8);
        }
        plan
    })
}

/// The label of a class as a text that says what it covers; a mean or a mode stands for a range or a set.
fn cover(task: &Task<'_>, partition: &Partition, class: usize, column: usize) -> String {
    let value = |code: u32| task.table.quasi[column].dictionary.value(code);
    match partition.classes.label(class as u32, column) {
        Label::Number { first, last, .. } => format!("[{}, {}]", value(*first), value(*last)),
        Label::Value { covers, .. } => {
            format!("{{{}}}", covers.iter().map(|&code| value(code)).collect::<Vec<_>>().join(", "))
        }
        other => other.text(&task.table.quasi[column]).into_owned(),
    }
}

fn assert_sound(plan: &Plan, naive: &Naive<'_>, task: &Task<'_>, method: &dyn Method, partition: &Partition) {
    let about = format!("{method:?} with {:?}", naive.asked);
    let rest = released_rows(plan, task.table, partition);
    assert!(rest.suppressed.len() as u64 <= task.rows_to_spare(), "{about}");
    let released: Vec<usize> = rest.classes.iter().flatten().copied().collect();
    assert!(!released.is_empty(), "{about}: an empty release is never a release");
    let mut shown = BTreeSet::new();
    let mut classes = Vec::new();
    for (class, rows) in rest.classes.iter().enumerate() {
        assert!(!rows.is_empty(), "{about}");
        let text = |column| partition.classes.text(task.table, class as u32, column).into_owned();
        let texts: Vec<String> = (0..plan.quasi.len()).map(text).collect();
        let labels: Vec<String> = (0..plan.quasi.len()).map(|column| cover(task, partition, class, column)).collect();
        for &row in rows {
            for (column, label) in labels.iter().enumerate() {
                let leaves = covered(&plan.quasi[column], label);
                assert!(leaves.contains(&plan.rows[row][column].as_str()), "{about}: {label} is true of its rows");
            }
        }
        assert!(shown.insert(texts), "{about}: classes differ in what they show");
        assert_ne!(naive.accepts(rows, &released), Some(false), "{about}: {labels:?}");
        classes.push((labels, rows.clone()));
    }
    let release = LabelledRelease { plan, classes, suppressed: rest.suppressed };
    for entry in OBJECTIVES.iter().filter(|_| partition.node.is_none()) {
        let id = entry.item.id();
        let value = partition.objectives.iter().find(|(known, _)| *known == id).expect("every objective").1;
        let slow = release.value(id);
        assert!((value - slow).abs() <= 1e-9 * slow.abs().max(1.0) || slow.is_nan(), "{about}: {id} {value} {slow}");
    }
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

proptest! {
    #![proptest_config(random::cases(24))]

    #[test]
    fn every_release_of_every_method_is_sound(plan in table(), limit in 0..3u64, style in prop::sample::select(&STYLES)) {
        let table = plan.count();
        let max_suppressed = Ratio::new((limit * 2).into(), 10);
        for Sample { requirement: sampled, column, among } in samples(&table) {
            let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 2 }"), sampled];
            let naive = Naive::new(&plan, &requirements, column, among);
            let task = Task { style, ..Task::new(&table, &requirements, &Loss, max_suppressed) };
            for method in methods() {
                let Ok(partition) = method.partition(&task, &Unwatched) else { continue };
                assert_sound(&plan, &naive, &task, method.as_ref(), &partition);
            }
        }
    }

    #[test]
    fn threads_do_not_matter_and_k_anonymity_is_always_found(plan in table(), style in prop::sample::select(&STYLES)) {
        let table = plan.count();
        let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 3 }")];
        let task = Task { style, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
        for method in methods() {
            let [one, four] = [1, 4].map(|threads| on_threads(threads, || method.partition(&task, &Unwatched).ok()));
            let told = |partition: &Partition| (partition.classes.clone(), partition.assignments.clone());
            prop_assert_eq!(one.as_ref().map(told), four.as_ref().map(told), "{:?}", method);
            let is_possible = ["similarity-blocks", "anatomy"].iter().all(|refusing| method.id() != *refusing);
            prop_assert!(one.is_some() || !is_possible, "{:?} finds nothing", method);
        }
    }
}
