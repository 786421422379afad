//! Are people linked to the records that can be theirs?

use super::*;

#[test]
fn four_look_alike_in_figure_2() {
    let mut case = figure_2();
    case.original = Some(FIGURE_1.to_owned());
    let finding = case.finding("linkage");
    assert_eq!(exposed(&finding), (0, 0));
    assert_eq!(
        (&finding.figures["linked_to_few"], &finding.figures["linked_to_none"]),
        (&Value::from(12), &Value::from(0))
    );
    assert_near(figure(&finding, "expected_in_truth"), 3.0);
    assert_near(figure(&finding, "success_rate"), 0.25);
    assert_near(figure(&finding, "guessing_rate"), 1.0 / 12.0);
}

#[test]
fn a_table_as_it_is_links_to_itself() {
    let mut case = Case::new(FIGURE_1, &["Zip Code", "Age", "Nationality"], &["Condition"]);
    case.original = Some(FIGURE_1.to_owned());
    let finding = case.finding("linkage");
    assert_eq!(exposed(&finding), (12, 12));
    assert_near(figure(&finding, "success_rate"), 1.0);
}

#[test]
fn a_register_has_some_of_the_columns() {
    let mut case = figure_2();
    case.outsider = Some("name,Age,Zip Code\nBob,31,13053\nUmeko,21,13068\nNobody,31,99999\n".to_owned());
    let finding = case.finding("linkage");
    assert_eq!(finding.figures["with"], "outsider");
    assert_eq!((finding.records, &finding.figures["linked_to_few"]), (3, &Value::from(2)));
    assert_eq!(finding.figures["linked_to_none"], 1);
}

/// What a release of another program shows: the only one of the early fifties is found, and two of the sixties are few.
#[test]
fn ranges_and_periods_are_read_without_a_hierarchy() {
    for (labels, values) in [
        (["50-54", "60-64", "60-64"], ["52", "61", "62"]),
        (["<60", "60+", "60+"], ["52", "61", "62"]),
        (["1954", "1960s", "1960s"], ["1954-03-05", "1961-02-01", "1962-12-31"]),
        (["1954-Q1", "1961 - 1962", "1961 - 1962"], ["1954-03-05", "1961-02-01", "1962-12-31"]),
    ] {
        let table = |cells: [&str; 3]| format!("age,s\n{},flu\n{},cancer\n{},cold\n", cells[0], cells[1], cells[2]);
        let mut case = Case::new(&table(labels), &["age"], &["s"]);
        case.original = Some(table(values));
        let finding = case.finding("linkage");
        assert_eq!(exposed(&finding), (1, 1), "{labels:?}");
        assert_eq!(
            (&finding.figures["linked_to_few"], &finding.figures["linked_to_none"]),
            (&Value::from(2), &Value::from(0))
        );
    }
}

/// Nobody is called `old`: whoever linked to none would seem safe.
#[test]
fn labels_that_tell_nobody_leave_it_untried() {
    let mut case = Case::new("age,s\nyoung,flu\nold,cancer\nold,cold\n", &["age"], &["s"]);
    case.original = Some("age,s\n20,flu\n61,cancer\n62,cold\n".to_owned());
    let needs = |case: &Case| {
        let untried = case.audit().findings.untried.into_iter().find(|untried| untried.attack == "linkage");
        untried.map(|untried| untried.needs)
    };
    assert!(case.findings("linkage").is_empty());
    let needed = needs(&case).expect("it is not tried");
    assert!(needed.starts_with("a policy or --hierarchy that tells what the labels of `age` stand for"), "{needed}");
    let beliefs = case.audit().findings.found.into_iter().filter(|finding| finding.attack == "bayes-optimal");
    assert!(beliefs.into_iter().all(|finding| finding.figures["prior"] == "independent"));
    // Of some labels that is enough, too, but not of people who may not be in the release.
    fs::write(&case.release, "age,s\n[20, 30),flu\nold,cancer\nold,cold\n".replace("[20, 30)", "\"[20, 30)\""))
        .expect("a file");
    assert!(needs(&case).is_some());
    case.outsider = case.original.take();
    assert_eq!((exposed(&case.finding("linkage")), needs(&case)), ((1, 1), None));
    // A hierarchy tells.
    fs::write(&case.release, "age,s\nyoung,flu\nold,cancer\nold,cold\n").expect("a file");
    case.original = case.outsider.take();
    fs::write(case.folder.path().join("age.csv"), "20;young;*\n61;old;*\n62;old;*\n").expect("a file");
    case.quasi[0].hierarchy = Some(HierarchySpec::File(File::new("age.csv")));
    assert_eq!(exposed(&case.finding("linkage")), (1, 1));
}

/// Labels of local recoding overlap: somebody of 25 fits two classes.
#[test]
fn ranges_and_sets_that_overlap_leave_several_classes() {
    let release = "age,city,s\n\"[20, 29]\",\"{Bonn, Kiel}\",x\n\"[25, 40]\",Bonn,y\n";
    let mut case = Case::new(release, &["age", "city"], &["s"]);
    case.original = Some("age,city,s\n25,Bonn,x\n40,Bonn,y\n20,Kiel,x\n30,Kiel,y\n".to_owned());
    let finding = case.finding("linkage");
    assert_eq!(exposed(&finding), (2, 2), "40 in Bonn and 20 in Kiel");
    assert_eq!(
        (&finding.figures["linked_to_few"], &finding.figures["linked_to_none"]),
        (&Value::from(1), &Value::from(1))
    );
}
