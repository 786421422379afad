//! Are decimals written as `3,5` in this table?

use super::column_text::ColumnText;
use shoal_core::table::ValueKind;

/// Is there a column of numbers that only a decimal comma explains, and none that only a decimal point does?
pub(super) fn is_used(columns: &[ColumnText<'_>]) -> bool {
    let mut needed = false;
    for column in columns {
        let (with_point, with_comma) = (column.column_type(false), column.column_type(true));
        match (with_point.kind(), with_comma.is_number()) {
            (ValueKind::Decimal, false) => return false,
            (ValueKind::Text, true) => needed |= column.distinct().any(|text| !groups_thousands(text)),
            _ => {}
        }
    }
    needed
}

/// Could the comma, if there is one, stand between thousands, as in `1,250`?
fn groups_thousands(text: &str) -> bool {
    let digits_after = |(_, after): (&str, &str)| after.bytes().take_while(u8::is_ascii_digit).count();
    text.split_once(',').map(digits_after).is_none_or(|digits| digits == 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_used_in(columns: &[&[&'static str]]) -> bool {
        let column = |texts: &&[&'static str]| ColumnText {
            name: "c",
            texts: texts.iter().map(|text| (*text, 1)).collect(),
            nulls: 0,
            more_than: None,
        };
        is_used(&columns.iter().map(column).collect::<Vec<_>>())
    }

    #[test]
    fn commas_need_a_number_that_nothing_else_explains() {
        assert!(is_used_in(&[&["3,5", "12", "0,25"], &["x"]]));
        assert!(!is_used_in(&[&["3.5"], &["x"]]));
        assert!(!is_used_in(&[&["1,250", "12"]]), "thousands");
        assert!(!is_used_in(&[&["3,5"], &["2.5"]]), "both");
        assert!(!is_used_in(&[&["a,b"], &[]]));
    }
}
