//! What has a release lost by each objective, as far as its text tells?

use std::borrow::Cow;
use std::sync::OnceLock;

use hashbrown::HashMap;

use super::reading::{Reading, tuples_of};
use super::releasing::as_a_run_releases;
use super::{Compared, Settings, Tuples};
use crate::attack::Scene;
use crate::linking::People;
use shoal_core::frequency::{QuasiColumn, TableColumns};
use shoal_core::hierarchy::{Hierarchy, is_ordered};
use shoal_core::lattice::Node;
use shoal_core::method::{Showing, sensitive_label};
use shoal_core::objective::order::Least;
use shoal_core::objective::{Candidate, LabelSums, Shown, by_id, values};
use shoal_core::table::Dictionary;

/// The value of every objective, for the whole release and for each column by itself; not a number where the text of the
/// release does not tell.
#[derive(Debug)]
pub struct Losses {
    /// Each objective's id and value.
    pub table: Vec<(&'static str, f64)>,
    /// The same for each column alone, by those objectives that look at columns.
    pub columns: Vec<(String, Vec<(&'static str, f64)>)>,
    /// The quasi-identifiers whose labels do not tell what they stand for.
    pub untold: Vec<String>,
}

/// How the release is read.
enum Read {
    /// Each column has one level.
    Node(Node),
    /// Each class has labels of its own.
    Labels,
    /// It may be either.
    Both(Node),
}

impl Losses {
    /// Reads labels as an outsider would who knows the policy and the original. Where the method may have shown each column at
    /// one level, and there are levels at which the original looks just like the release, the release is taken for
    /// that; of several such combinations, for the one that a search would have taken of those at which it would have released
    /// just as many rows. Otherwise a label of the hierarchy
    /// stands for what lies below it there, any other for the values that it names.
    pub fn new(scene: &Scene<'_>, original: &People, compared: &Compared, settings: &Settings<'_>) -> Self {
        let quasi: Vec<QuasiColumn> = match settings.counted {
            Some(table) => table.quasi.clone(),
            None => (0..compared.quasi).map(|at| quasi_column(scene, original, compared, settings, at)).collect(),
        };
        let rows = compared.original.rows();
        let tuples = |visit: &mut dyn FnMut(&[u32], u64)| match settings.counted {
            Some(table) => tuples_of(table, visit),
            None => tuples_of_people(original, quasi.len(), visit),
        };
        let reading = Reading {
            scene,
            quasi: &quasi,
            tuples: &tuples,
            showing: settings.showing.as_ref(),
            released: (0..quasi.len()).map(|at| compared.columns[at].released.as_slice()).collect(),
            suppressed: rows.saturating_sub(compared.release.rows()),
        };
        let squares = scene.classes.sizes().iter().map(|&size| u128::from(size) * u128::from(size)).sum();
        let mut sums: Vec<Option<LabelSums>> = (0..quasi.len()).map(|at| reading.label_sums(at)).collect();
        if settings.showing.as_ref().is_none_or(Showing::may_stand_in) {
            let is_told = |&at: &usize| sums[at].is_some() && compared.columns[at].invented == 0;
            let told: Vec<usize> = (0..quasi.len()).filter(is_told).collect();
            if !has_rows_for_all_classes(scene, original, compared, &told) {
                told.iter().for_each(|&at| sums[at] = None);
            }
        }
        let (as_quasi, sensitive_sums): (Vec<QuasiColumn>, Vec<LabelSums>) =
            (0..scene.columns.len()).map(|at| sensitive_column(scene, compared, at, reading.suppressed)).unzip();
        let valuing = Valuing { reading: &reading, rows, squares };
        let sensitive_weights = &settings.weights[compared.quasi..];
        let read = valuing.read(settings, sensitive_weights);

        let mut columns = Vec::new();
        for (at, column) in quasi.iter().enumerate() {
            let alone = [QuasiColumn { weight: 1.0, ..column.clone() }];
            let at_node = |node: &Node| valuing.at(&Node::new(vec![node.levels()[at]]), &alone, &[at], &[]);
            let by_labels = || valuing.by_labels(&alone, &[], sums[at].map(|sums| vec![sums]), Vec::new());
            columns.push((column.name.clone(), read.values(at_node, by_labels)));
        }
        for (column, &sums) in as_quasi.into_iter().zip(&sensitive_sums) {
            let name = column.name.clone();
            columns.push((name, valuing.by_labels(&[column], &[], Some(vec![sums]), Vec::new())));
        }
        // What looks at classes says nothing of a column.
        columns.iter_mut().for_each(|(_, losses)| losses.retain(|(id, _)| is_of_columns(id)));
        let all: Vec<usize> = (0..quasi.len()).collect();
        let at_node = |node: &Node| valuing.at(node, &quasi, &all, sensitive_weights);
        let all_sums: Option<Vec<LabelSums>> = sums.iter().copied().collect();
        let by_labels = || valuing.by_labels(&quasi, sensitive_weights, all_sums, sensitive_sums);
        let table = read.values(at_node, by_labels);
        let is_untold = |at: &usize| sums[*at].is_none() && !matches!(read, Read::Node(_));
        let untold = all.iter().filter(|at| is_untold(at)).map(|&at| quasi[at].name.clone()).collect();
        Self { table, columns, untold }
    }
}

impl Read {
    /// The values of objectives; where it may be either, those that both ways give.
    fn values(
        &self,
        at_node: impl FnOnce(&Node) -> Vec<(&'static str, f64)>,
        by_labels: impl FnOnce() -> Vec<(&'static str, f64)>,
    ) -> Vec<(&'static str, f64)> {
        match self {
            Self::Node(node) => at_node(node),
            Self::Labels => by_labels(),
            Self::Both(node) => {
                let either = at_node(node).into_iter().zip(by_labels());
                either.map(|((id, a), (_, b))| (id, if a == b { a } else { f64::NAN })).collect()
            }
        }
    }
}

/// Has the original as many rows for each class and what it holds as are in it, by what these columns say? If not, some of them
/// show values that stand for others, as a mean or a most frequent value does, and their text does not tell for which.
fn has_rows_for_all_classes(scene: &Scene<'_>, original: &People, compared: &Compared, columns: &[usize]) -> bool {
    let place = |column: usize| original.known.iter().position(|&known| known == column).map(|place| (place, column));
    let pairs: Vec<(usize, usize)> = columns.iter().filter_map(|&column| place(column)).collect();
    let link = original.link_to(scene.classes, &pairs);
    let mut group_of = vec![0; scene.classes.len()];
    for (place, group) in link.linker().groups().iter().enumerate() {
        group.classes.iter().for_each(|&class| group_of[class as usize] = place);
    }
    // A generalized value could be that of any row below it.
    let is_generalized = scene.columns.iter().any(|column| column.is_generalized());
    let held = |tuples: &Tuples, tuple: usize, group: usize| -> (usize, Vec<u32>) {
        let sensitive = tuples.codes[compared.quasi..].iter().map(|codes| codes[tuple]);
        (group, if is_generalized { Vec::new() } else { sensitive.collect() })
    };
    let mut wanting: HashMap<(usize, Vec<u32>), u64> = HashMap::new();
    for (tuple, &count) in compared.release.counts.iter().enumerate() {
        let group = group_of[compared.release.classes[tuple] as usize];
        *wanting.entry(held(&compared.release, tuple, group)).or_default() += count;
    }
    for (tuple, &count) in compared.original.counts.iter().enumerate() {
        for group in link.candidates(&original.table, compared.original.classes[tuple] as usize) {
            if let Some(left) = wanting.get_mut(&held(&compared.original, tuple, group as usize)) {
                *left = left.saturating_sub(count);
            }
        }
    }
    wanting.values().all(|&left| left == 0)
}

fn is_of_columns(id: &str) -> bool {
    by_id(id).is_some_and(|objective| objective.separable().is_some())
}

/// Values what was read.
struct Valuing<'a> {
    reading: &'a Reading<'a>,
    rows: u64,
    squares: u128,
}

impl Valuing<'_> {
    fn read(&self, settings: &Settings<'_>, sensitive_weights: &[f64]) -> Read {
        let is_generalized = self.reading.scene.columns.iter().any(|column| column.is_generalized());
        let showing = self.reading.showing;
        if is_generalized || showing.is_some_and(|showing| !showing.one_level) {
            return Read::Labels;
        }
        let quasi = self.reading.quasi;
        let all: Vec<usize> = (0..quasi.len()).collect();
        let value = |node: &Node| {
            let values = self.at(node, quasi, &all, sensitive_weights);
            values.iter().find(|(id, _)| *id == settings.objective).map_or(f64::NAN, |(_, value)| *value)
        };
        let nodes = self.nodes(settings).into_iter();
        let ranked: Least<(u32, Node)> = nodes.map(|node| (value(&node), (node.height(), node))).collect();
        let best = ranked.into_winner().map(|(_, (_, node))| node);
        match (best, showing) {
            (Some(node), Some(showing)) if !showing.own_labels.is_empty() => Read::Both(node),
            (Some(node), _) => Read::Node(node),
            // Not all rows of the original, perhaps: whoever says that it has one level for each column is believed.
            (None, Some(showing)) if showing.own_labels.is_empty() => {
                let lowest = |at: &usize| self.reading.possible_levels(*at).first().copied();
                all.iter()
                    .map(lowest)
                    .collect::<Option<Vec<u8>>>()
                    .map_or(Read::Labels, |levels| Read::Node(Node::new(levels)))
            }
            (None, _) => Read::Labels,
        }
    }

    /// The combinations of levels at which a run may have made the release.
    fn nodes(&self, settings: &Settings<'_>) -> Vec<Node> {
        let nodes = self.reading.explaining_nodes();
        match settings.counted.zip(settings.requirements) {
            // With all rows released, every one of them has the same classes.
            Some((table, requirements)) if nodes.len() > 1 && self.reading.suppressed > 0 => {
                as_a_run_releases(nodes, table, requirements, self.rows - self.reading.suppressed)
            }
            _ => nodes,
        }
    }

    /// Every objective of some columns at a node.
    fn at(
        &self,
        node: &Node,
        quasi: &[QuasiColumn],
        places: &[usize],
        sensitive_weights: &[f64],
    ) -> Vec<(&'static str, f64)> {
        let shown = shown_at(node, quasi, places, self.reading);
        self.valued(quasi, sensitive_weights, shown)
    }

    /// Every objective of some columns by what their labels come to, if that is known.
    fn by_labels(
        &self,
        quasi: &[QuasiColumn],
        sensitive_weights: &[f64],
        sums: Option<Vec<LabelSums>>,
        sensitive: Vec<LabelSums>,
    ) -> Vec<(&'static str, f64)> {
        let is_told = sums.is_some();
        let sums = sums.unwrap_or_else(|| vec![LabelSums::default(); quasi.len()]);
        let mut values = self.valued(quasi, sensitive_weights, Shown::Labels { quasi: sums, sensitive });
        if !is_told {
            values.iter_mut().filter(|(id, _)| is_of_columns(id)).for_each(|(_, value)| *value = f64::NAN);
        }
        values
    }

    fn valued(&self, quasi: &[QuasiColumn], sensitive_weights: &[f64], shown: Shown<'_>) -> Vec<(&'static str, f64)> {
        let columns = TableColumns { quasi, sensitive_weights, rows: self.rows };
        let (classes, squares) = (self.reading.scene.classes.len() as u64, self.squares);
        let candidate = Candidate { columns, classes, squares, suppressed: self.reading.suppressed, shown };
        values(&candidate)
    }
}

/// Every tuple of an original that is known by its texts.
fn tuples_of_people(original: &People, columns: usize, visit: &mut dyn FnMut(&[u32], u64)) {
    for entry in 0..original.table.len() {
        let key = original.table.key(entry);
        let code =
            |column: usize| original.code(column, key[column]).expect("the dictionary was made from these texts");
        let codes: Vec<u32> = (0..columns).map(code).collect();
        visit(&codes, original.table.sizes()[entry]);
    }
}

fn quasi_column(
    scene: &Scene<'_>,
    original: &People,
    compared: &Compared,
    settings: &Settings<'_>,
    column: usize,
) -> QuasiColumn {
    let (dictionary, audited) = (original.dictionary(column).clone(), &scene.quasi[column]);
    let hierarchy = original.hierarchy(column).cloned().unwrap_or_else(|| Hierarchy::suppress(&dictionary));
    let height = hierarchy.height() as u8;
    QuasiColumn {
        name: audited.name.clone(),
        ordered: is_ordered(audited.measure, audited.hierarchy.as_ref(), dictionary.column_type()),
        round_ends: OnceLock::new(),
        dictionary: dictionary.into(),
        hierarchy,
        counts: compared.columns[column].rows.clone(),
        weight: settings.weights[column],
        min_level: audited.min_level.min(u64::from(height)) as u8,
        max_level: height,
    }
}

/// What some columns show at a node: the rows under each of its labels, released and not.
fn shown_at<'n>(node: &'n Node, quasi: &[QuasiColumn], places: &[usize], reading: &Reading<'_>) -> Shown<'n> {
    let (mut released, mut suppressed) = (Vec::new(), Vec::new());
    for ((column, &at), &level) in quasi.iter().zip(places).zip(node.levels()) {
        let level = column.hierarchy.level(usize::from(level));
        let nodes: HashMap<&str, usize> = level.labels().iter().map(String::as_str).zip(0..).collect();
        let (mut shown, mut all) = (vec![0u64; level.len()], vec![0u64; level.len()]);
        for (label, &rows) in reading.scene.classes.labels(at).iter().zip(reading.released[at]) {
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

/// A sensitive column as if it were a quasi-identifier, and what its labels come to.
fn sensitive_column(scene: &Scene<'_>, compared: &Compared, at: usize, suppressed: u64) -> (QuasiColumn, LabelSums) {
    let (column, shown) = (&scene.columns[at], &compared.columns[compared.quasi + at]);
    let labels = (0..).zip(&shown.released).map(|(code, &rows)| (sensitive_label(column, code), rows));
    let sums = LabelSums::of_labels(labels, shown.rows.iter().copied(), suppressed);
    let dictionary = Dictionary::new(column.values()[..column.leaves()].iter().cloned(), None, false);
    let hierarchy = column.hierarchy().cloned().unwrap_or_else(|| Hierarchy::suppress(&dictionary));
    let as_quasi = QuasiColumn {
        name: column.name().to_owned(),
        dictionary: dictionary.into(),
        max_level: hierarchy.height() as u8,
        hierarchy,
        counts: shown.rows.clone(),
        weight: 1.0,
        min_level: 0,
        ordered: false,
        round_ends: OnceLock::new(),
    };
    (as_quasi, sums)
}
