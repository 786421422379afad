//! What would the hierarchies that are built in make of a column?

use std::cmp::Reverse;

use shoal_core::hierarchy::ColumnValues;
use shoal_core::hierarchy::known::{Cell, KNOWN, KnownHierarchy, example_path};
use toml::{Table, Value};

use crate::wire::KnownShown;

/// So many values are tried, the most frequent first: enough to see what kind of codes they are.
const MOST_TRIED: usize = 1000;

/// Every known hierarchy, those that know most rows of the column first.
pub(super) fn known(column: &ColumnValues<'_>) -> Vec<KnownShown> {
    let mut tried: Vec<(&str, u64)> =
        column.dictionary.present().iter().map(String::as_str).zip(column.counts.iter().copied()).collect();
    tried.sort_by_key(|&(_, rows)| Reverse(rows));
    tried.truncate(MOST_TRIED);
    let all = KNOWN.iter().map(|entry| shown(column, &tried, entry.item, entry.page().title));
    let mut all: Vec<KnownShown> = all.collect();
    all.sort_by_key(|one| Reverse(one.known_rows));
    all
}

/// What one of them would make of these values, by the rules of the country that knows most of them.
fn shown(
    column: &ColumnValues<'_>,
    tried: &[(&str, u64)],
    hierarchy: &'static dyn KnownHierarchy,
    title: String,
) -> KnownShown {
    let labels = |value: &str, country: Option<&str>| {
        let cell = Cell { text: value.trim(), column_type: column.dictionary.column_type(), country };
        hierarchy.labels(&cell)
    };
    let known_rows = |country: Option<&str>| -> u64 {
        let known = tried.iter().filter(|(value, _)| labels(value, country).is_some());
        known.map(|(_, rows)| rows).sum()
    };
    let mut best: (Option<&'static str>, u64) = (None, known_rows(None));
    for &country in hierarchy.countries() {
        let rows = known_rows(Some(country));
        if rows > best.1 {
            best = (Some(country), rows);
        }
    }
    let (country, known_rows) = best;
    let rows = tried.iter().map(|(_, rows)| rows).sum();
    let example = tried.iter().find_map(|(value, _)| Some((*value, labels(value, country)?)));
    KnownShown {
        id: hierarchy.id().to_owned(),
        title,
        written: written(hierarchy.id(), country, known_rows < rows),
        example: example.map_or_else(|| example_path(hierarchy), |(value, labels)| path(value, &labels)),
        known_rows,
        rows,
    }
}

fn path(value: &str, labels: &[String]) -> String {
    let steps: Vec<&str> = std::iter::once(value).chain(labels.iter().map(String::as_str)).chain(["*"]).collect();
    steps.join(" → ")
}

/// As a policy says it: values that are not known are a group of their own, where there are some.
fn written(id: &str, country: Option<&str>, has_others: bool) -> String {
    let mut known = Table::from_iter([("name".to_owned(), Value::from(id))]);
    known.extend(country.map(|country| ("country".to_owned(), Value::from(country))));
    known.extend(has_others.then(|| ("unknown".to_owned(), Value::from("other"))));
    let known = if known.len() == 1 { Value::from(id) } else { Value::Table(known) };
    Value::Table(Table::from_iter([("known".to_owned(), known)])).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal_core::hierarchy::HierarchySpec;
    use shoal_core::table::{DictionaryBuilder, Reading};

    #[test]
    fn the_one_that_knows_the_values_comes_first_and_can_be_taken_as_it_is_written() {
        let mut builder = DictionaryBuilder::default();
        ["DE", "FR", "JP", "nowhere"].into_iter().for_each(|value| _ = builder.code(value));
        let (dictionary, _) = builder.finish("", Reading::default());
        let counts: Vec<u64> = dictionary.values().iter().map(|value| if value == "FR" { 5 } else { 1 }).collect();
        let column = ColumnValues { name: "country", dictionary: &dictionary, counts: &counts, may_print: true };
        let all = known(&column);
        assert_eq!(all.len(), KNOWN.len());
        let countries = all.iter().find(|one| one.id == "countries").unwrap();
        assert_eq!((countries.known_rows, countries.rows), (7, 8));
        assert!(countries.example.starts_with("FR → France → "), "{}", countries.example);
        assert!(all[0].known_rows >= 7 && all.is_sorted_by_key(|one| Reverse(one.known_rows)));
        for one in &all {
            let spec: toml::Value = one.written.parse().unwrap();
            let spec: HierarchySpec = spec.try_into().unwrap();
            assert!(spec.check().is_ok(), "{}", one.written);
            assert!(spec.build(&column, "".as_ref()).is_ok(), "{}", one.written);
        }
    }
}
