//! Is a release in two tables what was asked for, in every format, and do neither of them stand alone?

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use shoal::policy::Policy;
use shoal::publish::{Intent, Outputs};
use shoal::run::anonymize;
use shoal::source::{Counted, LocalSource, Source, Staged};
use shoal::study::{Origin, Release, Study, Writing};
use shoal_core::recode::Recoding;
use shoal_core::watch::{Unwatched, Watch};
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat};

const POLICY: &str = r#"[input]
path = "table.csv"
missing = ["?"]
[output]
path = "release.csv"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
[columns.zip]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[columns.note]
role = "insensitive"
[[require]]
model = "distinct-l-diversity"
column = "ill"
l = 2
[method]
name = "anatomy"
"#;

/// Figure 1 of Anatomy, in spirit: eight patients, four illnesses.
const TABLE: &str = "name,age,zip,ill,note\nAnn,23,11000,pneumonia,a\nBob,27,13000,dyspepsia,b\nCid,35,59000,dyspepsia,c\n\
    Dan,59,12000,pneumonia,d\nEve,61,54000,flu,e\nFay,65,25000,?,f\nGus,65,25000,flu,g\nHal,70,30000,bronchitis,h\n";

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(table: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("table.csv"), table).unwrap();
        Self(folder)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn policy(&self, text: &str) -> Policy {
        Policy::parse(text, "policy.toml", self.0.path()).unwrap()
    }

    fn run(&self, text: &str) -> Result<Release> {
        let policy = self.policy(text);
        anonymize(LocalSource::new(&policy, None, None)?, &policy, Writing::new(), &Unwatched)
    }

    fn read(&self, name: &str) -> Vec<Vec<String>> {
        read(&self.at(name))
    }
}

/// The header and all rows of a table, as text.
fn read(path: &Path) -> Vec<Vec<String>> {
    let mut reader = format::open(&InputFormat::new(path)).unwrap();
    let mut rows = vec![reader.columns().to_vec()];
    while let Some(batch) = reader.next_batch().unwrap() {
        let columns: Vec<_> = batch.columns.iter().map(|cells| cells.text().unwrap().into_owned()).collect();
        let cell = |column: &arrow_array::StringArray, row: usize| {
            use arrow_array::Array;
            if column.is_null(row) { "?".to_owned() } else { column.value(row).to_owned() }
        };
        rows.extend((0..batch.rows()).map(|row| columns.iter().map(|column| cell(column, row)).collect()));
    }
    rows
}

/// The values of a class with their counts, and its rows.
type Class = (Vec<(String, u64)>, Vec<Vec<String>>);

/// What an outsider can put together.
fn joined(rows: &[Vec<String>], values: &[Vec<String>]) -> BTreeMap<String, Class> {
    let mut classes: BTreeMap<String, Class> = BTreeMap::new();
    for value in &values[1..] {
        let count = value.last().unwrap().parse().unwrap();
        classes.entry(value[0].clone()).or_default().0.push((value[1].clone(), count));
    }
    for row in &rows[1..] {
        classes.get_mut(row.last().unwrap()).expect("the class has values").1.push(row[..row.len() - 1].to_vec());
    }
    classes
}

fn assert_is_release_of_the_table(rows: &[Vec<String>], values: &[Vec<String>]) {
    assert_eq!(rows[0], ["age", "zip", "note", "class"]);
    assert_eq!(values[0], ["class", "ill", "count"]);
    assert!(values[1..].is_sorted_by_key(|row| (row[0].parse::<u64>().unwrap(), row[1] == "?", row[1].clone())));
    let original: Vec<Vec<String>> =
        TABLE.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    original.iter().for_each(|row| *left.entry(&row[3]).or_default() += 1);
    let mut people = BTreeSet::new();
    for (values, members) in joined(rows, values).values() {
        assert!(values.len() >= 2, "two values at least");
        assert_eq!(values.iter().map(|value| value.1).sum::<u64>(), members.len() as u64);
        values.iter().for_each(|(value, count)| *left.get_mut(value.as_str()).unwrap() -= count);
        // The true value of every member is among those of the class.
        for member in members {
            let person = original.iter().find(|row| row[4] == member[2]).unwrap();
            assert_eq!([&person[1], &person[2]], [&member[0], &member[1]], "as it is");
            assert!(values.iter().any(|(value, _)| *value == person[3]));
            people.insert(member[2].clone());
        }
    }
    assert!(left.values().all(|&count| count == 0) && people.len() == original.len(), "nothing is lost");
}

#[test]
fn rows_stay_as_they_are_and_values_are_counted_by_class_in_every_format() {
    for (extension, shuffle) in [("csv", false), ("csv", true), ("csv.gz", false), ("jsonl", false), ("parquet", true)]
    {
        let folder = Folder::new(TABLE);
        let output = format!("path = \"release.{extension}\"\nshuffle = {shuffle}");
        let outcome = folder.run(&POLICY.replace("path = \"release.csv\"", &output)).unwrap();
        let sensitive = format!("release.sensitive.{extension}");
        assert_is_release_of_the_table(&folder.read(&format!("release.{extension}")), &folder.read(&sensitive));
        assert_eq!(outcome.published.sensitive, Some(folder.at(&sensitive).display().to_string()));
        assert_eq!(outcome.measured.classes, 4);
    }
}

#[test]
fn numbers_keep_their_form() {
    let folder = Folder::new(TABLE);
    let lines = "{\"age\":23,\"ill\":1,\"of\":\"x\"}\n{\"age\":27,\"ill\":2.50,\"of\":\"1\"}\n{\"age\":27,\"ill\":true,\"of\":null}\n";
    fs::write(folder.at("table.jsonl"), lines).unwrap();
    let policy = |input: &str, output: &str| {
        format!(
            "[input]\npath = \"{input}\"\n[output]\npath = \"{output}\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
         [columns.ill]\nrole = \"sensitive\"\n[columns.of]\nrole = \"sensitive\"\n[[require]]\nmodel = \"distinct-l-diversity\"\n\
         l = 3\n[method]\nname = \"anatomy\"\n"
        )
    };
    folder.run(&policy("table.jsonl", "release.jsonl")).unwrap();
    let written = fs::read_to_string(folder.at("release.sensitive.jsonl")).unwrap();
    let mut lines: Vec<&str> = written.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "{\"class\":1,\"ill\":1,\"of\":\"x\",\"count\":1}",
            "{\"class\":1,\"ill\":2.50,\"of\":\"1\",\"count\":1}",
            "{\"class\":1,\"ill\":true,\"of\":null,\"count\":1}",
        ]
    );
}

#[test]
fn what_it_cannot_give_is_refused_plainly() {
    let folder = Folder::new(TABLE);
    let distinct = "model = \"distinct-l-diversity\"\ncolumn = \"ill\"\nl = 2";
    for (from, to, message) in [
        (distinct, "model = \"k-anonymity\"\nk = 2", "cannot give 2-anonymity"),
        (distinct, "model = \"p-sensitive-k-anonymity\"\nk = 2\np = 2", "cannot give 2-sensitive 2-anonymity"),
        (distinct, "model = \"alpha-k-anonymity\"\nalpha = 0.5\nk = 2", "cannot give (0.5, 2)-anonymity"),
        ("[columns.zip]\n", "[columns.zip]\nmin-level = 1\n", "`min-level` of column `zip`"),
    ] {
        let error = folder.run(&POLICY.replace(from, to)).unwrap_err();
        assert!(error.message().contains(message), "{error}");
        assert!(error.hint_text().is_some());
    }
    let taken = POLICY.replace("[columns.note]", "[columns.class]");
    let error = Policy::parse(&taken, "policy.toml", folder.0.path()).unwrap_err();
    assert!(error.message().contains("adds a column `class`"), "{error}");
    let others = POLICY
        .replace("[columns.note]\nrole = \"insensitive\"\n", "")
        .replace("[output]", "other-columns = \"insensitive\"\n[output]");
    fs::write(folder.at("table.csv"), TABLE.replace("note", "count")).unwrap();
    let error = folder.run(&others).unwrap_err();
    assert!(error.message().contains("adds a column `count`"), "{error}");
    assert_eq!(folder.run(&(others + "count-column = \"records\"\n")).unwrap().measured.classes, 4);
}

#[test]
fn suppressed_rows_can_be_kept_as_stars() {
    // Seven of one value and three others: only three pairs can be made, one may go.
    let table: String =
        (0..10).map(|row| format!("N{row},{row},{row},{},n{row}\n", ["a", "b"][usize::from(row > 6)])).collect();
    let folder = Folder::new(&format!("name,age,zip,ill,note\n{table}"));
    let policy = POLICY.replace("model = \"distinct-l-diversity\"", "model = \"simple-l-diversity\"");
    let policy = policy.replace("path = \"release.csv\"", "path = \"release.csv\"\nsuppressed = \"keep\"");
    assert!(folder.run(&policy).is_err());
    let outcome = folder.run(&(policy + "max-suppressed = 0.4\n")).unwrap();
    assert_eq!((outcome.partition().suppressed(), outcome.measured.classes), (4, 3));
    let rows = folder.read("release.csv");
    assert_eq!(rows.iter().filter(|row| row.iter().all(|cell| cell == "*")).count(), 4);
    assert_eq!(folder.read("release.sensitive.csv").len(), 1 + 6);
}

/// One count serves policies with and without a table of sensitive values, wherever each of them has it.
#[test]
fn sensitive_values_go_where_the_policy_says_that_is_followed() {
    let folder = Folder::new(TABLE);
    let whole = folder.policy(&POLICY.replace("anatomy", "mondrian"));
    let anatomy = folder.policy(POLICY);
    let elsewhere =
        folder.policy(&POLICY.replace("\"release.csv\"\n", "\"release.csv\"\nsensitive-path = \"ill.csv\"\n"));
    let files = |policy: &Policy, study: &Study| {
        let study = study.with(policy, &Unwatched).unwrap();
        assert_eq!(study.origin(), Origin::Shared);
        let writing = Writing::new().overwriting(true);
        study.write(&study.best(&Unwatched).unwrap(), writing, &Unwatched).unwrap();
        let is_there = |name: &&str| fs::remove_file(folder.at(name)).is_ok();
        ["release.csv", "release.sensitive.csv", "ill.csv"].into_iter().filter(is_there).collect::<Vec<&str>>()
    };
    for first in [&whole, &anatomy] {
        let study = Study::count(LocalSource::new(first, None, None).unwrap(), first, &Unwatched).unwrap();
        assert_eq!(files(&whole, &study), ["release.csv"]);
        assert_eq!(files(&anatomy, &study), ["release.csv", "release.sensitive.csv"]);
        assert_eq!(files(&elsewhere, &study), ["release.csv", "ill.csv"]);
    }
}

/// A file source whose staged files are rewritten before they are verified.
struct Disturbed {
    inner: LocalSource,
    after_staging: Box<dyn Fn() + Send>,
}

impl Source for Disturbed {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        self.inner.count(policy, watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        let staged = self.inner.stage(policy, counted, recoding, outputs, watch)?;
        (self.after_staging)();
        Ok(staged)
    }

    fn announce(&self, policy: &Policy, intent: &mut Intent) -> Result<()> {
        self.inner.announce(policy, intent)
    }

    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Vec<(String, Vec<String>)>> {
        self.inner.some_values(policy, watch)
    }
}

fn disturb(file: &'static str, rewrite: impl Fn(&str) -> String + Send + 'static) -> Option<Error> {
    let folder = Folder::new(TABLE);
    let policy = folder.policy(POLICY);
    let place = folder.0.path().to_path_buf();
    let change = move || {
        let staged = fs::read_dir(&place).unwrap().map(|entry| entry.unwrap().path());
        let is_it = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_str().unwrap();
            name == format!(".shoal-{file}.new")
        };
        let path = staged.into_iter().find(is_it).unwrap();
        fs::write(&path, rewrite(&fs::read_to_string(&path).unwrap())).unwrap();
    };
    let inner = LocalSource::new(&policy, None, None).unwrap();
    let source = Disturbed { inner, after_staging: Box::new(change) };
    let error = anonymize(source, &policy, Writing::new(), &Unwatched).err();
    let left = fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(left, if error.is_some() { 1 } else { 3 }, "all or nothing");
    error
}

#[test]
fn tables_that_do_not_fit_are_not_published() {
    assert!(disturb("release.csv", str::to_owned).is_none());
    let in_class_1 = |text: &str| text.replacen(",2\n", ",1\n", 1);
    assert!(disturb("release.csv", in_class_1).is_some(), "a row in another class");
    assert!(disturb("release.csv", |text| text.replacen("class", "klass", 1)).is_some());
    assert!(disturb("release.sensitive.csv", |text| text.replacen(",1\n", ",2\n", 1)).is_some(), "a count too high");
    assert!(disturb("release.sensitive.csv", |text| text.replacen(",1\n", ",one\n", 1)).is_some());
    let one_value = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // The second value of the first class becomes its first.
        let value = lines[1].split(',').nth(1).unwrap().to_owned();
        lines[2] = format!("1,{value},1");
        lines.join("\n") + "\n"
    };
    assert!(disturb("release.sensitive.csv", one_value).is_some(), "a class of one value");
    let nobody_has_it = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        // Both have the first value, and the second one is nobody's.
        for (line, count) in [(1, "2"), (2, "0")] {
            lines[line] = format!("{},{count}", lines[line].rsplit_once(',').unwrap().0);
        }
        lines.join("\n") + "\n"
    };
    let error =
        disturb("release.sensitive.csv", nobody_has_it).expect("a class of one value, and of one that nobody has");
    assert!(error.to_string().contains("a count that is none"), "{error}");
}

#[test]
fn equal_runs_are_equal_and_a_seed_changes_who_is_with_whom() {
    let release = |seed: u64| {
        let folder = Folder::new(TABLE);
        folder.run(&format!("{POLICY}seed = {seed}\n")).unwrap();
        fs::read_to_string(folder.at("release.csv")).unwrap()
    };
    assert_eq!(release(1), release(1));
    assert!((2..10).any(|seed| release(seed) != release(1)));
}
