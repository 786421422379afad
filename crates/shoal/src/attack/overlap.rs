//! Can two labels, of two releases, stand for the same value?

use std::collections::{HashMap, HashSet};

use crate::linking::Extent;
use shoal_core::hierarchy::{ROOT, Told, members, members_among};
use shoal_core::table::{ColumnType, Reading, ValueKind};

/// What is known of a column that two releases have.
#[derive(Debug, Clone, Copy)]
pub struct SharedColumn<'a> {
    /// Its labels in one release.
    pub these: &'a [String],
    /// Its labels in the other.
    pub those: &'a [String],
    /// Its hierarchy from leaf to root, where that does not depend on the data.
    pub rows: &'a [Vec<String>],
    /// How a missing value is written.
    pub missing: &'a str,
    /// How its numbers and dates are to be read, as far as somebody has said so.
    pub reading: Reading,
}

/// Which labels of two releases can stand for the same value.
#[derive(Debug, PartialEq, Eq)]
pub struct Overlaps {
    /// For each label of one release, the labels (by their places) of the other, sorted.
    pub of: Vec<Vec<u32>>,
    /// Are there two of which only that is known that they may?
    pub is_guessed: bool,
}

/// Which labels of a column can stand for the same value.
///
/// Labels that the hierarchy knows overlap if they share a leaf; others if what they say does, which is read just as `covers`
/// reads it: ranges, periods, sets, masks, `*`. No overlap is missed: two labels that differ and cannot be read may stand for the
/// same. Only where both releases show both are they taken for words of one vocabulary, each of which excludes the other; and a
/// number is taken for a value, though it may be a mean.
pub fn overlaps(column: SharedColumn<'_>) -> Overlaps {
    let reader = Reader::new(column);
    let others: Vec<Label<'_>> = column.those.iter().map(|label| reader.label(label)).collect();
    let mut overlaps = Overlaps { of: Vec::with_capacity(column.these.len()), is_guessed: false };
    for label in column.these {
        let own = reader.label(label);
        let mut meeting = Vec::new();
        for (other, place) in others.iter().zip(0..) {
            let meets = reader.meet(&own, other);
            overlaps.is_guessed |= meets == Meets::Perhaps;
            meeting.extend((meets != Meets::No).then_some(place));
        }
        overlaps.of.push(meeting);
    }
    overlaps
}

/// Do two labels have a value in common?
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Meets {
    No,
    Perhaps,
    Yes,
}

impl Meets {
    fn certain(meets: bool) -> Self {
        if meets { Self::Yes } else { Self::No }
    }
}

/// A label and what it says.
struct Label<'a> {
    text: &'a str,
    /// The leaves below it, where the hierarchy knows it or all of its members.
    leaves: Option<HashSet<usize>>,
    /// The members of a set, or itself.
    parts: Vec<Part<'a>>,
}

/// A text and what it is, taken for a number and for a date: `1954` may be either.
struct Part<'a> {
    text: &'a str,
    number: Option<Extent>,
    days: Option<Extent>,
}

/// Reads the labels of a column.
struct Reader<'a> {
    missing: &'a str,
    /// The leaves below each label of the hierarchy, and each leaf as a text.
    leaves: HashMap<&'a str, HashSet<usize>>,
    leaf_parts: Vec<Part<'a>>,
    /// What stands somewhere by itself, so that a set may have it as a member whatever its text is.
    known: HashSet<&'a str>,
    /// How numbers are written, and how dates are in either release.
    numbers: ColumnType,
    dates: Vec<ColumnType>,
    /// The members of all sets, which are values and no groups of them.
    values: HashSet<&'a str>,
    /// What both releases show.
    vocabulary: HashSet<&'a str>,
}

impl<'a> Reader<'a> {
    fn new(column: SharedColumn<'a>) -> Self {
        let mut leaves: HashMap<&str, HashSet<usize>> = HashMap::new();
        for (leaf, row) in column.rows.iter().enumerate() {
            for label in row {
                leaves.entry(label).or_default().insert(leaf);
            }
        }
        let releases = [column.these, column.those];
        let labels = || releases.into_iter().flatten();
        let these: HashSet<&str> = column.these.iter().map(String::as_str).collect();
        let those = column.those.iter().map(String::as_str);
        let alone = labels().map(String::as_str).filter(|label| members(label).is_none());
        let known: HashSet<&str> = alone.chain(leaves.keys().copied()).collect();
        let values = labels().filter_map(|label| members_among(label, |text| known.contains(text)));
        let values: HashSet<&str> = values.flatten().collect();
        let mut reader = Self {
            missing: column.missing,
            leaves,
            leaf_parts: Vec::new(),
            known,
            numbers: number_type(labels(), column.reading),
            dates: releases.into_iter().map(|labels| date_type(labels, column.reading)).collect(),
            values,
            vocabulary: those.filter(|label| these.contains(label)).collect(),
        };
        reader.leaf_parts = column.rows.iter().map(|row| reader.part(&row[0])).collect();
        reader
    }

    fn label(&self, text: &'a str) -> Label<'a> {
        let members = members_among(text, |member| self.known.contains(member)).unwrap_or_else(|| vec![text]);
        let of_members = || -> Option<HashSet<usize>> {
            let all = members.iter().map(|member| self.leaves.get(member)).collect::<Option<Vec<_>>>();
            all.map(|all| all.into_iter().flatten().copied().collect())
        };
        let leaves = self.leaves.get(text).cloned().or_else(of_members);
        Label { text, leaves, parts: members.iter().map(|member| self.part(member)).collect() }
    }

    fn part(&self, text: &'a str) -> Part<'a> {
        let days = self.dates.iter().find_map(|dates| Extent::of(text, dates));
        Part { text, number: Extent::of(text, &self.numbers), days }
    }

    fn meet(&self, a: &Label<'_>, b: &Label<'_>) -> Meets {
        if a.text == b.text || a.text == ROOT || b.text == ROOT {
            return Meets::Yes;
        }
        let meets = match (&a.leaves, &b.leaves) {
            (Some(a), Some(b)) => Meets::certain(!a.is_disjoint(b)),
            (Some(leaves), None) => self.leaves_meet(leaves, &b.parts),
            (None, Some(leaves)) => self.leaves_meet(leaves, &a.parts),
            (None, None) => {
                let of_part = |part: &Part<'_>| self.part_meets_any(part, &b.parts);
                a.parts.iter().map(of_part).max().unwrap_or(Meets::No)
            }
        };
        let is_one_vocabulary = || self.vocabulary.contains(a.text) && self.vocabulary.contains(b.text);
        if meets == Meets::Perhaps && is_one_vocabulary() { Meets::No } else { meets }
    }

    /// Leaves are values, whatever the label above them is.
    fn leaves_meet(&self, leaves: &HashSet<usize>, parts: &[Part<'_>]) -> Meets {
        let of_leaf = |&leaf: &usize| self.part_meets_any(&self.leaf_parts[leaf], parts);
        leaves.iter().map(of_leaf).max().unwrap_or(Meets::No)
    }

    fn part_meets_any(&self, part: &Part<'_>, others: &[Part<'_>]) -> Meets {
        others.iter().map(|other| self.part_meets(part, other)).max().unwrap_or(Meets::No)
    }

    fn part_meets(&self, a: &Part<'_>, b: &Part<'_>) -> Meets {
        if a.text == b.text || a.text == ROOT || b.text == ROOT {
            return Meets::Yes;
        }
        // A missing value stays apart up to the root.
        if [a.text, b.text].contains(&self.missing) {
            return Meets::No;
        }
        let both = |a: &Option<Extent>, b: &Option<Extent>| Some(a.as_ref()?.meets(b.as_ref()?));
        let in_order = [both(&a.number, &b.number), both(&a.days, &b.days)];
        if let Some(meets) = in_order.into_iter().flatten().max() {
            return Meets::certain(meets);
        }
        if let Some(meets) = codes_meet(a.text, b.text) {
            return Meets::certain(meets);
        }
        let are_values = self.values.contains(a.text) && self.values.contains(b.text);
        if are_values { Meets::No } else { Meets::Perhaps }
    }
}

/// Do two codes stand for the same, character by character, where `*` is any? None for what may be words: only where
/// one is a mask and the other has a digit or is one, too, or where both consist of as many digits, are they compared.
fn codes_meet(a: &str, b: &str) -> Option<bool> {
    let is_mask = |text: &str| text.contains('*');
    let is_code = |text: &str| is_mask(text) || text.contains(|c: char| c.is_ascii_digit());
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let meets = |(x, y): (char, char)| x == y || x == '*' || y == '*';
    let is_like = a.chars().zip(b.chars()).all(meets);
    let has_mask = is_mask(a) || is_mask(b);
    match a.chars().count() == b.chars().count() {
        true if has_mask && is_code(a) && is_code(b) => Some(is_like),
        true if are_digits(a) && are_digits(b) => Some(is_like),
        // A mask is as long as the values; the beginning of a code may stand for all that begin so.
        false if is_mask(a) && is_mask(b) => Some(false),
        false if has_mask && is_code(a) && is_code(b) && !is_like => Some(false),
        _ => None,
    }
}

/// How the numbers of some labels are written: with the unit that all of them have, if there is one.
fn number_type<'a>(labels: impl Iterator<Item = &'a String>, reading: Reading) -> ColumnType {
    // The `s` of `1950s` makes it a decade.
    let is_unit = |unit: &str| unit != "s" && unit.chars().all(|c| c.is_alphabetic() || "%°€$£ ".contains(c));
    let of_text = |text: &str| ColumnType::detect(std::iter::once(text), reading);
    let is_number = |text: &&str| {
        let column_type = of_text(text);
        column_type.is_number() && is_unit(column_type.unit())
    };
    let texts: Vec<&str> = labels.flat_map(|label| Told::of(label).named()).filter(is_number).collect();
    let found = ColumnType::detect(texts.iter().copied(), reading);
    if found.is_number() { found } else { of_text("0") }
}

/// How the dates of some labels are written: as all of them that are dates are. Periods can be read in any case.
fn date_type(labels: &[String], reading: Reading) -> ColumnType {
    let is_date = |text: &&str| {
        let column_type = ColumnType::detect(std::iter::once(*text), reading);
        column_type.kind() == ValueKind::Date || column_type.unclear().is_some()
    };
    let texts: Vec<&str> = labels.iter().flat_map(|label| Told::of(label).named()).filter(is_date).collect();
    let found = ColumnType::detect(texts.iter().copied(), reading);
    if found.kind() == ValueKind::Date { found } else { ColumnType::detect(std::iter::once("2000-01-01"), false) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(these: &[&str], those: &[&str], rows: &[Vec<String>]) -> Overlaps {
        found_reading(these, those, rows, Reading::default())
    }

    fn found_reading(these: &[&str], those: &[&str], rows: &[Vec<String>], reading: Reading) -> Overlaps {
        let owned = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect::<Vec<_>>();
        let (these, those) = (owned(these), owned(those));
        overlaps(SharedColumn { these: &these, those: &those, rows, missing: "?", reading })
    }

    /// Do they meet, and is that known?
    fn meet(a: &str, b: &str, rows: &[Vec<String>]) -> (bool, bool) {
        let one = found(&[a], &[b], rows);
        assert_eq!(one, found(&[b], &[a], rows), "{a} and {b}");
        (!one.of[0].is_empty(), !one.is_guessed)
    }

    #[test]
    fn labels_overlap_where_a_value_fits_both() {
        for (a, b) in [
            ("*", "anything"),
            ("[20, 30)", "29"),
            ("[20, 29]", "[29, 40]"),
            ("< 30", "[20, 40)"),
            ("≥ 40", "> 40"),
            ("50-54", "50-59"),
            ("80+", "[75, 85)"),
            ("{Ohio, Washington, DC}", "Washington, DC"),
            ("[0K, 5K)", "3K"),
            ("130**", "1305*"),
            ("130**", "13068"),
            ("{a, b}", "{b, c}"),
            ("3*", "31"),
            ("[2020-01-01, 2020-12-31]", "2020-02-29"),
            ("1954", "1950s"),
            ("1954-03", "1954"),
            ("1954-Q1", "1954-03"),
            ("1950-1955", "1954-03-05"),
            ("31.12.1954", "1954"),
        ] {
            assert_eq!(meet(a, b, &[]), (true, true), "{a} and {b}");
        }
        for (a, b) in [
            ("[20, 30)", "30"),
            ("[20, 30)", "[30, 40)"),
            ("50-54", "55-59"),
            ("< 30", "≥ 30"),
            ("130**", "148**"),
            ("130**", "14853"),
            ("3*", "5"),
            ("02139", "02140"),
            ("{a}", "{b, c}"),
            ("1954", "1960s"),
            ("1954-03", "1954-Q2"),
            ("?", "[20, 30)"),
        ] {
            assert_eq!(meet(a, b, &[]), (false, true), "{a} and {b}");
        }
    }

    #[test]
    fn decimal_commas_are_read_where_somebody_says_so() {
        let commas = |a: &str, b: &str| {
            let found = found_reading(&[a], &[b], &[], Reading::from(true));
            (!found.of[0].is_empty(), !found.is_guessed)
        };
        assert_eq!(commas("[1,5; 2,5)", "[2,5; 3,5)"), (false, true));
        assert_eq!(commas("[1,5; 2,5)", "2,4"), (true, true));
        assert_eq!(commas("[1,5; 2,5]", "< 2,5"), (true, true));
        assert_eq!(commas("[1,5; 2,5)", "[2.5, 3.5)"), (false, true), "a label of somebody else");
    }

    /// `young` and `under forty` may be the same people.
    #[test]
    fn what_cannot_be_read_may_overlap_with_everything() {
        for (a, b) in [("young", "under forty"), ("young", "[20, 30)"), ("Bavaria", "8****"), ("{a, b}", "north")] {
            assert_eq!(meet(a, b, &[]), (true, false), "{a} and {b}");
        }
        assert_eq!(meet("130", "130**", &[]), (true, false), "the beginning of a code");
        assert_eq!(meet("20s", "20-29", &[]), (true, false));
    }

    #[test]
    fn words_that_both_releases_show_exclude_each_other() {
        let sexes = found(&["f", "m"], &["f", "m"], &[]);
        assert_eq!(sexes, Overlaps { of: vec![vec![0], vec![1]], is_guessed: false });
        let mixed = found(&["f", "m"], &["f", "m", "other"], &[]);
        assert_eq!(mixed, Overlaps { of: vec![vec![0, 2], vec![1, 2]], is_guessed: true });
    }

    #[test]
    fn a_hierarchy_knows_better() {
        let row = |labels: [&str; 3]| labels.map(str::to_owned).to_vec();
        let rows = [row(["clerk", "office", "*"]), row(["smith", "field", "*"])];
        for (a, b, expected) in [
            ("office", "clerk", true),
            ("office", "*", true),
            ("office", "{clerk, smith}", true),
            ("office", "smith", false),
            ("office", "field", false),
            ("field", "{clerk}", false),
        ] {
            assert_eq!(meet(a, b, &rows), (expected, true), "{a} and {b}");
        }
        assert_eq!(meet("office", "white-collar", &rows), (true, false));
        let ages = [row(["25", "young", "*"]), row(["65", "old", "*"])];
        assert_eq!(meet("young", "[20, 30)", &ages), (true, true));
        assert_eq!(meet("old", "[20, 30)", &ages), (false, true));
    }
}
