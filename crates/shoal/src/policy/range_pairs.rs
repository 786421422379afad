//! Which columns of a release stand for both ends of a range?

use super::Policy;
use super::sections::{ColumnPolicy, Ranges};

/// The names of both columns that take the place of one.
pub(crate) fn pair_of(name: &str) -> [String; 2] {
    [format!("{name}_low"), format!("{name}_high")]
}

impl Policy {
    /// Does a column stand in two of the release, one for each end of a range?
    pub fn stands_in_two_columns(&self, name: &str) -> bool {
        self.output.ranges == Ranges::TwoColumns && self.column(name).is_some_and(ColumnPolicy::has_ranges_of_numbers)
    }

    /// The names of the columns of a release, some of which stand in two.
    pub(crate) fn split_names(&self, names: &[String]) -> Vec<String> {
        let split = |name: &String| match self.stands_in_two_columns(name) {
            true => pair_of(name).to_vec(),
            false => vec![name.clone()],
        };
        names.iter().flat_map(split).collect()
    }
}
