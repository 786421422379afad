//! Which range holds a value if every range is to hold equally many rows?

use std::ops::Range;

use serde::Deserialize;

use super::equal_frequency::equal_frequency;
use super::generated::assemble;
use super::numbers::numbers;
use super::{ColumnValues, Hierarchy};
use crate::table::ColumnType;
use crate::{Error, Result};

/// `{ quantiles = [64, 16, 4] }`: ranges of equal frequency, fewer on each level.
///
/// The ranges of a level are unions of those below it. A range is labelled by the smallest and the largest value it
/// holds, `[20, 29]`, so its label tells nothing that its rows do not.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Quantiles {
    groups: Vec<u32>,
}

impl Quantiles {
    /// These numbers of groups.
    pub fn of_groups(groups: impl IntoIterator<Item = u32>) -> Self {
        Self { groups: groups.into_iter().collect() }
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.groups.is_empty() {
            return Err(Error::new("`quantiles` has no levels").hint("name some: `quantiles = [64, 16, 4]`"));
        }
        if let Some(groups) = self.groups.iter().find(|groups| **groups < 2) {
            return Err(Error::new(format!("a level of `quantiles` cannot have {groups} groups"))
                .hint("each has 2 or more; the root is added above them"));
        }
        match self.groups.windows(2).find(|pair| pair[0] <= pair[1]) {
            Some(pair) => Err(Error::new(format!("{} quantiles cannot be unions of {}", pair[1], pair[0]))
                .hint("fewer on each level, as in `quantiles = [64, 16, 4]`")),
            None => Ok(()),
        }
    }

    pub(super) fn build(&self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        numbers(column, "quantiles", "text has no order; `tree` or `file` groups any values")?;
        let counts = column.present_counts();
        let mut ranges = numbers_of(column.dictionary.column_type(), column.dictionary.present());
        let mut levels = Vec::with_capacity(self.groups.len());
        for &groups in &self.groups {
            let frequencies: Vec<u64> = ranges.iter().map(|range| counts[range.clone()].iter().sum()).collect();
            let unions = equal_frequency(&frequencies, groups as usize);
            ranges = unions.into_iter().map(|union| ranges[union.start].start..ranges[union.end - 1].end).collect();
            let labels = ranges.iter().flat_map(|range| std::iter::repeat_n(label(column, range), range.len()));
            levels.push(labels.collect());
        }
        assemble(column, levels)
    }

    pub(super) fn to_toml(&self) -> toml::Value {
        toml::Value::Array(self.groups.iter().map(|groups| i64::from(*groups).into()).collect())
    }
}

/// The codes of each number; one that is written in several ways (`1`, `1.0`) is never cut in two.
fn numbers_of(column_type: &ColumnType, values: &[String]) -> Vec<Range<usize>> {
    let same = |a: &String, b: &String| column_type.number(a) == column_type.number(b);
    let mut start = 0;
    let ranges = values.chunk_by(same).map(|chunk| {
        start += chunk.len();
        start - chunk.len()..start
    });
    ranges.collect()
}

fn label(column: &ColumnValues<'_>, codes: &Range<usize>) -> String {
    let values = &column.dictionary.present()[codes.clone()];
    match values {
        [one] => one.clone(),
        [first, .., last] => format!("[{first}, {last}]"),
        [] => unreachable!("a group holds a value"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{build, build_counted, dictionary, leaves, path, spec};

    #[test]
    fn ranges_hold_equally_many_rows_and_upper_ones_are_unions() {
        let dictionary = dictionary(&["1", "2", "3", "4", "10", "20", "30", "41"], None);
        let hierarchy = build("quantiles = [4, 2]", &dictionary).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["[1, 2]", "[3, 4]", "[10, 20]", "[30, 41]"]);
        assert_eq!(hierarchy.level(2).labels(), ["[1, 4]", "[10, 41]"]);
        assert_eq!(leaves(&hierarchy, 0), [1, 2, 4, 8]);
        assert_eq!(leaves(&hierarchy, 7), [1, 2, 4, 8]);
    }

    #[test]
    fn a_frequent_value_is_a_range_of_its_own() {
        let dictionary = dictionary(&["0", "1", "2", "3", "4"], Some("?"));
        let hierarchy = build_counted("quantiles = [3]", &dictionary, &[100, 1, 1, 1, 1, 7]).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["0", "[1, 2]", "[3, 4]", "?"]);
        assert_eq!(path(&hierarchy, 5), ["?", "?", "*"]);
        assert_eq!(hierarchy.domain_size(), 6);
    }

    #[test]
    fn fewer_values_than_groups_stay_apart_and_spellings_together() {
        let hierarchy = build("quantiles = [8, 2]", &dictionary(&["0.5", "1", "1.0"], None)).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["0.5", "[1, 1.0]"]);
        assert_eq!(hierarchy.height(), 3);
        assert_eq!(leaves(&hierarchy, 1), [1, 2, 2, 3]);
    }

    #[test]
    fn parameters_are_checked() {
        let message = |text| spec(text).check().unwrap_err().to_string();
        assert!(message("quantiles = []").contains("no levels"));
        assert!(message("quantiles = [4, 1]").contains("cannot have 1 groups"));
        assert!(message("quantiles = [4, 8]").contains("8 quantiles cannot be unions of 4"));
        assert!(message("quantiles = [4, 4]").contains("fewer on each level"));
        let error = build("quantiles = [2]", &dictionary(&["a", "b"], None)).unwrap_err();
        assert_eq!(error.message(), "`quantiles` needs numbers, and column `c` holds text");
    }
}
