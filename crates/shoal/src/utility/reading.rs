//! Which levels, or which labels, does the text of a release show?

use hashbrown::HashMap;

use crate::attack::Scene;
use crate::linking::{covers, is_exact};
use shoal_core::frequency::{CountedTable, QuasiColumn};
use shoal_core::lattice::Node;
use shoal_core::method::{AsRead, Cover, Label, LabelStyle, Showing};
use shoal_core::objective::{LabelSums, ShownLabel};

/// More combinations of levels than this are not tried.
const MOST_NODES: usize = 4096;

/// Shows somebody the codes of every tuple, and its number of rows.
pub(super) type EachTuple<'a> = dyn Fn(&mut dyn FnMut(&[u32], u64)) + 'a;

/// A release and its original, as far as what was lost is concerned.
pub(super) struct Reading<'a> {
    /// The release.
    pub(super) scene: &'a Scene<'a>,
    /// The original: its columns as a run of the policy has them, and its tuples of their codes.
    pub(super) quasi: &'a [QuasiColumn],
    pub(super) tuples: &'a EachTuple<'a>,
    /// What the method of the policy may show, if there is a policy.
    pub(super) showing: Option<&'a Showing>,
    /// For each column, how many rows of the release have each label.
    pub(super) released: Vec<&'a [u64]>,
    /// How many rows were suppressed.
    pub(super) suppressed: u64,
}

impl Reading<'_> {
    /// The combinations of levels at which the original looks just like the release: each class has all rows that show the
    /// same there, or none.
    pub(super) fn explaining_nodes(&self) -> Vec<Node> {
        let levels: Vec<Vec<u8>> = (0..self.quasi.len()).map(|column| self.possible_levels(column)).collect();
        let combinations = levels.iter().map(Vec::len).try_fold(1usize, usize::checked_mul);
        if combinations.is_none_or(|combinations| combinations > MOST_NODES) {
            return Vec::new();
        }
        let mut nodes = vec![Vec::new()];
        for levels in &levels {
            let with = |node: &Vec<u8>| levels.iter().map(|&level| [node.as_slice(), &[level]].concat()).collect();
            nodes = nodes.iter().flat_map(|node| -> Vec<Vec<u8>> { with(node) }).collect();
        }
        nodes.retain(|node| self.explains(node));
        nodes.into_iter().map(Node::new).collect()
    }

    /// The levels that have every label of a column, and no fewer rows under it than the release shows.
    pub(super) fn possible_levels(&self, at: usize) -> Vec<u8> {
        let column = &self.quasi[at];
        let labels = self.scene.classes.labels(at);
        let is_possible = |&number: &u8| {
            let level = column.hierarchy.level(usize::from(number));
            let nodes: HashMap<&str, usize> = level.labels().iter().map(String::as_str).zip(0..).collect();
            let mut left = vec![0i128; level.len()];
            let rows = level.nodes_of_leaves().iter().zip(&column.counts);
            rows.for_each(|(&node, &rows)| left[node as usize] += i128::from(rows));
            let fits = labels.iter().zip(self.released[at]).all(|(label, &released)| {
                let node = nodes.get(label.as_str());
                node.map(|&node| left[node] -= i128::from(released)).is_some()
            });
            fits && left.iter().all(|&left| left >= 0 && (self.suppressed > 0 || left == 0))
        };
        (column.min_level..=column.max_level).filter(is_possible).collect()
    }

    fn explains(&self, levels: &[u8]) -> bool {
        let classes = self.scene.classes;
        // For each column, the place of the label that each value has at its level; one that is not shown has none.
        let places = |(at, column): (usize, &QuasiColumn)| -> Vec<u32> {
            let level = column.hierarchy.level(usize::from(levels[at]));
            let labels: HashMap<&str, u32> = classes.labels(at).iter().map(String::as_str).zip(0..).collect();
            let place = |&node: &u32| labels.get(level.label(node)).copied().unwrap_or(u32::MAX);
            level.nodes_of_leaves().iter().map(place).collect()
        };
        let places: Vec<Vec<u32>> = self.quasi.iter().enumerate().map(places).collect();
        let mut sizes: HashMap<Vec<u32>, u64> = HashMap::new();
        (self.tuples)(&mut |codes, rows| {
            let shown = codes.iter().zip(&places).map(|(&code, places)| places[code as usize]).collect();
            *sizes.entry(shown).or_default() += rows;
        });
        (0..classes.len()).all(|class| sizes.get(classes.key(class)) == Some(&classes.sizes()[class]))
    }

    /// What the labels of a column come to; nothing if their text does not tell.
    pub(super) fn label_sums(&self, at: usize) -> Option<LabelSums> {
        let column = &self.quasi[at];
        let mut styles = vec![LabelStyle::default()];
        if let Some(showing) = self.showing.filter(|showing| !showing.own_labels.is_empty()) {
            styles.clone_from(&showing.own_labels);
        }
        let covers: Vec<Cover<'_>> = styles.into_iter().map(|style| Cover::new(column, style)).collect();
        let readers: Vec<ColumnReader<'_>> = covers.iter().map(ColumnReader::new).collect();
        let shown: Option<Vec<(ShownLabel, u64)>> = (self.scene.classes.labels(at).iter())
            .zip(self.released[at])
            .map(|(label, &rows)| Some((self.shown(column, &readers, label, rows)?, rows)))
            .collect();
        Some(LabelSums::of_labels(shown?, column.counts.iter().copied(), self.suppressed))
    }

    /// What a label that so many rows show tells, if that is one thing.
    fn shown(&self, column: &QuasiColumn, readers: &[ColumnReader<'_>], label: &str, rows: u64) -> Option<ShownLabel> {
        let Some(showing) = self.showing else { return readers[0].as_it_seems(label, rows) };
        let stands_in = if column.ordered { showing.stand_ins.numbers } else { showing.stand_ins.categories };
        if stands_in && column.min_level == 0 {
            let value = column.dictionary.code_as_written(label);
            // Where other methods may have made the release, more rows than have the value give a stand-in away.
            let is_own = |value: u32| !showing.is_one_way() && rows <= column.counts[value as usize];
            let is_group = value.is_none() && readers[0].is_node(label);
            if !is_group && !value.is_some_and(is_own) {
                return None;
            }
        }
        let mut readings: Vec<ShownLabel> = Vec::new();
        for reader in readers {
            readings.extend(reader.readings(label)?);
        }
        readings.sort_unstable();
        readings.dedup();
        match readings.as_slice() {
            &[one] => Some(one),
            _ => None,
        }
    }
}

/// Every tuple of an original that was counted as a run counts it.
pub(super) fn tuples_of(table: &CountedTable, visit: &mut dyn FnMut(&[u32], u64)) {
    let mut codes = vec![0; table.quasi.len()];
    for class in 0..table.base.classes() {
        codes.iter_mut().enumerate().for_each(|(column, code)| *code = table.base.code(class, column));
        visit(&codes, table.base.sizes()[class]);
    }
}

/// Reads the labels of a column in one style.
struct ColumnReader<'a> {
    cover: &'a Cover<'a>,
    as_read: AsRead<'a>,
}

impl<'a> ColumnReader<'a> {
    fn new(cover: &'a Cover<'a>) -> Self {
        Self { cover, as_read: AsRead::new(cover) }
    }

    fn is_node(&self, label: &str) -> bool {
        self.as_read.node(label).is_some()
    }

    /// All that a label may tell in this style; nothing if its text can be taken apart in several ways.
    fn readings(&self, label: &str) -> Option<Vec<ShownLabel>> {
        let column = self.cover.column();
        let node = self.as_read.node(label);
        if self.cover.shows_ranges()
            && let Some(range) = self.range(label)
        {
            // Only with a missing value among them are numbers shown by a node.
            let has_missing = |node: ShownLabel| column.dictionary.missing().is_some() && node != range;
            return Some([range].into_iter().chain(node.filter(|&node| has_missing(node))).collect());
        }
        if self.cover.shows_sets() && label.starts_with('{') && label.ends_with('}') {
            // One value alone is never shown as a set: braces around it are a part of another value.
            let mut sets = members(label, column);
            sets.retain(|members| members.len() > 1);
            return match sets.as_slice() {
                [] => Some(node.into_iter().collect()),
                [one] => {
                    Some([self.as_read.shown(&Label::Set(one.as_slice().into()))].into_iter().chain(node).collect())
                }
                _ => None,
            };
        }
        Some(node.into_iter().collect())
    }

    /// What a label that so many rows show tells by itself, whoever made it: a node of the hierarchy, a range, a set. A number
    /// that no row of the original has claims to be exact; any other label that more rows show than the original has below it
    /// stands for others, too, as a most frequent value does, and does not tell for which.
    fn as_it_seems(&self, label: &str, rows: u64) -> Option<ShownLabel> {
        let codes = self.covered(label);
        let named = || (!codes.is_empty()).then(|| self.as_read.shown(&Label::Set(codes.as_slice().into())));
        let seems = self.as_read.node(label).or_else(|| self.range(label)).or_else(named);
        let is_invented = || seems.is_none() && is_exact(label, self.cover.column().dictionary.column_type());
        let exact = || is_invented().then_some(ShownLabel { leaves: 1, level: 0, rows: 1 });
        seems.filter(|seems| rows <= seems.rows).or_else(exact)
    }

    fn range(&self, label: &str) -> Option<ShownLabel> {
        let column = self.cover.column();
        if !column.ordered || !label.starts_with(['[', '(']) {
            return None;
        }
        match self.covered(label).as_slice() {
            &[first, .., last] => {
                let between = Label::Between { first, last };
                let is_between = between.text(column) == label;
                Some(self.as_read.shown(&if is_between { between } else { Label::Range { first, last } }))
            }
            &[only] => Some(self.as_read.shown(&Label::Range { first: only, last: only })),
            [] => None,
        }
    }

    /// The values that a label names by itself.
    fn covered(&self, label: &str) -> Vec<u32> {
        let covering = covers(&[label.to_owned()], &self.cover.column().dictionary, None);
        (0u32..).zip(&covering).filter(|(_, labels)| !labels.is_empty()).map(|(code, _)| code).collect()
    }
}

/// The ways to take `{a, b}` apart into values of a column in their order, two at most: a value may have a comma in it.
fn members(label: &str, column: &QuasiColumn) -> Vec<Vec<u32>> {
    fn walk(words: &[&str], column: &QuasiColumn, taken: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        if words.is_empty() {
            found.push(taken.clone());
        }
        for end in 1..=words.len() {
            if found.len() > 1 {
                return;
            }
            let text = words[..end].join(", ");
            let code = column.dictionary.code_as_written(&text);
            if let Some(code) = code.filter(|code| taken.last().is_none_or(|last| last < code)) {
                taken.push(code);
                walk(&words[end..], column, taken, found);
                taken.pop();
            }
        }
    }
    let words: Vec<&str> = label[1..label.len() - 1].split(", ").collect();
    let mut found = Vec::new();
    walk(&words, column, &mut Vec::new(), &mut found);
    found
}
