//! What do the first values of each column look like?

use std::collections::HashSet;

use crate::meaning::SAMPLE;
use crate::policy::Policy;
use shoal_core::Result;
use shoal_core::table::MissingMarkers;
use shoal_format::TableReader;

/// So many rows are read: a moment, even where rows are long.
const ROWS: usize = 20_000;

/// Longer values are cut: what identifies somebody stands in what is left, or the column is full of such texts.
const LENGTH: usize = 2_000;

/// Different values of each column, from the first rows.
pub(super) fn of_columns(reader: &mut dyn TableReader, policy: &Policy) -> Result<Vec<(String, Vec<String>)>> {
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let columns = reader.columns().to_vec();
    let mut found: Vec<HashSet<String>> = vec![HashSet::new(); columns.len()];
    let mut rows = 0;
    while rows < ROWS
        && let Some(batch) = reader.next_batch()?
    {
        rows += batch.rows();
        for (values, cells) in found.iter_mut().zip(&batch.columns) {
            // What has no text cannot be read by anybody either.
            let Ok(cells) = cells.text() else { continue };
            for cell in cells.iter().flatten().filter(|cell| !markers.contain(cell)) {
                let cell = &cell[..cell.floor_char_boundary(LENGTH)];
                if values.len() < SAMPLE && !values.contains(cell) {
                    values.insert(cell.to_owned());
                }
            }
        }
    }
    let sorted = |values: HashSet<String>| {
        let mut values: Vec<String> = values.into_iter().collect();
        values.sort_unstable();
        values
    };
    Ok(columns.into_iter().zip(found.into_iter().map(sorted)).collect())
}
