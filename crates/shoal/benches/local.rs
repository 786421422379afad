//! How does the time of methods that label each class by itself grow with the number of rows?
//!
//! The sweep promises O((H + h) n), with H combinations of levels and a sensitive hierarchy of height h: from one size
//! to the next the number of rows doubles, and the time should, too, or less where rows repeat.

mod census;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal::method::Method;
use shoal::method::one_dimensional::OneDimensional;
use shoal::method::sweep::Sweep;
use shoal::pipeline::task;
use shoal::progress::Silent;

const QUASI: usize = 6;
const REQUIREMENT: &str = "model = \"tau-l-diversity\"\ntau = 0.5\nl = 3";

fn local(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("local");
    group.sample_size(10);
    for rows in [25_000, 50_000, 100_000, 200_000] {
        let file = census::file(rows);
        let policy = census::policy(QUASI, Some("occupation"), REQUIREMENT, 0.0);
        let table = census::count(&policy, &file);
        let requirements = policy.resolve(&table.sensitive, false).expect("the requirement is about this table");
        let task = task(&policy, &table, &requirements);
        // What they work on are distinct tuples.
        group.throughput(Throughput::Elements(table.base.tuples() as u64));
        for method in [&Sweep::default() as &dyn Method, &OneDimensional {}] {
            let partition = || method.partition(&task, &Silent).expect("there is a release");
            group.bench_function(BenchmarkId::new(method.id(), rows), |bencher| bencher.iter(partition));
        }
    }
    group.finish();
}

criterion_group!(benches, local);
criterion_main!(benches);
