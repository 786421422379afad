//! Do all searches find the same best release, is it what was asked for, and is nothing better missed?

use std::collections::BTreeSet;

use crate::tables::naive_objectives::NaiveRelease;
use crate::tables::releases::{Naive, Rest, released_rows};
use crate::tables::{Plan, Quasi, Sample, Sensitive, flat, random, requirement, samples};
use proptest::prelude::*;
use shoal_core::Result;
use shoal_core::exact::Ratio;
use shoal_core::frequency::CountedTable;
use shoal_core::lattice::Node;
use shoal_core::method::full_domain::{FullDomain, Judge, Search, solutions};
use shoal_core::method::{Method, Partition, Task, eligible_range};
use shoal_core::model::{Monotonicity, Requirement};
use shoal_core::objective::{OBJECTIVES, Objective};
use shoal_core::watch::Unwatched;

const SEARCHES: [Search; 3] = [Search::Exhaustive, Search::Incognito, Search::Optimal];
const LIMITS: [f64; 4] = [0.0, 0.1, 0.5, 1.0];

/// The number of rows that may go: limits are written with one decimal.
fn spare(limit: f64, rows: usize) -> usize {
    (limit * 10.0).round() as usize * rows / 10
}

/// Every node between the columns' smallest and largest levels.
pub fn nodes(plan: &Plan) -> Vec<Vec<u8>> {
    plan.quasi.iter().fold(vec![vec![]], |nodes, quasi| {
        let with =
            |node: Vec<u8>| (quasi.min_level..=quasi.max_level).map(move |level| [node.clone(), vec![level]].concat());
        nodes.into_iter().flat_map(with).collect()
    })
}

fn searched(task: &Task<'_>, search: Search) -> Result<Partition> {
    FullDomain { search, ..FullDomain::default() }.partition(task, &Unwatched)
}

fn partition(task: &Task<'_>, search: Search) -> Option<Partition> {
    searched(task, search).ok()
}

/// The partition is a release of the kind that was asked for.
fn assert_release_is_sound(naive: &Naive<'_>, task: &Task<'_>, partition: &Partition) {
    let plan = naive.plan;
    let rest = released_rows(plan, task.table, partition);
    assert!(rest.suppressed.len() as u64 <= task.rows_to_spare());
    assert_eq!(rest.suppressed.len() as u64, partition.suppressed());
    assert_eq!(plan.rows.len() as u64, partition.suppressed() + partition.released());
    let node = partition.node.as_ref().expect("full-domain has a node");
    let released: Vec<usize> = rest.classes.iter().flatten().copied().collect();
    assert!(!released.is_empty(), "an empty release is never a release");
    let mut shown = BTreeSet::new();
    for (class, rows) in rest.classes.iter().enumerate() {
        assert!(!rows.is_empty());
        let text = |column| partition.classes.text(task.table, class as u32, column).into_owned();
        let labels: Vec<String> = (0..task.table.quasi.len()).map(text).collect();
        for &row in rows {
            assert_eq!(plan.labels(&plan.rows[row], node.levels()), labels, "a row shows the labels of its class");
        }
        assert!(shown.insert(labels), "classes differ in what they show");
        assert_ne!(naive.accepts(rows, &released), Some(false), "{:?} at {node}", naive.asked);
    }
    let value = |id: &str| partition.objectives.iter().find(|(known, _)| *known == id).expect("every objective").1;
    let release = NaiveRelease { plan, levels: node.levels(), classes: rest.classes, suppressed: rest.suppressed };
    for entry in OBJECTIVES {
        let (ours, naive) = (value(entry.item.id()), release.value(entry.item.id()));
        assert!((ours - naive).abs() <= 1e-9 * ours.abs().max(1.0), "{}: {ours}, {naive}", entry.item.id());
    }
    if let Some(most) = eligible_range(task).most_classes {
        assert!(release.classes.len() as u64 <= most, "{} classes, but at most {most}", release.classes.len());
    }
}

/// All that is promised about one task: the searches agree, with each other and with the text.
fn assert_searches_are_right(naive: &Naive<'_>, task: &Task<'_>, rests: Option<&[(Vec<u8>, Rest)]>) {
    let searched = SEARCHES.map(|search| searched(task, search));
    let closest = |found: &Result<Partition>| Some(found.as_ref().err()?.closest()?.suppressed_rows);
    let [by_exhaustive, by_incognito, by_optimal] = searched.each_ref().map(closest);
    let found = searched.map(Result::ok);
    let summary = |partition: &Partition| {
        let Partition { classes, assignments, node, objectives, gap, .. } = partition;
        assert_eq!(*gap, Some(0.0));
        format!("{node:?} {objectives:?} {classes:?} {assignments:?}")
    };
    let [exhaustive, incognito, optimal] = found.each_ref().map(|partition| partition.as_ref().map(summary));
    let models = || task.requirements.iter().map(|requirement| requirement.model.name()).collect::<Vec<_>>();
    let asked = || format!("{:?} {} {:?}", models(), task.objective.id(), task.max_suppressed);
    assert_eq!(incognito, exhaustive, "incognito, {}", asked());
    assert_eq!(optimal, exhaustive, "optimal, {}", asked());
    assert_eq!((by_incognito, by_optimal), (by_exhaustive, by_exhaustive), "what comes closest, {}", asked());
    if let Some(partition) = &found[0] {
        assert_release_is_sound(naive, task, partition);
    }

    let solutions = solutions(task, true, &Unwatched).expect("the lattice is small");
    let all: Vec<&Node> = solutions.all.iter().flatten().map(|solution| &solution.node).collect();
    assert_eq!(solutions.satisfying, all.len() as u64);
    let minimal: Vec<&Node> = solutions.minimal.iter().map(|solution| &solution.node).collect();
    let is_minimal = |node: &&Node| !all.iter().any(|other| other != node && other.is_at_or_below(node));
    assert_eq!(minimal, all.iter().copied().filter(is_minimal).collect::<Vec<_>>(), "{}", asked());
    assert!(all.iter().all(|node| minimal.iter().any(|below| below.is_at_or_below(node))));
    let best = found[0].as_ref().map(|partition| partition.node.clone().expect("full-domain has a node"));
    assert_eq!(best.as_ref(), all.first().copied(), "the first is the one that a search takes, {}", asked());
    let lost: Vec<f64> = solutions.all.iter().flatten().map(|solution| solution.lost(task.objective.id())).collect();
    assert!(lost.windows(2).all(|pair| pair[0] <= pair[1] + 1e-9 * pair[1].abs().max(1.0)), "{lost:?}, {}", asked());
    let is_always = |requirement: &Requirement| requirement.model.monotonicity() == Monotonicity::Always;
    if task.requirements.iter().all(is_always) {
        assert!(u128::from(solutions.checked) <= solutions.nodes, "no node is looked at twice, {}", asked());
    }

    let Some(rests) = rests else { return };
    let rows = naive.plan.rows.len();
    let limit = task.rows_to_spare() as usize;
    let satisfies = |rest: &Rest| rest.suppressed.len() <= limit && rest.suppressed.len() < rows;
    let satisfying: Vec<&(Vec<u8>, Rest)> = rests.iter().filter(|(_, rest)| satisfies(rest)).collect();
    let levels: Vec<&[u8]> = satisfying.iter().map(|(levels, _)| levels.as_slice()).collect();
    let mut found: Vec<&[u8]> = all.iter().map(|node| node.levels()).collect();
    found.sort_unstable();
    assert_eq!(found, levels, "{}", asked());
    let value = |(levels, rest): &&(Vec<u8>, Rest)| {
        let (classes, suppressed) = (rest.classes.clone(), rest.suppressed.clone());
        NaiveRelease { plan: naive.plan, levels, classes, suppressed }.value(task.objective.id())
    };
    if let Some(best) = best {
        let least = satisfying.iter().map(value).fold(f64::INFINITY, f64::min);
        let of_best = satisfying.iter().find(|(levels, _)| levels == best.levels()).map(value).expect("it satisfies");
        assert!(of_best <= least + 1e-9 * least.abs().max(1.0), "{}: {of_best} at {best}, not {least}", asked());
    }
    if let Some(most) = eligible_range(task).most_classes {
        assert!(satisfying.iter().all(|(_, rest)| rest.classes.len() as u64 <= most), "{}", asked());
    }
}

/// Every sample of every definition, some together with 2-anonymity, with every limit on the suppressed rows.
fn assert_for_every_sample(plan: &Plan, first_objective: usize, with_k: bool) {
    let table = plan.count();
    for (place, sample) in samples(&table).into_iter().enumerate() {
        let Sample { requirement: model, column, among } = sample;
        let mut requirements = vec![model];
        if with_k {
            requirements.push(requirement(&table, "k-anonymity", 0, "{ k = 2 }"));
        }
        let naive = Naive::new(plan, &requirements, column, among);
        let rest = |levels: Vec<u8>| naive.rest(&levels).map(|rest| (levels, rest));
        let rests: Option<Vec<(Vec<u8>, Rest)>> = nodes(plan).into_iter().map(rest).collect();
        for (turn, limit) in LIMITS.into_iter().enumerate() {
            let objective = OBJECTIVES[(first_objective + place + turn) % OBJECTIVES.len()].item;
            let task = task(&table, &requirements, objective, limit);
            assert_eq!(task.rows_to_spare() as usize, spare(limit, plan.rows.len()));
            assert_searches_are_right(&naive, &task, rests.as_deref());
        }
    }
}

fn task<'a>(
    table: &'a CountedTable,
    requirements: &'a [Requirement],
    objective: &'a dyn Objective,
    limit: f64,
) -> Task<'a> {
    Task::new(table, requirements, objective, Ratio::written(limit).expect("a decimal"))
}

proptest! {
    #![proptest_config(random::cases(60))]

    #[test]
    fn searches_agree_with_each_other_and_with_the_text(
        plan in random::table(0..=3, 0..=2, 2..=20),
        first_objective in 0..OBJECTIVES.len(),
        with_k: bool,
    ) {
        assert_for_every_sample(&plan, first_objective, with_k);
    }
}

proptest! {
    #![proptest_config(random::cases(60))]

    #[test]
    fn searches_agree_for_every_objective(
        plan in random::table(2..=4, 1..=1, 2..=25),
        pick in any::<prop::sample::Index>(),
    ) {
        let table = plan.count();
        let mut samples = samples(&table);
        let Sample { requirement, column, among } = samples.swap_remove(pick.index(samples.len()));
        let requirements = [requirement];
        let naive = Naive::new(&plan, &requirements, column, among);
        for entry in OBJECTIVES {
            for limit in LIMITS {
                assert_searches_are_right(&naive, &task(&table, &requirements, entry.item, limit), None);
            }
        }
    }

    #[test]
    fn threads_do_not_matter(plan in random::table(2..=4, 1..=2, 2..=40), first_objective in 0..OBJECTIVES.len()) {
        let table = plan.count();
        let pool = |threads: usize| rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        let pools = [pool(1), pool(4)];
        for (place, sample) in samples(&table).into_iter().enumerate().filter(|(place, _)| place % 3 == 0) {
            let requirements = [sample.requirement];
            let objective = OBJECTIVES[(first_objective + place) % OBJECTIVES.len()].item;
            for limit in [0.0, 0.3] {
                let task = task(&table, &requirements, objective, limit);
                for search in SEARCHES {
                    let with = |pool: &rayon::ThreadPool| pool.install(|| format!("{:?}", partition(&task, search)));
                    prop_assert_eq!(with(&pools[0]), with(&pools[1]), "{:?}", search);
                }
            }
        }
    }
}

/// Of 50 `a` and 50 `b` in one class and 20 `a` in another, the second fails; all as one do, so that no search needs to look at the first two.
#[test]
fn what_comes_closest_may_be_what_was_ruled_out_unseen() {
    let row = |class: &str, value: &str| vec![class.to_owned(), value.to_owned()];
    let rows = [vec![row("x", "a"); 50], vec![row("x", "b"); 50], vec![row("y", "a"); 20]].concat();
    let table =
        Plan { quasi: vec![Quasi::new("q", flat(["x", "y"]))], sensitive: vec![Sensitive::new("s", None)], rows };
    let table = table.count();
    let requirements = [requirement(&table, "entropy-l-diversity", 0, "{ l = 2 }")];
    for search in SEARCHES {
        let error = searched(&task(&table, &requirements, OBJECTIVES[0].item, 0.01), search).unwrap_err();
        let closest = error.closest().expect("one came closest");
        assert_eq!((closest.levels[0].1, closest.suppressed_rows, closest.allowed_rows), (0, 20, 1), "{search:?}");
        assert!(error.to_string().contains("raise `max-suppressed` to 0.1667"), "{search:?}: {error}");
        assert!(partition(&task(&table, &requirements, OBJECTIVES[0].item, 0.1667), search).is_some(), "{search:?}");
    }
}

/// The verdict on each class, in the order of `shares`: how many records with `x` and with `y` it has.
fn judged(shares: &[(usize, usize)], parameters: &str) -> Vec<bool> {
    let class = |(place, &(x, y)): (usize, &(usize, usize))| {
        let row = |value: &str| vec![format!("class {place}"), value.to_owned()];
        [vec![row("x"); x], vec![row("y"); y]].concat()
    };
    let rows = shares.iter().enumerate().flat_map(class).collect();
    let quasi = Quasi::new("q", flat((0..shares.len()).map(|place| format!("class {place}"))));
    let table = Plan { quasi: vec![quasi], sensitive: vec![Sensitive::new("s", None)], rows }.count();
    let requirements = [requirement(&table, "t-closeness", 0, parameters)];
    let task = task(&table, &requirements, OBJECTIVES[0].item, 1.0);
    let judge = Judge::new(&task);
    let verdict = judge.judge(&judge.scan(&table.ungeneralized()));
    let dropped = shares.iter().zip(&verdict.accepted).filter(|(_, accepted)| !**accepted);
    assert_eq!(verdict.suppressed as usize, dropped.map(|((x, y), _)| x + y).sum::<usize>());
    verdict.accepted
}

/// Dropping one class changes the distribution, and with it the verdict on another: nothing is readmitted, and what is
/// left satisfies by itself.
#[test]
fn suppression_goes_in_rounds_until_the_release_satisfies_by_itself() {
    // The table is 43 to 21. The last fails at once; without it 42 to 2 are left, from which the second is too far.
    let three = [(40, 0), (2, 2), (1, 19)];
    assert_eq!(judged(&three, "{ t = 0.4, distance = 'equal', reference = 'table' }"), [true, true, false]);
    assert_eq!(judged(&three, "{ t = 0.4, distance = 'equal' }"), [true, false, false]);
    assert_eq!(
        judged(&three, "{ t = 0.46, distance = 'equal' }"),
        [true, true, false],
        "4/44 and a half are 0.4545 apart"
    );
    assert_eq!(judged(&three, "{ t = 0.7, distance = 'equal' }"), [true, true, true]);
    // From 15 to 9 to 14 to 4 to 13 to 1 to 12 to 0: each round drops one class, from the last but the second.
    let four = [(1, 3), (12, 0), (1, 1), (1, 5)];
    assert_eq!(judged(&four, "{ t = 0.4, distance = 'equal', reference = 'table' }"), [true, true, true, false]);
    assert_eq!(judged(&four, "{ t = 0.4, distance = 'equal' }"), [false, true, false, false]);
}

/// Equal losses: the lower node, then the first in lexicographic order.
#[test]
fn ties_go_to_the_lower_node_then_to_the_first() {
    let path = |column: &str, leaf: usize| {
        [format!("{column}{leaf}"), format!("pair {}", leaf / 2), "all four".to_owned(), "*".to_owned()].to_vec()
    };
    let column = |name: &str| {
        // Nothing that happens to a column without weight is a loss.
        Quasi { weight: 0.0, ..Quasi::new(name, (0..4).map(|leaf| path(name, leaf)).collect()) }
    };
    let best = |rows: Vec<Vec<String>>, k: u64, objective: &dyn Objective| {
        let table = Plan { quasi: vec![column("a"), column("b")], sensitive: vec![], rows }.count();
        let requirements = [requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
        let task = task(&table, &requirements, objective, 0.0);
        SEARCHES
            .map(|search| partition(&task, search).and_then(|partition| partition.node).map(|node| node.to_string()))
    };
    let row = |a: usize, b: usize| vec![format!("a{a}"), format!("b{b}")];
    let only_a_differs: Vec<_> = (0..4).map(|leaf| row(leaf, 0)).collect();
    let one_of_both: Vec<_> = (0..2).map(|leaf| row(leaf, leaf)).collect();
    let either: Vec<_> = vec![row(0, 0), row(1, 0), row(0, 1), row(1, 1)];
    for id in ["loss", "precision", "non-uniform-entropy", "information"] {
        let objective = shoal_core::objective::by_id(id).expect("it is in the list");
        assert_eq!(best(only_a_differs.clone(), 4, objective), [(); 3].map(|()| Some("(2, 0)".to_owned())), "{id}");
        assert_eq!(best(one_of_both.clone(), 2, objective), [(); 3].map(|()| Some("(1, 1)".to_owned())), "{id}");
        assert_eq!(best(either.clone(), 2, objective), [(); 3].map(|()| Some("(0, 1)".to_owned())), "{id}");
    }
}
