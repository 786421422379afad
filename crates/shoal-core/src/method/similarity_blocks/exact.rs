//! Does the tree find what looking at every point finds, and do assemblies keep what they promise?

use proptest::prelude::*;

use super::assembly::Assembly;
use super::points::{Find, Neighbour, Neighbours, Points, Wanted};
use super::space::Space;
use super::tree::Tree;
use super::{Clusters, SimilarityBlocks};
use crate::frequency::{CountedTable, QuasiColumn, SensitiveColumn, TupleCounter};
use crate::hierarchy::{Hierarchy, Level};
use crate::table::{Dictionary, DictionaryBuilder};

/// The slow twin: every search looks at every point, as in the paper.
struct Scan<'a> {
    space: &'a Space,
    points: &'a Points,
    left: Vec<u64>,
}

struct ByScan;

impl Find for ByScan {
    fn among<'p>(&self, space: &'p Space, points: &'p Points) -> Box<dyn Neighbours + 'p> {
        Box::new(Scan { space, points, left: points.counts.clone() })
    }
}

impl Neighbours for Scan<'_> {
    fn nearest(&mut self, ranks: &[u32], wanted: Wanted<'_>) -> Option<Neighbour> {
        let candidates = (0..self.points.len() as u32)
            .filter(|&point| self.left[point as usize] > 0 && wanted.holds(self.points.kinds[point as usize]));
        let distance = |point| self.space.distance(ranks, self.points.ranks(point));
        let found = candidates.map(|point| (distance(point), point)).min_by(|a, b| a.0.total_cmp(&b.0));
        found.map(|(distance, point)| Neighbour { point, distance, is_nearest: true })
    }

    fn take(&mut self, point: u32) {
        self.left[point as usize] -= 1;
    }

    fn left(&self, point: u32) -> u64 {
        self.left[point as usize]
    }
}

/// A table of numbers from 0 to 99, categories a to i in three groups, and a sensitive value.
fn table(rows: &[(u8, u8, u8)]) -> CountedTable {
    let mut builders: Vec<DictionaryBuilder> = (0..3).map(|_| DictionaryBuilder::default()).collect();
    let mut counter = TupleCounter::new(3);
    let mut counts = vec![std::collections::HashMap::<String, u64>::new(); 3];
    for &(number, category, value) in rows {
        let cells = [number.to_string(), char::from(b'a' + category).to_string(), format!("v{value}")];
        let tuple: Vec<u32> = cells.iter().zip(&mut builders).map(|(cell, builder)| builder.code(cell)).collect();
        cells.iter().zip(&mut counts).for_each(|(cell, counts)| *counts.entry(cell.clone()).or_default() += 1);
        counter.add(&tuple);
    }
    let (dictionaries, renamed): (Vec<Dictionary>, Vec<Vec<u32>>) =
        builders.into_iter().map(|builder| builder.finish("", false)).unzip();
    let sizes: Vec<usize> = dictionaries.iter().map(Dictionary::len).collect();
    let counts_of = |column: usize| -> Vec<u64> {
        dictionaries[column].values().iter().map(|value| counts[column][value]).collect()
    };
    let quasi = |column: usize| {
        let dictionary = dictionaries[column].clone();
        let thirds = dictionary.values().iter().map(|value| if value.as_str() < "d" { "x" } else { "y" });
        let levels = vec![
            Level::of_values(dictionary.values()),
            Level::from_labels(thirds),
            Level::root(dictionary.len()),
        ];
        let (hierarchy, ordered) = (Hierarchy::new(levels), column == 0);
        let (name, counts) = (format!("q{column}"), counts_of(column));
        QuasiColumn { name, dictionary: dictionary.into(), hierarchy, counts, weight: 1.0, min_level: 0, max_level: 2, ordered, round_ends: std::sync::OnceLock::new() }
    };
    let sensitive = SensitiveColumn::new("s", &dictionaries[2], None, counts_of(2));
    let base = counter.finish(2, &renamed, &sizes).into();
    CountedTable::new(vec![quasi(0), quasi(1)], vec![sensitive], vec![1.0], base, rows.len() as u64)
}

fn points(table: &CountedTable, space: &Space) -> Points {
    let entries = super::Entries::new(table, space);
    let mut points = Points::new(2);
    let mut entry = 0;
    for class in 0..table.base.classes() {
        let (tuples, counts) = table.base.entries(class);
        for (&tuple, &count) in tuples.iter().zip(counts) {
            points.push(entries.ranks(entry), table.base.sensitive().tuple(tuple)[0], count);
            entry += 1;
        }
    }
    points
}

fn rows(most: usize, kinds: u8) -> impl Strategy<Value = Vec<(u8, u8, u8)>> {
    prop::collection::vec((0..100u8, 0..9u8, 0..kinds), 1..most)
}

fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn with_effort_enough_the_tree_finds_the_nearest(rows in rows(300, 150), asked in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 200)) {
        let table = table(&rows);
        let space = Space::new(&table);
        let points = points(&table, &space);
        let mut scan = Scan { space: &space, points: &points, left: points.counts.clone() };
        let mut tree = Tree::new(&space, &points, u64::MAX);
        for (index, is_only) in asked {
            let from = index.index(points.len()) as u32;
            let kinds = [points.kinds[from as usize], 0];
            let wanted = if is_only { Wanted::Only(&kinds) } else { Wanted::Except(&kinds) };
            let ranks = points.ranks(from).to_vec();
            let (slow, fast) = (scan.nearest(&ranks, wanted), tree.nearest(&ranks, wanted));
            prop_assert_eq!(slow.map(|found| found.distance), fast.map(|found| found.distance));
            if let Some(found) = fast {
                prop_assert!(found.is_nearest && wanted.holds(points.kinds[found.point as usize]));
                prop_assert!(tree.left(found.point) > 0);
                tree.take(found.point);
                scan.take(found.point);
            }
        }
    }

    #[test]
    fn as_many_sets_as_possible_of_different_kinds_each(rows in rows(80, 6), size in 1u64..4) {
        let table = table(&rows);
        let space = Space::new(&table);
        let points = points(&table, &space);
        let assembly = Assembly::new(&points, size, &mut Tree::new(&space, &points, 3), &crate::watch::Unwatched);
        let mut left = points.counts.clone();
        for set in assembly.sets() {
            let kinds: std::collections::BTreeSet<u32> = set.iter().map(|&point| points.kinds[point as usize]).collect();
            prop_assert_eq!(kinds.len() as u64, size);
            set.iter().for_each(|&point| left[point as usize] -= 1);
        }
        let leftovers: Vec<(u32, u64)> = (0..).zip(left).filter(|pair| pair.1 > 0).collect();
        prop_assert_eq!(&leftovers, &assembly.leftovers, "nothing is lost");
        let sets = assembly.sets().count() as u64;
        let places = |sets: u64| points.totals().iter().map(|&total| total.min(sets)).sum::<u64>();
        prop_assert!(places(sets) >= sets * size && places(sets + 1) < (sets + 1) * size, "{} sets", sets);
    }
}

/// How near is what a search of limited effort finds, on clustered points? On the census extract see the benchmarks.
#[test]
fn little_effort_finds_neighbours_that_are_nearly_as_near() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % below) as u8
    };
    let rows: Vec<(u8, u8, u8)> = (0..3000).map(|_| (random(100), random(9), random(7) * random(2))).collect();
    let table = table(&rows);
    let space = Space::new(&table);
    let points = points(&table, &space);
    let exact = Assembly::new(&points, 2, ByScan.among(&space, &points).as_mut(), &crate::watch::Unwatched).nearness;
    let ratio = |effort: u64| {
        let near = Assembly::new(&points, 2, &mut Tree::new(&space, &points, effort), &crate::watch::Unwatched).nearness;
        assert_eq!(near.searches, exact.searches);
        near.mean_distance() / exact.mean_distance()
    };
    assert!((ratio(u64::MAX) - 1.0).abs() < 0.02, "only ties are broken otherwise: {}", ratio(u64::MAX));
    assert!(ratio(50) < 1.1, "{}", ratio(50));
}

/// The whole clustering by the tree and by the slow twin.
#[test]
fn clusters_are_as_near_as_those_of_the_slow_twin() {
    let rows: Vec<(u8, u8, u8)> = (0..402u32).map(|row| ((row * 37 % 100) as u8, (row * 7 % 9) as u8, (row % 6) as u8)).collect();
    let table = table(&rows);
    let space = Space::new(&table);
    let group_of = [0, 0, 0, 1, 1, 1];
    let alike = crate::model::AlikeValues { column: 0, group_of: &group_of, a: 2, d: 2 };
    let task = crate::method::Task::new(&table, &[], &crate::objective::Loss, crate::exact::Ratio::ZERO);
    let form = |find: &dyn Find| Clusters::form(&task, &space, alike, find, &crate::watch::Unwatched).unwrap();
    let (exact, fast) = (form(&ByScan), form(&SimilarityBlocks { effort: 20 }));
    assert_eq!(exact.classes.len(), 100, "six equally frequent values make as many classes as there can be");
    assert_eq!(fast.classes.len(), 100);
    assert!(fast.nearness.mean_distance() <= exact.nearness.mean_distance() * 1.1);
}
