//! How many people of the population could each record be?

use serde::Serialize;

use super::reidentification::{Chance, Matched};
use crate::linking::People;
use shoal_core::{Error, Result};

/// What is known of the population.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Known {
    /// Nothing: it is taken to be the table itself, which is the worst that can be.
    Nothing,
    /// How large it is.
    Size,
    /// Everybody.
    Table,
}

/// The records of a table among the people they were drawn from.
#[derive(Debug)]
pub struct Population {
    /// What is known of it.
    pub known: Known,
    /// How many people, if that is known.
    pub size: Option<u64>,
    /// Records that look the same to an attacker, and the chance to name one of them.
    pub groups: Vec<Matched>,
}

impl Population {
    /// The population is the table.
    pub fn of_sample(sizes: &[u64]) -> Self {
        let group = |&records: &u64| Matched { records, chance: Chance::OneOf(records) };
        Self { known: Known::Nothing, size: None, groups: sizes.iter().map(group).collect() }
    }

    /// The table was drawn from so many people. An error if it has more records.
    pub fn of_size(sizes: &[u64], people: u64) -> Result<Self> {
        let records: u64 = sizes.iter().sum();
        if people < records {
            return Err(Error::policy(format!(
                "`--population-size {people}` is less than the {records} rows of the table"
            ))
            .hint("the population is everybody whom the table could have been about"));
        }
        let rate = records as f64 / people as f64;
        let mut chances = Chances::new(rate);
        let group = |&records: &u64| Matched { records, chance: Chance::Estimated(chances.of(records)) };
        Ok(Self { known: Known::Size, size: Some(people), groups: sizes.iter().map(group).collect() })
    }

    /// Everybody is known, by some or all of the quasi-identifiers: classes that differ in none of these are one group.
    pub fn of_people(people: &People) -> Self {
        let groups = people.linker().groups();
        let mut fitting = vec![0u64; groups.len()];
        for entry in 0..people.table.len() {
            for &group in people.candidates(entry).iter() {
                fitting[group as usize] += people.table.sizes()[entry];
            }
        }
        // Whoever is in the table is of the population, even where its file lacks them.
        let matched = groups.iter().zip(fitting).map(|(group, fitting)| Matched {
            records: group.records,
            chance: Chance::OneOf(fitting.max(group.records)),
        });
        Self { known: Known::Table, size: Some(people.table.rows()), groups: matched.collect() }
    }
}

/// The mean of 1/F for a class of f records, where F - f is negative binomial: the risk of mu-Argus.
///
/// It is the integral of p^f s^(f-1) / (1 - q s)^f over s from 0 to 1, with q = 1 - p. Integrated by parts, r(1) is
/// p/q ln(1/p) and r(f) is p/q (1/(f-1) - r(f-1)), which loses nothing as long as p < q; otherwise it is
/// p/f times the sum of k! q^k / ((f+1) .. (f+k)), which then converges quickly.
#[derive(Debug)]
struct Chances {
    rate: f64,
    by_recursion: Vec<f64>,
}

impl Chances {
    fn new(rate: f64) -> Self {
        let odds = rate / (1.0 - rate);
        Self { rate, by_recursion: vec![-odds * rate.ln()] }
    }

    fn of(&mut self, records: u64) -> f64 {
        // A large class is as many times larger in the population; a recursion so long would bring no digit more.
        const LONGEST: u64 = 10_000;
        if self.rate >= 0.5 || records > LONGEST {
            return self.by_series(records);
        }
        let odds = self.rate / (1.0 - self.rate);
        while (self.by_recursion.len() as u64) < records {
            let (f, last) = (self.by_recursion.len() as f64, self.by_recursion[self.by_recursion.len() - 1]);
            self.by_recursion.push(odds * (1.0 / f - last));
        }
        self.by_recursion[records.max(1) as usize - 1]
    }

    fn by_series(&self, records: u64) -> f64 {
        let (f, q) = (records as f64, 1.0 - self.rate);
        let (mut term, mut sum, mut k) = (1.0, 1.0, 0.0);
        while term > sum * f64::EPSILON {
            k += 1.0;
            term *= q * k / (f + k);
            sum += term;
        }
        self.rate / f * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of P(F) / F itself: P(F) = C(F-1, f-1) p^f q^(F-f).
    fn slowly(records: u64, rate: f64) -> f64 {
        let mut probability = rate.powi(records as i32);
        let mut sum = 0.0;
        for people in records..records + 200_000 {
            sum += probability / people as f64;
            probability *= (1.0 - rate) * people as f64 / (people + 1 - records) as f64;
        }
        sum
    }

    #[test]
    fn the_estimate_is_the_sum_it_stands_for() {
        for rate in [0.01, 0.1, 0.3, 0.49, 0.5, 0.51, 0.9, 1.0] {
            for records in [1, 2, 3, 7, 20] {
                let (fast, slow) = (Chances::new(rate).of(records), slowly(records, rate));
                assert!((fast - slow).abs() < 1e-9 * slow.max(1e-3), "{rate} {records}: {fast} {slow}");
            }
        }
        // Both ways agree where both can be gone.
        let mut chances = Chances::new(0.2);
        let (recursive, series) = (chances.of(400), chances.by_series(400));
        assert!((recursive - series).abs() < 1e-12, "{recursive} {series}");
    }

    #[test]
    fn a_unique_record_of_one_in_ten() {
        // 1/9 ln 10
        let population = Population::of_size(&[1; 10], 100).unwrap();
        assert!((population.groups[0].chance.to_f64() - 10f64.ln() / 9.0).abs() < 1e-12);
        assert!(Population::of_size(&[5, 5], 9).is_err());
        // Nobody else is there.
        let population = Population::of_size(&[1, 4], 5).unwrap();
        assert!((population.groups[1].chance.to_f64() - 0.25).abs() < 1e-12);
    }
}
