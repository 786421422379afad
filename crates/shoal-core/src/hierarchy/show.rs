//! What does a hierarchy look like?

use std::borrow::Cow;

use super::{Hierarchy, Level};
use crate::printable;

/// How many children of a node are drawn, tried from many to few until the drawing is short enough.
const CHILDREN: [usize; 7] = [usize::MAX, 20, 10, 5, 3, 2, 1];

/// How many labels of a level the summary names.
const EXAMPLES: usize = 4;

/// Draws the tree from root to leaves, the leaves under each node in brackets, in about `lines` lines;
/// what is left out is counted.
pub fn draw(hierarchy: &Hierarchy, lines: usize) -> String {
    let children: Vec<Vec<Vec<u32>>> = hierarchy.levels().windows(2).map(|pair| children(&pair[0], &pair[1])).collect();
    let mut text = String::new();
    for limit in CHILDREN {
        let mut drawing = Drawing { hierarchy, children: &children, limit, lines, text: String::new() };
        let is_short = drawing.branch(hierarchy.height(), 0, "", "").is_some();
        text = drawing.text;
        if is_short {
            break;
        }
    }
    text
}

/// A line for each level: its number, how many nodes it has, and some of their labels.
pub fn summary(hierarchy: &Hierarchy) -> String {
    let mut text = String::from("level      nodes  labels\n");
    for (number, level) in hierarchy.levels().iter().enumerate() {
        let mut labels: Vec<Cow<'_, str>> = level.labels().iter().take(EXAMPLES).map(|label| shown(label)).collect();
        if level.len() > EXAMPLES {
            labels.push("…".into());
        }
        text += &format!("{number:>5} {:>10}  {}\n", level.len(), labels.join("  "));
    }
    text
}

/// For each node of the upper level its children on the lower one.
fn children(lower: &Level, upper: &Level) -> Vec<Vec<u32>> {
    let mut children = vec![Vec::new(); upper.len()];
    for (node, parent) in lower.parents(upper).into_iter().enumerate() {
        children[parent as usize].push(node as u32);
    }
    children
}

/// An empty label would not be seen, and one of several lines would not be one.
fn shown(label: &str) -> Cow<'_, str> {
    if label.is_empty() { "\"\"".into() } else { printable::line(label) }
}

struct Drawing<'a> {
    hierarchy: &'a Hierarchy,
    /// For each level above the leaves and each of its nodes, the nodes below.
    children: &'a [Vec<Vec<u32>>],
    limit: usize,
    lines: usize,
    text: String,
}

impl Drawing<'_> {
    /// Draws a node after `before` and what is below it after `indent`; `None` if there are too many lines, unless
    /// as little as possible is drawn anyway.
    fn branch(&mut self, mut level: usize, mut node: u32, before: &str, indent: &str) -> Option<()> {
        let label = self.hierarchy.level(level).label(node);
        // A short branch repeats its label on the way down; one line says it.
        while let Some(&[child]) = self.below(level, node)
            && self.hierarchy.level(level - 1).label(child) == label
        {
            (level, node) = (level - 1, child);
        }
        let leaves = match self.hierarchy.level(level).leaves_under(node) {
            _ if level == 0 => String::new(),
            1 => " (1 leaf)".to_owned(),
            leaves => format!(" ({leaves} leaves)"),
        };
        self.line(&format!("{before}{}{leaves}", shown(label)))?;
        let Some(below) = self.below(level, node).map(<[u32]>::to_vec) else { return Some(()) };
        let drawn = below.len().min(self.limit);
        for (at, &child) in below[..drawn].iter().enumerate() {
            let is_last = at + 1 == below.len();
            let (corner, side) = if is_last { ("└── ", "    ") } else { ("├── ", "│   ") };
            self.branch(level - 1, child, &format!("{indent}{corner}"), &format!("{indent}{side}"))?;
        }
        match below.len() - drawn {
            0 => Some(()),
            more => self.line(&format!("{indent}└── … {more} more")),
        }
    }

    fn below(&self, level: usize, node: u32) -> Option<&[u32]> {
        level.checked_sub(1).and_then(|lower| self.children[lower].get(node as usize)).map(Vec::as_slice)
    }

    fn line(&mut self, line: &str) -> Option<()> {
        self.text += line.trim_end();
        self.text.push('\n');
        self.lines = self.lines.saturating_sub(1);
        (self.lines > 0 || self.limit == 1).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::testing::{build, dictionary, spec};
    use super::*;

    #[test]
    fn a_small_tree_is_drawn_whole() {
        let tree = "tree = { office = ['clerk', 'manager'], field = ['farmer', { crafts = ['smith', 'mason'] }] }";
        let hierarchy = spec(tree).standalone(Path::new("")).unwrap().unwrap();
        let expected = "\
* (5 leaves)
├── office (2 leaves)
│   ├── clerk
│   └── manager
└── field (3 leaves)
    ├── farmer
    └── crafts (2 leaves)
        ├── smith
        └── mason
";
        assert_eq!(draw(&hierarchy, 60), expected);
    }

    #[test]
    fn a_large_one_is_abbreviated() {
        let numbers: Vec<String> = (0..1000).map(|number: u32| number.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        let hierarchy = build("intervals = [10, 100]", &dictionary(&numbers, None)).unwrap();
        let drawing = draw(&hierarchy, 30);
        assert!(drawing.lines().count() <= 30, "{drawing}");
        assert!(drawing.contains("└── … 8 more"), "{drawing}");
        let expected = "\
* (1000 leaves)
├── [0, 100) (100 leaves)
│   ├── [0, 10) (10 leaves)
│   │   ├── 0
│   │   └── … 9 more
│   └── … 9 more
└── … 9 more
";
        assert_eq!(draw(&hierarchy, 1), expected);
    }

    #[test]
    fn levels_are_summed_up() {
        let hierarchy = build("mask = {}", &dictionary(&["11", "12", "21", "22", "23"], Some(""))).unwrap();
        let expected = "\
level      nodes  labels
    0          6  11  12  21  22  …
    1          3  1*  2*  \"\"
    2          1  *
";
        assert_eq!(summary(&hierarchy), expected);
    }

    #[test]
    fn an_empty_one_is_a_root() {
        assert_eq!(draw(&build("suppress = {}", &dictionary(&[], None)).unwrap(), 60), "* (0 leaves)\n");
    }
}
