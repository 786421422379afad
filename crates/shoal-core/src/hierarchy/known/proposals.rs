//! Which known hierarchy do the values of a column speak for, and how sure is that?

use std::collections::HashSet;

use super::digits::has_digits;
use super::words::longest_word;
use super::{KNOWN, Known, KnownHierarchy, OTHER};
use crate::hierarchy::{ColumnValues, HierarchySpec, Suggestion};
use crate::table::ColumnType;

/// How many of a column's distinct values a known hierarchy knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Recognised {
    /// The hierarchy, with its country where the values are those of one.
    pub known: Known,
    /// How many values it knows.
    pub recognised: usize,
    /// How many of these hardly mean anything else.
    pub distinctive: usize,
    /// How many values there are.
    pub values: usize,
}

impl Recognised {
    /// The share of values that it knows.
    pub fn share(&self) -> f64 {
        if self.values == 0 { 0.0 } else { self.recognised as f64 / self.values as f64 }
    }

    /// Enough of them to propose it: at least 95%.
    fn is_enough(&self) -> bool {
        self.recognised * 20 >= self.values * 19
    }
}

/// Fewer values say nothing.
const FEWEST: usize = 3;

/// So many words of letters are hardly all known by chance, however short they are.
const MANY: usize = 10;

/// So many values are looked at before all of them are.
const SAMPLE: usize = 100;

/// What each known hierarchy knows of some values, those that know most first; those that know hardly any are left out.
pub fn proposals(values: &[String], column_type: &ColumnType) -> Vec<Recognised> {
    let step = values.len().div_ceil(SAMPLE).max(1);
    let sample: Vec<&String> = values.iter().step_by(step).collect();
    let mut all = Vec::new();
    for known in candidates(values) {
        let count =
            |values: &[&String]| values.iter().filter(|value| known.labels(value, column_type).is_some()).count();
        if count(&sample) * 2 < sample.len() || values.is_empty() {
            continue;
        }
        let recognised: Vec<&String> =
            values.iter().filter(|value| known.labels(value, column_type).is_some()).collect();
        let distinctive = recognised.iter().filter(|value| known.hierarchy().is_distinctive(value.trim())).count();
        all.push(Recognised { recognised: recognised.len(), distinctive, values: values.len(), known });
    }
    // A stable sort: of those that know as many, the first in the list comes first.
    all.sort_by_key(|recognised| std::cmp::Reverse(recognised.recognised));
    all
}

/// Every known hierarchy, without a country and by the rules of each. Digits are codes in all countries alike, and say of none that
/// they are its own, but for those of ZIP+4.
fn candidates(values: &[String]) -> Vec<Known> {
    let is_of_digits = values.iter().all(|value| !value.contains(char::is_alphabetic));
    let is_american = is_of_digits && values.iter().any(|value| is_zip_plus_four(value));
    let mut all = Vec::new();
    for entry in KNOWN {
        let hierarchy: &'static dyn KnownHierarchy = entry.item;
        all.push(Known::new(hierarchy));
        let may_be_of = |country: &&&str| !is_of_digits || is_american && **country == "US";
        let countries = hierarchy.countries().iter().filter(may_be_of);
        all.extend(countries.map(|country| Known::new(hierarchy).in_country(country)));
    }
    all
}

/// `02138-1234`, which no other country writes.
fn is_zip_plus_four(value: &str) -> bool {
    let parts = value.trim().split_once('-');
    parts.is_some_and(|(code, more)| has_digits(code, 5, 5) && has_digits(more, 4, 4))
}

/// What of somebody's health nearly all values are codes of, where most of them hardly mean anything else.
pub fn about_health(values: &[String], column_type: &ColumnType) -> Option<&'static str> {
    let all = || KNOWN.iter().filter_map(|entry| Some((Known::new(entry.item), entry.item.about_health()?)));
    let is_so = |known: &Known| {
        let knows = |value: &&String| known.labels(value, column_type).is_some();
        let recognised = values.iter().filter(knows);
        let distinctive = recognised.clone().filter(|value| known.hierarchy().is_distinctive(value.trim())).count();
        let recognised = recognised.count();
        values.len() >= FEWEST && recognised * 20 >= values.len() * 19 && distinctive * 2 >= recognised
    };
    all().find(|(known, _)| is_so(known)).map(|(_, what)| what)
}

/// A known hierarchy for a column, if it knows at least 95% of its values and nothing else may be meant.
///
/// What looks like anything (`28`, `B12`) is taken for something only where the column is named so. Numbers are left to `intervals`, which
/// suit all of them, unless other texts stand among them (`90+`): bands of ages and rounded coordinates are fixed, and wide where an age or a place is worth most, while `intervals` and `quantiles` follow
/// the values that are there and are what methods put in order. Postal codes of digits alone have no country that their values could tell, and `mask` groups
/// them by what they begin with, as those of nearly all countries are built.
pub fn suggestion(column: &ColumnValues<'_>) -> Option<Suggestion> {
    let values = column.dictionary.present();
    if values.len() < FEWEST {
        return None;
    }
    let column_type = column.dictionary.column_type();
    let named_by = |found: &Recognised| longest_word(column.name, found.known.hierarchy().headers());
    let is_named = |found: &Recognised| named_by(found).is_some();
    let are_words = values.len() >= MANY && values.iter().all(|value| value.chars().all(char::is_alphabetic));
    let is_credible = |found: &Recognised| found.distinctive * 2 >= found.recognised || are_words || is_named(found);
    let mut found = proposals(values, column_type);
    let has_order = column_type.is_ordered();
    found.retain(|found| found.is_enough() && !(has_order && found.known.is_of_numbers()) && is_credible(found));
    let named = found.iter().any(is_named);
    found.retain(|found| is_named(found) || !named);
    // Of those that know as many, the one that the name says most of: `ICD-10-CM` is no plain ICD-10.
    found.sort_by_key(|found| std::cmp::Reverse((found.recognised, named_by(found))));
    let best = unambiguous(&found, values, column_type)?;
    let (recognised, all, id) = (best.recognised, best.values, best.known.hierarchy().id());
    let known = if recognised < all { best.known.clone().with_other() } else { best.known.clone() };
    let known = known.clone().with_levels(&levels_that_group(&known, values, column_type)?);
    let evidence = if named { "and the column is named so" } else { "which hardly mean anything else" };
    let reason = match recognised == all {
        true => format!("the known hierarchy `{id}` knows all {all} values, {evidence}"),
        false => format!(
            "the known hierarchy `{id}` knows {recognised} of the {all} values, {evidence}; the others are one group, `{OTHER}`"
        ),
    };
    Some(Suggestion::new(HierarchySpec::Known(known), reason))
}

/// The one that is meant: all are of one family, and those that know as many say the same of every value, or are different
/// editions, of which the first will do.
fn unambiguous<'a>(found: &'a [Recognised], values: &[String], column_type: &ColumnType) -> Option<&'a Recognised> {
    let best = found.first()?;
    let is_kin = |other: &Recognised| other.known.hierarchy().family() == best.known.hierarchy().family();
    let is_same = |other: &Recognised| {
        other.recognised < best.recognised
            || other.known.hierarchy().id() != best.known.hierarchy().id()
            || values
                .iter()
                .all(|value| other.known.labels(value, column_type) == best.known.labels(value, column_type))
    };
    found.iter().all(|other| is_kin(other) && is_same(other)).then_some(best)
}

/// The levels that put some values together and not all of them; none if there is none.
fn levels_that_group(known: &Known, values: &[String], column_type: &ColumnType) -> Option<Vec<&'static str>> {
    let labels: Vec<Option<Vec<String>>> = values.iter().map(|value| known.labels(value, column_type)).collect();
    let mut finer = values.len();
    let mut kept = Vec::new();
    for (place, level) in known.hierarchy().levels().iter().enumerate() {
        let label = |labels: &'_ Option<Vec<String>>| labels.as_ref().map(|labels| labels[place].clone());
        let groups = labels.iter().map(label).collect::<HashSet<_>>().len();
        if 1 < groups && groups < finer {
            kept.push(*level);
            finer = groups;
        }
    }
    (!kept.is_empty()).then_some(kept)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::hierarchy::testing::dictionary;

    /// What is suggested for a column, after a look at whether it can be built.
    fn suggested(name: &str, values: &[&str]) -> Option<(String, String)> {
        let dictionary = dictionary(values, Some("?"));
        let counts = vec![1; dictionary.len()];
        let column = ColumnValues { name, dictionary: &dictionary, counts: &counts, may_print: true };
        let Suggestion { spec, reason, .. } = suggestion(&column)?;
        let built = spec.build(&column, Path::new("")).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert!(built.height() >= 2);
        Some((spec.to_string(), reason))
    }

    fn spec(name: &str, values: &[&str]) -> Option<String> {
        suggested(name, values).map(|(spec, _)| spec)
    }

    #[test]
    fn countries_are_seen_by_their_names() {
        let values = ["Germany", "France", "Spain", "Japan", "Brazil", "Kenya"];
        let (spec, reason) = suggested("x", &values).unwrap();
        assert_eq!(spec, "{ known = { name = \"countries\", levels = [\"subregion\", \"region\"] } }");
        assert_eq!(reason, "the known hierarchy `countries` knows all 6 values, which hardly mean anything else");
        let (_, reason) = suggested("native-country", &values).unwrap();
        assert!(reason.ends_with(", and the column is named so"), "{reason}");
    }

    #[test]
    fn codes_and_names_together_keep_the_level_of_countries() {
        let values = ["Germany", "DE", "France", "Spain", "Japan"];
        assert_eq!(spec("x", &values).as_deref(), Some("{ known = \"countries\" }"));
    }

    #[test]
    fn a_few_values_may_be_unknown() {
        let mut values: Vec<String> =
            ["Germany", "France", "Japan", "Brazil", "Kenya", "Peru", "Chile", "Italy", "Spain", "Poland"]
                .into_iter()
                .chain(["Norway", "Sweden", "Finland", "Austria", "Mexico", "Canada", "India", "China", "Greece"])
                .map(str::to_owned)
                .collect();
        values.push("Atlantis".to_owned());
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let (spec, reason) = suggested("x", &values).unwrap();
        assert!(spec.ends_with("unknown = \"other\" } }"), "{spec}");
        assert!(
            reason.starts_with("the known hierarchy `countries` knows 19 of the 20 values, which hardly"),
            "{reason}"
        );
        assert_eq!(suggested("x", &values[1..]), None, "18 of 19 are fewer than 95%");
    }

    #[test]
    fn states_are_those_of_the_country_that_has_them_all() {
        let codes = ["AL", "AK", "AZ", "CA", "TX", "NY", "WA", "OR", "OH", "FL", "GA", "NJ"];
        let us = "{ known = { name = \"states\", levels = [\"division\", \"region\"], country = \"US\" } }";
        assert_eq!(spec("x", &codes).as_deref(), Some(us));
        assert_eq!(spec("state", &codes[..4]).as_deref(), Some(us), "its name says so");
        assert_eq!(spec("x", &codes[..4]), None, "four short words may be anything");
        assert_eq!(spec("x", &["Bavaria", "Hesse", "Saxony"]), None, "nothing puts them together");
        let mixed = ["Bavaria", "Bayern", "Hesse", "Hessen", "Saxony"];
        assert_eq!(spec("x", &mixed).as_deref(), Some("{ known = { name = \"states\", levels = [\"state\"] } }"));
    }

    #[test]
    fn what_may_be_anything_needs_its_name() {
        let codes = ["2512", "2513", "2521", "2611", "5223"];
        assert_eq!(spec("x", &codes), None);
        assert_eq!(spec("ISCO-08", &codes).as_deref(), Some("{ known = \"isco\" }"));
        let industries = ["541511", "541512", "541521", "541611", "331110", "332710"];
        assert_eq!(spec("naics", &industries).as_deref(), Some("{ known = \"naics\" }"));
        let sectors = ["541511", "551111", "331110"];
        assert_eq!(spec("naics", &sectors), None, "no level puts any of them together, but for the root");
        let numbers: Vec<String> = (10..90).map(|number| number.to_string()).collect();
        let numbers: Vec<&str> = numbers.iter().map(String::as_str).collect();
        assert_eq!(spec("x", &numbers), None, "two digits are everything");
        assert_eq!(spec("age", &numbers), None, "ages are numbers, which intervals suit");
        let open: Vec<&str> = numbers.iter().copied().chain(["90+", "<1", "5 months"]).collect();
        assert_eq!(spec("age", &open).as_deref(), Some("{ known = \"age-bands\" }"), "no intervals of these");
        assert_eq!(spec("room", &["A01", "B12", "C07"]), None);
        assert_eq!(spec("answer", &["yes", "no", "maybe"]), None);
        assert_eq!(spec("x", &["DE", "FR"]), None);
    }

    #[test]
    fn zip_codes_with_four_digits_more_are_american() {
        let codes = ["02138", "02138-1234", "02139", "02139-0001", "10001"];
        let known = "{ known = { name = \"postal-codes\", levels = [\"sector\"], country = \"US\" } }";
        assert_eq!(spec("ZIP", &codes).as_deref(), Some(known));
        assert_eq!(spec("room", &codes), None, "its name does not say so");
        assert_eq!(spec("zip", &["02138", "02139", "10001"]), None, "five digits are codes of many countries");
    }

    #[test]
    fn diagnoses_and_medicines_are_seen_by_their_codes() {
        let icd = ["I21.4", "I21.0", "I25.1", "E11.9", "I10.9"];
        assert_eq!(spec("x", &icd).as_deref(), Some("{ known = \"icd-10\" }"));
        assert_eq!(spec("ICD-10-CM", &icd).as_deref().map(|spec| spec.contains("icd-10-cm")), Some(true));
        let cm = ["S72.001A", "S72.002A", "S72.101A", "E11.65", "I10"];
        assert!(spec("x", &cm).unwrap().contains("icd-10-cm"));
        assert!(spec("diagnosis", &["250.00", "250.01", "401.9", "V27.0", "414.01"]).is_none(), "or any number");
        assert!(spec("ICD9", &["250.00", "250.01", "401.9", "V27.0", "414.01"]).unwrap().contains("icd-9-cm"));
        let atc = ["C07AB02", "C07AB03", "C07AG02", "C07CB02", "C09AA05", "A10BA02"];
        assert_eq!(spec("x", &atc).as_deref(), Some("{ known = \"atc\" }"));
    }

    #[test]
    fn codes_of_health_are_told_from_rooms_and_numbers() {
        let about = |values: &[&str]| {
            let values: Vec<String> = values.iter().map(|value| (*value).to_owned()).collect();
            about_health(&values, &ColumnType::text())
        };
        assert_eq!(about(&["I21.4", "I21.0", "E11.9", "I10"]), Some("codes of diagnoses (ICD-10)"));
        assert_eq!(about(&["S72.001A", "S72.002A", "E11.65"]), Some("codes of diagnoses (ICD-10-CM)"));
        assert_eq!(about(&["C07AB02", "C09AA05", "A10BA02"]), Some("codes of medicines (ATC)"));
        assert_eq!(about(&["A01", "B12", "C07"]), None, "rooms");
        assert_eq!(about(&["I21.4", "I21.0"]), None, "too few");
        assert_eq!(about(&["250.0", "401.9", "12.5"]), None);
    }

    #[test]
    fn the_adult_table_has_words_for_education_and_marital_status() {
        let marital = ["Divorced", "Married-AF-spouse", "Married-civ-spouse", "Never-married", "Separated", "Widowed"];
        assert_eq!(spec("marital-status", &marital).as_deref(), Some("{ known = \"marital-status\" }"));
        let education = ["Bachelors", "HS-grad", "11th", "Masters", "9th", "Some-college", "Doctorate", "10th"];
        assert_eq!(spec("education", &education).as_deref(), Some("{ known = \"education\" }"));
    }

    #[test]
    fn shares_are_counted_whatever_they_are_worth() {
        let values: Vec<String> = ["DE", "FR", "Narnia"].map(str::to_owned).to_vec();
        let found = proposals(&values, &ColumnType::text());
        let countries = found.iter().find(|found| found.known.hierarchy().id() == "countries").unwrap();
        assert_eq!((countries.recognised, countries.values, countries.distinctive), (2, 3, 0));
        assert!((countries.share() - 2.0 / 3.0).abs() < 1e-12);
        assert!(proposals(&[], &ColumnType::text()).is_empty());
    }
}
