//! Does an audit of a release say what the run that made it said, to the last digit?

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use serde_json::Value;
use shoal::audit::{Audit, AuditTask, AuditedColumn, KnownTable, audit, count_original};
use shoal::linking::AuditedQuasi;
use shoal::outsider::OutsiderTable;
use shoal::policy::{Policy, Role, Suppressed};
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::{Release, Writing};
use shoal_core::error::Kind;
use shoal_core::method::METHODS;
use shoal_core::objective::OBJECTIVES;
use shoal_core::table::{DateReading, MissingMarkers};
use shoal_core::watch::Unwatched;
use shoal_format as format;

/// A table with numbers (two texts for some), groups named like leaves, missing values and skewed sensitive values.
#[derive(Debug, Clone)]
struct Case {
    rows: Vec<[usize; 4]>,
    requirement: usize,
    method: usize,
    objective: usize,
    drops: bool,
    keeps: bool,
    spare: usize,
    ranges: usize,
}

/// How numbers are generalized. Groups of equal frequency may hold one number, or one in two spellings.
const RANGES: [&str; 2] = ["intervals = [5, 10]", "quantiles = [4, 2]"];
const AGES: [&str; 8] = ["2.1", "2.10", "3", "4.5", "7", "7.0", "11", "?"];
const TOWNS: [&str; 6] = ["A", "B", "C", "D", "x, y", "?"];
const ILLNESSES: [&str; 5] = ["hepatitis", "hepatitis", "hepatitis", "phthisis", "?"];
const SPARE: [&str; 3] = ["0", "0.2", "0.5"];

const REQUIREMENTS: [&str; 10] = [
    "model = \"k-anonymity\"\nk = 2\n",
    "model = \"distinct-l-diversity\"\nl = 2\n",
    "model = \"entropy-l-diversity\"\nl = 1.5\n",
    "model = \"tau-l-diversity\"\ntau = 0.7\nl = 2\n",
    "model = \"tau-l-diversity\"\ntau = 0.6\nl = 3\n",
    "model = \"tau-l-diversity\"\ntau = 0.7\nl = 2\nweights = \"released\"\n",
    "model = \"t-closeness\"\nt = 0.4\ndistance = \"equal\"\n",
    "model = \"t-closeness\"\nt = 0.4\ndistance = \"hierarchical\"\nreference = \"table\"\n",
    "model = \"bayes-optimal-privacy\"\ndifference = 0.4\n",
    "model = \"a-d-diversity\"\na = 1\nd = 2\ngroups = { level = 1 }\n",
];

/// Every method of the list, and some with other than their usual options.
fn methods() -> Vec<String> {
    let listed = METHODS.iter().map(|entry| format!("name = \"{}\"\n", entry.id()));
    let others = [
        "name = \"full-domain\"\nlocal = true\n",
        "name = \"mondrian\"\nnumbers = \"hierarchy\"\n",
        "name = \"mondrian\"\ncategories = \"sets\"\n",
        "name = \"microaggregation\"\ncategories-by = \"mode\"\n",
    ];
    listed.chain(others.map(str::to_owned)).collect()
}

fn case() -> impl Strategy<Value = Case> {
    let row = (0..AGES.len(), 0..TOWNS.len(), 0..3usize, 0..ILLNESSES.len());
    let rows = prop::collection::vec(row.prop_map(|(a, b, c, d)| [a, b, c, d]), 4..30);
    let choices = (0..REQUIREMENTS.len(), 0..methods().len(), 0..OBJECTIVES.len(), any::<bool>(), any::<bool>());
    let others = (0..SPARE.len(), 0..RANGES.len());
    (rows, choices, others).prop_map(|(rows, (requirement, method, objective, drops, keeps), (spare, ranges))| {
        // This one needs the groups of the last requirement.
        let needs_groups = methods()[method].contains("similarity-blocks");
        let requirement = if needs_groups { REQUIREMENTS.len() - 1 } else { requirement };
        Case { rows, requirement, method, objective, drops, keeps, spare, ranges }
    })
}

impl Case {
    fn policy(&self) -> String {
        let drops = if self.drops { "rows-with-missing = \"drop\"\n" } else { "" };
        let keeps = if self.keeps { "suppressed = \"keep\"\n" } else { "" };
        let ranges = RANGES[self.ranges];
        // A group is named like one leaf of its own, another like a leaf of the other.
        format!(
            r#"[input]
path = "table.csv"
missing = ["?"]
{drops}
[output]
path = "release.csv"
{keeps}
[columns.age]
role = "quasi-identifier"
hierarchy = {{ {ranges} }}
weight = 0.5
[columns.town]
role = "quasi-identifier"
hierarchy = {{ file = "town.csv" }}
[columns.sex]
role = "quasi-identifier"
hierarchy = {{ suppress = {{}} }}
[columns.ill]
role = "sensitive"
hierarchy = {{ tree = {{ hemal = ["hepatitis", "anemia"], respiratory = ["phthisis", "flu"] }} }}
[[require]]
{}
[method]
{}
objective = "{}"
max-suppressed = {}
"#,
            REQUIREMENTS[self.requirement],
            methods()[self.method],
            OBJECTIVES[self.objective].item.id(),
            SPARE[self.spare],
        )
    }

    fn table(&self) -> String {
        let mut text = "age,town,sex,ill\n".to_owned();
        for [age, town, sex, ill] in &self.rows {
            let sex = ["f", "m", "d"][*sex];
            writeln!(text, "{},\"{}\",{sex},{}", AGES[*age], TOWNS[*town], ILLNESSES[*ill]).unwrap();
        }
        text
    }

    fn write(&self, folder: &Path) {
        fs::write(folder.join("table.csv"), self.table()).unwrap();
        fs::write(folder.join("town.csv"), "A;A;*\nB;A;*\nC;B;*\nD;B;*\nx, y;x, y;*\nE;B;*\n").unwrap();
    }
}

fn audited(policy: &Policy, outcome: &Release, with_original: bool) -> Audit {
    let link = policy.method.method.separates();
    let names = |role| policy.with_role(role).map(|column| column.name.clone()).collect::<Vec<String>>();
    let markers = MissingMarkers::new(policy.input.missing.clone()).written();
    let exempt = policy.output.suppressed == Suppressed::Keep;
    let open = |path: &str| format::open(&policy.input_format(Path::new(path)).of_release()).unwrap();
    let published = &outcome.published;
    let mut reader = open(&published.release);
    let (quasi, sensitive) = (names(Role::QuasiIdentifier), names(Role::Sensitive));
    let table = match (link, &published.sensitive) {
        (Some(link), Some(values)) => OutsiderTable::read_separated(
            reader.as_mut(),
            open(values).as_mut(),
            (link.class, link.count),
            &sensitive,
            &markers,
            exempt,
            &Unwatched,
        ),
        _ => OutsiderTable::read(reader.as_mut(), &quasi, &sensitive, &markers, exempt, &Unwatched),
    };
    let (counted, _) = count_original(policy, &policy.folder.join("table.csv").into(), &Unwatched).unwrap().unwrap();
    let original = KnownTable {
        table: OutsiderTable::of_counted(&counted, link.is_none(), &policy.input.missing[0]).unwrap(),
        quasi: if link.is_none() { (0..quasi.len()).collect() } else { Vec::new() },
        sensitive: (0..sensitive.len()).collect(),
    };
    let quasi: Vec<AuditedQuasi> = match link {
        Some(link) => {
            let (name, dates) = (link.class.to_owned(), DateReading::default());
            vec![AuditedQuasi { name, hierarchy: None, min_level: 0, dates, measure: None }]
        }
        None => policy
            .with_role(Role::QuasiIdentifier)
            .map(|column| AuditedQuasi {
                name: column.name.clone(),
                hierarchy: column.hierarchy.clone(),
                min_level: column.min_level.unwrap_or(0),
                dates: column.date_reading(),
                measure: column.measure,
            })
            .collect(),
    };
    let sensitive: Vec<AuditedColumn> = policy
        .with_role(Role::Sensitive)
        .map(|column| AuditedColumn {
            name: column.name.clone(),
            hierarchy: column.hierarchy.clone(),
            dates: column.date_reading(),
        })
        .collect();
    let table = table.unwrap();
    let audit = audit(&AuditTask {
        original: with_original.then_some(&original),
        counted: with_original.then_some(&counted),
        ..AuditTask::new(&table, &quasi, &sensitive).judged_by(policy)
    });
    audit.unwrap_or_else(|error| panic!("an audit of our own release: {error}"))
}

/// Compares a run with its audit; which objectives both told.
fn compare(case: &Case, policy: &Policy, outcome: &Release, with_original: bool) -> u64 {
    let audit = audited(policy, outcome, with_original);
    assert!(audit.holds(), "the audit says no");
    let (made, found) = (&outcome.measured, &audit.measured);
    assert_eq!((made.classes, made.smallest, made.largest), (found.classes, found.smallest, found.largest));
    for (at, requirement) in outcome.requirements().iter().enumerate() {
        let said = requirement.achieved_json(made.achieved[at]);
        let read = audit.measures[at].achieved_json(found.achieved[at]);
        assert_eq!(said, read, "{}, with the original: {with_original}", requirement.model.name());
    }
    let Some(utility) = &audit.utility else { return 0 };
    let may_be_untold = ["microaggregation", "best"].contains(&policy.method.method.id());
    let mut told = 0;
    for ((id, said), (_, read)) in outcome.partition().objectives.iter().zip(&utility.losses.table) {
        if read.is_nan() && may_be_untold {
            continue;
        }
        // Not a number is written as null, by both.
        assert_eq!(Value::from(*said), Value::from(*read), "{id} of {}", methods()[case.method]);
        told += u64::from(!read.is_nan());
    }
    told
}

#[test]
fn a_release_and_its_audit_agree_to_the_last_digit() {
    let mut runner = TestRunner::new(crate::tables::random::cases(1200));
    let seen = std::cell::RefCell::new(vec![(0u64, 0u64); methods().len()]);
    let outcome = runner.run(&case(), |case| {
        let folder = tempfile::tempdir().unwrap();
        case.write(folder.path());
        let policy = Policy::parse(&case.policy(), "policy.toml", folder.path()).unwrap_or_else(|e| panic!("{e}"));
        let source = LocalSource::new(&policy, None, None).unwrap();
        let outcome = match anonymize(source, &policy, Writing::new(), &Unwatched) {
            Ok(outcome) => outcome,
            Err(error) if error.kind() == Kind::NoRelease => return Ok(()),
            // All rows are dropped, or a row that is kept looks like a suppressed one, or anatomy has nothing to separate.
            Err(error) => {
                assert!(!error.to_string().contains("bug"), "{error}");
                return Ok(());
            }
        };
        let told = compare(&case, &policy, &outcome, true);
        let entry = &mut seen.borrow_mut()[case.method];
        *entry = (entry.0 + 1, entry.1 + told);
        // Without the original nobody knows its distribution, nor which of the values below a label occur.
        let needs_original = case.requirement == 7 || !outcome.partition().generalized_sensitive().is_empty();
        if !needs_original {
            compare(&case, &policy, &outcome, false);
        }
        Ok(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    for (method, (releases, told)) in methods().iter().zip(seen.into_inner()) {
        assert!(releases >= 10, "{method}: only {releases} releases");
        assert!(told > 0 || method.contains("anatomy"), "{method}: no objective was ever told");
    }
}

/// Found among random cases: means of dates that are dates of others, shown by no more rows than have them. Only what those rows
/// hold tells that they stand for somebody else.
#[test]
fn a_mean_that_is_a_date_of_others_is_not_taken_for_theirs() {
    let rows = "mason,1,26|ab,1,26|south,1,22|south,2,22|south,1,-|-,1,23|ab,1,26|ab,1,22|south,-,23|ab,1,22|-,1,25|-,1,26|ab,1,23|\
        mason,1,23|south,1,22|south,1,23|south,1,22|south,1,26|mason,1,23|mason,1,25|south,1,26|-,1,22|mason,1,-|south,-,22|\
        ab,1,22|mason,1,-|mason,1,26";
    let dated = |row: &str| if row.ends_with('-') { format!("{row}\n") } else { format!("{row}.11.1964\n") };
    let table: String = std::iter::once("income,zip,seen\n".to_owned()).chain(rows.split('|').map(dated)).collect();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("table.csv"), table).unwrap();
    let text = r#"
[input]
path = "table.csv"
missing = ["-"]
[output]
path = "release.csv"
[columns.seen]
role = "quasi-identifier"
hierarchy = { dates = ["day", "month", "year", "decade"] }
[columns.zip]
role = "quasi-identifier"
hierarchy = { tree = { g0 = ["1", "2", "90", "91"] } }
[columns.income]
role = "sensitive"
[[require]]
model = "t-closeness"
t = 0.3
distance = "kl"
[method]
name = "best"
"#;
    let policy = Policy::parse(text, "policy.toml", folder.path()).unwrap();
    let outcome =
        anonymize(LocalSource::new(&policy, None, None).unwrap(), &policy, Writing::new(), &Unwatched).unwrap();
    let utility = audited(&policy, &outcome, true).utility.unwrap();
    for ((id, said), (_, read)) in outcome.partition().objectives.iter().zip(&utility.losses.table) {
        assert!(read.is_nan() || read == said, "{id}: {said}, and {read} by the audit");
    }
}
