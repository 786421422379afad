//! Would these records, as a class of their own, satisfy every requirement?

use super::{Assignment, Cover, Grouping, Label, Task};
use crate::frequency::{CountedTable, EquivalenceClass, TableProfile};
use crate::model::{Requirement, accepts_all};

/// Some of the records with a tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Member {
    /// Their quasi-identifier tuple: a class of the table's base frequency set.
    pub base: u32,
    /// Their place among all entries of that set.
    pub tuple: u32,
    /// How many they are.
    pub count: u64,
}

/// Tells whether records may be a class, with the whole table released.
#[derive(Debug)]
pub struct Acceptance<'a> {
    table: &'a CountedTable,
    requirements: &'a [Requirement],
    profile: TableProfile,
    /// No class with fewer records is accepted.
    least: u64,
}

impl<'a> Acceptance<'a> {
    /// The requirements of a task.
    pub fn new(task: &Task<'a>) -> Self {
        let sizes = task.requirements.iter().map(|requirement| requirement.least_size());
        Self {
            table: task.table,
            requirements: task.requirements,
            profile: task.table.profile(),
            least: sizes.max().unwrap_or(1),
        }
    }

    /// No class with fewer records than this is accepted.
    pub fn least_size(&self) -> u64 {
        self.least
    }

    /// All records of the table, in the order of their tuples.
    pub fn everybody(&self) -> Vec<Member> {
        let base = &self.table.base;
        let mut members = Vec::with_capacity(base.tuples());
        for class in 0..base.classes() {
            let first = base.first_entry(class);
            let counts = base.entries(class).1.iter().enumerate();
            members.extend(counts.map(|(place, &count)| Member {
                base: class as u32,
                tuple: (first + place) as u32,
                count,
            }));
        }
        members
    }

    /// The sensitive tuple of a member.
    pub fn shows(&self, member: Member) -> u32 {
        let base = member.base as usize;
        self.table.base.entries(base).0[member.tuple as usize - self.table.base.first_entry(base)]
    }

    /// May these records be a class?
    pub fn accepts(&self, members: impl Iterator<Item = Member> + Clone) -> bool {
        let size: u64 = members.clone().map(|member| member.count).sum();
        if size < self.least {
            return false;
        }
        let tuples = self.table.base.sensitive();
        if tuples.len() == 1 {
            return self.accepts_counts(&[0], &[size]);
        }
        let mut shown: Vec<(u32, u64)> = members.map(|member| (self.shows(member), member.count)).collect();
        if shown.len() > tuples.len() {
            let mut counts = vec![0; tuples.len()];
            shown.iter().for_each(|&(code, count)| counts[code as usize] += count);
            shown.clear();
            shown.extend((0..).zip(counts).filter(|(_, count)| *count > 0));
        } else {
            shown.sort_unstable();
            shown.dedup_by(|next, last| {
                let same = next.0 == last.0;
                last.1 += if same { next.1 } else { 0 };
                same
            });
        }
        let (codes, counts): (Vec<u32>, Vec<u64>) = shown.into_iter().unzip();
        self.accepts_counts(&codes, &counts)
    }

    /// May records with these sensitive tuples (sorted) and counts be a class?
    pub fn accepts_counts(&self, codes: &[u32], counts: &[u64]) -> bool {
        let class = EquivalenceClass::new(self.table.base.sensitive(), codes, counts);
        accepts_all(self.requirements, &class, &self.profile)
    }

    /// The classes as a grouping, each with the smallest labels that cover its values.
    pub fn group(&self, classes: &[Vec<Member>], covers: &[Cover<'_>]) -> Grouping {
        let base = &self.table.base;
        let label = |members: &[Member], column: usize| {
            covers[column].label(members.iter().map(|member| base.code(member.base as usize, column)))
        };
        self.group_as(classes, |members| (0..covers.len()).map(|column| label(members, column)).collect())
    }

    /// Some records of each entry of the base, in the order of their tuples.
    pub fn some(&self, of_entries: &[u64]) -> Vec<Member> {
        let count = |member: Member| Member { count: of_entries[member.tuple as usize], ..member };
        self.everybody().into_iter().map(count).filter(|member| member.count > 0).collect()
    }

    /// Puts these records into no class: they are suppressed.
    pub fn leave_out(&self, grouping: &mut Grouping, members: &[Member]) {
        for &member in members {
            let Member { tuple, count, .. } = member;
            grouping.assign(Assignment { tuple, class: None, shows: self.shows(member), count });
        }
    }

    /// The classes as a grouping, each with these labels.
    pub fn group_as(&self, classes: &[Vec<Member>], labels: impl Fn(&[Member]) -> Vec<Label> + Sync) -> Grouping {
        use rayon::prelude::*;
        let labels: Vec<Vec<Label>> = classes.par_iter().map(|members| labels(members)).collect();
        let mut grouping = Grouping::new(self.table.quasi.len());
        for (members, labels) in classes.iter().zip(labels) {
            let class = Some(grouping.class(labels));
            for &member in members {
                let Member { tuple, count, .. } = member;
                grouping.assign(Assignment { tuple, class, shows: self.shows(member), count });
            }
        }
        grouping
    }
}
