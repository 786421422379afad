//! Does somebody who learns from the release predict as well as somebody who learns from the original?

use std::borrow::Cow;

use rayon::prelude::*;

use super::decision_tree::{DecisionTree, Growth, Known};
use super::examples::{Examples, Feature, likeliest};
use super::held_out::HeldOut;
use super::naive_bayes::{NaiveBayes, groups};
use super::{Compared, ComparedColumn, Tuples};

/// How well a learner does, asked about rows of the original that it has not learned from.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// Which learner.
    pub learner: &'static str,
    /// The column that is predicted.
    pub target: String,
    /// The share of right answers after learning from the original.
    pub original: f64,
    /// The same after learning from the release.
    pub release: f64,
    /// The same for always giving the most frequent answer.
    pub majority: f64,
    /// How many rows were asked about.
    pub tested: u64,
}

/// A target with more values is no question for a learner.
pub const MOST_CLASSES: usize = 64;

/// Numbers fall into at most so many groups for naive Bayes.
const GROUPS: usize = 16;

/// What a learner gets: examples, and which of their codes cover a value of the original.
struct Side<'a> {
    examples: Examples,
    covering: Vec<Cow<'a, [Vec<u32>]>>,
}

/// Lets every learner predict a column from all others.
pub(super) fn learn(compared: &Compared, split: &HeldOut<'_>, target: usize) -> Vec<Learned> {
    let features: Vec<usize> = (0..compared.columns.len()).filter(|&column| column != target).collect();
    let original = Side::of_original(compared, split, &features, target);
    let release = Side::of_release(compared, split, &features, target);
    let columns: Vec<&ComparedColumn> = features.iter().map(|&column| &compared.columns[column]).collect();
    let value = |feature: usize, tuple: usize| compared.original.codes[features[feature]][tuple];
    let accuracy = |predict: &(dyn Fn(usize) -> u32 + Sync)| {
        let tuples = (0..split.tested.len()).into_par_iter().filter(|&tuple| split.tested[tuple] > 0);
        let right = tuples.filter(|&tuple| predict(tuple) == compared.original.codes[target][tuple]);
        right.map(|tuple| split.tested[tuple]).sum::<u64>() as f64 / split.tested.iter().sum::<u64>().max(1) as f64
    };
    let by_tree = |side: &Side<'_>| {
        let fewest = (side.examples.weights.iter().sum::<f64>() / 1000.0).max(20.0);
        let tree = DecisionTree::grow(&side.examples, Growth { fewest, deepest: 12 });
        accuracy(&|tuple| {
            tree.predict(&|feature| match &columns[feature].numbers {
                Some(numbers) => Known::Number(or_last(&numbers[value(feature, tuple) as usize])),
                None => Known::Labels(&side.covering[feature][value(feature, tuple) as usize]),
            })
        })
    };
    let grouped = |column: &&ComparedColumn| {
        let size = column.rows.len();
        if column.numbers.is_some() { groups(&column.rows, GROUPS) } else { ((0..size as u32).collect(), size) }
    };
    let grouped: Vec<(Vec<u32>, usize)> = columns.iter().map(grouped).collect();
    let by_bayes = |side: &Side<'_>| {
        let bayes = NaiveBayes::learn(&side.examples, &grouped);
        accuracy(&|tuple| bayes.predict(&|feature| grouped[feature].0[value(feature, tuple) as usize]))
    };
    let most_frequent = likeliest(&original.examples.class_weights());
    let learned = |learner, original: f64, release: f64| Learned {
        learner,
        target: compared.columns[target].name.clone(),
        original,
        release,
        majority: accuracy(&|_| most_frequent),
        tested: split.tested.iter().sum(),
    };
    vec![
        learned("decision-tree", by_tree(&original), by_tree(&release)),
        learned("naive-bayes", by_bayes(&original), by_bayes(&release)),
    ]
}

/// A missing number counts as larger than all.
fn or_last(number: &Option<f64>) -> f64 {
    number.unwrap_or(f64::INFINITY)
}

impl<'a> Side<'a> {
    fn of_original(compared: &'a Compared, split: &HeldOut<'_>, features: &[usize], target: usize) -> Self {
        let itself = |column: usize| -> Vec<Vec<u32>> {
            (0..compared.columns[column].rows.len() as u32).map(|value| vec![value]).collect()
        };
        let feature = |&column: &usize| Feature {
            codes: compared.columns[column].rows.len(),
            numbers: compared.columns[column].numbers.as_ref().map(|numbers| numbers.iter().map(or_last).collect()),
            covered: itself(column),
        };
        let table = features.iter().map(feature).collect();
        let weights: Vec<f64> = split.original.iter().map(|&rows| rows as f64).collect();
        let examples = examples(&compared.original, &weights, (features, table), target, &itself(target));
        let class_count = compared.columns[target].rows.len();
        let covering = features.iter().map(|&column| Cow::Owned(itself(column))).collect();
        Self { examples: Examples { class_count, ..examples }, covering }
    }

    fn of_release(compared: &'a Compared, split: &HeldOut<'_>, features: &[usize], target: usize) -> Self {
        let feature = |&column: &usize| {
            let column = &compared.columns[column];
            let numbers = column.label_numbers.as_ref().filter(|_| column.numbers.is_some());
            Feature {
                codes: column.covered.len(),
                numbers: numbers.map(|numbers| numbers.iter().map(or_last).collect()),
                covered: column.covered.clone(),
            }
        };
        let table = features.iter().map(feature).collect();
        let shown = &compared.columns[target];
        let lesson = &split.release;
        let examples = examples(&lesson.tuples, &lesson.weights, (features, table), target, &shown.covered);
        let covering = features.iter().map(|&column| Cow::Borrowed(compared.columns[column].covering.as_slice()));
        Self { examples: Examples { class_count: shown.rows.len(), ..examples }, covering: covering.collect() }
    }
}

/// The tuples of a table that have rows, once for each class that its target covers.
fn examples(
    tuples: &Tuples,
    weights: &[f64],
    (columns, features): (&[usize], Vec<Feature>),
    target: usize,
    covered: &[Vec<u32>],
) -> Examples {
    let mut examples = Examples { codes: vec![Vec::new(); columns.len()], features, ..Examples::default() };
    for (tuple, &weight) in weights.iter().enumerate().filter(|pair| *pair.1 > 0.0) {
        let classes = &covered[tuples.codes[target][tuple] as usize];
        for &class in classes {
            let codes = examples.codes.iter_mut().zip(columns);
            codes.for_each(|(codes, &column)| codes.push(tuples.codes[column][tuple]));
            examples.classes.push(class);
            examples.weights.push(weight / classes.len() as f64);
        }
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::super::compared::testing::{column, compared};
    use super::*;

    /// Columns a (four values) and s, which a decides: the lower two have 0, the others 1.
    fn tables(covered: &[&[u32]], labels: [u32; 4]) -> Compared {
        let columns = vec![column("a", 4, covered), column("s", 2, &[&[0], &[1]])];
        let original: Vec<&[u32]> = vec![&[0, 0], &[1, 0], &[2, 1], &[3, 1]];
        let release: Vec<Vec<u32>> = original.iter().map(|row| vec![labels[row[0] as usize], row[1]]).collect();
        let release: Vec<&[u32]> = release.iter().map(Vec::as_slice).collect();
        let mut tables = compared(columns, &original, &release);
        tables.quasi = 1;
        for tuples in [&mut tables.original, &mut tables.release] {
            tuples.counts = vec![50, 40, 30, 40];
            tuples.classes = tuples.codes[0].clone();
        }
        tables
    }

    /// Everybody is learned from but every fourth row of each tuple, which is asked about.
    fn split(tables: &Compared) -> HeldOut<'_> {
        let counts = &tables.original.counts;
        let tested: Vec<u64> = counts.iter().map(|count| count / 4).collect();
        let left: Vec<u64> = counts.iter().zip(&tested).map(|(count, tested)| count - tested).collect();
        let weights = left.iter().map(|&rows| rows as f64).collect();
        let release = super::super::held_out::Lesson { tuples: Cow::Borrowed(&tables.release), weights };
        HeldOut { tested, original: left, release }
    }

    #[test]
    fn labels_that_keep_the_groups_lose_nothing() {
        let tables = tables(&[&[0, 1], &[2, 3]], [0, 0, 1, 1]);
        for learned in learn(&tables, &split(&tables), 1) {
            assert_eq!((learned.original, learned.release), (1.0, 1.0), "{}", learned.learner);
            assert_eq!((learned.majority, learned.tested), (22.0 / 39.0, 39));
        }
    }

    #[test]
    fn a_label_that_covers_all_leaves_the_majority() {
        let tables = tables(&[&[0, 1, 2, 3]], [0; 4]);
        for learned in learn(&tables, &split(&tables), 1) {
            assert_eq!((learned.original, learned.release), (1.0, 22.0 / 39.0), "{}", learned.learner);
        }
    }

    #[test]
    fn a_generalized_target_counts_in_parts() {
        let itself = [vec![0], vec![1], vec![0, 1]];
        let tuples = Tuples { codes: vec![vec![0, 0], vec![0, 2]], counts: vec![3, 2], classes: vec![0, 0] };
        let found = examples(&tuples, &[3.0, 2.0], (&[0], Vec::new()), 1, &itself);
        assert_eq!((found.classes, found.weights), (vec![0, 0, 1], vec![3.0, 1.0, 1.0]));
    }
}
