//! Are classes found whose values are of one kind?

use super::*;

fn table(name: &str) -> Case {
    let mut case = Case::paper(name, &["ZIP Code", "Age"], &["Salary", "Disease"]);
    case.sensitive[1].hierarchy = Some(HierarchySpec::File(File::new(data("t_closeness_disease_hierarchy.csv"))));
    case.options.near = vec![Near::parse("Salary=1").expect("a number")];
    case.options.reveal = true;
    case
}

#[test]
fn bob_has_a_stomach_disease_and_earns_little() {
    let findings = table("t_closeness_table4_3diverse.csv").findings("similarity");
    assert_eq!(findings.len(), 2);
    for (finding, value) in findings.iter().zip(["about 4K", "stomach diseases"]) {
        assert_eq!(exposed(finding), (1, 3));
        assert_eq!(finding.worst[0].quasi["Age"], "2*");
        assert_eq!(finding.worst[0].value.as_deref(), Some(value));
    }
    assert_eq!(findings[0].prevented_by, "epsilon-m-anonymity with epsilon = 1, m = 2");
    assert_eq!(findings[1].prevented_by, "a-d-diversity with d = 2, groups = { level = 2 }");
}

#[test]
fn diseases_are_not_near_each_other() {
    let mut case = table("t_closeness_table4_3diverse.csv");
    case.options.near = vec![Near::parse("Disease=1").expect("a number")];
    assert!(case.try_audit().is_err_and(|error| error.message().contains("no sensitive column of numbers")));
}

#[test]
fn table_5_is_of_all_kinds() {
    for finding in table("t_closeness_table5_0.167_0.278.csv").findings("similarity") {
        assert_eq!(exposed(&finding), (0, 0));
    }
}

/// Figure 2(a) of (tau,l)-diversity shows `hemal disease`: that is a kind, but not the only one of its class.
#[test]
fn a_generalized_value_stands_for_its_leaves() {
    let taxonomy = || Some(HierarchySpec::File(File::new(data("tau_l_fig1c_disease_taxonomy.csv"))));
    let mut case = Case::paper("tau_l_fig2a_0.5_3_diversity.csv", &["Age", "Zipcode"], &["Disease"]);
    case.sensitive[0].hierarchy = taxonomy();
    assert_eq!(exposed(&case.finding("similarity")), (0, 0));
    let mut alone = Case::new("q,Disease\n1,hemal disease\n2,flu\n2,anemia\n", &["q"], &["Disease"]);
    alone.sensitive[0].hierarchy = taxonomy();
    assert_eq!(exposed(&alone.finding("similarity")), (1, 1));
    assert_eq!(exposed(&alone.finding("homogeneity")), (0, 0), "it is one of two diseases");
}
