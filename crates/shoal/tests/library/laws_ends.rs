//! Do ranges end at round numbers and dates, and at nobody's own value merely because a range had to end there?

use std::collections::{BTreeSet, HashSet};

use crate::tables::naive_labels::covered;
use crate::tables::{Plan, Quasi, Sensitive, flat, requirement};
use chrono::Datelike;
use proptest::prelude::*;
use rust_decimal::Decimal;
use shoal::linking::covers;
use shoal_core::exact::Ratio;
use shoal_core::hierarchy::{ColumnValues, Hierarchy, HierarchySpec, Quantiles};
use shoal_core::method::mondrian::{Choose, Cuts, Mondrian};
use shoal_core::method::{Categories, Ends, Label, LabelStyle, METHODS, Method, Task};
use shoal_core::objective::Loss;
use shoal_core::table::{Dictionary, RoundEnds};
use shoal_core::watch::Unwatched;

/// Numbers that look random and are the same in every run.
fn scattered() -> impl Iterator<Item = u64> {
    (1u64..).map(|place| place.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23).wrapping_mul(0xd6e8_feb8_6659_fd93))
}

/// Places in a town, with fifteen digits after the point, and when somebody there was born; every value is one person's.
fn places() -> Plan {
    let mut numbers = scattered();
    let mut digits = |digits: u64| numbers.next().expect("there are enough") % digits;
    let mut rows: Vec<Vec<String>> = Vec::new();
    for person in 0..302 {
        let (north, east) = (digits(400_000_000_000_000), digits(600_000_000_000_000));
        let days =
            |days: i64| chrono::NaiveDate::from_ymd_opt(1930, 1, 1).expect("a date") + chrono::TimeDelta::days(days);
        let born = days(97 * person + digits(90) as i64);
        // The first of a month is round itself.
        let born = if born.day() == 1 { born.succ_opt().expect("there is a next day") } else { born };
        let cells = [format!("48.{:015}", north + 1), format!("-11.{:015}", east + 1), born.to_string()];
        rows.push(cells.into_iter().chain([digits(4).to_string()]).collect());
    }
    let paths = |column: usize| flat(rows.iter().map(|row| row[column].clone()).collect::<BTreeSet<_>>());
    let quasi = ["north", "east", "born"].iter().enumerate().map(|(at, name)| Quasi::new(name, paths(at))).collect();
    Plan { quasi, sensitive: vec![Sensitive::new("condition", None)], rows }
}

/// The ends of a range, as they are written.
fn ends(label: &str) -> Option<(&str, &str)> {
    label.strip_prefix('[')?.strip_suffix([')', ']'])?.split_once(", ")
}

#[test]
fn no_range_of_any_method_ends_with_somebodys_value_unless_that_is_asked_for() {
    let plan = places();
    let table = plan.count();
    let requirements = [
        requirement(&table, "k-anonymity", 0, "{ k = 5 }"),
        requirement(&table, "distinct-l-diversity", 0, "{ l = 2 }"),
    ];
    let max_suppressed = Ratio::written(0.1).expect("a decimal");
    let mut ranges = [0, 0];
    for (at, style_ends) in [Ends::Rounded, Ends::Exact].into_iter().enumerate() {
        let style = LabelStyle { ends: style_ends, ..LabelStyle::default() };
        let task = Task { style, ..Task::new(&table, &requirements, &Loss, max_suppressed) };
        for entry in METHODS {
            let Ok(partition) = (entry.default)().partition(&task, &Unwatched) else { continue };
            for column in 0..partition.classes.columns() {
                let values: HashSet<&str> =
                    table.quasi[column].dictionary.values().iter().map(String::as_str).collect();
                for label in partition.classes.labels(column) {
                    let text = label.text(&table.quasi[column]);
                    let Some((low, high)) = ends(&text) else { continue };
                    ranges[at] += 1;
                    let shown = [low, high].map(|end| values.contains(end));
                    assert_eq!(shown, [style_ends == Ends::Exact; 2], "{} shows {text}", entry.id());
                    assert_eq!(matches!(label, Label::Between { .. }), style_ends == Ends::Rounded);
                }
            }
        }
    }
    assert!(ranges[0] > 100 && ranges[1] > 100, "{ranges:?}");
}

#[test]
fn rounding_costs_little() {
    let plan = places();
    let table = plan.count();
    let requirements = [requirement(&table, "k-anonymity", 0, "{ k = 5 }")];
    let loss = |ends| {
        let style = LabelStyle { ends, ..LabelStyle::default() };
        let task = Task { style, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
        let partition = Mondrian::default().partition(&task, &Unwatched).expect("there is a release");
        partition.objectives.iter().find(|(id, _)| *id == "loss").expect("every objective").1
    };
    let (rounded, exact) = (loss(Ends::Rounded), loss(Ends::Exact));
    println!("loss {rounded} with rounded ends, {exact} with exact ones");
    assert!(rounded < 1.1 * exact, "{rounded} against {exact}");
}

fn decimals() -> impl Strategy<Value = Vec<String>> {
    let number =
        (-9_999_999_i64..9_999_999, 0_u32..7).prop_map(|(digits, scale)| Decimal::new(digits, scale).to_string());
    let whole = (-300_i64..300).prop_map(|number| number.to_string());
    prop_oneof![prop::collection::vec(number, 1..80), prop::collection::vec(whole, 1..80)]
}

fn dates() -> impl Strategy<Value = Vec<String>> {
    let date = |days: i64| (chrono::NaiveDate::default() + chrono::TimeDelta::days(days)).to_string();
    (1_i64..30_000).prop_flat_map(move |most| prop::collection::vec((-most..most).prop_map(date), 1..80))
}

/// Ranges of equal frequency over these values.
fn quantiles(dictionary: &Dictionary, groups: &[u32]) -> Hierarchy {
    let counts: Vec<u64> = (0..dictionary.len() as u64).map(|code| 1 + code * code % 7).collect();
    let column = ColumnValues { name: "c", dictionary, counts: &counts, may_print: true };
    let spec = HierarchySpec::Quantiles(Quantiles::of_groups(groups.iter().copied()));
    spec.build(&column, std::path::Path::new("")).expect("numbers have quantiles")
}

/// From where to where a label reaches: `[20, 30)`, or a number by itself.
fn reach(label: &str) -> (Decimal, Decimal) {
    let number = |text: &str| text.parse::<Decimal>().expect("an end is a number");
    ends(label).map_or_else(|| (number(label), number(label)), |(low, high)| (number(low), number(high)))
}

/// How round a whole number is: the place of the largest of 1, 2, 5, 10, 20, .. that divides it.
fn roundness(number: i64) -> usize {
    let steps = (0..18).flat_map(|power| [1, 2, 5].map(|times| times * 10_i64.pow(power)));
    steps.enumerate().filter(|(_, step)| number % step == 0).map(|(place, _)| place).last().unwrap_or(0)
}

proptest! {
    #![proptest_config(crate::tables::random::cases(60))]

    /// The label of every range of equal frequency covers the values of its group and no others, for whoever reads it, and
    /// lies within the label above it.
    #[test]
    fn quantiles_cover_their_groups_and_nest(values in decimals(), groups in prop::sample::subsequence(vec![9, 5, 3, 2], 1..=4)) {
        let dictionary = Dictionary::new(values, None, false);
        let hierarchy = quantiles(&dictionary, &groups);
        for (level, above) in (1..=groups.len()).map(|level| (hierarchy.level(level), hierarchy.level(level + 1))) {
            for (node, label) in (0..).zip(level.labels()) {
                let covering = covers(std::slice::from_ref(label), &dictionary, None);
                for (code, labels) in (0..).zip(&covering) {
                    prop_assert_eq!(!labels.is_empty(), level.node_of(code) == node, "{} and {}", label, dictionary.value(code));
                }
                let leaf = (0..).find(|&code| level.node_of(code) == node).expect("a group holds a value");
                let parent = above.label(above.node_of(leaf));
                if parent != "*" {
                    let ((low, high), (from, below)) = (reach(label), reach(parent));
                    prop_assert!(from <= low && (high <= below), "{} in {}", label, parent);
                }
            }
        }
    }

    /// An end is somebody's own value only where that is by far the roundest number that it can be: no free one is as round,
    /// or rounder than the second step below.
    #[test]
    fn an_end_is_a_value_only_where_it_is_far_rounder_than_what_is_free(
        numbers in prop::collection::btree_set(2_i64..3000, 2..60),
        groups in 2_u32..9,
    ) {
        // With 1 among them, not all are multiples of anything.
        let numbers: Vec<i64> = [1].into_iter().chain(numbers).collect();
        let dictionary = Dictionary::new(numbers.iter().map(ToString::to_string), None, false);
        let hierarchy = quantiles(&dictionary, &[groups]);
        let round = RoundEnds::new(&dictionary);
        let last = dictionary.len() as u32 - 1;
        let by_code = |code: u32| round.around(code, last).0 == code;
        let labels = (0..=last).filter(|&code| by_code(code)).map(|code| round.text(code, last, dictionary.column_type()));
        let labels: Vec<String> = labels.chain(hierarchy.level(1).labels().iter().cloned()).collect();
        for (low, _) in labels.iter().filter_map(|label| ends(label)) {
            let low: i64 = low.parse().expect("whole numbers have whole ends");
            let Ok(place @ 1..) = numbers.binary_search(&low) else { continue };
            for free in numbers[place - 1] + 1..low {
                prop_assert!(roundness(free) + 2 <= roundness(low), "{free} is free, and {low} is not");
            }
        }
    }

    /// What a label says is what it covers: whoever reads `[20, 30)` finds the values that it was made for.
    #[test]
    fn a_range_reads_back_as_the_values_it_was_made_for(
        values in prop_oneof![decimals(), dates()],
        picks in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 1..8),
    ) {
        let dictionary = Dictionary::new(values, None, false);
        let ends = RoundEnds::new(&dictionary);
        for (one, other) in picks {
            let (one, other) = (one.index(dictionary.len()) as u32, other.index(dictionary.len()) as u32);
            let (first, last) = ends.around(one.min(other), one.max(other));
            prop_assert!(first <= one.min(other) && last >= one.max(other));
            prop_assert_eq!(ends.around(first, last), (first, last), "rounding twice changes nothing");
            let label = [ends.text(first, last, dictionary.column_type())];
            let covering = covers(&label, &dictionary, None);
            for code in 0..dictionary.len() as u32 {
                let is_within = (first..=last).contains(&code);
                prop_assert_eq!(!covering[code as usize].is_empty(), is_within, "{} and {}", &label[0], dictionary.value(code));
            }
        }
    }

    /// Cuts alone give classes that no row could be in two of.
    #[test]
    fn classes_that_cuts_made_are_disjoint(
        numbers in prop::collection::vec(decimals(), 2),
        letters in prop::collection::vec(0_usize..5, 80),
        k in 2..=4_u64,
        by_width in any::<bool>(),
    ) {
        let rows: Vec<Vec<String>> = (0..numbers[0].len().min(numbers[1].len()))
            .map(|row| vec![numbers[0][row].clone(), numbers[1][row].clone(), ["a", "b", "c", "d", "e"][letters[row]].to_owned()])
            .collect();
        let paths = |column: usize| flat(rows.iter().map(|row| row[column].clone()).collect::<BTreeSet<_>>());
        let quasi = (0..3).map(|column| Quasi::new(&format!("q{column}"), paths(column))).collect();
        let plan = Plan { quasi, sensitive: vec![], rows };
        let table = plan.count();
        let requirements = [requirement(&table, "k-anonymity", 0, &format!("{{ k = {k} }}"))];
        let style = LabelStyle { categories: Categories::Sets, ..LabelStyle::default() };
        let task = Task { style, ..Task::new(&table, &requirements, &Loss, Ratio::ZERO) };
        let choose = if by_width { Choose::Width } else { Choose::Objective };
        let Ok(partition) = (Mondrian { cuts: Cuts::Strict, choose, refine: false }).partition(&task, &Unwatched) else {
            return Ok(());
        };
        let shown: Vec<Vec<BTreeSet<&str>>> = (0..partition.classes.len() as u32)
            .map(|class| {
                let of_column = |column: usize| {
                    covered(&plan.quasi[column], &partition.classes.text(&table, class, column)).into_iter().collect()
                };
                (0..3).map(of_column).collect()
            })
            .collect();
        for (place, one) in shown.iter().enumerate() {
            for other in &shown[..place] {
                let apart = one.iter().zip(other).any(|(one, other)| one.is_disjoint(other));
                prop_assert!(apart, "{one:?} and {other:?}");
            }
        }
    }
}
