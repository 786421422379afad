//! Which marks stand within the numbers of this table: `3,5` or `3.5`, `1.234` or `1,234` or `1 234`?

use super::as_it_comes::AsSaid;
use super::column_text::ColumnText;
use crate::meaning::topic;
use shoal_core::table::{NumberMarks, Thousands};

/// Of the marks that agree with what was said, those that make numbers of the most columns; where that is the same, those that need the
/// fewest.
pub(super) fn of(columns: &[ColumnText<'_>], delimiter: u8, said: &AsSaid) -> NumberMarks {
    let mut best = (0, said.input.marks);
    for marks in candidates(delimiter).into_iter().filter(|marks| said.allows(*marks)) {
        let count = columns.iter().filter(|column| are_numbers(column, marks)).count();
        if count > best.0 {
            best = (count, marks);
        }
    }
    best.1
}

/// In the order in which they are believed. Where `1,250` may be either, semicolons between cells speak for decimal commas.
fn candidates(delimiter: u8) -> Vec<NumberMarks> {
    let marks = |decimal_comma, thousands| NumberMarks { decimal_comma, thousands };
    let mut all = vec![marks(false, None), marks(true, None), marks(false, Some(Thousands::Comma))];
    if delimiter != b';' {
        all.swap(1, 2);
    }
    let others = [Thousands::Point, Thousands::Blank, Thousands::Apostrophe];
    all.extend(others.into_iter().flat_map(|mark| [marks(false, Some(mark)), marks(true, Some(mark))]));
    all.retain(|marks| marks.are_clear());
    all
}

/// Is a column one of numbers, with these marks? Groups of three digits are thousands only where not all values have as many
/// digits, or the column is named like money: those of a telephone number are none.
fn are_numbers(column: &ColumnText<'_>, marks: NumberMarks) -> bool {
    let is_number = |marks: NumberMarks| column.column_type(marks).is_number();
    if !is_number(marks) {
        return false;
    }
    let is_of_money = || topic::of(column.name).is_some_and(|topic| topic.is_amount);
    marks.thousands.is_none() || is_number(marks.decimal_comma.into()) || is_of_money() || {
        let decimal = if marks.decimal_comma { ',' } else { '.' };
        let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
        let mut lengths = column.distinct().map(digits);
        let first = lengths.next();
        column.distinct().any(|text| text.contains(decimal)) || lengths.any(|length| Some(length) != first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(columns: &[&[&'static str]], delimiter: u8) -> (&'static str, &'static str) {
        found_as_said(columns, delimiter, &AsSaid::default())
    }

    fn found_as_said(columns: &[&[&'static str]], delimiter: u8, said: &AsSaid) -> (&'static str, &'static str) {
        of_named("c", columns, delimiter, said)
    }

    fn of_named(name: &str, columns: &[&[&'static str]], delimiter: u8, said: &AsSaid) -> (&'static str, &'static str) {
        let column = |texts: &&[&'static str]| ColumnText {
            name,
            texts: texts.iter().map(|text| (*text, 1)).collect(),
            nulls: 0,
            more_than: None,
        };
        let marks = of(&columns.iter().map(column).collect::<Vec<_>>(), delimiter, said);
        (if marks.decimal_comma { "," } else { "." }, marks.thousands.map_or("", Thousands::name))
    }

    #[test]
    fn commas_need_a_number_that_nothing_else_explains() {
        assert_eq!(found(&[&["3,5", "12", "0,25"], &["x"]], b','), (",", ""));
        assert_eq!(found(&[&["3.5"], &["x"]], b','), (".", ""));
        assert_eq!(found(&[&["3,5"], &["2.5"]], b','), (".", ""), "both");
        assert_eq!(found(&[&["a,b"], &[]], b','), (".", ""));
    }

    #[test]
    fn groups_of_three_digits_are_thousands() {
        assert_eq!(found(&[&["1,250", "12"]], b','), (".", ","));
        assert_eq!(found(&[&["1,250", "12"]], b';'), (",", ""), "semicolons stand beside decimal commas");
        assert_eq!(found(&[&["1.234,56 €", "980,00 €"], &["30", "41"]], b';'), (",", "."));
        assert_eq!(found(&[&["1 234,5", "12 345 678"]], b';'), (",", " "));
        assert_eq!(found(&[&["1'234", "12"]], b','), (".", "'"));
        assert_eq!(found(&[&["$1,250.50", "$980.00"]], b','), (".", ","));
        assert_eq!(found(&[&["555 123 456", "555 987 654"]], b','), (".", ""), "telephone numbers");
        assert_eq!(found(&[&["1.5", "2.25"]], b','), (".", ""));
        let incomes: &[&[&str]] = &[&["180 123", "254 000"]];
        assert_eq!(of_named("Inkomst", incomes, b',', &AsSaid::default()), (".", " "));
        assert_eq!(of_named("PIN code", incomes, b',', &AsSaid::default()), (".", ""));
    }

    #[test]
    fn what_was_said_is_no_guess() {
        let points = AsSaid { decimal_comma: Some(false), ..AsSaid::default() };
        assert_eq!(found_as_said(&[&["3,5", "12", "0,25"]], b';', &points), (".", ""));
        assert_eq!(found_as_said(&[&["1,250", "12"]], b';', &points), (".", ","), "thousands were not spoken of");
        let blanks = AsSaid { thousands: Some(Thousands::Blank), ..AsSaid::default() };
        assert_eq!(found_as_said(&[&["3,5", "1 234"]], b';', &blanks), (",", " "));
    }
}
