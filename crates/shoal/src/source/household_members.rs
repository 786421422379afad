//! Who lives together?

use std::sync::Arc;

use hashbrown::HashSet;
use shoal_core::table::DictionaryBuilder;

/// The people of a table and the households that they are in, by their numbers and in their order. Somebody who moved is of several; somebody of
/// whom no row tells a household lives alone, and is of none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseholdMembers {
    members: Arc<[(u32, u32)]>,
}

impl HouseholdMembers {
    /// The households of a person.
    pub fn of(&self, person: u32) -> impl Iterator<Item = u32> {
        let begin = self.members.partition_point(|member| member.0 < person);
        self.members[begin..].iter().take_while(move |member| member.0 == person).map(|member| member.1)
    }
}

/// What is known of them while rows are read; numbers are those of one thread.
#[derive(Debug, Default)]
pub(super) struct HouseholdCounter {
    names: DictionaryBuilder,
    members: HashSet<(u32, u32)>,
}

impl HouseholdCounter {
    /// A row of a person, and the household that it tells, if it does.
    #[inline]
    pub(super) fn add(&mut self, person: u32, household: Option<&str>) {
        if let Some(household) = household {
            self.members.insert((person, self.names.code(household)));
        }
    }

    /// How many people in households there are; somebody in two counts twice.
    pub(super) fn members(&self) -> usize {
        self.members.len()
    }

    pub(super) fn bytes(&self) -> usize {
        // A pair, and a byte of the hash table for it.
        self.names.bytes() + self.members.capacity() * 9
    }

    /// What all threads know together, each with the final numbers of its people.
    pub(super) fn finish<'a>(threads: impl Iterator<Item = (Self, &'a [u32])>) -> HouseholdMembers {
        let mut names = DictionaryBuilder::default();
        let mut members = Vec::new();
        for (thread, person_of) in threads {
            let household_of = names.absorb(&thread.names);
            let renamed =
                |(person, household): (u32, u32)| (person_of[person as usize], household_of[household as usize]);
            members.extend(thread.members.into_iter().map(renamed));
        }
        members.sort_unstable();
        members.dedup();
        HouseholdMembers { members: members.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Person 1 moved from A to B, person 0 is in B by the other thread, of person 2 nothing is known.
    #[test]
    fn threads_know_people_and_households_by_numbers_of_their_own() {
        let (mut first, mut second) = (HouseholdCounter::default(), HouseholdCounter::default());
        [(0, Some("A")), (0, None), (0, Some("B")), (1, None)].iter().for_each(|&(p, h)| first.add(p, h));
        [(0, Some("B")), (0, Some("B"))].iter().for_each(|&(p, h)| second.add(p, h));
        let threads = [(first, &[1u32, 2][..]), (second, &[0u32][..])];
        let households = HouseholdCounter::finish(threads.into_iter());
        let of = |person| households.of(person).collect::<Vec<u32>>();
        assert_eq!(of(1).len(), 2);
        assert!(of(0).len() == 1 && of(1).contains(&of(0)[0]));
        assert!(of(2).is_empty() && of(3).is_empty());
    }
}
