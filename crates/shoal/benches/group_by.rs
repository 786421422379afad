//! How long does it take to roll a frequency set up to a more general node?

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use shoal_core::frequency::{FrequencySet, Generalization, TupleCounter};
use shoal_core::hierarchy::{Hierarchy, Level};
use shoal_core::lattice::Node;

/// The domains of a census: 32 bits, one word.
const NARROW: [usize; 9] = [72, 2, 5, 7, 16, 41, 7, 14, 2];
/// The same with a zip code, a day of birth and the like: two words.
const WIDE: [usize; 12] = [72, 2, 5, 7, 16, 41, 7, 14, 2, 5_000, 20_000, 300];

const SMALL: usize = 2_000;
const LARGE: usize = 200_000;

/// The same numbers in every run (Steele, Lea and Flood 2014: SplitMix).
struct Draws(u64);

impl Draws {
    /// A number from 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64
    }

    /// A code of a column; as in real tables a few values are frequent and many are rare.
    fn code(&mut self, domain: usize) -> u32 {
        (self.next().powi(3) * (domain - 1) as f64) as u32
    }
}

/// The frequency set of made-up rows; no sensitive column at all for 0 sensitive values.
fn set(domains: &[usize], sensitive: usize, rows: usize) -> FrequencySet {
    let domains: Vec<usize> = domains.iter().copied().chain((sensitive > 0).then_some(sensitive)).collect();
    let quasi = domains.len() - usize::from(sensitive > 0);
    let mut draws = Draws(1);
    let mut counter = TupleCounter::new(domains.len());
    for _ in 0..rows {
        let tuple: Vec<u32> = domains.iter().map(|&domain| draws.code(domain)).collect();
        counter.add(&tuple);
    }
    let unchanged: Vec<Vec<u32>> = domains.iter().map(|&domain| (0..domain as u32).collect()).collect();
    counter.finish(quasi, &unchanged, &domains)
}

/// Values in fours, in sixteens, and the root.
fn hierarchy(domain: usize) -> Hierarchy {
    let in_groups = |of: usize| -> Vec<String> { (0..domain).map(|value| (value / of).to_string()).collect() };
    let level = |labels: &[String]| Level::from_labels(labels.iter().map(String::as_str));
    let root = vec!["*".to_owned(); domain];
    Hierarchy::new(vec![level(&in_groups(1)), level(&in_groups(4)), level(&in_groups(16)), level(&root)])
}

fn group_by(criterion: &mut Criterion) {
    for (words, domains) in [(1, &NARROW[..]), (2, &WIDE[..])] {
        let hierarchies: Vec<Hierarchy> = domains.iter().map(|&domain| hierarchy(domain)).collect();
        let generalization = Generalization::new(&hierarchies);
        let bottom = Node::new(vec![0; domains.len()]);
        // Columns beyond a census's nine say nothing, or no two rows would ever meet.
        let to = Node::new((0..domains.len()).map(|column| if column < NARROW.len() { 1 } else { 3 }).collect());
        let mut group = criterion.benchmark_group(format!("group_by, {words}-word keys"));
        for rows in [SMALL, LARGE] {
            for sensitive in [0, 14, 1_000] {
                let set = set(domains, sensitive, rows);
                assert_eq!(set.layout().words(), words);
                group.throughput(Throughput::Elements(set.tuples() as u64));
                let id = BenchmarkId::new(format!("{sensitive} sensitive values"), rows);
                group.bench_function(id, |bencher| bencher.iter(|| generalization.roll_up(&set, &bottom, &to)));
            }
        }
        group.finish();
    }
}

criterion_group!(benches, group_by);
criterion_main!(benches);
