//! Can two labels, of two releases, stand for the same value?

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use rust_decimal::Decimal;

use crate::hierarchy::ROOT;

/// For each label of a column in one release, the labels (by their places) in the other that can stand for the same value,
/// sorted. `rows` is the column's hierarchy from leaf to root, where it does not depend on the data.
///
/// Labels that the hierarchy knows overlap if they share a leaf; others if what they say does: ranges, sets, masks, `*`.
/// Nothing is missed: what cannot be understood overlaps with nothing but itself.
pub fn overlaps(these: &[String], those: &[String], rows: &[Vec<String>]) -> Vec<Vec<u32>> {
    let mut leaves: HashMap<&str, HashSet<usize>> = HashMap::new();
    for (leaf, row) in rows.iter().enumerate() {
        row.iter().for_each(|label| {
            leaves.entry(label).or_default().insert(leaf);
        });
    }
    let parts: Vec<Vec<Part<'_>>> = those.iter().map(|label| parts(label)).collect();
    let overlap = |label: &String| -> Vec<u32> {
        let own = self::parts(label);
        let meets = |place: &usize| match (leaves.get(label.as_str()), leaves.get(those[*place].as_str())) {
            (Some(a), Some(b)) => !a.is_disjoint(b),
            _ => own.iter().any(|a| parts[*place].iter().any(|b| a.meets(b))),
        };
        (0..those.len()).filter(meets).map(|place| place as u32).collect()
    };
    these.iter().map(overlap).collect()
}

/// A part of what a label covers.
#[derive(Debug)]
enum Part<'a> {
    All,
    Range(Point, Point),
    /// `*` stands for any character.
    Text(&'a str),
}

/// An end of a range, with a little more or less where the end itself is left out.
type Point = (Scale, i8);

#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
enum Scale {
    Lowest,
    Number(Decimal),
    Day(NaiveDate),
    Highest,
}

impl Part<'_> {
    fn meets(&self, other: &Part<'_>) -> bool {
        match (self, other) {
            (Part::All, _) | (_, Part::All) => true,
            (Part::Range(low, high), Part::Range(other_low, other_high)) => low <= other_high && other_low <= high,
            (Part::Range(low, high), Part::Text(text)) | (Part::Text(text), Part::Range(low, high)) => {
                point(text).is_some_and(|scale| *low <= (scale, 0) && (scale, 0) <= *high)
            }
            (Part::Text(a), Part::Text(b)) => {
                let meets = |(x, y): (char, char)| x == y || x == '*' || y == '*';
                a.chars().count() == b.chars().count() && a.chars().zip(b.chars()).all(meets)
            }
        }
    }
}

fn point(text: &str) -> Option<Scale> {
    let number = Decimal::from_str_exact(text).ok().map(Scale::Number);
    number.or_else(|| text.parse().ok().map(Scale::Day))
}

fn parts(label: &str) -> Vec<Part<'_>> {
    if label == ROOT {
        return vec![Part::All];
    }
    if let Some(inner) = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return inner.split(", ").map(Part::Text).collect();
    }
    if let Some((low, high)) = label
        .strip_prefix(['[', '('])
        .and_then(|rest| rest.strip_suffix([']', ')']))
        .and_then(|ends| ends.split_once(','))
    {
        let end = |text: &str, none: Scale| if text.trim().is_empty() { Some(none) } else { point(text.trim()) };
        if let (Some(low), Some(high)) = (end(low, Scale::Lowest), end(high, Scale::Highest)) {
            let (above, below) = (i8::from(label.starts_with('(')), -i8::from(label.ends_with(')')));
            return vec![Part::Range((low, above), (high, below))];
        }
    }
    let signs = [("<=", 0), ("≤", 0), ("<", -1), (">=", 0), ("≥", 0), (">", 1)];
    for (sign, shift) in signs {
        if let Some(end) = label.strip_prefix(sign).and_then(|end| point(end.trim())) {
            let is_upper = sign.starts_with(['<', '≤']);
            let range = if is_upper { ((Scale::Lowest, 0), (end, shift)) } else { ((end, shift), (Scale::Highest, 0)) };
            return vec![Part::Range(range.0, range.1)];
        }
    }
    vec![Part::Text(label)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meet(a: &str, b: &str, rows: &[Vec<String>]) -> bool {
        let (these, those) = ([a.to_owned()], [b.to_owned()]);
        let one = !overlaps(&these, &those, rows)[0].is_empty();
        assert_eq!(one, !overlaps(&those, &these, rows)[0].is_empty(), "{a} and {b}");
        one
    }

    #[test]
    fn labels_overlap_where_a_value_fits_both() {
        for (a, b) in [
            ("*", "anything"),
            ("[20, 30)", "29"),
            ("[20, 29]", "[29, 40]"),
            ("< 30", "[20, 40)"),
            ("≥ 40", "> 40"),
            ("130**", "1305*"),
            ("130**", "13068"),
            ("{a, b}", "{b, c}"),
            ("3*", "31"),
            ("[2020-01-01, 2020-12-31]", "2020-02-29"),
        ] {
            assert!(meet(a, b, &[]), "{a} and {b}");
        }
        for (a, b) in
            [("[20, 30)", "30"), ("[20, 30)", "[30, 40)"), ("< 30", "≥ 30"), ("130**", "148**"), ("{a}", "{b, c}")]
        {
            assert!(!meet(a, b, &[]), "{a} and {b}");
        }
    }

    #[test]
    fn a_hierarchy_knows_better() {
        let row = |labels: [&str; 3]| labels.map(str::to_owned).to_vec();
        let rows = [row(["clerk", "office", "*"]), row(["smith", "field", "*"])];
        assert!(meet("office", "clerk", &rows) && meet("office", "*", &rows));
        assert!(!meet("office", "smith", &rows) && !meet("office", "field", &rows));
    }
}
