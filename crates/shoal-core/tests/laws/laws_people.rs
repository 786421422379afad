//! Do models, searches and methods count people as the definitions of people say?

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestRunner};
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, FrequencySet, Generalization, Reads, Summaries};
use shoal_core::lattice::Node;
use shoal_core::method::full_domain::{FullDomain, Search, solutions};
use shoal_core::method::{Knows, METHODS, Method, Partition, Suppress, Task, partition};
use shoal_core::model::{Among, DEFINITIONS, Monotonicity, OfPeople, PrivacyModel, Requirement};
use shoal_core::objective::{Loss, OBJECTIVES, Objective};
use shoal_core::watch::Unwatched;

use crate::tables::naive::Asked;
use crate::tables::releases::Naive;
use crate::tables::{Plan, Quasi, Sample, Sensitive, profile, random, requirement, samples};

/// A table whose rows are somebody's.
#[derive(Debug, Clone)]
struct PeoplePlan {
    plan: Plan,
    people: Vec<u32>,
}

impl PeoplePlan {
    fn count(&self) -> CountedTable {
        self.plan.count_people(&self.people)
    }
}

/// Rows of up to so many people, some of whom have many.
fn of_people(plan: impl Strategy<Value = Plan>, most: u32) -> impl Strategy<Value = PeoplePlan> {
    plan.prop_flat_map(move |plan| {
        let rows = plan.rows.len();
        (Just(plan), prop::collection::vec(0..most, rows))
    })
    .prop_map(|(plan, people)| PeoplePlan { plan, people })
}

/// The samples of every definition, asked of the people of a table.
fn samples_of_people(table: &CountedTable) -> Vec<Sample> {
    samples_where(table, table.people.as_ref().expect("it tells people").stay_together())
}

/// The same where people stay together, or may be in several classes.
fn samples_where(table: &CountedTable, stay_together: bool) -> Vec<Sample> {
    let of_people = |sample: Sample| {
        let Requirement { id, column, parameters, model, .. } = sample.requirement;
        let model = Box::new(OfPeople::new(model, stay_together));
        Sample { requirement: Requirement::new(id, column, parameters, model), ..sample }
    };
    samples(table).into_iter().map(of_people).collect()
}

fn k_people(table: &CountedTable, k: u64) -> Requirement {
    let Requirement { id, column, parameters, model, .. } =
        requirement(table, "k-anonymity", 0, &format!("{{ k = {k} }}"));
    let stay_together = table.people.as_ref().expect("it tells people").stay_together();
    Requirement::new(id, column, parameters, Box::new(OfPeople::new(model, stay_together)))
}

/// The classes of a table at a level of its only quasi-identifier, each with its rows.
fn classes(plan: &Plan, table: &CountedTable, level: u8) -> (FrequencySet, Vec<Vec<usize>>) {
    let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
    let set = generalization.roll_up(&table.base, &table.ungeneralized(), &Node::new(vec![level]));
    let rows = plan.classes_at(&[level]);
    let label = |class: usize| table.quasi[0].hierarchy.level(level.into()).label(set.code(class, 0)).to_owned();
    let rows = (0..set.classes()).map(|class| rows[&vec![label(class)]].clone()).collect();
    (set, rows)
}

fn run(cases: u32, plans: impl Strategy<Value = PeoplePlan>, law: impl Fn(&PeoplePlan, &CountedTable, &[Sample])) {
    let mut runner = TestRunner::new(random::cases(cases));
    let outcome = runner.run(&plans, |plan| {
        let table = plan.count();
        law(&plan, &table, &samples_of_people(&table));
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

/// How often something was seen, for each definition: a law that never applies proves nothing.
#[derive(Default)]
struct Seen(RefCell<BTreeMap<(&'static str, &'static str), u64>>);

impl Seen {
    fn note(&self, id: &'static str, what: &'static str) {
        *self.0.borrow_mut().entry((id, what)).or_default() += 1;
    }

    fn assert_often(&self, what: &'static str, besides: &[&str]) {
        for definition in DEFINITIONS.iter().filter(|definition| !besides.contains(&definition.id)) {
            let count = self.0.borrow().get(&(definition.id, what)).copied().unwrap_or(0);
            assert!(count >= 20, "{}: {what} only {count} times", definition.id);
        }
    }
}

#[test]
fn every_model_accepts_the_people_that_its_definition_accepts() {
    let seen = Seen::default();
    run(500, of_people(random::three_classes(1..=2), 9), |PeoplePlan { plan, people }, table, samples| {
        let whole = profile(table);
        for level in 0..=2 {
            let (set, rows) = classes(plan, table, level);
            for released in [vec![true; rows.len()], (0..rows.len()).map(|class| class != 1).collect::<Vec<_>>()] {
                let profile = whole.with_released(&table.sensitive, &set, &released);
                let released: Vec<usize> = (0..rows.len()).filter(|&class| released[class]).collect();
                let released_rows: Vec<usize> = released.iter().flat_map(|&class| rows[class].clone()).collect();
                for sample in samples {
                    let Requirement { id, parameters, model, .. } = &sample.requirement;
                    let (column, among) = (sample.column, sample.among);
                    let asked = Asked { plan, id, parameters, column, among, people: Some(people) };
                    for &class in &released {
                        let Some(naive) = asked.accepts(&rows[class], &released_rows) else { continue };
                        let ours = model.accepts(&set.class(class), &profile);
                        assert_eq!(ours, naive, "{} {parameters} on {:?}", model.name(), set.class(class));
                        seen.note(id, if ours { "accepted" } else { "refused" });
                    }
                }
            }
        }
    });
    seen.assert_often("accepted", &[]);
    seen.assert_often("refused", &[]);
}

/// Of people who have records in two classes no model but k-anonymity promises anything; of others, what it promises is kept.
#[test]
fn every_model_keeps_its_promise_about_merging_people() {
    let seen = Seen::default();
    // Those of the first class have even numbers, those of the second odd ones, where people are to stay together.
    let plans = (of_people(random::three_classes(1..=2), 9), any::<bool>()).prop_map(|(mut plan, apart)| {
        for (row, person) in plan.plan.rows.iter().zip(&mut plan.people).filter(|_| apart) {
            *person = 3 * *person + ["first", "second", "rest"].iter().position(|name| row[0] == *name).unwrap() as u32;
        }
        plan
    });
    run(1600, plans, |PeoplePlan { plan, .. }, table, samples| {
        let profile = profile(table);
        let (set, rows) = classes(plan, table, 0);
        let named = |name: &str| {
            let value = |rows: &Vec<usize>| plan.rows[rows[0]][0] == name;
            set.class(rows.iter().position(value).expect("no class is empty"))
        };
        let (joined, rows_of_joined) = classes(plan, table, 1);
        let merged = rows_of_joined.iter().position(|rows| plan.rows[rows[0]][0] != "rest").expect("it is there");
        for Sample { requirement, .. } in samples {
            let accepts = |name: &str| requirement.model.accepts(&named(name), &profile);
            let promised = match requirement.model.monotonicity() {
                Monotonicity::Always => accepts("first") || accepts("second"),
                Monotonicity::WithoutSuppression => accepts("first") && accepts("second"),
                Monotonicity::Never => false,
            };
            if promised {
                seen.note(requirement.id, "promised");
                let name = requirement.model.name();
                assert!(
                    requirement.model.accepts(&joined.class(merged), &profile),
                    "{name} accepts both, not together"
                );
            }
        }
    });
    seen.assert_often("promised", &["entropy-l-diversity", "epsilon-m-anonymity"]);
}

/// However a class is divided, and whoever is left out, so many rows of its people fail.
#[test]
fn however_people_are_divided_so_many_of_their_rows_fail() {
    let seen = Seen::default();
    let plans = (of_people(random::three_classes(1..=2), 9), prop::collection::vec(any::<bool>(), 3));
    let mut runner = TestRunner::new(random::cases(400));
    let outcome = runner.run(&plans, |(plan, released)| {
        let table = plan.count();
        let input = profile(&table);
        let (parts, _) = classes(&plan.plan, &table, 0);
        let released: Vec<bool> = (0..parts.classes()).map(|part| released[part % released.len()]).collect();
        let suppressed: u64 =
            (0..parts.classes()).filter(|&part| !released[part]).map(|part| parts.sizes()[part]).sum();
        let fraction = suppressed as f64 / table.rows as f64;
        let of_release = input.with_released(&table.sensitive, &parts, &released);
        let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
        for level in 1..=2 {
            let (set, _) = classes(&plan.plan, &table, level);
            for (class, sample) in
                (0..set.classes()).flat_map(|class| samples_of_people(&table).into_iter().map(move |one| (class, one)))
            {
                let requirement = &sample.requirement;
                if requirement.accepts(&set.class(class), &input) {
                    continue;
                }
                let is_part = |part: &usize| {
                    generalization.table(0, 0, level)[parts.code(*part, 0) as usize] == set.code(class, 0)
                };
                let fails = |part: &usize| !released[*part] || !requirement.accepts(&parts.class(*part), &of_release);
                let failing: u64 =
                    (0..parts.classes()).filter(is_part).filter(fails).map(|part| parts.sizes()[part]).sum();
                let least = requirement.least_failing(&set.class(class), &input, fraction);
                if least > 1 {
                    seen.note(requirement.id, "said to fail");
                }
                prop_assert!(
                    least <= failing,
                    "{}: {least} were said to fail, but {failing} do",
                    requirement.model.name()
                );
            }
        }
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    // Too few people are too few in every part, whatever else is asked of them.
    for id in ["k-anonymity", "alpha-k-anonymity", "p-sensitive-k-anonymity"] {
        let said = seen.0.borrow().get(&(id, "said to fail")).copied().unwrap_or(0);
        assert!(said >= 20, "{id}: {said} times");
    }
}

/// Four of six have each of three values; of twenty others 16, 2 and 2 have one: both are more even than all as one.
#[test]
fn people_of_two_even_classes_may_be_less_even_as_one() {
    let mut six: Vec<(&str, u32, &str)> = Vec::new();
    for (person, values) in
        [["a", "b"], ["a", "b"], ["a", "c"], ["a", "c"], ["b", "c"], ["b", "c"]].into_iter().enumerate()
    {
        six.extend(values.map(|value| ("first", person as u32, value)));
    }
    let values =
        [("a", 16), ("b", 2), ("c", 2)].into_iter().flat_map(|(value, people)| std::iter::repeat_n(value, people));
    let twenty: Vec<_> = (10..).zip(values).map(|(person, value)| ("first", person, value)).collect();
    let beside = [("second", 99, "a")].to_vec();
    let reached =
        |rows: [&[(&str, u32, &str)]; 3]| reached_by_hand(&rows.concat(), "entropy-l-diversity", "{ l = 1.88 }")[0];
    let (first, second) = (reached([&six, &beside, &[]]), reached([&twenty, &beside, &[]]));
    let both = reached([&six, &twenty, &beside]);
    assert!(first > 1.88 && second > 1.88 && both < 1.72, "{first} {second} {both}");
}

/// Four people with a value each that is to stay secret, and ten who have two values each that may be learned.
#[test]
fn a_class_without_a_secret_may_take_the_tail_of_another() {
    let four: Vec<_> = (0..4).zip(["x1", "x2", "x3", "x4"]).map(|(person, value)| ("first", person, value)).collect();
    let both = |person: u32| ["H1", "H2"].map(|value| ("first", person, value));
    let ten: Vec<_> = (10..20).flat_map(both).collect();
    let beside = [("second", 98, "H1"), ("second", 99, "H2")].to_vec();
    for (id, c) in
        [("pd-recursive-cl-diversity", "c = 2"), ("npd-recursive-cl-diversity", "c1 = 2, c2 = 0, guarded = []")]
    {
        let parameters = |l: u64, disclosable: &str| format!("{{ {c}, l = {l}, disclosable = [{disclosable}] }}");
        let reached = |rows: [&[(&str, u32, &str)]; 2], l: u64| {
            reached_by_hand(&[rows[0], rows[1], &beside].concat(), id, &parameters(l, "'H1', 'H2'"))[0]
        };
        // Of four, 4 - 1 - 2 are left where two values are ruled out; of fourteen, of whom ten have each of these, nobody.
        assert_eq!(
            (reached([&four, &[]], 4), reached([&ten, &[]], 4), reached([&four, &ten], 4)),
            (1.0, 0.0, f64::INFINITY)
        );
        // Where one is ruled out, 4 - 1 - 1 of four, and 14 - 1 - 10 of all.
        assert_eq!((reached([&four, &[]], 3), reached([&four, &ten], 3)), (0.5, 1.0 / 3.0));
        let table = plan_by_hand(&[four.clone(), ten.clone()].concat()).count_people(&(0..24).collect::<Vec<u32>>());
        let promised =
            |l, disclosable| requirement(&table, id, 0, &parameters(l, disclosable)).model.monotonicity_of_people();
        assert_eq!(promised(4, "'H1', 'H2'"), Monotonicity::Never);
        assert_eq!(promised(3, "'H1', 'H2'"), Monotonicity::WithoutSuppression);
        assert_eq!(promised(9, "'H1'"), Monotonicity::WithoutSuppression);
    }
}

/// The same two classes are a release, though all rows as one class are none.
#[test]
fn what_all_rows_as_one_class_fail_may_hold_for_two() {
    let secret = (0..4).zip(["x1", "x2", "x3", "x4"]).map(|(person, value)| ("first", person, value));
    let rows: Vec<_> =
        secret.chain((10..20).flat_map(|person| ["H1", "H2"].map(|value| ("second", person, value)))).collect();
    let table = plan_by_hand(&rows).count_people(&rows.iter().map(|row| row.1).collect::<Vec<u32>>());
    let parameters = "{ c = 2, l = 4, disclosable = ['H1', 'H2'] }";
    let Requirement { id, column, parameters, model, .. } =
        requirement(&table, "pd-recursive-cl-diversity", 0, parameters);
    assert!(table.people.as_ref().unwrap().stay_together());
    let requirements = [Requirement::new(id, column, parameters, Box::new(OfPeople::new(model, true)))];
    for search in [Search::Optimal, Search::Incognito, Search::Exhaustive] {
        for max_suppressed in [Ratio::ZERO, Ratio::new(1, 10)] {
            let task = Task::new(&table, &requirements, &Loss, max_suppressed);
            let release = FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).unwrap();
            assert_eq!((release.node, release.classes.len()), (Some(Node::new(vec![0])), 2), "{search:?}");
        }
    }
}

/// Two people, of whom each has in one class what the other has in the other: together both have both.
#[test]
fn people_in_two_classes_may_have_in_common_what_they_have_in_neither() {
    let plan = Plan {
        quasi: vec![Quasi::new(
            "class",
            ["first", "second"].map(|name| [name, "*"].map(str::to_owned).to_vec()).to_vec(),
        )],
        sensitive: vec![Sensitive::new("s", None)],
        rows: [["first", "flu"], ["first", "cold"], ["second", "cold"], ["second", "flu"]]
            .map(|row| row.map(str::to_owned).to_vec())
            .to_vec(),
    };
    let table = plan.count_people(&[1, 2, 1, 2]);
    let model = OfPeople::new(requirement(&table, "distinct-l-diversity", 0, "{ l = 2 }").model, false);
    let profile = profile(&table);
    assert!(model.accepts(&classes(&plan, &table, 0).0.class(0), &profile));
    assert!(!model.accepts(&classes(&plan, &table, 1).0.class(0), &profile));
    assert_eq!(model.monotonicity(), Monotonicity::Never);
    assert!(!table.people.as_ref().unwrap().stay_together());
}

fn summary(partition: &Partition) -> String {
    let Partition { classes, assignments, node, objectives, .. } = partition;
    format!("{node:?} {objectives:?} {classes:?} {assignments:?}")
}

proptest! {
    #![proptest_config(random::cases(80))]

    /// Summaries of people, from the table and from each other, decide as the whole classes do.
    #[test]
    fn a_summary_of_people_decides_as_the_classes_do(
        plan in of_people(random::table(1..=3, 0..=2, 1..=25), 7),
        places in prop::collection::vec((0.0..1.0, 0.0..1.0), 3),
    ) {
        let table = plan.count();
        let (low, high) = crate::laws_frequency::two_nodes(&plan.plan, &places);
        let (low, high) = (Node::new(low), Node::new(high));
        let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
        let set = generalization.roll_up(&table.base, &table.ungeneralized(), &high);
        let profile = profile(&table);
        let mut all: Vec<Requirement> = samples_of_people(&table).into_iter().map(|sample| sample.requirement).collect();
        all.push(k_people(&table, 3));
        for requirement in &all {
            let reads: Vec<Reads> = requirement.model.reads(table.sensitive.len());
            let summaries = Summaries::new(&table.base, &table.quasi, reads);
            for summary in [summaries.at(&high), summaries.above(&Arc::new(summaries.at(&low)), &high)] {
                let mut decided: Vec<(Vec<u32>, bool)> = (0..summary.classes())
                    .map(|class| {
                        let key = (0..table.quasi.len()).map(|column| summary.code(class, column)).collect();
                        (key, requirement.accepts(&summary.class(class), &profile))
                    })
                    .collect();
                let mut expected: Vec<(Vec<u32>, bool)> = (0..set.classes())
                    .map(|class| {
                        let key = (0..table.quasi.len()).map(|column| set.code(class, column)).collect();
                        (key, requirement.accepts(&set.class(class), &profile))
                    })
                    .collect();
                decided.sort();
                expected.sort();
                prop_assert_eq!(decided, expected, "{}", requirement.model.name());
            }
        }
    }

    /// All searches find the same, and it is what looking at every combination of levels by the text of the table finds.
    #[test]
    fn searches_for_people_agree_with_each_other_and_with_the_text(
        plan in of_people(random::table(1..=3, 1..=1, 1..=22), 8),
        limit in 0..=3u64,
        objective in 0..OBJECTIVES.len(),
    ) {
        let table = plan.count();
        for sample in samples_of_people(&table) {
            let requirements = [sample.requirement, k_people(&table, 2)];
            let max_suppressed = Ratio::new(limit.into(), 10);
            let task = Task::new(&table, &requirements, OBJECTIVES[objective].item, max_suppressed);
            let found = [Search::Exhaustive, Search::Optimal]
                .map(|search| FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).ok());
            let [exhaustive, optimal] = found.each_ref().map(|found| found.as_ref().map(summary));
            prop_assert_eq!(&exhaustive, &optimal, "{}", requirements[0].model.name());
            let naive = Naive::new(&plan.plan, &requirements, sample.column, false).of_people(&plan.people);
            let spare = limit as usize * plan.plan.rows.len() / 10;
            let nodes = crate::laws_searches::nodes(&plan.plan);
            let satisfies = |levels: &Vec<u8>| {
                let rest = naive.rest(levels)?;
                Some(rest.suppressed.len() <= spare && rest.suppressed.len() < plan.plan.rows.len())
            };
            let verdicts: Option<Vec<bool>> = nodes.iter().map(satisfies).collect();
            if let Some(verdicts) = verdicts {
                prop_assert_eq!(verdicts.contains(&true), exhaustive.is_some(), "{}", requirements[0].model.name());
                let found = solutions(&task, true, &Unwatched).expect("the lattice is small");
                prop_assert!(u128::from(found.checked) <= found.nodes, "no node is looked at twice");
                let mut all: Vec<Vec<u8>> =
                    found.all.iter().flatten().map(|solution| solution.node.levels().to_vec()).collect();
                all.sort_unstable();
                let mut slow: Vec<Vec<u8>> =
                    nodes.into_iter().zip(verdicts).filter(|(_, satisfies)| *satisfies).map(|(levels, _)| levels).collect();
                slow.sort_unstable();
                prop_assert_eq!(all, slow, "{}", requirements[0].model.name());
            }
        }
    }

}

proptest! {
    #![proptest_config(random::cases(24))]

    /// Whatever a method releases, its classes have the people that were asked for, judged by the text.
    #[test]
    fn every_release_of_people_keeps_its_promise(
        plan in of_people(random::table(1..=2, 1..=2, 4..=24), 8),
        limit in 0..=5u64,
    ) {
        let table = plan.count();
        for method in METHODS.iter().flat_map(|entry| (entry.samples)()) {
            for sample in samples_of_people(&table) {
                let requirements = [sample.requirement, k_people(&table, 2)];
                let task = Task::new(&table, &requirements, &Loss, Ratio::new(limit.into(), 10));
                let Ok(partition) = method.partition(&task, &Unwatched) else { continue };
                let rows = rows_of_classes(&plan, &table, &partition);
                let released: Vec<usize> = rows.iter().flatten().copied().collect();
                let naive = Naive::new(&plan.plan, &requirements, sample.column, sample.among).of_people(&plan.people);
                for class in &rows {
                    let name = requirements[0].model.name();
                    prop_assert_ne!(naive.accepts(class, &released), Some(false), "{} by {}", name, method.id());
                }
            }
        }
    }
}

/// Where people are suppressed, nobody is in part, and not more of them than may be.
#[test]
fn people_are_suppressed_as_a_whole() {
    let releases = RefCell::new([0, 0]);
    run(40, of_people(random::table(1..=2, 1..=2, 4..=24), 8), |plan, table, _| {
        let limit = plan.people.len() as u64 % 6;
        for method in METHODS.iter().flat_map(|entry| (entry.samples)()) {
            for sample in samples_of_people(table).into_iter().take(6) {
                let requirements = [sample.requirement, k_people(table, 2)];
                let task = Task::new(table, &requirements, &Loss, Ratio::new(limit.into(), 10));
                let task = Task { suppress: Suppress::People, ..task };
                let found = partition(method.as_ref(), &task, &Unwatched);
                let of_everybody =
                    partition(method.as_ref(), &Task { max_suppressed: Ratio::ZERO, ..task }, &Unwatched);
                if let Ok(of_everybody) = of_everybody {
                    let found = found.as_ref().map(loss).expect("nobody has to be left out");
                    assert!(found <= loss(&of_everybody) * (1.0 + 1e-9), "leaving out people made it worse");
                }
                let Ok(partition) = found else { continue };
                let classes = rows_of_classes(plan, table, &partition);
                let released: Vec<usize> = classes.iter().flatten().copied().collect();
                let people = assert_whole(plan, &released);
                let all = table.people.as_ref().unwrap().count;
                assert!((all - people) * 10 <= limit * all);
                releases.borrow_mut()[usize::from(people < all)] += 1;
                let naive = Naive::new(&plan.plan, &requirements, sample.column, sample.among).of_people(&plan.people);
                for rows in &classes {
                    assert_ne!(naive.accepts(rows, &released), Some(false), "{}", requirements[0].model.name());
                }
            }
        }
    });
    assert!(releases.borrow().iter().all(|&releases| releases >= 50), "too few to tell: {releases:?}");
}

fn loss(partition: &Partition) -> f64 {
    partition.objectives.iter().find(|(id, _)| *id == Loss.id()).expect("it is in the list").1
}

/// What is found for some people of a table is what is found for a table that has had nobody else.
#[test]
fn whoever_is_taken_out_of_a_table_is_as_if_never_there() {
    let compared = RefCell::new([0, 0]);
    run(60, of_people(random::table(1..=2, 1..=1, 6..=24), 8), |plan, whole, _| {
        let mut people = plan.people.clone();
        people.sort_unstable();
        people.dedup();
        let gone: Vec<bool> = (0..people.len()).map(|place| place % 3 == 1).collect();
        let stays = |row: &usize| people.binary_search(&plan.people[*row]).is_ok_and(|place| !gone[place]);
        let staying: Vec<usize> = (0..plan.people.len()).filter(stays).collect();
        let rows = staying.iter().map(|&row| plan.plan.rows[row].clone()).collect();
        let alone = Plan { rows, ..plan.plan.clone() };
        let alone = alone.count_people(&staying.iter().map(|&row| plan.people[row]).collect::<Vec<u32>>());
        let rest = whole.without(&gone).0;
        let of_alone = samples_where(&alone, false);
        for Sample { requirement, .. } in samples_where(whole, false) {
            let same = of_alone.iter().position(|Sample { requirement: other, .. }| {
                (other.id, &other.column, &other.parameters)
                    == (requirement.id, &requirement.column, &requirement.parameters)
            });
            // What is compared with the input is compared with all people of the whole.
            let Some(same) = same.filter(|_| !requirement.model.depends_on_input()) else { continue };
            let (of_rest, of_alone) =
                (std::slice::from_ref(&requirement), std::slice::from_ref(&of_alone[same].requirement));
            for limit in [0, 3] {
                let (in_rest, in_alone) = (found_in(&rest, of_rest, limit), found_in(&alone, of_alone, limit));
                assert_eq!(in_rest, in_alone, "{} {limit}", of_alone[0].model.name());
                compared.borrow_mut()[usize::from(in_rest.0)] += 1;
            }
        }
    });
    assert!(compared.borrow().iter().all(|&compared| compared >= 100), "too few to tell: {compared:?}");
}

/// Is there a release of a table, and which combinations of levels are one?
fn found_in(table: &CountedTable, requirements: &[Requirement], limit: u128) -> (bool, Vec<Vec<u8>>) {
    let task = Task::new(table, requirements, &Loss, Ratio::new(limit, 10));
    let method = FullDomain { search: Search::Exhaustive, ..FullDomain::default() };
    let found = solutions(&task, true, &Unwatched).expect("the lattice is small");
    let mut levels: Vec<Vec<u8>> = found.all.iter().flatten().map(|solution| solution.node.levels().to_vec()).collect();
    levels.sort_unstable();
    (method.partition(&task, &Unwatched).is_ok(), levels)
}

/// People in wards, with what each of their rows says: (person, ward, finding). East is on an island.
fn wards(rows: &[(u32, &str, &str)], most: u8) -> PeoplePlan {
    let places = [["east", "island"], ["north", "mainland"], ["south", "mainland"]];
    let paths = places.map(|[ward, land]| [ward, land, "*"].map(str::to_owned).to_vec()).to_vec();
    let plan = Plan {
        quasi: vec![Quasi { max_level: most, ..Quasi::new("ward", paths) }],
        sensitive: vec![Sensitive::new("ill", None)],
        rows: rows.iter().map(|&(_, ward, ill)| [ward, ill].map(str::to_owned).to_vec()).collect(),
    };
    PeoplePlan { plan, people: rows.iter().map(|row| row.0).collect() }
}

/// Somebody is alone in the east. The others are of two kinds, as many of each; with the one of the east there were more of the first.
#[test]
fn whoever_is_left_out_is_not_counted_among_the_others() {
    let mut rows = vec![(1, "east", "flu")];
    for person in 2..8 {
        rows.extend([(person, "north", if person < 5 { "flu" } else { "gout" }); 2]);
    }
    assert_left_out(&wards(&rows, 2), "simple-l-diversity", "{ l = 2 }", 1);
}

/// North has three of four with flu and south three of eight: by a quarter more than the half of both, and by less than what is asked
/// more than the seven of thirteen that have it with the one of the east.
#[test]
fn others_are_not_compared_with_whoever_is_left_out() {
    let mut rows = vec![(1, "east", "flu"), (1, "east", "flu")];
    rows.extend((2..6).map(|person| (person, "north", if person < 5 { "flu" } else { "gout" })));
    rows.extend((6..14).map(|person| (person, "south", if person < 9 { "flu" } else { "gout" })));
    assert_left_out(&wards(&rows, 1), "t-closeness", "{ t = 0.22, distance = \"equal\" }", 1);
}

/// With one in seven left out at most, a requirement and 2-anonymity leave out this person alone.
fn assert_left_out(plan: &PeoplePlan, id: &str, parameters: &str, expected: u32) {
    let table = plan.count();
    let Requirement { id, column, parameters, model, .. } = requirement(&table, id, 0, parameters);
    let asked = Requirement::new(id, column, parameters, Box::new(OfPeople::new(model, false)));
    let requirements = [asked, k_people(&table, 2)];
    let task = Task { suppress: Suppress::People, ..Task::new(&table, &requirements, &Loss, Ratio::new(15, 100)) };
    let partition = partition(&FullDomain::default(), &task, &Unwatched).unwrap_or_else(|error| panic!("{error}"));
    let released: BTreeSet<u32> =
        rows_of_classes(plan, &table, &partition).iter().flatten().map(|&row| plan.people[row]).collect();
    let left_out: BTreeSet<u32> = plan.people.iter().copied().filter(|person| !released.contains(person)).collect();
    assert_eq!(left_out, BTreeSet::from([expected]));
}

/// Whoever knows all rows of a person finds people, all of whose rows look the same, and of whom everything holds that was asked:
/// by comparing everybody with everybody, by what the release shows.
#[test]
fn people_with_all_of_their_rows_look_like_others() {
    let releases = RefCell::new([0, 0]);
    run(160, of_people(random::table(1..=2, 1..=2, 4..=24), 8), |plan, table, samples| {
        for (sample, local) in samples.iter().flat_map(|sample| [(sample, false), (sample, true)]) {
            let k = k_people(table, 2);
            let again = samples_of_people(table).into_iter().find(|other| {
                let Requirement { id, column, parameters, .. } = &other.requirement;
                let same = &sample.requirement;
                (*id, column, parameters) == (same.id, &same.column, &same.parameters)
                    && (other.column, other.among) == (sample.column, sample.among)
            });
            let requirements = [again.expect("the same sample").requirement, k];
            let task = Task::new(table, &requirements, &Loss, Ratio::new(4, 10));
            let method = FullDomain { local, ..FullDomain::default() };
            let Ok(partition) = method.partition(&Task { knows: Knows::AllRows, ..task }, &Unwatched) else { continue };
            let classes = rows_of_classes(plan, table, &partition);
            releases.borrow_mut()[usize::from(local)] += u64::from(classes.len() > 1);
            let released: Vec<usize> = classes.iter().flatten().copied().collect();
            assert_whole(plan, &released);
            let naive = Naive::new(&plan.plan, &requirements, sample.column, sample.among).of_people(&plan.people);
            for rows in &classes {
                assert_ne!(naive.accepts(rows, &released), Some(false), "{}", requirements[0].model.name());
            }
            // Whoever knows the other sensitive values of all rows has told people apart by these, and asks of the rest as one.
            let asked = requirements.chunks(1).zip([sample.among.then_some(sample.column), None]);
            for (requirement, known) in asked {
                let naive = Naive::new(&plan.plan, requirement, sample.column, false).of_people(&plan.people);
                for rows in alike(plan, table, &partition, &classes, known).values() {
                    let name = requirement[0].model.name();
                    assert_ne!(naive.accepts(rows, &released), Some(false), "{name} of all rows");
                }
            }
        }
    });
    assert!(releases.borrow().iter().all(|&releases| releases >= 25), "too few to tell: {releases:?}");
}

/// Where people are released as a whole nobody is in two classes: all searches may rely on that, and find what looking at everything finds.
#[test]
fn searches_for_whole_people_agree() {
    let releases = RefCell::new(0);
    run(60, of_people(random::table(1..=2, 1..=2, 4..=22), 8), |_, table, samples| {
        for (place, limit) in (0..samples.len()).flat_map(|place| [(place, 0), (place, 4)]) {
            let found = |search: Search, stay_together: bool| {
                let sample = samples_where(table, stay_together).swap_remove(place);
                let requirements = [sample.requirement, k_people(table, 2)];
                let task = Task::new(table, &requirements, &Loss, Ratio::new(limit, 10));
                let method = FullDomain { search, ..FullDomain::default() };
                let partition = method.partition(&Task { knows: Knows::AllRows, ..task }, &Unwatched).ok();
                partition.map(|partition| summary(&partition))
            };
            let [slow, exhaustive, optimal, incognito] = [
                found(Search::Exhaustive, false),
                found(Search::Exhaustive, true),
                found(Search::Optimal, true),
                found(Search::Incognito, true),
            ];
            let name = samples[place].requirement.model.name();
            assert_eq!((&exhaustive, &optimal, &incognito), (&slow, &slow, &slow), "{name} {limit}");
            *releases.borrow_mut() += u64::from(slow.is_some());
        }
    });
    assert!(*releases.borrow() >= 200, "{releases:?} are too few to tell");
}

/// Visits of people to a ward on a day, of which a release shows the month: (person, day, ward, finding).
fn visits(rows: &[(u32, &str, &str, &str)]) -> PeoplePlan {
    let days = ["Jan 1", "Jan 5"].map(|day| [day, "Jan", "*"].map(str::to_owned).to_vec()).to_vec();
    let wards = ["A", "B"].map(|ward| [ward, "*"].map(str::to_owned).to_vec()).to_vec();
    let day = Quasi { min_level: 1, max_level: 1, ..Quasi::new("day", days) };
    let ward = Quasi { max_level: 0, ..Quasi::new("ward", wards) };
    let cells = |&(_, day, ward, found): &(u32, &str, &str, &str)| [day, ward, found].map(str::to_owned).to_vec();
    let plan = Plan {
        quasi: vec![day, ward],
        sensitive: vec![Sensitive::new("found", None)],
        rows: rows.iter().map(cells).collect(),
    };
    PeoplePlan { plan, people: rows.iter().map(|row| row.0).collect() }
}

/// Both were in both wards in January, in different orders: where a release shows months, nobody can tell them apart.
#[test]
fn rows_that_look_the_same_in_another_order_look_the_same() {
    let two = [(1, "Jan 1", "A", "x"), (1, "Jan 5", "B", "y"), (2, "Jan 1", "B", "z"), (2, "Jan 5", "A", "u")];
    // The same with two who are alike in any order.
    let others = [(3, "Jan 1", "A", "x"), (3, "Jan 1", "A", "y"), (4, "Jan 1", "A", "z"), (4, "Jan 1", "A", "u")];
    for rows in [two.to_vec(), [two, others].concat()] {
        let plan = visits(&rows);
        let table = plan.count();
        let requirements = [k_people(&table, 2)];
        for (local, limit) in [(false, 0), (false, 6), (true, 0), (true, 6)] {
            let task = Task::new(&table, &requirements, &Loss, Ratio::new(limit, 10));
            let method = FullDomain { local, ..FullDomain::default() };
            let partition = method.partition(&Task { knows: Knows::AllRows, ..task }, &Unwatched);
            let partition = partition.unwrap_or_else(|error| panic!("{local} {limit}: {error}"));
            assert_eq!((partition.suppressed(), partition.classes.len()), (0, 2), "{local} {limit}");
        }
    }
}

/// Two couples, who are each alike in one order of their rows: 10 and 20, 9 and 12. All four are alike in any, and of these three have a number within 2
/// of 10. Each class has two more people, who were there once, so that among the people of its rows it is three of six.
#[test]
fn what_holds_of_people_in_one_order_must_hold_of_all_who_look_the_same() {
    let mut rows = Vec::new();
    for (person, number) in [(1, "10"), (2, "20")] {
        rows.extend([(person, "Jan 1", "A", number), (person, "Jan 5", "B", number)]);
    }
    for (person, number) in [(3, "9"), (4, "12")] {
        rows.extend([(person, "Jan 1", "B", number), (person, "Jan 5", "A", number)]);
    }
    rows.extend([(5, "Jan 1", "A", "30"), (6, "Jan 1", "A", "40"), (7, "Jan 1", "B", "30"), (8, "Jan 1", "B", "40")]);
    let plan = visits(&rows);
    let table = plan.count();
    let spread = requirement(&table, "epsilon-m-anonymity", 0, "{ epsilon = 2, m = 2 }");
    let Requirement { id, column, parameters, model, .. } = spread;
    let spread = Requirement::new(id, column, parameters, Box::new(OfPeople::new(model, false)));
    let requirements = [spread, k_people(&table, 2)];
    for local in [false, true] {
        let method = FullDomain { local, ..FullDomain::default() };
        let task = Task { knows: Knows::AllRows, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
        assert!(method.partition(&task, &Unwatched).is_err(), "nobody may be left out");
        // The four who look the same have 8 of 12 rows.
        let partition = method.partition(&Task { max_suppressed: Ratio::new(7, 10), ..task }, &Unwatched).unwrap();
        let classes = rows_of_classes(&plan, &table, &partition);
        let released: BTreeSet<u32> = classes.iter().flatten().map(|&row| plan.people[row]).collect();
        assert_eq!(released, BTreeSet::from([5, 6, 7, 8]));
    }
}

/// Four people with two rows each. Of each row by itself, whoever knows the ward finds two illnesses; of all rows of a person, only those two
/// people have been in both wards who had the flu in one of them.
#[test]
fn whoever_knows_the_other_sensitive_values_of_all_rows_knows_them_together() {
    let paths = vec![["x", "*"].map(str::to_owned).to_vec()];
    let rows = [
        (1, "north", "flu"),
        (1, "south", "gout"),
        (2, "north", "flu"),
        (2, "south", "cold"),
        (3, "north", "gout"),
        (3, "north", "cold"),
        (4, "south", "cold"),
        (4, "south", "gout"),
    ];
    let plan = Plan {
        quasi: vec![Quasi::new("q", paths)],
        sensitive: vec![Sensitive::new("ill", None), Sensitive::new("ward", None)],
        rows: rows.iter().map(|&(_, ward, ill)| ["x", ill, ward].map(str::to_owned).to_vec()).collect(),
    };
    let plan = PeoplePlan { plan, people: rows.iter().map(|row| row.0).collect() };
    let table = plan.count();
    let Requirement { id, column, parameters, model, .. } = requirement(&table, "simple-l-diversity", 0, "{ l = 1.5 }");
    let among = OfPeople::new(Box::new(Among::new(model, 0)), true);
    let requirements = [Requirement::new(id, column, parameters, Box::new(among))];
    let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
    // Two of the three who were in the north had the flu there, and two of three the cold or the gout in the south.
    let partition = FullDomain::default().partition(&task, &Unwatched).unwrap();
    assert_eq!(partition.suppressed(), 0);
    // Those two who were in both are alone with that; 3, who was twice in the north, and 4 are each alone.
    let whole = |limit| {
        FullDomain::default().partition(&Task { knows: Knows::AllRows, max_suppressed: limit, ..task }, &Unwatched)
    };
    assert!(whole(Ratio::ZERO).is_err());
    assert!(whole(Ratio::new(7, 8)).is_err(), "of nobody does it hold");
}

/// The rows of people all of whose rows look the same, by what they look like: to somebody who knows the sensitive values besides of all columns but
/// one, where a column is named.
fn alike(
    plan: &PeoplePlan,
    table: &CountedTable,
    partition: &Partition,
    classes: &[Vec<usize>],
    but: Option<usize>,
) -> BTreeMap<Vec<Vec<String>>, Vec<usize>> {
    let shown = |class: usize| -> Vec<String> {
        (0..table.quasi.len()).map(|column| partition.classes.text(table, class as u32, column).into()).collect()
    };
    let mut rows_of: BTreeMap<u32, (Vec<Vec<String>>, Vec<usize>)> = BTreeMap::new();
    for (class, rows) in classes.iter().enumerate() {
        for &row in rows {
            let own = rows_of.entry(plan.people[row]).or_default();
            let sensitive = plan.plan.rows[row][table.quasi.len()..].iter().enumerate();
            let known =
                sensitive.filter(|(place, _)| but.is_some_and(|but| but != *place)).map(|(_, value)| value.clone());
            own.0.push(shown(class).into_iter().chain(known).collect());
            own.1.push(row);
        }
    }
    let mut alike: BTreeMap<Vec<Vec<String>>, Vec<usize>> = BTreeMap::new();
    for (mut shown, rows) in rows_of.into_values() {
        shown.sort();
        alike.entry(shown).or_default().extend(rows);
    }
    alike
}

/// Of whom there is a row, there are all; how many they are.
fn assert_whole(plan: &PeoplePlan, released: &[usize]) -> u64 {
    let people: BTreeSet<u32> = released.iter().map(|&row| plan.people[row]).collect();
    let rows = plan.people.iter().filter(|person| people.contains(person)).count();
    assert_eq!(rows, released.len(), "somebody is released in part");
    people.len() as u64
}

/// The example that every page gives: A has flu three times and asthma, B flu and diabetes, C flu, and D back pain.
#[test]
fn four_people_by_hand() {
    let rows = [
        ("A", "flu"),
        ("A", "flu"),
        ("A", "flu"),
        ("A", "asthma"),
        ("B", "flu"),
        ("B", "diabetes"),
        ("C", "flu"),
        ("D", "back"),
    ];
    let plan = Plan {
        quasi: vec![Quasi::new("class", vec![["all", "*"].map(str::to_owned).to_vec()])],
        sensitive: vec![Sensitive::new("s", None)],
        rows: rows.iter().map(|(_, value)| vec!["all".to_owned(), (*value).to_owned()]).collect(),
    };
    let people: Vec<u32> = rows.iter().map(|(person, _)| u32::from(person.as_bytes()[0])).collect();
    let table = plan.count_people(&people);
    let (set, profile) = (classes(&plan, &table, 0).0, profile(&table));
    let reached = |id: &str, parameters: &str| -> Vec<f64> {
        let model = OfPeople::new(requirement(&table, id, 0, parameters).model, true);
        model.measure(&set.class(0), &profile).iter().map(|quantity| quantity.to_f64()).collect()
    };
    let groups = r#"{ a = 1, d = 1, groups = { breath = ["flu", "asthma"], other = ["diabetes", "back"] } }"#;
    for (id, parameters, expected) in [
        ("k-anonymity", "{ k = 2 }", vec![4.0]),
        ("simple-l-diversity", "{ l = 1 }", vec![4.0 / 3.0]),
        ("alpha-k-anonymity", "{ alpha = 1, k = 2 }", vec![0.75, 4.0]),
        ("distinct-l-diversity", "{ l = 2 }", vec![2.0]),
        ("p-sensitive-k-anonymity", "{ p = 2, k = 2 }", vec![2.0, 4.0]),
        ("entropy-l-diversity", "{ l = 1 }", vec![4.0 / 3.0f64.powf(0.75)]),
        ("recursive-cl-diversity", "{ c = 1, l = 2 }", vec![3.0]),
        ("recursive-cl-diversity", "{ c = 1, l = 3 }", vec![f64::INFINITY]),
        ("pd-recursive-cl-diversity", r#"{ c = 1, l = 2, disclosable = ["flu"] }"#, vec![1.0 / 3.0]),
        ("npd-recursive-cl-diversity", r#"{ c1 = 9, c2 = 1, l = 2, guarded = ["back"] }"#, vec![3.0, 25.0]),
        ("a-d-diversity", groups, vec![1.0, 2.0]),
    ] {
        let mut found = reached(id, parameters);
        let mut expected = expected;
        found.sort_by(f64::total_cmp);
        expected.sort_by(f64::total_cmp);
        assert_eq!(found.len(), expected.len(), "{id}: {found:?}");
        let is_near = |(a, b): (&f64, &f64)| a == b || (a - b).abs() < 1e-9;
        assert!(found.iter().zip(&expected).all(is_near), "{id}: {found:?}, not {expected:?}");
    }
    let parts = set.class(0).people().sharing(0).counts(0).iter().map(|(_, count)| count).collect::<Vec<_>>();
    let mut sorted = parts.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [1, 1, 2, 4], "halves: asthma and diabetes one each, back pain two, flu four");
}

/// A table of rows of a class and a person, each with a value.
fn plan_by_hand(rows: &[(&str, u32, &str)]) -> Plan {
    let names = ["first", "second"].map(|name| [name, "*"].map(str::to_owned).to_vec()).to_vec();
    Plan {
        quasi: vec![Quasi::new("class", names)],
        sensitive: vec![Sensitive::new("s", None)],
        rows: rows.iter().map(|&(class, _, value)| vec![class.to_owned(), value.to_owned()]).collect(),
    }
}

/// What a model reaches among the people of the class `first`: rows are of a class and a person, and have a value.
pub(crate) fn reached_by_hand(rows: &[(&str, u32, &str)], id: &str, parameters: &str) -> Vec<f64> {
    let plan = plan_by_hand(rows);
    let table = plan.count_people(&rows.iter().map(|row| row.1).collect::<Vec<u32>>());
    let (set, profile) = (classes(&plan, &table, 0).0, profile(&table));
    let model = OfPeople::new(requirement(&table, id, 0, parameters).model, true);
    let first = set.class((0..set.classes()).find(|&class| set.code(class, 0) == 0).expect("it has rows"));
    model.measure(&first, &profile).iter().map(|quantity| quantity.to_f64()).collect()
}

/// The same four beside two in another class, one with gout and one with a cold.
#[test]
fn four_people_beside_two_others_by_hand() {
    let four =
        [(1, "flu"), (1, "flu"), (1, "flu"), (1, "asthma"), (2, "flu"), (2, "diabetes"), (3, "flu"), (4, "back")];
    let mut rows = four.map(|(person, value)| ("first", person, value)).to_vec();
    rows.extend([("second", 5, "gout"), ("second", 6, "cold")]);
    for (id, parameters, expected) in [
        // Under as few values as possible three count under flu and one under another: F is 3/4, 1, 1. Psi is linear from tau to 1 at l, so
        // that with l = 2 tau is F(1); with l = 3 psi(2) must be 1 already: tau = 1.
        ("tau-l-diversity", "{ tau = 0.9, l = 2 }", 0.75),
        ("tau-l-diversity", "{ tau = 0.9, l = 3 }", 1.0),
        // In equal parts: flu 1/2 + 1/2 + 1 = 2, asthma 1/2, diabetes 1/2, back 1 of 4; in the whole the same of 6, gout 1 and cold 1. What
        // is more frequent in the class: (2 + 1/2 + 1/2 + 1) * (1/4 - 1/6) = 4/12.
        ("t-closeness", "{ t = 1 }", 1.0 / 3.0),
        // The largest change: three of six have flu, and three of four; the others are one of six and of four, or nobody.
        ("bayes-optimal-privacy", "{ difference = 1 }", 1.0 / 4.0),
        // Below 0.4 before were all but flu; after, asthma, diabetes and back pain are one of four.
        ("bayes-optimal-privacy", "{ rho1 = 0.4, rho2 = 0.5 }", 1.0 / 4.0),
    ] {
        let found = reached_by_hand(&rows, id, parameters);
        assert!(matches!(found[..], [one] if (one - expected).abs() < 1e-9), "{id} {parameters}: {found:?}");
    }
    // Salaries 3 and 4, 4, and 9: within 1 of 4 are one of the first's and the second's, two of three people.
    let rows = [("first", 1, "3"), ("first", 1, "4"), ("first", 2, "4"), ("first", 3, "9"), ("second", 4, "5")];
    assert_eq!(reached_by_hand(&rows, "epsilon-m-anonymity", "{ epsilon = 1, m = 2 }"), [1.5]);
    // By 5 around 9 there is also whoever has 4, in a number that counts once: all three.
    assert_eq!(reached_by_hand(&rows, "epsilon-m-anonymity", "{ epsilon = 5, m = 2 }"), [1.0]);
}

/// The rows of each class of a partition. Rows that are the same, people included, are dealt out as they come.
fn rows_of_classes(plan: &PeoplePlan, table: &CountedTable, partition: &Partition) -> Vec<Vec<usize>> {
    let mut rows: BTreeMap<(Vec<String>, u32), Vec<usize>> = BTreeMap::new();
    for (place, row) in plan.plan.rows.iter().enumerate() {
        rows.entry((row.clone(), plan.people[place])).or_default().push(place);
    }
    // Names of people are numbers, and their codes are in the order of these.
    let mut numbers = plan.people.clone();
    numbers.sort_unstable();
    numbers.dedup();
    let mut classes = vec![Vec::new(); partition.classes.len()];
    let mut parts = partition.assignments.iter().peekable();
    let mut tuple = 0;
    table.each_tuple(0..table.base.classes(), |codes, _| {
        let quasi = table.quasi.iter().zip(codes).map(|(column, &code)| column.dictionary.value(code).to_owned());
        let sensitive = table.sensitive.iter().zip(&codes[table.quasi.len()..]);
        let sensitive = sensitive.map(|(column, &code)| column.value(code).to_owned());
        let cells: Vec<String> = quasi.chain(sensitive).collect();
        let person = numbers[*codes.last().unwrap() as usize];
        let own = rows.get_mut(&(cells, person)).expect("the tuple is of the table");
        while let Some(part) = parts.next_if(|part| part.tuple == tuple) {
            let dealt: Vec<usize> = own.drain(..part.count as usize).collect();
            if let Some(class) = part.class {
                classes[class as usize].extend(dealt);
            }
        }
        tuple += 1;
    });
    classes
}
