//! Are lines cut where least is lost, and are groups taken off them as the paper says?

use crate::tables::{Plan, Quasi, Sensitive, flat, random, requirement};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::method::one_dimensional::OneDimensional;
use shoal_core::method::{Ends, LabelStyle, Method, Task};
use shoal_core::objective::Loss;
use shoal_core::watch::Unwatched;

const DOMAIN: u64 = 12;

/// A table of numbers from 0 to 11 and sensitive values: on a line as they are.
fn plan(rows: &[(u64, &str)]) -> Plan {
    let quasi = vec![Quasi::new("number", flat((0..DOMAIN).map(|number| number.to_string())))];
    let rows = rows.iter().map(|(number, value)| vec![number.to_string(), (*value).to_owned()]).collect();
    Plan { quasi, sensitive: vec![Sensitive::new("value", None)], rows }
}

/// The labels of the classes and how many records each has, in the order of the table.
fn classes(plan: &Plan, id: &str, parameters: &str) -> Vec<(String, u64)> {
    let table = plan.count();
    let requirements = [requirement(&table, id, 0, parameters)];
    let style = LabelStyle { ends: Ends::Exact, ..LabelStyle::default() };
    let task = Task { style, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
    let partition = OneDimensional {}.partition(&task, &Unwatched).expect("there is a release");
    let label = |class: usize| partition.classes.text(&table, class as u32, 0).into_owned();
    partition.class_sizes().into_iter().enumerate().map(|(class, size)| (label(class), size)).collect()
}

/// What the best way to cut sorted numbers between different ones loses: for each record, how many steps its run is long.
fn least_loss(numbers: &[u64], k: usize) -> Option<u64> {
    if numbers.is_empty() {
        return Some(0);
    }
    let ends = (k..=numbers.len()).filter(|&end| end == numbers.len() || numbers[end - 1] != numbers[end]);
    let loss = |end: usize| {
        let run = end as u64 * (numbers[end - 1] - numbers[0]);
        least_loss(&numbers[end..], k).map(|rest| rest + run)
    };
    ends.filter_map(loss).min()
}

proptest! {
    #![proptest_config(random::cases(300))]

    #[test]
    fn no_cut_loses_less(numbers in prop::collection::vec(0..DOMAIN, 4..=14), k in 2..=4usize) {
        let mut numbers = numbers;
        numbers.sort_unstable();
        let rows: Vec<(u64, &str)> = numbers.iter().map(|&number| (number, "x")).collect();
        let length = |label: &str| {
            let ends: Vec<u64> = label.trim_matches(['[', ']']).split(", ").filter_map(|end| end.parse().ok()).collect();
            ends[ends.len() - 1] - ends[0]
        };
        let classes = classes(&plan(&rows), "k-anonymity", &format!("{{ k = {k} }}"));
        let lost: u64 = classes.iter().map(|(label, size)| size * length(label)).sum();
        prop_assert_eq!(Some(lost), least_loss(&numbers, k), "{:?}", classes);
    }
}

#[test]
fn a_line_is_cut_at_its_gaps() {
    let rows = [0, 1, 2, 7, 8, 11, 11].map(|number| (number, "x"));
    let expected = [("[0, 2]", 3), ("[7, 8]", 2), ("11", 2)].map(|(label, size)| (label.to_owned(), size));
    assert_eq!(classes(&plan(&rows), "k-anonymity", "{ k = 2 }"), expected);
}

/// The first of each value that wait, wherever they stand: 0, 2 and 4; then 1, 3 and 5.
#[test]
fn a_group_takes_the_first_of_each_value() {
    let rows = [(0, "a"), (1, "a"), (2, "b"), (3, "b"), (4, "c"), (5, "c")];
    let expected = [("[0, 4]", 3), ("[1, 5]", 3)].map(|(label, size)| (label.to_owned(), size));
    assert_eq!(classes(&plan(&rows), "simple-l-diversity", "{ l = 3 }"), expected);
}

/// Half of all records have `b`. Were the first two, `a` and `c`, a group, the others could not be grouped any more; so `b`,
/// the fullest bucket, comes first, with `a`, the next. Then the first of those that wait do again: 1 and 3, 4 and 5.
#[test]
fn nobody_is_left_alone_with_too_frequent_a_value() {
    let rows = [(0, "a"), (1, "c"), (2, "b"), (3, "b"), (4, "a"), (5, "b")];
    let expected = [("[0, 2]", 2), ("[1, 3]", 2), ("[4, 5]", 2)];
    let mut found = classes(&plan(&rows), "simple-l-diversity", "{ l = 2 }");
    found.sort();
    let mut expected = expected.map(|(label, size)| (label.to_owned(), size));
    expected.sort();
    assert_eq!(found, expected);
}
