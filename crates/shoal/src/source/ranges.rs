//! How does a range stand in two columns of numbers, and how is it read from them?
//!
//! `[20, 30)` in `age` becomes 20 in `age_low` and 30 in `age_high`: the value is at least the one and less than the other, or equal to both
//! where they are equal. `*` is from `-inf` to `inf`. Every label has its own pair, so that whoever reads the pair reads the label.

use std::sync::Arc;

use arrow_array::{Array, Float64Array, StringArray};
use arrow_schema::DataType;
use shoal_core::hierarchy::Told;
use shoal_core::table::{ColumnType, NumberMarks};
use shoal_core::{Error, Result};
use shoal_format::{Batch, Cells, Dialect, NumberForm, OutputColumn, TableReader, TableWriter};

use crate::policy::Policy;
use crate::policy::range_pairs::pair_of;

const LOWEST: &str = "-inf";
const HIGHEST: &str = "inf";
/// What stands for anything.
const ANYTHING: &str = "*";

/// The columns of a release in which some stand in two, of which each is written in this form.
pub(super) fn split_columns(columns: &[OutputColumn], policy: &Policy, form: NumberForm) -> Vec<OutputColumn> {
    let data_type = (form == NumberForm::Typed).then_some(DataType::Float64);
    let split = |column: &OutputColumn| match policy.stands_in_two_columns(&column.name) {
        true => pair_of(&column.name).map(|name| OutputColumn { name, data_type: data_type.clone() }).to_vec(),
        false => vec![column.clone()],
    };
    columns.iter().flat_map(split).collect()
}

/// Writes ranges in two columns.
struct SplitWriter {
    writer: Box<dyn TableWriter>,
    /// For each column, its name where it becomes two.
    split: Vec<Option<String>>,
    marks: NumberMarks,
    form: NumberForm,
}

/// Takes columns as they are for a table that was begun with some of them split.
pub(super) fn writer(
    writer: Box<dyn TableWriter>,
    columns: &[OutputColumn],
    policy: &Policy,
    form: NumberForm,
) -> Box<dyn TableWriter> {
    let split = |column: &OutputColumn| Some(column.name.clone()).filter(|name| policy.stands_in_two_columns(name));
    let split: Vec<Option<String>> = columns.iter().map(split).collect();
    match split.iter().all(Option::is_none) {
        true => writer,
        false => Box::new(SplitWriter { writer, split, marks: policy.input.marks, form }),
    }
}

impl SplitWriter {
    fn split(&self, name: &str, cells: &Cells) -> Result<[Cells; 2]> {
        let texts = cells.text()?;
        let (mut low, mut high) = (Vec::with_capacity(texts.len()), Vec::with_capacity(texts.len()));
        for text in texts.iter() {
            let ends = match text {
                None => [None, None],
                Some(text) => ends(text, self.marks)
                    .ok_or_else(|| {
                        Error::table(format!("column `{name}` shows what is no range, and cannot stand in two columns"))
                            .hint("say `ranges = \"labels\"` in [output]")
                    })?
                    .map(Some),
            };
            let [first, last] = ends;
            low.push(first);
            high.push(last);
        }
        Ok([low, high].map(|ends| self.in_form(ends)))
    }

    fn in_form(&self, ends: Vec<Option<String>>) -> Cells {
        let number = |text: &String| plain(text, self.marks).parse::<f64>().ok();
        match self.form {
            NumberForm::Text => Cells::Text(ends.into_iter().collect()),
            NumberForm::Typed => {
                let numbers = ends.iter().map(|end| end.as_ref().and_then(number));
                Cells::Typed(Arc::new(numbers.collect::<Float64Array>()))
            }
            NumberForm::Json => {
                let json = |end: String| match end.as_str() {
                    // JSON has no number for them.
                    LOWEST | HIGHEST => format!("\"{end}\""),
                    _ => json_number(&end, self.marks),
                };
                Cells::Json(ends.into_iter().map(|end| end.map(json)).collect::<StringArray>())
            }
        }
    }
}

impl TableWriter for SplitWriter {
    fn write(&mut self, columns: &[Cells]) -> Result<()> {
        let mut all = Vec::with_capacity(columns.len() * 2);
        for (cells, split) in columns.iter().zip(&self.split) {
            match split {
                Some(name) => all.extend(self.split(name, cells)?),
                None => all.push(cells.clone()),
            }
        }
        self.writer.write(&all)
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.writer.finish()
    }
}

/// Both ends of what a label says, as the table writes numbers, without currency and unit.
fn ends(label: &str, marks: NumberMarks) -> Option<[String; 2]> {
    if label == ANYTHING {
        return Some([LOWEST, HIGHEST].map(str::to_owned));
    }
    let number = |text: &str| {
        let column_type = ColumnType::detect(std::iter::once(text), marks);
        column_type.number(text).map(|number| bare(number, text, &column_type, marks))
    };
    match Told::of(label) {
        Told::Values(values) => match values[..] {
            [value] if value == label => number(value).map(|value| [value.clone(), value]),
            _ => None,
        },
        Told::Between(low, high) => {
            let low = match low {
                None => LOWEST.to_owned(),
                Some((end, true)) => number(end)?,
                Some((_, false)) => return None,
            };
            let high = match high {
                None => HIGHEST.to_owned(),
                Some((end, false)) => number(end)?,
                Some((_, true)) => return None,
            };
            Some([low, high])
        }
    }
}

/// A number without currency, unit and marks between thousands; otherwise as it stands, so that what was told apart still is.
fn bare(number: rust_decimal::Decimal, text: &str, column_type: &ColumnType, marks: NumberMarks) -> String {
    let digits = column_type.bare(text);
    let is_plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '-' | '+') || c == if marks.decimal_comma { ',' } else { '.' }
    };
    match digits.chars().all(is_plain) {
        true => digits.to_owned(),
        false => ColumnType::detect(std::iter::once("0"), marks).write_exactly(number),
    }
}

/// A number as JSON writes it: no sign but a minus, a digit before the point.
fn json_number(digits: &str, marks: NumberMarks) -> String {
    let number = ColumnType::detect(std::iter::once(digits), marks).number(digits);
    number.map_or_else(|| plain(digits, marks), |number| number.normalize().to_string())
}

/// Digits with a decimal point.
fn plain(digits: &str, marks: NumberMarks) -> String {
    if marks.decimal_comma { digits.replace(',', ".") } else { digits.to_owned() }
}

/// Reads a release in which ranges stand in two columns as if each stood in one.
struct JoinedReader {
    reader: Box<dyn TableReader>,
    columns: Vec<String>,
    places: Vec<Place>,
    marks: NumberMarks,
}

#[derive(Clone, Copy)]
enum Place {
    One(usize),
    Two(usize, usize),
}

/// A release as a policy means it: each pair of columns for a range is one column of labels.
pub(crate) fn joined(reader: Box<dyn TableReader>, policy: &Policy) -> Box<dyn TableReader> {
    let names = reader.columns();
    let find = |name: &str| names.iter().position(|column| column == name);
    let (mut columns, mut places) = (Vec::new(), Vec::new());
    let pairs: Vec<(String, usize, usize)> = policy
        .columns
        .iter()
        .filter(|column| policy.stands_in_two_columns(&column.name) && find(&column.name).is_none())
        .filter_map(|column| {
            let [low, high] = pair_of(&column.name);
            Some((column.name.clone(), find(&low)?, find(&high)?))
        })
        .collect();
    if pairs.is_empty() {
        return reader;
    }
    for (at, name) in names.iter().enumerate() {
        if let Some((name, low, high)) = pairs.iter().find(|(_, low, _)| *low == at) {
            columns.push(name.clone());
            places.push(Place::Two(*low, *high));
        } else if !pairs.iter().any(|(_, _, high)| *high == at) {
            columns.push(name.clone());
            places.push(Place::One(at));
        }
    }
    Box::new(JoinedReader { columns, places, marks: policy.input.marks, reader })
}

impl JoinedReader {
    fn labels(&self, low: &Cells, high: &Cells) -> Result<Cells> {
        let is_typed = matches!(low, Cells::Typed(_));
        let (low, high) = (low.text()?, high.text()?);
        let label = |(low, high): (Option<&str>, Option<&str>)| match (low, high) {
            (Some(low), Some(high)) => {
                Some(label(&self.written(low, is_typed), &self.written(high, is_typed), self.marks))
            }
            _ => None,
        };
        Ok(Cells::Text(low.iter().zip(high.iter()).map(label).collect()))
    }

    /// A number as the table writes it: what comes from a typed column has a decimal point, and digits of its own.
    fn written(&self, text: &str, is_typed: bool) -> String {
        let digits = if is_typed { text.strip_suffix(".0").unwrap_or(text) } else { text };
        if is_typed && self.marks.decimal_comma { digits.replace('.', ",") } else { digits.to_owned() }
    }
}

/// The label whose ends these are.
fn label(low: &str, high: &str, marks: NumberMarks) -> String {
    match (low, high) {
        (LOWEST, HIGHEST) => ANYTHING.to_owned(),
        (low, high) if low == high => low.to_owned(),
        (LOWEST, high) => format!("< {high}"),
        (low, HIGHEST) => format!(">= {low}"),
        (low, high) => {
            let has_comma = marks.decimal_comma && (low.contains(',') || high.contains(','));
            format!("[{low}{} {high})", if has_comma { ';' } else { ',' })
        }
    }
}

impl TableReader for JoinedReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let Some(batch) = self.reader.next_batch()? else { return Ok(None) };
        let column = |place: &Place| match *place {
            Place::One(at) => Ok(batch.columns[at].clone()),
            Place::Two(low, high) => self.labels(&batch.columns[low], &batch.columns[high]),
        };
        let columns = self.places.iter().map(column).collect::<Result<_>>()?;
        Ok(Some(Batch { first_row: batch.first_row, columns }))
    }

    fn explain(&self, error: Error) -> Error {
        self.reader.explain(error)
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        match self.places[column] {
            Place::One(at) => self.reader.data_type(at),
            Place::Two(..) => None,
        }
    }

    fn dialect(&self) -> Dialect {
        self.reader.dialect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shoal_core::table::Thousands;

    use super::*;

    fn pair(label: &str, marks: NumberMarks) -> Option<(String, String)> {
        ends(label, marks).map(|[low, high]| (low, high))
    }

    #[test]
    fn labels_become_two_numbers() {
        let both = |low: &str, high: &str| Some((low.to_owned(), high.to_owned()));
        let plain = NumberMarks::default();
        assert_eq!(pair("[20, 30)", plain), both("20", "30"));
        assert_eq!(pair("25", plain), both("25", "25"));
        assert_eq!(pair("-2.50", plain), both("-2.50", "-2.50"));
        assert_eq!(pair("*", plain), both("-inf", "inf"));
        assert_eq!(pair("< 20", plain), both("-inf", "20"));
        assert_eq!(pair(">= 80", plain), both("80", "inf"));
        assert_eq!(pair("[3K, 5K)", plain), both("3", "5"));
        let german = NumberMarks { decimal_comma: true, thousands: Some(Thousands::Point) };
        assert_eq!(pair("[1000,5 €; 2000 €)", german), both("1000,5", "2000"));
        assert_eq!(pair("1.234,5 €", german), both("1234,5", "1234,5"));
        for label in ["[20, 29]", "{20, 30}", "forty", "2024-03", "(20, 30)"] {
            assert_eq!(pair(label, plain), None, "{label}");
        }
    }

    proptest! {
        #[test]
        fn labels_read_back(low in -999i64..999, width in 0i64..500, kind in 0..4) {
            let high = low + width;
            let text = match kind {
                0 => "*".to_owned(),
                1 => format!("< {high}"),
                2 => format!(">= {low}"),
                _ if width == 0 => low.to_string(),
                _ => format!("[{low}, {high})"),
            };
            let marks = NumberMarks::default();
            let [low, high] = ends(&text, marks).expect("a range");
            prop_assert_eq!(label(&low, &high, marks), text);
        }
    }
}
