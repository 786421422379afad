//! How likely is anybody of a household found?

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::outsider::OutsiderClasses;
use crate::source::HouseholdMembers;
use shoal_core::table::MissingMarkers;

/// Who the members of households are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Members {
    /// People, however many rows each has.
    People,
    /// Rows, where nothing says whose they are.
    Rows,
}

/// The risk of households: one is found if any of its members is, and members are looked for one by one. Of a household whose members are found with
/// probabilities r1, r2, .. it is 1 - (1 - r1)(1 - r2)..
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Households {
    /// How many there are.
    pub count: u64,
    /// How many members they have together.
    pub members: u64,
    /// Who these are.
    pub members_are: Members,
    /// The highest risk.
    pub highest: f64,
    /// The average over households.
    pub average: f64,
    /// How many of them are expected to be found.
    pub expected: f64,
    /// The average over members of the risk of their household: a household counts once for each of its members, as sdcMicro's `hier_risk`.
    pub average_of_members: f64,
    /// How many members are expected to be in households of which somebody is found: sdcMicro's `hier_risk_ER`.
    pub expected_members: f64,
    /// The share of households whose risk is above the threshold of the audit.
    pub share_at_risk: f64,
}

impl Households {
    /// The households of a table whose classes were counted by its quasi-identifiers and, last, by the household of each row. Each row is a member, found as one of
    /// its class.
    pub(super) fn of_rows(classes: &OutsiderClasses, missing: &MissingMarkers, threshold: f64) -> Self {
        let household = classes.quasi() - 1;
        let mut members = Vec::new();
        for same in alike(classes, household) {
            let rows: u64 = same.iter().map(|&class| classes.sizes()[class]).sum();
            for class in same {
                let member = (known(classes, class, household, missing), 1.0 / rows as f64);
                members.extend(std::iter::repeat_n(member, classes.sizes()[class] as usize));
            }
        }
        Self::of_members(members, Members::Rows, threshold)
    }

    /// The same where classes were counted by who each row is about, too, before its household: each person is a member, found by their most
    /// telling row as one of the people of its class. Rows in which nobody is named are one person's.
    pub(super) fn of_people(classes: &OutsiderClasses, missing: &MissingMarkers, threshold: f64) -> Self {
        let (person, household) = (classes.quasi() - 2, classes.quasi() - 1);
        // The fewest people beside each person, and the households that the person is in.
        let mut fewest: BTreeMap<Option<u32>, (usize, BTreeSet<u32>)> = BTreeMap::new();
        for same in alike(classes, person) {
            let whose = |class: usize| known(classes, class, person, missing);
            let people: BTreeSet<Option<u32>> = same.iter().map(|&class| whose(class)).collect();
            for class in same {
                let (least, households) = fewest.entry(whose(class)).or_insert((usize::MAX, BTreeSet::new()));
                *least = people.len().min(*least);
                households.extend(known(classes, class, household, missing));
            }
        }
        let members = fewest.into_values().flat_map(|(fewest, households)| memberships(fewest, households));
        Self::of_members(members.collect(), Members::People, threshold)
    }

    /// The same where classes know people by their numbers, and who lives together was counted before.
    pub(crate) fn of_numbered(classes: &OutsiderClasses, households: &HouseholdMembers, threshold: f64) -> Self {
        let mut fewest: BTreeMap<u32, usize> = BTreeMap::new();
        for class in 0..classes.len() {
            let people = classes.people_of(class);
            for &(person, _) in &people {
                let least = fewest.entry(person).or_insert(usize::MAX);
                *least = people.len().min(*least);
            }
        }
        let members = fewest.into_iter().flat_map(|(person, fewest)| memberships(fewest, households.of(person)));
        Self::of_members(members.collect(), Members::People, threshold)
    }

    /// The households of members and the risk of each; whoever has none lives alone. What is rounded must not depend on the order of members, nor on the
    /// numbers of households, since both follow from who was counted first: so risks are put in order before they are multiplied and summed.
    fn of_members(mut members: Vec<(Option<u32>, f64)>, members_are: Members, threshold: f64) -> Self {
        members.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
        // Of each household the probability that nobody is found, and how many members it has; then the risks of all, and so many members.
        let mut unfound: BTreeMap<u32, (f64, u64)> = BTreeMap::new();
        let mut risks: Vec<(f64, u64)> = Vec::new();
        for &(household, risk) in &members {
            match household {
                Some(household) => {
                    let known = unfound.entry(household).or_insert((1.0, 0));
                    *known = (known.0 * (1.0 - risk), known.1 + 1);
                }
                None => risks.push((risk, 1)),
            }
        }
        risks.extend(unfound.values().map(|&(unfound, members)| (1.0 - unfound, members)));
        risks.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (count, expected) = (risks.len(), risks.iter().map(|risk| risk.0).sum::<f64>());
        let expected_members: f64 = risks.iter().map(|&(risk, members)| risk * members as f64).sum();
        let at_risk = risks.iter().filter(|risk| risk.0 > threshold).count();
        Self {
            count: count as u64,
            members: members.len() as u64,
            members_are,
            highest: risks.iter().map(|risk| risk.0).fold(0.0, f64::max),
            average: expected / count.max(1) as f64,
            expected,
            average_of_members: expected_members / members.len().max(1) as f64,
            expected_members,
            share_at_risk: at_risk as f64 / count.max(1) as f64,
        }
    }
}

/// Classes that look the same in their first columns.
fn alike(classes: &OutsiderClasses, columns: usize) -> impl Iterator<Item = Vec<usize>> {
    let mut alike: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
    (0..classes.len()).for_each(|class| alike.entry(&classes.key(class)[..columns]).or_default().push(class));
    alike.into_values()
}

/// The household or the person that a class shows in a column, unless it is missing.
fn known(classes: &OutsiderClasses, class: usize, column: usize, missing: &MissingMarkers) -> Option<u32> {
    let place = classes.key(class)[column];
    (!missing.contain(&classes.labels(column)[place as usize])).then_some(place)
}

/// Somebody as a member of each of their households, or of none.
fn memberships(fewest: usize, households: impl IntoIterator<Item = u32>) -> Vec<(Option<u32>, f64)> {
    let risk = 1.0 / fewest as f64;
    let known: Vec<_> = households.into_iter().map(|household| (Some(household), risk)).collect();
    if known.is_empty() { vec![(None, risk)] } else { known }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A household of two members found with 1/2 and 1/3, one who lives alone found with 1/4: 1 - 1/2 * 2/3 = 2/3, and 1/4.
    #[test]
    fn a_household_is_found_if_any_of_its_members_is() {
        let households =
            Households::of_members(vec![(Some(7), 0.5), (Some(7), 1.0 / 3.0), (None, 0.25)], Members::People, 0.5);
        assert_eq!((households.count, households.members), (2, 3));
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(households.highest, 2.0 / 3.0) && near(households.expected, 2.0 / 3.0 + 0.25));
        assert!(near(households.average, (2.0 / 3.0 + 0.25) / 2.0) && near(households.share_at_risk, 0.5));
    }

    /// As sdcMicro has it, by hand: individuals with risks 1/2, 1/4 and 0 in household 1, 1/5 and 1/5 in 2, and 1/10 in 3. Households are found with
    /// 1 - 1/2 * 3/4 = 0.625, 1 - 4/5 * 4/5 = 0.36 and 0.1. That is each member's `hier_risk`: 3 * 0.625 + 2 * 0.36 + 0.1 = 2.695
    /// are expected (`hier_risk_ER`), 2.695 / 6 on average. Over households it is 1.085, and 1.085 / 3.
    #[test]
    fn risks_of_households_are_summed_over_households_and_over_members() {
        let members = [(1, 0.5), (2, 0.2), (1, 0.25), (3, 0.1), (1, 0.0), (2, 0.2)];
        let members = members.map(|(household, risk)| (Some(household), risk)).to_vec();
        let found = Households::of_members(members, Members::People, 0.5);
        let near = |a: f64, b: f64| (a - b).abs() < 1e-12;
        assert!(near(found.expected_members, 2.695) && near(found.average_of_members, 2.695 / 6.0), "{found:?}");
        assert!(near(found.expected, 1.085) && near(found.average, 1.085 / 3.0), "{found:?}");
        assert_eq!((found.count, found.members), (3, 6));
    }

    #[test]
    fn nothing_depends_on_who_was_counted_first() {
        let members: Vec<(Option<u32>, f64)> =
            (0..90).map(|member: u32| (Some(member * 7 % 90 / 3), 1.0 / f64::from(member + 2))).collect();
        let found = |members| Households::of_members(members, Members::People, 0.5);
        let turned: Vec<_> = members
            .clone()
            .into_iter()
            .map(|(household, risk)| (household.map(|home| 29 - home), risk))
            .rev()
            .collect();
        assert_eq!(found(members), found(turned));
    }

    #[test]
    fn somebody_who_is_surely_found_gives_the_household_away() {
        assert_eq!(Households::of_members(vec![(Some(1), 0.1), (Some(1), 1.0)], Members::People, 0.2).highest, 1.0);
    }
}
