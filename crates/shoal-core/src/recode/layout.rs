//! Which columns of a table does a run count, and which does its release have?

/// The columns of a table by their places in it, and what a run does with each. It follows from the roles of columns, is decided once,
/// and everybody who reads or writes rows keeps to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The names of all columns of the table.
    pub names: Vec<String>,
    /// The columns that are counted: quasi-identifiers, then sensitive ones, both in policy order; then whose row it is, where people are
    /// counted.
    pub counted: Vec<usize>,
    /// How many of them are quasi-identifiers.
    pub quasi: usize,
    /// Does the last of them say whose row it is?
    pub person: bool,
    /// The columns of the release, in the order of the table; without sensitive ones, where those get a table of their own.
    pub released: Vec<usize>,
    /// Those of them that are identifiers, which are shown under other names.
    pub replaced: Vec<usize>,
    /// The column for the number of the class, which then follows them.
    pub class_column: Option<String>,
}

impl Layout {
    /// The names of the columns of the release.
    pub fn released_names(&self) -> Vec<String> {
        self.released.iter().map(|&index| self.names[index].clone()).chain(self.class_column.clone()).collect()
    }

    /// The place of a column among those that are counted for their values.
    pub fn place_among_counted(&self, index: usize) -> Option<usize> {
        self.values().iter().position(|&counted| counted == index)
    }

    /// The columns that are counted for their values: quasi-identifiers, then sensitive ones.
    pub fn values(&self) -> &[usize] {
        &self.counted[..self.counted.len() - usize::from(self.person)]
    }

    /// Does the release show nothing but what was counted?
    pub fn shows_only_counted(&self) -> bool {
        self.released.iter().all(|index| self.values().contains(index))
    }

    /// The sensitive columns.
    pub fn sensitive(&self) -> &[usize] {
        &self.values()[self.quasi..]
    }
}
