//! How do the cells of rows lie under the names of the columns?

use ::csv::ByteRecord;
use hashbrown::HashSet;

use super::header::is_measure;

/// What rows have beside the columns that a header names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing.
    AsNamed,
    /// A first cell for which the header has none: the names of rows, as R writes them.
    RowNames,
    /// A delimiter after the last cell of each row, with nothing behind it.
    Tail,
}

/// The shape of a text, judging by its beginning, of which the first row is a header.
pub(super) fn of(rows: &[ByteRecord]) -> Shape {
    let Some((header, rest)) = rows.split_first().filter(|(_, rest)| !rest.is_empty()) else { return Shape::AsNamed };
    let width = header.len();
    let have = |cells: usize| rest.iter().all(|row| row.len() == cells);
    let ends_blank = |row: &ByteRecord| row.iter().next_back().is_some_and(|cell| cell.trim_ascii().is_empty());
    let all_end_blank = rest.iter().all(ends_blank);
    match () {
        () if width > 1 && ends_blank(header) && have(width) && all_end_blank => Shape::Tail,
        () if have(width + 1) && all_end_blank => Shape::Tail,
        () if have(width + 1) && are_names(rest) => Shape::RowNames,
        () => Shape::AsNamed,
    }
}

/// Do the first cells name rows: all different, and counting them or no numbers at all? A number may be there because a comma
/// of another one was taken for a delimiter.
fn are_names(rows: &[ByteRecord]) -> bool {
    let firsts = || rows.iter().filter_map(|row| row.get(0));
    let mut seen = HashSet::new();
    if rows.len() < 2 || !firsts().all(|cell| seen.insert(cell)) {
        return false;
    }
    let counts_from = |first: usize| firsts().enumerate().all(|(at, cell)| cell == (first + at).to_string().as_bytes());
    counts_from(0) || counts_from(1) || firsts().all(|cell| !is_measure(cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Shape {
        let mut reader = ::csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
        of(&reader.byte_records().map(|row| row.expect("memory can be read")).collect::<Vec<_>>())
    }

    #[test]
    fn names_of_rows_and_delimiters_at_the_end_are_told_from_ragged_rows() {
        assert_eq!(shape("a,b\n1,2\n3,4\n"), Shape::AsNamed);
        assert_eq!(shape("a,b,\n1,2,\n3,4,\n"), Shape::Tail);
        assert_eq!(shape("a,b\n1,2,\n3,4, \n"), Shape::Tail);
        assert_eq!(shape("a,b,\n1,2,\n3,4,5\n"), Shape::AsNamed, "a column without a name");
        assert_eq!(shape("a,b\n1,30,x\n2,40,y\n"), Shape::RowNames);
        assert_eq!(shape("a,b\nann,30,x\nbob,40,y\n"), Shape::RowNames);
        assert_eq!(shape("age,weight\n30,70,5\n41,80,5\n"), Shape::AsNamed, "decimal commas");
        assert_eq!(shape("a,b\nann,30,x\nann,40,y\n"), Shape::AsNamed);
        assert_eq!(shape("a,b\n1,2,3\n"), Shape::AsNamed, "one row tells nothing");
        assert_eq!(shape("a,b\n1,2,3\n4,5\n"), Shape::AsNamed);
        assert_eq!(shape("a,b\n"), Shape::AsNamed);
    }
}
