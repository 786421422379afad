//! How is a table counted whose rows were grouped where they are?

use super::OutsiderTable;
use super::combinations::{Combinations, CountedByThread};
use super::text_counts::TextCounts;
use super::totals::{count_people, rows_with};
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;
use shoal_core::{Error, Result};

/// Collects combinations of texts, each with the number of rows that show it, from whoever can group the rows of a table.
#[derive(Debug)]
pub struct OutsiderGroups {
    columns: Vec<String>,
    quasi: usize,
    markers: MissingMarkers,
    limit: Option<MemoryLimit>,
    counted: CountedByThread,
    combination: Vec<u32>,
    /// How many texts a combination has, the person included.
    width: usize,
    /// Is it known whose the rows are?
    people: bool,
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
        let (counted, combination) = (CountedByThread::new(TextCounts::new(quasi, width)), Vec::with_capacity(width));
        let (people, rows, exempt_rows, groups) = (false, 0, 0, 0);
        Self { columns, quasi, markers, limit, counted, combination, width, people, rows, exempt_rows, groups }
    }

    /// The same where it is known of every row whose it is.
    #[must_use]
    pub fn of_people(self) -> Self {
        let width = self.width + 1;
        let counts = TextCounts::listing(self.quasi, width);
        Self { counted: CountedByThread::new(counts), width, people: true, ..self }
    }

    /// So many rows show these texts, quasi-identifiers first; `None` is a missing value.
    pub fn add(&mut self, texts: &[Option<&str>], count: u64) -> Result<()> {
        self.add_of(texts, None, count)
    }

    /// The same for rows of a person, whoever that is: people are told apart by these texts, and none of them is a missing one.
    pub fn add_of(&mut self, texts: &[Option<&str>], person: Option<&str>, count: u64) -> Result<()> {
        if texts.len() + usize::from(person.is_some()) != self.width {
            return Err(Error::bug("it is not known of every row whose it is"));
        }
        self.rows += count;
        self.groups += 1;
        self.counted.counts.add_rows(texts, person, count, &self.markers, &mut self.combination);
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
        let counts = Combinations::join((self.quasi, self.width), vec![self.counted], self.limit.as_ref())?;
        let sensitive = self.width - self.quasi - usize::from(self.people);
        let rows_with = rows_with(&counts, self.quasi, sensitive, self.rows)?;
        let people = self.people.then(|| count_people(&counts)).transpose()?;
        Ok(OutsiderTable {
            columns: self.columns,
            rows: self.rows,
            exempt_rows: self.exempt_rows,
            quasi: self.quasi,
            people,
            shows_people: false,
            people_are_numbered: false,
            counts,
            rows_with,
            missing_marker: self.markers.first().to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;
    use shoal_core::frequency::SensitiveColumn;
    use shoal_core::table::{Dictionary, Reading};

    use super::*;

    /// The only sensitive column of a table, as models see it.
    fn column_of(table: &OutsiderTable) -> SensitiveColumn {
        let (values, missing) = table.sensitive_values(0);
        let dictionary =
            Dictionary::new(values.iter().map(|(text, _)| (*text).to_owned()), missing, Reading::default());
        SensitiveColumn::new("ill", &dictionary, None, values.iter().map(|&(_, count)| count).collect())
    }

    proptest! {
        #[test]
        fn what_is_measured_is_what_a_sorted_map_says(
            groups in prop::collection::vec((prop::array::uniform4(0u8..4), 1u64..3), 1..60),
            bytes in prop::sample::select(vec![None, Some(1), Some(1 << 20)]),
            people: bool,
        ) {
            let limit = bytes.map(|bytes| MemoryLimit::new(bytes, std::env::temp_dir()));
            let columns = ["age", "zip", "ill"].map(str::to_owned).to_vec();
            let counting = OutsiderGroups::new(columns, (2, 1), MissingMarkers::new(vec![String::new()]), limit);
            let mut counting = if people { counting.of_people() } else { counting };
            let mut slow: BTreeMap<(u8, u8), (u64, BTreeSet<u8>)> = BTreeMap::new();
            for (numbers, count) in groups {
                let texts = numbers.map(|number| number.to_string());
                let cells: Vec<Option<&str>> = texts[..3].iter().map(|text| Some(text.as_str())).collect();
                counting.add_of(&cells, people.then_some(texts[3].as_str()), count).unwrap();
                let class = slow.entry((numbers[0], numbers[1])).or_default();
                class.0 += count;
                class.1.insert(numbers[3]);
            }
            let table = counting.finish().unwrap();
            let measured = table.measure(&[column_of(&table)], &[], None).unwrap();
            let sizes = || slow.values().map(|class| class.0);
            prop_assert_eq!(measured.classes, slow.len() as u64);
            prop_assert_eq!((Some(measured.smallest), Some(measured.largest)), (sizes().min(), sizes().max()));
            prop_assert_eq!(measured.alone, sizes().filter(|&size| size == 1).count() as u64);
            let found = measured.people.map(|people| (people.fewest, people.most, people.classes_of_one));
            let counts = || slow.values().map(|class| class.1.len() as u64);
            let of_one = counts().filter(|&count| count == 1).count() as u64;
            let expected = (counts().min().unwrap(), counts().max().unwrap(), of_one);
            prop_assert_eq!(found, people.then_some(expected));
        }
    }

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

    #[test]
    fn people_are_counted_once_however_many_groups_they_are_in() {
        // A number is nobody's mark of a missing value.
        let markers = MissingMarkers::new(vec!["0".to_owned()]);
        let columns = vec!["age".to_owned(), "ill".to_owned()];
        let mut groups = OutsiderGroups::new(columns, (1, 1), markers, None).of_people();
        for (age, ill, person, count) in
            [("30", "flu", "0", 2), ("30", "gout", "0", 1), ("30", "flu", "1", 1), ("31", "flu", "0", 5)]
        {
            groups.add_of(&[Some(age), Some(ill)], Some(person), count).unwrap();
        }
        assert!(groups.add(&[Some("30"), Some("flu")], 1).is_err(), "nobody says whose this row is");
        let table = groups.finish().unwrap();
        assert_eq!((table.rows, table.sensitive_values(0).0), (9, vec![("flu", 8), ("gout", 1)]));
        let people = table.measure(&[column_of(&table)], &[], None).unwrap().people.unwrap();
        assert_eq!((people.count, people.fewest, people.most, people.classes_of_one), (2, 1, 2, 1));
    }
}
