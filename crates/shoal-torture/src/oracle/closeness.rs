//! How far is the distribution of a class from that of a table?

use std::collections::BTreeMap;

use super::quantity::Quantity;
use super::sensitive::SensitiveCells;

/// The counts of a class and of a table: p = class / size, q = table / rows.
pub struct Two<'a> {
    pub class: &'a [i128],
    pub table: &'a [i128],
}

impl Two<'_> {
    fn size(&self) -> i128 {
        self.class.iter().sum()
    }

    fn rows(&self) -> i128 {
        self.table.iter().sum()
    }

    /// (p - q) of a leaf, over size * rows.
    fn excess(&self, leaf: usize) -> i128 {
        self.class[leaf] * self.rows() - self.table[leaf] * self.size()
    }

    /// Every two values are 1 apart.
    pub fn equal(&self) -> Quantity {
        let moved: i128 = (0..self.class.len()).map(|leaf| self.excess(leaf).abs()).sum();
        Quantity::Ratio(moved, 2 * self.size() * self.rows())
    }

    /// Values are as far apart as there are values between them, among those of the table.
    pub fn ordered(&self) -> Quantity {
        let leaves: Vec<usize> = (0..self.table.len()).filter(|&leaf| self.table[leaf] > 0).collect();
        self.ordered_among(&leaves)
    }

    /// The same among these values.
    pub fn ordered_among(&self, leaves: &[usize]) -> Quantity {
        let (mut carried, mut moved) = (0, 0);
        for &leaf in leaves {
            carried += self.excess(leaf);
            moved += carried.abs();
        }
        let steps = (leaves.len() as i128 - 1).max(1);
        Quantity::Ratio(moved, steps * self.size() * self.rows())
    }

    /// Values are as far apart as the level of their lowest common ancestor, over the height: each step up or down
    /// costs half of one over the height, so what has to cross each edge of the tree can be summed up.
    pub fn hierarchical(&self, cells: &SensitiveCells) -> Option<Quantity> {
        let paths = cells.paths.as_ref()?;
        let height = paths.first()?.len() - 1;
        let mut moved = 0;
        for level in 0..height {
            let mut nodes: BTreeMap<&str, i128> = BTreeMap::new();
            for (leaf, path) in paths.iter().enumerate() {
                *nodes.entry(&path[level]).or_default() += self.excess(leaf);
            }
            moved += nodes.values().map(|excess| excess.abs()).sum::<i128>();
        }
        Some(Quantity::Ratio(moved, 2 * height as i128 * self.size() * self.rows()))
    }

    /// The sum of p ln(p / q).
    pub fn kl(&self) -> Quantity {
        let (size, rows) = (self.size() as f64, self.rows() as f64);
        let term = |leaf: usize| match (self.class[leaf], self.table[leaf]) {
            (0, _) => 0.0,
            (_, 0) => f64::INFINITY,
            (class, table) => class as f64 / size * (class as f64 / size / (table as f64 / rows)).ln(),
        };
        Quantity::Real((0..self.class.len()).map(term).sum())
    }

    /// The largest change of a share.
    pub fn largest_change(&self) -> Quantity {
        let most = (0..self.class.len()).map(|leaf| self.excess(leaf).abs()).max().unwrap_or(0);
        Quantity::Ratio(most, self.size() * self.rows())
    }

    /// Does a share below rho1 rise above rho2, or one above 1 - rho1 fall below 1 - rho2? In thousandths.
    pub fn is_breach(&self, rho1: i128, rho2: i128) -> bool {
        let (size, rows) = (self.size(), self.rows());
        (0..self.class.len()).any(|leaf| {
            let (prior, posterior) = (self.table[leaf] * 1000, self.class[leaf] * 1000);
            (prior < rho1 * rows && posterior > rho2 * size)
                || (prior > (1000 - rho1) * rows && posterior < (1000 - rho2) * size)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_salaries_are_farther_from_all_than_mixed_ones() {
        // The example of the paper: 3K to 11K, and classes {3, 4, 5} and {6, 8, 11}.
        let table = [1; 9];
        let low = Two { class: &[1, 1, 1, 0, 0, 0, 0, 0, 0], table: &table };
        let mixed = Two { class: &[0, 0, 0, 1, 0, 1, 0, 0, 1], table: &table };
        assert_eq!(low.ordered().to_f64(), Some(0.375));
        assert!((mixed.ordered().to_f64().expect("finite") - 1.0 / 6.0).abs() < 1e-15);
        assert!((low.equal().to_f64().expect("finite") - 2.0 / 3.0).abs() < 1e-15);
        assert!((low.kl().to_f64().expect("finite") - 3f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn what_is_under_one_node_is_near() {
        let path = |leaf: &str, group: &str| vec![leaf.to_owned(), group.to_owned(), "*".to_owned()];
        let cells = SensitiveCells {
            values: ["a", "b", "c", "d"].map(str::to_owned).to_vec(),
            rows: Vec::new(),
            texts: Vec::new(),
            paths: Some(vec![path("a", "x"), path("b", "x"), path("c", "y"), path("d", "y")]),
            numbers: vec![None; 4],
        };
        // Half a record goes from a to b, one level of two up; or to c, both levels.
        let near = Two { class: &[1, 0, 0, 0], table: &[1, 1, 0, 0] };
        assert_eq!(near.hierarchical(&cells).and_then(Quantity::to_f64), Some(0.25));
        let far = Two { class: &[1, 0, 0, 0], table: &[1, 0, 1, 0] };
        assert_eq!(far.hierarchical(&cells).and_then(Quantity::to_f64), Some(0.5));
    }

    #[test]
    fn a_breach_is_strict_on_both_sides() {
        let half = Two { class: &[1, 1], table: &[1, 99] };
        assert!(!half.is_breach(100, 500), "it does not exceed a half");
        assert!(Two { class: &[49, 1], table: &[1, 99] }.is_breach(100, 500));
        assert_eq!(half.largest_change().to_f64(), Some(0.49));
    }
}
