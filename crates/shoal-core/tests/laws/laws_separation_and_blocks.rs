//! Do `similarity-blocks` and `anatomy` lose no record, keep every promise, and find a release wherever there is one?

use std::collections::{BTreeMap, BTreeSet};

use crate::tables::naive::Asked;
use crate::tables::{Plan, Sample, profile, random, requirement, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, EquivalenceClass};
use shoal_core::method::anatomy::Anatomy;
use shoal_core::method::similarity_blocks::SimilarityBlocks;
use shoal_core::method::{Cover, Method, Partition, Task};
use shoal_core::model::{Monotonicity, Requirement};
use shoal_core::objective::Loss;
use shoal_core::watch::Unwatched;

/// The rows of each class and those of none, by the assignments; no row may be lost or doubled.
struct Rows {
    classes: Vec<Vec<usize>>,
    suppressed: Vec<usize>,
}

impl Rows {
    fn new(plan: &Plan, table: &CountedTable, partition: &Partition) -> Self {
        let mut of_text: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (place, row) in plan.rows.iter().enumerate() {
            of_text.entry(row.clone()).or_default().push(place);
        }
        let mut texts = Vec::new();
        table.each_tuple(0..table.base.classes(), |codes, _| {
            let quasi = table.quasi.iter().zip(codes).map(|(column, &code)| column.dictionary.value(code).to_owned());
            let sensitive = table.sensitive.iter().zip(&codes[table.quasi.len()..]);
            texts.push(quasi.chain(sensitive.map(|(column, &code)| column.value(code).to_owned())).collect::<Vec<_>>());
        });
        let mut rows = Self { classes: vec![Vec::new(); partition.classes.len()], suppressed: Vec::new() };
        assert!(partition.assignments.is_sorted_by_key(|part| part.tuple));
        for part in &partition.assignments {
            let left = of_text.get_mut(&texts[part.tuple as usize]).expect("the tuple is of the table");
            let taken = left.split_off(left.len() - part.count as usize);
            match part.class {
                Some(class) => rows.classes[class as usize].extend(taken),
                None => rows.suppressed.extend(taken),
            }
        }
        assert!(of_text.values().all(Vec::is_empty), "every record has its place");
        rows
    }
}

/// Asserts what every release promises, judged from the text alone.
fn assert_sound(plan: &Plan, task: &Task<'_>, partition: &Partition, asked: &[Asked<'_>]) {
    let rows = Rows::new(plan, task.table, partition);
    assert!(rows.suppressed.len() as u64 <= task.rows_to_spare());
    let released: Vec<usize> = rows.classes.iter().flatten().copied().collect();
    assert!(!released.is_empty());
    for class in &rows.classes {
        assert!(!class.is_empty());
        for asked in asked {
            assert_ne!(asked.accepts(class, &released), Some(false), "{asked:?}: {class:?}");
        }
    }
}

/// Every label covers the values of its records, and no two classes show the same.
fn assert_labels_cover(plan: &Plan, task: &Task<'_>, partition: &Partition) {
    let rows = Rows::new(plan, task.table, partition);
    let mut shown = BTreeSet::new();
    for (class, members) in rows.classes.iter().enumerate() {
        let labels: Vec<_> =
            (0..task.table.quasi.len()).map(|column| partition.classes.label(class as u32, column)).collect();
        for (column, label) in labels.iter().enumerate() {
            let quasi = &task.table.quasi[column];
            let code = |&row: &usize| quasi.dictionary.code(&plan.rows[row][column]).expect("a value of the table");
            let codes: Vec<u32> = members.iter().map(code).collect();
            let smallest = Cover::new(quasi, task.style).label(codes.iter().copied());
            assert_eq!(smallest.text(quasi), label.text(quasi), "the smallest label that covers the class");
        }
        let texts: Vec<String> =
            (0..labels.len()).map(|column| labels[column].text(&task.table.quasi[column]).into_owned()).collect();
        assert!(shown.insert(texts));
    }
}

fn on_threads(threads: usize, run: impl FnOnce() -> Option<Partition> + Send) -> Option<Partition> {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(run)
}

fn limit(tenths: u128) -> Ratio {
    Ratio::new(tenths, 10)
}

/// Would one class of all rows do?
fn whole_table_is_accepted(table: &CountedTable, requirements: &[Requirement]) -> bool {
    let mut counts = vec![0u64; table.base.sensitive().len()];
    for class in 0..table.base.classes() {
        let (tuples, of_class) = table.base.entries(class);
        tuples.iter().zip(of_class).for_each(|(&tuple, &count)| counts[tuple as usize] += count);
    }
    let codes: Vec<u32> = (0..counts.len() as u32).collect();
    let whole = EquivalenceClass::new(table.base.sensitive(), &codes, &counts);
    requirements.iter().all(|requirement| requirement.accepts(&whole, &profile(table)))
}

/// Does some requirement promise nothing about merging classes? Then joining those that fail may never lead to one that
/// holds, though all rows together would.
fn promises_nothing(requirements: &[Requirement]) -> bool {
    requirements.iter().any(|requirement| requirement.model.monotonicity() == Monotonicity::Never)
}

fn asked<'a>(plan: &'a Plan, requirement: &'a Requirement, column: usize, among: bool) -> Asked<'a> {
    Asked { plan, id: requirement.id, parameters: &requirement.parameters, column, among, people: None }
}

/// Two groups: every other value of the first sensitive column.
fn groups(table: &CountedTable) -> String {
    let of = |group: usize| {
        let values = table.sensitive[0].values().iter().enumerate().filter(|(code, _)| code % 2 == group);
        values.map(|(_, value)| format!("'{value}'")).collect::<Vec<_>>().join(", ")
    };
    format!("groups = {{ even = [{}], odd = [{}] }}", of(0), of(1))
}

proptest! {
    #![proptest_config(random::cases(40))]

    #[test]
    fn blocks_make_sound_releases(mut plan in random::table(1..=3, 1..=2, 4..=40), effort in 1u64..20, tenths in 0u128..4) {
        plan.quasi.iter_mut().for_each(|quasi| quasi.max_level = quasi.height() as u8);
        let table = plan.count();
        for (a, d) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            for Sample { requirement: other, column, among } in samples(&table) {
                let of_blocks = requirement(&table, "a-d-diversity", 0, &format!("{{ a = {a}, d = {d}, {} }}", groups(&table)));
                let requirements = [of_blocks, other];
                let task = Task::new(&table, &requirements, &Loss, limit(tenths));
                let method = SimilarityBlocks { effort };
                let one = on_threads(1, || method.partition(&task, &Unwatched).ok());
                let many = on_threads(3, || method.partition(&task, &Unwatched).ok());
                prop_assert_eq!(one.as_ref().map(|p| &p.assignments), many.as_ref().map(|p| &p.assignments));
                let [of_blocks, other] = &requirements;
                match one {
                    Some(partition) => {
                        assert_sound(&plan, &task, &partition, &[asked(&plan, of_blocks, 0, false), asked(&plan, other, column, among)]);
                        assert_labels_cover(&plan, &task, &partition);
                    }
                    // One class of everything is there to fall back on.
                    None => prop_assert!(
                        promises_nothing(&requirements) || !whole_table_is_accepted(&table, &requirements),
                        "{}",
                        other.model.name()
                    ),
                }
            }
        }
    }

    #[test]
    fn anatomy_makes_sound_releases(mut plan in random::table(1..=2, 1..=2, 2..=40), seed in 0u64..3, tenths in 0u128..4) {
        plan.quasi.iter_mut().for_each(|quasi| quasi.min_level = 0);
        let table = plan.count();
        for Sample { requirement, column, among } in samples(&table) {
            let requirements = [requirement];
            let task = Task::new(&table, &requirements, &Loss, limit(tenths));
            let method = Anatomy { seed, ..Anatomy::default() };
            let one = on_threads(1, || method.partition(&task, &Unwatched).ok());
            let many = on_threads(3, || method.partition(&task, &Unwatched).ok());
            prop_assert_eq!(one.as_ref().map(|p| &p.assignments), many.as_ref().map(|p| &p.assignments));
            let hides_identity = requirements[0].model.hides_identity();
            match one {
                Some(partition) => {
                    prop_assert!(!hides_identity && partition.is_separated);
                    assert_sound(&plan, &task, &partition, &[asked(&plan, &requirements[0], column, among)]);
                }
                None => prop_assert!(
                    hides_identity || promises_nothing(&requirements) || !whole_table_is_accepted(&table, &requirements)
                ),
            }
        }
    }

    #[test]
    fn no_accepted_class_has_fewer_values_than_told(plan in random::table(1..=1, 1..=2, 2..=20)) {
        let table = plan.count();
        for Sample { requirement, .. } in samples(&table) {
            let Some((column, fewest)) = requirement.model.fewest_values() else { continue };
            for class in 0..table.base.classes() {
                let class = table.base.class(class);
                if requirement.accepts(&class, &profile(&table)) {
                    prop_assert!(class.counts(column).distinct() as u64 >= fewest, "{}", requirement.model.name());
                }
            }
            prop_assert!(requirement.model.monotonicity() != Monotonicity::Never);
        }
    }
}
