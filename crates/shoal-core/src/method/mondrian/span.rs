//! How wide is the smallest label that covers some values, and what does a row lose by showing it?

use crate::frequency::{CountedTable, QuasiColumn};
use crate::method::label::LabelShape;
use crate::method::{Cover, Covered, Label, Task};
use crate::objective::{Loss, Objective, ShownLabel};

/// What the smallest label of some values depends on; spans of parts join to the span of the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    least: u32,
    most: u32,
    level: u8,
    /// The values, one bit each, where they are shown as a set.
    set: u128,
}

/// Measures the spans of a column.
#[derive(Debug)]
pub(crate) struct Ruler<'a> {
    cover: &'a Cover<'a>,
    objective: &'a dyn Objective,
    shape: LabelShape,
    /// What a row loses at the node above each value, level by level.
    nodes: Vec<f64>,
    values: usize,
    /// The lowest level at which two values share a node, for every two, where they are not too many.
    meeting: Vec<u8>,
    /// What a row loses by a range or set of so many leaves, where leaves are all that matters.
    by_leaves: Vec<f64>,
    /// The number of rows before each value.
    rows_before: Vec<u64>,
}

/// Sets of more values than this are measured as the node that covers them.
const LARGEST_SET: usize = 128;
/// Where every two values meet is kept for this many values, at most.
const LARGEST_SQUARE: usize = 512;
/// Losses by leaves are kept for domains of up to this size.
const LARGEST_TABLE: u64 = 1 << 16;

impl<'a> Ruler<'a> {
    /// The rulers of all columns. An objective that does not look at labels gains by every cut alike: then the loss decides.
    pub(crate) fn of(task: &Task<'a>, covers: &'a [Cover<'a>]) -> Vec<Self> {
        let label = ShownLabel { leaves: 1, level: 0, rows: 1 };
        let looks = task.table.quasi.iter().all(|column| task.objective.label_loss(column, label).is_some());
        let objective: &dyn Objective = if looks { task.objective } else { &Loss };
        covers.iter().map(|cover| Self::new(cover, objective)).collect()
    }

    fn new(cover: &'a Cover<'a>, objective: &'a dyn Objective) -> Self {
        let column = cover.column();
        let shape = match () {
            () if cover.shows_ranges() => LabelShape::Ranges,
            () if cover.shows_sets() && column.dictionary.len() <= LARGEST_SET => LabelShape::Sets,
            () => LabelShape::Nodes,
        };
        let mut rows_before = vec![0];
        rows_before.extend(column.counts.iter().scan(0, |sum, &count| {
            *sum += count;
            Some(*sum)
        }));
        let values = column.dictionary.len();
        let (nodes, by_leaves, meeting) = (vec![], vec![], meeting_levels(column));
        let mut ruler = Self { cover, objective, shape, nodes, values, meeting, by_leaves, rows_before };
        let levels = 0..=column.hierarchy.height() as u8;
        let at_level = |level: u8| -> Vec<f64> {
            let node_of = |code: u32| column.hierarchy.level(usize::from(level)).node_of(code);
            let shown = |code: u32| cover.covered(&Label::Node { level, node: node_of(code) });
            let lost = |Covered { leaves, level, rows }| ruler.lost(ShownLabel { leaves, level, rows });
            (0..values as u32).map(|code| lost(shown(code))).collect()
        };
        let nodes = levels.flat_map(at_level).collect();
        let leaves =
            if objective.reads_leaves_alone() { column.hierarchy.domain_size().min(LARGEST_TABLE) } else { 0 };
        let by_leaves = (0..=leaves).map(|leaves| ruler.lost(ShownLabel { leaves, level: 0, rows: 0 })).collect();
        (ruler.nodes, ruler.by_leaves) = (nodes, by_leaves);
        ruler
    }

    fn lost(&self, shown: ShownLabel) -> f64 {
        self.objective.label_loss(self.cover.column(), shown).unwrap_or(0.0)
    }

    /// Are values cut by their order?
    pub(crate) fn is_ordered(&self) -> bool {
        self.cover.column().ordered
    }

    /// The span of one value.
    #[inline]
    pub(crate) fn one(&self, code: u32) -> Span {
        let set = if self.shape == LabelShape::Sets { 1 << code } else { 0 };
        Span { least: code, most: code, level: self.cover.column().min_level, set }
    }

    /// The span of what two spans cover.
    #[inline]
    pub(crate) fn join(&self, a: Span, b: Span) -> Span {
        let level = a.level.max(b.level).max(self.meeting_level(a, b));
        Span { least: a.least.min(b.least), most: a.most.max(b.most), level, set: a.set | b.set }
    }

    /// The lowest level at which the nodes of two spans are one, or any below the higher of their levels.
    #[inline]
    fn meeting_level(&self, a: Span, b: Span) -> u8 {
        if a.least == b.least {
            return 0;
        }
        if let Some(&level) = self.meeting.get(a.least as usize * self.values + b.least as usize) {
            return level;
        }
        let levels = self.cover.column().hierarchy.levels();
        let mut level = a.level.max(b.level);
        while levels[usize::from(level)].node_of(a.least) != levels[usize::from(level)].node_of(b.least) {
            level += 1;
        }
        level
    }

    /// The group of a value when what a span covers is cut: the value itself, or the child of the span's node.
    #[inline]
    pub(crate) fn group(&self, span: Span, code: u32) -> u32 {
        match (self.shape, span.level.checked_sub(1)) {
            (LabelShape::Nodes, Some(below)) if below >= self.cover.column().min_level => {
                self.cover.column().hierarchy.level(usize::from(below)).node_of(code)
            }
            (LabelShape::Nodes, _) => 0,
            (LabelShape::Ranges, _) => self.cover.first_with(code),
            (LabelShape::Sets, _) => code,
        }
    }

    /// What a row loses by showing the smallest label of a span.
    #[inline]
    pub(crate) fn loss(&self, span: Span) -> f64 {
        let is_node = span.least == span.most
            || match self.shape {
                LabelShape::Nodes => true,
                LabelShape::Ranges => self.cover.column().dictionary.missing() == Some(span.most),
                LabelShape::Sets => false,
            };
        if is_node {
            return self.nodes[usize::from(span.level) * self.values + span.least as usize];
        }
        let leaves = match self.shape {
            LabelShape::Ranges => self.cover.leaves_between(span.least, span.most),
            _ => u64::from(span.set.count_ones()),
        };
        self.by_leaves.get(leaves as usize).copied().unwrap_or_else(|| self.lost(self.shown(span, leaves)))
    }

    fn shown(&self, span: Span, leaves: u64) -> ShownLabel {
        let rows = match self.shape {
            LabelShape::Ranges => {
                let (first, last) = self.cover.values_between(span.least, span.most);
                self.rows_before[last as usize + 1] - self.rows_before[first as usize]
            }
            _ => {
                let counts = self.cover.column().counts.iter().enumerate();
                counts.filter(|(code, _)| span.set >> code & 1 == 1).map(|(_, count)| count).sum()
            }
        };
        ShownLabel { leaves, level: span.level, rows }
    }

    /// The share of the domain that a span covers beyond one value.
    pub(crate) fn width(&self, span: Span) -> f64 {
        let column = self.cover.column();
        let leaves = match self.shape {
            LabelShape::Ranges if span.least != span.most => self.cover.leaves_between(span.least, span.most),
            LabelShape::Sets => u64::from(span.set.count_ones()),
            _ => {
                let level = column.hierarchy.level(usize::from(span.level));
                level.leaves_under(level.node_of(span.least))
            }
        };
        let others = column.hierarchy.domain_size().saturating_sub(1).max(1);
        column.weight * leaves.saturating_sub(1) as f64 / others as f64
    }
}

fn meeting_levels(column: &QuasiColumn) -> Vec<u8> {
    let values = column.dictionary.len() as u32;
    if values as usize > LARGEST_SQUARE {
        return Vec::new();
    }
    let meets = |a: u32, b: u32| {
        let shared = |level: &crate::hierarchy::Level| level.node_of(a) == level.node_of(b);
        column.hierarchy.levels().iter().position(shared).unwrap_or(column.hierarchy.height()) as u8
    };
    (0..values).flat_map(|a| (0..values).map(move |b| meets(a, b))).collect()
}

/// The spans of one tuple.
pub(crate) fn spans_of(rulers: &[Ruler<'_>], table: &CountedTable, base: u32) -> Vec<Span> {
    let one = |(column, ruler): (usize, &Ruler<'_>)| ruler.one(table.base.code(base as usize, column));
    rulers.iter().enumerate().map(one).collect()
}

/// Joins spans to others, column by column.
#[inline]
pub(crate) fn join_all(rulers: &[Ruler<'_>], into: &mut [Span], others: &[Span]) {
    for ((ruler, into), &other) in rulers.iter().zip(into).zip(others) {
        *into = ruler.join(*into, other);
    }
}

/// What a row loses by showing the smallest labels of spans.
#[inline]
pub(crate) fn loss_of(rulers: &[Ruler<'_>], spans: &[Span]) -> f64 {
    rulers.iter().zip(spans).map(|(ruler, &span)| ruler.loss(span)).sum()
}
