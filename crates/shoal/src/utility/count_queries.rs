//! How far off are the answers when people are counted in the release instead of the original?

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;

use super::{Compared, ComparedColumn};

/// # Count queries
///
/// **Definition.** The error |answer - truth| / truth of random questions "how many rows have ..", asked of the release: the median
/// over 500 of them and the 90th percentile. Each asks about one to three columns, quasi-identifiers or sensitive: a run of values where
/// they have an order, some of the values elsewhere, so many that independent columns would leave a tenth of the rows.
/// **How a release is read.** A cell counts with the share of the values covered by its label that are asked for (of those that the
/// original has), a row with the product over the columns: that of somebody who knows no better than an even spread. Nothing is made up
/// for suppressed rows, and nothing asked about columns with labels of which it is not known what they stand for.
/// **Range.** From 0 upwards. Truths below a thousandth of the rows count as that many, so that rare ones do not decide.
/// **Example.** 40 rows are `[20, 29]`; how many are 20 to 24? The release says 20; if it were 16, the error is 0.25.
/// **Reference.** Xiao and Tao, Anatomy, 2006; LeFevre et al., Workload-aware anonymization, 2006.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountQueries {
    /// How many questions were asked.
    pub queries: usize,
    /// Half of the errors are no larger; not a number where nothing could be asked.
    pub median: f64,
    /// Nine of ten errors are no larger; not a number where nothing could be asked.
    pub ninth_decile: f64,
}

const QUERIES: usize = 500;

/// The share of the rows that a question is to leave, if columns were independent.
const SELECTED: f64 = 0.1;

/// Every run asks the same questions.
const SEED: u64 = 1;

/// A question: the values asked for in some columns.
#[derive(Debug)]
struct Query {
    asked: Vec<(usize, Vec<bool>)>,
}

impl CountQueries {
    /// Asks the release what the original knows.
    pub fn new(compared: &Compared) -> Self {
        let mut random = ChaCha20Rng::seed_from_u64(SEED);
        // Of a column whose labels tell nothing, no answer would be the release's.
        let told: Vec<usize> = (0..compared.columns.len()).filter(|&at| compared.columns[at].untold == 0).collect();
        let asked = if told.is_empty() && !compared.columns.is_empty() { 0 } else { QUERIES };
        let queries: Vec<Query> = (0..asked).map(|_| Query::random(&compared.columns, &told, &mut random)).collect();
        let sanity = compared.original.rows() as f64 / 1000.0;
        let error = |query: &Query| {
            let truth = query.truth(compared) as f64;
            (query.estimate(compared) - truth).abs() / truth.max(sanity)
        };
        let mut errors: Vec<f64> = queries.par_iter().map(error).collect();
        errors.sort_unstable_by(f64::total_cmp);
        Self { queries: errors.len(), median: quantile(&errors, 0.5), ninth_decile: quantile(&errors, 0.9) }
    }
}

/// The smallest error that so large a part of them does not exceed.
fn quantile(sorted: &[f64], part: f64) -> f64 {
    let place = (sorted.len() as f64 * part).ceil() as usize;
    sorted.get(place.saturating_sub(1)).copied().unwrap_or(f64::NAN)
}

impl Query {
    /// A question about some of the columns at these places.
    fn random(columns: &[ComparedColumn], told: &[usize], random: &mut ChaCha20Rng) -> Self {
        let mut places = told.to_vec();
        places.shuffle(random);
        places.truncate(1 + random.next_u32() as usize % told.len().clamp(1, 3));
        let share = SELECTED.powf(1.0 / places.len().max(1) as f64);
        let asked = places.into_iter().map(|place| {
            let values = columns[place].rows.len();
            let wanted = ((values as f64 * share).round() as usize).clamp(1, values.max(1)).min(values);
            let mut asked = vec![false; values];
            if columns[place].is_ordered {
                let from = random.next_u32() as usize % (values - wanted + 1);
                asked[from..from + wanted].fill(true);
            } else {
                asked[..wanted].fill(true);
                asked.shuffle(random);
            }
            (place, asked)
        });
        Self { asked: asked.collect() }
    }

    fn truth(&self, compared: &Compared) -> u64 {
        let table = &compared.original;
        let has = |tuple: &usize| self.asked.iter().all(|(place, asked)| asked[table.codes[*place][*tuple] as usize]);
        (0..table.counts.len()).filter(has).map(|tuple| table.counts[tuple]).sum()
    }

    fn estimate(&self, compared: &Compared) -> f64 {
        let table = &compared.release;
        let shares = |(place, asked): &(usize, Vec<bool>)| -> (usize, Vec<f64>) {
            let share = |covered: &Vec<u32>| {
                let within = covered.iter().filter(|&&value| asked[value as usize]).count();
                within as f64 / covered.len().max(1) as f64
            };
            (*place, compared.columns[*place].covered.iter().map(share).collect())
        };
        let shares: Vec<(usize, Vec<f64>)> = self.asked.iter().map(shares).collect();
        let of_tuple = |(tuple, &count): (usize, &u64)| {
            shares.iter().map(|(place, shares)| shares[table.codes[*place][tuple] as usize]).product::<f64>()
                * count as f64
        };
        table.counts.iter().enumerate().map(of_tuple).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::compared::testing::{column, compared};
    use super::*;

    #[test]
    fn a_cell_counts_by_its_share() {
        // `[20, 23]` twice and `20` once; asked for 20 and 21.
        let tables =
            compared(vec![column("age", 4, &[&[0, 1, 2, 3], &[0]])], &[&[0], &[1], &[3]], &[&[0], &[0], &[1]]);
        let query = Query { asked: vec![(0, vec![true, true, false, false])] };
        assert_eq!(query.truth(&tables), 2);
        assert_eq!(query.estimate(&tables), 2.0 * 0.5 + 1.0);
    }

    #[test]
    fn columns_multiply() {
        let columns = vec![column("a", 2, &[&[0, 1]]), column("b", 4, &[&[0, 1, 2, 3]])];
        let tables = compared(columns, &[&[0, 0]], &[&[0, 0], &[0, 0]]);
        let query = Query { asked: vec![(0, vec![true, false]), (1, vec![false, true, false, false])] };
        assert_eq!((query.truth(&tables), query.estimate(&tables)), (0, 2.0 / 8.0));
    }

    #[test]
    fn the_original_answers_truly_and_always_the_same() {
        let column = column("a", 3, &[&[0], &[1], &[2]]);
        let rows: Vec<&[u32]> = vec![&[0], &[1], &[1], &[2]];
        let tables = compared(vec![column], &rows, &rows);
        let found = CountQueries::new(&tables);
        assert_eq!(found, CountQueries { queries: 500, median: 0.0, ninth_decile: 0.0 });
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.0);
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 0.9), 9.0);
    }
}
