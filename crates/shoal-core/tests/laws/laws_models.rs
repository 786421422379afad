//! Does every privacy model measure what its definition says, and keep its promises?

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use crate::tables::naive::{Asked, earth_movers, total};
use crate::tables::{Plan, Quasi, Sample, Sensitive, exactly, only, profile, random, requirement, samples};
use proptest::test_runner::{TestCaseError, TestRunner};
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, FrequencySet, Generalization};
use shoal_core::lattice::Node;
use shoal_core::model::{Among, DEFINITIONS, Monotonicity, PrivacyModel, Requirement};

/// The classes of a table at a level of its only quasi-identifier, each with its rows.
fn classes(plan: &Plan, table: &CountedTable, level: u8) -> (FrequencySet, Vec<Vec<usize>>) {
    let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
    let set = generalization.roll_up(&table.base, &table.ungeneralized(), &Node::new(vec![level]));
    let rows = plan.classes_at(&[level]);
    let label = |class: usize| table.quasi[0].hierarchy.level(level.into()).label(set.code(class, 0)).to_owned();
    let rows = (0..set.classes()).map(|class| rows[&vec![label(class)]].clone()).collect();
    (set, rows)
}

/// More parameters than the samples have, with many that small classes meet exactly.
fn more(plan: &Plan, table: &CountedTable) -> Vec<Sample> {
    let occurring = &plan.rows[0][plan.quasi.len()];
    let recursive = ["c = 0.5, l = 2", "c = 1, l = 2", "c = 1.5, l = 3", "c = 2, l = 1", "c = 5, l = 4"];
    let disclosable = ["", "'0'", "'7'", "'0', '7'"];
    let mut asked: Vec<(&str, String)> = Vec::new();
    for parameters in recursive {
        asked.push(("recursive-cl-diversity", parameters.to_owned()));
        for values in disclosable {
            asked.push(("pd-recursive-cl-diversity", format!("{parameters}, disclosable = [{values}]")));
            let c1 = parameters.replacen('c', "c1", 1);
            let guarded = format!("{c1}, c2 = 20, disclosable = [{values}], guarded = ['{occurring}']");
            asked.push(("npd-recursive-cl-diversity", guarded));
        }
    }
    asked.extend(["1", "1.2", "1.9", "2.5", "4"].map(|l| ("entropy-l-diversity", format!("l = {l}"))));
    asked.extend(["1", "1.25", "1.5", "2.5", "3", "4"].map(|l| ("simple-l-diversity", format!("l = {l}"))));
    asked.extend(
        ["0.25", "0.5", "0.6", "0.75", "1"].map(|alpha| ("alpha-k-anonymity", format!("alpha = {alpha}, k = 2"))),
    );
    for tau in ["0.2", "0.4", "0.5", "0.75", "1"] {
        asked.extend([2, 3, 4].map(|l| ("tau-l-diversity", format!("tau = {tau}, l = {l}"))));
    }
    for t in ["0", "0.1", "0.125", "0.2", "0.25", "0.5"] {
        let distances = ["equal", "ordered", "hierarchical", "kl"];
        asked.extend(distances.map(|distance| ("t-closeness", format!("t = {t}, distance = '{distance}'"))));
    }
    for m in ["2", "3"] {
        let reaches = ["0", "6.999999", "7", "14", "0.5, relative = true", "0.25, relative = true"];
        asked.extend(reaches.map(|reach| ("epsilon-m-anonymity", format!("epsilon = {reach}, m = {m}"))));
    }
    for limit in ["rho1 = 0.25, rho2 = 0.5", "rho1 = 0.5, rho2 = 0.5", "difference = 0.125", "difference = 0.5"] {
        asked.push(("bayes-optimal-privacy", limit.to_owned()));
    }
    let both_kinds = |(id, parameters): (&str, String)| {
        let make = || requirement(table, id, 0, &format!("{{ {parameters} }}"));
        let plain = Sample { requirement: make(), column: 0, among: false };
        if ["t-closeness", "bayes-optimal-privacy"].contains(&id) || plan.sensitive.len() == 1 {
            return vec![plain];
        }
        let Requirement { id, column, parameters, model, .. } = make();
        let requirement = Requirement::new(id, column, parameters, Box::new(Among::new(model, 0)));
        vec![plain, Sample { requirement, column: 0, among: true }]
    };
    asked.into_iter().flat_map(both_kinds).collect()
}

/// How often something was seen, for each definition: a law that never applies proves nothing.
#[derive(Default)]
struct Seen(RefCell<BTreeMap<(String, &'static str), u64>>);

impl Seen {
    fn note(&self, sample: &Sample, what: &'static str) {
        let id = sample.requirement.id;
        let name = if sample.among { format!("{id} among all") } else { id.to_owned() };
        *self.0.borrow_mut().entry((name, what)).or_default() += 1;
    }

    fn assert_often(&self, what: &'static str) {
        // What promises nothing about merging has no promise to keep.
        let promises = |id: &str| id != "epsilon-m-anonymity";
        for definition in DEFINITIONS.iter().filter(|definition| what != "promised" || promises(definition.id)) {
            let count = self.0.borrow().get(&(definition.id.to_owned(), what)).copied().unwrap_or(0);
            assert!(count >= 20, "{}: {what} only {count} times", definition.id);
        }
    }
}

fn run(cases: u32, law: impl Fn(&Plan, &CountedTable, &[Sample])) {
    let mut runner = TestRunner::new(random::cases(cases));
    let outcome = runner.run(&random::three_classes(1..=2), |plan| {
        let table = plan.count();
        let all: Vec<Sample> = samples(&table).into_iter().chain(more(&plan, &table)).collect();
        law(&plan, &table, &all);
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn every_model_accepts_what_its_definition_accepts() {
    let seen = Seen::default();
    run(400, |plan, table, samples| {
        let whole = profile(table);
        for level in 0..=2 {
            let (set, rows) = classes(plan, table, level);
            let releases = [vec![true; rows.len()], (0..rows.len()).map(|class| class != 1).collect()];
            for released in releases {
                let profile = whole.with_released(&table.sensitive, &set, &released);
                let of_class = |class: usize| rows[class].clone();
                let released: Vec<usize> = (0..rows.len()).filter(|&class| released[class]).collect();
                let released_rows: Vec<usize> = released.iter().flat_map(|&class| of_class(class)).collect();
                for sample in samples {
                    let Requirement { id, parameters, model, .. } = &sample.requirement;
                    let asked =
                        Asked { plan, id, parameters, column: sample.column, among: sample.among, people: None };
                    for &class in &released {
                        let Some(naive) = asked.accepts(&rows[class], &released_rows) else { continue };
                        let ours = model.accepts(&set.class(class), &profile);
                        assert_eq!(ours, naive, "{} {parameters} on {:?}", model.name(), set.class(class));
                        seen.note(sample, if ours { "accepted" } else { "refused" });
                        if let Some((column, share)) = model.largest_share().filter(|_| ours) {
                            let members = set.class(class);
                            let largest = members.counts(column).largest() as f64 / members.size() as f64;
                            assert!(largest <= share + 1e-12, "{} {parameters} on {members:?}", model.name());
                        }
                    }
                }
            }
        }
    });
    seen.assert_often("accepted");
    seen.assert_often("refused");
}

#[test]
fn every_model_keeps_its_promise_about_merging() {
    let seen = Seen::default();
    run(600, |plan, table, samples| {
        let profile = profile(table);
        let (set, rows) = classes(plan, table, 0);
        let named = |name: &str| {
            let value = |rows: &Vec<usize>| plan.rows[rows[0]][0] == name;
            set.class(rows.iter().position(value).expect("no class is empty"))
        };
        let (joined, rows_of_joined) = classes(plan, table, 1);
        let merged = rows_of_joined.iter().position(|rows| plan.rows[rows[0]][0] != "rest").expect("it is there");
        for sample in samples {
            let model = &sample.requirement.model;
            let accepts = |name: &str| model.accepts(&named(name), &profile);
            let both = match model.monotonicity() {
                Monotonicity::Always => [accepts("first"), accepts("second")].contains(&true),
                Monotonicity::WithoutSuppression => accepts("first") && accepts("second"),
                Monotonicity::Never => false,
            };
            if both {
                seen.note(sample, "promised");
                assert!(
                    model.accepts(&joined.class(merged), &profile),
                    "{} accepts {:?} and {:?}, but not both together",
                    model.name(),
                    named("first"),
                    named("second")
                );
            }
        }
    });
    seen.assert_often("promised");
}

/// {(0,w0), (7,w0)} is diverse among all; with the lone (0,w1) of another class it no longer is.
#[test]
fn even_distinct_values_do_not_promise_always_among_all() {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let class = |name: &str| [name, "either", "*"].map(str::to_owned).to_vec();
    let plan = Plan {
        quasi: vec![Quasi::new("class", vec![class("first"), class("second")])],
        sensitive: vec![Sensitive::new("s", None), Sensitive::new("w", None)],
        rows: vec![row(["first", "0", "w0"]), row(["first", "7", "w0"]), row(["second", "0", "w1"])],
    };
    let table = plan.count();
    let model = Among::new(requirement(&table, "distinct-l-diversity", 0, "{ l = 2 }").model, 0);
    let profile = profile(&table);
    assert!(model.accepts(&classes(&plan, &table, 0).0.class(0), &profile));
    assert!(!model.accepts(&classes(&plan, &table, 1).0.class(0), &profile));
    assert_eq!(model.monotonicity(), Monotonicity::WithoutSuppression);
}

#[test]
fn distances_are_cheapest_flows_exactly() {
    let different = RefCell::new(BTreeSet::new());
    run(400, |plan, table, _| {
        let whole = profile(table);
        let (set, rows) = classes(plan, table, 0);
        let released = [true, false, true];
        let profile = whole.with_released(&table.sensitive, &set, &released);
        let released_rows: Vec<usize> = [0, 2].iter().flat_map(|&class: &usize| rows[class].clone()).collect();
        for distance in ["equal", "ordered", "hierarchical"] {
            let parameters = format!("{{ t = 1, distance = '{distance}' }}");
            let model = requirement(table, "t-closeness", 0, &parameters).model;
            for class in [0, 2] {
                let here = counts(plan, &rows[class]);
                let reference = counts(plan, &released_rows);
                let (work, scale) = earth_movers(plan, 0, distance, &here, &reference);
                let ours = exactly(only(model.measure(&set.class(class), &profile)));
                assert_eq!(ours, Ratio::new(work as u128, scale as u128), "{distance}: {here:?} against {reference:?}");
                different.borrow_mut().insert((distance, work * 1000 / scale));
                if distance == "hierarchical" {
                    let (cost, scale) = cost_by_section_5_2(plan, &here, &reference);
                    assert_eq!(ours, Ratio::new(cost as u128, scale as u128), "the sum of cost(N)");
                }
                if distance == "ordered" {
                    let (cost, scale) = ordered_by_section_5_1(&here, &reference);
                    assert_eq!(ours, Ratio::new(cost as u128, scale as u128), "the sum of running sums");
                }
            }
        }
    });
    assert!(different.borrow().len() > 100, "many distances were compared");
}

/// t-closeness, Facts 1 and 2: no distance is above 1, and two classes together are no further away than they are on average,
/// each counted as often as it has records.
#[test]
fn distances_are_at_most_one_and_merging_keeps_the_mean() {
    run(400, |plan, table, _| {
        let profile = profile(table);
        let (apart, rows_apart) = classes(plan, table, 0);
        let (joined, rows_joined) = classes(plan, table, 1);
        let is_joined = |rows: &[usize]| plan.rows[rows[0]][0] != "rest";
        for distance in ["equal", "ordered", "hierarchical"] {
            let model = requirement(table, "t-closeness", 0, &format!("{{ t = 1, distance = '{distance}' }}")).model;
            let distances = |set: &FrequencySet| -> Vec<Ratio> {
                (0..set.classes()).map(|class| exactly(only(model.measure(&set.class(class), &profile)))).collect()
            };
            let (before, after) = (distances(&apart), distances(&joined));
            for found in before.iter().chain(&after) {
                assert!(*found <= Ratio::from(1), "{distance}: {found:?} is above 1");
            }
            let work = |distances: &[Ratio], rows: &[Vec<usize>]| -> f64 {
                let each = distances.iter().zip(rows).filter(|(_, rows)| is_joined(rows));
                each.map(|(found, rows)| found.to_f64() * rows.len() as f64).sum()
            };
            let (most, found) = (work(&before, &rows_apart), work(&after, &rows_joined));
            assert!(found <= most + 1e-9, "{distance}: {found} is above the {most} of the parts");
        }
    });
}

fn counts<'a>(plan: &'a Plan, rows: &[usize]) -> BTreeMap<&'a str, i128> {
    let mut counts = BTreeMap::new();
    for &row in rows {
        *counts.entry(plan.rows[row][plan.quasi.len()].as_str()).or_default() += 1;
    }
    counts
}

/// p - q of a value, times both totals.
fn extra(value: &str, class: &BTreeMap<&str, i128>, reference: &BTreeMap<&str, i128>) -> i128 {
    let count = |counts: &BTreeMap<&str, i128>| counts.get(value).copied().unwrap_or(0);
    count(class) * total(reference) - count(reference) * total(class)
}

/// t-closeness, section 5.1: the sum of |r1 + .. + ri| over m - 1.
fn ordered_by_section_5_1(class: &BTreeMap<&str, i128>, reference: &BTreeMap<&str, i128>) -> (i128, i128) {
    let mut values: Vec<&str> = reference.keys().copied().collect();
    values.sort_by_key(|value| value.parse::<i64>().expect("a number"));
    let (mut running, mut sum) = (0, 0);
    for value in &values {
        running += extra(value, class, reference);
        sum += running.abs();
    }
    (sum, (values.len() as i128 - 1).max(1) * total(class) * total(reference))
}

/// t-closeness, section 5.2: the sum over inner nodes N of height(N)/H * min(pos_extra(N), neg_extra(N)).
fn cost_by_section_5_2(plan: &Plan, class: &BTreeMap<&str, i128>, reference: &BTreeMap<&str, i128>) -> (i128, i128) {
    let paths = plan.sensitive[0].paths.as_ref().expect("a hierarchy");
    let height = paths[0].len() - 1;
    let mut cost = 0;
    for level in 1..=height {
        let nodes: BTreeSet<&str> = paths.iter().map(|path| path[level].as_str()).collect();
        for node in nodes {
            let mut children: BTreeMap<&str, i128> = BTreeMap::new();
            for path in paths.iter().filter(|path| path[level] == node) {
                *children.entry(&path[level - 1]).or_default() += extra(&path[0], class, reference);
            }
            let positive: i128 = children.values().filter(|extra| **extra > 0).sum();
            let negative: i128 = -children.values().filter(|extra| **extra < 0).sum::<i128>();
            cost += level as i128 * positive.min(negative);
        }
    }
    (cost, height as i128 * total(class) * total(reference))
}

/// The notes' implications between definitions.
#[test]
fn definitions_imply_each_other() {
    run(600, |plan, table, _| {
        let profile = profile(table);
        for level in [0, 1] {
            let (set, rows) = classes(plan, table, level);
            for (class, rows) in rows.iter().enumerate() {
                let holds = |id: &str, parameters: String| {
                    let requirement = requirement(table, id, 0, &format!("{{ {parameters} }}"));
                    requirement.model.accepts(&set.class(class), &profile)
                };
                let counts = counts(plan, rows);
                let largest = *counts.values().max().expect("no class is empty");
                assert_simple_is_alpha(&holds, rows.len());
                assert_alpha_is_recursive(&holds, largest, rows.len());
                assert_diversity_needs_values(&holds, counts.len() as u64, rows.len());
                assert_simple_implies_tau_l(&holds);
            }
        }
    });
}

fn assert_simple_is_alpha(holds: &impl Fn(&str, String) -> bool, size: usize) {
    for (l, alpha) in [("1.25", "0.8"), ("2", "0.5"), ("2.5", "0.4"), ("4", "0.25")] {
        let simple = holds("simple-l-diversity", format!("l = {l}"));
        let alpha = holds("alpha-k-anonymity", format!("alpha = {alpha}, k = 2"));
        assert_eq!(simple && size >= 2, alpha, "simple l is alpha = 1/l");
    }
}

fn assert_alpha_is_recursive(holds: &impl Fn(&str, String) -> bool, largest: i128, size: usize) {
    if size < 2 {
        return;
    }
    for (alpha, percent, c) in [("0.5", 50, "1"), ("0.75", 75, "3"), ("0.8", 80, "4"), ("0.2", 20, "0.25")] {
        let alpha = holds("alpha-k-anonymity", format!("alpha = {alpha}, k = 2"));
        let recursive = holds("recursive-cl-diversity", format!("c = {c}, l = 2"));
        let is_tie = largest * 100 == percent * size as i128;
        assert_eq!(recursive, alpha && !is_tie, "recursive (alpha / (1 - alpha), 2) is alpha, strictly");
    }
}

fn assert_diversity_needs_values(holds: &impl Fn(&str, String) -> bool, distinct: u64, size: usize) {
    for l in [2u64, 3, 4] {
        if holds("entropy-l-diversity", format!("l = {l}")) {
            assert!(distinct >= l, "entropy l implies l distinct values");
        }
        for tau in ["0.4", "0.5", "0.8", "0.95"] {
            if holds("tau-l-diversity", format!("tau = {tau}, l = {l}")) {
                assert!(distinct >= l, "(tau, l) with tau < 1 implies l distinct values");
                assert!(size == 1 || holds("alpha-k-anonymity", format!("alpha = {tau}, k = 2")), "F(1) <= tau");
            }
        }
    }
}

fn assert_simple_implies_tau_l(holds: &impl Fn(&str, String) -> bool) {
    for tau in [0.4, 0.5, 0.6, 0.8] {
        for l in [2u32, 3, 4] {
            let psi = |j: u32| tau + (1.0 - tau) * f64::from(j - 1) / f64::from(l - 1);
            let enough = (1..=l).map(|j| f64::from(j) / psi(j)).fold(0.0, f64::max);
            let enough = (enough * 1000.0 - 1e-6).ceil() / 1000.0;
            if holds("simple-l-diversity", format!("l = {enough}")) {
                assert!(
                    holds("tau-l-diversity", format!("tau = {tau}, l = {l}")),
                    "simple {enough} implies ({tau}, {l})"
                );
            }
        }
    }
}

/// Equal counts have entropy log m, whatever floating point says.
#[test]
fn equal_counts_reach_their_number_exactly() {
    for values in 1..=60u64 {
        for count in [1, 3, 7, 1001] {
            let tuples = shoal_core::frequency::SensitiveTuples::new(1, (0..values as u32).collect());
            let codes: Vec<u32> = (0..values as u32).collect();
            let counts = vec![count; values as usize];
            let class = shoal_core::frequency::EquivalenceClass::new(&tuples, &codes, &counts);
            let names = (0..values).map(|value| format!("v{value}"));
            let dictionary = shoal_core::table::Dictionary::new(names, None, false);
            let column = shoal_core::frequency::SensitiveColumn::new("s", &dictionary, None, counts.clone());
            let base = shoal_core::frequency::TupleCounter::new(1).finish(0, &[vec![]], &[0]).into();
            let table = CountedTable::new(vec![], vec![column], vec![1.0], base, values * count);
            let profile = profile(&table);
            let accepts = |id: &str, parameters: String| {
                requirement(&table, id, 0, &format!("{{ {parameters} }}")).model.accepts(&class, &profile)
            };
            assert!(accepts("entropy-l-diversity", format!("l = {values}")), "{values} values, {count} times each");
            assert!(!accepts("entropy-l-diversity", format!("l = {}", values as f64 + 1e-6)));
            assert!(accepts("simple-l-diversity", format!("l = {values}")));
            assert!(!accepts("simple-l-diversity", format!("l = {}", values as f64 + 1e-6)));
            for distance in ["equal", "kl"] {
                assert!(accepts("t-closeness", format!("t = 0, distance = '{distance}'")), "equal to the whole table");
            }
        }
    }
}
