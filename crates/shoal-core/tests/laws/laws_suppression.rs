//! Does a method that may suppress rows, or must satisfy less, ever refuse or lose what it would not without?

use std::path::Path;
use std::sync::Arc;

use crate::tables::{Plan, Quasi, Sample, Sensitive, flat, random, requirement, samples};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, SensitiveColumn};
use shoal_core::method::full_domain::{FullDomain, Search};
use shoal_core::method::{METHODS, Method, Partition, Resolver, Task};
use shoal_core::model::{Among, DEFINITIONS, Requirement, Scope, Subject};
use shoal_core::objective::order::exceeds;
use shoal_core::objective::{Loss, OBJECTIVES, Objective};
use shoal_core::watch::Unwatched;

/// Every method, also with other than its usual parameters.
fn methods() -> Vec<Arc<dyn Method>> {
    METHODS.iter().flat_map(|entry| (entry.samples)()).collect()
}

/// What a policy requires: ids with parameters, all about the first sensitive column.
#[derive(Debug, Clone)]
struct Asked(Vec<(&'static str, String)>);

impl Resolver for Asked {
    fn resolve(&self, columns: &[SensitiveColumn]) -> shoal_core::Result<Vec<Requirement>> {
        let one = |(id, text): &(&'static str, String)| {
            let definition = DEFINITIONS.iter().find(|known| known.id == *id).expect("it is in the list");
            let parameters =
                definition.parse(toml::de::ValueDeserializer::parse(text).expect("TOML")).expect("parameters");
            let model = parameters.resolve(Subject { columns, index: 0, folder: Path::new("."), is_release: false })?;
            let column = (definition.scope != Scope::Table).then(|| columns[0].name().to_owned());
            Ok(Requirement::new(definition.id, column, parameters.to_json(), model))
        };
        self.0.iter().map(one).collect()
    }
}

impl Asked {
    fn with_t(&self, t: u64) -> Self {
        let t_closeness = ("t-closeness", format!("{{ t = {}, distance = 'equal' }}", t as f64 / 20.0));
        Self([self.0.clone(), vec![t_closeness]].concat())
    }

    fn run(
        &self,
        method: &dyn Method,
        table: &CountedTable,
        objective: &dyn Objective,
        limit: u64,
    ) -> Option<Partition> {
        let requirements = self.resolve(&table.sensitive).expect("every model takes values as they are");
        let task = Task::new(table, &requirements, objective, Ratio::new(limit.into(), 20));
        method.partition(&Task { resolver: Some(self), ..task }, &Unwatched).ok()
    }
}

/// Methods may refuse a lowest or highest level.
fn unbounded(mut plan: Plan) -> Plan {
    for quasi in &mut plan.quasi {
        (quasi.min_level, quasi.max_level) = (0, quasi.height() as u8);
    }
    plan
}

fn assert_no_worse(objective: &dyn Objective, stricter: Option<&Partition>, looser: Option<&Partition>, about: &str) {
    let Some(stricter) = stricter else { return };
    let looser = looser.unwrap_or_else(|| panic!("{about}: refused with more freedom"));
    let (before, after) = (stricter.lost(objective), looser.lost(objective));
    // What has no value for this objective (a height of classes with labels of their own) can be no worse.
    assert!(before.is_nan() || !exceeds(after, before), "{about}: {} {before} became {after}", objective.id());
}

/// The best combination of levels for all rows is looked for by what it loses as one combination, where suppressed rows weigh
/// otherwise in a sum of bits than as labels: what suppresses none is to be tried beside it.
#[test]
fn several_combinations_of_levels_lose_no_more_where_rows_may_be_suppressed() {
    let groups = |of: [[&str; 2]; 4]| {
        of.iter()
            .enumerate()
            .map(|(leaf, [first, second])| {
                vec![format!("b{leaf}"), format!("group 1.{first}"), format!("group 2.{second}"), "*".to_owned()]
            })
            .collect()
    };
    let plan = Plan {
        quasi: vec![
            Quasi::new("a", flat(["a0", "a1"])),
            Quasi { weight: 2.0, ..Quasi::new("b", groups([["2", "0"], ["1", "2"], ["2", "0"], ["0", "2"]])) },
            Quasi::new("c", flat(["c0", "c1"])),
        ],
        sensitive: vec![Sensitive::new("s", Some(flat(["0", "7"]))), Sensitive::new("w", None)],
        rows: "a1/b3/c1/7/w1 a0/b3/c0/0/w1 a0/b2/c1/7/w2 a1/b1/c1/7/w0 a1/b0/c1/0/w0 a0/b0/c1/0/w2 a0/b3/c0/0/w2 \
               a0/b0/c0/7/w0 a0/b1/c1/0/w0 a1/b0/c0/0/w0 a1/b3/c0/0/w1 a0/b1/c0/0/w0 a1/b1/c0/0/w0 a0/b3/c0/0/w0 \
               a1/b3/c1/0/w0 a0/b1/c1/7/w2"
            .split_whitespace()
            .map(|row| row.split('/').map(str::to_owned).collect())
            .collect(),
    };
    let table = plan.count();
    let local = FullDomain { local: true, ..FullDomain::default() };
    for Sample { requirement: sampled, .. } in samples(&table) {
        let about = sampled.model.name();
        let requirements = [sampled, requirement(&table, "k-anonymity", 0, "{ k = 4 }")];
        for entry in OBJECTIVES {
            let run = |limit| {
                local.partition(&Task::new(&table, &requirements, entry.item, Ratio::from(limit)), &Unwatched).ok()
            };
            assert_no_worse(entry.item, run(0).as_ref(), run(1).as_ref(), &about);
        }
    }
}

/// A table of one quasi-identifier and one sensitive column.
fn two_columns(rows: &[(&str, &str)]) -> CountedTable {
    let leaves: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.0).collect();
    let plan = Plan {
        quasi: vec![Quasi::new("q", flat(leaves))],
        sensitive: vec![Sensitive::new("s", None)],
        rows: rows.iter().map(|(q, s)| vec![(*q).to_owned(), (*s).to_owned()]).collect(),
    };
    plan.count()
}

/// Two values have nobody of their kind beside them; leaving out one of them alone brings nothing nearer.
#[test]
fn values_that_are_too_few_of_their_kind_are_left_out_together() {
    let table = two_columns(&[("2", "d"), ("3", "mason"), ("4", "x"), ("7", "b")]);
    let groups = "{ a = 2, d = 1, groups = { letters = ['b', 'x'], alone = ['d'], trades = ['mason'] } }";
    let requirements = [requirement(&table, "a-d-diversity", 0, groups)];
    for method in methods().iter().filter(|method| method.id() == "one-dimensional" || method.id() == "sweep") {
        let partition = method.partition(&Task::new(&table, &requirements, &Loss, Ratio::from(1)), &Unwatched);
        let partition = partition.unwrap_or_else(|error| panic!("{}: {error}", method.id()));
        assert_eq!((partition.released(), partition.suppressed()), (2, 2), "{}", method.id());
    }
}

/// What `one-dimensional` and `microaggregation` leave out where at most half of the rows may be.
fn assert_leaves_out(table: &CountedTable, requirements: &[Requirement], suppressed: u64) {
    for method in methods().iter().filter(|method| ["one-dimensional", "microaggregation"].contains(&method.id())) {
        let partition = method.partition(&Task::new(table, requirements, &Loss, Ratio::new(1, 2)), &Unwatched);
        let partition = partition.unwrap_or_else(|error| panic!("{}: {error}", method.id()));
        assert_eq!(partition.suppressed(), suppressed, "{}", method.id());
    }
}

/// Two values of the other sensitive column stand alone: each is a reason, and without one of them the other still is.
#[test]
fn blocks_that_fail_are_left_out_one_after_the_other() {
    let rows = ["mason/mason", "b/c", "ab/north", "ab/c"];
    let plan = Plan {
        quasi: vec![Quasi::new("q", flat(["x"]))],
        sensitive: vec![Sensitive::new("s", None), Sensitive::new("other", None)],
        rows: rows.iter().map(|row| ["x"].into_iter().chain(row.split('/')).map(str::to_owned).collect()).collect(),
    };
    let table = plan.count();
    let Requirement { id, column, parameters, model, .. } =
        requirement(&table, "simple-l-diversity", 0, "{ l = 1.25 }");
    let among = Requirement::new(id, column, parameters, Box::new(Among::new(model, 0)));
    assert_leaves_out(&table, &[among], 2);
}

/// Without one of two rare values the other is all that outweighs nothing, which is worse than both of them: both must be gone.
#[test]
fn two_values_that_must_both_be_gone_are_left_out() {
    let table = two_columns(&[("1", "rare"), ("2", "common"), ("1", "common"), ("1", "odd")]);
    let parameters = "{ c1 = 0.5, c2 = 20, l = 3, disclosable = ['common'], guarded = ['common'] }";
    assert_leaves_out(&table, &[requirement(&table, "npd-recursive-cl-diversity", 0, parameters)], 2);
}

/// All numbers are near each other: without any one of them, as many others are as before or the wrong ones stay.
#[test]
fn of_numbers_near_each_other_the_right_ones_are_left_out() {
    let table = two_columns(&[("2", "31"), ("1", "32"), ("1", "29"), ("1", "30")]);
    assert_leaves_out(&table, &[requirement(&table, "epsilon-m-anonymity", 0, "{ epsilon = 2.5, m = 2 }")], 2);
    let numbers = ["-11", "-14", "-16", "-11", "-18", "-13", "-15"];
    let table = two_columns(&numbers.map(|number| ("1", number)));
    assert_leaves_out(&table, &[requirement(&table, "epsilon-m-anonymity", 0, "{ epsilon = 2.5, m = 2 }")], 2);
}

/// Whoever leaves for the sake of one column makes a value of the other too frequent, unless the right ones do.
#[test]
fn values_of_two_columns_that_are_too_frequent_are_left_out_together() {
    let rows = ["-20/ae", "-20/clerk", "-20/clerk", "-10/ae", "-20/ab", "-5/b"];
    let plan = Plan {
        quasi: vec![Quasi::new("q", flat(["x"]))],
        sensitive: vec![Sensitive::new("s", None), Sensitive::new("other", None)],
        rows: rows.iter().map(|row| ["x"].into_iter().chain(row.split('/')).map(str::to_owned).collect()).collect(),
    };
    let table = plan.count();
    let both = [0, 1].map(|column| requirement(&table, "simple-l-diversity", column, "{ l = 3 }"));
    assert_leaves_out(&table, &both, 3);
}

/// With k = 5 the sweep has one class to close before the last; with k = 4 it closes more, and the rest fits nowhere.
#[test]
fn a_sweep_that_ends_with_records_that_fit_nowhere_leaves_out_a_few_of_all() {
    let rows = "south42/17 south52/-8 south32/-13 clerk42/7 south52/-8 south52/-13 south32/2 clerk47/-3 south42/-13 clerk32/-13 \
                south42/-13 clerk47/2";
    let rows: Vec<(&str, &str)> = rows.split_whitespace().filter_map(|row| row.split_once('/')).collect();
    let table = two_columns(&rows);
    for k in 2..=9 {
        let requirements = [
            requirement(&table, "tau-l-diversity", 0, "{ tau = 0.4, l = 2 }"),
            requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}")),
        ];
        for method in methods().iter().filter(|method| method.id() == "sweep") {
            let task = Task::new(&table, &requirements, &Loss, Ratio::new(1, 5));
            let partition = method.partition(&task, &Unwatched).unwrap_or_else(|error| panic!("k = {k}: {error}"));
            assert!(partition.suppressed() <= 2, "k = {k}");
        }
    }
}

proptest! {
    #![proptest_config(random::cases(48))]

    #[test]
    fn allowing_suppression_never_refuses_and_never_loses_more(
        plan in random::table(1..=3, 1..=2, 4..=30).prop_map(unbounded),
        k in 1..=3u64,
        first_objective in 0..OBJECTIVES.len(),
        first_sample in 0..6usize,
    ) {
        let table = plan.count();
        for (place, Sample { requirement: sampled, .. }) in samples(&table).into_iter().enumerate().skip(first_sample).step_by(6) {
            let requirements = [sampled, requirement(&table, "k-anonymity", 0, &format!("{{ k = {} }}", k + 1))];
            let requirements = if k == 1 { &requirements[..1] } else { &requirements };
            let objective = OBJECTIVES[(first_objective + place) % OBJECTIVES.len()].item;
            for method in methods() {
                let run = |limit: u64| {
                    method.partition(&Task::new(&table, requirements, objective, Ratio::new(limit.into(), 20)), &Unwatched).ok()
                };
                let forbidden = run(0);
                for limit in [1, 4, 10, 20] {
                    let about = format!("{method:?}, {:?}, {limit}/20", requirements[0].model.name());
                    assert_no_worse(objective, forbidden.as_ref(), run(limit).as_ref(), &about);
                }
            }
        }
    }

    /// The same where sensitive values may be generalized, and rows that are left out change what closeness compares with.
    #[test]
    fn nor_does_it_where_sensitive_values_are_generalized(
        plan in random::table(1..=2, 1..=1, 8..=40).prop_map(unbounded),
        k in 1..=3u64,
        t in 0..=8u64,
        objective in 0..OBJECTIVES.len(),
        diverse: bool,
    ) {
        let (table, objective) = (plan.count(), OBJECTIVES[objective].item);
        let mut asked = Asked(vec![("k-anonymity", format!("{{ k = {k} }}"))]);
        if diverse {
            asked.0.push(("tau-l-diversity", "{ tau = 0.6, l = 2 }".to_owned()));
        }
        let asked = asked.with_t(t);
        for method in methods() {
            let forbidden = asked.run(method.as_ref(), &table, objective, 0);
            for limit in [1, 4, 10] {
                // `best` then counts sensitive columns as well, which releases without generalized values need not be compared by.
                let allowed = asked.run(method.as_ref(), &table, objective, limit);
                let generalizes = |found: &Option<Partition>| found.as_ref().is_some_and(|one| one.sensitive.is_some());
                let about = format!("{method:?}, {asked:?}, {limit}/20");
                if method.id() != "best" || !(generalizes(&forbidden) || generalizes(&allowed)) {
                    assert_no_worse(objective, forbidden.as_ref(), allowed.as_ref(), &about);
                } else {
                    prop_assert!(forbidden.is_none() || allowed.is_some(), "{}", about);
                }
            }
        }
    }

    /// All classes of a release without suppression are together one class that satisfies whatever they do, at a distance of
    /// 0: if there is a release at some t, there is one at every t.
    #[test]
    fn closeness_is_never_refused_where_one_class_would_do(
        plan in random::table(1..=3, 1..=1, 4..=30).prop_map(unbounded),
        k in 1..=4u64,
        limit in prop::sample::select(vec![0u64, 2, 6]),
        diverse: bool,
    ) {
        let table = plan.count();
        let mut base = Asked(vec![("k-anonymity", format!("{{ k = {k} }}"))]);
        if diverse {
            base.0.push(("tau-l-diversity", "{ tau = 0.6, l = 2 }".to_owned()));
        }
        for method in methods().into_iter().filter(|method| method.id() != "anatomy") {
            let found: Vec<Option<Partition>> =
                (0..=5).map(|t| base.with_t(4 * t).run(method.as_ref(), &table, &Loss, limit)).collect();
            let is_complete = |partition: &Partition| partition.suppressed() == 0;
            if found.iter().flatten().any(is_complete) {
                let refused: Vec<usize> = (0..=5).filter(|&t| found[t].is_none()).collect();
                prop_assert!(refused.is_empty(), "{:?}, {}/20, refuses t = {:?} fifths", method, limit, refused);
            }
        }
    }

    /// Every relaxation only adds candidates: suppression, requirements, lowest and highest levels.
    #[test]
    fn the_optimum_only_gets_better_with_more_freedom(
        plan in random::table(1..=3, 1..=2, 4..=30),
        first_objective in 0..OBJECTIVES.len(),
        raised in any::<prop::sample::Index>(),
    ) {
        let table = plan.count();
        let wider = unbounded(plan.clone()).count();
        let with_k = |table: &CountedTable, k: u64| requirement(table, "k-anonymity", 0, &format!("{{ k = {k} }}"));
        for (place, Sample { requirement: sampled, .. }) in samples(&table).into_iter().enumerate() {
            let objective = OBJECTIVES[(first_objective + place) % OBJECTIVES.len()].item;
            let (name, depends_on_release) = (sampled.model.name(), sampled.model.depends_on_release());
            let mut requirements = vec![sampled, with_k(&table, 2)];
            let run = |table: &CountedTable, requirements: &[Requirement], limit: u64| {
                let task = Task::new(table, requirements, objective, Ratio::new(limit.into(), 20));
                FullDomain { search: Search::Optimal, ..FullDomain::default() }.partition(&task, &Unwatched).ok()
            };
            let limit = raised.index(20) as u64;
            let strict = run(&table, &requirements, limit);
            let about = |what: &str| format!("{what}, {name}, {limit}/20, {}", objective.id());
            assert_no_worse(objective, strict.as_ref(), run(&table, &requirements, limit + 1).as_ref(), &about("one more"));
            assert_no_worse(objective, strict.as_ref(), run(&wider, &requirements, limit).as_ref(), &about("wider levels"));
            requirements.pop();
            // Without suppression only: what a stricter model drops may be what another one compares with.
            if limit == 0 || !depends_on_release {
                assert_no_worse(objective, strict.as_ref(), run(&table, &requirements, limit).as_ref(), &about("no k"));
            }
        }
    }
}
