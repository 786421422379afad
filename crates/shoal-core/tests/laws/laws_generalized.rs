//! Do records with a generalized sensitive value count for the values they may have, each by its weight?

use crate::tables::{exactly, only};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::{Counts, EquivalenceClass, SensitiveColumn, SensitiveTuples, TableProfile};
use shoal_core::model::{DEFINITIONS, PrivacyModel, Subject};
use shoal_core::table::Dictionary;

const LEAVES: usize = 4;

/// Generalized values by the leaves they cover, and the number of records with each leaf and generalized value in
/// two classes.
#[derive(Debug, Clone)]
struct Case {
    covered: Vec<Vec<u32>>,
    classes: [Vec<u64>; 2],
    weights: Vec<u64>,
}

fn case() -> impl Strategy<Value = Case> {
    let some_leaves = prop::sample::subsequence((0..LEAVES as u32).collect::<Vec<_>>(), 2..=LEAVES);
    let covered = prop::collection::vec(some_leaves, 1..=3);
    let counts = || prop::collection::vec(0..4u64, LEAVES + 3);
    let weights = prop::collection::vec(1..=4u64, LEAVES);
    (covered, counts(), counts(), weights).prop_map(|(covered, mut first, mut second, weights)| {
        for counts in [&mut first, &mut second] {
            counts.truncate(LEAVES + covered.len());
            // A class has a record, and every leaf occurs somewhere.
            counts[LEAVES] += 1;
        }
        first[..LEAVES].iter_mut().for_each(|count| *count += 1);
        Case { covered, classes: [first, second], weights }
    })
}

impl Case {
    fn column(&self) -> SensitiveColumn {
        let dictionary = Dictionary::new((0..LEAVES).map(|leaf| format!("v{leaf}")), None, false);
        let count = |code: usize| self.classes.iter().map(|counts| counts[code]).sum::<u64>();
        let mut column = SensitiveColumn::new("s", &dictionary, None, (0..LEAVES).map(count).collect());
        for (place, covered) in self.covered.iter().enumerate() {
            column.add_generalized(&format!("one of {place}"), covered.clone(), count(LEAVES + place));
        }
        column
    }

    /// Definition 2 of (tau,l)-diversity: the share of each leaf in some records, all over one denominator.
    fn induced(&self, counts: &[u64], weights: &[u64]) -> (Vec<u128>, u128) {
        let weight = |covered: &[u32]| covered.iter().map(|&leaf| u128::from(weights[leaf as usize])).sum::<u128>();
        let denominator: u128 = self.covered.iter().map(|covered| weight(covered)).product();
        let mut shares: Vec<u128> = counts[..LEAVES].iter().map(|&count| u128::from(count) * denominator).collect();
        for (covered, &count) in self.covered.iter().zip(&counts[LEAVES..]) {
            for &leaf in covered {
                let part = denominator / weight(covered) * u128::from(weights[leaf as usize]);
                shares[leaf as usize] += part * u128::from(count);
            }
        }
        (shares, denominator * u128::from(counts.iter().sum::<u64>()))
    }
}

fn model(columns: &[SensitiveColumn], id: &str, parameters: &str) -> Box<dyn PrivacyModel> {
    let definition = DEFINITIONS.iter().find(|definition| definition.id == id).expect("it is in the list");
    let value = toml::de::ValueDeserializer::parse(parameters).expect("TOML");
    let folder = std::path::Path::new(".");
    let parameters = definition.parse(value).expect("its parameters");
    parameters.check(folder).unwrap_or_else(|complaint| panic!("{}", complaint.error));
    parameters
        .resolve(Subject { columns, index: 0, folder, is_release: false })
        .expect("it can judge generalized values")
}

fn without_zeros(counts: &[u64]) -> (Vec<u32>, Vec<u64>) {
    counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(code, &count)| (code as u32, count)).unzip()
}

proptest! {
    #![proptest_config(crate::tables::random::cases(150))]

    #[test]
    fn f_stays_below_psi_for_induced_frequencies(case in case()) {
        let columns = [case.column()];
        let tuples = SensitiveTuples::new(1, (0..columns[0].codes() as u32).collect());
        let rows = case.classes.iter().flatten().sum();
        let profile = TableProfile::of_input(&columns, rows);
        // Thousandths of different lengths: all of them count.
        let written: Vec<String> = case.weights.iter().enumerate().map(|(leaf, w)| format!("v{leaf} = 0.000{w}")).collect();
        let equal = vec![1; LEAVES];
        for (weights, text) in [(&equal, String::new()), (&case.weights, format!(", weights = {{ {} }}", written.join(", ")))] {
            for counts in &case.classes {
                let (mut shares, size) = case.induced(counts, weights);
                shares.sort_by(|a, b| b.cmp(a));
                let (codes, counts) = without_zeros(counts);
                let class = EquivalenceClass::new(&tuples, &codes, &counts);
                for (tau, percent) in [("0.3", 30), ("0.4", 40), ("0.5", 50), ("0.75", 75), ("1", 100)] {
                    for l in 2..=4u128 {
                        let naive = (1..=l).all(|j| {
                            let f: u128 = shares.iter().take(j as usize).sum();
                            f * 100 * (l - 1) <= size * (percent * (l - 1) + (100 - percent) * (j - 1))
                        });
                        let model = model(&columns, "tau-l-diversity", &format!("{{ tau = {tau}, l = {l}{text} }}"));
                        prop_assert_eq!(model.accepts(&class, &profile), naive, "{} {}", model.name(), text);
                    }
                }
            }
        }
    }

    #[test]
    fn distances_are_those_of_induced_frequencies(case in case()) {
        let columns = [case.column()];
        let tuples = SensitiveTuples::new(1, (0..columns[0].codes() as u32).collect());
        let all: Vec<u64> = (0..columns[0].codes()).map(|code| case.classes.iter().map(|counts| counts[code]).sum()).collect();
        let profile = TableProfile::of_input(&columns, all.iter().sum());
        let (reference, rows) = case.induced(&all, &[1; LEAVES]);
        for counts in &case.classes {
            let (here, size) = case.induced(counts, &[1; LEAVES]);
            let moved: u128 = here.iter().zip(&reference).map(|(p, q)| (p * rows).abs_diff(q * size)).sum();
            let (codes, counts) = without_zeros(counts);
            let class = EquivalenceClass::new(&tuples, &codes, &counts);
            let model = model(&columns, "t-closeness", "{ t = 1, distance = 'equal' }");
            prop_assert_eq!(exactly(only(model.measure(&class, &profile))), Ratio::new(moved, 2 * size * rows));
        }
    }
}

#[test]
fn only_values_themselves_have_a_weight() {
    let dictionary = Dictionary::new(["a", "b"].map(str::to_owned), None, false);
    let mut column = SensitiveColumn::new("s", &dictionary, None, vec![1, 1]);
    column.add_generalized("a or b", vec![0, 1], 1);
    let resolves = |weights: &str| {
        let text = format!("{{ tau = 0.5, l = 2, weights = {{ {weights} }} }}");
        let value = toml::de::ValueDeserializer::parse(&text).expect("TOML");
        let definition = DEFINITIONS.iter().find(|definition| definition.id == "tau-l-diversity").expect("in the list");
        let parameters = definition.parse(value).expect("its parameters");
        let folder = std::path::Path::new(".");
        parameters.check(folder).is_ok()
            && parameters.resolve(Subject { columns: &[column.clone()], index: 0, folder, is_release: false }).is_ok()
    };
    assert!(resolves("a = 1, b = 0.000001"));
    assert!(!resolves("a = 1, b = 0"), "a value that occurs is not impossible");
    assert!(!resolves("a = 1"), "nor is one left out");
    assert!(!resolves("a = 1, b = 0.0000001"), "too small to be told from 0");
    assert!(!resolves("a = 1, b = 1, 'a or b' = 1"), "a generalized value counts for what it covers");
    assert!(!resolves("a = 1, b = -1"));
}

/// Labels that cover 7, 11, 13, .. leaves have no small common denominator; shares still add up.
#[test]
fn many_labels_of_odd_sizes_do_not_overflow() {
    let primes = [2u32, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59];
    let dictionary = Dictionary::new((0..60).map(|leaf| format!("v{leaf:02}")), None, false);
    let mut column = SensitiveColumn::new("s", &dictionary, None, vec![1; 60]);
    let codes: Vec<u32> = primes
        .iter()
        .map(|&prime| column.add_generalized(&format!("first {prime}"), (0..prime).collect(), 1000))
        .collect();
    let induction = column.induction(&column.default_weights());
    let counts = vec![1_000_000; codes.len()];
    let induced = induction.induce(Counts { codes: &codes, counts: &counts });
    let size = primes.len() as u64 * 1_000_000;
    assert_eq!(induced.counts.iter().sum::<u64>(), size * induction.scale());
    for (&leaf, &count) in induced.codes.iter().zip(induced.counts.iter()) {
        let expected: f64 = primes.iter().filter(|&&prime| leaf < prime).map(|&prime| 1e6 / f64::from(prime)).sum();
        let found = count as f64 / induction.scale() as f64;
        assert!((found - expected).abs() < 1e-6 * expected, "leaf {leaf}: {found} instead of {expected}");
    }
}
