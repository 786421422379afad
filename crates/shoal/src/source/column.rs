//! Which values does one column of a file hold, and how often each?

use super::cells::value;
use shoal_core::error::nearest;
use shoal_core::table::{DateReading, Dictionary, DictionaryBuilder, MissingMarkers, Reading};
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat};

/// The values of a column and the number of rows with each, by code.
pub fn column_values(input: &InputFormat, column: &str, dates: DateReading) -> Result<(Dictionary, Vec<u64>)> {
    let mut reader = format::open(input)?;
    let Some(place) = reader.columns().iter().position(|name| name == column) else {
        let error = Error::table(format!("{} has no column `{column}`", input.path.display()));
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
    let (dictionary, renamed) = builder.finish(markers.first(), Reading { decimal_comma: input.decimal_comma, dates });
    let mut by_code = vec![0; dictionary.len()];
    counts.into_iter().zip(renamed).for_each(|(count, code)| by_code[code as usize] += count);
    Ok((dictionary, by_code))
}
