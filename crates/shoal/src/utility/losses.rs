//! What has a release lost by each objective, as far as its text tells?

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::Compared;
use crate::attack::{People, Scene};
use crate::frequency::{CountedTable, FrequencySet, KeyLayout, QuasiColumn, SensitiveTuples};
use crate::hierarchy::{Hierarchy, is_ordered};
use crate::lattice::Node;
use crate::method::{Cover, Covered, Label, LabelStyle};
use crate::objective::{Candidate, LabelSums, OBJECTIVES, Shown, by_id};
use crate::table::Dictionary;

/// The value of every objective, for the whole release and for each column by itself.
#[derive(Debug)]
pub struct Losses {
    /// Each objective's id and value.
    pub table: Vec<(&'static str, f64)>,
    /// The same for each column alone, by those objectives that look at columns.
    pub columns: Vec<(String, Vec<(&'static str, f64)>)>,
}

impl Losses {
    /// Reads labels as an outsider would: a label of the hierarchy stands for what lies below it there, any other for the
    /// values that it names. Where every label of each column is of one level, and no label has more rows than the original
    /// has below it, the release is taken for one with full-domain generalization.
    pub fn new(scene: &Scene<'_>, original: &People, compared: &Compared, weights: &[f64]) -> Self {
        let rows = compared.original.rows();
        let suppressed = rows.saturating_sub(compared.release.rows());
        let squares = scene.classes.sizes().iter().map(|&size| u128::from(size) * u128::from(size)).sum();
        let reading = Reading { scene, compared, rows, suppressed, squares };
        let quasi_column = |column| quasi_column(scene, original, compared, weights, column);
        let quasi: Vec<QuasiColumn> = (0..compared.quasi).map(quasi_column).collect();
        let labels = |at: usize| scene.classes.labels(at);
        let sums: Vec<LabelSums> =
            (0..quasi.len()).map(|at| label_sums(&quasi[at], labels(at), compared, at, suppressed)).collect();
        let (as_quasi, sensitive_sums): (Vec<QuasiColumn>, Vec<LabelSums>) =
            (0..scene.columns.len()).map(|at| sensitive_column(scene, compared, at, suppressed)).unzip();
        let level = |at: usize| one_level(&quasi[at], labels(at), &compared.columns[at].released, suppressed);
        let is_generalized = scene.columns.iter().any(|column| column.is_generalized());
        let levels: Option<Vec<u8>> = if is_generalized { None } else { (0..quasi.len()).map(level).collect() };

        let mut columns = Vec::new();
        for (at, column) in quasi.iter().enumerate() {
            let alone = vec![QuasiColumn { weight: 1.0, ..column.clone() }];
            let node = levels.as_ref().map(|levels| Node::new(vec![levels[at]]));
            let sums = (vec![sums[at]], Vec::new());
            columns.push((column.name.clone(), reading.valued(alone, &[at], &[], node.as_ref(), sums)));
        }
        for (column, &sums) in as_quasi.into_iter().zip(&sensitive_sums) {
            let sums = (vec![sums], Vec::new());
            columns.push((column.name.clone(), reading.valued(vec![column], &[], &[], None, sums)));
        }
        // What looks at classes says nothing of a column.
        let of_columns = |id: &str| by_id(id).is_some_and(|objective| objective.separable().is_some());
        columns.iter_mut().for_each(|(_, losses)| losses.retain(|(id, _)| of_columns(id)));
        let (node, all): (_, Vec<usize>) = (levels.map(Node::new), (0..quasi.len()).collect());
        let sums = (sums, sensitive_sums);
        let table = reading.valued(quasi, &all, &weights[compared.quasi..], node.as_ref(), sums);
        Self { table, columns }
    }
}

/// A release and its original, as objectives look at them.
struct Reading<'a> {
    scene: &'a Scene<'a>,
    compared: &'a Compared,
    rows: u64,
    suppressed: u64,
    squares: u128,
}

impl Reading<'_> {
    /// Every objective of some columns: at a node, where the release is one, and otherwise by what their labels come to.
    fn valued(
        &self,
        quasi: Vec<QuasiColumn>,
        places: &[usize],
        sensitive_weights: &[f64],
        node: Option<&Node>,
        (quasi_sums, sensitive_sums): (Vec<LabelSums>, Vec<LabelSums>),
    ) -> Vec<(&'static str, f64)> {
        let shown = match node {
            Some(node) => shown_at(node, &quasi, places, self.scene, self.compared),
            None => Shown::Labels { quasi: quasi_sums, sensitive: sensitive_sums },
        };
        let table = bare(quasi, sensitive_weights.to_vec(), self.rows);
        let (classes, squares, suppressed) = (self.scene.classes.len() as u64, self.squares, self.suppressed);
        let candidate = Candidate { table: &table, classes, squares, suppressed, shown };
        OBJECTIVES.iter().map(|entry| (entry.objective.id(), entry.objective.value(&candidate))).collect()
    }
}

/// A table without its records: all that objectives ask for once labels are summed up.
fn bare(quasi: Vec<QuasiColumn>, sensitive_weights: Vec<f64>, rows: u64) -> CountedTable {
    let tuples = SensitiveTuples::new(0, Vec::new());
    let base = FrequencySet::from_sorted(KeyLayout::new(&[]), tuples, std::iter::empty());
    CountedTable { quasi, sensitive: Vec::new(), sensitive_weights, base, rows }
}

fn quasi_column(
    scene: &Scene<'_>,
    original: &People,
    compared: &Compared,
    weights: &[f64],
    column: usize,
) -> QuasiColumn {
    let (dictionary, audited) = (original.dictionary(column).clone(), &scene.quasi[column]);
    let hierarchy = original.hierarchy(column).cloned().unwrap_or_else(|| Hierarchy::suppress(&dictionary));
    let height = hierarchy.height() as u8;
    QuasiColumn {
        name: audited.name.clone(),
        ordered: is_ordered(audited.measure, audited.hierarchy.as_ref(), dictionary.column_type()),
        round_ends: OnceLock::new(),
        dictionary,
        hierarchy,
        counts: compared.columns[column].rows.clone(),
        weight: weights[column],
        min_level: audited.min_level.min(u64::from(height)) as u8,
        max_level: height,
    }
}

/// The level of which all labels are, if there is one; the lowest of several.
fn one_level(column: &QuasiColumn, labels: &[String], released: &[u64], suppressed: u64) -> Option<u8> {
    (column.min_level..=column.hierarchy.height() as u8).find(|&number| {
        let level = column.hierarchy.level(usize::from(number));
        let nodes: HashMap<&str, usize> = level.labels().iter().map(String::as_str).zip(0..).collect();
        let mut left = vec![0i128; level.len()];
        let rows = level.nodes_of_leaves().iter().zip(&column.counts);
        rows.for_each(|(&node, &rows)| left[node as usize] += i128::from(rows));
        let fits = labels.iter().zip(released).all(|(label, &released)| {
            let node = nodes.get(label.as_str());
            node.map(|&node| left[node] -= i128::from(released)).is_some()
        });
        fits && left.iter().all(|&left| left >= 0 && (suppressed > 0 || left == 0))
    })
}

/// What some columns show at a node: the rows under each of its labels, released and not.
fn shown_at<'n>(
    node: &'n Node,
    quasi: &[QuasiColumn],
    places: &[usize],
    scene: &Scene<'_>,
    compared: &Compared,
) -> Shown<'n> {
    let (mut released, mut suppressed) = (Vec::new(), Vec::new());
    for ((column, &at), &level) in quasi.iter().zip(places).zip(node.levels()) {
        let level = column.hierarchy.level(usize::from(level));
        let nodes: HashMap<&str, usize> = level.labels().iter().map(String::as_str).zip(0..).collect();
        let (mut shown, mut all) = (vec![0u64; level.len()], vec![0u64; level.len()]);
        for (label, &rows) in scene.classes.labels(at).iter().zip(&compared.columns[at].released) {
            shown[nodes[label.as_str()]] += rows;
        }
        let rows = level.nodes_of_leaves().iter().zip(&column.counts);
        rows.for_each(|(&node, rows)| all[node as usize] += rows);
        let not_shown = all.iter().zip(&shown).map(|(all, shown)| all.saturating_sub(*shown)).collect();
        released.push(Cow::Owned(shown));
        suppressed.push(Cow::Owned(not_shown));
    }
    Shown::Node { node, released, suppressed }
}

/// What the labels of a quasi-identifier come to.
fn label_sums(column: &QuasiColumn, labels: &[String], compared: &Compared, at: usize, suppressed: u64) -> LabelSums {
    let cover = Cover::new(column, LabelStyle::default());
    let mut nodes: HashMap<&str, Label> = HashMap::new();
    for number in column.min_level..=column.hierarchy.height() as u8 {
        let level = column.hierarchy.level(usize::from(number));
        for (label, node) in level.labels().iter().zip(0..) {
            nodes.entry(label).or_insert(Label::Node { level: number, node });
        }
    }
    let is_range = |label: &str| column.ordered && label.starts_with(['[', '(']);
    let range = |label: &str, first: u32, last: u32| {
        let between = Label::Between { first, last };
        cover.covered(&if between.text(column) == label { between } else { Label::Range { first, last } })
    };
    let covered = |(label, values): (&String, &Vec<u32>)| match (nodes.get(label.as_str()), values.as_slice()) {
        // A range can be called like a node above the lowest that covers it.
        (Some(node), &[first, .., last]) if is_range(label) => {
            Covered { level: range(label, first, last).level, ..cover.covered(node) }
        }
        (Some(node), _) => cover.covered(node),
        // A number that no row of the original has claims to be exact.
        (None, []) => Covered { leaves: 1, level: 0, rows: 1 },
        (None, &[first, .., last]) if is_range(label) => range(label, first, last),
        (None, values) => cover.covered(&Label::Set(values.into())),
    };
    let shown = &compared.columns[at];
    let covered: Vec<Covered> = labels.iter().zip(&shown.covered).map(covered).collect();
    summed(&covered, &shown.released, &shown.rows, suppressed)
}

/// Each row lacks the bits that tell its value from the others under its label; which row has which label does not matter
/// for their sum. A suppressed row shows the root.
fn summed(covered: &[Covered], released: &[u64], values: &[u64], suppressed: u64) -> LabelSums {
    let log = |rows: u64| (rows.max(1) as f64).log2();
    let rows: u64 = values.iter().sum();
    let of_values: f64 = values.iter().map(|&rows| rows as f64 * log(rows)).sum();
    let mut sums = LabelSums { bits: suppressed as f64 * log(rows) - of_values, ..LabelSums::default() };
    for (covered, &rows) in covered.iter().zip(released) {
        sums.covered_leaves += u128::from(covered.leaves) * u128::from(rows);
        sums.information += rows as f64 / covered.leaves.max(1) as f64;
        sums.levels += rows as f64 * f64::from(covered.level);
        sums.bits += rows as f64 * log(covered.rows);
    }
    sums.bits = sums.bits.max(0.0);
    sums
}

/// A sensitive column as if it were a quasi-identifier, and what its labels come to.
fn sensitive_column(scene: &Scene<'_>, compared: &Compared, at: usize, suppressed: u64) -> (QuasiColumn, LabelSums) {
    let (column, shown) = (&scene.columns[at], &compared.columns[compared.quasi + at]);
    let covered = |(code, values): (u32, &Vec<u32>)| Covered {
        leaves: column.leaves_under(code),
        level: column.level_of(code) as u8,
        rows: values.iter().map(|&value| shown.rows[value as usize]).sum(),
    };
    let covered: Vec<Covered> = (0..).zip(&shown.covered).map(covered).collect();
    let dictionary = Dictionary::new(column.values()[..column.leaves()].iter().cloned(), None, false);
    let hierarchy = column.hierarchy().cloned().unwrap_or_else(|| Hierarchy::suppress(&dictionary));
    let as_quasi = QuasiColumn {
        name: column.name().to_owned(),
        dictionary,
        max_level: hierarchy.height() as u8,
        hierarchy,
        counts: shown.rows.clone(),
        weight: 1.0,
        min_level: 0,
        ordered: false,
        round_ends: OnceLock::new(),
    };
    (as_quasi, summed(&covered, &shown.released, &shown.rows, suppressed))
}
