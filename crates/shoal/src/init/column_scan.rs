//! What is kept of a column while the table streams by?

use arrow_array::StringArray;

use super::codes::Codes;
use crate::meaning::SAMPLE;
use shoal_core::table::DictionaryBuilder;

/// How much of a table is kept. A column of more values counts as one of nearly unique values; where codes of rows take too
/// much, the rows of some columns are not compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// The values of a column, and their bytes.
    pub(super) distinct: usize,
    pub(super) bytes: usize,
    /// What the values of all columns take.
    pub(super) values: usize,
    /// What the codes of all rows take, and what it takes to compare them.
    pub(super) codes: usize,
    /// The bytes of the values of a sample.
    pub(super) sample: usize,
}

impl Default for Limits {
    /// All of a table costs no more than about two gigabytes.
    fn default() -> Self {
        Self { distinct: 2_000_000, bytes: 1 << 28, values: 1 << 30, codes: 1 << 30, sample: 1 << 20 }
    }
}

impl Limits {
    /// The same where there are so many columns: the samples of all of them take some space, too.
    pub(super) fn for_columns(self, columns: usize) -> Self {
        const SAMPLES: usize = 1 << 26;
        const LEAST: usize = 1 << 12;
        Self { sample: self.sample.min((SAMPLES / columns.max(1)).max(LEAST)), ..self }
    }
}

/// A column as far as it was read.
pub(super) enum ColumnScan {
    /// Every value, and perhaps every row.
    Whole(WholeColumn),
    /// Too many values to keep, or too long ones: the first of them, to see what they look like.
    Sampled {
        /// The first values that occurred, markers of missing values among them.
        values: Vec<String>,
        /// How many distinct values were seen before the rest was given up.
        more_than: u64,
        /// The rows without a cell and those with an empty one.
        missing: u64,
    },
}

/// A column of which all values are known.
#[derive(Default)]
pub(super) struct WholeColumn {
    values: DictionaryBuilder,
    bytes: usize,
    /// How often each value occurs, by provisional code.
    counts: Vec<u64>,
    /// The code of the rows that have no cell at all.
    null: Option<u32>,
    codes: RowCodes,
}

/// The codes of the rows, as long as there is room for them.
enum RowCodes {
    Kept(Codes),
    GivenUp,
}

impl Default for RowCodes {
    fn default() -> Self {
        RowCodes::Kept(Codes::new())
    }
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
                        *self = column.sample(limits.sample);
                    }
                }
                ColumnScan::Sampled { missing, .. } => *missing += u64::from(cell.is_none_or(str::is_empty)),
            }
        }
    }
}

/// Gives up what takes most, until all columns keep to the limits.
pub(super) fn keep_within(limits: Limits, scans: &mut [ColumnScan], rows: u64) {
    give_up_largest(scans, limits.values, ColumnScan::value_bytes, |scan| {
        if let ColumnScan::Whole(column) = scan {
            *scan = column.sample(limits.sample);
        }
    });
    let comparing = usize::try_from(rows).unwrap_or(usize::MAX).saturating_mul(BYTES_TO_COMPARE);
    give_up_largest(scans, limits.codes.saturating_sub(comparing), ColumnScan::code_bytes, |scan| {
        if let ColumnScan::Whole(column) = scan {
            column.codes = RowCodes::GivenUp;
        }
    });
}

fn give_up_largest(
    scans: &mut [ColumnScan],
    most: usize,
    bytes: impl Fn(&ColumnScan) -> usize,
    give_up: impl Fn(&mut ColumnScan),
) {
    let mut sum: usize = scans.iter().map(&bytes).sum();
    if sum <= most {
        return;
    }
    let mut order: Vec<&mut ColumnScan> = scans.iter_mut().collect();
    order.sort_by_key(|scan| std::cmp::Reverse(bytes(scan)));
    for scan in order {
        if sum <= most {
            return;
        }
        sum -= bytes(scan);
        give_up(scan);
    }
}

/// What it takes to compare a row with others: its key, and a count or another key to sort it by.
const BYTES_TO_COMPARE: usize = 24;

impl ColumnScan {
    fn value_bytes(&self) -> usize {
        match self {
            ColumnScan::Whole(column) => column.values.bytes() + size_of::<u64>() * column.counts.len(),
            ColumnScan::Sampled { .. } => 0,
        }
    }

    fn code_bytes(&self) -> usize {
        match self {
            ColumnScan::Whole(WholeColumn { codes: RowCodes::Kept(codes), .. }) => codes.bytes(),
            _ => 0,
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
        if let RowCodes::Kept(codes) = &mut self.codes {
            codes.push(code);
        }
    }

    fn sample(&self, most_bytes: usize) -> ColumnScan {
        let missing = self.pairs().filter(|(value, _)| value.is_none_or(str::is_empty)).map(|(_, count)| count).sum();
        let mut left = most_bytes;
        let cut = |value: &str| {
            let value = &value[..value.floor_char_boundary(left)];
            left -= value.len();
            value.to_owned()
        };
        let all = self.pairs().filter_map(|(value, _)| value).take(SAMPLE);
        let values = all.map(cut).collect();
        ColumnScan::Sampled { values, more_than: self.values.len() as u64 - 1, missing }
    }

    /// Every value (none for the rows without a cell) and how often it occurs, in the order of the first occurrence.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Option<&str>, u64)> + Clone {
        let value = |(code, value)| if self.null == Some(code) { None } else { Some(value) };
        let values = (0..).zip(self.values.values().iter().map(String::as_str)).map(value);
        values.zip(self.counts.iter().copied())
    }

    /// The codes of the rows, unless they were given up.
    pub(super) fn codes(&self) -> Option<&Codes> {
        match &self.codes {
            RowCodes::Kept(codes) => Some(codes),
            RowCodes::GivenUp => None,
        }
    }

    /// Hands out the codes of the rows, where all values that `is_missing` have one code, and how many codes there
    /// may be; none if they were given up.
    pub(super) fn take_codes(&mut self, is_missing: impl Fn(&str) -> bool) -> Option<(Codes, u64)> {
        let missing: Vec<bool> = self.pairs().map(|(value, _)| value.is_none_or(&is_missing)).collect();
        let RowCodes::Kept(codes) = std::mem::replace(&mut self.codes, RowCodes::GivenUp) else { return None };
        let domain = missing.len() as u64;
        let mut places = missing.iter().enumerate().filter(|(_, missing)| **missing).map(|(code, _)| code as u32);
        let (Some(first), Some(_)) = (places.next(), places.next()) else { return Some((codes, domain)) };
        let name = |(code, &missing): (u32, &bool)| if missing { first } else { code };
        let names: Vec<u32> = (0..).zip(&missing).map(name).collect();
        Some((codes.renamed(&names), domain))
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
        let (codes, domain) = column.take_codes(|value| value == "?" || value.is_empty()).expect("codes");
        assert_eq!((0..5).map(|row| codes.get(row)).collect::<Vec<_>>(), [0, 1, 1, 0, 1]);
        assert_eq!(domain, 4);
    }

    #[test]
    fn a_column_of_too_many_values_is_only_sampled() {
        let limits = Limits { distinct: 3, ..Limits::default() };
        let cells = [Some("a"), Some("b"), None, Some("c"), Some("d"), Some(""), Some("a")];
        let ColumnScan::Sampled { values, more_than, missing } = scan(&cells, limits) else { panic!("it is large") };
        assert_eq!((values.len(), more_than, missing), (3, 3, 2));
        let limits = Limits { bytes: 3, ..Limits::default() };
        assert!(matches!(scan(&[Some("abc"), Some("d")], limits), ColumnScan::Sampled { .. }));
    }

    #[test]
    fn a_sample_is_short_however_long_its_values_are() {
        let limits = Limits { distinct: 2, sample: 10, ..Limits::default() };
        let cells = [Some("abcdefg"), Some("hi\u{e4}\u{e4}"), Some("klm")];
        let ColumnScan::Sampled { values, .. } = scan(&cells, limits) else { panic!("it is large") };
        assert_eq!(values, ["abcdefg", "hi", "k"], "no character is cut");
        assert_eq!(Limits::default().for_columns(10).sample, 1 << 20);
        assert_eq!(Limits::default().for_columns(65_536).sample, 1 << 12);
    }

    #[test]
    fn what_takes_most_is_given_up_first() {
        let values: Vec<String> = (0..1000).map(|place| format!("value {place}")).collect();
        let many: Vec<Option<&str>> = values.iter().map(|value| Some(value.as_str())).collect();
        let few = vec![Some("a"); 1000];
        let scans = || vec![scan(&few, Limits::default()), scan(&many, Limits::default())];
        let kept = |limits: Limits| {
            let mut scans = scans();
            keep_within(limits, &mut scans, 1000);
            let state = |scan: &mut ColumnScan| match scan {
                ColumnScan::Sampled { .. } => "sampled",
                ColumnScan::Whole(column) => column.take_codes(str::is_empty).map_or("values", |_| "all"),
            };
            scans.iter_mut().map(state).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(kept(Limits::default()), "all all");
        assert_eq!(kept(Limits { values: 20_000, ..Limits::default() }), "all sampled");
        assert_eq!(kept(Limits { codes: 24_000 + 2000, ..Limits::default() }), "all values");
        assert_eq!(kept(Limits { codes: 24_000 + 500, ..Limits::default() }), "values values");
    }
}
