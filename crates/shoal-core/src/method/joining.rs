//! Which class should records join that found none?

use std::collections::HashMap;

use super::{Assignment, Cover, Grouping, Label, Task};
use crate::frequency::{EquivalenceClass, TableProfile};
use crate::model::accepts_all;
use crate::objective::order::{exceeds, sort_by_loss};

/// Classes that are being formed, and who is in them so far.
#[derive(Debug)]
pub struct Joining<'a> {
    task: &'a Task<'a>,
    /// For each column the labels that classes show, which are far fewer than classes.
    columns: Vec<Shown<'a>>,
    profile: TableProfile,
    grouping: Grouping,
    classes: Vec<Forming>,
}

/// The different labels of a column.
#[derive(Debug)]
struct Shown<'a> {
    cover: Cover<'a>,
    labels: Vec<Label>,
    places: HashMap<Label, u32>,
}

#[derive(Debug)]
struct Forming {
    /// The place of the label of each column.
    labels: Vec<u32>,
    /// Classes of the base.
    members: Vec<usize>,
    rows: u64,
    /// Which sensitive tuples the first so many members have, and how often each occurs.
    held: Vec<(u32, u64)>,
    counted: usize,
}

/// How much wider a label becomes if it is to cover one value more: the leaves it covers, and those it will.
#[derive(Debug, Clone, Copy)]
struct Widening {
    before: f64,
    after: f64,
}

/// Among so many of the cheapest classes one is looked for that stays valid.
const TRIES: usize = 64;

impl<'a> Joining<'a> {
    /// No classes yet.
    pub fn new(task: &'a Task<'a>, grouping: Grouping) -> Self {
        let profile = task.table.profile();
        let shown = |cover| Shown { cover, labels: Vec::new(), places: HashMap::new() };
        let columns = task.covers().into_iter().map(shown).collect();
        Self { task, columns, profile, grouping, classes: Vec::new() }
    }

    /// Are there no classes?
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// A new class that shows these labels.
    pub fn class(&mut self, labels: Vec<Label>) -> usize {
        let labels = self.columns.iter_mut().zip(labels).map(|(column, label)| column.place(label)).collect();
        self.classes.push(Forming { labels, members: Vec::new(), rows: 0, held: Vec::new(), counted: 0 });
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
        let cheapest = self.cheapest(base);
        match cheapest.into_iter().find(|&class| self.stays_valid(base, class)) {
            Some(class) => {
                for column in 0..self.columns.len() {
                    let code = self.task.table.base.code(base, column);
                    let label = &mut self.classes[class].labels[column];
                    *label = self.columns[column].joined(*label, code);
                }
                self.put(base, class);
            }
            None => assign(&mut self.grouping, self.task, base, None),
        }
    }

    /// The classes that lose least if the records join them, the cheapest first.
    fn cheapest(&self, base: usize) -> Vec<usize> {
        let own_rows = self.task.table.base.sizes()[base];
        let widenings: Vec<Vec<Option<Widening>>> = self
            .columns
            .iter()
            .enumerate()
            .map(|(column, shown)| shown.widenings(self.task.table.base.code(base, column)))
            .collect();
        let cost = |forming: &Forming| {
            let widening = |((label, shown), widenings): ((&u32, &Shown<'_>), &Vec<Option<Widening>>)| {
                let Some(Widening { before, after }) = widenings[*label as usize] else { return f64::INFINITY };
                let (weight, domain) = (shown.cover.column().weight, shown.domain());
                weight * ((after - before) * forming.rows as f64 + after * own_rows as f64) / domain
            };
            forming.labels.iter().zip(&self.columns).zip(&widenings).map(widening).sum::<f64>()
        };
        let costs = self.classes.iter().enumerate().map(|(class, forming)| (cost(forming), class));
        let mut costs: Vec<(f64, usize)> = costs.filter(|(cost, _)| cost.is_finite()).collect();
        if costs.len() > TRIES {
            // Whatever ties with the last of them may come before it.
            let last = costs.select_nth_unstable_by(TRIES - 1, |one, other| one.0.total_cmp(&other.0)).1.0;
            costs.retain(|&(cost, _)| !exceeds(cost, last));
        }
        sort_by_loss(&mut costs);
        costs.into_iter().take(TRIES).map(|(_, class)| class).collect()
    }

    fn stays_valid(&mut self, base: usize, class: usize) -> bool {
        let set = &self.task.table.base;
        let forming = &mut self.classes[class];
        let entries = |member: usize| {
            let (tuples, counts) = set.entries(member);
            tuples.iter().copied().zip(counts.iter().copied())
        };
        let news = forming.members[forming.counted..].iter().flat_map(|&member| entries(member));
        forming.held = summed(forming.held.iter().copied().chain(news).collect());
        forming.counted = forming.members.len();
        let joined = summed(forming.held.iter().copied().chain(entries(base)).collect());
        let (tuples, counts): (Vec<u32>, Vec<u64>) = joined.into_iter().unzip();
        let class = EquivalenceClass::new(set.sensitive(), &tuples, &counts);
        accepts_all(self.task.requirements, &class, &self.profile)
    }

    /// The classes with everybody in them.
    pub fn into_grouping(self) -> Grouping {
        let Self { task, columns, mut grouping, classes, .. } = self;
        for forming in classes {
            let labels =
                forming.labels.iter().zip(&columns).map(|(&label, shown)| shown.labels[label as usize].clone());
            let class = grouping.class(labels);
            forming.members.into_iter().for_each(|base| assign(&mut grouping, task, base, Some(class)));
        }
        grouping
    }
}

impl Shown<'_> {
    fn place(&mut self, label: Label) -> u32 {
        if let Some(&place) = self.places.get(&label) {
            return place;
        }
        let place = self.labels.len() as u32;
        self.labels.push(label.clone());
        self.places.insert(label, place);
        place
    }

    /// The place of a label that covers one value more than another.
    fn joined(&mut self, label: u32, code: u32) -> u32 {
        let joined = self.cover.with(&self.labels[label as usize], code);
        self.place(joined)
    }

    /// How much wider each label becomes if it is to cover a value; nothing where none may do so.
    fn widenings(&self, code: u32) -> Vec<Option<Widening>> {
        let widening = |label: &Label| {
            let joined = self.cover.with(label, code);
            let leaves = |label: &Label| self.cover.covered(label).leaves as f64;
            self.cover.allows(&joined).then(|| Widening { before: leaves(label), after: leaves(&joined) })
        };
        self.labels.iter().map(widening).collect()
    }

    fn domain(&self) -> f64 {
        self.cover.column().hierarchy.domain_size() as f64
    }
}

/// Sorted by tuple, each of them once.
fn summed(mut entries: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    entries.sort_unstable_by_key(|entry| entry.0);
    entries.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        kept.1 += if is_same { next.1 } else { 0 };
        is_same
    });
    entries
}

/// Puts all records of a class of the base into a class, or suppresses them.
fn assign(grouping: &mut Grouping, task: &Task<'_>, base: usize, class: Option<u32>) {
    let set = &task.table.base;
    let (shown, counts) = set.entries(base);
    for (place, (&shows, &count)) in shown.iter().zip(counts).enumerate() {
        grouping.assign(Assignment { tuple: (set.first_entry(base) + place) as u32, class, shows, count });
    }
}
