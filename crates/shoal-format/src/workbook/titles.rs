//! How many rows of a sheet stand before its table?

/// Rows that are looked at; those that follow would change nothing.
pub(super) const LOOKED_AT: u32 = 200;

/// The rows before the table, given the first rows with a value and how many cells of each have one: rows with a single value,
/// or with values in no more than half of the columns, are titles where the table below is wider.
pub(super) fn rows_before(rows: &[(u32, usize)]) -> u64 {
    let often = |width: usize| rows.iter().filter(|(_, filled)| *filled == width).count();
    let Some(width) = rows.iter().map(|(_, filled)| *filled).max_by_key(|&width| (often(width), width)) else {
        return 0;
    };
    let is_title = |filled: usize| width > 1 && (filled == 1 || filled * 2 <= width);
    match rows.iter().position(|(_, filled)| !is_title(*filled)) {
        None | Some(0) => 0,
        Some(first) => u64::from(rows[first].0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_begins_where_rows_are_filled() {
        assert_eq!(rows_before(&[(0, 1), (1, 2), (3, 5), (4, 5), (5, 4)]), 3);
        assert_eq!(rows_before(&[(0, 5), (1, 5)]), 0);
        assert_eq!(rows_before(&[(4, 5), (5, 5)]), 0, "blank rows before a table are none of it");
        assert_eq!(rows_before(&[(0, 1), (1, 1), (2, 1)]), 0, "a single column");
        assert_eq!(rows_before(&[]), 0);
    }
}
