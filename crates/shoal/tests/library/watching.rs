//! Does a run end when whoever watches it says so, and does it leave nothing behind?

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use shoal::policy::Policy;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::{Release, Study, Writing};
use shoal_core::Result;
use shoal_core::error::Kind;
use shoal_core::method::METHODS;
use shoal_core::watch::{Go, Unwatched, Watch};
use tempfile::TempDir;

/// Answers something else from the so-many-th question on.
struct Patience {
    asked: AtomicUsize,
    questions: usize,
    then: Go,
}

impl Patience {
    fn of(questions: usize, then: Go) -> Self {
        Self { asked: AtomicUsize::new(0), questions, then }
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }
}

impl Watch for Patience {
    fn go(&self) -> Go {
        if self.asked.fetch_add(1, Ordering::Relaxed) < self.questions { Go::On } else { self.then }
    }
}

struct Bench {
    folder: TempDir,
    policy: Policy,
}

impl Bench {
    fn new(method: &str) -> Self {
        Self::asking(
            method,
            match method.contains("similarity-blocks") {
                true => "model = \"a-d-diversity\"\na = 2\nd = 2\ngroups = { likelihoods = \"p.csv\", delta = 0.5 }",
                false => "model = \"distinct-l-diversity\"\nl = 3",
            },
        )
    }

    fn asking(method: &str, requirement: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let mut table = Vec::new();
        shoal::generate::write_csv("census", 400, 3, &mut table).unwrap();
        std::fs::write(folder.path().join("census.csv"), table).unwrap();
        let occupations: std::collections::BTreeSet<String> = csv_column(folder.path(), "occupation");
        let likelihoods =
            occupations.iter().enumerate().map(|(at, value)| format!("\"{value}\",{}\n", ["0.1", "0.9"][at % 2]));
        std::fs::write(folder.path().join("p.csv"), likelihoods.collect::<String>()).unwrap();
        let text = format!(
            "[input]\npath = \"census.csv\"\nother-columns = \"drop\"\n[output]\npath = \"release.csv\"\n\
             [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 10, 20, 40] }}\n\
             [columns.sex]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\n\
             [columns.\"zip code\"]\nrole = \"quasi-identifier\"\nhierarchy = {{ mask = {{ from = \"right\" }} }}\n\
             [columns.race]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\n\
             [columns.occupation]\nrole = \"sensitive\"\n[[require]]\n{requirement}\n[method]\n{method}\n"
        );
        let policy = Policy::parse(&text, "policy.toml", folder.path()).unwrap_or_else(|error| panic!("{error}"));
        Self { folder, policy }
    }

    fn run(&self, watch: &dyn Watch) -> Result<Release> {
        anonymize(LocalSource::new(&self.policy, None, None)?, &self.policy, Writing::new(), watch)
    }

    fn files(&self) -> Vec<String> {
        let names = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn csv_column(folder: &std::path::Path, name: &str) -> std::collections::BTreeSet<String> {
    let mut reader = csv::Reader::from_path(folder.join("census.csv")).unwrap();
    let place = reader.headers().unwrap().iter().position(|known| known == name).unwrap();
    reader.records().map(|row| row.unwrap()[place].to_owned()).collect()
}

/// A sample of each method, and of each way to search.
fn methods() -> Vec<String> {
    let listed = METHODS.iter().map(|entry| format!("name = \"{}\"", (entry.default)().id()));
    let more = ["search = \"exhaustive\"", "search = \"incognito\"", "local = true", "budget = 40"];
    let more = more.map(|option| format!("name = \"full-domain\"\n{option}"));
    listed.chain(more).collect()
}

#[test]
fn whoever_stops_a_run_ends_it_at_any_question_and_nothing_is_left() {
    for method in methods() {
        let bench = Bench::new(&method);
        let all = Patience::of(usize::MAX, Go::On);
        bench.run(&all).unwrap_or_else(|error| panic!("{method}: {error}"));
        for output in bench.files().iter().filter(|name| name.starts_with("release")) {
            std::fs::remove_file(bench.folder.path().join(output)).unwrap();
        }
        assert!(all.asked() > 12, "{method} asks {} times", all.asked());
        for questions in (0..8).map(|part| part * all.asked() / 8).chain([1, 2, 3, 5, all.asked() - 1]) {
            let error = bench.run(&Patience::of(questions, Go::Stop)).unwrap_err();
            assert_eq!(error.kind(), Kind::Cancelled, "{method}, after {questions} questions: {error}");
            assert_eq!(bench.files(), ["census.csv", "p.csv"], "{method}, after {questions} questions");
        }
    }
}

#[test]
fn whoever_takes_the_best_so_far_gets_a_release_that_keeps_its_promise() {
    for method in methods() {
        let bench = Bench::new(&method);
        let all = Patience::of(usize::MAX, Go::On);
        let best = bench.run(&all).unwrap();
        for questions in [0, 3, all.asked() / 4, all.asked() / 2, all.asked() - 1] {
            let taken = bench.run(&Patience::of(questions, Go::TakeBest));
            // What is published was verified.
            let taken = taken.unwrap_or_else(|error| panic!("{method}, after {questions} questions: {error}"));
            let (lost, least) = (taken.candidate.objective_value(), best.candidate.objective_value());
            if !method.contains("local") && best.partition().gap == Some(0.0) {
                assert!(lost >= least - 1e-9, "{method}: {lost} is less than the least, {least}");
                let is_optimal = taken.partition().gap == Some(0.0);
                assert!(!is_optimal || (lost - least).abs() < 1e-9, "{method} says that {lost} is the least");
            }
        }
    }
}

/// Where models promise nothing of merged classes, `incognito` looks at every node: whoever cuts that short has not seen the others.
#[test]
fn no_search_that_was_cut_short_says_that_it_found_the_least() {
    for search in ["optimal", "incognito", "exhaustive"] {
        let method = format!("name = \"full-domain\"\nsearch = \"{search}\"\nmax-suppressed = 0.02");
        let bench = Bench::asking(&method, "model = \"entropy-l-diversity\"\nl = 4");
        let all = Patience::of(usize::MAX, Go::On);
        let least = bench.run(&all).unwrap();
        assert_eq!(least.partition().gap, Some(0.0), "{search}");
        let mut cut_short = 0;
        for questions in (0..10).map(|part| part * all.asked() / 10) {
            let taken = bench.run(&Patience::of(questions, Go::TakeBest));
            let taken = taken.unwrap_or_else(|error| panic!("{search}, after {questions} questions: {error}"));
            let gap = taken.partition().gap.unwrap();
            let lost = taken.candidate.objective_value() - least.candidate.objective_value();
            assert!(
                lost <= gap + 1e-9,
                "{search}, after {questions} questions: {lost} and not {gap} more than the least"
            );
            cut_short += usize::from(gap > 0.0);
        }
        assert!(cut_short > 0, "{search}");
    }
}

/// Stops after a time.
struct Until(Instant);

impl Watch for Until {
    fn go(&self) -> Go {
        if Instant::now() < self.0 { Go::On } else { Go::Stop }
    }
}

#[test]
fn questions_about_a_study_can_be_stopped_too() {
    let bench = Bench::new("name = \"full-domain\"");
    let source = LocalSource::new(&bench.policy, None, None).unwrap();
    let study = Study::count(source, &bench.policy, &Unwatched).unwrap();
    let gone = Until(Instant::now() - Duration::from_secs(1));
    assert_eq!(study.solutions(false, &gone).unwrap_err().kind(), Kind::Cancelled);
    assert_eq!(study.best(&gone).unwrap_err().kind(), Kind::Cancelled);
    let candidate = study.best(&Unwatched).unwrap();
    assert_eq!(candidate.audit(&gone).unwrap_err().kind(), Kind::Cancelled);
    assert_eq!(study.write(&candidate, Writing::new(), &gone).unwrap_err().kind(), Kind::Cancelled);
    assert_eq!(bench.files(), ["census.csv", "p.csv"]);
    study.write(&candidate, Writing::new(), &Unwatched).unwrap();
    assert_eq!(bench.files(), ["census.csv", "p.csv", "release.csv"]);
}

/// Every income is somebody's own, so that no two people of one income can differ in anything.
#[test]
fn leaving_rows_out_one_after_the_other_can_be_stopped() {
    let folder = TempDir::new().unwrap();
    let rows: String = (0..80).map(|n| format!("{},{},{}\n", 20 + n % 30, 1000 + n * 7, n % 2)).collect();
    std::fs::write(folder.path().join("a.csv"), format!("age,income,smoker\n{rows}")).unwrap();
    for method in ["one-dimensional", "microaggregation"] {
        let text = format!(
            "[input]\npath = 'a.csv'\n[columns.age]\nrole = 'quasi-identifier'\nhierarchy = {{ intervals = [5, 10] }}\n\
             [columns.income]\nrole = 'sensitive'\n[columns.smoker]\nrole = 'sensitive'\n\
             [[require]]\nmodel = 'distinct-l-diversity'\ncolumn = 'smoker'\nl = 2\namong = 'all-sensitive'\n\
             [method]\nname = '{method}'\nmax-suppressed = 0.6\n"
        );
        let policy = Policy::parse(&text, "policy.toml", folder.path()).unwrap();
        let source = LocalSource::new(&policy, None, None).unwrap();
        let study = Study::count(source, &policy, &Unwatched).unwrap();
        let all = Patience::of(usize::MAX, Go::On);
        assert_eq!(study.best(&all).unwrap_err().kind(), Kind::NoRelease, "{method}");
        assert!(all.asked() > 40, "{method} asks {} times, and may leave out 48 rows", all.asked());
        let error = study.best(&Patience::of(all.asked() / 2, Go::Stop)).unwrap_err();
        assert_eq!(error.kind(), Kind::Cancelled, "{method}");
    }
}

/// Notes of each stage how many steps it has and how many were done.
#[derive(Default)]
struct Steps(Mutex<Vec<(String, Option<u64>, u64)>>);

impl Watch for Steps {
    fn begin(&self, stage: &str, of: Option<u64>) {
        self.0.lock().unwrap().push((stage.to_owned(), of, 0));
    }

    fn advance(&self, steps: u64) {
        if let Some(stage) = self.0.lock().unwrap().last_mut() {
            stage.2 += steps;
        }
    }
}

/// Forty people of 20 or 30 years, and two of 60 and 90 who may not look like anybody.
#[test]
fn a_release_is_verified_to_its_last_row_and_no_further() {
    let folder = TempDir::new().unwrap();
    let rows: String = (0..40).map(|n| format!("{},{}\n", 20 + n % 2 * 10, ["flu", "gout", "cold"][n % 3])).collect();
    std::fs::write(folder.path().join("a.csv"), format!("age,ill\n{rows}60,flu\n90,cold\n")).unwrap();
    for (suppressed, method, expected) in [
        ("drop", "full-domain", Some(40)),
        ("keep", "full-domain", Some(42)),
        // Rows of both tables.
        ("keep", "anatomy", None),
    ] {
        let text = format!(
            "[input]\npath = 'a.csv'\n[output]\npath = 'release-{suppressed}-{method}.csv'\nsuppressed = '{suppressed}'\n\
             [columns.age]\nrole = 'quasi-identifier'\nhierarchy = {{ intervals = [10] }}\nmax-level = 1\n\
             [columns.ill]\nrole = 'sensitive'\n[[require]]\nmodel = 'distinct-l-diversity'\nl = 2\n\
             [method]\nname = '{method}'\nmax-suppressed = 0.1\n"
        );
        let policy = Policy::parse(&text, "policy.toml", folder.path()).unwrap_or_else(|error| panic!("{error}"));
        let steps = Steps::default();
        let source = LocalSource::new(&policy, None, None).unwrap();
        anonymize(source, &policy, Writing::new(), &steps).unwrap_or_else(|error| panic!("{method}: {error}"));
        let stages = steps.0.into_inner().unwrap();
        let (_, of, done) = stages.iter().find(|stage| stage.0 == "verifying").unwrap();
        assert_eq!((*of, of.and(Some(*done))), (expected, expected), "{suppressed}, {method}: {done}");
    }
}
