//! Which class should records join that found none?

use super::{Assignment, Cover, Grouping, Label, Task};
use crate::frequency::{EquivalenceClass, TableProfile};
use crate::model::accepts_all;
use crate::objective::order::sort_by_loss;

/// Classes that are being formed, and who is in them so far.
#[derive(Debug)]
pub struct Joining<'a> {
    task: &'a Task<'a>,
    covers: Vec<Cover<'a>>,
    profile: TableProfile,
    grouping: Grouping,
    classes: Vec<Forming>,
}

#[derive(Debug)]
struct Forming {
    labels: Vec<Label>,
    /// Classes of the base.
    members: Vec<usize>,
    rows: u64,
}

/// Among so many of the cheapest classes one is looked for that stays valid.
const TRIES: usize = 64;

impl<'a> Joining<'a> {
    /// No classes yet.
    pub fn new(task: &'a Task<'a>, grouping: Grouping) -> Self {
        let profile = TableProfile::of_input(&task.table.sensitive, task.table.rows);
        Self { task, covers: task.covers(), profile, grouping, classes: Vec::new() }
    }

    /// Are there no classes?
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// A new class that shows these labels.
    pub fn class(&mut self, labels: Vec<Label>) -> usize {
        self.classes.push(Forming { labels, members: Vec::new(), rows: 0 });
        self.classes.len() - 1
    }

    /// Puts all records of a class of the base into a class whose labels cover them.
    pub fn put(&mut self, base: usize, class: usize) {
        let forming = &mut self.classes[class];
        forming.members.push(base);
        forming.rows += self.task.table.base.sizes()[base];
    }

    /// Lets all records of a class of the base join the class that then loses least, if one of the cheapest stays valid;
    /// otherwise they are suppressed.
    pub fn join(&mut self, base: usize) {
        let mut costs: Vec<(f64, usize)> =
            (0..self.classes.len()).map(|class| (self.cost(base, class), class)).collect();
        costs.retain(|&(cost, _)| cost.is_finite());
        sort_by_loss(&mut costs);
        let valid = costs.into_iter().take(TRIES).map(|(_, class)| class).find(|&class| self.stays_valid(base, class));
        match valid {
            Some(class) => {
                self.classes[class].labels = self.joined_labels(base, class);
                self.put(base, class);
            }
            None => assign(&mut self.grouping, self.task, base, None),
        }
    }

    /// How much wider labels become, as shares of the domains, for all rows concerned.
    fn cost(&self, base: usize, class: usize) -> f64 {
        let (forming, own_rows) = (&self.classes[class], self.task.table.base.sizes()[base]);
        let widening = |(column, (cover, label)): (usize, (&Cover<'_>, &Label))| {
            let code = self.task.table.base.code(base, column);
            let joined = cover.with(label, code);
            if !cover.allows(&joined) {
                return f64::INFINITY;
            }
            let domain = cover.column().hierarchy.domain_size() as f64;
            let (before, after) = (cover.covered(label).leaves as f64, cover.covered(&joined).leaves as f64);
            cover.column().weight * ((after - before) * forming.rows as f64 + after * own_rows as f64) / domain
        };
        self.covers.iter().zip(&forming.labels).enumerate().map(widening).sum()
    }

    fn joined_labels(&self, base: usize, class: usize) -> Vec<Label> {
        let labels = self.covers.iter().zip(&self.classes[class].labels).enumerate();
        labels.map(|(column, (cover, label))| cover.with(label, self.task.table.base.code(base, column))).collect()
    }

    fn stays_valid(&self, base: usize, class: usize) -> bool {
        let set = &self.task.table.base;
        let members = self.classes[class].members.iter().copied().chain([base]);
        let mut pairs: Vec<(u32, u64)> = members
            .flat_map(|member| {
                let (tuples, counts) = set.entries(member);
                tuples.iter().copied().zip(counts.iter().copied())
            })
            .collect();
        pairs.sort_unstable_by_key(|pair| pair.0);
        let (tuples, counts): (Vec<u32>, Vec<u64>) = pairs
            .chunk_by(|a, b| a.0 == b.0)
            .map(|same| (same[0].0, same.iter().map(|pair| pair.1).sum::<u64>()))
            .unzip();
        let class = EquivalenceClass::new(set.sensitive(), &tuples, &counts);
        accepts_all(self.task.requirements, &class, &self.profile)
    }

    /// The classes with everybody in them.
    pub fn into_grouping(self) -> Grouping {
        let Self { task, mut grouping, classes, .. } = self;
        for forming in classes {
            let class = grouping.class(forming.labels);
            forming.members.into_iter().for_each(|base| assign(&mut grouping, task, base, Some(class)));
        }
        grouping
    }
}

/// Puts all records of a class of the base into a class, or suppresses them.
fn assign(grouping: &mut Grouping, task: &Task<'_>, base: usize, class: Option<u32>) {
    let set = &task.table.base;
    let (shown, counts) = set.entries(base);
    for (place, (&shows, &count)) in shown.iter().zip(counts).enumerate() {
        grouping.assign(Assignment { tuple: (set.first_entry(base) + place) as u32, class, shows, count });
    }
}
