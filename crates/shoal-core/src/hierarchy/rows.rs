//! Are these rows from leaf to root a hierarchy, and which one over the values of a column?

use std::collections::{HashMap, HashSet};

use super::{ColumnValues, Hierarchy, Level, MOST_LEVELS, ROOT};
use crate::{Error, Result};

/// The leaves of a hierarchy that does not depend on the data, each with its labels up to the root.
pub(super) struct Rows {
    /// Where the rows come from, as a message names it.
    origin: String,
    labels: Vec<Vec<String>>,
    /// The line of each row, where they come from a file.
    lines: Option<Vec<u64>>,
    /// May a message show a label? Not one of a sensitive column: a short branch repeats its leaf as a label.
    may_print: bool,
}

impl Rows {
    /// Rows that stand in a policy.
    pub fn new(origin: impl Into<String>, labels: Vec<Vec<String>>) -> Self {
        Self { origin: origin.into(), labels, lines: None, may_print: true }
    }

    /// Rows that stand on these lines of a file.
    pub fn of_lines(origin: impl Into<String>, rows: Vec<(u64, Vec<String>)>) -> Self {
        let (lines, labels) = rows.into_iter().unzip();
        Self { origin: origin.into(), labels, lines: Some(lines), may_print: true }
    }

    /// The same rows, whose labels messages may show or not.
    pub fn showing(self, may_print: bool) -> Self {
        Self { may_print, ..self }
    }

    /// The rows themselves.
    pub fn into_labels(self) -> Vec<Vec<String>> {
        self.labels
    }

    /// The rows, if they have no defect.
    pub fn checked(self) -> Result<Self> {
        match self.defects().into_iter().next() {
            Some(defect) => Err(defect),
            None => Ok(self),
        }
    }

    /// Everything that keeps the rows from being a hierarchy.
    ///
    /// Rows of different lengths or with holes have no levels to speak of, so the rest is looked at only without them.
    pub fn defects(&self) -> Vec<Error> {
        let Some(first) = self.labels.first() else {
            return vec![self.defect("has no rows").hint("a row for each value: the value, its generalizations, `*`")];
        };
        if first.len() < 2 {
            let defect = self.defect("has one column only");
            return vec![defect.hint("each row goes from the value to `*`, separated by `;`")];
        }
        if first.len() > MOST_LEVELS + 1 {
            let defect = self.defect(&format!("has {} columns", first.len()));
            return vec![
                defect.hint(format!("a row is a value and its generalizations, at most {MOST_LEVELS} of them")),
            ];
        }
        let mut defects: Vec<Error> = self.ragged().chain(self.empty()).collect();
        if defects.is_empty() {
            defects.extend(self.roots());
            defects.extend(self.contradictions());
        }
        defects
    }

    /// Leaves that are listed more than once.
    pub fn repeated(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        self.labels.iter().map(|row| row[0].as_str()).filter(|leaf| !seen.insert(*leaf)).collect()
    }

    /// The hierarchy by itself, its leaves in the order of the rows.
    pub fn standalone(self) -> Result<Hierarchy> {
        let rows = self.checked()?;
        let mut seen = HashSet::new();
        let leaves: Vec<&[String]> =
            rows.labels.iter().filter(|row| seen.insert(row[0].as_str())).map(Vec::as_slice).collect();
        Ok(hierarchy(&leaves))
    }

    /// The hierarchy over a column, every value of which must be a leaf; a missing value may be.
    pub fn build(self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        let rows = self.showing(column.may_print).checked()?;
        let mut row_of: HashMap<&str, usize> = HashMap::new();
        for (at, row) in rows.labels.iter().enumerate() {
            row_of.entry(&row[0]).or_insert(at);
        }
        let dictionary = column.dictionary;
        let is_lacking = |value: &&String| !row_of.contains_key(value.as_str());
        if let Some(first) = dictionary.present().iter().find(is_lacking) {
            return Err(rows.lacks(column, dictionary.present().iter().filter(is_lacking).count(), first));
        }
        let row = |value: &String| row_of.get(value.as_str()).map(|&at| rows.labels[at].as_slice());
        let mut leaves: Vec<&[String]> = dictionary.values().iter().filter_map(row).collect();
        let marker_row: Vec<String>;
        if leaves.len() < dictionary.len() {
            let marker = &dictionary.values()[leaves.len()];
            rows.refuse_label(column, marker)?;
            let height = rows.labels[0].len() - 1;
            marker_row = [vec![marker.clone(); height], vec![ROOT.to_owned()]].concat();
            leaves.push(&marker_row);
        }
        for value in dictionary.values() {
            row_of.remove(value.as_str());
        }
        let mut others: Vec<usize> = row_of.into_values().collect();
        others.sort_unstable();
        leaves.extend(others.into_iter().map(|at| rows.labels[at].as_slice()));
        Ok(hierarchy(&leaves))
    }

    fn defect(&self, what: &str) -> Error {
        Error::policy(format!("{} {what}", self.origin))
    }

    /// `row 3`, or for rows of a policy `leaf 3`. A leaf itself is shown in no message: whoever wrote the hierarchy
    /// of a sensitive column listed its values.
    fn place(&self, row: usize) -> String {
        match &self.lines {
            Some(lines) => format!("row {}", lines[row]),
            None => format!("leaf {}", row + 1),
        }
    }

    fn ragged(&self) -> impl Iterator<Item = Error> {
        let expected = self.labels[0].len();
        let ragged = self.labels.iter().enumerate().find(move |(_, row)| row.len() != expected);
        ragged.into_iter().map(move |(at, row)| {
            let (found, place) = (row.len(), self.place(at));
            self.defect(&format!(
                "has rows of different lengths: {expected} columns in {}, {found} in {place}",
                self.place(0)
            ))
            .hint("repeat the value where a branch is shorter, as in `farmer;farmer;field;*`")
        })
    }

    /// An empty leaf can be a way to write a missing value; anything else empty was forgotten.
    fn empty(&self) -> impl Iterator<Item = Error> {
        let rows = self.labels.iter().enumerate().filter(|(_, row)| !row[0].is_empty());
        rows.filter_map(|(at, row)| {
            let level = row.iter().position(String::is_empty)?;
            Some(self.defect(&format!("has an empty label on level {level} in {}", self.place(at))))
        })
    }

    fn roots(&self) -> Option<Error> {
        let top = |row: &Vec<String>| row[row.len() - 1].clone();
        let (at, row) = self.labels.iter().enumerate().find(|(_, row)| row[row.len() - 1] != ROOT)?;
        let roots: HashSet<String> = self.labels.iter().map(top).collect();
        let place = self.place(at);
        let end = if self.may_print { format!("`{}`", top(row)) } else { "another label".to_owned() };
        let only_first = self.labels.len() > 1 && self.labels[1..].iter().all(|row| row[row.len() - 1] == ROOT);
        Some(match roots.len() {
            1 => self.defect(&format!("ends in {end} instead of `*`")).hint("let the last column be `*` in every row"),
            _ if only_first => self
                .defect(&format!("ends in {end} in {place}, in `*` elsewhere"))
                .hint("a hierarchy file has no header row"),
            roots => self
                .defect(&format!("has {roots} roots: it does not end in `*` in {place}"))
                .hint("let the last column be `*` in every row; rows go from the value to `*`"),
        })
    }

    /// Labels with two parents, each told once.
    fn contradictions(&self) -> Vec<Error> {
        let mut defects = Vec::new();
        for level in 0..self.labels[0].len() - 1 {
            let mut first_row: HashMap<&str, usize> = HashMap::new();
            let mut told = HashSet::new();
            for (at, row) in self.labels.iter().enumerate() {
                let label = row[level].as_str();
                let first = *first_row.entry(label).or_insert(at);
                let (parent, other) = (&self.labels[first][level + 1], &row[level + 1]);
                if parent != other && told.insert(label) {
                    let (here, there) = (self.place(first), self.place(at));
                    let what = match (level, self.may_print) {
                        (0, _) => "has a leaf twice with different generalizations".to_owned(),
                        (_, true) => format!("is not nested: `{label}` on level {level} has two parents"),
                        (_, false) => format!("is not nested: a label on level {level} has two parents"),
                    };
                    let parents = match self.may_print {
                        true => format!("`{parent}` in {here}, `{other}` in {there}"),
                        false => {
                            format!("one in {here}, another in {there}; labels of a sensitive column are not shown")
                        }
                    };
                    let hint = "a label stands under one parent; give one of the two another name";
                    defects.push(self.defect(&what).detail(parents).hint(hint));
                }
            }
        }
        defects
    }

    fn lacks(&self, column: &ColumnValues<'_>, lacking: usize, first: &str) -> Error {
        let values = column.dictionary.present().len();
        let what = format!("lacks {lacking} of the {values} values of column `{}`", column.name);
        self.defect(&what).detail(column.which(first)).hint("every value that occurs needs a leaf")
    }

    /// A missing value that is no leaf stands under the root by itself, so its marker must not be a label.
    fn refuse_label(&self, column: &ColumnValues<'_>, marker: &str) -> Result<()> {
        let inner = |row: &Vec<String>| row[..row.len() - 1].iter().any(|label| label == marker);
        if self.labels.iter().any(inner) {
            let what = format!("has a label `{marker}`, and so is a missing value of column `{}` written", column.name);
            return Err(self.defect(&what).hint(format!("list `{marker}` as a leaf, too")));
        }
        Ok(())
    }
}

/// The hierarchy over these rows. A row can stand there twice, for a value and for a marker that looks the same: it is
/// one leaf.
fn hierarchy(leaves: &[&[String]]) -> Hierarchy {
    let height = leaves.first().map_or(1, |row| row.len() - 1);
    let level = |level: usize| Level::from_labels(leaves.iter().map(|row| row[level].as_str()));
    Hierarchy::new((0..height).map(level).chain([Level::root(leaves.len())]).collect())
}
