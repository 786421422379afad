//! Are these rows from leaf to root a hierarchy, and which one over the values of a column?

use std::collections::HashSet;

use super::labels::Labels;
use super::{ColumnValues, Hierarchy, Level, MOST_LEVELS, ROOT};
use crate::{Error, Result};

/// The leaves of a hierarchy that does not depend on the data, each with its labels up to the root.
pub(super) struct Rows {
    /// Where the rows come from, as a message names it.
    origin: String,
    labels: Labels,
    /// The labels of all rows by their numbers, row after row, and where each row ends.
    cells: Vec<u32>,
    ends: Vec<usize>,
    /// The line of each row, where they come from a file.
    lines: Option<Vec<u64>>,
    /// May a message show a label? Not one of a sensitive column: a short branch repeats its leaf as a label.
    may_print: bool,
}

/// No row, or no node.
const NONE: u32 = u32::MAX;

impl Rows {
    /// Rows that stand in a policy.
    pub fn new(origin: impl Into<String>, rows: Vec<Vec<String>>) -> Self {
        let mut all = Self { lines: None, ..Self::of_lines(origin) };
        for row in rows {
            all.push(row.iter().map(String::as_str));
        }
        all
    }

    /// No rows yet of those that stand on lines of a file.
    pub fn of_lines(origin: impl Into<String>) -> Self {
        let (labels, cells, ends) = (Labels::default(), Vec::new(), Vec::new());
        Self { origin: origin.into(), labels, cells, ends, lines: Some(Vec::new()), may_print: true }
    }

    /// One more row, on this line.
    pub fn push_line<'c>(&mut self, line: u64, cells: impl IntoIterator<Item = &'c str>) {
        self.lines.get_or_insert_default().push(line);
        self.push(cells);
    }

    fn push<'c>(&mut self, cells: impl IntoIterator<Item = &'c str>) {
        // What generalizes a value mostly generalizes the one before as well.
        let before = self.ends.len().checked_sub(2).map_or(0, |row| self.ends[row])..self.cells.len();
        for (column, cell) in cells.into_iter().enumerate() {
            let above = self.cells[before.clone()].get(column).copied();
            let same = above.filter(|&label| self.labels.text(label) == cell);
            let label = same.unwrap_or_else(|| self.labels.number(cell));
            self.cells.push(label);
        }
        self.ends.push(self.cells.len());
    }

    /// The same rows, whose labels messages may show or not.
    pub fn showing(self, may_print: bool) -> Self {
        Self { may_print, ..self }
    }

    /// The labels of every row.
    pub fn into_labels(self) -> Vec<Vec<String>> {
        self.rows().map(|row| row.iter().map(|&label| self.labels.text(label).to_owned()).collect()).collect()
    }

    /// How many columns the first row has; none if there is no row.
    pub fn columns(&self) -> usize {
        self.rows().next().map_or(0, <[u32]>::len)
    }

    /// Have all rows as many columns, and more than one?
    pub fn is_even(&self) -> bool {
        self.columns() > 1 && self.rows().all(|row| row.len() == self.columns())
    }

    fn row(&self, at: usize) -> &[u32] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.cells[start..self.ends[at]]
    }

    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|at| self.row(at))
    }

    /// For each label, the first row whose leaf it is.
    fn row_of_leaf(&self) -> Vec<u32> {
        let mut row_of = vec![NONE; self.labels.len()];
        for (at, row) in self.rows().enumerate().filter(|(_, row)| !row.is_empty()) {
            let known = &mut row_of[row[0] as usize];
            *known = (*known).min(at as u32);
        }
        row_of
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
        let Some(first) = self.rows().next() else {
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
        let row_of = self.row_of_leaf();
        let rows = self.rows().enumerate();
        rows.filter(|(at, row)| row_of[row[0] as usize] != *at as u32)
            .map(|(_, row)| self.labels.text(row[0]))
            .collect()
    }

    /// The hierarchy by itself, its leaves in the order of the rows.
    pub fn standalone(self) -> Result<Hierarchy> {
        let rows = self.checked()?;
        let row_of = rows.row_of_leaf();
        let is_first = |(at, row): &(usize, &[u32])| row_of[row[0] as usize] == *at as u32;
        let leaves: Vec<&[u32]> = rows.rows().enumerate().filter(is_first).map(|(_, row)| row).collect();
        Ok(hierarchy(&leaves, &rows.labels))
    }

    /// The hierarchy over a column, every value of which must be a leaf; a missing value may be.
    pub fn build(self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        let mut rows = self.showing(column.may_print).checked()?;
        let mut row_of = rows.row_of_leaf();
        let dictionary = column.dictionary;
        let row_of_value = |value: &String| rows.labels.find(value).map_or(NONE, |label| row_of[label as usize]);
        let mut listed: Vec<u32> = dictionary.values().iter().map(row_of_value).collect();
        let mut lacking = dictionary.present().iter().zip(&listed).filter(|(_, row)| **row == NONE);
        if let Some((first, _)) = lacking.next() {
            return Err(rows.lacks(column, 1 + lacking.count(), first));
        }
        listed.retain(|row| *row != NONE);
        let mut marker_row: Option<Vec<u32>> = None;
        if listed.len() < dictionary.len() {
            let marker = &dictionary.values()[listed.len()];
            rows.refuse_label(column, marker)?;
            let (label, root) = (rows.labels.number(marker), rows.labels.number(ROOT));
            marker_row = Some([vec![label; rows.columns() - 1], vec![root]].concat());
        }
        let leaf_of = |at: u32| rows.row(at as usize)[0];
        let mut leaves: Vec<&[u32]> = listed.iter().map(|&at| rows.row(at as usize)).collect();
        leaves.extend(marker_row.as_deref());
        // Each leaf that is no value of the column, once, in the order of the rows.
        listed.iter().for_each(|&at| row_of[leaf_of(at) as usize] = NONE);
        let is_other = |at: &u32| row_of[leaf_of(*at) as usize] == *at;
        leaves.extend((0..rows.ends.len() as u32).filter(is_other).map(|at| rows.row(at as usize)));
        Ok(hierarchy(&leaves, &rows.labels))
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
        let expected = self.columns();
        let ragged = self.rows().enumerate().find(|(_, row)| row.len() != expected).map(|(at, row)| (at, row.len()));
        ragged.into_iter().map(move |(at, found)| {
            let place = self.place(at);
            self.defect(&format!(
                "has rows of different lengths: {expected} columns in {}, {found} in {place}",
                self.place(0)
            ))
            .hint("repeat the value where a branch is shorter, as in `farmer;farmer;field;*`")
        })
    }

    /// An empty leaf can be a way to write a missing value; anything else empty was forgotten.
    fn empty(&self) -> impl Iterator<Item = Error> {
        let empty = self.labels.find("");
        self.rows().enumerate().filter_map(move |(at, row)| {
            let level = row.iter().position(|label| Some(*label) == empty).filter(|level| *level > 0)?;
            Some(self.defect(&format!("has an empty label on level {level} in {}", self.place(at))))
        })
    }

    fn roots(&self) -> Option<Error> {
        let root = self.labels.find(ROOT);
        let top = |row: &[u32]| row.last().copied();
        let (at, row) = self.rows().enumerate().find(|(_, row)| top(row) != root || root.is_none())?;
        let roots: HashSet<Option<u32>> = self.rows().map(top).collect();
        let place = self.place(at);
        let end = match top(row).filter(|_| self.may_print) {
            Some(label) => format!("`{}`", self.labels.text(label)),
            None => "another label".to_owned(),
        };
        let only_first = self.ends.len() > 1 && self.rows().skip(1).all(|row| top(row) == root && root.is_some());
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
        for level in 0..self.columns() - 1 {
            let mut first_row = vec![NONE; self.labels.len()];
            let mut told = HashSet::new();
            for (at, row) in self.rows().enumerate() {
                let first = &mut first_row[row[level] as usize];
                *first = (*first).min(at as u32);
                let first = *first as usize;
                if self.row(first)[level + 1] != row[level + 1] && told.insert(row[level]) {
                    defects.push(self.contradiction(level, first, at));
                }
            }
        }
        defects
    }

    /// A label on a level has one parent in a row, and another one in another row.
    fn contradiction(&self, level: usize, first: usize, at: usize) -> Error {
        let text = |row: usize, level: usize| self.labels.text(self.row(row)[level]);
        let (here, there) = (self.place(first), self.place(at));
        let what = match (level, self.may_print) {
            (0, _) => "has a leaf twice with different generalizations".to_owned(),
            (_, true) => format!("is not nested: `{}` on level {level} has two parents", text(at, level)),
            (_, false) => format!("is not nested: a label on level {level} has two parents"),
        };
        let parents = match self.may_print {
            true => format!("`{}` in {here}, `{}` in {there}", text(first, level + 1), text(at, level + 1)),
            false => format!("one in {here}, another in {there}; labels of a sensitive column are not shown"),
        };
        self.defect(&what).detail(parents).hint("a label stands under one parent; give one of the two another name")
    }

    fn lacks(&self, column: &ColumnValues<'_>, lacking: usize, first: &str) -> Error {
        let values = column.dictionary.present().len();
        let what = format!("lacks {lacking} of the {values} values of column `{}`", column.name);
        self.defect(&what).detail(column.which(first)).hint("every value that occurs needs a leaf")
    }

    /// A missing value that is no leaf stands under the root by itself, so its marker must not be a label.
    fn refuse_label(&self, column: &ColumnValues<'_>, marker: &str) -> Result<()> {
        let label = self.labels.find(marker);
        let inner = |row: &[u32]| row[..row.len() - 1].iter().any(|known| Some(*known) == label);
        if self.rows().any(inner) {
            let what = format!("has a label `{marker}`, and so is a missing value of column `{}` written", column.name);
            return Err(self.defect(&what).hint(format!("list `{marker}` as a leaf, too")));
        }
        Ok(())
    }
}

/// The hierarchy over these rows. A row can stand there twice, for a value and for a marker that looks the same: it is
/// one leaf.
fn hierarchy(leaves: &[&[u32]], labels: &Labels) -> Hierarchy {
    let height = leaves.first().map_or(1, |row| row.len() - 1);
    let mut node_of = vec![NONE; labels.len()];
    let level = |level: usize| {
        let numbers = leaves.iter().map(|row| row[level]);
        let made = Level::from_numbers(numbers.clone(), &mut node_of, |number| labels.text(number));
        numbers.for_each(|number| node_of[number as usize] = NONE);
        made
    };
    let levels: Vec<Level> = (0..height).map(level).collect();
    Hierarchy::new(levels.into_iter().chain([Level::root(leaves.len())]).collect())
}
