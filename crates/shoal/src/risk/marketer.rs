//! How many records does somebody match rightly who matches all of them?

use super::population::Population;
use super::reidentification::Reidentification;

/// # Marketer risk
///
/// **Definition.** The attacker matches every record with some person of the population who could be it: the average is the
/// share of records that are matched rightly, the mean over the records of 1 / (people who could be it).
/// **What it means.** Nobody in particular is looked for, so the average is the figure to look at; the highest is that of
/// the class whose records are easiest to match.
/// **Lowered by.** Larger classes on average (`average-class-size` as the objective), or `k-anonymity`.
/// **Options.** `--population FILE` and `--population-size N` as for `journalist-risk`; without them the population is the
/// table itself. `--fail-on "marketer-risk>0.1"` is about the average.
/// **Example.** Classes of 1, 2 and 5 records of people who are all in the table: three of eight matches are right.
/// **Reference.** Dankar and El Emam 2010, "A method for evaluating marketer re-identification risk".
pub fn marketer(population: &Population, threshold: f64) -> Reidentification {
    Reidentification::new(&population.groups, threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_page() {
        let risk = marketer(&Population::of_sample(&[1, 2, 5]), 0.2);
        assert!((risk.average - 0.375).abs() < 1e-12);
        assert_eq!((risk.highest, risk.records_at_risk), (1.0, 3));
    }
}
