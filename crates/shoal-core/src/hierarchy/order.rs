//! Are the values of a column put in order, or are they categories?

use schemars::JsonSchema;
use serde::Deserialize;

use super::HierarchySpec;
use crate::table::{ColumnType, ValueKind};

/// What a policy may say of the values of a column: `type = "category"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// They only name something, even where they are made of digits.
    Category,
    /// They are numbers or dates, whatever their hierarchy looks like.
    Number,
}

/// Are values only names, whatever they look like? What the policy says itself comes first; a `tree`, `file` or `mask` gives
/// names to values, and so does `suppress` where it is written down; so do known hierarchies, but for those of numbers.
pub fn are_categories(said: Option<Measure>, spec: Option<&HierarchySpec>) -> bool {
    use HierarchySpec::{File, Known, Mask, Suppress, Tree};
    match (said, spec) {
        (Some(said), _) => said == Measure::Category,
        (None, Some(Known(known))) => !known.is_of_numbers(),
        (None, spec) => matches!(spec, Some(File(_) | Mask(_) | Suppress(_) | Tree(_))),
    }
}

/// Do ranges, cuts, distances and means make sense of the values of a column?
///
/// Text has no order, nor have categories. Numbers and dates have one if they are generalized as such (`intervals`, `quantiles`,
/// `dates`) or not at all. Digits that only a format of `dates` makes dates (`20240305`) are no numbers to reckon with.
pub fn is_ordered(said: Option<Measure>, spec: Option<&HierarchySpec>, column_type: &ColumnType) -> bool {
    let are_digits_of_dates = matches!(spec, Some(HierarchySpec::Dates(_))) && column_type.kind() != ValueKind::Date;
    column_type.is_ordered() && !are_categories(said, spec) && !(said.is_none() && are_digits_of_dates)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{dictionary, spec};
    use super::*;

    #[test]
    fn the_hierarchy_says_what_numbers_are_unless_the_policy_does() {
        let numbers = dictionary(&["1", "2"], None);
        let ordered = |said, text: &str| is_ordered(said, Some(&spec(text)), numbers.column_type());
        assert!(ordered(None, "intervals = [5]") && ordered(None, "quantiles = [2]"));
        assert!(ordered(None, "known = 'age-bands'") && !ordered(None, "known = 'isco'"));
        for text in ["mask = {}", "suppress = {}", "file = 'x.csv'", "tree = { a = ['1'], b = ['2'] }"] {
            assert!(!ordered(None, text) && ordered(Some(Measure::Number), text), "{text}");
        }
        assert!(!ordered(Some(Measure::Category), "intervals = [5]"));
        assert!(is_ordered(None, None, numbers.column_type()), "a plain number is one");
    }

    #[test]
    fn text_is_never_put_in_order_and_dates_only_where_they_are_read_as_such() {
        let ordered = |values: &[&str], said, text: &str| {
            is_ordered(said, Some(&spec(text)), dictionary(values, None).column_type())
        };
        assert!(!ordered(&["a", "b"], Some(Measure::Number), "suppress = {}"));
        assert!(ordered(&["2024-03-05"], None, "dates = ['year']"));
        assert!(!ordered(&["2024-03-05"], None, "mask = {}"));
        assert!(!ordered(&["20240305"], None, "dates = { levels = ['year'], format = '%Y%m%d' }"));
    }
}
