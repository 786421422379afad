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
        let (mut carried, mut moved) = (0, 0);
        for &leaf in &leaves {
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
