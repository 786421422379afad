//! How are some rows of a column kept, in whatever type it is, and some cells left out?

use arrow_array::{Array, ArrayRef, make_array};
use arrow_data::transform::MutableArrayData;

/// The cells of these rows, one after the other; `None` gives a cell without a value. No row should come twice, so that what is
/// picked fits wherever the column does.
pub(super) fn picked(array: &dyn Array, rows: &[Option<usize>]) -> ArrayRef {
    let data = array.to_data();
    let mut picked = MutableArrayData::new(vec![&data], true, rows.len());
    // Rows that follow one another are copied at once: from where, and up to where.
    let mut run = 0..0;
    for &row in rows {
        if row == Some(run.end) && !run.is_empty() {
            run.end += 1;
            continue;
        }
        picked.try_extend(0, run.start, run.end).expect(FITS);
        run = row.map_or(0..0, |row| row..row + 1);
        if row.is_none() {
            picked.try_extend_nulls(1).expect(FITS);
        }
    }
    picked.try_extend(0, run.start, run.end).expect(FITS);
    make_array(picked.freeze())
}

const FITS: &str = "no more is picked than the column holds";

#[cfg(test)]
mod tests {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int8Type;
    use arrow_array::{DictionaryArray, Int32Array, StringArray};
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_row_is_the_one_that_was_asked_for(
            cells in prop::collection::vec(prop::option::of("[a-c]{0,3}"), 1..20),
            rows in prop::collection::vec(prop::option::weighted(0.8, 0..20_usize), 0..40),
            from in 0..20_usize,
        ) {
            let from = from % cells.len();
            let cells = &cells[from..];
            let rows: Vec<Option<usize>> = rows.into_iter().map(|row| row.map(|row| row % cells.len())).collect();
            let expected: Vec<Option<&str>> = rows.iter().map(|row| cells[(*row)?].as_deref()).collect();
            // A slice of a longer array must not show what stands before it.
            let before = std::iter::repeat_n(Some("x"), from);
            let all = || before.clone().chain(cells.iter().map(Option::as_deref));
            let texts = all().collect::<StringArray>().slice(from, cells.len());
            let found = picked(&texts, &rows);
            prop_assert!(found.as_string::<i32>().iter().eq(expected.iter().copied()));
            let words = all().collect::<DictionaryArray<Int8Type>>().slice(from, cells.len());
            let found = picked(&words, &rows);
            let found = found.as_any().downcast_ref::<DictionaryArray<Int8Type>>().expect("a dictionary");
            prop_assert!(found.downcast_dict::<StringArray>().expect("texts").into_iter().eq(expected));
        }
    }

    #[test]
    fn numbers_keep_their_type() {
        let numbers = Int32Array::from(vec![Some(1), None, Some(3)]);
        let found = picked(&numbers, &[Some(2), Some(0), Some(1), None]);
        assert_eq!(found.as_ref(), &Int32Array::from(vec![Some(3), Some(1), None, None]) as &dyn Array);
    }
}
