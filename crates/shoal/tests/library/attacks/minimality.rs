//! Is it told what the levels of a release give away?

use super::*;

const POLICY: &str = "[columns.q]\nrole = 'quasi-identifier'\nhierarchy = { suppress = {} }
[columns.s]\nrole = 'sensitive'\n[[require]]\nmodel = 'alpha-k-anonymity'\nalpha = 0.5\nk = 2\nvalues = ['h']\n";

fn case(original: &[(&str, usize)]) -> Case {
    let mut case = Case::new(&rows("q,s", &[("*,h", 2), ("*,n", 4)]), &["q"], &["s"]);
    case.original = Some(rows("q,s", original));
    case.policy = Some(POLICY.to_owned());
    case.quasi[0].hierarchy = Some(HierarchySpec::Suppress(Default::default()));
    case
}

/// Only the two of `a` can have been too many: both have h, though the class says one in three, and nobody else has.
#[test]
fn only_the_small_part_can_have_failed() {
    let finding = case(&[("a,h", 2), ("b,n", 4)]).finding("minimality");
    assert_eq!(exposed(&finding), (1, 6));
    assert_near(figure(&finding, "largest_posterior"), 1.0);
    assert_near(figure(&finding, "admitted"), 4.0 / 6.0);
    assert_eq!(finding.figures["lower"], "q");
}

/// Either of two equal parts can have failed: nobody is likelier to have h than before.
#[test]
fn equal_parts_keep_their_secret() {
    assert_eq!(exposed(&case(&[("a,h", 2), ("a,n", 1), ("b,n", 3)]).finding("minimality")), (0, 0));
}

/// One level lower the class of 3 h and 7 n would have been a part of three and one of seven. With at most 9/10 of any value, a
/// part fails if all of it have one. Of the C(10, 3) = 120 ways to spread the values, a has all n in 35, and all h in 1, where
/// b has all n. So given that a part failed, somebody in a has n in 35 of 36: more than 9/10, but not more than 0.98.
#[test]
fn what_the_policy_grants_is_not_exposed() {
    let with_alpha = |alpha: &str| {
        let mut case = Case::new(&rows("q,s", &[("*,h", 3), ("*,n", 7)]), &["q"], &["s"]);
        case.original = Some(rows("q,s", &[("a,n", 3), ("b,h", 3), ("b,n", 4)]));
        let all = POLICY.replace("\nvalues = ['h']", "");
        case.policy = Some(all.replace("alpha = 0.5", &format!("alpha = {alpha}")));
        case.quasi[0].hierarchy = Some(HierarchySpec::Suppress(Default::default()));
        case.finding("minimality")
    };
    let finding = with_alpha("0.9");
    assert_near(figure(&finding, "admitted"), 0.7);
    assert_near(figure(&finding, "granted"), 0.9);
    assert_near(figure(&finding, "largest_posterior"), 35.0 / 36.0);
    assert_eq!(exposed(&finding), (1, 3));
    assert_eq!(finding.learned, "the value, with a probability above what the policy grants");
    let finding = with_alpha("0.98");
    assert_near(figure(&finding, "largest_posterior"), 35.0 / 36.0);
    assert_eq!((exposed(&finding), &finding.figures["m"]), ((0, 0), &Value::from(1.0)));
}

#[test]
fn levels_that_were_fixed_tell_nothing() {
    let mut case = case(&[("a,h", 2), ("b,n", 4)]);
    case.quasi[0].min_level = 1;
    assert_eq!(exposed(&case.finding("minimality")), (0, 0));
}

/// Figure 2(a) of (tau,l)-diversity. Class 1 shows hemal disease twice, hepatitis and phthisis once each. Equal weights:
/// hepatitis (1 + 2/2)/4 = 1/2. The table shows hepatitis 4 times and anemia once: (1 + 2 * 4/5)/4 = 13/20. Hepatitis is the
/// most frequent value (4 + 2/2 of 12, before phthisis with 4 and anemia with 1 + 2/2), and only such are generalized:
/// both have it, (1 + 2)/4 = 3/4.
#[test]
fn generalized_values_are_those_of_the_most_frequent() {
    let taxonomy = fs::read_to_string(data("tau_l_fig1c_disease_taxonomy.csv")).expect("a file");
    let mut case = Case::new(
        &fs::read_to_string(data("tau_l_fig2a_0.5_3_diversity.csv")).expect("a file"),
        &["Age", "Zipcode"],
        &["Disease"],
    );
    fs::write(case.folder.path().join("disease.csv"), taxonomy).expect("a file");
    case.sensitive[0].hierarchy = Some(HierarchySpec::File(shoal_core::hierarchy::File::new("disease.csv")));
    let columns = "[columns.Age]\nrole = 'quasi-identifier'\n[columns.Zipcode]\nrole = 'quasi-identifier'\n\
            [columns.Disease]\nrole = 'sensitive'\nhierarchy = { file = 'disease.csv' }\n[method]\nname = 'sweep'\n";
    let policy = |rest: &str| format!("{columns}[[require]]\nmodel = 'tau-l-diversity'\ntau = 0.5\nl = 3\n{rest}");
    case.policy = Some(policy(""));
    let audit = case.audit();
    assert!(audit.holds(), "as the paper says");
    let finding = audit.findings.found.into_iter().find(|finding| finding.attack == "minimality").expect("it is tried");
    assert_eq!(exposed(&finding), (1, 4));
    assert_near(figure(&finding, "admitted"), 0.5);
    assert_near(figure(&finding, "largest_by_shown_ratio"), 0.65);
    assert_near(figure(&finding, "largest_posterior"), 0.75);
    assert_near(figure(&finding, "granted"), 0.5);
    assert_eq!(
        finding.learned,
        "the value with a probability of up to 0.75, above the 0.5 that the policy grants, since only records with a most \
             frequent value were generalized"
    );
    // Whoever grants 0.8 has not been promised less than 3/4.
    case.policy = Some(policy("").replace("tau = 0.5", "tau = 0.8"));
    let granted = case.finding("minimality");
    assert_eq!((exposed(&granted), granted.severity), ((0, 0), Severity::None));
    assert_near(figure(&granted, "largest_posterior"), 0.75);
    assert_near(figure(&granted, "granted"), 0.8);
    assert!(!granted.learned.contains("0.75"), "{}", granted.learned);

    let promise = audit.measures[0].model.promise("a person's age");
    assert!(promise.starts_with("Whoever knows a person's age, and takes a generalized Disease for one of the values"));

    // With the release's own ratio, 0.65 is what it reaches: (0.65, 2), and not (0.5, 2).
    let two = |tau: &str| policy("weights = 'released'\n").replace("0.5", tau).replace("l = 3", "l = 2");
    case.policy = Some(two("0.5"));
    assert!(!case.audit().holds());
    case.policy = Some(two("0.65"));
    let audit = case.audit();
    assert!(audit.holds(), "exactly 13/20");
    assert_eq!(audit.measures[0].achieved_json(audit.measured.achieved[0]), 0.65);
}

/// With one row more than the release was made of, nobody can say which rows a class has.
#[test]
fn with_another_original_it_is_not_tried() {
    for more in [("b,n", 5), ("b,h", 5)] {
        let case = case(&[("a,h", 2), more]);
        assert!(case.findings("minimality").is_empty());
        let untried = case.audit().findings.untried.into_iter().find(|untried| untried.attack == "minimality");
        assert_eq!(untried.unwrap().needs, "--original with just the rows of the release, each of one class");
    }
}

#[test]
fn without_a_policy_or_the_original_it_is_not_tried() {
    let mut case = case(&[("a,h", 2), ("b,n", 4)]);
    case.original = None;
    assert!(case.findings("minimality").is_empty());
    assert!(case.audit().findings.untried.iter().any(|untried| untried.attack == "minimality"));
}
