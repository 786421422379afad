//! A folder that client and server both see, tables to put into it, and a way to compare releases.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::*;
use parquet::arrow::ArrowWriter;
use shoal::generate;
use shoal::policy::Policy;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::{Release, Writing};
use shoal_core::watch::{Unwatched, Watch};
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat};
use tempfile::TempDir;

/// The address of a server that `services/run` has started.
pub fn server(variable: &str) -> String {
    let hint = "start one with: services/run sail spark -- cargo test -p shoal-engine --features services --test spark";
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} does not say where a server is; {hint}"))
}

pub fn sail() -> String {
    server("SHOAL_TEST_SAIL")
}

pub fn spark() -> String {
    server("SHOAL_TEST_SPARK")
}

/// What a policy says of a file beside it.
pub fn path(name: &str) -> String {
    format!("path = \"{name}\"")
}

pub struct Bench {
    folder: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// A policy of these columns and requirements that reads and writes these places.
    pub fn policy(&self, input: &str, output: &str, rest: &str) -> Policy {
        let text = format!("[input]\n{input}\n[output]\n{output}\n{rest}");
        shoal_engine::register();
        Policy::parse(&text, "policy.toml", self.folder.path()).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The release that the local path makes of a file. `input` and `output` are what a policy says of them.
    pub fn local(&self, input: &str, output: &str, rest: &str) -> Result<Vec<Vec<String>>> {
        let policy = self.policy(&format!("{input}\n{}", extra(rest)), output, columns(rest));
        let source = LocalSource::new(&policy, None, None)?;
        let release = anonymize(source, &policy, Writing::new(), &Unwatched)?;
        Ok(rows(&[PathBuf::from(&release.published.release)]))
    }

    /// The release that a server makes.
    pub fn remote(&self, server: &str, input: &str, output: &str, rest: &str) -> Result<Vec<Vec<String>>> {
        self.run(server, input, output, rest, false, &Unwatched)?;
        let folder = output.split('"').nth(1).unwrap();
        Ok(rows(&files(&self.path(folder))))
    }

    pub fn run(
        &self,
        server: &str,
        input: &str,
        output: &str,
        rest: &str,
        overwrite: bool,
        watch: &dyn Watch,
    ) -> Result<Release> {
        let policy = self.on_spark(server, input, output, rest);
        anonymize(shoal_engine::open(&policy, overwrite)?, &policy, Writing::new(), watch)
    }

    /// The policy of a run.
    pub fn on_spark(&self, server: &str, input: &str, output: &str, rest: &str) -> Policy {
        self.policy(&format!("spark = \"{server}\"\n{input}\n{}", extra(rest)), output, columns(rest))
    }

    /// The message of a run that must fail.
    pub fn refused(&self, server: &str, input: &str, output: &str, rest: &str) -> Error {
        match self.run(server, input, output, rest, false, &Unwatched) {
            Err(error) => error,
            Ok(_) => panic!("this should have been refused: {input}"),
        }
    }

    /// Made-up people as CSV.
    pub fn census(&self, name: &str, rows: u64) {
        self.generated("census", name, rows);
    }

    /// Made-up visits, several of each patient, as CSV.
    pub fn visits(&self, name: &str, rows: u64) {
        self.generated("visits", name, rows);
    }

    fn generated(&self, what: &str, name: &str, rows: u64) {
        let mut file = std::io::BufWriter::new(std::fs::File::create(self.path(name)).unwrap());
        generate::write_csv(what, rows, 1, &mut file).unwrap();
    }

    /// A small table with all that can go wrong in it.
    pub fn nasty(&self, name: &str) {
        let file = std::fs::File::create(self.path(name)).unwrap();
        let batch = nasty_rows(240);
        let mut writer = ArrowWriter::try_new(file, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
}

/// The lines of a policy that belong to `[input]`: those before its first column.
fn extra(rest: &str) -> &str {
    &rest[..rest.find("[columns").unwrap()]
}

fn columns(rest: &str) -> &str {
    &rest[rest.find("[columns").unwrap()..]
}

/// The files that workers have written into a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let is_data = |path: &PathBuf| !path.file_name().unwrap().to_str().unwrap().starts_with(['.', '_']);
    entries.map(|entry| entry.unwrap().path()).filter(is_data).collect()
}

/// All rows of these files as text, sorted; a missing value is a `NULL`.
pub fn rows(files: &[PathBuf]) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for path in files {
        let input =
            InputFormat { delimiter: Some(b','), quote: Some(b'"'), header: Some(true), ..InputFormat::new(path) };
        let mut reader = format::open(&input).unwrap();
        while let Some(batch) = reader.next_batch().unwrap() {
            let texts: Vec<_> = batch.columns.iter().map(|column| column.text().unwrap()).collect();
            for row in 0..batch.rows() {
                let cell = |cells: &StringArray| match cells.is_valid(row) {
                    true => cells.value(row).to_owned(),
                    false => "NULL".to_owned(),
                };
                rows.push(texts.iter().map(|cells| cell(cells)).collect());
            }
        }
    }
    rows.sort();
    rows
}

/// Rows of every kind of value: few of each, so that some are alike.
fn nasty_rows(rows: usize) -> RecordBatch {
    let pick = |row: usize, salt: usize, of: usize| (row * 7919 + salt * 104_729 + row * row * 31) % of;
    let column = |name: &str, array: ArrayRef| (name.to_owned(), array);
    let all = 0..rows;
    let zips = [Some("Ä1"), Some("ä1"), Some("it's \\ `q` \"x\""), Some(""), None, Some("007"), Some("7")];
    let ills = [Some("flu"), Some("Flu"), None, Some("größe"), Some(""), Some("*")];
    let zip: StringArray = all.clone().map(|row| zips[pick(row, 1, zips.len())]).collect();
    let ill: StringArray = all.clone().map(|row| ills[pick(row, 2, ills.len())]).collect();
    let age: Int32Array = all.clone().map(|row| (row % 17 != 0).then(|| 20 + pick(row, 3, 30) as i32)).collect();
    let born: Date32Array =
        all.clone().map(|row| (row % 19 != 0).then(|| 3650 + pick(row, 4, 5) as i32 * 400)).collect();
    let seen: TimestampMicrosecondArray = all
        .clone()
        .map(|row| (row % 23 != 0).then(|| 1_709_287_200_500_000 + pick(row, 5, 3) as i64 * 86_400_000_000))
        .collect();
    let called: TimestampMicrosecondArray =
        all.clone().map(|row| Some(1_709_287_200_000_000 + pick(row, 6, 2) as i64 * 3_600_000_000)).collect();
    let weight: Decimal128Array =
        all.clone().map(|row| (row % 29 != 0).then(|| 6_050 + pick(row, 7, 4) as i128 * 5)).collect();
    let scores = [Some(0.1), Some(-2.5), Some(0.0), Some(1e20), None, Some(f64::NAN)];
    let score: Float64Array = all.clone().map(|row| scores[pick(row, 8, scores.len())]).collect();
    let flag: BooleanArray = all.clone().map(|row| (row % 31 != 0).then(|| pick(row, 9, 2) == 0)).collect();
    let note: StringArray = all.clone().map(|row| (row % 13 != 0).then(|| format!("nöte {}", row % 5))).collect();
    let id: Int64Array = all.map(|row| Some(row as i64)).collect();
    RecordBatch::try_from_iter_with_nullable(
        [
            column("id", Arc::new(id)),
            column("age", Arc::new(age)),
            column("zip code", Arc::new(zip)),
            column("born", Arc::new(born)),
            column("seen", Arc::new(seen)),
            column("called", Arc::new(called.with_timezone("UTC"))),
            column("weight", Arc::new(weight.with_precision_and_scale(10, 2).unwrap())),
            column("score", Arc::new(score)),
            column("flag", Arc::new(flag)),
            column("ill", Arc::new(ill)),
            column("note", Arc::new(note)),
        ]
        .map(|(name, array)| (name, array, true)),
    )
    .unwrap()
}

/// What the policy of the nasty table says of its columns.
pub const NASTY: &str = r#"
[columns.id]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 20] }
[columns."zip code"]
role = "quasi-identifier"
[columns.born]
role = "quasi-identifier"
hierarchy = { dates = ["year", "decade"] }
[columns.seen]
role = "quasi-identifier"
[columns.called]
role = "insensitive"
[columns.weight]
role = "quasi-identifier"
[columns.score]
role = "quasi-identifier"
[columns.flag]
role = "quasi-identifier"
[columns.ill]
role = "sensitive"
[columns.note]
role = "insensitive"
[[require]]
model = "k-anonymity"
k = 3
"#;

/// What the policy of the census says of its columns, with the hierarchies of the example.
pub fn census_columns() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/census").canonicalize().unwrap();
    let text = std::fs::read_to_string(folder.join("policy.toml")).unwrap();
    let columns = text[text.find("[columns.age]").unwrap()..].to_owned();
    columns.replace("file = \"", &format!("file = \"{}/", folder.display()))
}
