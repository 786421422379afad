//! How long does it take to read a CSV and count it?

mod census;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const ROWS: u64 = 100_000;

fn encode(criterion: &mut Criterion) {
    let file = census::file(ROWS);
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(ROWS)).sample_size(10);
    let five = "model = \"k-anonymity\"\nk = 5";
    // Seven columns repeat themselves; with zip codes nearly every row is a tuple of its own, and incomes make
    // large dictionaries.
    for (name, quasi, sensitive) in
        [("7 columns", 7, None), ("8 columns", 8, None), ("8 columns and incomes", 8, Some("income"))]
    {
        let policy = census::policy(quasi, sensitive, five, 0.0);
        group.bench_function(name, |bencher| bencher.iter(|| census::count(&policy, &file)));
    }
    group.finish();
}

criterion_group!(benches, encode);
criterion_main!(benches);
