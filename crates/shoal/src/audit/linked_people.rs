//! How many people does somebody find in a release who has the table that it was made from?

use std::collections::BTreeMap;

use serde::Serialize;

use crate::attack::Scene;
use crate::linking::People;
use crate::outsider::OutsiderClasses;

/// The people of an original, by how many people the records of a release are of that the most telling of their rows fits: as the attack `linkage`
/// counts records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkedPeople {
    /// How many people the original has.
    pub people: u64,
    /// How many of them have a row that fits records of one person only.
    pub linked_to_one: u64,
    /// Of several, but few.
    pub linked_to_few: u64,
    /// So many are few.
    pub few: u64,
    /// How many have no row that fits any record.
    pub linked_to_none: u64,
}

impl LinkedPeople {
    /// Nothing where there is no original that says whose rows are whose, or where labels do not tell whom they stand for. The classes of
    /// the release are those of the scene, with whose rows they have.
    pub(super) fn of(release: &OutsiderClasses, scene: &Scene<'_>) -> Option<Self> {
        let original = scene.legible_original().filter(|original| !original.known.is_empty() && !scene.is_separated)?;
        let few = scene.options.few;
        let left = fewest_left(original, release, usize::try_from(few).unwrap_or(usize::MAX))?;
        let among =
            |from: usize, to: u64| left.values().filter(|&&left| left >= from && left as u64 <= to).count() as u64;
        Some(Self {
            people: left.len() as u64,
            linked_to_one: among(1, 1),
            linked_to_few: among(2, few),
            few,
            linked_to_none: among(0, 0),
        })
    }
}

/// For everybody of the original, how many people are left by the row of theirs that leaves the fewest, one at least; more than `few` are not
/// counted to their end. 0 where none of the rows fits anything.
fn fewest_left(original: &People, release: &OutsiderClasses, few: usize) -> Option<BTreeMap<u32, usize>> {
    // More people of a group change nothing: those of all groups together are then more than few, too.
    let some_people = |classes: &[u32]| some(classes.iter().flat_map(|&class| release.people_of(class as usize)), few);
    let of_group: Vec<Vec<u32>> = original.linker().groups().iter().map(|group| some_people(&group.classes)).collect();
    let mut fewest: BTreeMap<u32, usize> = BTreeMap::new();
    for entry in 0..original.table.len() {
        let candidates = original.candidates(entry);
        let people = candidates.iter().flat_map(|&group| of_group[group as usize].iter().map(|&person| (person, 1)));
        let left = some(people, few).len();
        for (person, _) in original.whose(entry)? {
            let known = fewest.entry(person).or_insert(left);
            *known = match (*known, left) {
                (0, left) => left,
                (known, 0) => known,
                (known, left) => known.min(left),
            };
        }
    }
    Some(fewest)
}

/// Different people, and no more than one above so many; whether it is one takes two.
fn some(people: impl Iterator<Item = (u32, u64)>, few: usize) -> Vec<u32> {
    let mut people: Vec<u32> = people.map(|(person, _)| person).collect();
    people.sort_unstable();
    people.dedup();
    people.truncate(few.saturating_add(1).max(2));
    people
}
