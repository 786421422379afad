//! Which classes of a release can a person be in, given what is known of them?

use std::collections::BTreeMap;

use crate::outsider::OutsiderClasses;

/// Finds the classes whose labels cover a person's values, in the quasi-identifiers that are known.
///
/// Classes that show the same in all of these are one group. Groups are sorted, so that those with a given beginning are a
/// run of them: looking a person up costs a binary search for each column and covering label, however many classes there are.
#[derive(Debug)]
pub struct Linker {
    width: usize,
    /// The labels of each group, one group after the other, sorted.
    keys: Vec<u32>,
    groups: Vec<Group>,
}

/// Classes that cannot be told apart by what is known.
#[derive(Debug, Default)]
pub struct Group {
    /// The classes.
    pub classes: Vec<u32>,
    /// How many records they have together.
    pub records: u64,
}

impl Linker {
    /// For a release of which these quasi-identifiers are known.
    pub fn new(classes: &OutsiderClasses, known: &[usize]) -> Self {
        let key = |class| known.iter().map(|&column| classes.key(class)[column]).collect();
        Self::of_keys(known.len(), (0..classes.len()).map(|class| (key(class), classes.sizes()[class])))
    }

    /// For classes with these labels, one for each of so many columns, and sizes.
    pub fn of_keys(width: usize, classes: impl Iterator<Item = (Vec<u32>, u64)>) -> Self {
        let mut grouped: BTreeMap<Vec<u32>, Group> = BTreeMap::new();
        for (class, (key, records)) in classes.enumerate() {
            let group = grouped.entry(key).or_default();
            group.classes.push(class as u32);
            group.records += records;
        }
        let mut linker = Self { width, keys: Vec::new(), groups: Vec::new() };
        for (key, group) in grouped {
            linker.keys.extend(key);
            linker.groups.push(group);
        }
        linker
    }

    /// All groups.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn key(&self, group: usize) -> &[u32] {
        &self.keys[group * self.width..][..self.width]
    }

    /// The groups that a person can be in; for each known column, the labels that cover the person's value, sorted.
    pub fn candidates(&self, covering: &[&[u32]]) -> Vec<u32> {
        let mut found = Vec::new();
        self.add_candidates(covering, &mut found);
        found
    }

    /// The same, behind others.
    pub fn add_candidates(&self, covering: &[&[u32]], found: &mut Vec<u32>) {
        self.collect(0, 0, self.groups.len(), covering, found);
    }

    fn collect(&self, column: usize, from: usize, to: usize, covering: &[&[u32]], found: &mut Vec<u32>) {
        if column == self.width {
            found.extend(from as u32..to as u32);
            return;
        }
        let mut from = from;
        for &label in covering[column] {
            let behind = |group: usize, is_behind: &dyn Fn(u32) -> bool| {
                let (mut low, mut high) = (group, to);
                while low < high {
                    let middle = low.midpoint(high);
                    if is_behind(self.key(middle)[column]) { low = middle + 1 } else { high = middle }
                }
                low
            };
            let first = behind(from, &|other| other < label);
            let end = behind(first, &|other| other <= label);
            if first < end {
                self.collect(column + 1, first, end, covering, found);
            }
            from = end;
        }
    }
}
