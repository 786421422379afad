//! How many nanoseconds does a look at a node take for each class that it reads?

mod census;

use std::sync::Arc;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal_core::frequency::{Reads, Summaries};
use shoal_core::lattice::Node;

const ROWS: u64 = 100_000;

/// Age in fives, country of birth and education in groups: from the table itself, and on from there.
const MIDDLE: [u8; 7] = [1, 0, 0, 1, 1, 1, 0];
const HIGH: [u8; 7] = [2, 0, 1, 1, 2, 1, 1];

fn look(criterion: &mut Criterion) {
    let file = census::file(ROWS);
    // A few values, and thousands of numbers.
    for sensitive in ["occupation", "income"] {
        let policy = census::policy(MIDDLE.len(), Some(sensitive), "model = \"k-anonymity\"\nk = 5", 0.0);
        let table = census::count(&policy, &file);
        let mut group = criterion.benchmark_group(format!("look, {sensitive}"));
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
        let kept = [
            ("sizes", None),
            ("three distinct values", Some(Reads::Distinct { column: 0, most: 3 })),
            ("counts", Some(Reads::Counts { column: 0 })),
            ("tuples", Some(Reads::Tuples)),
        ];
        for (name, reads) in kept {
            let summaries = Summaries::new(&table.base, &table.quasi, reads);
            let (middle, high) = (Node::new(MIDDLE.to_vec()), Node::new(HIGH.to_vec()));
            group.throughput(Throughput::Elements(table.base.classes() as u64));
            group.bench_function(BenchmarkId::new("from the table", name), |bencher| {
                bencher.iter(|| summaries.at(&middle))
            });
            let below = Arc::new(summaries.at(&middle));
            group.throughput(Throughput::Elements(below.classes() as u64));
            group.bench_function(BenchmarkId::new("from a node", name), |bencher| {
                bencher.iter(|| summaries.above(&below, &high));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, look);
criterion_main!(benches);
