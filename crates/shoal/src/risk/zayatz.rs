//! How many people are unique if classes of the population are as large as those of the sample?

use super::population_uniqueness::Sampled;

/// The share of people who are unique. A class of k people shows a single record with a probability w(k) that is
/// hypergeometric; by Bayes a unique record is of a unique person with the probability p(1) w(1) over the sum of p(k) w(k),
/// where p(k) is the share of the sample's classes that have the size k.
pub(super) fn unique(sampled: &Sampled) -> f64 {
    let (people, records) = (sampled.people, sampled.records);
    // w(k) / w(1) = k times the product over i < k of (N - n + 1 - i) / (N - i), kept as a product from size to size.
    let (mut product, mut reached, mut sum) = (1.0, 1.0, 0.0);
    for (&size, &classes) in &sampled.of_size {
        while reached < size as f64 && product > 0.0 {
            product *= (people - records + 1.0 - reached).max(0.0) / (people - reached);
            reached += 1.0;
        }
        sum += classes as f64 * size as f64 * product;
    }
    let given_unique = sampled.classes_of(1) / sum;
    given_unique * sampled.classes_of(1) / records
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand() {
        // Classes 1, 1, 2 of 8 people: w(1) = C(7,3)/C(8,4) = 35/70, w(2) = 2 C(6,3)/C(8,4) = 40/70.
        // 2/3 * 35 / (2/3 * 35 + 1/3 * 40) = 70/110; times 2/4.
        let sampled = Sampled::new([(1, 2), (2, 1)].into(), 8);
        assert!((unique(&sampled) - 70.0 / 110.0 / 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_class_too_large_for_the_rest_shows_no_single_record() {
        // Of 5 people 4 are drawn: a class of 3 has at least two of them.
        let sampled = Sampled::new([(1, 1), (3, 1)].into(), 5);
        assert!((unique(&sampled) - 0.25).abs() < 1e-12);
    }
}
