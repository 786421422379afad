//! Which original values may stand behind what a release shows in a column?

use std::collections::HashMap;

use super::extent::{Extent, place};
use shoal_core::hierarchy::{Hierarchy, ROOT, members_among};
use shoal_core::table::{ColumnType, Dictionary};

/// For each value of a dictionary, the labels (by their places) that cover it, sorted.
///
/// A label that the hierarchy knows covers what lies below it there; any other one what it says by itself: everything
/// (`*`), a range (`[20, 30)`, `20-29`, `80+`), a period (`2024-Q1`, `2020s`), a set, a mask, or only itself.
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
        Meaning::of(label, dictionary).add_to(&mut covering, at, dictionary);
    }
    for covering in &mut covering {
        covering.sort_unstable();
        covering.dedup();
    }
    covering
}

/// What a label says by itself.
#[derive(Debug)]
enum Meaning<'a> {
    /// Anything.
    All,
    /// All numbers or days of a range or a period.
    Within(Extent),
    /// One of these, each a label of its own.
    Set(Vec<&'a str>),
    /// A text of this length with `*` for any character.
    Mask(&'a str),
    /// Itself.
    Itself(&'a str),
}

impl<'a> Meaning<'a> {
    fn of(label: &'a str, dictionary: &Dictionary) -> Self {
        match members_among(label, |text| dictionary.code_as_written(text).is_some()) {
            Some(members) => Self::Set(members),
            None => Self::of_member(label, dictionary),
        }
    }

    /// What a label says that is no set: a set in a set is only a text, so that no text makes others without end.
    fn of_member(label: &'a str, dictionary: &Dictionary) -> Self {
        if label == ROOT {
            return Self::All;
        }
        if label.contains('*') {
            return Self::Mask(label);
        }
        if dictionary.code_as_written(label).is_some() {
            return Self::Itself(label);
        }
        let column_type = dictionary.column_type();
        // A number that is no value, such as a mean, stands for none.
        if column_type.number(label).is_some() {
            return Self::Itself(label);
        }
        Extent::of(label, column_type).map_or(Self::Itself(label), Self::Within)
    }

    fn add_to(&self, covering: &mut [Vec<u32>], label: u32, dictionary: &Dictionary) {
        let present = dictionary.present();
        match self {
            Self::All => covering.iter_mut().for_each(|labels| labels.push(label)),
            Self::Set(members) => {
                for member in members {
                    Self::of_member(member, dictionary).add_to(covering, label, dictionary);
                }
            }
            Self::Within(extent) => {
                // The dictionary is sorted by what its values mean, so that a range is a run of it.
                let place = |value: &String| place(value, dictionary.column_type());
                let is_below = |value: &String| place(value).is_some_and(|place| extent.is_after(place));
                let is_not_above = |value: &String| place(value).is_some_and(|place| !extent.is_before(place));
                let (from, to) = (present.partition_point(is_below), present.partition_point(is_not_above));
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
                if let Some(code) = dictionary.code_as_written(text) {
                    covering[code as usize].push(label);
                }
            }
        }
    }
}

/// Is a label a number or a day, whether a value of the column or not? A mean is one, and says what it says.
pub fn is_exact(label: &str, column_type: &ColumnType) -> bool {
    Extent::of(label, column_type).is_some_and(|extent| extent.is_one())
}

/// Do the labels of a column tell whom they stand for?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Legible {
    /// All of them do.
    All,
    /// Some stand for nobody who is known, and are no numbers or days either.
    Some,
    /// None stands for anybody who is known, and not all are numbers, days or ranges of them.
    None,
}

impl Legible {
    /// Of some labels, and for each value the labels that cover it.
    pub fn new(labels: &[String], covering: &[Vec<u32>], column_type: &ColumnType) -> Self {
        let mut covers_somebody = vec![false; labels.len()];
        covering.iter().flatten().for_each(|&label| covers_somebody[label as usize] = true);
        let empty = || labels.iter().zip(&covers_somebody).filter(|(_, covers)| !**covers).map(|(label, _)| label);
        let is_read = |label: &String| Extent::of(label, column_type).is_some();
        if !covers_somebody.contains(&true) && !empty().all(is_read) {
            return Self::None;
        }
        if empty().all(|label| is_exact(label, column_type)) { Self::All } else { Self::Some }
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
    fn a_set_covers_members_with_commas_in_them() {
        let places = ["Ohio", "Washington, DC", "DC", "[1, 2]"];
        assert_eq!(covered("{Ohio, Washington, DC}", &places), ["Ohio", "Washington, DC"]);
        assert_eq!(covered("{DC, [1, 2]}", &places), ["DC", "[1, 2]"]);
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
        assert_eq!(covered("[2.1, 2.10]", &["2", "2.1", "2.10"]), ["2.1", "2.10"], "one number, written in two ways");
    }

    #[test]
    fn labels_of_other_programs_are_ranges_too() {
        let ages = ["9", "20", "29", "30", "80", "95"];
        assert_eq!(covered("20-29", &ages), ["20", "29"]);
        assert_eq!(covered("20 – 30", &ages), ["20", "29", "30"]);
        assert_eq!(covered("<20", &ages), ["9"]);
        assert_eq!(covered(">=80", &ages), ["80", "95"]);
        assert_eq!(covered("80+", &ages), ["80", "95"]);
        assert_eq!(covered("29-20", &ages), [""; 0], "the end comes first");
        assert_eq!(covered("25", &ages), [""; 0], "a mean is nobody's value");
        assert_eq!(covered("-5--1", &["-7", "-3", "0"]), ["-3"]);
        assert_eq!(covered("20-29", &["20", "29", "old"]), [""; 0], "text has no ranges");
    }

    #[test]
    fn periods_cover_their_days() {
        let born = ["1949-12-31", "1954-03-05", "1954-11-30", "1959-12-31", "1960-01-01"];
        assert_eq!(covered("1954-03", &born), ["1954-03-05"]);
        assert_eq!(covered("1954-Q4", &born), ["1954-11-30"]);
        assert_eq!(covered("1954", &born), ["1954-03-05", "1954-11-30"]);
        assert_eq!(covered("1950s", &born), ["1954-03-05", "1954-11-30", "1959-12-31"]);
        assert_eq!(covered("1955-1959", &born), ["1959-12-31"]);
        assert_eq!(covered("[1950, 1959)", &born), ["1954-03-05", "1954-11-30"]);
        assert_eq!(covered("1954-03-01 - 1954-11-29", &born), ["1954-03-05"]);
        assert_eq!(covered("> 1959", &born), ["1960-01-01"]);
        // A day of the hierarchy is written in one way, the values in another.
        assert_eq!(covered("1954-03-05", &["05.03.1954", "06.03.1954"]), ["05.03.1954"]);
    }

    #[test]
    fn a_label_is_legible_if_somebody_fits_it_or_it_is_exact() {
        let legible = |labels: &[&str], values: &[&str]| {
            let labels: Vec<String> = labels.iter().map(|&label| label.to_owned()).collect();
            let dictionary = Dictionary::new(values.iter().map(|&value| value.to_owned()), None, false);
            Legible::new(&labels, &covers(&labels, &dictionary, None), dictionary.column_type())
        };
        assert_eq!(legible(&["20-29", "37.5"], &["21", "40"]), Legible::All, "a mean says what it says");
        assert_eq!(legible(&["20-29", "old"], &["21", "40"]), Legible::Some);
        assert_eq!(legible(&["20-29", "50-59"], &["21", "40"]), Legible::Some, "nobody is in their fifties");
        assert_eq!(legible(&["young", "old"], &["21", "40"]), Legible::None);
        assert_eq!(legible(&["50-59"], &["21"]), Legible::Some);
        assert_eq!(legible(&["office", "clerk"], &["clerk", "smith"]), Legible::Some);
    }

    #[test]
    fn what_the_hierarchy_knows_it_decides() {
        let dictionary = Dictionary::new(["20", "30"].map(str::to_owned), None, false);
        let level = |labels: [&str; 2]| shoal_core::hierarchy::Level::from_labels(labels);
        // As in a well-known file, whose labels are off by one.
        let hierarchy = Hierarchy::new(vec![level(["20", "30"]), level(["[15, 19]", "[25, 29]"]), level(["*", "*"])]);
        let labels = ["[15, 19]", "[25, 29]", "[20, 30]"].map(str::to_owned);
        assert_eq!(covers(&labels, &dictionary, Some(&hierarchy)), [vec![0, 2], vec![1, 2]]);
    }
}
