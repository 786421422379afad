//! Does ruling values out by what is known find what it should?

use super::*;

#[test]
fn one_piece_is_enough_in_figure_2_and_two_are_needed_in_figure_3() {
    let finding = figure_2().finding("background-knowledge");
    assert_eq!(exposed(&finding), (2, 8), "the class of cancer, and the one with two diseases");
    assert_eq!(finding.figures["fewest_pieces"], 0);
    let finding = figure_3().finding("background-knowledge");
    assert_eq!((exposed(&finding), &finding.figures["fewest_pieces"]), ((0, 0), &Value::from(2)));
}

#[test]
fn of_two_values_ruling_out_one_tells_nothing_about_the_release() {
    assert_eq!(exposed(&virus().finding("background-knowledge")), (0, 0));
}

#[test]
fn umeko_has_a_viral_infection() {
    let mut case = figure_2();
    case.knowledge = Some(UMEKO.to_owned());
    case.original = Some(FIGURE_1.to_owned());
    case.options.reveal = true;
    let finding = case.findings("background-knowledge").remove(1);
    assert_eq!(exposed(&finding), (2, 2), "Umeko, and somebody Japanese in the class of cancer");
    let umeko = finding.worst.iter().find(|class| class.quasi["Age"] == "< 30").expect("her class");
    assert_eq!((umeko.records, umeko.value.as_deref()), (1, Some("Viral Infection")));
    // 2 infections against 2 heart diseases of weight 0.01.
    assert_near(umeko.figures["posterior"].as_f64().expect("a number"), 2.0 / 2.02);
    case.original = None;
    assert_eq!(exposed(&case.findings("background-knowledge")[1]), (2, 8), "who is Japanese is not known");
}

#[test]
fn figure_3_leaves_a_doubt_about_umeko() {
    let mut case = figure_3();
    case.knowledge = Some(UMEKO.to_owned());
    let finding = case.findings("background-knowledge").remove(1);
    assert_eq!(exposed(&finding), (0, 0));
    // Two of cancer, one infection, and a heart disease of weight 0.01.
    assert_near(figure(&finding, "largest_posterior"), 2.0 / 3.01);
}

fn alice(times: &str) -> Finding {
    let name = "ad_diversity_table2_4diversity.csv";
    let mut case = Case::paper(name, &["Age", "Gender", "Work Class"], &["Condition"]);
    case.knowledge = Some(format!("[[know]]\ntimes = {{ {times} }}\n"));
    case.options.confidence = 0.85;
    case.options.reveal = true;
    case.findings("background-knowledge").remove(1)
}

#[test]
fn alice_has_influenza_with_0_874() {
    let finding = alice("Influenza = 0.9, Gastritis = 0.08, Dislocation = 0.03, Fracture = 0.02");
    assert_eq!(exposed(&finding), (1, 4));
    assert_eq!(finding.worst[0].value.as_deref(), Some("Influenza"));
    let posterior = finding.worst[0].figures["posterior"].as_f64().expect("a number");
    assert_near(posterior, 0.9 / 1.03);
    assert_eq!((posterior * 1000.0).round(), 874.0);
}

#[test]
fn a_symptom_of_all_diseases_tells_nothing() {
    assert_eq!(exposed(&alice("Influenza = 0.5, Gastritis = 0.5")), (0, 0));
}

#[test]
fn knowledge_about_nothing_that_is_there_is_refused() {
    let mut case = figure_2();
    for (text, message) in [
        ("[[know]]\ntimes = { Flu = 2 }\n", "is not a value of column `Condition`"),
        ("[[know]]\nwhere = { Job = 'x' }\ntimes = { Cancer = 2 }\n", "is no quasi-identifier"),
        ("[[know]]\ntimes = { Cancer = -1 }\n", "a factor is a number of at least 0"),
        ("[[know]]\ncolumn = 'Job'\ntimes = { Cancer = 1 }\n", "is no sensitive column"),
        ("know = []\n", "there is no [[know]]"),
        ("[[know]]\ntime = { Cancer = 1 }\n", "line 2"),
    ] {
        case.knowledge = Some(text.to_owned());
        let error = case.try_audit().expect_err("it is wrong").to_string();
        assert!(error.contains(message) && !error.contains("Cancer"), "{error}");
    }
}
