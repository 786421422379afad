//! How does the time of methods that label each class by itself grow with the number of rows?
//!
//! The sweep promises O((H + h) n), with H combinations of levels and a sensitive hierarchy of height h: from one size
//! to the next the number of rows doubles, and the time should, too, or less where rows repeat.

mod census;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal::policy::Resolving;
use shoal::prepare::task;
use shoal_core::method::Method;
use shoal_core::method::full_domain::FullDomain;
use shoal_core::method::microaggregation::Microaggregation;
use shoal_core::method::mondrian::Mondrian;
use shoal_core::method::one_dimensional::OneDimensional;
use shoal_core::method::sweep::Sweep;
use shoal_core::watch::Unwatched;

const QUASI: usize = 6;

fn local(criterion: &mut Criterion) {
    let methods: [(&str, &dyn Method); 6] = [
        ("full-domain, local", &FullDomain { local: true, ..FullDomain::default() }),
        ("mondrian", &Mondrian::default()),
        ("mondrian, not refined", &Mondrian { refine: false, ..Mondrian::default() }),
        ("microaggregation", &Microaggregation::default()),
        ("sweep", &Sweep::default()),
        ("one-dimensional", &OneDimensional {}),
    ];
    for (name, sensitive, requirement) in [
        ("k = 5", None, "model = \"k-anonymity\"\nk = 5"),
        ("t = 0.3", Some("occupation"), "model = \"t-closeness\"\nt = 0.3\ndistance = \"equal\""),
        ("tau = 0.5, l = 3", Some("occupation"), "model = \"tau-l-diversity\"\ntau = 0.5\nl = 3"),
    ] {
        let mut group = criterion.benchmark_group(format!("local, {name}"));
        group.sample_size(10);
        for rows in [25_000, 50_000, 100_000] {
            let file = census::file(rows);
            let policy = census::policy(QUASI, sensitive, requirement, 0.0);
            let table = census::count(&policy, &file);
            let requirements = policy.resolve(Resolving::input(&table)).expect("the requirement is about this table");
            let task = task(&policy, &table, &requirements);
            // What they work on are distinct tuples.
            group.throughput(Throughput::Elements(table.base.tuples() as u64));
            for (method, partitioner) in methods {
                let partition = || partitioner.partition(&task, &Unwatched).expect("there is a release");
                group.bench_function(BenchmarkId::new(method, rows), |bencher| bencher.iter(partition));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, local);
criterion_main!(benches);
