//! Which original values may stand behind what a release shows in a column?

use std::collections::HashMap;

use rust_decimal::Decimal;

use crate::hierarchy::{Hierarchy, ROOT};
use crate::table::{ColumnType, Dictionary, Kind};

/// For each value of a dictionary, the labels (by their places) that cover it, sorted.
///
/// A label that the hierarchy knows covers what lies below it there; any other one what it says by itself: everything
/// (`*`), a range, a set, a comparison, a mask, or only itself.
pub fn covers(labels: &[String], dictionary: &Dictionary, hierarchy: Option<&Hierarchy>) -> Vec<Vec<u32>> {
    let place: HashMap<&str, u32> = labels.iter().map(String::as_str).zip(0..).collect();
    let mut known = vec![false; labels.len()];
    let mut covering: Vec<Vec<u32>> = vec![Vec::new(); dictionary.len()];
    if let Some(hierarchy) = hierarchy {
        for level in hierarchy.levels() {
            level
                .labels()
                .iter()
                .filter_map(|label| place.get(label.as_str()))
                .for_each(|&at| known[at as usize] = true);
            for (code, covering) in covering.iter_mut().enumerate() {
                covering.extend(place.get(level.label(level.node_of(code as u32))));
            }
        }
    }
    for (label, at) in labels.iter().zip(0..).filter(|&(_, at)| !known[at as usize]) {
        Meaning::of(label, dictionary.column_type()).add_to(&mut covering, at, dictionary);
    }
    for covering in &mut covering {
        covering.sort_unstable();
        covering.dedup();
    }
    covering
}

/// What a label says by itself.
#[derive(Debug, PartialEq)]
enum Meaning<'a> {
    /// Anything.
    All,
    /// What lies between two ends, each included or not.
    Between(Option<(&'a str, bool)>, Option<(&'a str, bool)>),
    /// One of these, each a label of its own.
    Set(Vec<&'a str>),
    /// A text of this length with `*` for any character.
    Mask(&'a str),
    /// Itself.
    Itself(&'a str),
}

impl<'a> Meaning<'a> {
    fn of(label: &'a str, column_type: &ColumnType) -> Self {
        if label == ROOT {
            return Self::All;
        }
        if let Some(inner) = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
            return Self::Set(inner.split(", ").collect());
        }
        let is_end = |text: &str| End::read(text, column_type).is_some();
        let ends = label.strip_prefix(['[', '(']).and_then(|rest| rest.strip_suffix([']', ')']));
        // `[20, 30)`; an end may be missing, as in `[80, )`.
        // A comma with a blank separates them, since one alone may be a decimal comma.
        if let Some((low, high)) = ends.and_then(|ends| ends.split_once(", ").or_else(|| ends.split_once(','))) {
            let (low, high) = (low.trim(), high.trim());
            if (low.is_empty() || is_end(low)) && (high.is_empty() || is_end(high)) {
                let low = (!low.is_empty()).then_some((low, label.starts_with('[')));
                let high = (!high.is_empty()).then_some((high, label.ends_with(']')));
                return Self::Between(low, high);
            }
        }
        for (sign, is_upper, included) in [
            ("<=", true, true),
            ("≤", true, true),
            (">=", false, true),
            ("≥", false, true),
            ("<", true, false),
            (">", false, false),
        ] {
            if let Some(end) = label.strip_prefix(sign).map(str::trim).filter(|end| is_end(end)) {
                let end = Some((end, included));
                return if is_upper { Self::Between(None, end) } else { Self::Between(end, None) };
            }
        }
        if label.contains('*') { Self::Mask(label) } else { Self::Itself(label) }
    }

    fn add_to(&self, covering: &mut [Vec<u32>], label: u32, dictionary: &Dictionary) {
        let present = dictionary.present();
        match self {
            Self::All => covering.iter_mut().for_each(|labels| labels.push(label)),
            Self::Set(members) => {
                for member in members {
                    Self::of(member, dictionary.column_type()).add_to(covering, label, dictionary);
                }
            }
            Self::Between(low, high) => {
                // The dictionary is sorted by what its values mean, so that a range is a run of it.
                let column_type = dictionary.column_type();
                let end = |end: &Option<(&str, bool)>| {
                    end.and_then(|(text, inside)| Some((End::read(text, column_type)?, inside)))
                };
                let (low, high) = (end(low), end(high));
                let is_below = |value: &String| match (&low, End::read(value, column_type)) {
                    (Some((low, inside)), Some(value)) => value < *low || (!inside && value == *low),
                    _ => false,
                };
                let is_within = |value: &String| match (&high, End::read(value, column_type)) {
                    (Some((high, inside)), Some(value)) => value < *high || (*inside && value == *high),
                    (None, _) => true,
                    (_, None) => false,
                };
                let (from, to) = (present.partition_point(is_below), present.partition_point(is_within));
                covering[from.min(to)..to].iter_mut().for_each(|labels| labels.push(label));
            }
            Self::Mask(mask) => {
                let fits = |value: &String| {
                    let mut characters = value.chars();
                    mask.chars().all(|m| characters.next().is_some_and(|c| m == '*' || m == c))
                        && characters.next().is_none()
                };
                let fitting = (0..present.len()).filter(|&code| fits(&present[code]));
                fitting.for_each(|code| covering[code].push(label));
            }
            Self::Itself(text) => {
                let missing = dictionary.missing().filter(|&code| dictionary.value(code) == *text);
                if let Some(code) = dictionary.code(text).or(missing) {
                    covering[code as usize].push(label);
                }
            }
        }
    }
}

/// An end of a range: a number or a day.
#[derive(Debug, PartialEq, PartialOrd)]
enum End {
    Number(Decimal),
    Day(chrono::NaiveDate),
}

impl End {
    fn read(text: &str, column_type: &ColumnType) -> Option<Self> {
        match column_type.kind() {
            Kind::Date => column_type.date(text).map(Self::Day),
            Kind::Integer | Kind::Decimal => {
                // Labels may leave the unit out that the values have, and always have a decimal point.
                let digits = text.strip_suffix(column_type.unit()).unwrap_or(text);
                let number = column_type.number(text).or_else(|| Decimal::from_str_exact(digits).ok());
                number.map(Self::Number)
            }
            Kind::Text => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(label: &str, values: &[&str]) -> Vec<String> {
        let dictionary = Dictionary::new(values.iter().map(|&value| value.to_owned()), Some("?"), false);
        let covering = covers(&[label.to_owned()], &dictionary, None);
        let is_covered = |code: &usize| !covering[*code].is_empty();
        (0..dictionary.len()).filter(is_covered).map(|code| dictionary.values()[code].clone()).collect()
    }

    #[test]
    fn labels_say_what_they_cover() {
        let ages = ["9", "20", "29", "30", "41"];
        assert_eq!(covered("[20, 29]", &ages), ["20", "29"]);
        assert_eq!(covered("[20, 30)", &ages), ["20", "29"]);
        assert_eq!(covered("(20, 30]", &ages), ["29", "30"]);
        assert_eq!(covered("[30, )", &ages), ["30", "41"]);
        assert_eq!(covered("< 30", &ages), ["9", "20", "29"]);
        assert_eq!(covered("≥ 30", &ages), ["30", "41"]);
        assert_eq!(covered("2*", &ages), ["20", "29"]);
        assert_eq!(covered("{9, 41}", &ages), ["9", "41"]);
        assert_eq!(covered("*", &ages), ["9", "20", "29", "30", "41", "?"]);
        assert_eq!(covered("20", &ages), ["20"]);
        assert_eq!(covered("?", &ages), ["?"]);
        assert_eq!(covered("130**", &["13053", "14853", "1305"]), ["13053"]);
        assert_eq!(covered("[2020-01-01, 2020-12-31]", &["2019-12-31", "2020-02-29"]), ["2020-02-29"]);
        assert_eq!(covered("[3, 4]", &["3K", "4K", "5K"]), ["3K", "4K"]);
        assert_eq!(covered("[a, b]", &["a", "[a, b]"]), ["[a, b]"], "text has no ranges");
    }

    #[test]
    fn what_the_hierarchy_knows_it_decides() {
        let dictionary = Dictionary::new(["20", "30"].map(str::to_owned), None, false);
        let level = |labels: [&str; 2]| crate::hierarchy::Level::from_labels(labels);
        // As in a well-known file, whose labels are off by one.
        let hierarchy = Hierarchy::new(vec![level(["20", "30"]), level(["[15, 19]", "[25, 29]"]), level(["*", "*"])]);
        let labels = ["[15, 19]", "[25, 29]", "[20, 30]"].map(str::to_owned);
        assert_eq!(covers(&labels, &dictionary, Some(&hierarchy)), [vec![0, 2], vec![1, 2]]);
    }
}
