//! Which records must be left out so that all others together satisfy every requirement?

use std::cmp::Ordering;

use super::{Member, Task};
use crate::frequency::{CountedTable, EquivalenceClass, SensitiveTuples, TableProfile};
use crate::watch::Watch;

/// How many records of each entry of the base are left out: few enough for the task, and so that those who stay satisfy every
/// requirement as one class. Nothing if all do already, or no such records are found.
///
/// Whoever brings a release nearest to that for each record goes first: a few at a time, or all with the same sensitive
/// values, since some models ask which values are present at all; where that would be too many, only a few at a time. Where nobody
/// alone brings it nearer, as of two values that are both too frequent, all values of a column, or of every column, are made at most so
/// frequent; or
/// rare values go one after the other, since several may fail in the same way among other sensitive columns. Where none of this
/// helps, as of numbers that are all near each other, or fewer might do, whatever few could leave is tried.
///
/// Told to stop, it finds nothing.
pub(super) fn left_out(task: &Task<'_>, watch: &dyn Watch) -> Option<Vec<u64>> {
    let whole = Whole::new(task, watch);
    let (all, spare) = (whole.counts(), task.rows_to_spare().min(task.table.rows.saturating_sub(1)));
    if spare == 0 || whole.lacks(&all) == 0.0 {
        return None;
    }
    let one_by_one = || whole.stay(&all, spare, true).or_else(|| whole.stay(&all, spare, false));
    let capped = || (0..task.table.sensitive.len()).find_map(|column| whole.capped(&all, spare, column));
    let capped = || capped().or_else(|| whole.capped_in_all(&all, spare));
    let by_rule = one_by_one().or_else(capped).or_else(|| whole.without_rare_values(&all, spare));
    let leaving = |stay: &Vec<u64>| all.iter().sum::<u64>() - stay.iter().sum::<u64>();
    let fewer = by_rule.as_ref().map_or(spare, |stay| leaving(stay).saturating_sub(1));
    let stay = whole.by_trying(&all, fewer).or(by_rule)?;
    Some(of_entries(task.table, &all, &stay))
}

/// These classes without the records that are left out, of each entry so many; a class of which nobody stays is none.
pub(super) fn without(classes: Vec<Vec<Member>>, left_out: &mut [u64]) -> Vec<Vec<Member>> {
    let mut stays = |member: Member| {
        let leaving = member.count.min(left_out[member.tuple as usize]);
        left_out[member.tuple as usize] -= leaving;
        Member { count: member.count - leaving, ..member }
    };
    let mut of_class = |class: Vec<Member>| -> Vec<Member> {
        class.into_iter().map(&mut stays).filter(|member| member.count > 0).collect()
    };
    classes.into_iter().map(&mut of_class).filter(|class| !class.is_empty()).collect()
}

/// Large tables lose this part of their records at a time.
const STEPS: u64 = 1024;
/// Of more sensitive tuples than this, only the most frequent and the rarest are asked.
const MOST_TUPLES: usize = 256;

/// No more sets of records than this are tried.
const MOST_SETS: usize = 4096;

/// All records of a table as one class.
struct Whole<'a> {
    task: &'a Task<'a>,
    tuples: &'a SensitiveTuples,
    profile: TableProfile,
    depends_on_release: bool,
    watch: &'a dyn Watch,
}

/// A value of a sensitive column, and how many records have it.
struct Value {
    column: usize,
    code: u32,
    records: u64,
}

/// Some records with a sensitive tuple that leave, and how far the others then are from what is required.
struct Step {
    tuple: usize,
    records: u64,
    lacks: f64,
}

impl<'a> Whole<'a> {
    fn new(task: &'a Task<'a>, watch: &'a dyn Watch) -> Self {
        let (tuples, profile) = (task.table.base.sensitive(), task.table.profile());
        let depends_on_release = task.requirements.iter().any(|requirement| requirement.model.depends_on_release());
        Self { task, tuples, profile, depends_on_release, watch }
    }

    /// The number of records with each sensitive tuple.
    fn counts(&self) -> Vec<u64> {
        let base = &self.task.table.base;
        let mut counts = vec![0; self.tuples.len()];
        for class in 0..base.classes() {
            let (tuples, of_class) = base.entries(class);
            tuples.iter().zip(of_class).for_each(|(&tuple, &count)| counts[tuple as usize] += count);
        }
        counts
    }

    /// How many records of each sensitive tuple stay if those leave who bring the others nearest to what is required, until
    /// they satisfy it; nothing if more than `spare` would leave.
    fn stay(&self, all: &[u64], mut spare: u64, by_tuple: bool) -> Option<Vec<u64>> {
        let (mut stay, mut lacks) = (all.to_vec(), self.lacks(all));
        while lacks > 0.0 && !self.watch.is_stopped() {
            let step = self.best_step(&stay, by_tuple, lacks).filter(|step| step.records <= spare)?;
            stay[step.tuple] -= step.records;
            spare -= step.records;
            lacks = step.lacks;
        }
        (lacks <= 0.0).then_some(stay)
    }

    /// How many records of each sensitive tuple stay if no value of a column has more than a number of them: the largest number
    /// with which those who stay satisfy what is required. Nothing if more than `spare` would leave.
    fn capped(&self, all: &[u64], spare: u64, column: usize) -> Option<Vec<u64>> {
        let mut of_value = vec![0; self.task.table.sensitive[column].codes()];
        let code = |tuple: usize| self.tuples.tuple(tuple as u32)[column] as usize;
        all.iter().enumerate().for_each(|(tuple, &count)| of_value[code(tuple)] += count);
        let with_cap = |cap: u64| {
            let mut stay = all.to_vec();
            let mut open: Vec<u64> = of_value.iter().map(|&count: &u64| count.saturating_sub(cap)).collect();
            for tuple in most_frequent_first(all) {
                let leaving = stay[tuple].min(open[code(tuple)]);
                open[code(tuple)] -= leaving;
                stay[tuple] -= leaving;
            }
            stay
        };
        let highest = of_value.iter().copied().max().unwrap_or(0);
        let step = (highest / STEPS).max(1);
        let mut cap = highest;
        while cap > 1 && !self.watch.is_stopped() {
            cap = cap.saturating_sub(step).max(1);
            let stay = with_cap(cap);
            if all.iter().sum::<u64>() - stay.iter().sum::<u64>() > spare {
                return None;
            }
            if self.lacks(&stay) == 0.0 {
                return Some(stay);
            }
        }
        None
    }

    /// The same for the values of all columns at once. Whose values are rarest stay first, so that as many as possible do.
    fn capped_in_all(&self, all: &[u64], spare: u64) -> Option<Vec<u64>> {
        let columns = &self.task.table.sensitive;
        let codes = |tuple: usize| self.tuples.tuple(tuple as u32).iter().map(|&code| code as usize);
        let mut of_values: Vec<Vec<u64>> = columns.iter().map(|column| vec![0; column.codes()]).collect();
        for (tuple, &count) in all.iter().enumerate() {
            of_values.iter_mut().zip(codes(tuple)).for_each(|(counts, code)| counts[code] += count);
        }
        let mut rarest_first: Vec<usize> = (0..all.len()).filter(|&tuple| all[tuple] > 0).collect();
        let frequency =
            |tuple: usize| of_values.iter().zip(codes(tuple)).map(|(counts, code)| counts[code]).sum::<u64>();
        rarest_first.sort_by_key(|&tuple| (frequency(tuple), tuple));
        let with_cap = |cap: u64| {
            let mut room: Vec<Vec<u64>> = columns.iter().map(|column| vec![cap; column.codes()]).collect();
            let mut stay = vec![0; all.len()];
            for &tuple in &rarest_first {
                let open = room.iter().zip(codes(tuple)).map(|(room, code)| room[code]).min().unwrap_or(0);
                stay[tuple] = all[tuple].min(open);
                room.iter_mut().zip(codes(tuple)).for_each(|(room, code)| room[code] -= stay[tuple]);
            }
            stay
        };
        let total = all.iter().sum::<u64>();
        let mut cap = of_values.iter().flatten().copied().max().unwrap_or(0);
        let step = (cap / STEPS).max(1);
        while cap > 1 && !self.watch.is_stopped() {
            cap = cap.saturating_sub(step).max(1);
            let stay = with_cap(cap);
            if total - stay.iter().sum::<u64>() > spare {
                return None;
            }
            if self.lacks(&stay) == 0.0 {
                return Some(stay);
            }
        }
        None
    }

    /// How many records of each sensitive tuple stay if whole values leave, those first that bring the others nearest to what is
    /// required, or at least not farther from it, and of these the rarest; the rarest of all where each alone brings them farther, as of
    /// two that must both be gone. Nothing if more than `spare` would leave.
    fn without_rare_values(&self, all: &[u64], mut spare: u64) -> Option<Vec<u64>> {
        let (mut stay, mut lacks) = (all.to_vec(), self.lacks(all));
        while lacks > 0.0 && !self.watch.is_stopped() {
            let left = stay.iter().sum::<u64>();
            let values = self.rarest_values(&stay).into_iter().filter(|value| value.records < left);
            let steps: Vec<(f64, u64, Vec<u64>)> = values
                .map(|value| {
                    let has_value = |tuple: usize| self.tuples.tuple(tuple as u32)[value.column] == value.code;
                    let after: Vec<u64> = (0..stay.len()).map(|at| if has_value(at) { 0 } else { stay[at] }).collect();
                    (self.lacks(&after), value.records, after)
                })
                .collect();
            let order = |(left, records, _): &(f64, u64, Vec<u64>)| {
                (if *left <= lacks { *left } else { f64::INFINITY }, *records)
            };
            let best = steps.into_iter().min_by(|a, b| order(a).partial_cmp(&order(b)).unwrap_or(Ordering::Equal));
            let (after_lacks, records, after) = best?;
            spare = spare.checked_sub(records)?;
            (lacks, stay) = (after_lacks, after);
        }
        (lacks <= 0.0).then_some(stay)
    }

    /// How many records of each sensitive tuple stay if the fewest leave with whom gone the others satisfy what is required: all sets of
    /// one record are tried, then all of two, as long as there are not too many.
    fn by_trying(&self, all: &[u64], spare: u64) -> Option<Vec<u64>> {
        let mut sets: Vec<Vec<usize>> = vec![Vec::new()];
        let mut left = MOST_SETS;
        for _ in 0..spare {
            let larger = |set: &Vec<usize>| {
                let first = set.last().copied().unwrap_or(0);
                let set = set.clone();
                let stays = |tuple: &usize| set.iter().filter(|&other| other == tuple).count() < all[*tuple] as usize;
                let more: Vec<usize> = (first..all.len()).filter(stays).collect();
                more.into_iter().map(move |tuple| [set.as_slice(), &[tuple]].concat())
            };
            sets = sets.iter().flat_map(larger).take(left + 1).collect();
            left = left.checked_sub(sets.len())?;
            for set in &sets {
                if self.watch.is_stopped() {
                    return None;
                }
                let mut stay = all.to_vec();
                set.iter().for_each(|&tuple| stay[tuple] -= 1);
                if self.lacks(&stay) == 0.0 {
                    return Some(stay);
                }
            }
        }
        None
    }

    /// The values that some records still have, the rarest first; of very many only those.
    fn rarest_values(&self, stay: &[u64]) -> Vec<Value> {
        let mut values = Vec::new();
        for (column, known) in self.task.table.sensitive.iter().enumerate() {
            let mut of_code = vec![0; known.codes()];
            let tuples = stay.iter().enumerate();
            tuples.for_each(|(at, &count)| of_code[self.tuples.tuple(at as u32)[column] as usize] += count);
            let value = |(code, &records): (usize, &u64)| Value { column, code: code as u32, records };
            values.extend(of_code.iter().enumerate().map(value).filter(|value| value.records > 0));
        }
        values.sort_by_key(|value| (value.records, value.column, value.code));
        values.truncate(MOST_TUPLES);
        values
    }

    /// How far so many records of each sensitive tuple are from what is required of them as one class, and as the release.
    fn lacks(&self, counts: &[u64]) -> f64 {
        let present: Vec<u32> = (0..counts.len() as u32).filter(|&tuple| counts[tuple as usize] > 0).collect();
        let of_present: Vec<u64> = present.iter().map(|&tuple| counts[tuple as usize]).collect();
        let class = EquivalenceClass::new(self.tuples, &present, &of_present);
        let released = self.depends_on_release.then(|| self.released(&class));
        let profile = released.as_ref().unwrap_or(&self.profile);
        self.task.requirements.iter().map(|requirement| requirement.lacks(&class, profile)).sum()
    }

    fn released(&self, class: &EquivalenceClass<'_>) -> TableProfile {
        self.profile.with_only(&self.task.table.sensitive, class)
    }

    /// What brings those who stay nearest to what is required, for each record; nothing if nothing brings them nearer. All with
    /// the same sensitive tuple may leave at once only `by_tuple`.
    fn best_step(&self, stay: &[u64], by_tuple: bool, before: f64) -> Option<Step> {
        let few = (self.task.table.rows / STEPS).max(1);
        let mut best: Option<(f64, Step)> = None;
        for tuple in candidates(stay) {
            for records in [few.min(stay[tuple]), stay[tuple]].into_iter().take(1 + usize::from(by_tuple)) {
                let step = self.step(stay, tuple, records);
                let gained = (before - step.lacks) / step.records as f64;
                let is_better = best.as_ref().is_none_or(|(most, _)| gained > *most);
                if gained > 0.0 && is_better {
                    best = Some((gained, step));
                }
            }
        }
        let (_, step) = best?;
        Some(if step.lacks > 0.0 { step } else { self.fewest(stay, step) })
    }

    fn step(&self, stay: &[u64], tuple: usize, records: u64) -> Step {
        let mut after = stay.to_vec();
        after[tuple] -= records;
        let lacks = if after.iter().all(|&count| count == 0) { f64::INFINITY } else { self.lacks(&after) };
        Step { tuple, records, lacks }
    }

    /// Where a step is enough, no more records than it takes.
    fn fewest(&self, stay: &[u64], enough: Step) -> Step {
        let (mut too_few, mut enough) = (0, enough);
        while too_few + 1 < enough.records {
            let step = self.step(stay, enough.tuple, too_few.midpoint(enough.records));
            if step.lacks > 0.0 { too_few = step.records } else { enough = step }
        }
        enough
    }
}

/// The sensitive tuples that occur; of very many, the most frequent and the rarest.
fn candidates(stay: &[u64]) -> Vec<usize> {
    let mut present = most_frequent_first(stay);
    if present.len() > MOST_TUPLES {
        present.drain(MOST_TUPLES / 2..present.len() - MOST_TUPLES / 2);
    }
    present
}

fn most_frequent_first(counts: &[u64]) -> Vec<usize> {
    let mut present: Vec<usize> = (0..counts.len()).filter(|&tuple| counts[tuple] > 0).collect();
    present.sort_by_key(|&tuple| (std::cmp::Reverse(counts[tuple]), tuple));
    present
}

/// For each entry of the base, how many of its records are left out. Of those with the same sensitive values it is those who
/// share their quasi-identifiers with fewest others: they would make labels wide.
fn of_entries(table: &CountedTable, counts: &[u64], stay: &[u64]) -> Vec<u64> {
    let base = &table.base;
    let mut open: Vec<u64> = counts.iter().zip(stay).map(|(all, stay)| all - stay).collect();
    let mut classes: Vec<usize> = (0..base.classes()).collect();
    classes.sort_by_key(|&class| (base.sizes()[class], class));
    let mut left_out = vec![0; base.tuples()];
    for class in classes {
        let (tuples, counts) = base.entries(class);
        let first = base.first_entry(class);
        for (place, (&tuple, &count)) in tuples.iter().zip(counts).enumerate() {
            let leaving = count.min(open[tuple as usize]);
            open[tuple as usize] -= leaving;
            left_out[first + place] = leaving;
        }
    }
    left_out
}
