//! Which values does one column of a table hold, and how often each?

use super::Table;
use super::cells::value;
use shoal_core::error::nearest;
use shoal_core::table::{DateReading, Dictionary, DictionaryBuilder, MissingMarkers, Reading};
use shoal_core::{Error, Result};
use shoal_format::InputFormat;

/// The values of a column and the number of rows with each, by code.
pub fn column_values(input: &InputFormat, column: &str, dates: DateReading) -> Result<(Dictionary, Vec<u64>)> {
    values_in(&Table::File(input.path.clone()), input, column, dates)
}

/// The same of a column of any table; `input` says how its values are written.
pub fn values_in(
    table: &Table,
    input: &InputFormat,
    column: &str,
    dates: DateReading,
) -> Result<(Dictionary, Vec<u64>)> {
    let mut reader = table.open(|_| input.clone())?;
    let Some(place) = reader.columns().iter().position(|name| name == column) else {
        let error = Error::table(format!("{table} has no column `{column}`"));
        return Err(match nearest(column, reader.columns().iter().map(String::as_str)) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None => error.hint(format!("it has {}", reader.columns().join(", "))),
        });
    };
    let markers =
        MissingMarkers::new(if input.missing.is_empty() { vec![String::new()] } else { input.missing.clone() });
    let mut builder = DictionaryBuilder::default();
    let mut counts: Vec<u64> = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        let texts = batch.columns[place].text()?;
        for row in 0..batch.rows() {
            let code = match value(&texts, row, &markers) {
                Some(text) => builder.code(text),
                None => builder.missing_code(),
            };
            counts.resize(builder.len(), 0);
            counts[code as usize] += 1;
        }
    }
    let (dictionary, renamed) = builder.finish(markers.first(), Reading { marks: input.marks, dates });
    let mut by_code = vec![0; dictionary.len()];
    counts.into_iter().zip(renamed).for_each(|(count, code)| by_code[code as usize] += count);
    Ok((dictionary, by_code))
}
