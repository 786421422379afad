//! Which class is likeliest if columns told nothing about each other?

use super::examples::{Examples, likeliest};

/// # Naive Bayes
///
/// **Definition.** The class c with the largest P(c) times the product over the other columns of P(value | c): columns are taken to be
/// independent within a class. Learned from the release and from the original, tested and compared as the `decision-tree` is.
/// **How a release is read.** A generalized cell counts for all values of the original that it covers, in equal parts. Numbers and dates fall
/// into at most 16 groups with about as many rows of the original in each, the same for both. One row is added to each group
/// and class, so that nothing is impossible.
/// **Range.** The shares of right answers, from 0 to 1, beside that of always saying what is most frequent.
/// **Example.** It learns from each column by itself, so that it suffers less than a tree where labels are wide, and gains less where columns
/// work together.
/// **Reference.** Domingos and Pazzani 1997.
#[derive(Debug)]
pub struct NaiveBayes {
    classes: Vec<f64>,
    /// For each feature, by group and class, the logarithm of the probability.
    features: Vec<Vec<f64>>,
}

impl NaiveBayes {
    /// Learns from examples; `groups` has, for each feature, the group of each value and their number.
    pub fn learn(examples: &Examples, groups: &[(Vec<u32>, usize)]) -> Self {
        let count = examples.class_count;
        let rows = examples.class_weights();
        let all: f64 = rows.iter().sum();
        let classes = rows.iter().map(|rows| ((rows + 1.0) / (all + count as f64)).ln()).collect();
        let of_feature = |(feature, (group_of, size)): (usize, &(Vec<u32>, usize))| {
            // What a label adds to each group, so that rows need not be spread one by one.
            let mut by_label = vec![0.0; examples.features[feature].codes * count];
            for (example, &code) in examples.codes[feature].iter().enumerate() {
                by_label[code as usize * count + examples.classes[example] as usize] += examples.weights[example];
            }
            let mut weights = vec![1.0; size * count];
            for (covered, of_label) in examples.features[feature].covered.iter().zip(by_label.chunks(count)) {
                for &value in covered {
                    let at = group_of[value as usize] as usize * count;
                    let parts = weights[at..at + count].iter_mut().zip(of_label);
                    parts.for_each(|(weight, rows)| *weight += rows / covered.len() as f64);
                }
            }
            let of_class = |class: usize| weights[class..].iter().step_by(count).sum::<f64>();
            let totals: Vec<f64> = (0..count).map(of_class).collect();
            weights.iter().enumerate().map(|(at, weight)| (weight / totals[at % count]).ln()).collect()
        };
        Self { classes, features: groups.iter().enumerate().map(of_feature).collect() }
    }

    /// The likeliest class of somebody in these groups.
    pub fn predict(&self, group: &dyn Fn(usize) -> u32) -> u32 {
        let count = self.classes.len();
        let mut sums = self.classes.clone();
        for (feature, logs) in self.features.iter().enumerate() {
            let of_group = &logs[group(feature) as usize * count..][..count];
            sums.iter_mut().zip(of_group).for_each(|(sum, log)| *sum += log);
        }
        likeliest(&sums)
    }
}

/// Values in their order, in at most so many groups with about as many rows each.
pub fn groups(rows: &[u64], most: usize) -> (Vec<u32>, usize) {
    let all: u64 = rows.iter().sum();
    let (mut before, mut group_of): (u64, Vec<u64>) = (0, Vec::with_capacity(rows.len()));
    for rows in rows {
        group_of.push((u128::from(before) * most as u128 / u128::from(all.max(1))) as u64);
        before += rows;
    }
    // A frequent value may leave groups behind it empty.
    let mut used = group_of.clone();
    used.dedup();
    let place = |group: &u64| used.partition_point(|other| other < group) as u32;
    (group_of.iter().map(place).collect(), used.len())
}

#[cfg(test)]
mod tests {
    use super::super::examples::Feature;
    use super::*;

    #[test]
    fn probabilities_are_as_counted() {
        // Label 0 covers values 0 and 1, label 1 value 2: two rows of class 0 with label 0, one of class 1 with label 1.
        let feature = Feature { codes: 2, numbers: None, covered: vec![vec![0, 1], vec![2]] };
        let examples = Examples {
            features: vec![feature],
            codes: vec![vec![0, 1]],
            classes: vec![0, 1],
            weights: vec![2.0, 1.0],
            class_count: 2,
        };
        let bayes = NaiveBayes::learn(&examples, &[(vec![0, 1, 2], 3)]);
        let expected = |shares: &[f64]| shares.iter().map(|share| share.ln()).collect::<Vec<_>>();
        assert_eq!(bayes.classes, expected(&[3.0 / 5.0, 2.0 / 5.0]));
        // Class 0: 1 + 1, 1 + 1, 1 + 0 of 5; class 1: 1, 1, 1 + 1 of 4.
        assert_eq!(bayes.features[0], expected(&[2.0 / 5.0, 1.0 / 4.0, 2.0 / 5.0, 1.0 / 4.0, 1.0 / 5.0, 2.0 / 4.0]));
        assert_eq!(bayes.predict(&|_| 0), 0);
        assert_eq!(bayes.predict(&|_| 2), 1, "0.4 * 0.5 against 0.6 * 0.2");
    }

    #[test]
    fn groups_have_about_as_many_rows() {
        assert_eq!(groups(&[1, 1, 1, 1], 2), (vec![0, 0, 1, 1], 2));
        assert_eq!(groups(&[1, 8, 1, 1], 4), (vec![0, 0, 1, 1], 2));
        assert_eq!(groups(&[5, 5], 16), (vec![0, 1], 2));
    }
}
