//! Is a step that a model calls looser really looser, and do steps come to an end?

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use crate::tables::{profile, random};
use proptest::test_runner::{TestCaseError, TestRunner};
use serde_json::{Value, json};
use shoal_core::frequency::{CountedTable, FrequencySet, Generalization};
use shoal_core::lattice::Node;
use shoal_core::model::{AnyParameters, DEFINITIONS, Definition, PrivacyModel, Scope, Subject};

/// Demands that small classes hardly meet, for whichever of these keys a definition has.
fn strict() -> Value {
    json!({ "k": 12, "l": 5, "p": 4, "m": 4, "a": 3, "d": 3, "alpha": 0.15, "tau": 0.25, "t": 0.02, "c": 0.25, "c1": 0.25,
            "c2": 45, "rho2": 0.5, "difference": 0.02, "epsilon": 30.0 })
}

/// The samples of a definition, and each with one of its parameters set to much.
fn beginnings(definition: &Definition, subject: Subject<'_>) -> Vec<Box<dyn AnyParameters>> {
    let mut all = definition.samples(subject);
    let samples: Vec<Value> = all.iter().map(|sample| sample.to_json()).collect();
    for sample in samples {
        for (key, much) in strict().as_object().unwrap() {
            let mut changed = sample.clone();
            let Some(known) = changed.get_mut(key) else { continue };
            *known = if known.is_f64() { json!(much.as_f64()) } else { much.clone() };
            let written = toml::Value::try_from(&changed).unwrap().to_string();
            let parsed = toml::de::ValueDeserializer::parse(&written).unwrap();
            let parameters = definition.parse(parsed).unwrap_or_else(|error| panic!("{}: {error}", definition.id));
            if parameters.check(Path::new(".")).is_ok() {
                all.push(parameters);
            }
        }
    }
    all
}

fn subjects<'a>(definition: &Definition, table: &'a CountedTable) -> Vec<Subject<'a>> {
    let columns = if definition.scope == Scope::Table { 0..1 } else { 0..table.sensitive.len() };
    let subject = |index| Subject { columns: &table.sensitive, index, folder: Path::new("."), is_release: false };
    columns.map(subject).collect()
}

fn classes(table: &CountedTable) -> Vec<FrequencySet> {
    let generalization = Generalization::new(table.quasi.iter().map(|quasi| &quasi.hierarchy));
    let at = |level| generalization.roll_up(&table.base, &table.ungeneralized(), &Node::new(vec![level]));
    (0..=2).map(at).collect()
}

/// How often a step accepted a class that was refused before it, for each definition.
#[derive(Default)]
struct Gained(RefCell<BTreeMap<&'static str, u64>>);

/// Every step from these parameters on, each once: what was before it, and what it is.
fn every_step(from: Box<dyn AnyParameters>, mut look: impl FnMut(&dyn AnyParameters, &dyn AnyParameters)) {
    let mut seen: Vec<Value> = vec![from.to_json()];
    let mut open = vec![from];
    while let Some(stricter) = open.pop() {
        for looser in stricter.looser() {
            look(stricter.as_ref(), looser.as_ref());
            if !seen.contains(&looser.to_json()) {
                seen.push(looser.to_json());
                open.push(looser);
            }
        }
        assert!(seen.len() < 2000, "steps of {} go on and on: {}", seen[0], seen[seen.len() - 1]);
    }
}

#[test]
fn every_step_accepts_what_was_accepted_before_and_the_steps_end() {
    let gained = Gained::default();
    let mut runner = TestRunner::new(random::cases(60));
    let outcome = runner.run(&random::three_classes(1..=2), |plan| {
        let table = plan.count();
        let (whole, sets) = (profile(&table), classes(&table));
        let accepted = |model: &dyn PrivacyModel| -> Vec<bool> {
            let of_set = |set: &FrequencySet| {
                (0..set.classes()).map(|class| model.accepts(&set.class(class), &whole)).collect::<Vec<bool>>()
            };
            sets.iter().flat_map(of_set).collect()
        };
        for definition in DEFINITIONS {
            for subject in subjects(definition, &table) {
                for from in beginnings(definition, subject) {
                    every_step(from, |stricter, looser| {
                        let written = format!("{} {} to {}", definition.id, stricter.to_json(), looser.to_json());
                        looser.check(Path::new(".")).unwrap_or_else(|wrong| panic!("{written}: {}", wrong.error));
                        assert_eq!(changed(stricter, looser).len(), 1, "{written}: a step changes one parameter");
                        let model = |parameters: &dyn AnyParameters| parameters.resolve(subject).unwrap();
                        let (before, after) = (accepted(&*model(stricter)), accepted(&*model(looser)));
                        for (before, after) in before.into_iter().zip(after) {
                            assert!(after || !before, "{written}: refuses what was accepted");
                            if after && !before {
                                *gained.0.borrow_mut().entry(definition.id).or_default() += 1;
                            }
                        }
                    });
                }
            }
        }
        Ok::<(), TestCaseError>(())
    });
    if let Err(error) = outcome {
        panic!("{error}");
    }
    for definition in DEFINITIONS {
        let count = gained.0.borrow().get(definition.id).copied().unwrap_or(0);
        assert!(count >= 20, "{}: steps accepted something new only {count} times", definition.id);
    }
}

/// The keys that two sets of parameters do not agree on.
fn changed(stricter: &dyn AnyParameters, looser: &dyn AnyParameters) -> Vec<String> {
    let (before, after) = (stricter.to_json(), looser.to_json());
    let all = after.as_object().unwrap().iter();
    all.filter(|(key, value)| before.get(key.as_str()) != Some(*value)).map(|(key, _)| key.clone()).collect()
}
