//! How long does each model take to judge the classes of a frequency set?

mod census;

use std::path::Path;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal_core::frequency::{Generalization, TableProfile};
use shoal_core::lattice::Node;
use shoal_core::model::{DEFINITIONS, Requirement, Subject};

const ROWS: u64 = 20_000;

/// Age in fives, sex, race, marital status in groups, education and country of birth in groups: classes of all sizes.
const LEVELS: [u8; 6] = [1, 0, 0, 1, 1, 1];

fn models(criterion: &mut Criterion) {
    let file = census::file(ROWS);
    // A few values with a hierarchy, and thousands of numbers.
    for sensitive in ["occupation", "income"] {
        let policy = census::policy(LEVELS.len(), Some(sensitive), "model = \"k-anonymity\"\nk = 5", 0.0);
        let table = census::count(&policy, &file);
        let generalization = Generalization::new(table.quasi.iter().map(|column| &column.hierarchy));
        let set = generalization.roll_up(&table.base, &table.ungeneralized(), &Node::new(LEVELS.to_vec()));
        let profile = TableProfile::of_input(&table.sensitive, table.rows);
        let mut group = criterion.benchmark_group(format!("models of {sensitive}"));
        group.throughput(Throughput::Elements(set.classes() as u64));
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1)).sample_size(20);
        for definition in DEFINITIONS {
            let subject = Subject { columns: &table.sensitive, index: 0, folder: Path::new("."), is_release: false };
            for parameters in definition.samples(subject) {
                let model = parameters.resolve(subject).expect("samples suit any table");
                let id = BenchmarkId::new(definition.id, model.name());
                let requirement = Requirement::new(definition.id, None, parameters.to_json(), model);
                let accepted =
                    || (0..set.classes()).filter(|&class| requirement.accepts(&set.class(class), &profile)).count();
                group.bench_function(id, |bencher| bencher.iter(accepted));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, models);
criterion_main!(benches);
