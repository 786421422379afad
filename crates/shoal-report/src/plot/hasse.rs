//! Which combinations of levels are there, and which were good enough?

use std::collections::HashMap;

use super::letters::width;
use super::svg::{Caption, Px, Svg};
use super::text::{BASELINE, Text};

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

/// One combination of levels.
#[derive(Debug, Clone)]
pub struct HasseNode {
    /// The level of each column.
    pub levels: Vec<u8>,
    /// What became of it; nothing where that is not told.
    pub mark: Option<Mark>,
}

/// A small lattice from the least general node, at the bottom, to the most general one.
#[derive(Debug)]
pub struct Hasse {
    /// Its nodes.
    pub nodes: Vec<HasseNode>,
}

/// From one row to the next, how high a box is, and what is around it.
const ROW: f64 = 46.0;
const BOX: f64 = 22.0;
const PADDING: f64 = 6.0;
const BETWEEN: f64 = 10.0;
const MARGIN: f64 = 8.0;
const LEAST_WIDTH: f64 = 220.0;
/// So many times as far from each other as in the longest row boxes of shorter ones are at most.
const SPREAD: f64 = 2.0;

impl Hasse {
    /// Draws it.
    pub fn to_svg(&self, caption: &Caption) -> Svg {
        let rows = self.rows();
        let box_width = 2.0 * PADDING + self.nodes.iter().map(|node| width(&node.name())).fold(0.0, f64::max);
        let widest = rows.iter().map(Vec::len).max().unwrap_or(1) as f64;
        let width = (2.0 * MARGIN + widest * (box_width + BETWEEN)).max(LEAST_WIDTH).round();
        let height = 2.0 * MARGIN + BOX + ROW * rows.len().saturating_sub(1) as f64;
        let mut middles = vec![(0.0, 0.0); self.nodes.len()];
        for (row, members) in rows.iter().enumerate() {
            let step = ((width - 2.0 * MARGIN) / members.len() as f64).min(SPREAD * (box_width + BETWEEN));
            let left = (width - step * members.len() as f64) / 2.0;
            let y = height - MARGIN - BOX / 2.0 - ROW * row as f64;
            for (place, &node) in members.iter().enumerate() {
                middles[node] = (left + step * (place as f64 + 0.5), y);
            }
        }
        let boxes = self.nodes.iter().zip(&middles).map(|(node, &middle)| node.draw(middle, box_width));
        let inside = format!("{}<g text-anchor=\"middle\">{}</g>", self.steps(&middles), boxes.collect::<String>());
        Svg::new(caption, width, height, &inside)
    }

    /// The nodes with each sum of levels, from the least.
    fn rows(&self) -> Vec<Vec<usize>> {
        let sums: Vec<u32> =
            self.nodes.iter().map(|node| node.levels.iter().map(|&level| u32::from(level)).sum()).collect();
        let (Some(&lowest), Some(&highest)) = (sums.iter().min(), sums.iter().max()) else { return Vec::new() };
        let with_sum = |sum: u32| (0..sums.len()).filter(|&node| sums[node] == sum).collect();
        (lowest..=highest).map(with_sum).collect()
    }

    /// A line from each node to every one that has one level more in one column.
    fn steps(&self, middles: &[(f64, f64)]) -> String {
        let places: HashMap<&[u8], usize> =
            self.nodes.iter().enumerate().map(|(at, node)| (node.levels.as_slice(), at)).collect();
        let mut path = String::new();
        for (node, (x, y)) in self.nodes.iter().zip(middles) {
            for column in 0..node.levels.len() {
                let mut above = node.levels.clone();
                above[column] = above[column].saturating_add(1);
                let Some(&above) = places.get(above.as_slice()) else { continue };
                let (to_x, to_y) = middles[above];
                let [x, y, to_x, to_y] = [*x, y - BOX / 2.0, to_x, to_y + BOX / 2.0].map(Px);
                path += &format!("M{x} {y}L{to_x} {to_y}");
            }
        }
        format!("<path d=\"{path}\" stroke=\"var(--line)\" stroke-width=\"0.75\"/>")
    }
}

impl HasseNode {
    /// Its levels, side by side.
    fn name(&self) -> String {
        self.levels.iter().map(u8::to_string).collect::<Vec<String>>().join(" ")
    }

    fn draw(&self, (x, y): (f64, f64), width: f64) -> String {
        // Not by colour alone: what fails is dashed, what is minimal has a thick edge, what was chosen is filled.
        let (fill, stroke, thickness, dash, ink) = match self.mark {
            None => ("--paper", "--line", 1, "", "--soft"),
            Some(Mark::Fails) => ("--paper", "--line", 1, " stroke-dasharray=\"3 2\"", "--soft"),
            Some(Mark::Satisfies) => ("--heat-2", "--line", 1, "", "--ink"),
            Some(Mark::Minimal) => ("--heat-2", "--release", 2, "", "--ink"),
            Some(Mark::Chosen) => ("--release", "--release", 2, "", "--paper"),
        };
        let [left, top, width, height] = [x - width / 2.0, y - BOX / 2.0, width, BOX].map(Px);
        let place = format!("x=\"{}\" y=\"{}\" fill=\"var({ink})\"", Px(x), Px(y + BASELINE));
        format!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"var({fill})\" \
             stroke=\"var({stroke})\" stroke-width=\"{thickness}\"{dash}/>{}",
            Text::whole(&self.name()).element(&place)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::seen::Seen;
    use super::*;

    #[test]
    fn every_node_and_every_step_is_drawn() {
        let marks = [Some(Mark::Fails), None, Some(Mark::Minimal), None, Some(Mark::Chosen), Some(Mark::Satisfies)];
        let levels = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]];
        let nodes = levels.into_iter().zip(marks).map(|(levels, mark)| HasseNode { levels: levels.to_vec(), mark });
        let svg = Hasse { nodes: nodes.collect() }.to_svg(&Caption::new("l", "lattice", ""));
        let seen = Seen::of(svg.markup());
        assert_eq!((seen.marks.len(), seen.marks_of("--release").len()), (6, 1));
        // Three steps up in the first column, two times two in the second.
        assert_eq!(svg.markup().matches('M').count(), 7);
        assert_eq!(svg.markup().matches("stroke-dasharray").count(), 1);
        let top = |name: &str| seen.texts.iter().find(|(_, said)| said == name).unwrap().0.top;
        assert!(
            top("1 2") < top("0 2") && top("0 2") == top("1 1") && top("1 1") < top("0 0"),
            "more general is above"
        );
    }
}
