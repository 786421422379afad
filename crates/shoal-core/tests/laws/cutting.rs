//! Do Mondrian and microaggregation give what can be worked out by hand?

use crate::tables::{Paths, Plan, Quasi, Sensitive, flat, requirement};
use shoal_core::exact::Ratio;
use shoal_core::frequency::CountedTable;
use shoal_core::method::microaggregation::{CategoriesBy, Microaggregation, NumbersBy};
use shoal_core::method::mondrian::{Choose, Cuts, Mondrian};
use shoal_core::method::{Ends, LabelStyle, Method, Numbers, Partition, Task};
use shoal_core::model::Requirement;
use shoal_core::objective::Loss;
use shoal_core::watch::Unwatched;

fn plan(quasi: Vec<Quasi>, sensitive: Vec<Sensitive>, rows: &[&[&str]]) -> Plan {
    let rows = rows.iter().map(|row| row.iter().map(|&cell| cell.to_owned()).collect()).collect();
    Plan { quasi, sensitive, rows }
}

/// What each class shows and how many records it has, sorted.
fn classes(table: &CountedTable, partition: &Partition) -> Vec<(String, u64)> {
    let text = |class: u32| {
        let texts: Vec<_> = (0..table.quasi.len()).map(|column| partition.classes.text(table, class, column)).collect();
        texts.join("; ")
    };
    let mut classes: Vec<(String, u64)> = (0..).map(text).zip(partition.class_sizes()).collect();
    classes.sort();
    classes
}

fn run(method: &dyn Method, table: &CountedTable, requirements: &[Requirement]) -> Vec<(String, u64)> {
    let task = Task::new(table, requirements, &Loss, Ratio::ZERO);
    classes(table, &method.partition(&task, &Unwatched).expect("there is a release"))
}

fn expect(classes: &[(&str, u64)]) -> Vec<(String, u64)> {
    classes.iter().map(|&(text, size)| (text.to_owned(), size)).collect()
}

/// The patients of Mondrian's Figure 1, with the sex first.
fn patients() -> CountedTable {
    let ages = flat(["25", "26", "27", "28"]);
    let quasi = vec![
        Quasi::new("sex", flat(["Male", "Female"])),
        Quasi::new("age", ages),
        Quasi::new("zip code", flat(["53710", "53711", "53712"])),
    ];
    let rows: &[&[&str]] = &[
        &["Male", "25", "53711"],
        &["Female", "25", "53712"],
        &["Male", "26", "53711"],
        &["Male", "27", "53710"],
        &["Female", "27", "53712"],
        &["Male", "28", "53711"],
    ];
    plan(quasi, vec![], rows).count()
}

#[test]
fn the_patients_of_mondrian() {
    let table = patients();
    let two = [requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
    let paper =
        expect(&[("Female; [25, 28); 53712", 2), ("Male; [25, 27); 53711", 2), ("Male; [27, 29); [53710, 53712)", 2)]);
    let textbook = Mondrian { cuts: Cuts::Strict, choose: Choose::Width, refine: false };
    assert_eq!(run(&textbook, &table, &two), paper, "LeFevre et al. 2006, the strict multidimensional anonymization");
    assert_eq!(run(&Mondrian::default(), &table, &two), paper);
}

#[test]
fn strict_cuts_need_different_values_and_relaxed_ones_do_not() {
    let rows: &[&[&str]] = &[&["1"], &["5"], &["5"], &["5"], &["5"], &["9"]];
    let table = plan(vec![Quasi::new("n", flat(["1", "5", "9"]))], vec![], rows).count();
    let three = [requirement(&table, "k-anonymity", 0, "{ k = 3 }")];
    for choose in [Choose::Objective, Choose::Width] {
        let method = |cuts| Mondrian { cuts, choose, refine: false };
        assert_eq!(run(&method(Cuts::Strict), &table, &three), expect(&[("[0, 10)", 6)]));
        assert_eq!(run(&method(Cuts::Relaxed), &table, &three), expect(&[("[0, 6)", 3), ("[2, 10)", 3)]));
    }
}

fn jobs() -> Paths {
    let path = |job: &str, group: &str| vec![job.to_owned(), group.to_owned(), "*".to_owned()];
    [("clerk", "office"), ("manager", "office"), ("farmer", "field"), ("smith", "field"), ("nurse", "care")]
        .map(|(job, group)| path(job, group))
        .to_vec()
}

#[test]
fn children_that_cannot_stand_alone_stay_together() {
    let rows: &[&[&str]] = &[&["clerk"], &["clerk"], &["clerk"], &["manager"], &["farmer"], &["smith"], &["nurse"]];
    let table = plan(vec![Quasi::new("job", jobs())], vec![], rows).count();
    let two = [requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
    for choose in [Choose::Objective, Choose::Width] {
        let method = Mondrian { cuts: Cuts::Strict, choose, refine: false };
        // The nurse cannot be alone: somebody has to show the root with her.
        let found = run(&method, &table, &two);
        assert_eq!(found.iter().map(|class| class.1).sum::<u64>(), 7);
        assert!(found.contains(&("office".to_owned(), 4)), "{choose:?}: {found:?}");
    }
}

#[test]
fn labels_follow_the_style() {
    let paths = ["20", "21", "34", "36"].map(|age| vec![age.to_owned(), format!("{}0s", &age[..1]), "*".to_owned()]);
    let rows: &[&[&str]] = &[&["20"], &["21"], &["34"], &["36"]];
    let table = plan(vec![Quasi::new("age", paths.to_vec())], vec![], rows).count();
    let two = [requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
    assert_eq!(run(&Mondrian::default(), &table, &two), expect(&[("[20, 30)", 2), ("[30, 40)", 2)]));
    let styles = [
        (LabelStyle { ends: Ends::Exact, ..LabelStyle::default() }, ["[20, 21]", "[34, 36]"]),
        (LabelStyle { numbers: Numbers::Hierarchy, ..LabelStyle::default() }, ["20s", "30s"]),
    ];
    for (style, [young, old]) in styles {
        let task = Task { style, ..Task::new(&table, &two, &Loss, Ratio::ZERO) };
        let partition = Mondrian::default().partition(&task, &Unwatched).expect("there is a release");
        assert_eq!(classes(&table, &partition), expect(&[(young, 2), (old, 2)]));
    }
}

#[test]
fn a_highest_level_is_refused() {
    let mut quasi = Quasi::new("job", jobs());
    quasi.max_level = 1;
    let table = plan(vec![quasi], vec![], &[&["clerk"], &["manager"]]).count();
    let two = [requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
    let task = Task::new(&table, &two, &Loss, Ratio::ZERO);
    for method in [&Mondrian::default() as &dyn Method, &Microaggregation::default()] {
        let error = method.partition(&task, &Unwatched).expect_err("a class may need the root").to_string();
        assert!(error.contains("`max-level` of column `job`"), "{error}");
    }
}

#[test]
fn means_and_medians_stay_numbers() {
    let values = ["1", "2", "6", "100", "101", "103"];
    let rows: Vec<Vec<&str>> = values.map(|value| vec![value]).to_vec();
    let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
    let table = plan(vec![Quasi::new("n", flat(values))], vec![], &rows).count();
    let three = [requirement(&table, "k-anonymity", 0, "{ k = 3 }")];
    let mean = Microaggregation::default();
    assert_eq!(run(&mean, &table, &three), expect(&[("101.33333333333333", 3), ("3", 3)]));
    let median = Microaggregation { numbers_by: NumbersBy::Median, ..mean };
    assert_eq!(run(&median, &table, &three), expect(&[("101", 3), ("2", 3)]));
}

#[test]
fn units_stay_and_dates_are_days() {
    let quasi =
        || vec![Quasi::new("salary", flat(["3K", "4K", "6K"])), Quasi::new("born", flat(["2001-01-05", "2001-02-01"]))];
    let rows: &[&[&str]] = &[&["3K", "2001-01-05"], &["4K", "2001-02-01"], &["6K", "2001-02-01"]];
    let table = plan(quasi(), vec![], rows).count();
    let three = [requirement(&table, "k-anonymity", 0, "{ k = 3 }")];
    let method = Microaggregation { numbers_by: NumbersBy::Median, ..Microaggregation::default() };
    assert_eq!(run(&method, &table, &three), expect(&[("4K; 2001-02-01", 3)]));
    let method = Microaggregation::default();
    assert_eq!(run(&method, &table, &three), expect(&[("4.333333333333333K; 2001-01-23", 3)]));
}

#[test]
fn categories_become_their_ancestor_or_the_most_frequent() {
    let rows: &[&[&str]] = &[&["clerk"], &["clerk"], &["manager"], &["farmer"], &["smith"], &["smith"]];
    let table = plan(vec![Quasi::new("job", jobs())], vec![], rows).count();
    let three = [requirement(&table, "k-anonymity", 0, "{ k = 3 }")];
    let ancestor = Microaggregation::default();
    assert_eq!(run(&ancestor, &table, &three), expect(&[("field", 3), ("office", 3)]));
    let mode = Microaggregation { categories_by: CategoriesBy::Mode, ..ancestor };
    assert_eq!(run(&mode, &table, &three), expect(&[("clerk", 3), ("smith", 3)]));
}

/// Young people earn little and old people much: clusters by age alone are far from the table's salaries.
#[test]
fn t_closeness_is_reached_by_strata() {
    let (ages, salaries): (Vec<String>, Vec<String>) =
        (0..40).map(|age| ((20 + age).to_string(), (1_000 + 10 * age).to_string())).unzip();
    let rows: Vec<Vec<String>> = ages.iter().cloned().zip(salaries).map(|(age, salary)| vec![age, salary]).collect();
    let plan =
        Plan { quasi: vec![Quasi::new("age", flat(ages))], sensitive: vec![Sensitive::new("salary", None)], rows };
    let table = plan.count();
    let close = [
        requirement(&table, "k-anonymity", 0, "{ k = 2 }"),
        requirement(&table, "t-closeness", 0, "{ t = 0.1, distance = \"ordered\" }"),
    ];
    let found = run(&Microaggregation::default(), &table, &close);
    // A record of each of k strata is at most (n - k) / (2 (n - 1) k) away (Soria-Comas et al. 2015): k = 5 is enough for
    // 0.1, so there can be eight clusters.
    assert!(found.len() >= 4, "{found:?}");
    assert_eq!(found.iter().map(|class| class.1).sum::<u64>(), 40);
}
