//! What is known of a sensitive column: its values, their hierarchy, and what a generalized value stands for?

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Counts, HeldByPeople};
use crate::exact::greatest_common_divisor;
use crate::hierarchy::Hierarchy;
use crate::table::{ColumnType, Dictionary};

/// A sensitive column as the models see it.
///
/// Codes below `leaves()` are values themselves: those of the column's dictionary first, then others that its
/// hierarchy knows. Higher codes are generalized values, each covering some of them.
#[derive(Debug, Clone)]
pub struct SensitiveColumn {
    name: String,
    values: Vec<String>,
    code_of: HashMap<String, u32>,
    leaves: usize,
    covered: Vec<Vec<u32>>,
    hierarchy: Option<Hierarchy>,
    column_type: ColumnType,
    missing: Option<u32>,
    counts: Vec<u64>,
    /// What the people of the input have, where people are counted.
    held: Option<Arc<HeldByPeople>>,
}

impl SensitiveColumn {
    /// A column with the values of a dictionary, each with its number of records in the input.
    pub fn new(name: &str, dictionary: &Dictionary, hierarchy: Option<Hierarchy>, counts: Vec<u64>) -> Self {
        let mut values = dictionary.values().to_vec();
        if let Some(hierarchy) = &hierarchy {
            values.extend_from_slice(&hierarchy.level(0).labels()[values.len()..]);
        }
        let code_of = values.iter().enumerate().map(|(code, value)| (value.clone(), code as u32)).collect();
        let leaves = values.len();
        let mut column = Self {
            name: name.to_owned(),
            values,
            code_of,
            leaves,
            covered: Vec::new(),
            hierarchy,
            column_type: dictionary.column_type().clone(),
            missing: dictionary.missing(),
            counts,
            held: None,
        };
        column.counts.resize(leaves, 0);
        column
    }

    /// Adds a generalized value that covers these leaves; its code.
    pub fn add_generalized(&mut self, label: &str, covered: Vec<u32>, count: u64) -> u32 {
        let code = self.values.len() as u32;
        self.values.push(label.to_owned());
        self.code_of.insert(label.to_owned(), code);
        self.covered.push(covered);
        self.counts.push(count);
        code
    }

    /// Adds every inner node of its hierarchy as a generalized value; for each code, the one above it. Nothing if there is
    /// no hierarchy, or if one of its labels means different things in different places.
    pub fn add_every_node(&mut self) -> Option<Vec<Option<u32>>> {
        let mut extended = self.clone();
        let hierarchy = self.hierarchy()?;
        let leaves = self.leaves() as u32;
        let mut above: Vec<Option<u32>> = vec![None; leaves as usize];
        let mut current: Vec<u32> = (0..leaves).collect();
        let mut added: HashMap<&str, Vec<u32>> = HashMap::new();
        for level in &hierarchy.levels()[1..] {
            let mut covered: Vec<Vec<u32>> = vec![Vec::new(); level.len()];
            (0..leaves).for_each(|leaf| covered[level.node_of(leaf) as usize].push(leaf));
            for (node, covered) in covered.into_iter().enumerate().filter(|(_, covered)| !covered.is_empty()) {
                let label = level.label(node as u32);
                let code = match (extended.code(label), added.get(label)) {
                    (Some(code), None) if covered == [code] => code,
                    (Some(code), Some(known)) if *known == covered => code,
                    (Some(_), _) => return None,
                    (None, _) => {
                        added.insert(label, covered.clone());
                        above.push(None);
                        extended.add_generalized(label, covered.clone(), 0)
                    }
                };
                for leaf in covered {
                    let below = std::mem::replace(&mut current[leaf as usize], code);
                    if below != code {
                        above[below as usize] = Some(code);
                    }
                }
            }
        }
        *self = extended;
        Some(above)
    }

    /// So many more records of the input show a generalized value themselves: nobody can tell which values those have.
    pub fn hide_values(&mut self, code: u32, count: u64) {
        self.counts[code as usize] += count;
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// How many codes there are: leaves and generalized values.
    pub fn codes(&self) -> usize {
        self.values.len()
    }

    /// How many leaves a code stands for: 1, unless it is a generalized value.
    pub fn leaves_under(&self, code: u32) -> u64 {
        (code as usize).checked_sub(self.leaves).map_or(1, |generalized| self.covered[generalized].len() as u64)
    }

    /// The leaves that a generalized value stands for; none for a value itself.
    pub fn covered(&self, code: u32) -> &[u32] {
        (code as usize).checked_sub(self.leaves).map_or(&[], |generalized| &self.covered[generalized])
    }

    /// How many records of the input have a value that a code stands for.
    pub fn rows_under(&self, code: u32) -> u64 {
        let rows = |leaf: &u32| self.counts[*leaf as usize];
        match (code as usize).checked_sub(self.leaves) {
            None => rows(&code),
            Some(generalized) => self.covered[generalized].iter().map(rows).sum(),
        }
    }

    /// The level of the lowest node of the hierarchy that covers what a code stands for; 0 without a hierarchy.
    pub fn level_of(&self, code: u32) -> usize {
        let (Some(hierarchy), Some(generalized)) = (&self.hierarchy, (code as usize).checked_sub(self.leaves)) else {
            return 0;
        };
        let covered = &self.covered[generalized];
        let is_one = |level: &crate::hierarchy::Level| {
            covered.windows(2).all(|two| level.node_of(two[0]) == level.node_of(two[1]))
        };
        hierarchy.levels().iter().position(is_one).unwrap_or(hierarchy.height())
    }

    /// The text of a code.
    pub fn value(&self, code: u32) -> &str {
        &self.values[code as usize]
    }

    /// The code of a text.
    pub fn code(&self, value: &str) -> Option<u32> {
        self.code_of.get(value).copied()
    }

    /// All values, by code.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Its hierarchy, if it has one.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// The code of the missing value, if one occurs.
    pub fn missing(&self) -> Option<u32> {
        self.missing
    }

    /// Has it any value but the missing one? If not, nobody can tell of what kind its values are.
    pub fn has_values(&self) -> bool {
        self.leaves > usize::from(self.missing.is_some())
    }

    /// What kind of values it has.
    pub fn column_type(&self) -> &ColumnType {
        &self.column_type
    }

    /// The number of records with each code in the whole input.
    pub fn input_counts(&self) -> &[u64] {
        &self.counts
    }

    /// What the people of the input have of it, where people are counted.
    pub fn held_by_people(&self) -> Option<&HeldByPeople> {
        self.held.as_deref()
    }

    /// The same column in a table whose people have this of it.
    #[must_use]
    pub(super) fn held_like_this(self, held: HeldByPeople) -> Self {
        Self { held: Some(Arc::new(held)), ..self }
    }

    /// How many distinct values occur in the input; how many could, where generalized ones hide which do.
    pub fn distinct(&self) -> usize {
        if self.hides_values() {
            return self.leaves();
        }
        self.counts.iter().filter(|&&count| count > 0).count()
    }

    /// May records show a generalized value?
    pub fn is_generalized(&self) -> bool {
        !self.covered.is_empty()
    }

    /// Does any record of the input show a generalized value, so that nobody can tell which values occur?
    fn hides_values(&self) -> bool {
        self.counts[self.leaves..].iter().any(|&count| count > 0)
    }

    /// The weights that an attacker without knowledge would use: 1 for each value that occurs; for each value
    /// that could occur where generalized ones hide which do.
    pub fn default_weights(&self) -> Vec<u64> {
        if self.hides_values() {
            return vec![1; self.leaves];
        }
        self.counts[..self.leaves].iter().map(|&count| u64::from(count > 0)).collect()
    }

    /// Weights for the leaves as whole numbers in these proportions, which have at most six decimals.
    pub fn weights(&self, weight: impl Fn(&str) -> f64) -> Vec<u64> {
        self.values[..self.leaves].iter().map(|value| (weight(value) * 1e6).round() as u64).collect()
    }

    /// How generalized values spread over the leaves, by these weights (one for each leaf).
    pub fn induction(&self, weights: &[u64]) -> Induction {
        let weigh = |covered: &Vec<u32>| -> Vec<(u32, u64)> {
            let weighted: Vec<(u32, u64)> = covered.iter().map(|&leaf| (leaf, weights[leaf as usize])).collect();
            // A label all of whose leaves are thought impossible is at least one of them.
            if weighted.iter().any(|pair| pair.1 > 0) {
                return weighted;
            }
            covered.iter().map(|&leaf| (leaf, 1)).collect()
        };
        let weighted: Vec<Vec<(u32, u64)>> = self.covered.iter().map(weigh).collect();
        let totals = weighted.iter().map(|pairs| pairs.iter().map(|pair| u128::from(pair.1)).sum());
        let scale = common_multiple(totals, MOST_PARTS);
        let shares = weighted.iter().map(|pairs| divide(scale, pairs)).collect();
        Induction { leaves: self.leaves, shares, scale }
    }
}

/// Into how many parts a record is divided at most. Labels that cover 7, 11, 13, .. leaves have no small common
/// denominator; then shares are rounded to a part, far below what any frequency could show, and still add up.
const MOST_PARTS: u64 = 1 << 32;

/// The smallest number of parts that all of these divide, or so many if that has no room for it.
pub(super) fn common_multiple(mut numbers: impl Iterator<Item = u128>, most: u64) -> u64 {
    let common = numbers.try_fold(1, |parts, number| Some(lcm(parts, number)).filter(|&parts| parts <= most.into()));
    common.map_or(most, |parts| parts as u64)
}

fn lcm(a: u128, b: u128) -> u128 {
    a / greatest_common_divisor(a, b) * b
}

/// Divides `scale` parts among leaves by their weights, all of them.
pub(super) fn divide(scale: u64, weighted: &[(u32, u64)]) -> Vec<(u32, u64)> {
    let total: u128 = weighted.iter().map(|pair| u128::from(pair.1)).sum();
    let (mut weight_so_far, mut given) = (0, 0);
    let share = |&(leaf, weight): &(u32, u64)| {
        weight_so_far += u128::from(weight);
        let reached = (weight_so_far * u128::from(scale) / total) as u64;
        (leaf, reached - std::mem::replace(&mut given, reached))
    };
    weighted.iter().map(share).collect()
}

/// How the records with a generalized value spread over its leaves (Definition 2 of (tau,l)-diversity).
#[derive(Debug, Clone)]
pub struct Induction {
    leaves: usize,
    /// For each generalized value, the leaves and how many of `scale` parts each gets.
    shares: Vec<Vec<(u32, u64)>>,
    scale: u64,
}

/// Counts of leaves, all multiplied by one factor so that they stay whole.
#[derive(Debug, Clone)]
pub struct InducedCounts<'a> {
    /// The leaves' codes, sorted.
    pub codes: Cow<'a, [u32]>,
    /// How often each occurs, times [`Induction::scale`].
    pub counts: Cow<'a, [u64]>,
}

impl Induction {
    /// The factor by which induced counts are multiplied.
    pub fn scale(&self) -> u64 {
        self.scale
    }

    /// Nothing to spread.
    pub fn none() -> Self {
        Self { leaves: 0, shares: Vec::new(), scale: 1 }
    }

    /// Does every code stand for itself?
    pub fn is_trivial(&self) -> bool {
        self.shares.is_empty()
    }

    /// The number of leaves that records are spread over.
    pub fn leaves(&self) -> usize {
        self.leaves
    }

    /// The leaves that a record with this code counts for, and how many of [`Induction::scale`] parts each gets.
    pub fn each_part(&self, code: u32, mut visit: impl FnMut(u32, u64)) {
        match (code as usize).checked_sub(self.leaves) {
            None => visit(code, self.scale),
            Some(generalized) => self.shares[generalized].iter().for_each(|&(leaf, parts)| visit(leaf, parts)),
        }
    }

    /// The induced counts of a class.
    pub fn induce<'a>(&self, counts: Counts<'a>) -> InducedCounts<'a> {
        if self.is_trivial() {
            return InducedCounts { codes: Cow::Borrowed(counts.codes), counts: Cow::Borrowed(counts.counts) };
        }
        let mut by_leaf = vec![0u64; self.leaves];
        for (code, count) in counts.iter() {
            match (code as usize).checked_sub(self.leaves) {
                None => by_leaf[code as usize] += count * self.scale,
                Some(generalized) => {
                    for &(leaf, parts) in &self.shares[generalized] {
                        by_leaf[leaf as usize] += count * parts;
                    }
                }
            }
        }
        let present = || by_leaf.iter().enumerate().filter(|(_, count)| **count > 0);
        InducedCounts {
            codes: present().map(|(leaf, _)| leaf as u32).collect(),
            counts: present().map(|(_, &count)| count).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generalized_value_spreads_over_its_leaves_by_weight() {
        let names = ["anemia", "flu", "hepatitis"].map(str::to_owned);
        let dictionary = Dictionary::new(names, None, false);
        let mut column = SensitiveColumn::new("Disease", &dictionary, None, vec![1, 1, 1]);
        let hemal = column.add_generalized("hemal disease", vec![0, 2], 2);
        let counts = Counts { codes: &[2, hemal], counts: &[1, 2] };
        let equal = column.induction(&[1, 1, 1]);
        let induced = equal.induce(counts);
        assert_eq!((equal.scale(), induced.codes.as_ref(), induced.counts.as_ref()), (2, &[0, 2][..], &[2, 4][..]));
        let skewed = column.induction(&[3, 1, 1]);
        let induced = skewed.induce(counts);
        assert_eq!((skewed.scale(), induced.counts.as_ref()), (4, &[6, 6][..]));
        let impossible = column.induction(&[0, 1, 0]);
        assert_eq!(impossible.induce(counts).counts.as_ref(), &[2, 4], "all leaves of weight 0 count alike");
    }

    #[test]
    fn all_parts_are_given_away() {
        assert_eq!(divide(6, &[(0, 1), (3, 2)]), [(0, 2), (3, 4)]);
        assert_eq!(divide(10, &[(0, 1), (1, 1), (2, 1)]), [(0, 3), (1, 3), (2, 4)]);
        assert_eq!(divide(4, &[(0, 0), (1, 1)]), [(0, 0), (1, 4)]);
    }
}
