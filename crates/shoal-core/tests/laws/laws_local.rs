//! Do methods that label each class by itself keep what every method promises, whatever the models?

use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};

use crate::tables::naive::Asked;
use crate::tables::{Plan, Quasi, Sensitive, flat, random, requirement, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::CountedTable;
use shoal_core::method::full_domain::FullDomain;
use shoal_core::method::one_dimensional::OneDimensional;
use shoal_core::method::sweep::Sweep;
use shoal_core::method::{Categories, Label, LabelStyle, Method, Partition, Task};
use shoal_core::model::Monotonicity;
use shoal_core::objective::Loss;
use shoal_core::watch::{Go, Unwatched, Watch};

const METHODS: [&dyn Method; 2] = [&Sweep { generalize_sensitive: true }, &OneDimensional {}];

/// The rows of each class and those of none, dealt in the order of the table; an error if a count is not a tuple's.
fn dealt(plan: &Plan, table: &CountedTable, partition: &Partition) -> Result<(Vec<Vec<usize>>, Vec<usize>), String> {
    let mut rows: BTreeMap<Vec<&str>, Vec<usize>> = BTreeMap::new();
    for (place, row) in plan.rows.iter().enumerate().rev() {
        rows.entry(row.iter().map(String::as_str).collect()).or_default().push(place);
    }
    let mut tuples: Vec<Vec<&str>> = Vec::new();
    for class in 0..table.base.classes() {
        let quasi = |column: usize| table.quasi[column].dictionary.value(table.base.code(class, column));
        let quasi: Vec<&str> = (0..table.quasi.len()).map(quasi).collect();
        for &tuple in table.base.entries(class).0 {
            let codes = table.base.sensitive().tuple(tuple).iter().zip(&table.sensitive);
            tuples.push(quasi.iter().copied().chain(codes.map(|(&code, column)| column.value(code))).collect());
        }
    }
    let (mut classes, mut suppressed) = (vec![Vec::new(); partition.classes.len()], Vec::new());
    for part in &partition.assignments {
        for _ in 0..part.count {
            let row = rows.get_mut(&tuples[part.tuple as usize]).and_then(Vec::pop).ok_or("a row too many")?;
            part.class.map_or(&mut suppressed, |class| &mut classes[class as usize]).push(row);
        }
    }
    if rows.values().any(|rows| !rows.is_empty()) { Err("a row is lost".to_owned()) } else { Ok((classes, suppressed)) }
}

fn covers(table: &CountedTable, column: usize, label: &Label, value: &str) -> bool {
    let quasi = &table.quasi[column];
    let code = quasi.dictionary.code(value).expect("a value of the table");
    match label {
        Label::Node { level, node } => {
            *level >= quasi.min_level && quasi.hierarchy.level(usize::from(*level)).node_of(code) == *node
        }
        Label::Range { first, last } | Label::Between { first, last } | Label::Number { first, last, .. } => {
            (*first..=*last).contains(&code)
        }
        Label::Set(codes) | Label::Value { covers: codes, .. } => codes.contains(&code),
    }
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

proptest! {
    #![proptest_config(random::cases(1000))]

    #[test]
    fn every_partition_is_a_release(
        plan in random::table(1..=3, 1..=2, 2..=40),
        sample in any::<prop::sample::Index>(),
        k in 2..=4u64,
        limit in prop::sample::select(vec![0.0, 0.1, 0.5]),
        as_sets in any::<bool>(),
    ) {
        let mut plan = plan;
        plan.quasi.iter_mut().for_each(|quasi| quasi.max_level = quasi.height() as u8);
        let table = plan.count();
        let mut all = samples(&table);
        let sample = all.swap_remove(sample.index(all.len()));
        let (column, among) = (sample.column, sample.among);
        let requirements = [sample.requirement, requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
        let style = LabelStyle {
            categories: if as_sets { Categories::Sets } else { Categories::Hierarchy },
            ..LabelStyle::default()
        };
        let max_suppressed = Ratio::written(limit).expect("a decimal");
        let task = Task { style, ..Task::new(&table, &requirements, &Loss, max_suppressed) };
        for method in METHODS {
            let partition = on_threads(1, || method.partition(&task, &Unwatched));
            let again = on_threads(3, || method.partition(&task, &Unwatched));
            let Ok(partition) = partition else { prop_assert!(again.is_err()); continue };
            let again = again.expect("threads do not matter");
            prop_assert_eq!(&partition.classes, &again.classes);
            prop_assert_eq!(&partition.assignments, &again.assignments);

            let (classes, suppressed) = dealt(&plan, &table, &partition).map_err(TestCaseError::fail)?;
            prop_assert!(suppressed.len() as u64 <= max_suppressed.floor_of(table.rows));
            prop_assert_eq!(suppressed.len() as u64, partition.suppressed());
            let released: Vec<usize> = classes.iter().flatten().copied().collect();
            let mut texts = HashSet::new();
            for (number, class) in classes.iter().enumerate() {
                let text = |column| partition.classes.text(&table, number as u32, column).into_owned();
                prop_assert!(texts.insert((0..plan.quasi.len()).map(text).collect::<Vec<_>>()), "two classes show the same");
                for (quasi, &row) in (0..plan.quasi.len()).flat_map(|quasi| class.iter().map(move |row| (quasi, row))) {
                    let label = partition.classes.label(number as u32, quasi);
                    prop_assert!(covers(&table, quasi, label, &plan.rows[row][quasi]), "{}: {label:?}", method.id());
                }
                for requirement in &requirements {
                    let is_of_size = requirement.id == "k-anonymity";
                    let asked = Asked {
                        plan: &plan,
                        id: requirement.id,
                        parameters: &requirement.parameters,
                        column,
                        among: among && !is_of_size, people: None,
            };
                    let verdict = asked.accepts(class, &released).unwrap_or(true);
                    prop_assert!(verdict, "{}: {} fails", method.id(), requirement.model.name());
                }
            }
        }
    }

    /// What all rows together satisfy, some release does, without suppressing anybody.
    #[test]
    fn where_one_class_of_all_would_do_there_is_a_release(
        plan in random::table(1..=3, 1..=1, 2..=40),
        sample in any::<prop::sample::Index>(),
    ) {
        let mut plan = plan;
        plan.quasi.iter_mut().for_each(|quasi| quasi.max_level = quasi.height() as u8);
        let table = plan.count();
        let mut all = samples(&table);
        let requirements = [all.swap_remove(sample.index(all.len())).requirement];
        // What all rows together reach tells nothing of models that promise nothing.
        prop_assume!(requirements[0].model.monotonicity() != Monotonicity::Never);
        let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
        let whole = shoal_core::method::eligible_range(&task).whole_table;
        for method in METHODS {
            let found = method.partition(&task, &Unwatched).is_ok();
            prop_assert_eq!(found, requirements[0].holds(whole[0]), "{} {}", method.id(), requirements[0].model.name());
        }
    }
}

/// Counts how often it is asked.
struct Counting(AtomicU64);

impl Watch for Counting {
    fn go(&self) -> Go {
        self.0.fetch_add(1, Ordering::Relaxed);
        Go::On
    }
}

/// No class of the forty with one value each satisfies, nor do all of them as one: each joins the two hundred.
#[test]
fn whoever_watches_is_asked_for_each_class_that_joins_others() {
    let alone: Vec<String> = (0..40).map(|class| format!("b{class}")).collect();
    let row = |class: &str, value: &str| vec![class.to_owned(), value.to_owned()];
    let many = [vec![row("a", "flu"); 100], vec![row("a", "gout"); 100]].concat();
    let rows = many.into_iter().chain(alone.iter().map(|class| row(class, "flu"))).collect();
    let quasi = Quasi::new("q", flat(alone.iter().map(String::as_str).chain(["a"])));
    let table = Plan { quasi: vec![quasi], sensitive: vec![Sensitive::new("s", None)], rows }.count();
    let requirements = [requirement(&table, "distinct-l-diversity", 0, "{ l = 2 }")];
    let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
    let watch = Counting(AtomicU64::new(0));
    let partition = FullDomain { local: true, ..FullDomain::default() }.partition(&task, &watch).unwrap();
    assert_eq!((partition.classes.len(), partition.suppressed()), (1, 0));
    let asked = watch.0.into_inner();
    assert!(asked >= 40, "{asked} times");
}
