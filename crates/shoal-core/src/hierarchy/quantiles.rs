//! Which range holds a value if every range is to hold equally many rows?

use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;

use super::equal_frequency::equal_frequency;
use super::generated::assemble;
use super::numbers::numbers;
use super::{ColumnValues, Hierarchy, MOST_LEVELS};
use crate::table::{ColumnType, RoundEnds};
use crate::{Error, Result};

/// Ranges of equal frequency, fewer on each level.
///
/// The ranges of a level are unions of those below it. They are half-open between round numbers, `[20, 30)`: a range that showed the
/// smallest and the largest value it holds would publish what is one person's own, an outlier's most of all. Where a range holds
/// one value, and there is no room for another as coarse as all values of the column are, it is called by that value.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Quantiles {
    #[schemars(length(min = 1), inner(range(min = 2, max = 1024)))]
    groups: Vec<u32>,
}

/// The most groups of a level: to find the best cuts takes memory and time for each.
const MOST_GROUPS: u32 = 1024;

impl Quantiles {
    /// These numbers of groups.
    pub fn of_groups(groups: impl IntoIterator<Item = u32>) -> Self {
        Self { groups: groups.into_iter().collect() }
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.groups.is_empty() {
            return Err(Error::policy("`quantiles` has no levels").hint("name some: `quantiles = [64, 16, 4]`"));
        }
        if let Some(groups) = self.groups.iter().find(|groups| **groups < 2) {
            return Err(Error::policy(format!("a level of `quantiles` cannot have {groups} groups"))
                .hint("each has 2 or more; the root is added above them"));
        }
        if let Some(groups) = self.groups.iter().find(|groups| **groups > MOST_GROUPS) {
            return Err(Error::policy(format!("a level of `quantiles` cannot have {groups} groups"))
                .hint(format!("at most {MOST_GROUPS}; `intervals` can be as narrow as you like")));
        }
        if self.groups.len() >= MOST_LEVELS {
            return Err(Error::policy(format!("`quantiles` has {} levels", self.groups.len()))
                .hint(format!("a hierarchy has at most {MOST_LEVELS}")));
        }
        match self.groups.windows(2).find(|pair| pair[0] <= pair[1]) {
            Some(pair) => Err(Error::policy(format!("{} quantiles cannot be unions of {}", pair[1], pair[0]))
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
            levels.push(ranges.clone());
        }
        // The ends of a level are among those of the levels below.
        let begins = levels.first().map(|lowest| lowest.iter().map(|range| range.start as u32).collect::<Vec<u32>>());
        let ends = RoundEnds::of_groups(column.dictionary, &begins.unwrap_or_default());
        let labels = |ranges: Vec<Range<usize>>| {
            let of_range = |range: Range<usize>| std::iter::repeat_n(label(column, &ends, &range), range.len());
            ranges.into_iter().flat_map(of_range).collect()
        };
        assemble(column, levels.into_iter().map(labels))
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

fn label(column: &ColumnValues<'_>, ends: &RoundEnds, codes: &Range<usize>) -> String {
    let (first, last) = (codes.start as u32, codes.end as u32 - 1);
    if first == last && ends.is_alone(first) {
        return column.dictionary.value(first).to_owned();
    }
    ends.text(first, last, column.dictionary.column_type())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{build, build_counted, dictionary, leaves, path, spec};

    #[test]
    fn ranges_hold_equally_many_rows_and_upper_ones_are_unions() {
        let dictionary = dictionary(&["1", "2", "3", "4", "10", "20", "30", "41"], None);
        let hierarchy = build("quantiles = [4, 2]", &dictionary).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["[0, 3)", "[3, 5)", "[5, 25)", "[25, 45)"]);
        assert_eq!(hierarchy.level(2).labels(), ["[0, 5)", "[5, 45)"]);
        assert_eq!(leaves(&hierarchy, 0), [1, 2, 4, 8]);
        assert_eq!(leaves(&hierarchy, 7), [1, 2, 4, 8]);
    }

    #[test]
    fn a_frequent_value_is_a_range_of_its_own() {
        let dictionary = dictionary(&["0", "1", "2", "3", "4"], Some("?"));
        let hierarchy = build_counted("quantiles = [3]", &dictionary, &[100, 1, 1, 1, 1, 7]).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["0", "[1, 3)", "[3, 5)", "?"]);
        assert_eq!(path(&hierarchy, 5), ["?", "?", "*"]);
        assert_eq!(hierarchy.domain_size(), 6);
    }

    #[test]
    fn fewer_values_than_groups_stay_apart_and_spellings_together() {
        let hierarchy = build("quantiles = [8, 2]", &dictionary(&["0.5", "1", "1.0"], None)).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["0.5", "[1, 1.5)"]);
        assert_eq!(hierarchy.height(), 3);
        assert_eq!(leaves(&hierarchy, 1), [1, 2, 2, 3]);
    }

    #[test]
    fn no_range_shows_the_value_of_an_outlier_or_of_anybody_else() {
        let dictionary = dictionary(&["2774", "3120", "5085", "66983"], None);
        let hierarchy = build("quantiles = [4, 2]", &dictionary).unwrap();
        let lowest = ["[0, 3000)", "[3000, 5000)", "[5000, 50000)", "[50000, 80000)"];
        assert_eq!(hierarchy.level(1).labels(), lowest);
        assert_eq!(hierarchy.level(2).labels(), ["[0, 5000)", "[5000, 80000)"]);
        assert_eq!(leaves(&hierarchy, 3), [1, 1, 2, 4], "a range is not larger for its ends");
    }

    #[test]
    fn cuts_are_as_fine_as_the_gap_requires() {
        // Mondrian would not tell these apart; 2.4205 is what it takes, and units stay.
        let decimals = dictionary(&["1.3", "2.4201", "2.4209", "9.7"], None);
        let hierarchy = build("quantiles = [2]", &decimals).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["[0, 2.4205)", "[2.4205, 10)"]);
        let thousands = dictionary(&["3K", "4K", "18K", "55K"], None);
        let hierarchy = build("quantiles = [2]", &thousands).unwrap();
        assert_eq!(hierarchy.level(1).labels(), ["[0K, 10K)", "[10K, 60K)"]);
    }

    #[test]
    fn a_value_by_itself_is_its_label_only_where_no_other_would_have_room() {
        let tens = build("quantiles = [4, 2]", &dictionary(&["10", "20", "30", "40"], None)).unwrap();
        assert_eq!(tens.level(1).labels(), ["10", "20", "30", "40"]);
        assert_eq!(tens.level(2).labels(), ["[10, 30)", "[30, 50)"]);
        // 1081 is nobody's, and 1085 rather than 1090; before 1083 there is nothing else.
        let close = build("quantiles = [4]", &dictionary(&["1080", "1082", "1083", "1090"], None)).unwrap();
        assert_eq!(close.level(1).labels(), ["1080", "[1081, 1083)", "[1083, 1085)", "[1085, 1092)"]);
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
