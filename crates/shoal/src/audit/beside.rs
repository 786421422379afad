//! Which rows do two releases have, one after the other?

use arrow_array::{Array, StringArray};

use crate::attack::{Beside, LaidRows};
use crate::outsider::SUPPRESSED_CELL;
use shoal_core::Result;
use shoal_core::table::MissingMarkers;
use shoal_format::TableReader;

/// Lays `other` beside `release`, row by row. `sensitive` are columns of both.
pub fn lay_beside(
    release: &mut dyn TableReader,
    other: &mut dyn TableReader,
    quasi: &[String],
    sensitive: &[String],
    markers: &MissingMarkers,
) -> Result<Beside> {
    let known: Vec<String> = other.columns().iter().filter(|name| !sensitive.contains(name)).cloned().collect();
    let same = known.iter().map(|name| quasi.iter().position(|quasi| quasi == name)).collect();
    Ok(Beside {
        these: read(release, quasi, sensitive, markers)?,
        those: read(other, &known, sensitive, markers)?,
        same,
    })
}

/// The first rows of a table; those that were suppressed and kept are nobody's.
fn read(
    reader: &mut dyn TableReader,
    known: &[String],
    sensitive: &[String],
    markers: &MissingMarkers,
) -> Result<LaidRows> {
    let place = |name: &String| reader.columns().iter().position(|column| column == name);
    let known: Vec<usize> = known.iter().filter_map(place).collect();
    let sensitive: Vec<usize> = sensitive.iter().filter_map(place).collect();
    let mut rows = LaidRows::new(known.len(), sensitive.len());
    while let Some(batch) = reader.next_batch()? {
        let texts = batch.columns.iter().map(|cells| cells.text()).collect::<Result<Vec<_>>>()?;
        for row in 0..batch.rows() {
            let is_suppressed = |cells: &StringArray| cells.is_valid(row) && cells.value(row) == SUPPRESSED_CELL;
            if texts.iter().all(|cells| is_suppressed(cells)) {
                continue;
            }
            let cell = |&place: &usize| {
                let cells: &StringArray = &texts[place];
                let text = cells.is_valid(row).then(|| cells.value(row));
                text.filter(|text| !markers.contain(text)).unwrap_or(markers.first())
            };
            if !rows.push(known.iter().map(cell), sensitive.iter().map(cell)) {
                return Ok(rows);
            }
        }
    }
    Ok(rows)
}
