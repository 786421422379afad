//! Anonymizes Arrow record batches in memory: asks what each k would cost, stops a run half way, and makes a release.
//!
//!     cargo run -p shoal --example in_memory

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use shoal::{Go, Kind, LocalSource, MemoryTable, Policy, Result, Study, Unwatched, Watch, Writing, hierarchy};

/// Answers a few questions, and then wants no more.
struct Impatient(AtomicU32);

impl Watch for Impatient {
    fn go(&self) -> Go {
        if self.0.fetch_add(1, Ordering::Relaxed) < 5 { Go::On } else { Go::Stop }
    }
}

fn policy(k: i64) -> Result<Policy> {
    Policy::builder()
        .quasi("age", hierarchy::intervals([5, 10, 20, 40]))
        .quasi("zip code", hierarchy::mask("right"))
        .sensitive("diagnosis")
        .require("k-anonymity", [("k", k)])
        .require("distinct-l-diversity", [("l", 2)])
        .build()
}

/// A thousand patients.
fn patients() -> Result<MemoryTable> {
    let ages: ArrayRef = Arc::new(Int64Array::from_iter_values((0..1000).map(|person| 18 + person * 37 % 70)));
    let zips: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..1000).map(|person| (13000 + person * 53 % 120).to_string())));
    let diagnoses = ["asthma", "flu", "gout", "measles"];
    let diagnoses: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..1000).map(|person| diagnoses[person * 7 / 3 % diagnoses.len()])));
    let columns = [("age", ages), ("zip code", zips), ("diagnosis", diagnoses)];
    let batch = RecordBatch::try_from_iter(columns).expect("columns of one length");
    MemoryTable::new(batch.schema(), vec![batch])
}

/// Runs the example.
pub fn main() -> Result<()> {
    let study = Study::count(LocalSource::in_memory(patients()?), &policy(2)?, &Unwatched)?;
    println!("{:>4} {:>8} {:>8}", "k", "loss", "classes");
    for k in [2, 5, 10, 20, 50] {
        let candidate = study.with(&policy(k)?, &Unwatched)?.best(&Unwatched)?;
        println!("{k:>4} {:>8.4} {:>8}", candidate.objective_value(), candidate.partition().classes.len());
    }

    let stopped = study.best(&Impatient(AtomicU32::new(0)));
    assert_eq!(stopped.err().map(|error| error.kind()), Some(Kind::Cancelled));

    let study = study.with(&policy(10)?, &Unwatched)?;
    let release = study.write(&study.best(&Unwatched)?, Writing::new(), &Unwatched)?;
    let rows = release.in_memory.expect("the release of a table in memory is there, too").rows;
    println!(
        "\n{} rows in classes of at least {}, for example {:?}",
        rows.rows(),
        release.measured.smallest,
        first(&rows)
    );
    Ok(())
}

/// What the first row shows.
fn first(table: &MemoryTable) -> Vec<String> {
    let row = table.batches()[0].slice(0, 1);
    let text = |column: &ArrayRef| format!("{column:?}").lines().nth(2).unwrap_or_default().trim().to_owned();
    row.columns().iter().map(text).collect()
}
