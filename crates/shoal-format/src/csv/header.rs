//! Does the first row of a table hold the names of its columns, or values?

use ::csv::ByteRecord;
use hashbrown::HashSet;

/// Is the first row a header? Most files have one, so it is assumed unless the row clearly looks like data.
///
/// It is data when every column of numbers or dates has one in the first row as well (there must be such a
/// column), and the first row shows one more sign of data: all columns are of this kind, or a text of it
/// recurs further down its column, or two of its cells are equal, or one is missing. In a table of text alone
/// it is data when each of its cells recurs in its column, and not merely because a header is repeated.
pub(super) fn is_header(rows: &[ByteRecord], missing: &[String]) -> bool {
    let Some((first, rest)) = rows.split_first() else { return true };
    let is_missing = |cell: &[u8]| cell.is_empty() || missing.iter().any(|marker| marker.as_bytes() == cell);
    let (mut measured, mut texts, mut recurring, mut other_signs) = (0, 0, 0, 0);
    let mut earlier = HashSet::new();
    for (column, cell) in first.iter().enumerate() {
        let mut below = rest.iter().filter_map(|row| row.get(column)).filter(|cell| !is_missing(cell)).peekable();
        let is_repeated = !earlier.insert(cell);
        if is_missing(cell) || is_repeated {
            other_signs += 1;
        }
        let is_column_of_measures = below.peek().is_some() && below.clone().all(is_measure);
        match () {
            () if is_column_of_measures && is_measure(cell) => measured += 1,
            () if is_column_of_measures && !is_missing(cell) => return true,
            () if is_column_of_measures => {}
            () => {
                texts += 1;
                recurring += usize::from(below.any(|other| other == cell));
            }
        }
    }
    let is_data = if measured > 0 {
        texts == 0 || recurring + other_signs > 0
    } else {
        recurring == first.len() && !rest.contains(first)
    };
    !is_data
}

/// Does a cell look like a number, a date or a time? More than a number parser takes: `02139`, `1.5.24`, `10:30`.
pub(super) fn is_measure(cell: &[u8]) -> bool {
    let cell = cell.trim_ascii();
    let unsigned = cell.strip_prefix(b"-").or_else(|| cell.strip_prefix(b"+")).unwrap_or(cell);
    let begins = unsigned.strip_prefix(b".").unwrap_or(unsigned).first().is_some_and(u8::is_ascii_digit);
    begins && unsigned.iter().all(|byte| byte.is_ascii_digit() || b".,:-/+eETZ% ".contains(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_header(text: &str) -> bool {
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        let rows: Vec<ByteRecord> = reader.byte_records().map(|row| row.expect("memory can be read")).collect();
        is_header(&rows, &["?".to_owned()])
    }

    #[test]
    fn a_header_is_assumed() {
        assert!(has_header("age,zip\n30,02139\n40,02140\n"));
        assert!(has_header("name,city\nann,rome\nbob,oslo\n"), "text tells nothing");
        assert!(has_header("id,age\nx1,30\nx2,40\n"));
        assert!(has_header("1,2,3\n"), "a single row tells nothing");
        assert!(has_header("country,2019,2020\nit,5,6\nno,7,8\n"), "years may be names");
        assert!(has_header("1,age\n5,30\n6,40\n"), "one name is enough");
        assert!(has_header("a,b\nx,y\na,b\nz,y\n"), "a header that is repeated");
        assert!(has_header("a,b\nx,y\na,y\n"), "one name that is a value as well");
        assert!(has_header("a,a\n?,x\n?,y\n"), "equal names alone are a mistake in a header");
        assert!(has_header(""));
    }

    #[test]
    fn a_first_row_like_the_others_is_data() {
        assert!(!has_header("30,02139\n40,02140\n"));
        assert!(!has_header("39,State-gov,13\n50,Private,13\n38,State-gov,9\n"));
        assert!(!has_header("2024-01-05,5\n2023-02-07,7\n"));
        assert!(!has_header("30,x,x\n40,y,z\n"), "a header does not repeat a name");
        assert!(!has_header("30,?,x\n40,1,y\n50,2,x\n"));
        assert!(!has_header("flu,f\ncold,m\nflu,m\ncold,f\n"));
        assert!(!has_header("-3.5e2\n.5\n"));
    }
}
