//! How does the time of local methods grow with the number of rows?

mod census;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal::method::Method;
use shoal::method::microaggregation::Microaggregation;
use shoal::method::mondrian::Mondrian;
use shoal::pipeline::task;
use shoal::progress::Silent;

const QUASI: usize = 7;

fn local(criterion: &mut Criterion) {
    let methods: [(&str, &dyn Method); 3] = [
        ("mondrian", &Mondrian::default()),
        ("mondrian, not refined", &Mondrian { refine: false, ..Mondrian::default() }),
        ("microaggregation", &Microaggregation::default()),
    ];
    for (name, sensitive, requirement) in [
        ("k = 5", None, "model = \"k-anonymity\"\nk = 5"),
        ("t = 0.3", Some("occupation"), "model = \"t-closeness\"\nt = 0.3\ndistance = \"equal\""),
    ] {
        let mut group = criterion.benchmark_group(format!("local, {name}"));
        group.sample_size(10);
        for rows in [10_000, 20_000, 40_000, 80_000] {
            let file = census::file(rows);
            let policy = census::policy(QUASI, sensitive, requirement, 0.0);
            let table = census::count(&policy, &file);
            let requirements = policy.resolve(&table.sensitive, false).expect("the requirement is about this table");
            let task = task(&policy, &table, &requirements);
            group.throughput(Throughput::Elements(rows));
            for (method, partitioner) in methods {
                let partition = || partitioner.partition(&task, &Silent).expect("there is a release");
                group.bench_function(BenchmarkId::new(method, rows), |bencher| bencher.iter(partition));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, local);
criterion_main!(benches);
