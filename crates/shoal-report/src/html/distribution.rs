//! Which groups of values is a column drawn in, and how many rows are in each, before and after?

use std::ops::RangeInclusive;

use super::Subject;
use super::figure::Bar;
use crate::label_order::{compare, ends, is_ordered};
use crate::plot::round_step;
use crate::safe::{GroupShown, Safe, Share, say};
use shoal::audit::ShownColumn;
use shoal::policy::Policy;
use shoal::utility::ComparedColumn;

/// A column in groups.
pub(super) struct Distribution {
    pub(super) bars: Vec<Bar>,
    pub(super) note: Safe,
}

/// No more bars than that.
const MOST_BARS: usize = 14;

/// Numbers are drawn in about so many groups.
const NUMBER_BARS: f64 = 10.0;

/// One group: what it is called, what the release has in it, and what of the original can be.
struct Group {
    label: Safe,
    released: f64,
    /// Rows of the release that are surely in it.
    certain: u64,
    /// Rows that can be.
    possible: u64,
    original: u64,
}

impl Group {
    fn new(label: Safe) -> Self {
        Self { label, released: 0.0, certain: 0, possible: 0, original: 0 }
    }
}

impl Distribution {
    /// That of a column, by its place among those that are shown.
    pub(super) fn new(subject: &Subject<'_>, column: usize) -> Self {
        let shown = &subject.audit.shown[column];
        let compared = subject.audit.utility.as_ref().map(|utility| &utility.compared.columns[column]);
        let means = shows_means(subject) && column < subject.audit.shown.len() - subject.sensitive_count();
        let exclusive = compared.is_some_and(|compared| compared.is_exclusive && !(compared.is_number && means));
        let occurring = shown.labels.iter().filter(|label| label.1 > 0).count();
        let by_number = occurring > MOST_BARS || (compared.is_some() && !exclusive);
        let numbers = by_number.then(|| Numbers::new(shown, exclusive, compared)).flatten();
        let (groups, tells_before, mut notes) = match numbers {
            Some(numbers) => {
                let values = compared.and_then(|compared| value_numbers(shown, compared, exclusive));
                let groups = numbers.groups(shown, values.as_deref().zip(compared.map(|compared| &*compared.rows)));
                (groups, values.is_some(), numbers.notes(shown))
            }
            None => (by_label(subject, shown, compared.filter(|_| exclusive)), exclusive, Vec::new()),
        };
        let bars = bars(subject, &groups, tells_before);
        if tells_before {
            notes.extend(untold(&bars));
        }
        Self { bars, note: Safe::joined(&notes, " ") }
    }
}

/// Why something is not told of the original, if it is not.
fn untold(bars: &[Bar]) -> Option<Safe> {
    let told = bars.iter().filter(|bar| bar.1.is_some()).count();
    Some(Safe::words(match told {
        _ if told == bars.len() => return None,
        0 => "Of the original no more can be told than the release itself leaves open.",
        _ => "“–” in the table, and no bar: of the original no more can be told than the release itself leaves open.",
    }))
}

/// The number that each value of the original is grouped by: its own, or, as with dates shown as years, that of the one label
/// that covers it.
fn value_numbers(shown: &ShownColumn, compared: &ComparedColumn, exclusive: bool) -> Option<Vec<Option<f64>>> {
    if compared.is_number {
        return compared.numbers.clone();
    }
    let of_label = |label: u32| ends(&shown.labels[label as usize].0).map(|ends| ends.0);
    let of_value = |covering: &Vec<u32>| covering.first().copied().and_then(of_label);
    exclusive.then(|| compared.covering.iter().map(of_value).collect())
}

/// A mean looks like a value, and need not be one.
fn shows_means(subject: &Subject<'_>) -> bool {
    let may = |policy: &Policy| policy.method.method.showing(policy.method.style).stand_ins.numbers;
    subject.report.policy.is_none_or(may)
}

fn bars(subject: &Subject<'_>, groups: &[Group], tells_before: bool) -> Vec<Bar> {
    let released = subject.audit.rows;
    let original = subject.audit.utility.as_ref().map(|utility| utility.rows).filter(|_| tells_before);
    let bar = |group: &Group| {
        let after = Share::of_release(group.released, released);
        let shown = GroupShown { certain: group.certain, possible: group.possible, rows: released };
        let before = original.and_then(|rows| subject.rule.share_before(group.original, shown, rows));
        (group.label.clone(), before, after)
    };
    groups.iter().map(bar).collect()
}

/// A group for each label, the rarest together.
fn by_label(subject: &Subject<'_>, shown: &ShownColumn, compared: Option<&ComparedColumn>) -> Vec<Group> {
    let mut order: Vec<usize> = (0..shown.labels.len()).filter(|&label| shown.labels[label].1 > 0).collect();
    let text = |label: usize| shown.labels[label].0.as_str();
    let is_ordered = is_ordered(order.iter().map(|&label| text(label)));
    let rows = |label: usize| std::cmp::Reverse(shown.labels[label].1);
    order.sort_by_key(|&label| rows(label));
    let alone = if order.len() > MOST_BARS { MOST_BARS - 1 } else { order.len() };
    let (kept, rest) = order.split_at(alone);
    let mut kept = kept.to_vec();
    if is_ordered {
        kept.sort_by(|&a, &b| compare(text(a), text(b)));
    }
    let mut groups: Vec<Group> = Vec::new();
    for &label in &kept {
        let text = subject.shown.text(&shown.name, &shown.labels[label].0);
        // Labels come from the release; what it does not show is in no group.
        let Some(text) = text else { continue };
        groups.push(Group::new(text));
        add(groups.last_mut(), shown, compared, label);
    }
    if !rest.is_empty() {
        let others = Safe::whole_of_release(rest.len() as u64);
        groups.push(Group::new(say!("{} other values", others)));
        rest.iter().for_each(|&label| add(groups.last_mut(), shown, compared, label));
    }
    groups
}

fn add(group: Option<&mut Group>, shown: &ShownColumn, compared: Option<&ComparedColumn>, label: usize) {
    let Some(group) = group else { return };
    let rows = shown.labels[label].1;
    group.released += rows as f64;
    group.certain += rows;
    group.possible += rows;
    if let Some(compared) = compared {
        group.original += compared.covered[label].iter().map(|&value| compared.rows[value as usize]).sum::<u64>();
    }
}

/// Groups of numbers, whose edges follow from the release alone.
struct Numbers {
    /// The ends of each label that is a number or a range, and whether the upper one belongs to it.
    ends: Vec<Option<(f64, f64, bool)>>,
    /// Is a number the value of its row, rather than somewhere near?
    exact: bool,
    edges: Vec<f64>,
}

impl Numbers {
    /// None if few rows show numbers.
    fn new(shown: &ShownColumn, exact: bool, compared: Option<&ComparedColumn>) -> Option<Self> {
        let label_ends = |(at, (text, _)): (usize, &(String, u64))| {
            ends(text).filter(|ends| compared.is_none_or(|compared| holds_what_it_covers(*ends, compared, at)))
        };
        let ends: Vec<_> = shown.labels.iter().enumerate().map(label_ends).collect();
        let mut middles: Vec<(f64, u64)> = shown
            .labels
            .iter()
            .zip(&ends)
            .filter(|(label, _)| label.1 > 0)
            .filter_map(|((_, rows), ends)| ends.map(|(low, high, _)| (f64::midpoint(low, high), *rows)))
            .collect();
        middles.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (all, known) =
            (shown.labels.iter().map(|label| label.1).sum::<u64>(), middles.iter().map(|m| m.1).sum::<u64>());
        if known * 10 < all * 9 || middles.len() < 2 {
            return None;
        }
        let at = |share: f64| {
            let (wanted, mut so_far) = ((known as f64 * share) as u64, 0);
            let found = middles.iter().find(|(_, rows)| {
                so_far += rows;
                so_far > wanted
            });
            found.unwrap_or(&middles[middles.len() - 1]).0
        };
        let (low, high) = (at(0.01), at(0.99));
        let step = round_step((high - low) / NUMBER_BARS)?;
        let (first, last) = ((low / step).floor() as i64, (high / step).floor() as i64 + 1);
        Some(Self { ends, exact, edges: (first..=last).map(|at| at as f64 * step).collect() })
    }

    /// The group of a number: below the first edge, between two, or from the last on.
    fn group_of(&self, value: f64) -> usize {
        self.edges.partition_point(|&edge| edge <= value)
    }

    /// What whoever reads the groups should know.
    fn notes(&self, shown: &ShownColumn) -> Vec<Safe> {
        let mut notes = vec![Safe::words("From the first number up to, but not including, the second.")];
        let occurring = shown.labels.iter().zip(&self.ends).filter(|(label, _)| label.1 > 0);
        if occurring.filter_map(|(_, ends)| *ends).any(|ends| self.groups_of(ends).count() > 1) {
            notes.push(Safe::words(
                "A range that reaches into several groups counts for each by the part of it that lies there.",
            ));
        }
        notes
    }

    /// The groups that a label reaches into.
    fn groups_of(&self, (low, high, closed): (f64, f64, bool)) -> RangeInclusive<usize> {
        let (from, to) = (self.group_of(low), self.group_of(high));
        let ends_before = !closed && to > from && self.edges[to - 1] >= high;
        from..=if ends_before { to - 1 } else { to }
    }

    fn groups(&self, shown: &ShownColumn, values: Option<(&[Option<f64>], &[u64])>) -> Vec<Group> {
        let edge = |at: usize| Safe::number_of_release(self.edges[at]);
        let last = self.edges.len();
        let label = |at: usize| match at {
            0 => say!("below {}", edge(0)),
            _ if at == last => say!("{} or more", edge(last - 1)),
            _ => say!("{} to {}", edge(at - 1), edge(at)),
        };
        let mut groups: Vec<Group> = (0..=last).map(|at| Group::new(label(at))).collect();
        let mut other = Group::new(Safe::words("no number"));
        for ((_, rows), ends) in shown.labels.iter().zip(&self.ends).filter(|(label, _)| label.1 > 0) {
            self.add_label(&mut groups, &mut other, *ends, *rows);
        }
        if let Some((numbers, rows)) = values {
            for (value, rows) in numbers.iter().zip(rows) {
                if let Some(value) = value {
                    groups[self.group_of(*value)].original += rows;
                }
            }
        }
        let is_used = |group: &Group| group.released > 0.0;
        let from = groups.iter().position(is_used).unwrap_or(0);
        let to = groups.iter().rposition(is_used).map_or(0, |at| at + 1);
        groups.truncate(to.max(from));
        groups.drain(..from);
        groups
    }

    /// Adds the rows of a label to the groups it is in, or may be in.
    fn add_label(&self, groups: &mut [Group], other: &mut Group, ends: Option<(f64, f64, bool)>, rows: u64) {
        let Some((low, high, closed)) = ends else {
            other.released += rows as f64;
            groups.iter_mut().for_each(|group| group.possible += rows);
            return;
        };
        let (from, to) = self.groups_of((low, high, closed)).into_inner();
        if low == high && !self.exact {
            // A mean: its row is somewhere around.
            groups[from].released += rows as f64;
            groups.iter_mut().for_each(|group| group.possible += rows);
            return;
        }
        for (at, group) in groups.iter_mut().enumerate().take(to + 1).skip(from) {
            let start = if at == 0 { low } else { self.edges[at - 1].max(low) };
            let end = self.edges.get(at).map_or(high, |edge| edge.min(high));
            let share = if from == to { 1.0 } else { (end - start) / (high - low) };
            group.released += rows as f64 * share;
            group.possible += rows;
            group.certain += if from == to { rows } else { 0 };
        }
    }
}

/// Do the values that a label covers lie within its ends? A hierarchy from a file may say `[15, 19]` of 20.
fn holds_what_it_covers((low, high, closed): (f64, f64, bool), compared: &ComparedColumn, label: usize) -> bool {
    let (true, Some(numbers)) = (compared.is_number, &compared.numbers) else { return true };
    let numbers = compared.covered[label].iter().filter_map(|&value| numbers[value as usize]);
    // A mean covers no value, or one that has nothing to do with it.
    low == high || numbers.into_iter().all(|number| low <= number && (number < high || (closed && number == high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_certain_only_within_one_group() {
        let labels = vec![
            ("[0, 9]".to_owned(), 30),
            ("[5, 14]".to_owned(), 20),
            ("[10, 20)".to_owned(), 40),
            ("*".to_owned(), 3),
        ];
        let shown = ShownColumn { name: "age".into(), labels, is_number: false };
        let numbers = Numbers {
            ends: shown.labels.iter().map(|label| ends(&label.0)).collect(),
            exact: false,
            edges: vec![0.0, 10.0, 20.0],
        };
        let values = (vec![Some(3.0), Some(9.0), Some(10.0), None], vec![25, 10, 57, 1]);
        let groups = numbers.groups(&shown, Some((&*values.0, &*values.1)));
        let found: Vec<_> = groups.iter().map(|g| (g.certain, g.possible, g.original)).collect();
        // The star may be anybody; the range from 5 to 14 is in both groups, and surely in none.
        assert_eq!(found, [(30, 53, 35), (40, 63, 57)]);
        assert_eq!(groups[0].label.as_str(), "0 to 10");
        assert!((groups[0].released - (30.0 + 20.0 * 5.0 / 9.0)).abs() < 1e-9);
    }

    #[test]
    fn a_label_that_lies_about_its_values_says_nothing_about_where_they_are() {
        let compared = ComparedColumn {
            is_number: true,
            numbers: Some(vec![Some(16.0), Some(20.0), Some(25.0)]),
            covered: vec![vec![0, 1], vec![2]],
            ..ComparedColumn::default()
        };
        let labels = vec![("[15, 19]".to_owned(), 40), ("[25, 29]".to_owned(), 60)];
        let shown = ShownColumn { name: "age".into(), labels, is_number: false };
        let held = |at: usize| ends(&shown.labels[at].0).is_some_and(|ends| holds_what_it_covers(ends, &compared, at));
        assert_eq!([held(0), held(1)], [false, true], "20 is not from 15 to 19");
    }

    #[test]
    fn dates_are_grouped_by_the_years_that_they_are_shown_as() {
        let labels = vec![("1990".to_owned(), 3), ("1991".to_owned(), 4)];
        let shown = ShownColumn { name: "born".into(), labels, is_number: false };
        // Days are numbers, too, but not those of the labels.
        let compared = ComparedColumn {
            numbers: Some(vec![Some(726_500.0), Some(726_900.0), Some(727_500.0)]),
            covering: vec![vec![0], vec![1], vec![]],
            ..ComparedColumn::default()
        };
        let found = value_numbers(&shown, &compared, true);
        assert_eq!(found, Some(vec![Some(1990.0), Some(1991.0), None]), "one that no label shows is in no group");
        assert_eq!(value_numbers(&shown, &compared, false), None);
    }
}
