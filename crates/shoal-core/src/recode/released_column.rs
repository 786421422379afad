//! What does a column of the release show?

use super::Pseudonyms;

/// A column of the release.
#[derive(Debug)]
pub struct ReleasedColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its place in the table; none of the column that numbers classes.
    pub index: Option<usize>,
    /// What it shows of each row.
    pub shows: Shows<'a>,
}

/// What a column of the release shows of each row. Lines of text, Arrow columns and SQL are only ways to write it down.
#[derive(Debug, Clone, Copy)]
pub enum Shows<'a> {
    /// The cell as it is: the column was not counted.
    Cell,
    /// What stands in place of an identifier; a missing one stays missing.
    Pseudonym(&'a Pseudonyms),
    /// The value of a counted column, by its place among these: what was counted as one value is written in one way.
    Value(usize),
    /// The label of the value of a quasi-identifier, where each column has one level for all rows.
    Label(usize),
    /// What the row's class shows for a quasi-identifier.
    OfClass(usize),
    /// What the sensitive tuple that the row shows has for a sensitive column.
    Sensitive(usize),
    /// The number of the row's class.
    ClassNumber,
}

impl Shows<'_> {
    /// Does the row show something here that was not counted, whatever place it goes to?
    pub fn is_own(self) -> bool {
        matches!(self, Self::Cell | Self::Pseudonym(_))
    }

    /// Does the cell as it stands in the table decide alone, so that it can keep its type?
    pub fn keeps_type(self) -> bool {
        matches!(self, Self::Cell | Self::Value(_))
    }

    /// Does the place that a row goes to decide?
    pub fn is_of_place(self) -> bool {
        matches!(self, Self::OfClass(_) | Self::Sensitive(_) | Self::ClassNumber)
    }
}

/// The number of a class as a release shows it: people count from 1.
pub fn class_number(class: u32) -> u32 {
    class + 1
}
