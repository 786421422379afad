//! Are the classes of Mondrian and of microaggregation what was asked for, whatever the table and the parameters?

use std::collections::{BTreeSet, HashMap};

use crate::tables::naive::Asked;
use crate::tables::{Plan, Sample, random, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::CountedTable;
use shoal_core::method::microaggregation::{CategoriesBy, Microaggregation, NumbersBy};
use shoal_core::method::mondrian::{Choose, Cuts, Mondrian};
use shoal_core::method::{Categories, Ends, Label, LabelStyle, Method, Numbers, Partition, Task, eligible_range};
use shoal_core::model::Monotonicity;
use shoal_core::objective::OBJECTIVES;
use shoal_core::watch::Unwatched;

/// Every second column becomes one of numbers, some of them negative or with a fraction.
fn with_numbers(mut plan: Plan) -> Plan {
    let number = |text: &str| {
        let leaf: f64 = text[1..].parse().expect("a letter and the number of a leaf");
        (leaf * 2.5 - 3.0).to_string()
    };
    for column in (0..plan.quasi.len()).step_by(2) {
        plan.quasi[column].paths.iter_mut().for_each(|path| path[0] = number(&path[0]));
        plan.rows.iter_mut().for_each(|row| row[column] = number(&row[column]));
    }
    for quasi in &mut plan.quasi {
        quasi.max_level = quasi.height() as u8;
    }
    plan
}

fn methods() -> Vec<Box<dyn Method>> {
    let mut methods: Vec<Box<dyn Method>> = Vec::new();
    for (cuts, choose, refine) in [
        (Cuts::Strict, Choose::Objective, true),
        (Cuts::Strict, Choose::Width, false),
        (Cuts::Relaxed, Choose::Objective, true),
        (Cuts::Relaxed, Choose::Width, false),
    ] {
        methods.push(Box::new(Mondrian { cuts, choose, refine }));
    }
    for (numbers_by, categories_by, block) in
        [(NumbersBy::Mean, CategoriesBy::Ancestor, 16), (NumbersBy::Median, CategoriesBy::Mode, 1_024)]
    {
        methods.push(Box::new(Microaggregation { numbers_by, categories_by, size: None, block }));
    }
    methods
}

const STYLES: [LabelStyle; 4] = [
    LabelStyle { numbers: Numbers::Ranges, categories: Categories::Hierarchy, ends: Ends::Rounded },
    LabelStyle { numbers: Numbers::Hierarchy, categories: Categories::Hierarchy, ends: Ends::Rounded },
    LabelStyle { numbers: Numbers::Ranges, categories: Categories::Sets, ends: Ends::Rounded },
    LabelStyle { numbers: Numbers::Ranges, categories: Categories::Sets, ends: Ends::Exact },
];

/// The rows of the plan with each tuple.
fn rows_of_tuples(plan: &Plan, table: &CountedTable) -> Vec<Vec<usize>> {
    let mut rows: HashMap<&[String], Vec<usize>> = HashMap::new();
    plan.rows.iter().enumerate().for_each(|(place, row)| rows.entry(row).or_default().push(place));
    let mut tuples = Vec::new();
    for class in 0..table.base.classes() {
        let quasi = |column: usize| table.quasi[column].dictionary.value(table.base.code(class, column)).to_owned();
        for &tuple in table.base.entries(class).0 {
            let sensitive = table.base.sensitive().tuple(tuple).iter().zip(&table.sensitive);
            let sensitive = sensitive.map(|(&code, column)| column.value(code).to_owned());
            let text: Vec<String> = (0..table.quasi.len()).map(quasi).chain(sensitive).collect();
            tuples.push(rows[text.as_slice()].clone());
        }
    }
    tuples
}

/// The rows of each class; no row is lost, doubled or suppressed.
fn classes(plan: &Plan, table: &CountedTable, partition: &Partition) -> Vec<Vec<usize>> {
    let mut left = rows_of_tuples(plan, table);
    let mut classes = vec![vec![]; partition.classes.len()];
    assert!(partition.assignments.is_sorted_by_key(|assignment| assignment.tuple));
    for assignment in &partition.assignments {
        let rows = &mut left[assignment.tuple as usize];
        let taken = rows.split_off(rows.len() - assignment.count as usize);
        classes[assignment.class.expect("nothing is suppressed") as usize].extend(taken);
    }
    assert!(left.iter().all(Vec::is_empty), "the counts of a tuple add up to its frequency");
    classes
}

/// Does a label cover a value?
fn covers(table: &CountedTable, column: usize, label: &Label, code: u32) -> bool {
    match label {
        Label::Node { level, node } => table.quasi[column].hierarchy.level(usize::from(*level)).node_of(code) == *node,
        Label::Range { first, last } | Label::Between { first, last } | Label::Number { first, last, .. } => {
            (*first..=*last).contains(&code)
        }
        Label::Set(codes) | Label::Value { covers: codes, .. } => codes.contains(&code),
    }
}

fn assert_sound(plan: &Plan, task: &Task<'_>, sample: &Sample, partition: &Partition, method: &dyn Method) {
    let (table, classes) = (task.table, classes(plan, task.table, partition));
    let everybody: Vec<usize> = (0..plan.rows.len()).collect();
    let asked = Asked {
        plan,
        id: sample.requirement.id,
        parameters: &sample.requirement.parameters,
        column: sample.column,
        among: sample.among,
        people: None,
    };
    let mut shown = BTreeSet::new();
    for (class, rows) in classes.iter().enumerate() {
        let class = class as u32;
        let texts: Vec<String> =
            (0..plan.quasi.len()).map(|column| partition.classes.text(table, class, column).into_owned()).collect();
        assert!(shown.insert(texts), "classes differ in what they show");
        assert_ne!(asked.accepts(rows, &everybody), Some(false), "{method:?} {:?}", sample.requirement);
        for (column, quasi) in table.quasi.iter().enumerate() {
            let label = partition.classes.label(class, column);
            for &row in rows {
                let code = quasi.dictionary.code(&plan.rows[row][column]).expect("a value of the table");
                assert!(covers(table, column, label, code), "{method:?}: {label:?} covers {code}");
            }
            if let Label::Node { level, .. } = label {
                assert!(*level >= quasi.min_level, "no column is shown below its lowest level");
            } else {
                assert_eq!(quasi.min_level, 0, "{label:?} is no node");
            }
        }
    }
    for (id, value) in &partition.objectives {
        assert!(*id == "height" || value.is_finite(), "{id} is {value}");
    }
}

/// What is compared between runs.
fn summary(partition: &Partition) -> String {
    format!("{:?} {:?} {:?}", partition.classes, partition.assignments, partition.objectives)
}

proptest! {
    #![proptest_config(random::cases(40))]

    #[test]
    fn every_class_is_accepted_and_its_labels_cover_it(
        plan in random::table(1..=3, 0..=2, 2..=60).prop_map(with_numbers),
        pick in any::<prop::sample::Index>(),
    ) {
        let table = plan.count();
        for (place, sample) in samples(&table).into_iter().enumerate() {
            let objective = OBJECTIVES[(pick.index(7) + place) % OBJECTIVES.len()].item;
            let style = STYLES[(pick.index(STYLES.len()) + place) % STYLES.len()];
            let requirements = std::slice::from_ref(&sample.requirement);
            let task = Task { style, ..Task::new(&table, requirements, objective, Ratio::ZERO) };
            let possible = eligible_range(&task).refuse_the_impossible(&task).is_ok();
            for method in methods() {
                match method.partition(&task, &Unwatched) {
                    Ok(partition) => assert_sound(&plan, &task, &sample, &partition, method.as_ref()),
                    // One class of everything is always within reach.
                    Err(_) => assert!(!possible || sample.requirement.model.monotonicity() == Monotonicity::Never),
                }
            }
        }
    }

    #[test]
    fn equal_tuples_stay_together_where_cuts_are_strict(plan in random::table(1..=3, 0..=1, 2..=60).prop_map(with_numbers)) {
        let table = plan.count();
        let requirements = [crate::tables::requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
        let task = Task::new(&table, &requirements, OBJECTIVES[0].item, Ratio::ZERO);
        let partition = Mondrian::default().partition(&task, &Unwatched).expect("two rows are a class");
        let mut class_of: HashMap<usize, Option<u32>> = HashMap::new();
        let mut base = 0;
        for part in &partition.assignments {
            while base + 1 < table.base.classes() && part.tuple as usize >= table.base.first_entry(base + 1) {
                base += 1;
            }
            prop_assert_eq!(*class_of.entry(base).or_insert(part.class), part.class);
        }
    }

    #[test]
    fn refining_never_loses_more(plan in random::table(1..=4, 0..=0, 6..=60).prop_map(with_numbers)) {
        let table = plan.count();
        let requirements = [crate::tables::requirement(&table, "k-anonymity", 0, "{ k = 3 }")];
        // Precision is exactly the sum that cuts and moves look at.
        let precision = shoal_core::objective::by_id("precision").expect("it is in the list");
        let task = Task { style: STYLES[1], ..Task::new(&table, &requirements, precision, Ratio::ZERO) };
        let value = |refine: bool| {
            let partition = Mondrian { refine, ..Mondrian::default() }.partition(&task, &Unwatched).expect("a class");
            partition.objectives.iter().find(|(id, _)| *id == "precision").expect("every objective").1
        };
        prop_assert!(value(true) <= value(false) + 1e-9);
    }
}

#[test]
fn threads_do_not_matter() {
    let mut numbers = (0u64..).map(|place| (place.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33) as usize);
    let mut next = |below: usize| numbers.next().map_or(0, |number| number % below);
    let paths = |letter: char, leaves: usize| -> crate::tables::Paths {
        (0..leaves).map(|leaf| vec![format!("{letter}{leaf}"), format!("{letter} {}", leaf / 3), "*".into()]).collect()
    };
    let quasi: Vec<crate::tables::Quasi> = [('a', 40), ('b', 9), ('c', 12)]
        .map(|(letter, leaves)| crate::tables::Quasi::new(&letter.to_string(), paths(letter, leaves)))
        .into();
    let rows = (0..6_000)
        .map(|_| vec![format!("a{}", next(40)), format!("b{}", next(9)), format!("c{}", next(12)), next(5).to_string()])
        .collect();
    let plan = with_numbers(Plan { quasi, sensitive: vec![crate::tables::Sensitive::new("s", None)], rows });
    let table = plan.count();
    let requirements = [
        crate::tables::requirement(&table, "k-anonymity", 0, "{ k = 4 }"),
        crate::tables::requirement(&table, "t-closeness", 0, "{ t = 0.3 }"),
    ];
    let task = Task::new(&table, &requirements, OBJECTIVES[0].item, Ratio::ZERO);
    for method in methods() {
        let with_threads = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| summary(&method.partition(&task, &Unwatched).expect("there is a release")))
        };
        let alone = with_threads(1);
        assert!([2, 5].into_iter().all(|threads| with_threads(threads) == alone), "{method:?}");
    }
}
