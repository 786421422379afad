//! How does somebody with several rows in a class count?

use std::collections::{BTreeMap, BTreeSet};

use super::sensitive::SensitiveCells;

/// The people who have some rows, each with the values of these.
pub struct Crowd {
    /// For everybody the values that they have, each once.
    values: Vec<BTreeSet<usize>>,
    /// How many values there are.
    leaves: usize,
}

/// People are not divided into more parts than this: fractions stay far from what an integer holds.
const MOST_PARTS: i128 = 100_000;

impl Crowd {
    /// Those who have these rows; none where a value is generalized, of which nobody says how it counts for people.
    pub fn new(cells: &SensitiveCells, rows: &[usize], people: &[usize]) -> Option<Self> {
        let mut values: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for &row in rows {
            let [(leaf, _)] = cells.rows[row][..] else { return None };
            values.entry(people[row]).or_default().insert(leaf);
        }
        Some(Self { values: values.into_values().collect(), leaves: cells.values.len() })
    }

    /// How many people there are.
    pub fn people(&self) -> i128 {
        self.values.len() as i128
    }

    /// For each value, how many have it.
    pub fn having(&self) -> Vec<i128> {
        (0..self.leaves).map(|leaf| self.having_any(&|other| other == leaf)).collect()
    }

    /// How many have one of some values.
    pub fn having_any(&self, is_meant: &dyn Fn(usize) -> bool) -> i128 {
        self.values.iter().filter(|values| values.iter().any(|&leaf| is_meant(leaf))).count() as i128
    }

    /// Of how many each value is the least that they have, and of how many the greatest.
    pub fn ends(&self) -> [Vec<i128>; 2] {
        let mut ends = [vec![0; self.leaves], vec![0; self.leaves]];
        for values in &self.values {
            values.first().into_iter().for_each(|&leaf| ends[0][leaf] += 1);
            values.last().into_iter().for_each(|&leaf| ends[1][leaf] += 1);
        }
        ends
    }

    /// Everybody once, under as few values as possible: largest first.
    pub fn packed(&self) -> Vec<i128> {
        packed(self.having(), self.people())
    }

    /// Everybody once, in equal parts under each of their values; none where that takes too many parts.
    pub fn parts(&self) -> Option<Vec<i128>> {
        let mut parts = 1;
        for values in &self.values {
            parts = (1..).map(|times| times * parts).find(|many| many % values.len() as i128 == 0)?;
            if parts > MOST_PARTS {
                return None;
            }
        }
        let mut counts = vec![0; self.leaves];
        for values in &self.values {
            values.iter().for_each(|&leaf| counts[leaf] += parts / values.len() as i128);
        }
        Some(counts)
    }
}

/// As many people as there are, under as few things as possible, of each of which so many have one.
pub fn packed(mut having: Vec<i128>, people: i128) -> Vec<i128> {
    having.sort_unstable_by(|a, b| b.cmp(a));
    let mut counted = Vec::new();
    for with in having {
        let left = people - counted.iter().sum::<i128>();
        counted.push(with.min(left));
    }
    counted.retain(|&with| with > 0);
    counted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The class of the page about people: A has flu three times and asthma, B flu and diabetes, C flu, D back pain.
    fn of_the_page() -> Crowd {
        let cells = SensitiveCells {
            values: ["asthma", "back pain", "diabetes", "flu"].map(str::to_owned).to_vec(),
            rows: [3, 3, 3, 0, 3, 2, 3, 1].map(|leaf| vec![(leaf, 1)]).to_vec(),
            texts: Vec::new(),
            paths: None,
            numbers: vec![None; 4],
        };
        let whose = [0, 0, 0, 0, 1, 1, 2, 3];
        Crowd::new(&cells, &[0, 1, 2, 3, 4, 5, 6, 7], &whose).expect("values as they are")
    }

    #[test]
    fn the_example_of_the_page() {
        let crowd = of_the_page();
        assert_eq!(crowd.people(), 4);
        assert_eq!(crowd.having(), [1, 1, 1, 3]);
        assert_eq!(crowd.packed(), [3, 1]);
        assert_eq!(crowd.parts(), Some(vec![1, 2, 1, 4]), "in halves of a person");
    }
}
