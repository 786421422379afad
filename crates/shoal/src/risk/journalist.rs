//! How likely does somebody find a record of the table among all people of the population?

use super::population::Population;
use super::reidentification::{Chance, Reidentification};

/// # Journalist risk
///
/// **Definition.** The attacker does not know who is in the table and matches a record with people of the population: the
/// chance to name the right one is 1 / (people of the population with the same quasi-identifiers).
/// **What it means.** The highest is that of the class with the fewest such people. The average is the larger of two: the
/// mean over the records, and the number of classes by the number of people who could be in one (El Emam 2013).
/// **Lowered by.** `k-anonymity` on the table; releasing a smaller sample of a population.
/// **Options.** `--population FILE` counts people by the quasi-identifiers that the file has, with their hierarchies;
/// `--population-size N` estimates the chance for a class of f records drawn at the rate p as the mean of 1/F, where F - f
/// is negative binomial (mu-Argus). With neither, the population is the table itself, which is an upper bound.
/// **Example.** Two records of one class; six people of the population could be in it: the chance is 1/6.
/// **Reference.** El Emam and Dankar 2008; Benedetti and Franconi 1998 for the estimate.
pub fn journalist(population: &Population, threshold: f64) -> Reidentification {
    let risk = Reidentification::new(&population.groups, threshold);
    let people = population.groups.iter().map(|group| match group.chance {
        Chance::OneOf(people) => Some(people as f64),
        Chance::Estimated(_) => None,
    });
    let by_people = people.sum::<Option<f64>>().map_or(0.0, |people| population.groups.len() as f64 / people.max(1.0));
    Reidentification { average: risk.average.max(by_people), ..risk }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::risk::population::Known;
    use crate::risk::reidentification::Matched;

    #[test]
    fn the_average_is_the_larger_of_two() {
        let group = |records, people| Matched { records, chance: Chance::OneOf(people) };
        let population = |groups| Population { known: Known::Table, size: None, groups };
        // Over records (10 * 1/10 + 1 * 1/2) / 11 = 0.136, over people 2/12.
        let risk = journalist(&population(vec![group(10, 10), group(1, 2)]), 0.2);
        assert_eq!((risk.highest, risk.average, risk.records_at_risk), (0.5, 2.0 / 12.0, 1));
        // Over records (1/10 + 2/2) / 3, over people 2/12.
        let risk = journalist(&population(vec![group(1, 10), group(2, 2)]), 0.2);
        assert!((risk.average - 1.1 / 3.0).abs() < 1e-12);
    }
}
