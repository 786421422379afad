//! Are limits broken where they should be?

use super::*;

#[test]
fn a_limit_is_broken_where_more_are_exposed() {
    let mut case = figure_2();
    for (limit, is_broken) in
        [("homogeneity", true), ("homogeneity>0.3", true), ("homogeneity > 0.34", false), ("bayes-optimal", false)]
    {
        case.limits = vec![limit];
        assert_eq!(case.audit().broken.len(), usize::from(is_broken), "{limit}");
    }
    // 4 of 12 is a third, exactly.
    let mut tie = Case::new(&rows("q,s", &[("a,x", 1), ("b,x", 5), ("b,y", 4)]), &["q"], &["s"]);
    tie.limits = vec!["homogeneity>0.1"];
    assert!(tie.audit().broken.is_empty(), "a tie is kept");
}

#[test]
fn what_was_not_tried_can_keep_no_limit() {
    let mut case = figure_2();
    for (limit, message) in
        [("linkage", "could not be tried"), ("homogenity", "names no attack"), ("skewness>2", "between 0 and 1")]
    {
        case.limits = vec![limit];
        let error = case.try_audit().expect_err("it cannot be decided").to_string();
        assert!(error.contains(message) && error.contains("hint: "), "{error}");
    }
}
