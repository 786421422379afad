//! What happens at the edges: no rows, no quasi-identifiers, parameters nobody would write, and hints that are followed?

use std::path::Path;

use crate::tables::{Plan, Quasi, Sensitive, flat, random, requirement, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::method::full_domain::{FullDomain, Search, solutions};
use shoal_core::method::{Method, Task, eligible_range};
use shoal_core::model::{DEFINITIONS, Monotonicity, Subject};
use shoal_core::objective::{Loss, OBJECTIVES};
use shoal_core::watch::Unwatched;

const SEARCHES: [Search; 3] = [Search::Exhaustive, Search::Incognito, Search::Optimal];

#[test]
fn an_empty_table_has_no_release() {
    let values = flat(["0", "7"]);
    let sensitive = vec![Sensitive::new("s", Some(values.clone())), Sensitive::new("w", None)];
    let table = Plan { quasi: vec![Quasi::new("q", values)], sensitive, rows: vec![] }.count();
    for sample in samples(&table) {
        let requirements = [sample.requirement];
        for max_suppressed in [Ratio::ZERO, Ratio::from(1)] {
            for entry in OBJECTIVES {
                let objective = entry.item;
                let task = Task::new(&table, &requirements, objective, max_suppressed);
                for search in SEARCHES {
                    assert!(FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).is_err());
                }
                assert_eq!(solutions(&task, true, &Unwatched).expect("two nodes").satisfying, 0);
            }
        }
    }
}

#[test]
fn without_quasi_identifiers_everything_is_one_class() {
    let rows: Vec<Vec<String>> = ["x", "x", "y"].map(|value| vec![value.to_owned()]).to_vec();
    let table = Plan { quasi: vec![], sensitive: vec![Sensitive::new("s", None)], rows }.count();
    for (k, is_there) in [(3, true), (4, false)] {
        let requirements = [requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
        for entry in OBJECTIVES {
            let max_suppressed = Ratio::ZERO;
            let task = Task::new(&table, &requirements, entry.item, max_suppressed);
            for search in SEARCHES {
                let found = FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).ok();
                assert_eq!(found.map(|partition| partition.class_sizes()), is_there.then(|| vec![3]));
            }
        }
    }
}

/// Numbers are compared digit by digit; one with more digits than that allows is refused before any data is read.
#[test]
fn a_parameter_is_compared_exactly_or_refused() {
    let rows: Vec<Vec<String>> = ["0", "7"].map(|value| vec![value.to_owned()]).to_vec();
    let table = Plan { quasi: vec![], sensitive: vec![Sensitive::new("s", None)], rows }.count();
    for number in ["1e-30", "1e-300", "1.2345678901234567e-15", "1e30", "1e300", "0.5"] {
        for (id, parameters) in [
            ("t-closeness", format!("t = {number}, distance = 'equal'")),
            ("t-closeness", format!("t = {number}, distance = 'kl'")),
            ("entropy-l-diversity", format!("l = {number}")),
            ("simple-l-diversity", format!("l = {number}")),
            ("recursive-cl-diversity", format!("c = {number}, l = 2")),
            ("pd-recursive-cl-diversity", format!("c = {number}, l = 2, disclosable = []")),
            ("npd-recursive-cl-diversity", format!("c1 = {number}, c2 = 1, l = 2, guarded = ['0']")),
            ("npd-recursive-cl-diversity", format!("c1 = 1, c2 = {number}, l = 2, guarded = ['0']")),
            ("alpha-k-anonymity", format!("alpha = {number}, k = 2")),
            ("tau-l-diversity", format!("tau = {number}, l = 2")),
        ] {
            let definition = DEFINITIONS.iter().find(|definition| definition.id == id).expect("it is in the list");
            let text = format!("{{ {parameters} }}");
            let value = toml::de::ValueDeserializer::parse(&text).expect("TOML");
            let parameters = definition.parse(value).expect("its parameters");
            if parameters.check(Path::new(".")).is_ok() {
                let subject =
                    Subject { columns: &table.sensitive, index: 0, folder: Path::new("."), is_release: false };
                let bounds = parameters.resolve(subject).expect("values that occur").bounds();
                assert!(bounds.iter().all(|bound| bound.required >= 0.0));
            } else {
                assert_ne!((number, id), ("0.5", "t-closeness"));
            }
        }
    }
}

/// Incognito lists the lattice of all quasi-identifiers at last: one that cannot be listed is refused at once.
#[test]
fn a_lattice_that_cannot_be_listed_is_refused() {
    let path = ["x", "level 1", "level 2", "level 3", "*"].map(str::to_owned).to_vec();
    let quasi = (0..14).map(|column| Quasi::new(&format!("q{column}"), vec![path.clone()])).collect();
    let table = Plan { quasi, sensitive: vec![], rows: vec![vec!["x".to_owned(); 14]; 3] }.count();
    let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
    let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
    for search in SEARCHES {
        let error =
            FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).expect_err("5^14 nodes");
        assert!(error.message().contains("too many to search"), "{error}");
    }
    assert!(solutions(&task, false, &Unwatched).is_err());
}

/// More nodes than any integer counts are not told as if they had been counted.
#[test]
fn a_lattice_that_cannot_be_counted_has_no_number() {
    let path = ["x", "level 1", "level 2", "level 3", "*"].map(str::to_owned).to_vec();
    let quasi = (0..60).map(|column| Quasi::new(&format!("q{column}"), vec![path.clone()])).collect();
    let table = Plan { quasi, sensitive: vec![], rows: vec![vec!["x".to_owned(); 60]; 3] }.count();
    let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 2 }")];
    let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
    let error = solutions(&task, false, &Unwatched).expect_err("5^60 nodes");
    assert!(error.message().contains("more than 3.403 × 10^38 nodes"), "{error}");
}

proptest! {
    #![proptest_config(random::cases(60))]

    /// Whoever raises `max-suppressed` to what the message proposes gets a release.
    #[test]
    fn hints_help(plan in random::table(1..=3, 1..=1, 2..=25), limit in 0..3u64) {
        let table = plan.count();
        for sample in samples(&table) {
            let requirements = [sample.requirement];
            let allowing = |max_suppressed| Task::new(&table, &requirements, &Loss, max_suppressed);
            for search in SEARCHES {
                let Err(error) = FullDomain { search, ..FullDomain::default() }.partition(&allowing(Ratio::new(limit.into(), 20)), &Unwatched) else { continue };
                prop_assert_eq!(error.kind(), shoal_core::error::Kind::NoRelease);
                let hint = error.hint_text().expect("every no comes with a hint");
                let Some((_, after)) = hint.split_once("raise `max-suppressed` to ") else { continue };
                let proposed: f64 = after.split(',').next().and_then(|text| text.parse().ok()).expect("a number");
                let task = allowing(Ratio::written(proposed).expect("a decimal"));
                prop_assert!(FullDomain { search, ..FullDomain::default() }.partition(&task, &Unwatched).is_ok(), "{}", error);
            }
        }
    }

    /// What no release can reach is said before any search; what some release reaches is never called impossible.
    #[test]
    fn the_eligible_range_is_what_one_class_of_everything_reaches(plan in random::table(1..=3, 1..=2, 2..=25)) {
        let mut plan = plan;
        plan.quasi.iter_mut().for_each(|quasi| (quasi.min_level, quasi.max_level) = (0, quasi.height() as u8));
        let table = plan.count();
        for sample in samples(&table) {
            let requirements = [sample.requirement];
            let task = Task::new(&table, &requirements, &Loss, Ratio::ZERO);
            let is_refused = eligible_range(&task).refuse_the_impossible(&task).is_err();
            if requirements[0].model.monotonicity() == Monotonicity::Never {
                prop_assert!(!is_refused, "what one class reaches tells nothing of {}", requirements[0].model.name());
                continue;
            }
            // The top of the whole lattice is one class of everything, so the range is exact here.
            let satisfying = solutions(&task, false, &Unwatched).expect("a small lattice").satisfying;
            prop_assert_eq!(is_refused, satisfying == 0, "{}", requirements[0].model.name());
        }
    }
}
