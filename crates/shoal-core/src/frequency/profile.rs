//! How are the sensitive values of a whole table distributed?

use std::sync::{Arc, OnceLock};

use super::{Counts, FrequencySet, Induction, SensitiveColumn, Summary};
use crate::hierarchy::Hierarchy;

/// What models may know of the table that a class belongs to.
#[derive(Debug, Clone)]
pub struct TableProfile {
    rows: u64,
    released: Vec<Arc<Distribution>>,
    input: Vec<Arc<Distribution>>,
}

/// The distribution of a sensitive column over its leaves, and sums of it that distances need.
#[derive(Debug)]
pub struct Distribution {
    counts: Vec<u64>,
    total: u64,
    /// The number of records under each node of each level of the column's hierarchy.
    level_sums: Vec<Vec<u64>>,
    /// How generalized values spread by the ratio of the values that the records show.
    by_shown: Induction,
    ranking: OnceLock<Ranking>,
    by_frequency: OnceLock<Vec<u32>>,
}

/// The values that occur, in order, with running sums.
#[derive(Debug)]
pub struct Ranking {
    /// The codes that occur.
    pub codes: Vec<u32>,
    /// The number of records with the first `i` of them.
    pub cumulative: Vec<u64>,
    /// The sum of the first `i` entries of `cumulative`, its entry 0 left out.
    pub cumulative_sums: Vec<u128>,
}

impl TableProfile {
    /// The profile of a whole input table, released as it is.
    pub fn of_input(columns: &[SensitiveColumn], rows: u64) -> Self {
        let counts: Vec<Vec<u64>> = columns.iter().map(|column| column.input_weights().to_vec()).collect();
        Self::of_counts(columns, &counts, rows, None)
    }

    /// The profile of a table with this many records of each code in each column; its input is another table, or itself.
    pub fn of_counts(columns: &[SensitiveColumn], counts: &[Vec<u64>], rows: u64, input: Option<&Self>) -> Self {
        let distribution = |(column, counts): (&SensitiveColumn, &Vec<u64>)| {
            let codes: Vec<u32> = (0..counts.len() as u32).filter(|&code| counts[code as usize] > 0).collect();
            let counts: Vec<u64> = codes.iter().map(|&code| counts[code as usize]).collect();
            Arc::new(Distribution::of(column, Counts { codes: &codes, counts: &counts }))
        };
        let released: Vec<_> = columns.iter().zip(counts).map(distribution).collect();
        let input = input.map_or_else(|| released.clone(), |input| input.input.clone());
        Self { rows, released, input }
    }

    /// The same input, of which only the accepted classes of `set` are released.
    #[must_use]
    pub fn with_released(&self, columns: &[SensitiveColumn], set: &FrequencySet, accepted: &[bool]) -> Self {
        let mut by_tuple = vec![0u64; set.sensitive().len()];
        for class in (0..set.classes()).filter(|&class| accepted[class]) {
            let (codes, counts) = set.entries(class);
            codes.iter().zip(counts).for_each(|(&code, &count)| by_tuple[code as usize] += count);
        }
        let codes: Vec<u32> = (0..by_tuple.len() as u32).filter(|&tuple| by_tuple[tuple as usize] > 0).collect();
        let counts: Vec<u64> = codes.iter().map(|&tuple| by_tuple[tuple as usize]).collect();
        let whole = super::EquivalenceClass::new(set.sensitive(), &codes, &counts);
        let people = set.sensitive().tell_people().then(|| whole.people());
        let distribution = |(index, column)| match &people {
            Some(people) => Arc::new(Distribution::of(column, people.sharing(index).counts(index))),
            None => Arc::new(Distribution::of(column, whole.counts(index))),
        };
        let released = columns.iter().enumerate().map(distribution).collect();
        Self { rows: whole.size(), released, input: self.input.clone() }
    }

    /// The same input, of which only the accepted classes of a summary are released. Columns of which it keeps no counts stay as
    /// they are: nobody reads their distribution.
    #[must_use]
    pub fn with_released_of(&self, columns: &[SensitiveColumn], summary: &Summary, accepted: &[bool]) -> Self {
        let rows = summary.sizes().iter().zip(accepted).filter(|(_, accepted)| **accepted).map(|(size, _)| size).sum();
        let mut released = Self { rows, ..self.clone() };
        for column in 0..columns.len() {
            if let Some(counts) = summary.weights_of_column(column, |class| accepted[class]) {
                released = released.with_column(columns, column, &counts);
            }
        }
        released
    }

    /// The same where so many released records have each code of a column.
    #[must_use]
    pub fn with_column(&self, columns: &[SensitiveColumn], column: usize, counts: &[u64]) -> Self {
        let codes: Vec<u32> = (0..counts.len() as u32).filter(|&code| counts[code as usize] > 0).collect();
        let counts: Vec<u64> = codes.iter().map(|&code| counts[code as usize]).collect();
        let mut released = self.released.clone();
        released[column] = Arc::new(Distribution::of(&columns[column], Counts { codes: &codes, counts: &counts }));
        Self { rows: self.rows, released, input: self.input.clone() }
    }

    /// How many records are released.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The places of the sensitive columns.
    pub fn columns(&self) -> std::ops::Range<usize> {
        0..self.released.len()
    }

    /// A column's distribution over the released records.
    pub fn released(&self, column: usize) -> &Distribution {
        &self.released[column]
    }

    /// A column's distribution over the records of the input.
    pub fn input(&self, column: usize) -> &Distribution {
        &self.input[column]
    }

    /// The largest number of classes that can each hold `l` distinct values of a column: each value can be
    /// in as many classes as it has records.
    pub fn most_classes_with_distinct(&self, column: usize, l: u64) -> u64 {
        let counts = self.released[column].counts();
        let reachable = |classes: u64| {
            let places: u128 = counts.iter().map(|&count| u128::from(count.min(classes))).sum();
            places >= u128::from(l) * u128::from(classes)
        };
        let (mut possible, mut impossible) = (0, self.rows + 1);
        while possible + 1 < impossible {
            let middle = possible.midpoint(impossible);
            if reachable(middle) { possible = middle } else { impossible = middle }
        }
        possible
    }
}

impl Distribution {
    fn of(column: &SensitiveColumn, counts: Counts<'_>) -> Self {
        let induction = column.induction(&column.default_weights());
        let mut distribution = Self::induced(counts, &induction, column.leaves(), column.hierarchy());
        if column.is_generalized() {
            let mut shown = vec![0; column.leaves()];
            for (code, count) in counts.iter().filter(|(code, _)| (*code as usize) < column.leaves()) {
                shown[code as usize] = count;
            }
            distribution.by_shown = column.induction(&shown);
        }
        distribution
    }

    /// How generalized values spread by the ratio of the values that the records show themselves: none of it goes to a value
    /// that no record shows. A generalized value that covers no value shown spreads evenly over all that it covers.
    pub fn by_shown(&self) -> &Induction {
        &self.by_shown
    }

    /// The distribution of these counts over `leaves` leaves.
    pub fn induced(counts: Counts<'_>, induction: &Induction, leaves: usize, hierarchy: Option<&Hierarchy>) -> Self {
        let induced = induction.induce(counts);
        let mut by_leaf = vec![0; leaves];
        for (&code, &count) in induced.codes.iter().zip(induced.counts.iter()) {
            by_leaf[code as usize] = count;
        }
        let level_sums = hierarchy.map_or_else(Vec::new, |hierarchy| {
            let sums = |level: &crate::hierarchy::Level| {
                let mut sums = vec![0; level.len()];
                by_leaf.iter().enumerate().for_each(|(leaf, count)| sums[level.node_of(leaf as u32) as usize] += count);
                sums
            };
            hierarchy.levels().iter().map(sums).collect()
        });
        Self {
            total: by_leaf.iter().sum(),
            counts: by_leaf,
            level_sums,
            by_shown: Induction::none(),
            ranking: OnceLock::new(),
            by_frequency: OnceLock::new(),
        }
    }

    /// The number of records with each leaf (times the factor of the column's induction).
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of all records (times the same factor).
    pub fn total(&self) -> u64 {
        self.total
    }

    /// The number of records under each node of a level of the column's hierarchy.
    pub fn level_sums(&self, level: usize) -> &[u64] {
        &self.level_sums[level]
    }

    /// The values that occur, the most frequent first.
    pub fn by_frequency(&self) -> &[u32] {
        self.by_frequency.get_or_init(|| {
            let mut codes: Vec<u32> = (0..self.counts.len() as u32).filter(|&c| self.counts[c as usize] > 0).collect();
            codes.sort_by_key(|&code| (std::cmp::Reverse(self.counts[code as usize]), code));
            codes
        })
    }

    /// The values that occur, in order.
    pub fn ranking(&self) -> &Ranking {
        self.ranking.get_or_init(|| {
            let codes: Vec<u32> = (0..self.counts.len() as u32).filter(|&c| self.counts[c as usize] > 0).collect();
            let (mut cumulative, mut cumulative_sums) = (vec![0], vec![0]);
            let (mut sum, mut sum_of_sums) = (0, 0);
            for &code in &codes {
                sum += self.counts[code as usize];
                sum_of_sums += u128::from(sum);
                cumulative.push(sum);
                cumulative_sums.push(sum_of_sums);
            }
            Ranking { codes, cumulative, cumulative_sums }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Dictionary;

    fn profile(counts: &[u64]) -> TableProfile {
        let names = (0..counts.len()).map(|value| format!("v{value}"));
        let dictionary = Dictionary::new(names, None, false);
        let column = SensitiveColumn::new("s", &dictionary, None, counts.to_vec());
        TableProfile::of_input(&[column], counts.iter().sum())
    }

    #[test]
    fn five_patients_allow_five_classes() {
        assert_eq!(profile(&[995, 5]).most_classes_with_distinct(0, 2), 5);
        assert_eq!(profile(&[9900, 100]).most_classes_with_distinct(0, 2), 100);
        assert_eq!(profile(&[4, 3, 2]).most_classes_with_distinct(0, 2), 4);
        assert_eq!(profile(&[4, 3, 2]).most_classes_with_distinct(0, 4), 0);
    }

    #[test]
    fn a_ranking_leaves_out_what_does_not_occur() {
        let profile = profile(&[2, 0, 3]);
        let ranking = profile.released(0).ranking();
        assert_eq!(ranking.codes, [0, 2]);
        assert_eq!(ranking.cumulative, [0, 2, 5]);
        assert_eq!(ranking.cumulative_sums, [0, 2, 7]);
    }
}
