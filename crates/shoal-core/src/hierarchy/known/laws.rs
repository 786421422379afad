//! Does what holds for every known hierarchy hold for each of them?

use std::collections::HashMap;
use std::path::Path;

use proptest::prelude::*;

use super::{Cell, KNOWN, Known, KnownHierarchy, OTHER, example_path};
use crate::hierarchy::testing::dictionary;
use crate::hierarchy::{ColumnValues, HierarchySpec, ROOT};
use crate::table::ColumnType;

/// Values that each hierarchy knows: its examples, all of its data, and codes of every shape.
fn values_of(hierarchy: &dyn KnownHierarchy) -> Vec<String> {
    let mut values: Vec<String> = hierarchy.examples().iter().map(|value| (*value).to_owned()).collect();
    let cells =
        |text: &'static str| text.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split('|'));
    match hierarchy.id() {
        "countries" => values.extend(cells(include_str!("data/countries.txt")).map(str::to_owned)),
        "states" => values.extend(cells(include_str!("data/states.txt")).map(str::to_owned)),
        "icd-10" | "icd-10-cm" => {
            let letters = ('A'..='Z').flat_map(|letter| (0..100).map(move |number| format!("{letter}{number:02}")));
            values.extend(letters.flat_map(|code| [code.clone(), format!("{code}.1"), format!("{code}2")]));
            values.extend(["C4A", "C7A.1", "M1A.00", "Z3A", "I5A", "O9A.11"].map(str::to_owned));
        }
        "icd-9-cm" => {
            values.extend(
                (0..1000).flat_map(|code| [format!("{code:03}"), format!("{code:03}.01"), format!("E{code:03}.1")]),
            );
            values.extend((0..100).map(|code| format!("V{code:02}.1")));
        }
        "nace" => values.extend((0..10_000).map(|code| format!("{:02}.{:02}", code / 100, code % 100))),
        "isco" | "naics" | "soc" | "postal-codes" => {
            values.extend((0..3_000).map(|code| (code * 37).to_string()));
            values.extend((0..3_000).map(|code| format!("{}-{:04}", 11 + code % 50, code)));
        }
        "atc" => {
            values.extend((0..3_000).map(|code| format!("C{:02}A{}{:02}", code % 10, ['A', 'B'][code % 2], code % 100)))
        }
        "geohash" => values.extend((0..3_000).map(|code| format!("u{code:06}"))),
        "age-bands" | "coordinates" => {
            values.extend((-1_800..=1_800).map(|tenth| format!("{}", f64::from(tenth) / 10.0)));
            values.extend((0..=150).flat_map(|age| [format!("{age}+"), format!("< {age}"), format!("{age} months")]));
        }
        _ => {}
    }
    values
}

/// The labels of these values, of those that have any.
fn labels_of(hierarchy: &dyn KnownHierarchy, country: Option<&str>, values: &[String]) -> Vec<Vec<String>> {
    let text = ColumnType::text();
    values.iter().filter_map(|value| hierarchy.labels(&Cell::new(value, &text, country))).collect()
}

/// A label on one level has one label on the next.
fn assert_nested(id: &str, labels: &[Vec<String>]) {
    for level in 1..labels.first().map_or(0, Vec::len) {
        let mut above: HashMap<&str, &str> = HashMap::new();
        for labels in labels {
            let (lower, upper) = (labels[level - 1].as_str(), labels[level].as_str());
            assert_eq!(*above.entry(lower).or_insert(upper), upper, "{id}: `{lower}` on level {level}");
        }
    }
}

#[test]
fn levels_are_nested() {
    for entry in KNOWN {
        let values = values_of(entry.item);
        let countries = entry.countries().iter().copied().map(Some);
        for country in std::iter::once(None).chain(countries) {
            let labels = labels_of(entry.item, country, &values);
            let is_told_apart = country.is_some() || entry.id() != "postal-codes";
            assert!(!labels.is_empty() || country.is_some() || !is_told_apart, "{}", entry.id());
            assert!(labels.iter().all(|labels| labels.len() == entry.levels().len()), "{}", entry.id());
            let is_label =
                |label: &String| !label.is_empty() && label != ROOT && label != OTHER && label.trim() == label;
            assert!(labels.iter().flatten().all(is_label), "{}", entry.id());
            assert_nested(entry.id(), &labels);
        }
    }
}

#[test]
fn levels_group_more_and_more() {
    for entry in KNOWN {
        let country = entry.countries().first().copied();
        let labels = labels_of(entry.item, country, &values_of(entry.item));
        let groups =
            |level: usize| labels.iter().map(|labels| &labels[level]).collect::<std::collections::HashSet<_>>().len();
        for level in 1..entry.levels().len() {
            assert!(groups(level) <= groups(level - 1), "{}: level {level}", entry.id());
        }
        let levels = entry.levels().len();
        assert!(levels == 1 || groups(levels - 1) < groups(0) || entry.id() == "states", "{}", entry.id());
    }
}

#[test]
fn every_example_is_known_and_every_page_says_what_it_should() {
    for entry in KNOWN {
        let country = entry.countries().first().copied().filter(|_| entry.id() == "postal-codes");
        let text = ColumnType::text();
        for example in entry.examples() {
            assert!(entry.item.labels(&Cell::new(example, &text, country)).is_some(), "{}: {example}", entry.id());
        }
        let page = entry.page();
        for heading in ["Definition", "Levels", "Values", "Source", "Example"] {
            assert!(page.text.contains(&format!("**{heading}.** ")), "{}: {heading}", entry.id());
        }
        for level in entry.levels() {
            assert!(page.text.contains(&format!("`{level}`")), "{}: {level}", entry.id());
        }
        assert!(page.text.contains(&format!("\"{}\"", entry.id())), "{} shows how it is written", entry.id());
        assert!(example_path(entry.item).ends_with(" → *"), "{}", entry.id());
    }
}

#[test]
fn examples_on_pages_are_true() {
    // `A` is `B` in `C` in `D`.
    for entry in KNOWN {
        let page = entry.page();
        let example = page.text.split("**Example.** ").nth(1).unwrap();
        let ticked: Vec<&str> = example.lines().next().unwrap().split('`').skip(1).step_by(2).collect();
        let country = entry.countries().first().copied();
        let text = ColumnType::text();
        let labels = entry.item.labels(&Cell::new(ticked[0], &text, country)).unwrap();
        let shown = &ticked[ticked.len() - labels.len()..];
        assert_eq!(shown, labels, "{}", entry.id());
    }
}

#[test]
fn every_label_covers_what_it_should() {
    // Over a column, the values under a node are those whose label it is, counted one by one.
    for entry in KNOWN {
        let known = entry
            .countries()
            .first()
            .map_or(Known::new(entry.item), |country| Known::new(entry.item).in_country(country));
        let text = ColumnType::text();
        let values: Vec<String> = values_of(entry.item).into_iter().take(2_000).collect();
        let values: Vec<&str> =
            values.iter().map(String::as_str).filter(|value| known.labels(value, &text).is_some()).collect();
        let dictionary = dictionary(&values, Some("missing"));
        let counts = vec![1; dictionary.len()];
        let column = ColumnValues { name: "c", dictionary: &dictionary, counts: &counts, may_print: true };
        let hierarchy = HierarchySpec::Known(known.clone()).build(&column, Path::new("")).unwrap();
        assert_eq!(hierarchy.height(), entry.levels().len() + 1);
        let labels: Vec<Vec<String>> =
            dictionary.present().iter().map(|value| known.labels(value, dictionary.column_type()).unwrap()).collect();
        for place in 0..entry.levels().len() {
            let level = hierarchy.level(place + 1);
            for (node, label) in level.labels().iter().enumerate().filter(|(_, label)| *label != "missing") {
                let under = labels.iter().filter(|labels| labels[place] == *label).count();
                assert_eq!(level.leaves_under(node as u32), under as u64, "{}: `{label}`", entry.id());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_text_is_known_or_not(values in prop::collection::vec("\\PC{0,9}|[A-Za-z0-9 .+-]{0,9}|[A-Z][0-9]{2}[.]?[0-9]{0,3}", 1..20)) {
        for entry in KNOWN {
            let countries = entry.countries().iter().copied().map(Some);
            for country in std::iter::once(None).chain(countries.take(4)) {
                let labels = labels_of(entry.item, country, &values);
                prop_assert!(labels.iter().all(|labels| labels.len() == entry.levels().len()));
                assert_nested(entry.id(), &labels);
            }
        }
    }
}
