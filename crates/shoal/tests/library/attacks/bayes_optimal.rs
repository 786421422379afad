//! Are beliefs those of somebody who knows everything but one?

use super::*;

#[test]
fn a_belief_rises_from_0_01_to_0_98() {
    let finding = virus().beliefs("independent");
    assert_eq!(exposed(&finding), (1, 50), "one half is not above one half");
    assert_eq!(finding.figures["positive_disclosures"], 49, "those who have it");
    assert_near(figure(&finding, "largest_change"), 0.97);
    assert_eq!(exposed(&figure_3().beliefs("independent")), (0, 0));
}

/// Of those with age a, 2 of 32 have x; but both who are not doctors. Overall x is as common as y.
#[test]
fn an_attacker_who_knows_less_is_surprised_more() {
    let counted = [("a,doctor,y", 30), ("a,nurse,x", 2), ("b,nurse,x", 30)];
    let case = Case::new(&rows("age,job,s", &counted), &["age", "job"], &["s"]);
    assert_eq!(exposed(&case.beliefs("independent")), (0, 0));
    let finding = case.beliefs("some-quasi-identifiers");
    assert_eq!(exposed(&finding), (1, 2));
    assert_eq!((&finding.figures["subsets"], &finding.figures["of_subsets"]), (&Value::from(2), &Value::from(2)));
    assert_near(figure(&finding, "largest_change"), 30.0 / 32.0);
}

/// The same people, all in one class: what was known of the age cannot be learned from the job any more.
#[test]
fn with_the_original_the_prior_is_that_of_people_as_they_are() {
    let counted = [("a,doctor,y", 30), ("a,nurse,x", 2), ("b,nurse,x", 30)];
    let mut case = Case::new(&rows("age,job,s", &[("*,*,y", 30), ("*,*,x", 32)]), &["age", "job"], &["s"]);
    case.original = Some(rows("age,job,s", &counted));
    let finding = case.beliefs("some-quasi-identifiers");
    assert_eq!(finding.figures["prior_from"], "original");
    assert_eq!(exposed(&finding), (0, 0));
    // With one class, the release tells what everybody knew: beta = alpha.
    assert_near(figure(&finding, "largest_change"), 0.0);
}

#[test]
fn a_population_may_know_better_than_the_release() {
    let counted = [("130**,H", 3), ("130**,V", 1)];
    let mut case = Case::new(&rows("zip,s", &counted), &["zip"], &["s"]);
    case.population =
        Some(rows("zip,s", &[("13053,H", 5), ("13053,V", 95), ("13068,H", 5), ("13068,V", 95), ("14853,H", 1)]));
    let finding = case.beliefs("population");
    // alpha = 0.05, and beta = 3 / (3 + 1), since both ZIP codes are alike.
    assert_eq!(exposed(&finding), (1, 4));
    assert_near(figure(&finding, "largest_change"), 0.7);
    case.population = Some(rows("zip,s", &[("13053,H", 70), ("13053,V", 30)]));
    assert_eq!(exposed(&case.beliefs("population")), (0, 0));
    case.population = Some(rows("zip,s", &[("13053,V", 30), ("14853,H", 1)]));
    let error = case.try_audit().expect_err("nobody could have H").to_string();
    assert!(error.contains("contradicts"), "{error}");
}

/// Somebody who knows how s depends on the age alone believes x 5/13, y 5/13, z 3/13. The class a, f has three of x and of
/// y: x and y rise by 3/26, and z, not the most frequent, falls by 3/13. In a, m z rises to 3/7, by less.
#[test]
fn what_a_class_lacks_need_not_be_most_frequent() {
    let counted = [("a,f,x", 3), ("a,f,y", 3), ("a,m,x", 2), ("a,m,y", 2), ("a,m,z", 3)];
    let case = Case::new(&rows("age,sex,s", &counted), &["age", "sex"], &["s"]);
    assert_near(figure(&case.beliefs("some-quasi-identifiers"), "largest_change"), 3.0 / 13.0);
}

/// Flu is rare, and twenty times as likely for the man: 20/119 before, 20/21 once his class is known. The belief is wrong
/// where nobody like him has it.
#[test]
fn only_true_disclosures_count_with_the_original() {
    let release = rows("age,s", &[("2*,flu", 1), ("2*,cold", 1), ("30,cold", 98)]);
    let mut case = Case::new(&release, &["age"], &["s"]);
    case.knowledge = Some("[[know]]\nwhere = { age = \"21\" }\ntimes = { flu = 20 }\n".to_owned());
    let believed = case.beliefs("knowledge");
    assert_eq!(believed.figures["positive_disclosures"], 2, "whoever is 21: all of the class, for all we know");
    assert_eq!(believed.figures["positive_disclosures_are"], "believed");
    case.original = Some(rows("age,s", &[("21,cold", 1), ("22,flu", 1), ("30,cold", 98)]));
    let found = case.beliefs("knowledge");
    assert_eq!(found.figures["positive_disclosures"], 0, "he has a cold");
    assert_eq!(found.figures["positive_disclosures_are"], "true");
    case.original = Some(rows("age,s", &[("21,flu", 1), ("22,cold", 1), ("30,cold", 98)]));
    assert_eq!(case.beliefs("knowledge").figures["positive_disclosures"], 1);
}

/// 25 is in both classes: he is one man all the same. That he has y rises from 50/69 to 50/51.
#[test]
fn somebody_who_could_be_in_two_classes_counts_once() {
    let release = rows(
        "age,s",
        &[("\"[20, 25]\",x", 5), ("\"[20, 25]\",y", 5), ("\"[25, 30]\",x", 5), ("\"[25, 30]\",y", 5), ("40,x", 180)],
    );
    let mut case = Case::new(&release, &["age"], &["s"]);
    let original = [("20,x", 5), ("20,y", 4), ("25,y", 1), ("30,x", 5), ("30,y", 5), ("40,x", 180)];
    case.original = Some(rows("age,s", &original));
    case.knowledge = Some("[[know]]\nwhere = { age = \"25\" }\ntimes = { y = 50 }\n".to_owned());
    let finding = case.beliefs("knowledge");
    assert_eq!(finding.figures["positive_disclosures"], 1);
    let known = case.findings("background-knowledge");
    let by_file = known.iter().find(|finding| finding.figures.contains_key("knowledge")).expect("a file was given");
    assert_eq!(exposed(by_file), (1, 1));
}

#[test]
fn knowledge_is_a_prior_too() {
    let mut case = virus();
    case.knowledge = Some("[[know]]\ntimes = { positive = 10 }\n".to_owned());
    // The prior of positive rises to 0.1 / 1.09, still below 0.1; the posterior of b to 10/11.
    assert_eq!(exposed(&case.beliefs("knowledge")), (2, 90));
}
