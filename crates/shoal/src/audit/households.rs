//! How likely is anybody of a household found?

use std::collections::BTreeMap;

use serde::Serialize;

use crate::outsider::OutsiderClasses;

/// The risk of households: one is found if any of its members is, and members are looked for one by one. Of a household whose members are found with
/// probabilities r1, r2, .. it is 1 - (1 - r1)(1 - r2)..
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Households {
    /// How many there are.
    pub count: u64,
    /// How many members they have together: people, or rows where nothing says whose they are.
    pub members: u64,
    /// The highest risk.
    pub highest: f64,
    /// The average over households.
    pub average: f64,
    /// How many of them are expected to be found.
    pub expected: f64,
    /// The share of households whose risk is above the threshold of the audit.
    pub share_at_risk: f64,
}

impl Households {
    /// The households of a table whose classes were counted by its quasi-identifiers, with whose household each row is about. Each row is a member,
    /// found as one of its class.
    pub(super) fn of_rows(classes: &OutsiderClasses, threshold: f64) -> Self {
        let mut members = Vec::new();
        for (class, &size) in classes.sizes().iter().enumerate() {
            for (household, rows) in classes.people_of(class) {
                members.extend(std::iter::repeat_n((household, 1.0 / size as f64), rows as usize));
            }
        }
        Self::of_members(&members, threshold)
    }

    /// The same where the last of the columns that classes were counted by says whose row it is: each person is a member, found by their most
    /// telling row as one of the people of its class.
    pub(super) fn of_people(classes: &OutsiderClasses, threshold: f64) -> Self {
        let quasi = classes.quasi() - 1;
        let mut by_quasi: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
        for class in 0..classes.len() {
            by_quasi.entry(&classes.key(class)[..quasi]).or_default().push(class);
        }
        // The fewest people beside each person, and the households that the person is in.
        let mut fewest: BTreeMap<u32, (usize, Vec<u32>)> = BTreeMap::new();
        for same in by_quasi.values() {
            for &class in same {
                let of_person = fewest.entry(classes.key(class)[quasi]).or_insert((usize::MAX, Vec::new()));
                of_person.0 = of_person.0.min(same.len());
                of_person.1.extend(classes.people_of(class).into_iter().map(|(household, _)| household));
            }
        }
        let mut members = Vec::new();
        for (fewest, mut households) in fewest.into_values() {
            households.sort_unstable();
            households.dedup();
            members.extend(households.into_iter().map(|household| (household, 1.0 / fewest as f64)));
        }
        Self::of_members(&members, threshold)
    }

    /// Households and the risks of their members.
    fn of_members(members: &[(u32, f64)], threshold: f64) -> Self {
        let mut unfound: BTreeMap<u32, f64> = BTreeMap::new();
        for &(household, risk) in members {
            *unfound.entry(household).or_insert(1.0) *= 1.0 - risk;
        }
        let risks: Vec<f64> = unfound.values().map(|unfound| 1.0 - unfound).collect();
        let (count, expected) = (risks.len(), risks.iter().sum::<f64>());
        let at_risk = risks.iter().filter(|risk| **risk > threshold).count();
        Self {
            count: count as u64,
            members: members.len() as u64,
            highest: risks.iter().copied().fold(0.0, f64::max),
            average: expected / count.max(1) as f64,
            expected,
            share_at_risk: at_risk as f64 / count.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A household of two members found with 1/2 and 1/3, one of one found with 1/4: 1 - 1/2 * 2/3 = 2/3, and 1/4.
    #[test]
    fn a_household_is_found_if_any_of_its_members_is() {
        let households = Households::of_members(&[(7, 0.5), (7, 1.0 / 3.0), (9, 0.25)], 0.5);
        assert_eq!((households.count, households.members), (2, 3));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(households.highest, 2.0 / 3.0) && near(households.expected, 2.0 / 3.0 + 0.25));
        assert!(near(households.average, (2.0 / 3.0 + 0.25) / 2.0) && near(households.share_at_risk, 0.5));
    }

    #[test]
    fn somebody_who_is_surely_found_gives_the_household_away() {
        assert_eq!(Households::of_members(&[(1, 0.1), (1, 1.0)], 0.2).highest, 1.0);
    }
}
