//! What is done with a table that nobody vouches for: looked at, counted, anonymized and audited.

use shoal::init;
use shoal::policy::Policy;
use shoal_core::watch::Unwatched;
use shoal_core::{Result, printable};
use shoal_format::{self as format, Cells, InputFormat};

use crate::attempt;
use crate::workplace::Workplace;

pub fn csv(bytes: &[u8]) -> Result<()> {
    let extension = match bytes {
        [0x1f, 0x8b, ..] => "csv.gz",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "csv.zst",
        _ => "csv",
    };
    table(extension, bytes)
}

pub fn json_lines(bytes: &[u8]) -> Result<()> {
    table("jsonl", bytes)
}

pub fn parquet(bytes: &[u8]) -> Result<()> {
    table("parquet", bytes)
}

pub fn workbook(bytes: &[u8]) -> Result<()> {
    table("xlsx", bytes)
}

pub fn sqlite(bytes: &[u8]) -> Result<()> {
    table("sqlite", bytes)
}

fn table(extension: &str, bytes: &[u8]) -> Result<()> {
    let place = Workplace::new();
    let input = InputFormat::new(place.with(&format!("table.{extension}"), bytes));
    tried(&place, &input)
}

fn tried(place: &Workplace, input: &InputFormat) -> Result<()> {
    let columns = read(input)?;
    let findings = init::profile(input, &Unwatched)?;
    let starter = init::starter_policy(&findings, &init::Choices::proposed(&findings), place.folder());
    // A policy needs a quasi-identifier; where none is proposed there is none to run.
    if let Err(error) = Policy::parse(&starter, "starter.toml", place.folder()) {
        assert!(error.to_string().contains("no column is a quasi-identifier"), "{error}\n{starter}");
    }
    for (method, output) in [("full-domain", "release.csv"), ("mondrian", "release.jsonl")] {
        let policy = Policy::parse(&policy_for(&columns, method), "policy.toml", place.folder())?;
        attempt::release(&policy, &input.path, &place.path(output))?;
    }
    let sensitive = columns.get(2..3).unwrap_or_default();
    attempt::audited(None, &input.path, (&columns[..columns.len().min(2)], sensitive), None)
}

/// Reads all rows; the names of the columns.
fn read(input: &InputFormat) -> Result<Vec<String>> {
    let mut reader = format::open(input)?;
    let columns = reader.columns().to_vec();
    while let Some(batch) = reader.next_batch()? {
        let texts = batch.columns.iter().map(Cells::text).collect::<Result<Vec<_>>>()?;
        assert!(
            texts.iter().all(|text| text.iter().count() == batch.rows()),
            "a column of another length than its batch"
        );
        assert_eq!(texts.len(), columns.len());
    }
    Ok(columns)
}

/// The first two columns could identify somebody, the third is sensitive, the fourth is published as it is.
fn policy_for(columns: &[String], method: &str) -> String {
    let mut policy = "[input]\nother-columns = \"drop\"\n".to_owned();
    let roles = [
        "role = \"quasi-identifier\"\nhierarchy = { suppress = {} }",
        "role = \"quasi-identifier\"\nhierarchy = { mask = {} }",
        "role = \"sensitive\"",
        "role = \"insensitive\"",
    ];
    for (name, role) in columns.iter().zip(roles) {
        let name = serde_json::Value::from(name.as_str()).to_string();
        policy += &format!("[columns.{}]\n{role}\n", printable::toml(&name));
    }
    let diversity = "[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n";
    policy += "[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    policy += if columns.len() > 2 { diversity } else { "" };
    policy + &format!("[method]\nname = \"{method}\"\nmax-suppressed = 0.5\n")
}
