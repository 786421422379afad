//! How likely does somebody find a person's record who knows that the person is in the table?

use super::reidentification::{Chance, Matched, Reidentification};

/// # Prosecutor risk
///
/// **Definition.** The attacker knows that a person is in the table and what their quasi-identifiers are: the chance to
/// pick the person's record is 1 / (size of the equivalence class).
/// **What it means.** The highest is that of the smallest class; the average is the number of classes by the number of
/// records. It is the largest of the three risks: what holds here holds for the others.
/// **Lowered by.** `k-anonymity`: the highest risk is at most 1/k.
/// **Options.** `--at-risk` (default 0.2): records with a higher risk are at risk; `--fail-on "prosecutor-risk>0.2"`, or
/// `"risk>0.2"`, is about the highest.
/// **Example.** Classes of 1, 2 and 5 records: the highest risk is 1, the average 3/8, and three records are above 0.2.
/// **Reference.** El Emam and Dankar 2008, "Protecting privacy using k-anonymity".
pub fn prosecutor(sizes: &[u64], threshold: f64) -> Reidentification {
    let groups: Vec<Matched> =
        sizes.iter().map(|&records| Matched { records, chance: Chance::OneOf(records) }).collect();
    let records: u64 = sizes.iter().sum();
    Reidentification {
        // Sums of fractions would be off by a last digit.
        average: sizes.len() as f64 / records.max(1) as f64,
        ..Reidentification::new(&groups, threshold)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_page() {
        let risk = prosecutor(&[1, 2, 5], 0.2);
        assert_eq!((risk.highest, risk.average), (1.0, 0.375));
        assert_eq!((risk.records_at_risk, risk.share_at_risk), (3, 0.375));
        assert_eq!(prosecutor(&[5, 5], 0.2).records_at_risk, 0);
    }
}
