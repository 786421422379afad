//! How many records are alone with their quasi-identifiers, in the table and in the population?

use std::collections::BTreeMap;

use serde::Serialize;

use super::population_uniqueness::{PopulationUniqueness, Sampled};

/// # Sample uniqueness
///
/// **Definition.** The share of records whose quasi-identifiers no other record of the table has.
/// **What it means.** Whoever is known to be in the table and is unique there is found. Of those who are not known to be,
/// only such can be found for certain as are unique in the population, too: see `population-uniqueness`.
/// **Lowered by.** `k-anonymity` with k = 2 leaves none.
/// **Options.** None.
/// **Example.** Classes of 1, 1 and 2 records: half of the records are unique.
/// **Reference.** Skinner and Elliot 2002, "A measure of disclosure risk for microdata".
#[derive(Debug, Clone, Serialize)]
pub struct Uniqueness {
    /// The share of records that are unique in the table.
    pub sample: f64,
    /// How many they are.
    pub sample_records: u64,
    /// The share of people who are unique in the population, as estimated.
    pub population: PopulationUniqueness,
}

impl Uniqueness {
    /// From the sizes of classes, and of the population where that is known.
    pub fn new(sizes: &[u64], population: Option<u64>) -> Self {
        let mut of_size: BTreeMap<u64, u64> = BTreeMap::new();
        sizes.iter().for_each(|&size| *of_size.entry(size).or_default() += 1);
        let rows: u64 = sizes.iter().sum();
        let sample_records = of_size.get(&1).copied().unwrap_or(0);
        let estimate = |people: u64| PopulationUniqueness::estimate(&Sampled::new(of_size.clone(), people.max(rows)));
        Self {
            sample: sample_records as f64 / rows.max(1) as f64,
            sample_records,
            population: population.map(estimate).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_page() {
        let uniqueness = Uniqueness::new(&[1, 1, 2], None);
        assert_eq!((uniqueness.sample, uniqueness.sample_records), (0.5, 2));
        assert_eq!(uniqueness.population.dankar, None);
    }
}
