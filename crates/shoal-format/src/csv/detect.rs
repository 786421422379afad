//! In which dialect is a CSV text written, judging by its beginning?

use ::csv::{ByteRecord, ReaderBuilder};

use super::header;
use super::shape::{self, Shape};
use crate::{Dialect, InputFormat, LineEnding};

/// Rarest in text first: where two delimiters fit equally well, the one less likely to be there by chance is
/// meant. `1,5;2,5` has two cells.
pub(super) const DELIMITERS: [u8; 4] = [b'\t', b';', b'|', b','];

/// Rows beyond these would not change the verdict.
const ROWS: usize = 1000;

/// The beginning of a text.
#[derive(Clone, Copy)]
pub(super) struct Sample<'a> {
    pub(super) text: &'a [u8],
    /// Is it all of the text?
    pub(super) whole: bool,
}

/// The dialect of a text: what `input` leaves open is detected. Encoding and byte order mark are as in `base`.
pub(super) fn dialect(sample: Sample, input: &InputFormat, base: Dialect) -> Dialect {
    let quote_for = |delimiter| input.quote.unwrap_or_else(|| quote(sample, delimiter));
    let delimiter = input.delimiter.unwrap_or_else(|| delimiter(sample, input, base.delimiter, quote_for));
    let quote = quote_for(delimiter);
    let rows = sample.rows(delimiter, quote);
    let header = input.header.unwrap_or_else(|| header::is_header(&rows, &input.missing));
    Dialect { delimiter, quote, header, line_ending: sample.line_ending(delimiter, quote), ..base }
}

/// How the cells of a text in a known dialect lie under its names.
pub(super) fn shape(sample: Sample, dialect: &Dialect) -> Shape {
    match dialect.header {
        true => shape::of(&sample.rows(dialect.delimiter, dialect.quote)),
        false => Shape::AsNamed,
    }
}

/// The delimiter by which most rows have as many cells as the first, of which there must be several. Where names of columns are known, the
/// one that finds most of them in the first row comes before all others: a name or a label may hold what could be a delimiter.
fn delimiter(sample: Sample, input: &InputFormat, default: u8, quote_for: impl Fn(u8) -> u8) -> u8 {
    let mut best = (default, (0, 0.0));
    for candidate in DELIMITERS {
        let quote = quote_for(candidate);
        if candidate == quote {
            continue;
        }
        let rows = sample.rows(candidate, quote);
        let first = rows.first().into_iter().flatten();
        let named = first.filter(|cell| input.names.iter().any(|name| name.as_bytes() == *cell)).count();
        let cells = rows.first().map_or(0, ByteRecord::len);
        let are_one_longer = rows.len() > 1 && rows[1..].iter().all(|row| row.len() == cells + 1);
        let alike = rows.iter().filter(|row| are_one_longer || row.len() == cells).count();
        let share = alike as f64 / rows.len().max(1) as f64;
        // What only the name of a column holds is no delimiter.
        let is_one = cells > 1 && share >= 0.5;
        let is_decimal_comma = candidate == b',' && input.marks.decimal_comma && best.1.1 > 0.0 && named <= best.1.0;
        if is_one && !is_decimal_comma && (named, share) > best.1 {
            best = (candidate, (named, share));
        }
    }
    best.0
}

/// An apostrophe only where every one in the text opens or closes a cell and there are no double quotes:
/// `it's` and `'tis` are more common than files quoted this way.
fn quote(sample: Sample, delimiter: u8) -> u8 {
    let text = sample.text;
    if text.contains(&b'"') || delimiter == b'\'' {
        return b'"';
    }
    let borders = |byte: Option<&u8>| byte.is_none_or(|&byte| byte == delimiter || matches!(byte, b'\r' | b'\n'));
    let (mut opening, mut closing) = (0, 0);
    for at in text.iter().enumerate().filter(|&(_, &byte)| byte == b'\'').map(|(at, _)| at) {
        match (borders(at.checked_sub(1).and_then(|before| text.get(before))), borders(text.get(at + 1))) {
            (true, false) => opening += 1,
            (false, true) => closing += 1,
            _ => return b'"',
        }
    }
    let cut_off = usize::from(!sample.whole && opening > closing);
    if opening > 0 && opening == closing + cut_off { b'\'' } else { b'"' }
}

impl Sample<'_> {
    pub(super) fn rows(self, delimiter: u8, quote: u8) -> Vec<ByteRecord> {
        let mut builder = ReaderBuilder::new();
        let mut reader =
            builder.has_headers(false).flexible(true).delimiter(delimiter).quote(quote).from_reader(self.text);
        let mut rows: Vec<ByteRecord> = reader.byte_records().take(ROWS).map_while(Result::ok).collect();
        // The last row of a part of the text is a part of a row.
        if !self.whole && rows.len() < ROWS && rows.len() > 1 {
            rows.pop();
        }
        rows
    }

    /// The ending of the first row.
    fn line_ending(self, delimiter: u8, quote: u8) -> LineEnding {
        let mut builder = ReaderBuilder::new();
        let mut reader =
            builder.has_headers(false).flexible(true).delimiter(delimiter).quote(quote).from_reader(self.text);
        let _first = reader.read_byte_record(&mut ByteRecord::new());
        let end = usize::try_from(reader.position().byte()).map_or(0, |end| end.min(self.text.len()));
        let (before, after) = self.text.split_at(end);
        let is_windows = before.ends_with(b"\r\n") || before.ends_with(b"\r") && after.starts_with(b"\n");
        if is_windows { LineEnding::CrLf } else { LineEnding::Lf }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(text: &str, decimal_comma: bool) -> Dialect {
        let input = InputFormat { marks: decimal_comma.into(), ..InputFormat::default() };
        dialect(Sample { text: text.as_bytes(), whole: true }, &input, Dialect::default())
    }

    #[test]
    fn the_delimiter_is_the_one_that_makes_rows_alike() {
        let delimiter = |text| char::from(detect(text, false).delimiter);
        assert_eq!(delimiter("a,b\n1,2\n"), ',');
        assert_eq!(delimiter("a;b\n1,5;2,5\n"), ';');
        assert_eq!(delimiter("a\tb\nx, y\tz\n"), '\t');
        assert_eq!(delimiter("a|b\n1|2\n"), '|');
        assert_eq!(delimiter("a,b\n\"1;2\",\"3;4\"\n"), ',');
        assert_eq!(delimiter("a,b\nx;y,1\nz,2\nx;y;z,3\n"), ',');
        assert_eq!(delimiter("a,b,c\n1,2,3\n1,2\n1,2,3\n"), ',', "one ragged row does not hide it");
        assert_eq!(delimiter("a\nb\n"), ',', "a single column has none");
        assert_eq!(delimiter("born;on\n1\n2\n"), ',', "nor has one with another in its name");
    }

    #[test]
    fn names_that_are_known_tell_which_delimiter_is_meant() {
        let text = b"sex ,born;on\na;b,+4\na;b,3\n";
        let delimiter = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            let input = InputFormat { names, ..InputFormat::default() };
            char::from(dialect(Sample { text, whole: true }, &input, Dialect::default()).delimiter)
        };
        assert_eq!(delimiter(&[]), ';');
        assert_eq!(delimiter(&["sex ", "born;on"]), ',');
        assert_eq!(delimiter(&["other"]), ';');
    }

    #[test]
    fn a_decimal_comma_is_no_delimiter_unless_nothing_else_is() {
        let delimiter = |text| char::from(detect(text, true).delimiter);
        let ragged = "1,5;2\n3,5\n";
        assert_eq!(delimiter(ragged), ';');
        assert_eq!(detect(ragged, false).delimiter, b',');
        assert_eq!(delimiter("3,5;4,2\n1,5;2,5\n"), ';');
        assert_eq!(delimiter("a;b,c\n\"3,5\";4,2\n3;4\n"), ';');
        assert_eq!(delimiter("a,b\n\"3,5\",\"4,2\"\n"), ',');
        assert_eq!(delimiter("a,born;on\n\"3,5\",1\n\"4,2\",2\n"), ',');
    }

    #[test]
    fn apostrophes_quote_only_when_all_of_them_do() {
        let quote = |text| char::from(detect(text, false).quote);
        assert_eq!(quote("a,b\n'x,y',1\n'z',2\n"), '\'');
        assert_eq!(quote("a,b\n'tis,1\nit's,2\n"), '"');
        assert_eq!(quote("a,b\n'x',1\nit's,2\n"), '"');
        assert_eq!(quote("a,b\n'x',\"1\"\n"), '"');
        assert_eq!(quote("a,b\nx,1\n"), '"');
    }

    #[test]
    fn the_line_ending_is_that_of_the_first_row_and_not_of_a_cell() {
        let ending = |text| detect(text, false).line_ending;
        assert_eq!(ending("a,b\r\n1,2\r\n"), LineEnding::CrLf);
        assert_eq!(ending("a,b\n1,2\n"), LineEnding::Lf);
        assert_eq!(ending("\"a\r\nx\",b\n1,2\n"), LineEnding::Lf);
        assert_eq!(ending("\"a\nx\",b\r\n1,2\n"), LineEnding::CrLf);
        assert_eq!(ending("a,b"), LineEnding::Lf);
    }

    #[test]
    fn a_quote_is_no_delimiter() {
        let input = InputFormat { quote: Some(b';'), ..InputFormat::default() };
        let found = dialect(Sample { text: b"a;b,c\n1;2,3\n", whole: true }, &input, Dialect::default());
        assert_eq!((found.delimiter, found.quote), (b',', b';'));
    }

    #[test]
    fn what_the_owner_says_is_not_detected() {
        let input =
            InputFormat { delimiter: Some(b':'), quote: Some(b'%'), header: Some(false), ..InputFormat::default() };
        let found = dialect(Sample { text: b"a,b\n1,2\n", whole: true }, &input, Dialect::default());
        assert_eq!((found.delimiter, found.quote, found.header), (b':', b'%', false));
    }

    #[test]
    fn a_row_cut_off_by_the_end_of_the_sample_is_not_ragged() {
        let cut = Sample { text: b"a,b;c\n1,2;3\n1", whole: false };
        assert_eq!(cut.rows(b',', b'"').len(), 2);
        assert_eq!(Sample { whole: true, ..cut }.rows(b',', b'"').len(), 3);
    }
}
