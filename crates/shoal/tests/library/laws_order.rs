//! Is a release a function of the rows of its table, wherever they stand in it?

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use shoal::policy::{Policy, Resolving};
use shoal::prepare::task;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::Writing;
use shoal_core::method::{Assignment, Partition};
use shoal_core::recode::Pseudonyms;
use shoal_core::watch::Unwatched;

use crate::counted::Counted;
use crate::names_of_releases;

/// Every method that there is, and what is required of its release.
const METHODS: [(&str, &str); 9] = [
    ("name = \"full-domain\"", CLASSES),
    ("name = \"full-domain\"\nlocal = true", CLASSES),
    MONDRIAN,
    ("name = \"microaggregation\"", CLASSES),
    ("name = \"sweep\"", CLASSES),
    ("name = \"one-dimensional\"", CLASSES),
    ("name = \"similarity-blocks\"", "model = \"a-d-diversity\"\na = 1\nd = 2\ngroups = { level = 1 }"),
    ("name = \"anatomy\"", "model = \"distinct-l-diversity\"\nl = 2"),
    ("name = \"best\"", CLASSES),
];
const MONDRIAN: (&str, &str) = ("name = \"mondrian\"", CLASSES);
const CLASSES: &str = "model = \"k-anonymity\"\nk = 3";

/// Names and notes are of one row each; many rows are equal in all that is counted.
#[derive(Debug, Clone)]
struct Row {
    name: usize,
    age: u8,
    job: &'static str,
    note: usize,
    ill: &'static str,
}

const COLUMNS: [&str; 5] = ["name", "age", "job", "note", "ill"];

impl Row {
    fn cells(&self) -> [String; 5] {
        let Self { name, age, job, note, ill } = self;
        [format!("P-{name}"), age.to_string(), (*job).to_owned(), format!("note {note}"), (*ill).to_owned()]
    }
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let job = prop::sample::select(vec!["clerk", "smith"]);
    let ill = prop::sample::select(vec!["flu", "cold", "gout"]);
    let counted = (prop::sample::select(vec![20u8, 21, 45]), job, ill);
    prop::collection::vec((counted, 0usize..40), 12..40).prop_map(|rows| {
        // Some notes are those of several rows.
        let row = |(name, ((age, job, ill), note))| Row { name, age, job, note, ill };
        rows.into_iter().enumerate().map(row).collect()
    })
}

/// Rows, and the same rows in another order.
fn two_orders() -> impl Strategy<Value = (Vec<Row>, Vec<Row>)> {
    rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle()))
}

fn write_table(path: &Path, rows: &[Row]) {
    let is_json = path.extension().is_some_and(|extension| extension == "jsonl");
    let mut text = if is_json { String::new() } else { COLUMNS.join(",") + "\n" };
    for row in rows {
        let cells = row.cells();
        text += &match is_json {
            false => cells.join(","),
            true => {
                let mut object: BTreeMap<&str, serde_json::Value> =
                    COLUMNS.iter().copied().zip(cells.iter().map(|cell| cell.clone().into())).collect();
                object.insert("age", row.age.into());
                serde_json::to_string(&object).unwrap()
            }
        };
        text.push('\n');
    }
    std::fs::write(path, text).unwrap();
}

fn policy(folder: &Path, (method, requirement): (&str, &str), input: &str, output: &str, extra: &str) -> Policy {
    let text = format!(
        "[input]\npath = \"{input}\"\n[output]\npath = \"{output}\"\n{extra}\n[columns.name]\nrole = \"identifier\"\n\
         replace = \"pseudonym\"\nkey-file = \"a.key\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         hierarchy = {{ intervals = [5, 50] }}\n[columns.job]\nrole = \"quasi-identifier\"\n[columns.note]\n\
         role = \"insensitive\"\n[columns.ill]\nrole = \"sensitive\"\n\
         hierarchy = {{ tree = {{ mild = [\"flu\", \"cold\"], lasting = [\"gout\"] }} }}\n[[require]]\n{requirement}\n\
         [method]\nmax-suppressed = 0.2\n{method}\n"
    );
    let path = folder.join("policy.toml");
    std::fs::write(&path, text).unwrap();
    Policy::read(&path).unwrap()
}

fn folder_with_key() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("a.key");
    std::fs::write(&key, "3f0c9a71b2d84e56a7c81f02e9d4b6537a1e5c08d2f94b36").unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    folder
}

/// Everything that is published, or why nothing is.
fn published(policy: &Policy) -> Result<Vec<Vec<u8>>, String> {
    let source = LocalSource::new(policy, None, None).map_err(|error| error.to_string())?;
    let release = source.output().unwrap().to_owned();
    anonymize(source, policy, Writing::new(), &Unwatched).map_err(|error| error.to_string())?;
    let sensitive: PathBuf = release.with_extension(format!("sensitive.{}", release.extension().unwrap().display()));
    let files = [release, sensitive].into_iter().filter(|path| path.exists());
    Ok(files.map(|path| std::fs::read(path).unwrap()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    /// Equal rows that go to several classes are told apart by their notes and names.
    #[test]
    fn the_order_of_a_table_leaves_no_trace(
        (rows, permuted) in two_orders(),
        method in prop::sample::select(METHODS.to_vec()),
        input in prop::sample::select(vec!["table.csv", "table.jsonl"]),
        extra in prop::sample::select(vec!["", "suppressed = \"keep\"", "seed = 7"]),
    ) {
        let folder = folder_with_key();
        let table = folder.path().join(input);
        for output in &names_of_releases() {
            let policy = policy(folder.path(), method, input, output, extra);
            write_table(&table, &rows);
            let one = published(&policy);
            write_table(&table, &permuted);
            let other = published(&policy);
            prop_assert!(one == other, "{output} of {method:?} depends on the order of the table");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Where everybody has one row, it makes no difference whether people are counted, whatever is known of them and whoever is left out.
    #[test]
    fn rows_of_one_each_are_people(
        rows in rows(),
        method in prop::sample::select(METHODS.to_vec()),
        people in prop::sample::select(vec![("", ""), ("knows = \"all-rows\"\n", ""), ("", "suppress = \"people\"\n")]),
    ) {
        let folder = folder_with_key();
        write_table(&folder.path().join("table.csv"), &rows);
        let by_rows = policy(folder.path(), method, "table.csv", "release.csv", "");
        let (knows, suppress) = people;
        // Another name for people is shown only where all of their rows are reckoned with.
        let by_rows = match knows {
            "" => by_rows.text.replace("replace = \"pseudonym\"\nkey-file = \"a.key\"\n", ""),
            _ => by_rows.text.clone(),
        };
        let by_rows = Policy::parse(&by_rows, "rows.toml", folder.path()).unwrap();
        let text = by_rows.text.replace("[output]", &format!("person = \"name\"\n{knows}[output]"));
        let text = text.replace("[method]\n", &format!("[method]\n{suppress}"));
        let by_people = Policy::parse(&text, "people.toml", folder.path()).unwrap();
        match (published(&by_rows), published(&by_people)) {
            (Ok(by_rows), Ok(by_people)) => prop_assert!(by_rows == by_people, "{method:?} {people:?}"),
            (by_rows, by_people) => prop_assert_eq!(by_rows.is_ok(), by_people.is_ok(), "{:?} {:?}", method, people),
        }
    }
}

/// Names that are drawn are others in each run, and nothing else is: neither what stands beside them, nor how often.
#[test]
fn random_names_are_all_that_differs() {
    let rows = many_rows(1)[..600].to_vec();
    let backwards: Vec<Row> = rows.iter().rev().cloned().collect();
    for method in METHODS {
        let folder = folder_with_key();
        let policy = policy(folder.path(), method, "table.csv", "release.csv", "");
        let text = policy.text.replace("replace = \"pseudonym\"\nkey-file = \"a.key\"", "replace = \"random\"");
        let text = text.replace("role = \"insensitive\"", "role = \"identifier\"");
        let policy = Policy::parse(&text, "random.toml", folder.path()).unwrap();
        let release = |rows: &[Row]| {
            write_table(&folder.path().join("table.csv"), rows);
            let files = published(&policy).unwrap();
            let text = String::from_utf8(files[0].clone()).unwrap();
            let mut rows: Vec<(String, String)> = Vec::new();
            for line in text.lines().skip(1) {
                let (name, rest) = line.split_once(',').unwrap();
                rows.push((rest.to_owned(), name.to_owned()));
            }
            rows.sort_unstable();
            let (shown, names): (Vec<String>, Vec<String>) = rows.into_iter().unzip();
            (shown, names.into_iter().collect::<std::collections::HashSet<String>>(), files.get(1).cloned())
        };
        let (one, other) = (release(&rows), release(&backwards));
        assert_eq!(one.1.len(), one.0.len(), "{method:?}");
        assert!(one.1.is_disjoint(&other.1), "{method:?}");
        assert!((one.0, one.2) == (other.0, other.2), "{method:?}");
    }
}

/// Gives every row of a tuple to another class than the one before, as far as there are classes.
fn scatter(partition: &mut Partition) {
    partition.node = None;
    let classes = partition.classes.len() as u32;
    let parts = |whole: &Assignment| -> Vec<Assignment> {
        let class = |at: u64| whole.class.map(|class| (class + at as u32) % classes);
        (0..whole.count).map(|at| Assignment { class: class(at), count: 1, ..*whole }).collect()
    };
    partition.assignments = partition.assignments.iter().flat_map(parts).collect();
}

/// The release of a table whose equal rows are all in different classes; nothing is asked of it.
fn scattered(policy: &Policy, names: &[(String, Pseudonyms)], threads: usize) -> Vec<u8> {
    let run = || {
        let mut counted = Counted::of(policy);
        let requirements = policy.resolve(Resolving::input(&counted.table)).unwrap();
        let task = task(policy, &counted.table, &requirements);
        let mut partition = policy.method.method.partition(&task, &Unwatched).unwrap();
        scatter(&mut partition);
        counted.publish(policy, &partition, names)
    };
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Enough rows for many blocks and for files of rows that wait, in an order that a number decides.
fn many_rows(step: usize) -> Vec<Row> {
    let count = 30_011;
    let row = |place: usize| {
        let name = place * step % count;
        let (age, job, ill) =
            ([20, 21, 45][name % 3], ["clerk", "smith"][name / 3 % 2], ["flu", "cold", "gout"][name / 7 % 3]);
        Row { name, age, job, note: name % 9_000, ill }
    };
    (0..count).map(row).collect()
}

#[test]
fn many_rows_that_wait_give_one_release_on_any_number_of_threads() {
    let folder = folder_with_key();
    let names = |key: &[u8]| vec![("name".to_owned(), Pseudonyms::new(key, None))];
    let table = folder.path().join("table.csv");
    for output in &names_of_releases() {
        let policy = policy(folder.path(), MONDRIAN, "table.csv", output, "");
        write_table(&table, &many_rows(1));
        let one = scattered(&policy, &names(b"a key"), 1);
        for (step, threads) in [(1, 3), (7_919, 1), (30_010, 4)] {
            write_table(&table, &many_rows(step));
            assert!(scattered(&policy, &names(b"a key"), threads) == one, "{output}, step {step}, {threads} threads");
        }
        assert!(scattered(&policy, &names(b"another"), 1) != one, "{output}: names decide, too");
    }
}

/// Which rows of a tuple go to which class is not decided by where they stand: of those who go to the first class, as many come
/// from the first half of the table as from the second.
#[test]
fn who_stands_first_is_not_dealt_first() {
    let folder = folder_with_key();
    let policy = policy(folder.path(), MONDRIAN, "table.csv", "release.csv", "");
    write_table(&folder.path().join("table.csv"), &many_rows(1));
    let mut counted = Counted::of(&policy);
    let requirements = policy.resolve(Resolving::input(&counted.table)).unwrap();
    let task = task(&policy, &counted.table, &requirements);
    let mut partition = policy.method.method.partition(&task, &Unwatched).unwrap();
    partition.node = None;
    // The first half of the rows of each tuple is suppressed.
    let halves = |whole: &Assignment| {
        let half = whole.count / 2;
        [Assignment { class: None, count: half, ..*whole }, Assignment { count: whole.count - half, ..*whole }]
    };
    partition.assignments = partition.assignments.iter().flat_map(halves).collect();
    let names = [("name".to_owned(), Pseudonyms::new(b"a key", None))];
    let release = String::from_utf8(counted.publish(&policy, &partition, &names)).unwrap();
    let first_half = (0..30_011 / 2).map(|person| names[0].1.of(&format!("P-{person}")));
    let first_half: std::collections::HashSet<String> = first_half.collect();
    let (mut early, mut all) = (0, 0);
    for line in release.lines().skip(1) {
        early += usize::from(first_half.contains(line.split(',').next().unwrap()));
        all += 1;
    }
    // Half of 15,000, give or take four standard deviations.
    assert!(all >= 15_000 && early.abs_diff(all / 2) < 250, "{early} of {all} stood in the first half");
}
