//! Can the number of suppressed rows be worked out from what is published, where it is too small to be told?
//!
//! Two adversaries try. One knows the formulas of all measures and solves each published number for the number of suppressed
//! rows. The other one knows everything but the suppressed rows themselves: she makes the release once more with one, two, .. nine of
//! them, and looks which of these publications are the same as the one in front of her.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::page_checker::{cells, text_of};
use crate::workbench::{Workbench, rows};

/// 296 people who are much alike, and some who are like nobody: they are suppressed.
fn people(outliers: usize, illness: &str) -> String {
    let (zips, diseases) = (["13053", "13068", "14850", "14853"], ["flu", "cancer", "gastritis", "ulcer", "asthma"]);
    let mut table = "name,age,sex,zip,disease\n".to_owned();
    for at in 0..296usize {
        let (sex, age) = (["female", "male"][at % 2], 20 + at * 7 % 40);
        let _ = writeln!(table, "Person{at:03},{age},{sex},{},{}", zips[at / 2 % 4], diseases[(at / 3 + at / 37) % 5]);
    }
    for at in 0..outliers {
        let _ = writeln!(table, "Outlier{at},{},male,{},{illness}", 85 + at, 99_001 - 1000 * at);
    }
    table
}

/// What differs between the policies that are tried: keys of the age, more requirements, and the method.
const POLICIES: [(&str, &str, &str); 8] = [
    ("", "", ""),
    ("", "", "objective = \"discernibility\""),
    ("weight = 0.5", "", "objective = \"precision\""),
    ("weight = 3", "", "objective = \"non-uniform-entropy\"\nsearch = \"exhaustive\""),
    ("", "", "objective = \"information\""),
    ("", "[[require]]\nmodel = \"t-closeness\"\nt = 0.6\nreference = \"table\"", ""),
    ("", "", "name = \"mondrian\""),
    ("", "", "name = \"microaggregation\""),
];

fn policy((age, require, method): (&str, &str, &str)) -> String {
    let levels = if method.contains("name") { "" } else { "min-level = 2\nmax-level = 4" };
    format!(
        r#"[input]
path = "people.csv"
[output]
path = "release.csv"
report = "report.html"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = {{ intervals = {{ widths = [10, 20], origin = 0 }} }}
{age}
[columns.sex]
role = "quasi-identifier"
hierarchy = {{ suppress = {{}} }}
[columns.zip]
role = "quasi-identifier"
hierarchy = {{ mask = {{ from = "right" }} }}
{levels}
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 5
{require}
[method]
max-suppressed = 0.04
{method}
"#
    )
}

/// All that is published of a run, and the truth.
struct Publication {
    release: String,
    certificate: String,
    page: String,
    suppressed: u64,
    objectives: Value,
}

fn publish(bench: &Workbench, outliers: usize, illness: &str) -> Publication {
    bench.write("people.csv", people(outliers, illness));
    let summary = bench.json(&["anonymize", "policy.toml", "--certificate", "c.json", "--json"]);
    Publication {
        release: bench.text("release.csv"),
        certificate: bench.text("c.json"),
        page: bench.text("report.html"),
        suppressed: summary["suppressed_rows"].as_u64().unwrap(),
        objectives: summary["objectives"].clone(),
    }
}

/// The adversary with the formulas.
struct Solver {
    rows: u64,
    squares: u64,
    classes: u64,
    /// Level, height and weight of each quasi-identifier, where the certificate has levels.
    levels: Vec<(f64, f64, f64)>,
}

impl Solver {
    fn new(publication: &Publication, weight_of_age: f64) -> Self {
        let release = rows(&publication.release);
        let mut sizes: BTreeMap<&[String], u64> = BTreeMap::new();
        release[1..].iter().for_each(|row| *sizes.entry(&row[..3]).or_default() += 1);
        let certificate: Value = serde_json::from_str(&publication.certificate).unwrap();
        let levels = certificate["stated_by_its_maker"]["levels"].as_object();
        let columns = [("age", 3.0, weight_of_age), ("sex", 1.0, 1.0), ("zip", 5.0, 1.0)];
        let level = |(name, height, weight): (&str, f64, f64)| Some((levels?[name].as_f64()?, height, weight));
        Self {
            rows: release.len() as u64 - 1,
            squares: sizes.values().map(|size| size * size).sum(),
            classes: sizes.len() as u64,
            levels: columns.into_iter().filter_map(level).collect(),
        }
    }

    /// What a measure would be, had so many been suppressed.
    fn value(&self, id: &str, suppressed: u64) -> Option<f64> {
        let (released, gone) = (self.rows as f64, suppressed as f64);
        match id {
            "discernibility" => Some(self.squares as f64 + gone * (released + gone)),
            "average-class-size" => Some(released / self.classes as f64),
            "precision" if !self.levels.is_empty() => {
                let lost = |(level, height, weight): &(f64, f64, f64)| {
                    weight * (released * level / height + gone) / (released + gone)
                };
                let weights: f64 = self.levels.iter().map(|column| column.2).sum();
                Some(self.levels.iter().map(lost).sum::<f64>() / weights)
            }
            _ => None,
        }
    }

    /// Which numbers of suppressed rows fit a measure that is told with so many digits.
    fn fits(&self, id: &str, told: f64, digits: i32, suppressed: u64) -> bool {
        let Some(value) = self.value(id, suppressed) else { return true };
        let unit = 10f64.powi(value.abs().log10().floor() as i32 - digits + 1);
        (value - told).abs() <= unit * 0.5001
    }

    /// Is the number of rows of the original said somewhere, and nothing else is so many?
    fn is_said(&self, publication: &Publication, suppressed: u64) -> bool {
        let rows = (self.rows + suppressed).to_string();
        let text = format!("{} {}", text_of(&publication.page), publication.certificate);
        suppressed > 0 && text.split(|c: char| !c.is_ascii_digit()).any(|word| word == rows)
    }

    /// Do the bounds of shares fit, if they are those of a release that lacks so many rows?
    fn fits_shares(&self, publication: &Publication, suppressed: u64) -> bool {
        let release = rows(&publication.release);
        let all = (self.rows + suppressed) as f64;
        release[0].iter().enumerate().all(|(place, column)| {
            cells(&publication.page, &format!("Share of rows by {column}")).iter().all(|row| {
                let shown = release[1..].iter().filter(|cells| cells[place] == row[0]).count() as f64;
                let Some((low, high)) = row[1].trim_end_matches('%').split_once('–') else { return true };
                let (low, high): (f64, f64) = (low.parse().unwrap(), high.parse().unwrap());
                let unit = if row[1].contains('.') { 0.1 } else { 1.0 };
                let ends = [shown, shown + suppressed as f64].map(|rows| rows / all * 100.0);
                let is_exactly = (ends[0] / unit).floor() * unit - low;
                let is_exactly = is_exactly.abs() < 1e-6 && ((ends[1] / unit).ceil() * unit - high).abs() < 1e-6;
                shown == 0.0 || is_exactly
            })
        })
    }

    /// The numbers that fit everything that is published; with measures that somebody adds to it.
    fn solve(&self, publication: &Publication, more: &Value) -> Vec<u64> {
        let certificate: Value = serde_json::from_str(&publication.certificate).unwrap();
        let told = |value: &Value| value.as_object().cloned().unwrap_or_default();
        let of_certificate = told(&certificate["stated_by_its_maker"]["objectives"]);
        let of_page = cells(
            &publication.page,
            "Loss of information over all columns; `shoal explain ID` says what each measures",
        );
        let number = |text: &str| text.replace(',', "").parse::<f64>().ok();
        let fits = |&suppressed: &u64| {
            let fits = |id: &str, told: f64, digits: i32| self.fits(id, told, digits, suppressed);
            told(more).iter().all(|(id, told)| fits(id, told.as_f64().unwrap(), 12))
                && of_certificate.iter().all(|(id, told)| fits(id, told.as_f64().unwrap(), 4))
                && of_page.iter().all(|row| number(&row[1]).is_none_or(|told| fits(&row[0], told, 3)))
        };
        let fitting: Vec<u64> = (1..10).filter(fits).collect();
        let said: Vec<u64> = fitting.iter().copied().filter(|&s| self.is_said(publication, s)).collect();
        if said.len() == 1 { said } else { fitting }
    }
}

fn weight(policy: (&str, &str, &str)) -> f64 {
    policy.0.strip_prefix("weight = ").map_or(1.0, |weight| weight.parse().unwrap())
}

#[test]
fn whoever_knows_the_formulas_cannot_solve_for_it() {
    let bench = Workbench::new();
    let mut solved = 0;
    for tried in POLICIES {
        bench.write("policy.toml", policy(tried));
        for outliers in [1, 4, 7, 9] {
            let publication = publish(&bench, outliers, "Kuru");
            if publication.suppressed == 0 || publication.suppressed > 9 {
                continue;
            }
            let solver = Solver::new(&publication, weight(tried));
            let fitting = solver.solve(&publication, &Value::Null);
            assert!(fitting.len() >= 5, "{tried:?}: {} suppressed, and only {fitting:?} fit", publication.suppressed);
            assert!(fitting.contains(&publication.suppressed), "{tried:?}: {fitting:?}");
            // He is no fool: with what used to be published he has it, each time.
            let told = json!({ "discernibility": publication.objectives["discernibility"] });
            assert_eq!(solver.solve(&publication, &told), [publication.suppressed], "{tried:?}");
            if !solver.levels.is_empty() {
                let told = json!({ "precision": publication.objectives["precision"] });
                assert_eq!(solver.solve(&publication, &told), [publication.suppressed], "{tried:?}");
            }
            solved += 1;
        }
    }
    assert!(solved >= 20, "{solved}");
}

/// Bounds of shares are the same for every number, and so cannot be those of the true one more often than by chance.
#[test]
fn the_bounds_of_shares_do_not_follow_the_truth() {
    let bench = Workbench::with(&[("policy.toml", &policy(POLICIES[0]))]);
    let fitting = |outliers: usize| {
        let publication = publish(&bench, outliers, "flu");
        let solver = Solver::new(&publication, 1.0);
        (1..10).filter(|&suppressed| solver.fits_shares(&publication, suppressed)).collect::<Vec<u64>>()
    };
    let all: Vec<Vec<u64>> = (1..10).map(fitting).collect();
    assert!(all.iter().all(|fitting| *fitting == all[0]), "{all:?}");
}

/// A page without what time it took.
fn comparable(page: &str) -> String {
    let text = text_of(page);
    match text.split_once("Reading and counting the original") {
        Some((before, rest)) => {
            format!("{before}{}", rest.split_once("What was written was read back").map_or("", |(_, after)| after))
        }
        None => text,
    }
}

fn assert_same(one: &str, other: &str, about: &str) {
    for (a, b) in one.lines().zip(other.lines()) {
        assert_eq!(a, b, "{about}");
    }
    assert_eq!(one.lines().count(), other.lines().count(), "{about}");
}

#[test]
fn whoever_knows_all_others_finds_several_numbers_that_fit() {
    let bench = Workbench::new();
    let mut compared = 0;
    for tried in POLICIES {
        bench.write("policy.toml", policy(tried));
        for illness in ["Kuru", "flu"] {
            let all: Vec<Publication> = (1..10).map(|outliers| publish(&bench, outliers, illness)).collect();
            for publication in all.iter().filter(|publication| (1..10).contains(&publication.suppressed)) {
                let same = |other: &&Publication| other.release == publication.release;
                let alike: Vec<&Publication> = all.iter().filter(same).collect();
                if alike.len() < 3 {
                    // The release itself tells them apart, in its own way.
                    continue;
                }
                for other in &alike {
                    let numbers = (publication.suppressed, other.suppressed);
                    assert_eq!(publication.certificate, other.certificate, "{tried:?} {illness} {numbers:?}");
                    let about = format!("{tried:?} {illness} {numbers:?}");
                    assert_same(&comparable(&publication.page), &comparable(&other.page), &about);
                }
                compared += 1;
            }
        }
    }
    assert!(compared >= 60, "{compared}");
}

/// Of four groups one is suppressed, so that everybody knows which: how many these are would follow from how sex and region go together in
/// the original, from answers to count queries, and from how many rows learners were tested on.
#[test]
fn a_group_that_everybody_knows_is_not_counted() {
    let policy = "[input]\npath = \"people.csv\"\n[output]\npath = \"release.csv\"\nreport = \"report.html\"\n[columns.region]\n\
        role = \"quasi-identifier\"\nhierarchy = { suppress = {} }\nmax-level = 0\n[columns.sex]\nrole = \"quasi-identifier\"\n\
        hierarchy = { suppress = {} }\nmax-level = 0\n[columns.disease]\nrole = \"sensitive\"\n[[require]]\n\
        model = \"k-anonymity\"\nk = 10\n[method]\nmax-suppressed = 0.1\n";
    let bench = Workbench::with(&[("policy.toml", policy)]);
    for size in [34, 60, 100, 200] {
        let mut pages = (1..10).map(|hidden| {
            let mut table = "region,sex,disease\n".to_owned();
            for (group, rows) in [("N,M", size), ("N,F", size), ("S,M", size), ("S,F", hidden)] {
                (0..rows).for_each(|row| {
                    let _ = writeln!(table, "{group},{}", ["flu", "asthma", "cancer", "gastritis"][row % 4]);
                });
            }
            bench.write("people.csv", table);
            bench.must(&["anonymize", "policy.toml"]);
            let of_run = comparable(&bench.text("report.html"));
            let audit = [
                "audit",
                "release.csv",
                "--policy",
                "policy.toml",
                "--original",
                "people.csv",
                "--report",
                "audit.html",
            ];
            bench.must(&audit);
            (of_run, comparable(&bench.text("audit.html")))
        });
        let first = pages.next().unwrap();
        for (of_run, of_audit) in pages {
            assert_same(&of_run, &first.0, &format!("{size} a group"));
            assert_same(&of_audit, &first.1, &format!("{size} a group, audited"));
        }
    }
}

/// Somebody with many rows is one person: where people are counted, nothing says how many were left out, nor how many rows they have.
#[test]
fn many_rows_of_few_people_are_not_counted() {
    let policy = |output: &str| {
        format!(
            "[input]\npath = \"visits.csv\"\nperson = \"patient\"\n[output]\npath = \"release.csv\"\nreport = \"report.html\"\n{output}\
             [columns.patient]\nrole = \"identifier\"\n[columns.ward]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\n\
             max-level = 0\n[columns.disease]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 10\n[method]\n\
             max-suppressed = 0.5\nsuppress = \"people\"\n"
        )
    };
    let bench = Workbench::with(&[("policy.toml", &policy(""))]);
    let publish = |outliers: usize, visits: usize| {
        let mut table = "patient,ward,disease\n".to_owned();
        let people = (0..200).map(|at| (at, ["north", "south"][at % 2], 2));
        for (person, ward, visits) in people.chain((0..outliers).map(|at| (200 + at, "lone", visits))) {
            for visit in 0..visits {
                let _ = writeln!(table, "P{person},{ward},{}", ["flu", "asthma", "cancer"][(person / 2 + visit) % 3]);
            }
        }
        bench.write("visits.csv", table);
        let summary = bench.json(&["anonymize", "policy.toml", "--certificate", "c.json", "--json"]);
        assert_eq!(summary["suppressed_rows"], json!(outliers * visits));
        let audit =
            ["audit", "release.csv", "--policy", "policy.toml", "--original", "visits.csv", "--report", "audit.html"];
        assert_eq!(bench.run(&audit).code, 1, "people cannot be counted in the release");
        (bench.text("c.json"), comparable(&bench.text("report.html")), comparable(&bench.text("audit.html")))
    };
    let first = publish(1, 12);
    assert!(first.1.contains("some left out") && first.2.contains("some left out"), "{}", first.1);
    let certificate: Value = serde_json::from_str(&first.0).unwrap();
    for hidden in ["objectives", "input_rows", "suppressed_rows"] {
        assert_eq!(certificate["stated_by_its_maker"][hidden], Value::Null, "{hidden}");
    }
    for (outliers, visits) in [(1, 40), (3, 12), (9, 1)] {
        let other = publish(outliers, visits);
        assert_same(&other.0, &first.0, &format!("{outliers} people with {visits} rows each"));
        assert_same(&other.1, &first.1, &format!("{outliers} people with {visits} rows each, on the page"));
        assert_same(&other.2, &first.2, &format!("{outliers} people with {visits} rows each, audited"));
    }
    assert!(publish(0, 0).1.contains("all of the original"));
    // Rows of `*` that stay can be counted by everybody.
    bench.write("policy.toml", policy("suppressed = \"keep\"\n"));
    let kept: Value = serde_json::from_str(&publish(1, 12).0).unwrap();
    assert_eq!(kept["stated_by_its_maker"]["suppressed_rows"], json!(12));
}

/// Twelve people with two rows each are fewer than the twenty that the policy asks for, also to an audit that cannot judge it.
#[test]
fn an_audit_that_cannot_judge_people_keeps_their_threshold() {
    let policy = "[input]\npath = \"visits.csv\"\nperson = \"patient\"\n[output]\npath = \"release.csv\"\nreport = \"report.html\"\n\
         [columns.ward]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\nmax-level = 0\n[columns.disease]\nrole = \"sensitive\"\n\
         [[require]]\nmodel = \"k-anonymity\"\nk = 20\n[method]\nmax-suppressed = 0.2\n";
    let bench = Workbench::with(&[("policy.toml", policy)]);
    let mut table = "patient,ward,disease\n".to_owned();
    for person in 0..212 {
        let ward = if person < 12 { "lone" } else { ["north", "south"][person % 2] };
        let _ = write!(table, "P{person},{ward},flu\nP{person},{ward},{}\n", ["asthma", "cancer"][person / 2 % 2]);
    }
    bench.write("visits.csv", table);
    bench.must(&["anonymize", "policy.toml"]);
    let audit =
        ["audit", "release.csv", "--policy", "policy.toml", "--original", "visits.csv", "--report", "audit.html"];
    assert_eq!(bench.run(&audit).code, 1);
    for page in ["report.html", "audit.html"] {
        let text = text_of(&bench.text(page));
        assert!(text.contains("some left out") && !text.contains("of 424"), "{page}: {text}");
        assert!(text.contains("no count of fewer than 20 originals"), "{page}: {text}");
        assert!(!text.contains("Each row is taken for one person"), "{page}: {text}");
    }
}

/// What is none or many is told, and all else with it.
#[test]
fn numbers_that_may_be_told_are() {
    let bench = Workbench::with(&[("policy.toml", &policy(POLICIES[0]))]);
    for (outliers, said) in [(0, "all of the original"), (11, "of 307")] {
        let publication = publish(&bench, outliers, "Kuru");
        assert_eq!(publication.suppressed, outliers as u64);
        let certificate: Value = serde_json::from_str(&publication.certificate).unwrap();
        let stated = &certificate["stated_by_its_maker"];
        assert_eq!((&stated["suppressed_rows"], &stated["input_rows"]), (&json!(outliers), &json!(296 + outliers)));
        assert!(stated["objectives"]["discernibility"].is_number(), "{stated:#}");
        assert!(text_of(&publication.page).contains(said), "{said}");
        bench.must(&["audit", "release.csv", "--certificate", "c.json"]);
    }
    // Four are too few, and whoever reads the certificate is told that something is not told.
    let publication = publish(&bench, 4, "Kuru");
    let certificate: Value = serde_json::from_str(&publication.certificate).unwrap();
    for hidden in ["objectives", "input_rows", "suppressed_rows"] {
        assert_eq!(certificate["stated_by_its_maker"][hidden], Value::Null, "{hidden}");
    }
    assert!(text_of(&publication.page).contains("The release is not compared with its original here"));
    // A limit of one row would tell that it was one.
    bench.write("policy.toml", policy(POLICIES[0]).replace("max-suppressed = 0.04", "max-suppressed = 0.004"));
    let publication = publish(&bench, 1, "Kuru");
    assert_eq!(publication.suppressed, 1);
    assert!(!text_of(&publication.page).contains("0.4%"), "{}", text_of(&publication.page));
}
