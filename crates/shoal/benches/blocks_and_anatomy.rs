//! How does the time of `similarity-blocks` and `anatomy` grow with the rows?

mod census;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal::policy::Resolving;
use shoal::prepare::task;
use shoal_core::method::Method;
use shoal_core::method::anatomy::Anatomy;
use shoal_core::method::similarity_blocks::SimilarityBlocks;
use shoal_core::watch::Unwatched;

const QUASI: usize = 7;

/// The groups of Table 5 of (a,d)-diversity, a missing occupation among the first.
const GROUPS: &str = r#"model = "a-d-diversity"
a = 2
d = 2
groups = { office = ["Adm-clerical", "Exec-managerial", "Prof-specialty", "Sales", "Tech-support", ""], service = ["Armed-Forces", "Protective-serv", "Other-service"], manual = ["Craft-repair", "Farming-fishing", "Handlers-cleaners", "Machine-op-inspct", "Priv-house-serv", "Transport-moving"] }"#;

fn by_rows(criterion: &mut Criterion) {
    let tasks: [(&str, &dyn Method, &str); 4] = [
        ("similarity-blocks, (2,2)", &SimilarityBlocks::default(), GROUPS),
        ("similarity-blocks, (2,2), exact", &SimilarityBlocks { effort: u64::MAX }, GROUPS),
        ("anatomy, l = 3", &Anatomy::default(), "model = \"distinct-l-diversity\"\nl = 3"),
        ("anatomy, t = 0.1", &Anatomy::default(), "model = \"t-closeness\"\nt = 0.1\ndistance = \"equal\""),
    ];
    for (name, method, requirement) in tasks {
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10);
        for rows in [5_000, 10_000, 20_000, 40_000] {
            let file = census::file(rows);
            let policy = census::policy(QUASI, Some("occupation"), requirement, 0.0);
            let table = census::count(&policy, &file);
            let requirements = policy.resolve(Resolving::input(&table)).expect("the requirement is about this table");
            let task = task(&policy, &table, &requirements);
            group.throughput(Throughput::Elements(rows));
            group.bench_function(BenchmarkId::from_parameter(rows), |bencher| {
                bencher.iter(|| method.partition(&task, &Unwatched).expect("there is a release"));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, by_rows);
criterion_main!(benches);
