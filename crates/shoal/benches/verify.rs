//! How many nanoseconds does verification take for each row of a release?

mod census;

use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal::outsider::OutsiderTable;
use shoal::policy::{Policy, Resolving};
use shoal_core::frequency::{CountedTable, TableProfile};
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Unwatched;
use tempfile::NamedTempFile;

const ROWS: u64 = 300_000;

/// Columns whose values are few: some thousand classes, as a release has them.
const QUASI: [&str; 5] = ["sex", "race", "marital status", "education", "work class"];

/// A policy with these sensitive columns, each of which shall have three values in every class.
fn policy(sensitive: &[&str]) -> Policy {
    let mut text = "[input]\nmissing = [\"\"]\nother-columns = \"drop\"\n".to_owned();
    for name in QUASI {
        text += &format!("[columns.\"{name}\"]\nrole = \"quasi-identifier\"\nhierarchy = {{ suppress = {{}} }}\n");
    }
    for name in sensitive {
        text += &format!("[columns.\"{name}\"]\nrole = \"sensitive\"\n");
    }
    text += "[[require]]\nmodel = \"k-anonymity\"\nk = 5\n";
    for name in sensitive {
        text += &format!("[[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"{name}\"\nl = 3\n");
    }
    Policy::parse(&text, "benchmark", Path::new(".")).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The table as an outsider counts it.
fn seen(policy: &Policy, file: &NamedTempFile, sensitive: &[&str]) -> OutsiderTable {
    let (quasi, sensitive) = (QUASI.map(str::to_owned), sensitive.iter().map(|name| (*name).to_owned()));
    let sensitive: Vec<String> = sensitive.collect();
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let mut reader = shoal_format::open(&policy.input_format(file.path())).expect("the file can be read");
    OutsiderTable::read(reader.as_mut(), &quasi, &sensitive, &markers, false, &Unwatched)
        .expect("the census has these columns")
}

fn verify(criterion: &mut Criterion) {
    let file = census::file(ROWS);
    let mut group = criterion.benchmark_group("verify");
    group.throughput(Throughput::Elements(ROWS)).sample_size(10);
    // Rows repeat, some do, and hardly two are alike.
    let tables: [&[&str]; 3] = [&[], &["occupation"], &["occupation", "income"]];
    for sensitive in tables {
        let policy = policy(sensitive);
        let table: CountedTable = census::count(&policy, &file);
        let requirements = policy.resolve(Resolving::input(&table)).expect("the requirements are about this table");
        let profile = TableProfile::of_input(&table.sensitive, table.rows);
        let name = format!("{} sensitive columns", sensitive.len());
        group.bench_function(BenchmarkId::new("read and count", &name), |bencher| {
            bencher.iter(|| seen(&policy, &file, sensitive));
        });
        let seen = seen(&policy, &file, sensitive);
        group.bench_function(BenchmarkId::new("measure", &name), |bencher| {
            bencher
                .iter(|| seen.measure(&table.sensitive, &requirements, Some(&profile)).expect("all values are known"));
        });
    }
    group.finish();
}

criterion_group!(benches, verify);
criterion_main!(benches);
