//! How long does it take to find the best node of a lattice?

mod census;

use criterion::{Criterion, criterion_group, criterion_main};
use shoal::policy::Resolving;
use shoal::prepare::task;
use shoal_core::method::Method;
use shoal_core::method::full_domain::FullDomain;
use shoal_core::watch::Unwatched;

const ROWS: u64 = 20_000;
const QUASI: usize = 6;

/// A name, the sensitive column, a requirement, and how many rows may be suppressed.
const TASKS: [(&str, Option<&str>, &str, f64); 5] = [
    ("k = 5", None, "model = \"k-anonymity\"\nk = 5", 0.0),
    ("k = 5, 5% suppressed", None, "model = \"k-anonymity\"\nk = 5", 0.05),
    ("distinct l = 3, 5% suppressed", Some("occupation"), "model = \"distinct-l-diversity\"\nl = 3", 0.05),
    ("t = 0.3 equal", Some("occupation"), "model = \"t-closeness\"\nt = 0.3\ndistance = \"equal\"", 0.0),
    (
        "t = 0.3 equal, 5% suppressed",
        Some("occupation"),
        "model = \"t-closeness\"\nt = 0.3\ndistance = \"equal\"",
        0.05,
    ),
];

fn search(criterion: &mut Criterion) {
    let file = census::file(ROWS);
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for (name, sensitive, requirement, max_suppressed) in TASKS {
        let policy = census::policy(QUASI, sensitive, requirement, max_suppressed);
        let table = census::count(&policy, &file);
        let requirements = policy.resolve(Resolving::input(&table)).expect("the requirement is about this table");
        let task = task(&policy, &table, &requirements);
        let method = FullDomain::default();
        let partition = || method.partition(&task, &Unwatched).expect("there is a release");
        group.bench_function(name, |bencher| bencher.iter(partition));
    }
    group.finish();
}

criterion_group!(benches, search);
criterion_main!(benches);
