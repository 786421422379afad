//! How far are the people of a class from all people, value by value, and by the least and the greatest that everybody has?

use super::closeness::Two;
use super::crowd::Crowd;
use super::quantity::{Quantity, Side};
use super::sensitive::SensitiveCells;

/// The people of a class, and all people.
pub struct Crowds<'a> {
    class: &'a Crowd,
    all: &'a Crowd,
    /// For each value, how many of either have it.
    having: (Vec<i128>, Vec<i128>),
}

impl<'a> Crowds<'a> {
    pub fn new(class: &'a Crowd, all: &'a Crowd) -> Self {
        Self { class, all, having: (class.having(), all.having()) }
    }

    /// The values that somebody has.
    fn occurring(&self) -> Vec<usize> {
        (0..self.having.1.len()).filter(|&leaf| self.having.1[leaf] > 0).collect()
    }

    /// The difference of the shares of those who have a value.
    fn gap(&self, leaf: usize) -> (i128, i128) {
        let (size, everybody) = (self.class.people(), self.all.people());
        ((self.having.0[leaf] * everybody - self.having.1[leaf] * size).abs(), size * everybody)
    }

    /// The largest change of the belief that somebody has a value.
    pub fn largest_change(&self) -> Quantity {
        let gaps = self.occurring().into_iter().map(|leaf| self.gap(leaf));
        let (gap, scale) = gaps.max().unwrap_or((0, 1));
        Quantity::Ratio(gap, scale)
    }

    /// Does the belief that somebody has a value, or has it not, rise from below rho1 to above rho2? In thousandths.
    pub fn is_breach(&self, rho1: i128, rho2: i128) -> bool {
        let (size, everybody) = (self.class.people(), self.all.people());
        let rises = |here: i128, all: i128| 1000 * all < rho1 * everybody && 1000 * here > rho2 * size;
        self.occurring().into_iter().any(|leaf| {
            let (here, all) = (self.having.0[leaf], self.having.1[leaf]);
            rises(here, all) || rises(size - here, everybody - all)
        })
    }

    /// What t-closeness asks of people besides equal parts; none without a hierarchy that it needs.
    pub fn apart(&self, distance: &str, cells: &SensitiveCells) -> Option<Quantity> {
        let (by_values, ends) = match distance {
            "kl" => return Some(self.divergence()),
            "ordered" => (
                self.largest_gap(|one, other, values| {
                    let rank =
                        |leaf: usize| values.iter().position(|&known| known == leaf).map_or(0, |rank| rank as i128);
                    ((rank(one) - rank(other)).abs(), values.len() as i128 - 1)
                }),
                self.ends(),
            ),
            "hierarchical" => {
                let paths = cells.paths.as_ref()?;
                let height = paths.first()?.len() as i128 - 1;
                let way = |one: usize, other: usize, _: &[usize]| {
                    let level = (0..paths[one].len()).find(|&level| paths[one][level] == paths[other][level]);
                    (level.map_or(height, |level| level as i128), height.max(1))
                };
                (self.largest_gap(way), Vec::new())
            }
            _ => (self.largest_gap(|_, _, _| (1, 1)), Vec::new()),
        };
        Some(ends.into_iter().fold(by_values, |worst, end| worst.worse(end, Side::AtMost)))
    }

    /// The largest gap, times the way from its value to the nearest other one.
    fn largest_gap(&self, way: impl Fn(usize, usize, &[usize]) -> (i128, i128)) -> Quantity {
        let values = self.occurring();
        let mut largest = Quantity::Ratio(0, 1);
        for &leaf in &values {
            let others = values.iter().filter(|&&other| other != leaf).map(|&other| way(leaf, other, &values));
            // All ways are over one number.
            if let Some((steps, unit)) = others.min() {
                let (gap, scale) = self.gap(leaf);
                largest = largest.worse(Quantity::Ratio(gap * steps, scale * unit), Side::AtMost);
            }
        }
        largest
    }

    /// How far they are by the least that everybody has, and by the greatest.
    fn ends(&self) -> Vec<Quantity> {
        let (class, all, values) = (self.class.ends(), self.all.ends(), self.occurring());
        let two = |(class, table): (&Vec<i128>, &Vec<i128>)| Two { class, table }.ordered_among(&values);
        class.iter().zip(&all).map(two).collect()
    }

    /// The largest divergence of those who have a value and those who have it not.
    fn divergence(&self) -> Quantity {
        let (size, everybody) = (self.class.people(), self.all.people());
        let divergences = self.occurring().into_iter().map(|leaf| {
            let (here, all) = (self.having.0[leaf], self.having.1[leaf]);
            let (class, table) = (&[here, size - here], &[all, everybody - all]);
            Two { class, table }.kl()
        });
        divergences.fold(Quantity::Real(0.0), |worst, other| worst.worse(other, Side::AtMost))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crowd(values: &[&[usize]], leaves: usize) -> Crowd {
        let rows: Vec<(usize, usize)> =
            values.iter().enumerate().flat_map(|(person, own)| own.iter().map(move |&leaf| (person, leaf))).collect();
        let cells = SensitiveCells {
            values: (0..leaves).map(|leaf| leaf.to_string()).collect(),
            rows: rows.iter().map(|row| vec![(row.1, 1)]).collect(),
            texts: Vec::new(),
            paths: None,
            numbers: vec![None; leaves],
        };
        let people: Vec<usize> = rows.iter().map(|row| row.0).collect();
        Crowd::new(&cells, &(0..rows.len()).collect::<Vec<_>>(), &people).expect("values as they are")
    }

    /// One of six has the smallest and the largest of five values, the others have one each, two of them one of these.
    #[test]
    fn the_least_and_the_greatest_tell_more_than_equal_parts() {
        let class = crowd(&[&[0, 4]], 5);
        let all = crowd(&[&[0, 4], &[0], &[4], &[1], &[2], &[3]], 5);
        let crowds = Crowds::new(&class, &all);
        let cells = SensitiveCells {
            values: vec![String::new(); 5],
            rows: Vec::new(),
            texts: Vec::new(),
            paths: None,
            numbers: vec![None; 5],
        };
        // Of the least 4 + 3 + 2 + 1 sixths must go from the first value, over four steps.
        assert_eq!(crowds.apart("ordered", &cells).unwrap().to_f64(), Some(10.0 / 24.0));
        assert_eq!(crowds.apart("equal", &cells).unwrap().to_f64(), Some(4.0 / 6.0));
        assert_eq!(crowds.largest_change().to_f64(), Some(4.0 / 6.0));
        assert!((crowds.apart("kl", &cells).unwrap().to_f64().unwrap() - 3f64.ln()).abs() < 1e-12);
        assert!(crowds.is_breach(400, 900) && !crowds.is_breach(333, 900));
    }
}
