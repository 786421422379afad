//! How far are the numbers of a release from those they stand for?

use super::{Compared, ComparedColumn};

/// # Squared error
///
/// **Definition.** For each column of numbers, the mean of (shown - true)^2 over the rows, divided by the variance of the original
/// column. What is shown: a number as it is; a generalized one halfway between the least and the largest value that its label covers.
/// **How a release is read.** A row has to be matched with what it became. `linked`: each row of the original can be in one class only, and is. `means`: every label is a number,
/// and their sum is that of the original, as after microaggregation by means; then the mean of shown^2 is taken from that of true^2.
/// `at-least`: neither; then both are sorted and matched in that order, and no matching has a smaller error.
/// **Range.** From 0; 1 is as bad as showing everybody the mean of all. Suppressed rows and missing values are left out. There is none where
/// what some labels stand for is not known.
/// **Example.** 1 and 3, both shown as 2: the mean squared error is 1, and so is the variance: 1.
/// **Reference.** Domingo-Ferrer and Mateo-Sanz 2002.
#[derive(Debug, Clone, PartialEq)]
pub struct SquaredError {
    /// The column.
    pub column: String,
    /// The mean squared error over the variance.
    pub relative: f64,
    /// The root of the mean squared error, in the column's own unit.
    pub root_mean: f64,
    /// How rows were matched.
    pub matched: &'static str,
}

/// By how much two sums of numbers may differ that were rounded when written.
const TOLERANCE: f64 = 1e-6;

impl SquaredError {
    /// Of every column of numbers that varies. `classes` is where each tuple of the original is, if that is known.
    pub fn of_columns(compared: &Compared, classes: Option<&[Option<u32>]>) -> Vec<Self> {
        (0..compared.columns.len()).filter_map(|column| Self::of_column(compared, column, classes)).collect()
    }

    fn of_column(compared: &Compared, at: usize, classes: Option<&[Option<u32>]>) -> Option<Self> {
        let column = &compared.columns[at];
        if !column.is_number || column.untold > 0 {
            return None;
        }
        let original = weighted(column.numbers.as_ref()?, &column.rows);
        let shown = weighted(column.label_numbers.as_ref()?, &column.released);
        let variance = variance(&original).filter(|&variance| variance > 0.0)?;
        let linked = classes.filter(|_| column.invented == 0);
        let (error, matched) = match linked.and_then(|classes| by_class(compared, at, classes)) {
            Some(error) => (error, "linked"),
            None => match by_means(column, &original, &shown) {
                Some(error) => (error, "means"),
                None => (in_order(original, shown)?, "at-least"),
            },
        };
        Some(Self { column: column.name.clone(), relative: error / variance, root_mean: error.sqrt(), matched })
    }
}

/// Numbers and how often each occurs.
type Weighted = Vec<(f64, u64)>;

fn weighted(numbers: &[Option<f64>], rows: &[u64]) -> Weighted {
    let known = numbers.iter().zip(rows).filter(|pair| *pair.1 > 0);
    known.filter_map(|(number, &rows)| Some(((*number)?, rows))).collect()
}

fn mean(numbers: &Weighted, of: impl Fn(f64) -> f64) -> Option<f64> {
    let rows: u64 = numbers.iter().map(|pair| pair.1).sum();
    let sum: f64 = numbers.iter().map(|&(number, rows)| of(number) * rows as f64).sum();
    (rows > 0).then(|| sum / rows as f64)
}

fn variance(numbers: &Weighted) -> Option<f64> {
    let middle = mean(numbers, |number| number)?;
    mean(numbers, |number| (number - middle).powi(2))
}

/// The mean squared error where the class of every tuple is known.
fn by_class(compared: &Compared, at: usize, classes: &[Option<u32>]) -> Option<f64> {
    let column = &compared.columns[at];
    let (numbers, label_numbers) = (column.numbers.as_ref()?, column.label_numbers.as_ref()?);
    // All tuples of a class show the same in a quasi-identifier; sensitive values that are as they were have no error.
    let mut label_of: Vec<Option<u32>> = vec![None; compared.release.classes.last().map_or(0, |&last| last as usize + 1)];
    for (&class, &label) in compared.release.classes.iter().zip(&compared.release.codes[at]) {
        label_of[class as usize] = Some(label);
    }
    let (mut sum, mut rows) = (0.0, 0);
    for (tuple, &class) in classes.iter().enumerate() {
        let value = compared.original.codes[at][tuple];
        let label = if at < compared.quasi { class.and_then(|class| label_of[class as usize]) } else { class.and(Some(value)) };
        let Some(shown) = label.and_then(|label| label_numbers[label as usize]) else { continue };
        let Some(number) = numbers[value as usize] else { continue };
        let count = compared.original.counts[tuple];
        sum += (shown - number).powi(2) * count as f64;
        rows += count;
    }
    (rows > 0).then(|| sum / rows as f64)
}

/// The mean squared error where every class shows the mean of its values: within each, the sum of shown * true is that of shown^2.
fn by_means(column: &ComparedColumn, original: &Weighted, shown: &Weighted) -> Option<f64> {
    let rows = |numbers: &Weighted| numbers.iter().map(|pair| pair.1).sum::<u64>();
    let all = column.rows.iter().sum::<u64>() == column.released.iter().sum::<u64>() && rows(original) == rows(shown);
    let (truly, shows) = (mean(original, |number| number)?, mean(shown, |number| number)?);
    let spread = variance(original)?.sqrt();
    let is_mean = all && column.invented > 0 && (truly - shows).abs() <= TOLERANCE * spread;
    // Around the common mean, so that large numbers do not cancel out their differences.
    let squares = |numbers: &Weighted| mean(numbers, |number| (number - truly).powi(2));
    is_mean.then(|| Some((squares(original)? - squares(shown)?).max(0.0)))?
}

/// The mean squared error of the best matching: both in order, each as a distribution.
fn in_order(mut original: Weighted, mut shown: Weighted) -> Option<f64> {
    original.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    shown.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let rows = |numbers: &Weighted| numbers.iter().map(|pair| u128::from(pair.1)).sum::<u128>();
    let (of_original, of_shown) = (rows(&original), rows(&shown));
    // In parts of 1 / (rows * released rows), both are whole numbers.
    let scaled = |numbers: Weighted, by: u128| numbers.into_iter().map(move |(n, rows)| (n, u128::from(rows) * by));
    let (mut left, mut right) = (scaled(original, of_shown), scaled(shown, of_original));
    let (mut a, mut b) = (left.next()?, right.next()?);
    let mut sum = 0.0;
    loop {
        let both = a.1.min(b.1);
        sum += (a.0 - b.0).powi(2) * both as f64;
        (a.1, b.1) = (a.1 - both, b.1 - both);
        if a.1 == 0 {
            let Some(next) = left.next() else { break };
            a = next;
        }
        if b.1 == 0 {
            let Some(next) = right.next() else { break };
            b = next;
        }
    }
    Some(sum / (of_original as f64 * of_shown as f64))
}

#[cfg(test)]
mod tests {
    use super::super::compared::testing::{column, compared};
    use super::*;

    fn numbers(values: &[f64], labels: &[f64], covered: &[&[u32]]) -> ComparedColumn {
        let some = |numbers: &[f64]| Some(numbers.iter().copied().map(Some).collect());
        let (numbers, label_numbers) = (some(values), some(labels));
        ComparedColumn { numbers, label_numbers, is_number: true, ..column("age", values.len(), covered) }
    }

    #[test]
    fn ranges_count_by_their_middle() {
        // 10 and 20 as 15, 30 as it is: (25 + 25 + 0) / 3 against a variance of 200/3.
        let column = numbers(&[10.0, 20.0, 30.0], &[15.0, 30.0], &[&[0, 1], &[2]]);
        let mut tables = compared(vec![column], &[&[0], &[1], &[2]], &[&[0], &[1]]);
        tables.release.counts = vec![2, 1];
        tables.columns[0].released = vec![2, 1];
        let found = SquaredError::of_columns(&tables, Some(&[Some(0), Some(0), Some(1)]));
        assert_eq!(found[0].matched, "linked");
        assert!((found[0].relative - 0.25).abs() < 1e-12);
        // In order it is the same here, and without the link nothing better is known.
        let blind = SquaredError::of_columns(&tables, None);
        assert_eq!(blind[0].matched, "at-least");
        assert!((blind[0].relative - 0.25).abs() < 1e-12);
    }

    #[test]
    fn means_need_no_link() {
        // 0 with 4 and 1 with 5 overlap: nobody could tell who is where, but each loses (4 + 4 + 4 + 4) / 4.
        let column = numbers(&[0.0, 1.0, 4.0, 5.0], &[2.0, 3.0], &[&[1], &[2]]);
        let mut tables = compared(vec![column], &[&[0], &[1], &[2], &[3]], &[&[0], &[0], &[1], &[1]]);
        tables.columns[0].invented = 4;
        let found = SquaredError::of_columns(&tables, None);
        assert_eq!(found[0].matched, "means");
        assert!((found[0].root_mean - 2.0).abs() < 1e-12);
        assert!((found[0].relative - 4.0 / 4.25).abs() < 1e-12);
    }

    #[test]
    fn a_release_with_fewer_rows_is_a_distribution_too() {
        let found = in_order(vec![(0.0, 1), (2.0, 1)], vec![(1.0, 1)]);
        assert_eq!(found, Some(1.0));
        assert_eq!(in_order(vec![(0.0, 2), (3.0, 1)], vec![(3.0, 2), (0.0, 4)]), Some(0.0));
    }
}
