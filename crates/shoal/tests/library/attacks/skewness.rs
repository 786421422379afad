//! Are values found that are likelier in a class than overall?

use super::*;

#[test]
fn the_virus_and_its_two_skewed_classes() {
    let finding = virus().finding("skewness");
    assert_eq!(exposed(&finding), (2, 90));
    assert_near(figure(&finding, "largest_ratio"), 98.0);
    assert_near(figure(&finding, "largest_difference"), 0.97);
    assert_near(finding.worst[1].figures["ratio"].as_f64().expect("a number"), 50.0);
    assert_near(finding.worst[1].figures["difference"].as_f64().expect("a number"), 0.49);
}

#[test]
fn nobody_minds_being_negative() {
    let mut case = virus();
    case.options.bad = vec![("test".to_owned(), "negative".to_owned())];
    assert_eq!(exposed(&case.finding("skewness")), (0, 0));
    case.options.bad = vec![("test".to_owned(), "positive".to_owned())];
    assert_eq!(exposed(&case.finding("skewness")), (2, 90));
    case.options.bad = vec![("test".to_owned(), "perhaps".to_owned())];
    assert!(case.try_audit().is_err());
}

#[test]
fn figure_3_is_not_skewed() {
    let finding = figure_3().finding("skewness");
    assert_eq!(exposed(&finding), (0, 0));
    assert_near(figure(&finding, "largest_ratio"), 1.5);
}
