//! Does the homogeneity attack find whose values are all the same?

use super::*;

#[test]
fn bob_has_cancer() {
    let finding = figure_2().finding("homogeneity");
    assert_eq!(exposed(&finding), (1, 4));
    assert_eq!(finding.severity, Severity::High);
    assert_eq!(finding.prevented_by, "distinct-l-diversity with l = 2");
    assert_eq!(finding.worst[0].quasi["Age"], "3*");
    assert_eq!(finding.worst[0].value, None, "nobody asked for it");
    let mut revealing = figure_2();
    revealing.options.reveal = true;
    assert_eq!(revealing.finding("homogeneity").worst[0].value.as_deref(), Some("Cancer"));
}

#[test]
fn figure_3_gives_nobody_away() {
    let finding = figure_3().finding("homogeneity");
    assert_eq!((exposed(&finding), finding.severity), ((0, 0), Severity::None));
    let mut half = figure_3();
    half.options.confidence = 0.5;
    assert_eq!(exposed(&half.finding("homogeneity")), (3, 12), "a tie is reached");
    half.options.confidence = 0.51;
    assert_eq!(exposed(&half.finding("homogeneity")), (0, 0));
}

#[test]
fn no_sensitive_value_stands_in_any_finding_unless_it_is_asked_for() {
    let mut case = figure_2();
    case.original = Some(FIGURE_1.to_owned());
    case.knowledge = Some(UMEKO.to_owned());
    case.other = Some(fs::read_to_string(data("l_diversity_fig3_3diverse.csv")).expect("a table"));
    let text = serde_json::to_string(&case.audit().findings.found).expect("plain data");
    for value in ["Cancer", "Heart Disease", "Viral Infection"] {
        assert!(!text.contains(value), "{text}");
    }
}
