//! Which combinations of levels are there, and which were good enough? Drawn by hand: no library draws a lattice.

use std::fmt::Write as _;

use super::svg::{Caption, Svg, escaped};
use shoal_core::lattice::{Lattice, Node};

/// What became of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// It does not satisfy every requirement.
    Fails,
    /// It does.
    Satisfies,
    /// It does, and nothing below it.
    Minimal,
    /// It is the one that was released.
    Chosen,
}

/// A small lattice from the least general node, at the bottom, to the most general one.
#[derive(Debug)]
pub struct Hasse<'a> {
    /// The lattice.
    pub lattice: &'a Lattice,
    /// What became of each of its nodes, in their order; nothing where that is not told.
    pub marks: Vec<Option<Mark>>,
}

const ROW: f64 = 46.0;
const BOX: f64 = 22.0;
const MARGIN: f64 = 8.0;

impl Hasse<'_> {
    /// Draws it.
    pub fn draw(&self, caption: &Caption) -> Svg {
        let nodes: Vec<Node> = self.lattice.nodes().collect();
        let (lowest, highest) = (self.lattice.bottom().height(), self.lattice.top().height());
        let rows: Vec<Vec<usize>> = (lowest..=highest)
            .map(|height| (0..nodes.len()).filter(|&at| nodes[at].height() == height).collect())
            .collect();
        let box_width = 14.0 + 9.5 * self.lattice.columns() as f64;
        let widest = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let width = (2.0 * MARGIN + widest * (box_width + 14.0)).max(220.0);
        let height = 2.0 * MARGIN + BOX + ROW * (rows.len() - 1) as f64;
        let mut centres = vec![(0.0, 0.0); nodes.len()];
        for (row, members) in rows.iter().enumerate() {
            let step = (width - 2.0 * MARGIN) / members.len() as f64;
            for (place, &node) in members.iter().enumerate() {
                let y = height - MARGIN - BOX / 2.0 - ROW * row as f64;
                centres[node] = (MARGIN + step * (place as f64 + 0.5), y);
            }
        }
        let mut inside = self.edges(&nodes, &centres);
        for (node, &centre) in nodes.iter().zip(&centres) {
            inside += &one_box(node, self.marks[self.lattice.index(node)], centre, box_width);
        }
        Svg::new(caption, width.round(), height, &inside)
    }

    fn edges(&self, nodes: &[Node], centres: &[(f64, f64)]) -> String {
        let mut path = String::new();
        for (node, (x, y)) in nodes.iter().zip(centres) {
            for above in self.lattice.successors(node) {
                let (to_x, to_y) = centres[self.lattice.index(&above)];
                let _ = write!(path, "M{x:.1} {:.1}L{to_x:.1} {:.1}", y - BOX / 2.0, to_y + BOX / 2.0);
            }
        }
        format!("<path d=\"{path}\" stroke=\"var(--line)\" stroke-width=\"0.75\" fill=\"none\"/>")
    }
}

fn one_box(node: &Node, mark: Option<Mark>, (x, y): (f64, f64), width: f64) -> String {
    // Not by colour alone: what fails is dashed, what is minimal has a thick edge, what was chosen is filled.
    let (fill, stroke, thickness, dash, ink) = match mark {
        None => ("var(--paper)", "var(--line)", 1.0, "", "var(--soft)"),
        Some(Mark::Fails) => ("var(--paper)", "var(--line)", 1.0, " stroke-dasharray=\"3 2\"", "var(--soft)"),
        Some(Mark::Satisfies) => ("var(--heat-2)", "var(--line)", 1.0, "", "var(--ink)"),
        Some(Mark::Minimal) => ("var(--heat-2)", "var(--release)", 2.0, "", "var(--ink)"),
        Some(Mark::Chosen) => ("var(--release)", "var(--release)", 2.0, "", "var(--paper)"),
    };
    let name: Vec<String> = node.levels().iter().map(u8::to_string).collect();
    let name = escaped(&name.join(" "));
    format!(
        "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{BOX}\" rx=\"5\" fill=\"{fill}\" stroke=\"{stroke}\" \
         stroke-width=\"{thickness}\"{dash}/><text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\" \
         fill=\"{ink}\">{name}</text>",
        x - width / 2.0,
        y - BOX / 2.0,
        y + 4.0
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_and_every_step_is_drawn() {
        let lattice = Lattice::new(Node::new(vec![0, 0]), Node::new(vec![1, 2]));
        let marks = vec![Some(Mark::Fails), None, Some(Mark::Minimal), None, Some(Mark::Chosen), Some(Mark::Satisfies)];
        let svg = Hasse { lattice: &lattice, marks }.draw(&Caption::new("l", "lattice", ""));
        assert_eq!(svg.markup().matches("<rect").count(), 6);
        // Three steps up in the first column, two times two in the second.
        assert_eq!(svg.markup().matches('M').count(), 7);
        assert_eq!(svg.markup().matches("stroke-dasharray").count(), 1);
    }
}
