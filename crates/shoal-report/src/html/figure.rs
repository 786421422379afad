//! How are safe texts and numbers drawn? The only place that hands anything to a plot.

use super::page::Drawing;
use crate::plot::{Bars, Caption, Hasse, HasseNode, HeatMap, Histogram, Mark, Series};
use crate::safe::{Safe, Share, ShareWithin};
use shoal_core::lattice::{Lattice, Node};

/// What a figure shows; `id` tells it from all others of the page.
pub(super) struct Described {
    pub(super) id: String,
    pub(super) title: Safe,
    pub(super) description: Safe,
}

impl Described {
    /// The figure of this name and number.
    pub(super) fn new(name: &'static str, number: usize, title: Safe, description: Safe) -> Self {
        Self { id: format!("{name}-{number}"), title, description }
    }

    fn caption(&self) -> Caption {
        Caption::new(&self.id, self.title.as_str(), self.description.as_str())
    }
}

/// A label and its shares: where it lies before, if that is told, and after.
pub(super) type Bar = (Safe, Option<ShareWithin>, Share);

/// Bars of shares, before and after. What is not told of the original has no bar.
pub(super) fn bars(described: &Described, bars: &[Bar]) -> Drawing {
    let mut series =
        vec![Series { colour: "--release", shares: bars.iter().map(|bar| bar.2.value()).collect(), at_most: None }];
    if bars.iter().any(|bar| bar.1.is_some()) {
        let before = |end: fn(ShareWithin) -> f64| bars.iter().map(|bar| bar.1.map_or(0.0, end)).collect::<Vec<f64>>();
        let at_most = has_open(bars).then(|| ("--original-open", before(ShareWithin::most)));
        series.insert(0, Series { colour: "--original", shares: before(ShareWithin::least), at_most });
    }
    let labels = bars.iter().map(|bar| bar.0.as_str().to_owned()).collect();
    Drawing(Bars { labels, series }.to_svg(&described.caption()))
}

/// Is a share of the original not known exactly?
pub(super) fn has_open(bars: &[Bar]) -> bool {
    bars.iter().any(|bar| bar.1.is_some_and(ShareWithin::is_open))
}

/// A histogram of numbers that may be told; one bar may stand out.
pub(super) fn histogram(
    described: &Described,
    (x, y): (&'static str, &'static str),
    bins: &[(Safe, u64)],
    marked: Option<usize>,
) -> Drawing {
    let bins = bins.iter().map(|(label, count)| (label.as_str().to_owned(), *count)).collect();
    let histogram = Histogram { x_label: x.to_owned(), y_label: y.to_owned(), bins, marked };
    Drawing(histogram.to_svg(&described.caption()))
}

/// A heat map of numbers that may be told.
pub(super) fn heat_map(described: &Described, columns: &[Safe], values: Vec<Vec<f64>>) -> Drawing {
    let columns = columns.iter().map(|name| name.as_str().to_owned()).collect();
    Drawing(HeatMap { columns, values }.to_svg(&described.caption()))
}

/// A lattice, with what became of each of its nodes, in their order.
pub(super) fn hasse(described: &Described, lattice: &Lattice, marks: Vec<Option<Mark>>) -> Drawing {
    let node = |(node, mark): (Node, Option<Mark>)| HasseNode { levels: node.levels().to_vec(), mark };
    Drawing(Hasse { nodes: lattice.nodes().zip(marks).map(node).collect() }.to_svg(&described.caption()))
}
