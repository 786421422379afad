//! How is a table counted whose rows were grouped where they are?

use super::combinations::{Combinations, CountedByThread};
use super::{OutsiderTable, rows_with};
use shoal_core::Result;
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;

/// Collects combinations of texts, each with the number of rows that show it, from whoever can group the rows of a table.
#[derive(Debug)]
pub struct OutsiderGroups {
    columns: Vec<String>,
    quasi: usize,
    markers: MissingMarkers,
    limit: Option<MemoryLimit>,
    counted: CountedByThread,
    combination: Vec<u32>,
    width: usize,
    rows: u64,
    exempt_rows: u64,
    groups: usize,
}

/// Memory is looked at after so many groups.
const BETWEEN_CHECKS: usize = 1 << 12;

impl OutsiderGroups {
    /// Groups of a table with these columns, by `quasi` quasi-identifiers and then `sensitive` sensitive columns.
    pub fn new(
        columns: Vec<String>,
        (quasi, sensitive): (usize, usize),
        markers: MissingMarkers,
        limit: Option<MemoryLimit>,
    ) -> Self {
        let width = quasi + sensitive;
        let (counted, combination) = (CountedByThread::new(width), Vec::with_capacity(width));
        Self { columns, quasi, markers, limit, counted, combination, width, rows: 0, exempt_rows: 0, groups: 0 }
    }

    /// So many rows show these texts, quasi-identifiers first; `None` is a missing value.
    pub fn add(&mut self, texts: &[Option<&str>], count: u64) -> Result<()> {
        debug_assert_eq!(texts.len(), self.width);
        self.rows += count;
        self.groups += 1;
        self.counted.counts.add_rows(texts, count, &self.markers, &mut self.combination);
        match &self.limit {
            Some(limit) if self.groups.is_multiple_of(BETWEEN_CHECKS) => self.counted.keep_within(limit),
            _ => Ok(()),
        }
    }

    /// So many rows consist of `*` only, and are exempt.
    pub fn add_exempt(&mut self, rows: u64) {
        self.exempt_rows += rows;
    }

    /// The table.
    pub fn finish(self) -> Result<OutsiderTable> {
        let counts = Combinations::join(self.width, vec![self.counted], self.limit.as_ref())?;
        let sensitive = self.width - self.quasi;
        let rows_with = rows_with(&counts, self.quasi, sensitive, self.rows)?;
        Ok(OutsiderTable {
            columns: self.columns,
            rows: self.rows,
            exempt_rows: self.exempt_rows,
            quasi: self.quasi,
            people: false,
            shows_people: false,
            counts,
            rows_with,
            missing_marker: self.markers.first().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_that_look_alike_are_one_and_missing_values_are_one() {
        let markers = MissingMarkers::new(vec!["?".to_owned()]);
        let columns = vec!["age".to_owned(), "ill".to_owned()];
        let mut groups = OutsiderGroups::new(columns, (1, 1), markers, None);
        for (age, ill, count) in [(Some("30"), None, 2), (Some("30"), Some("?"), 3), (None, Some("flu"), 1)] {
            groups.add(&[age, ill], count).unwrap();
        }
        groups.add_exempt(4);
        let table = groups.finish().unwrap();
        assert_eq!((table.rows, table.exempt_rows), (6, 4));
        assert_eq!(table.sensitive_values(0), (vec![("?", 5), ("flu", 1)], Some("?")));
    }
}
