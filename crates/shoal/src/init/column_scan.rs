//! What is kept of a column while the table streams by?

use arrow_array::StringArray;

use super::codes::Codes;
use crate::meaning::SAMPLE;
use shoal_core::table::DictionaryBuilder;

/// How much of a column is kept before it counts as one of nearly unique values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) distinct: usize,
    pub(super) bytes: usize,
}

impl Default for Limits {
    /// A column at both limits costs about half a gigabyte while it is read.
    fn default() -> Self {
        Self { distinct: 2_000_000, bytes: 1 << 28 }
    }
}

/// A column as far as it was read.
pub(super) enum ColumnScan {
    /// Every value and every row.
    Whole(WholeColumn),
    /// Too many values to keep: the first of them, to see what they look like.
    Sampled {
        /// The first values that occurred, markers of missing values among them.
        values: Vec<String>,
        /// How many distinct values were seen before the rest was given up.
        more_than: u64,
        /// The rows without a cell and those with an empty one.
        missing: u64,
    },
}

/// A column of which everything is known.
#[derive(Default)]
pub(super) struct WholeColumn {
    values: DictionaryBuilder,
    bytes: usize,
    /// How often each value occurs, by provisional code.
    counts: Vec<u64>,
    /// The code of the rows that have no cell at all.
    null: Option<u32>,
    codes: Option<Codes>,
}

impl ColumnScan {
    pub(super) fn new() -> Self {
        ColumnScan::Whole(WholeColumn::default())
    }

    /// Takes the next rows.
    pub(super) fn add(&mut self, cells: &StringArray, limits: Limits) {
        for cell in cells {
            match self {
                ColumnScan::Whole(column) => {
                    column.add(cell);
                    if column.values.len() > limits.distinct || column.bytes > limits.bytes {
                        *self = column.sample();
                    }
                }
                ColumnScan::Sampled { missing, .. } => *missing += u64::from(cell.is_none_or(str::is_empty)),
            }
        }
    }
}

impl WholeColumn {
    fn add(&mut self, cell: Option<&str>) {
        let code = match cell {
            Some(value) => self.values.code(value),
            None => *self.null.insert(self.values.missing_code()),
        };
        if code as usize == self.counts.len() {
            self.counts.push(0);
            self.bytes += cell.map_or(0, str::len);
        }
        self.counts[code as usize] += 1;
        self.codes.get_or_insert_with(Codes::new).push(code);
    }

    fn sample(&self) -> ColumnScan {
        let missing = self.pairs().filter(|(value, _)| value.is_none_or(str::is_empty)).map(|(_, count)| count).sum();
        let values = self.pairs().filter_map(|(value, _)| value).take(SAMPLE).map(str::to_owned).collect();
        ColumnScan::Sampled { values, more_than: self.values.len() as u64 - 1, missing }
    }

    /// Every value (none for the rows without a cell) and how often it occurs, in the order of the first occurrence.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Option<&str>, u64)> + Clone {
        let value = |(code, value)| if self.null == Some(code) { None } else { Some(value) };
        let values = (0..).zip(self.values.values().iter().map(String::as_str)).map(value);
        values.zip(self.counts.iter().copied())
    }

    /// Hands out the codes of the rows, where all values that `is_missing` have one code, and how many codes there
    /// may be.
    pub(super) fn take_codes(&mut self, is_missing: impl Fn(&str) -> bool) -> (Codes, u64) {
        let missing: Vec<bool> = self.pairs().map(|(value, _)| value.is_none_or(&is_missing)).collect();
        let codes = self.codes.take().unwrap_or_else(Codes::new);
        let domain = missing.len() as u64;
        let mut places = missing.iter().enumerate().filter(|(_, missing)| **missing).map(|(code, _)| code as u32);
        let (Some(first), Some(_)) = (places.next(), places.next()) else { return (codes, domain) };
        let name = |(code, &missing): (u32, &bool)| if missing { first } else { code };
        let names: Vec<u32> = (0..).zip(&missing).map(name).collect();
        (codes.renamed(&names), domain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scan(cells: &[Option<&str>], limits: Limits) -> ColumnScan {
        let mut scan = ColumnScan::new();
        scan.add(&cells.iter().copied().collect(), limits);
        scan
    }

    #[test]
    fn values_are_counted_and_missing_ones_share_a_code() {
        let cells = [Some("a"), None, Some("?"), Some("a"), Some("")];
        let ColumnScan::Whole(mut column) = scan(&cells, Limits::default()) else { panic!("it is small") };
        let pairs: Vec<_> = column.pairs().collect();
        assert_eq!(pairs, [(Some("a"), 2), (None, 1), (Some("?"), 1), (Some(""), 1)]);
        let (codes, domain) = column.take_codes(|value| value == "?" || value.is_empty());
        assert_eq!((0..5).map(|row| codes.get(row)).collect::<Vec<_>>(), [0, 1, 1, 0, 1]);
        assert_eq!(domain, 4);
    }

    #[test]
    fn a_column_of_too_many_values_is_only_sampled() {
        let limits = Limits { distinct: 3, bytes: 1000 };
        let cells = [Some("a"), Some("b"), None, Some("c"), Some("d"), Some(""), Some("a")];
        let ColumnScan::Sampled { values, more_than, missing } = scan(&cells, limits) else { panic!("it is large") };
        assert_eq!((values.len(), more_than, missing), (3, 3, 2));
        let limits = Limits { distinct: 100, bytes: 3 };
        assert!(matches!(scan(&[Some("abc"), Some("d")], limits), ColumnScan::Sampled { .. }));
    }
}
