//! Which node of a small lattice is best, looking at every one?

use std::collections::HashMap;

use crate::objective::{NodeColumn, Objectives};
use crate::oracle::judge;
use crate::question::Question;

/// A node that gives a release.
#[derive(Debug, Clone)]
pub struct Solution {
    pub levels: Vec<usize>,
    pub objectives: Objectives,
    pub classes: usize,
    /// For each row, is it released?
    pub released: Vec<bool>,
}

/// Every node that gives a release, and how many nodes there are; none where the lattice is too large for a naive look, a
/// hierarchy is not known, or more is asked than of classes of rows.
pub struct Lattice {
    pub nodes: usize,
    pub solutions: Vec<Solution>,
}

/// Values that differ by no more are equal, and the stated order decides.
pub const TIE: f64 = 1e-12;

/// How many rows are looked at in all.
const MOST_VISITS: usize = 30_000;

impl Lattice {
    pub fn new(question: &Question<'_>) -> Option<Self> {
        let rows = question.kept.rows.len();
        let mut ranges = Vec::new();
        for (column, levels) in question.quasi.iter().zip(&question.levels) {
            let height = levels.as_ref()?.height();
            let (first, last) = (column.min_level.unwrap_or(0), column.max_level.unwrap_or(height));
            if first > height || last > height {
                return None;
            }
            ranges.push(first..=last);
        }
        let nodes = ranges.iter().map(|range| range.clone().count()).product::<usize>();
        if rows == 0 || nodes * rows > MOST_VISITS || question.takes_people_whole() {
            return None;
        }
        let columns = encoded(question)?;
        let cells = question.sensitive_cells(&question.kept)?;
        let asked = question.asked_of_input(&cells);
        let most = question.most_suppressed();
        let mut solutions = Vec::new();
        let mut levels: Vec<usize> = ranges.iter().map(|range| *range.start()).collect();
        loop {
            let node: Vec<&NodeColumn> = columns.iter().zip(&levels).map(|(column, &level)| &column[level]).collect();
            let classes = classes(&node, rows);
            let accepted = judge::releasable(&asked, &classes)?;
            let mut released = vec![false; rows];
            let kept = classes.iter().zip(&accepted).filter(|pair| *pair.1).map(|pair| pair.0);
            kept.clone().flatten().for_each(|&row| released[row] = true);
            let suppressed = released.iter().filter(|&&released| !released).count();
            if suppressed <= most && suppressed < rows {
                let sizes: Vec<usize> = kept.map(Vec::len).collect();
                let objectives = Objectives::new(question, &node, &levels, &sizes, &released);
                solutions.push(Solution { levels: levels.clone(), objectives, classes: sizes.len(), released });
            }
            let Some(place) = (0..levels.len()).rev().find(|&place| levels[place] < *ranges[place].end()) else {
                break;
            };
            levels[place] += 1;
            for later in place + 1..levels.len() {
                levels[later] = *ranges[later].start();
            }
        }
        Some(Self { nodes, solutions })
    }

    /// The best by an objective: the least value, then the least height, then the first levels in the policy's order.
    pub fn best(&self, objective: &str) -> Option<&Solution> {
        let least = self.solutions.iter().map(|solution| solution.objectives.get(objective)).reduce(f64::min)?;
        let near = least + TIE * least.abs().max(1.0);
        let ties = self.solutions.iter().filter(|solution| solution.objectives.get(objective) <= near);
        ties.min_by_key(|solution| (solution.levels.iter().sum::<usize>(), solution.levels.clone()))
    }

    /// The solutions below which there is no other.
    pub fn minimal(&self) -> Vec<&Solution> {
        let is_below =
            |a: &Solution, b: &Solution| a.levels != b.levels && a.levels.iter().zip(&b.levels).all(|(a, b)| a <= b);
        let is_minimal = |solution: &&Solution| !self.solutions.iter().any(|other| is_below(other, solution));
        self.solutions.iter().filter(is_minimal).collect()
    }
}

/// For each column and level, what rows show.
fn encoded(question: &Question<'_>) -> Option<Vec<Vec<NodeColumn>>> {
    let mut columns = Vec::new();
    for (column, levels) in question.quasi.iter().zip(&question.levels) {
        let levels = levels.as_ref()?;
        let cells = Question::cells(&question.kept, &column.name)?;
        let of_level = |level: usize| NodeColumn::new(levels, &cells, level);
        columns.push((0..=levels.height()).map(of_level).collect());
    }
    Some(columns)
}

fn classes(node: &[&NodeColumn], rows: usize) -> Vec<Vec<usize>> {
    let mut place: HashMap<Vec<u32>, usize> = HashMap::new();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for row in 0..rows {
        let key = node.iter().map(|column| column.codes[row]).collect();
        let next = classes.len();
        let class = *place.entry(key).or_insert(next);
        if class == next {
            classes.push(Vec::new());
        }
        classes[class].push(row);
    }
    classes
}
