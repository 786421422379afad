//! Are the answers as they were worked out by hand?

use std::time::Duration;

use shoal_core::watch::{Go, Unwatched, Watch};

use super::*;
use crate::policy::Policy;
use crate::source::LocalSource;

/// Twelve people of four ages and two sexes, three of each age.
const TABLE: &str =
    "age,sex,ill\n20,m,a\n20,m,b\n20,f,a\n21,m,b\n21,f,a\n21,f,b\n40,m,a\n40,m,b\n40,f,b\n41,m,a\n41,f,b\n41,f,a\n";

const COLUMNS: &str = "[input]\npath = \"table.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                       hierarchy = { intervals = [10] }\n[columns.sex]\nrole = \"quasi-identifier\"\n\
                       hierarchy = { suppress = {} }\n[columns.ill]\nrole = \"sensitive\"\n";

fn k(k: u64) -> String {
    format!("[[require]]\nmodel = \"k-anonymity\"\nk = {k}\n")
}

fn l(l: u64) -> String {
    format!("[[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"ill\"\nl = {l}\n")
}

fn advise(policy: &str, options: &AdviseOptions, watch: &dyn Watch) -> Result<Advice> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("table.csv"), TABLE).unwrap();
    let policy = Policy::parse(policy, "policy.toml", folder.path()).unwrap();
    let study = Study::count(LocalSource::new(&policy, None, None).unwrap(), &policy, &Unwatched).unwrap();
    study.advise(options, watch)
}

fn of(requirements: &[String]) -> Advice {
    advise(&(COLUMNS.to_owned() + &requirements.concat()), &AdviseOptions::default(), &Unwatched).unwrap()
}

/// The settings of each change that is no method, its loss, its rows left out and its effect.
fn rows(advice: &Advice) -> Vec<(String, f64, u64, Effect)> {
    let others = advice.advice.iter().filter(|one| !one.change.words().join(" ").contains("method"));
    let row = |one: &Advised| {
        let loss = (one.figures.objective_value * 1e6).round() / 1e6;
        (one.change.words().join(" "), loss, one.figures.suppressed_rows, one.effect)
    };
    others.map(row).collect()
}

fn row(settings: &str, loss: f64, effect: Effect) -> (String, f64, u64, Effect) {
    (settings.to_owned(), (loss * 1e6).round() / 1e6, 0, effect)
}

/// With k = 4 the three of an age are too few, and so are the three of a sex in a range of ten years. Ages are given up: of the two
/// columns, one loses all and one nothing. The loss of a column with its values in pairs is (6 - 3) / (12 - 3).
#[test]
fn what_a_step_of_each_kind_costs_is_as_worked_out_by_hand() {
    let advice = of(&[k(4), l(2)]);
    let (age_given_up, pairs_of_ages, both) = (2f64.sqrt() - 1.0, (4f64 / 3.0).sqrt() - 1.0, (8f64 / 3.0).sqrt() - 1.0);
    let now = advice.now.as_ref().unwrap();
    assert_eq!((now.objective_value, now.suppressed_rows, now.classes), (age_given_up, 0, 2));
    assert_eq!(
        rows(&advice),
        [
            row("k=3", pairs_of_ages, Effect::Gains),
            row("require[0]=none", pairs_of_ages, Effect::Gains),
            row("require[1]=none", age_given_up, Effect::Nothing),
            row("max-suppressed=0.1", age_given_up, Effect::Nothing),
            row("columns.sex.min-level=1", both, Effect::Loses),
            row("columns.age.max-level=1", both, Effect::Loses),
        ]
    );
    let first = &advice.advice.iter().find(|one| one.change.words() == ["k=3"]).unwrap();
    assert_eq!(first.change.what, "3-anonymity instead of 4-anonymity");
    assert_eq!(first.gained, Some(age_given_up - first.figures.objective_value));
    assert_eq!(first.figures.promises, ["3-anonymity", "distinct 2-diversity of ill"]);
    assert_eq!(first.figures.levels.as_ref().unwrap().levels(), [1, 0]);

    // At ten years, all classes have three; without the sex they would have six.
    assert_eq!(advice.blocked.len(), 1);
    assert_eq!((advice.blocked[0].finer.as_deref(), advice.blocked[0].rows), (Some("age"), 12));
    assert_eq!(advice.blocked[0].rare_by, [("sex".to_owned(), 12)]);
    assert!(advice.not_tried.is_empty());
}

/// With k = 2, one record of each age is alone with its sex: these four keep ages as they are from being shown.
#[test]
fn records_in_the_way_are_counted_by_what_makes_them_rare() {
    let advice = of(&[k(2)]);
    assert_eq!(advice.now.as_ref().unwrap().levels.as_ref().unwrap().levels(), [1, 0]);
    let blocked = &advice.blocked[0];
    assert_eq!((blocked.finer.as_deref(), blocked.rows, blocked.share), (Some("age"), 4, 4.0 / 12.0));
    assert_eq!(blocked.rare_by, [("sex".to_owned(), 4)]);
    // Leaving them out loses as much of both columns as four rows are of nine and of six.
    let left_out = advice.advice.iter().find(|one| one.change.kind == ChangeKind::RowsLeftOut).unwrap();
    assert_eq!(left_out.change.words(), ["max-suppressed=0.3334"]);
    assert_eq!(left_out.change.what, "up to 4 rows (33.33%) left out, as many as keep `age` from being finer");
    assert_eq!((left_out.effect, left_out.figures.suppressed_rows), (Effect::Nothing, 0));
}

#[test]
fn without_a_release_the_nearest_step_of_each_kind_is_told_that_gives_one() {
    let advice = of(&[k(13)]);
    assert!(advice.now.as_ref().is_err_and(|error| error.message().contains("13-anonymity")));
    assert_eq!(rows(&advice), [row("k=10", 1.0, Effect::Possible)]);
    assert_eq!(advice.advice[0].gained, None);

    let bounded = COLUMNS.replace("[10] }\n", "[10] }\nmax-level = 1\n") + &k(7);
    let advice = advise(&bounded, &AdviseOptions::default(), &Unwatched).unwrap();
    let both = (8f64 / 3.0).sqrt() - 1.0;
    assert_eq!(
        rows(&advice),
        [row("k=5", both, Effect::Possible), row("columns.age.max-level=2", 1.0, Effect::Possible)]
    );
    // The most general that is allowed is two classes of six.
    assert_eq!((advice.blocked[0].finer.as_deref(), advice.blocked[0].rows), (None, 12));
    assert_eq!(advice.blocked[0].rare_by, [("age".to_owned(), 12)]);
}

#[test]
fn where_one_change_is_not_enough_two_are_tried() {
    let advice = of(&[k(13), l(3)]);
    let kinds: Vec<ChangeKind> = advice.advice.iter().map(|one| one.change.kind).collect();
    assert!(!kinds.is_empty() && kinds.iter().all(|kind| *kind == ChangeKind::Two), "{kinds:?}");
    let pairs_of_ages = (4f64 / 3.0).sqrt() - 1.0;
    assert_eq!(
        rows(&advice),
        [
            row("l=2 require[0]=none", pairs_of_ages, Effect::Possible),
            row("k=10 l=2", 1.0, Effect::Possible),
            row("k=10 require[1]=none", 1.0, Effect::Possible),
        ]
    );
    assert_eq!(
        advice.advice[1].change.what,
        "10-anonymity instead of 13-anonymity, and distinct 2-diversity of ill instead of distinct 3-diversity of ill"
    );
}

#[test]
fn requirements_have_the_numbers_of_the_policy_as_it_stands_in_its_file() {
    let text = COLUMNS.to_owned() + &l(2) + &k(4) + &l(1 + 1);
    let settings = vec![Setting::new("require[0]", "none"), Setting::new("require[1].k", "5")];
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("table.csv"), TABLE).unwrap();
    let document = PolicyDocument::parse(&text, "policy.toml", folder.path()).unwrap();
    let policy = document.clone().with(&settings).unwrap().policy().unwrap();
    let study = Study::count(LocalSource::new(&policy, None, None).unwrap(), &policy, &Unwatched).unwrap();
    let options = AdviseOptions { document: Some(document), settings, ..AdviseOptions::default() };
    let words: Vec<String> =
        study.advise(&options, &Unwatched).unwrap().advice.iter().map(|one| one.change.words().join(" ")).collect();
    for expected in ["require[1].k=4", "require[1]=none", "require[2]=none"] {
        assert!(words.iter().any(|word| word == expected), "{expected}: {words:?}");
    }
}

#[test]
fn what_there_is_no_time_for_is_said_and_who_stops_it_stops_it() {
    let policy = COLUMNS.to_owned() + &k(4);
    let no_time = AdviseOptions { budget: Duration::ZERO, ..AdviseOptions::default() };
    let advice = advise(&policy, &no_time, &Unwatched).unwrap();
    assert!(advice.now.is_ok() && advice.advice.is_empty() && advice.not_tried.len() > 5, "{advice:?}");
    let advice = advise(&(COLUMNS.to_owned() + &k(13)), &no_time, &Unwatched).unwrap();
    assert!(advice.now.is_err() && advice.advice.is_empty() && !advice.not_tried.is_empty(), "{advice:?}");

    struct Says(Go);
    impl Watch for Says {
        fn go(&self) -> Go {
            self.0
        }
    }
    let stopped = advise(&policy, &AdviseOptions::default(), &Says(Go::Stop));
    assert!(stopped.is_err_and(|error| error.kind() == Kind::Cancelled));
    let advice = advise(&policy, &AdviseOptions::default(), &Says(Go::TakeBest)).unwrap();
    assert!(advice.advice.is_empty() && !advice.not_tried.is_empty());
}

#[test]
fn every_kind_has_a_name_of_its_own() {
    let names: std::collections::BTreeSet<&str> = ChangeKind::ALL.iter().map(|kind| kind.id()).collect();
    assert_eq!(names.len(), ChangeKind::ALL.len());
}
