//! Are values found that a class rules out?

use super::*;

#[test]
fn values_are_weighed_by_their_share() {
    let finding = figure_2().finding("negative-disclosure");
    assert_eq!(exposed(&finding), (1, 4));
    assert_near(figure(&finding, "largest_ruled_out"), 7.0 / 12.0);
    assert_near(figure(&finding, "mean_ruled_out"), (7.0 + 5.0 + 0.0) / 36.0);
    let mut case = figure_2();
    case.options.ruled_out = 0.4;
    assert_eq!(exposed(&case.finding("negative-disclosure")), (2, 8), "the second lacks cancer, 5 of 12");
}

#[test]
fn figure_3_rules_out_nothing() {
    let finding = figure_3().finding("negative-disclosure");
    assert_eq!(exposed(&finding), (0, 0));
    assert_near(figure(&finding, "largest_ruled_out"), 0.0);
}
