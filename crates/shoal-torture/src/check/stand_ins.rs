//! For how many leaves does a mean or a most frequent value stand?

use std::collections::BTreeSet;

use crate::cover::Label;
use crate::hierarchy::Hierarchy;
use crate::levels::Levels;
use crate::policy::{Column, Meaning};
use crate::question::Question;

/// The original values of each class of a release of which every row is known.
pub struct StandIns<'a> {
    question: &'a Question<'a>,
    /// For each row of the release, the original rows of its class.
    members: Vec<Vec<usize>>,
}

impl<'a> StandIns<'a> {
    /// Classes by rows of the release, of which each came from a row of the original.
    pub fn new(question: &'a Question<'a>, partners: &[usize], classes: &[Vec<usize>]) -> Self {
        let mut members = vec![Vec::new(); partners.len()];
        for class in classes {
            let originals: Vec<usize> = class.iter().map(|&row| partners[row]).collect();
            class.iter().for_each(|&row| members[row].clone_from(&originals));
        }
        Self { question, members }
    }

    /// The leaves that a cell stands for, where its text does not tell: a number for all from the smallest to the largest of its
    /// class, a most frequent value for all values of it.
    pub fn leaves(&self, column: &Column, levels: &Levels, row: usize) -> Option<u64> {
        let original = self.question.kept.place(&column.name)?;
        let values: BTreeSet<&str> =
            self.members[row].iter().map(|&row| self.question.kept.rows[row][original].as_str()).collect();
        if column.min_level.is_some_and(|level| level > 0) {
            return None;
        }
        if !is_ordered(column) {
            let is_mode = self.question.case.policy.method.has("categories-by", "\"mode\"");
            return is_mode.then_some(values.len() as u64);
        }
        // In the order of a column, one number in two spellings is two values, by their bytes.
        let place = |value: &str| Some((Label { text: value, column, levels: None }.place(value)?, value.to_owned()));
        // With a missing value among them, numbers are shown by their hierarchy.
        let places = values.iter().map(|value| place(value)).collect::<Option<BTreeSet<(i128, String)>>>()?;
        let (first, last) = (places.first()?, places.last()?);
        // A leaf that nobody has is only a number.
        let occurs = |leaf: &str| self.question.kept.rows.iter().any(|row| row[original] == leaf);
        let within = |leaf: &String| {
            place(leaf).is_some_and(|place| match occurs(leaf) {
                true => *first <= place && place <= *last,
                false => first.0 <= place.0 && place.0 <= last.0,
            })
        };
        Some(levels.paths().filter(|(leaf, _)| within(leaf)).count() as u64)
    }
}

/// Is a column put in order, or does it hold categories?
fn is_ordered(column: &Column) -> bool {
    let has_order = match column.hierarchy {
        None | Some(Hierarchy::Intervals { .. } | Hierarchy::Dates { .. } | Hierarchy::Quantiles(_)) => true,
        Some(_) => false,
    };
    match (column.kind, &column.meaning) {
        (Some("category"), _) | (_, Meaning::Category) => false,
        (Some("number"), _) => true,
        _ => has_order,
    }
}
