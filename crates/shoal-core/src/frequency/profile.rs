//! How are the sensitive values of a whole table distributed?

use std::sync::{Arc, OnceLock};

use super::{Counts, EquivalenceClass, FrequencySet, HeldByPeople, Induction, SensitiveColumn, Summary};
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
    /// The same people by what else can be said of them, where people are counted.
    of_people: Option<Box<DistributionOfPeople>>,
}

/// People who count in equal parts under each of their values in a [`Distribution`], counted in other ways.
#[derive(Debug)]
struct DistributionOfPeople {
    /// Once for each value that they have; the total is the number of people.
    having: Distribution,
    /// By the least and by the greatest value that they have, both ranked among all values that occur.
    ends: [Distribution; 2],
    /// For each leaf, the lowest level of the hierarchy at which it is one with another leaf that occurs.
    nearest: Vec<u64>,
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
        let distribution = |column: &SensitiveColumn| match column.held_by_people() {
            Some(held) => Distribution::of_people(column, held),
            None => Distribution::of(column, occurring(column.input_counts()).counts()),
        };
        let released: Vec<_> = columns.iter().map(|column| Arc::new(distribution(column))).collect();
        Self { rows, input: released.clone(), released }
    }

    /// The profile of a table with so many records, whose people have this of each column; its input is another table, or itself.
    pub fn of_people(columns: &[SensitiveColumn], held: &[HeldByPeople], rows: u64, input: Option<&Self>) -> Self {
        let distribution = |(column, held)| Arc::new(Distribution::of_people(column, held));
        let released: Vec<_> = columns.iter().zip(held).map(distribution).collect();
        let input = input.map_or_else(|| released.clone(), |input| input.input.clone());
        Self { rows, released, input }
    }

    /// The profile of a table with this many records of each code in each column; its input is another table, or itself.
    pub fn of_counts(columns: &[SensitiveColumn], counts: &[Vec<u64>], rows: u64, input: Option<&Self>) -> Self {
        let distribution = |(column, counts): (&SensitiveColumn, &Vec<u64>)| {
            Arc::new(Distribution::of(column, occurring(counts).counts()))
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
        self.with_only(columns, &EquivalenceClass::new(set.sensitive(), &codes, &counts))
    }

    /// The same input, of which only the records of a class are released.
    #[must_use]
    pub fn with_only(&self, columns: &[SensitiveColumn], released: &EquivalenceClass<'_>) -> Self {
        let people = released.tells_people().then(|| released.people());
        let distribution = |(index, column): (usize, &SensitiveColumn)| match &people {
            Some(people) => {
                let induction = column.induction(&column.default_weights());
                let held = HeldByPeople::new(people.with_values(index).to_vec(), &induction);
                Arc::new(Distribution::of_people(column, &held))
            }
            None => Arc::new(Distribution::of(column, released.counts(index))),
        };
        let distributions = columns.iter().enumerate().map(distribution).collect();
        Self { rows: released.size(), released: distributions, input: self.input.clone() }
    }

    /// The same input, of which only the accepted classes of a summary are released. Columns of which it keeps no counts stay as
    /// they are: nobody reads their distribution.
    #[must_use]
    pub fn with_released_of(&self, columns: &[SensitiveColumn], summary: &Summary, accepted: &[bool]) -> Self {
        let rows = summary.sizes().iter().zip(accepted).filter(|(_, accepted)| **accepted).map(|(size, _)| size).sum();
        let mut released = Self { rows, ..self.clone() };
        for (place, column) in columns.iter().enumerate() {
            if let Some(distribution) = Self::of_summary(place, column, summary, accepted) {
                released.released[place] = Arc::new(distribution);
            }
        }
        released
    }

    /// The distribution of a column in the accepted classes of a summary, as far as it is kept.
    fn of_summary(
        place: usize,
        column: &SensitiveColumn,
        summary: &Summary,
        accepted: &[bool],
    ) -> Option<Distribution> {
        if !summary.tells_people() {
            let counts = summary.counts_of_column(place, |class| accepted[class])?;
            return Some(Distribution::of(column, occurring(&counts).counts()));
        }
        let pairs = summary.held_in_column(place, |class| accepted[class])?;
        let induction = column.induction(&column.default_weights());
        Some(Distribution::of_people(column, &HeldByPeople::new(pairs, &induction)))
    }

    /// The same where so many released records have each code of a column.
    #[must_use]
    pub fn with_column(&self, columns: &[SensitiveColumn], column: usize, counts: &[u64]) -> Self {
        let mut released = self.released.clone();
        released[column] = Arc::new(Distribution::of(&columns[column], occurring(counts).counts()));
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

/// The codes that occur, and how often.
struct Occurring(Vec<u32>, Vec<u64>);

impl Occurring {
    fn counts(&self) -> Counts<'_> {
        Counts { codes: &self.0, counts: &self.1 }
    }
}

fn occurring(counts: &[u64]) -> Occurring {
    let (codes, counts) = (0u32..).zip(counts).filter(|(_, count)| **count > 0).unzip();
    Occurring(codes, counts)
}

impl Distribution {
    /// Of people in equal parts under each of their values, with all else that is told of them.
    fn of_people(column: &SensitiveColumn, held: &HeldByPeople) -> Self {
        let in_parts = Self::of(column, occurring(&held.parts).counts());
        let scale = column.induction(&column.default_weights()).scale();
        let (codes, leaves) = (&in_parts.ranking().codes, column.leaves());
        let ranked = |counts: &Vec<u64>| {
            let distribution = Self::of_leaves(counts, leaves, held.people);
            Self { ranking: Ranking::among(codes, &distribution.counts).into(), ..distribution }
        };
        let of_people = DistributionOfPeople {
            having: Self::of_leaves(&held.having, leaves, held.people * scale),
            ends: [&held.least, &held.greatest].map(ranked),
            nearest: column.hierarchy().map_or_else(Vec::new, |hierarchy| nearest(hierarchy, &in_parts.counts)),
        };
        Self { of_people: Some(Box::new(of_people)), ..in_parts }
    }

    /// So many of a total have each leaf.
    fn of_leaves(counts: &[u64], leaves: usize, total: u64) -> Self {
        // Generalized values have codes above all leaves, and no order.
        let mut counts = counts[..counts.len().min(leaves)].to_vec();
        counts.resize(leaves, 0);
        Self {
            counts,
            total,
            level_sums: Vec::new(),
            by_shown: Induction::none(),
            ranking: OnceLock::new(),
            by_frequency: OnceLock::new(),
            of_people: None,
        }
    }

    /// How many people have each value, of all people. Each record is somebody's where people are not counted.
    pub fn having(&self) -> &Self {
        self.of_people.as_ref().map_or(self, |people| &people.having)
    }

    /// How people are distributed by the least value that they have, and by the greatest.
    pub fn ends(&self) -> [&Self; 2] {
        self.of_people.as_ref().map_or([self; 2], |people| people.ends.each_ref())
    }

    /// The lowest level of the hierarchy at which a leaf is one with another leaf that occurs; nothing where people are not counted.
    pub fn nearest(&self, leaf: u32) -> u64 {
        self.of_people.as_ref().map_or(0, |people| people.nearest[leaf as usize])
    }

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
            of_people: None,
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
            Ranking::among(&codes, &self.counts)
        })
    }
}

impl Ranking {
    /// The ranking of counts among these codes.
    fn among(codes: &[u32], counts: &[u64]) -> Self {
        let (mut cumulative, mut cumulative_sums) = (vec![0], vec![0]);
        let (mut sum, mut sum_of_sums) = (0, 0);
        for &code in codes {
            sum += counts[code as usize];
            sum_of_sums += u128::from(sum);
            cumulative.push(sum);
            cumulative_sums.push(sum_of_sums);
        }
        Self { codes: codes.to_vec(), cumulative, cumulative_sums }
    }
}

/// For each leaf, the lowest level at which it is under one node with another leaf that occurs; 0 if none does.
fn nearest(hierarchy: &Hierarchy, counts: &[u64]) -> Vec<u64> {
    let mut nearest = vec![None; counts.len()];
    for (height, level) in (0u64..).zip(hierarchy.levels()) {
        let mut occurring = vec![0u32; level.len()];
        let node = |leaf: usize| level.node_of(leaf as u32) as usize;
        (0..counts.len()).filter(|&leaf| counts[leaf] > 0).for_each(|leaf| occurring[node(leaf)] += 1);
        for (leaf, nearest) in nearest.iter_mut().enumerate() {
            let others = occurring[node(leaf)] - u32::from(counts[leaf] > 0);
            *nearest = nearest.or((others > 0).then_some(height));
        }
    }
    nearest.into_iter().map(|level| level.unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::Level;
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

    /// b does not occur: what is nearest to a is under the root, and to b and c under the node above.
    #[test]
    fn the_nearest_other_value_is_one_that_occurs() {
        let names = ["a", "b", "c", "d"].map(str::to_owned);
        let levels = [["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"]].map(Level::from_labels);
        let hierarchy = Hierarchy::new(levels.into_iter().chain([Level::root(names.len())]).collect());
        assert_eq!(nearest(&hierarchy, &[1, 0, 1, 1]), [2, 1, 1, 1]);
        assert_eq!(nearest(&hierarchy, &[1, 0, 0, 0]), [0, 1, 2, 2], "there is no other than a");
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
