//! How many lines of a text stand before its table: titles, comments?

use ::csv::ByteRecord;

use super::detect::{DELIMITERS, Sample};
use super::header::{self, is_measure};
use super::records::Records;
use crate::InputFormat;
use crate::compression::Compression;
use crate::text::TextStream;
use shoal_core::Result;

/// More lines than these are no titles.
const MOST: u64 = 40;

/// The lines before the table, judging by the beginning of a file.
pub(crate) fn lines_before(input: &InputFormat, compression: Compression) -> Result<u64> {
    let text = TextStream::of(input.open()?, &input.path, compression, input.known_encoding()?)?;
    let records = Records::new(text);
    let (text, whole) = records.sample();
    Ok(of(Sample { text, whole }, input))
}

fn of(sample: Sample, input: &InputFormat) -> u64 {
    let quote = input.quote.unwrap_or(b'"');
    let Some((delimiter, width)) = usual_row(sample, input.delimiter, quote) else { return 0 };
    let rows = |text| Sample { text, whole: sample.whole }.rows(delimiter, quote);
    let (mut skipped, mut rest, mut has_title) = (0, sample.text, false);
    while skipped < MOST {
        let Some((line, after)) = split_line(rest) else { return 0 };
        // A row that goes on in the next line is no title.
        if line.iter().filter(|byte| **byte == quote).count() % 2 == 1 {
            break;
        }
        let is_blank = line.trim_ascii().is_empty();
        let cells = Sample { text: line, whole: true }.rows(delimiter, quote);
        if !is_blank && !cells.first().is_some_and(|cells| is_title(cells, width, &rows(after), &input.missing)) {
            break;
        }
        (skipped, rest, has_title) = (skipped + 1, after, has_title || !is_blank);
    }
    if has_title && skipped < MOST { skipped } else { 0 }
}

/// The delimiter by which most rows have equally many cells, and how many.
fn usual_row(sample: Sample, delimiter: Option<u8>, quote: u8) -> Option<(u8, usize)> {
    let mut best: Option<(u8, usize, f64)> = None;
    for candidate in delimiter.map_or(DELIMITERS.to_vec(), |delimiter| vec![delimiter]) {
        let rows = sample.rows(candidate, quote);
        let alike = |width: usize| rows.iter().filter(|row| row.len() == width).count();
        let Some(width) = rows.iter().map(ByteRecord::len).max_by_key(|&width| (alike(width), width)) else { continue };
        let share = alike(width) as f64 / rows.len() as f64;
        if width > 1 && alike(width) > 1 && share >= 0.5 && best.is_none_or(|(_, _, other)| share > other) {
            best = Some((candidate, width, share));
        }
    }
    best.map(|(delimiter, width, _)| (delimiter, width))
}

/// Is a line a title of the table below it rather than its header? `width` cells are usual.
fn is_title(cells: &ByteRecord, width: usize, below: &[ByteRecord], missing: &[String]) -> bool {
    if below.len() < 2 {
        return false;
    }
    let is_comment = cells.get(0).is_some_and(|cell| cell.starts_with(b"#") || cell.starts_with(b"//"));
    let filled = cells.iter().filter(|cell| !cell.trim_ascii().is_empty()).count();
    match cells.len() {
        count if count == width => is_comment && has_clear_header(below) || filled * 2 <= width && width > 2,
        // A header may lack a name for the first column, or a delimiter at its end.
        1 if width == 2 => header::is_header(below, missing),
        count if count + 1 == width => has_clear_header(below) || filled <= 1,
        _ => true,
    }
}

/// Is the first of these rows certain to name columns: one of numbers or dates has something else there?
fn has_clear_header(rows: &[ByteRecord]) -> bool {
    let Some((first, rest)) = rows.split_first() else { return false };
    first.iter().enumerate().any(|(column, name)| {
        let mut below = rest.iter().filter_map(|row| row.get(column)).filter(|cell| !cell.is_empty()).peekable();
        below.peek().is_some() && below.all(is_measure) && !name.is_empty() && !is_measure(name)
    })
}

/// The first line without its ending, and what follows it; none after the last.
fn split_line(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text.iter().position(|byte| matches!(byte, b'\r' | b'\n'))?;
    let ending = if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
    Some((&text[..end], &text[end + ending..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles(text: &str) -> u64 {
        of(Sample { text: text.as_bytes(), whole: true }, &InputFormat::default())
    }

    #[test]
    fn lines_before_a_table_are_counted() {
        assert_eq!(titles("Patients 2024\n\nage;sex;zip\n30;m;1\n40;f;2\n"), 2);
        assert_eq!(titles("Patients;;\nas of;2024;\nage;sex;zip\n30;m;1\n40;f;2\n"), 1, "two of three may be names");
        assert_eq!(titles("Patients;;;\nas of;;;\r\nage;sex;zip;x\n30;m;1;2\n40;f;2;3\n"), 2, "a sheet saved as CSV");
        assert_eq!(titles("# made by x\n# on, 1, 2, 3\nage,sex\n30,m\n40,f\n"), 2);
        assert_eq!(titles("Report, made by a, b and c, on Monday\nage,sex\n30,m\n40,f\n"), 1);
        assert_eq!(titles("Patients\r\nname;city\r\nann;rome\r\nbob;oslo\r\n"), 1);
        assert_eq!(titles("# a\rage,sex\r30,m\r40,f\r"), 1);
    }

    #[test]
    fn a_header_is_no_title() {
        assert_eq!(titles("age;sex;zip\n30;m;1\n40;f;2\n"), 0);
        assert_eq!(titles("\n\nage;sex\n30;m\n40;f\n"), 0, "blank lines are no rows anyway");
        assert_eq!(titles("#id,age\n1,30\n2,40\n"), 0);
        assert_eq!(titles("age,sex\n1,30,m\n2,40,f\n"), 0, "names of rows");
        assert_eq!(titles("age,sex\n30,m,\n40,f,\n"), 0, "a delimiter at the end of rows");
        assert_eq!(titles("name\nann\nbob\n"), 0);
        assert_eq!(titles("\"a\ny\",\"b\ny\",c\n1,2,3\n4,5,6\n"), 0, "names of several lines");
        assert_eq!(titles("a,b\n1,2\n"), 0);
        assert_eq!(titles(""), 0);
    }
}
