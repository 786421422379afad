//! How are numbers read as they are to be published: rounded, held between bounds, with noise?

use std::sync::Arc;

use arrow_array::{Array, Float64Array, Int64Array, StringArray};
use arrow_schema::DataType;
use hashbrown::HashMap;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use shoal_core::table::{ColumnType, MissingMarkers, NumberMarks};
use shoal_core::{Error, Result};
use shoal_format::{Batch, Cells, Dialect, TableReader};

use super::row_names::{RowName, RowNames};
use crate::policy::{Noise, NoiseKeys, Policy, PublishedNumber};

/// A table with its numbers as they are to be published. Whoever reads it twice with the same keys reads the same.
pub(crate) fn published(
    reader: Box<dyn TableReader>,
    policy: &Policy,
    keys: &NoiseKeys,
    table: &str,
) -> Box<dyn TableReader> {
    let column = |name: &String| {
        let publish = policy.column(name)?.publish.clone()?;
        let key = keys.iter().find(|(column, _)| column == name).map(|(_, key)| key.clone()).unwrap_or_default();
        Some(Column { name: name.clone(), publish, key, known: HashMap::new() })
    };
    let columns: Vec<Option<Column>> = reader.columns().iter().map(column).collect();
    if columns.iter().all(Option::is_none) {
        return reader;
    }
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let is_noisy = columns.iter().flatten().any(|column| column.publish.noise.is_some());
    let names = is_noisy.then(|| RowNames::new(reader.columns()));
    Box::new(PublishedReader { reader, columns, names, marks: policy.input.marks, markers, table: table.to_owned() })
}

struct PublishedReader {
    reader: Box<dyn TableReader>,
    /// For each column, what becomes of its numbers, if anything does.
    columns: Vec<Option<Column>>,
    /// Where noise is drawn, what it is drawn for.
    names: Option<RowNames>,
    marks: NumberMarks,
    markers: MissingMarkers,
    /// What the table is called.
    table: String,
}

struct Column {
    name: String,
    publish: PublishedNumber,
    key: Vec<u8>,
    /// What became of texts, where that is the same for every row.
    known: HashMap<String, String>,
}

impl Column {
    fn published(&mut self, text: &str, row: Option<&RowName>, marks: NumberMarks) -> Option<String> {
        if self.publish.noise.is_none()
            && let Some(known) = self.known.get(text)
        {
            return Some(known.clone());
        }
        let column_type = ColumnType::detect(std::iter::once(text), marks);
        let noise = self.publish.noise.zip(row).map_or(0.0, |(noise, row)| noise.drawn(self.draws(noise, row)));
        let number = self.publish.of(column_type.number(text)?, noise)?;
        let shown = column_type.write_exactly(number);
        if self.publish.noise.is_none() {
            self.known.insert(text.to_owned(), shown.clone());
        }
        Some(shown)
    }

    /// Two numbers between 0 and 1 for a row and this noise, which nobody can tell without the key.
    fn draws(&self, noise: Noise, row: &RowName) -> [f64; 2] {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.key).expect("a key may have any length");
        mac.update(b"shoal noise\0");
        mac.update(self.name.as_bytes());
        mac.update(&[0]);
        mac.update(&noise.tag());
        mac.update(&row.cells);
        mac.update(&row.earlier.to_le_bytes());
        let bytes = mac.finalize().into_bytes();
        let draw = |from: usize| {
            let bits = u64::from_le_bytes(bytes[from..from + 8].try_into().expect("eight bytes"));
            // The middles of 2^52 equal parts, so that neither 0 nor 1 is drawn.
            ((bits >> 12) as f64 + 0.5) / (1u64 << 52) as f64
        };
        [draw(0), draw(8)]
    }
}

/// The type of published numbers in a format that has types.
fn published_type(data_type: &DataType, publish: &PublishedNumber) -> Option<DataType> {
    match data_type {
        whole if whole.is_integer() && publish.keeps_whole_numbers() => Some(DataType::Int64),
        number if number.is_integer() || number.is_floating() => Some(DataType::Float64),
        _ => None,
    }
}

impl PublishedReader {
    fn cells(&mut self, at: usize, cells: &Cells, first_row: u64, names: &[RowName]) -> Result<Cells> {
        let data_type = self.data_type(at);
        let Self { columns, marks, markers, table, .. } = self;
        let Some(column) = &mut columns[at] else { return Ok(cells.clone()) };
        // A typed number has a decimal point, whatever the texts of the table have.
        let marks = if matches!(cells, Cells::Text(_)) { *marks } else { NumberMarks::default() };
        let texts = cells.text()?;
        let mut shown: Vec<Option<String>> = Vec::with_capacity(texts.len());
        for (place, text) in texts.iter().enumerate() {
            let row = first_row + place as u64;
            shown.push(match text {
                Some(text) if !markers.contain(text) => {
                    let published = column.published(text, names.get(place), marks);
                    Some(published.ok_or_else(|| no_number(table, &column.name, row))?)
                }
                other => other.map(str::to_owned),
            });
        }
        Ok(in_form(cells, data_type.as_ref(), shown))
    }
}

fn no_number(table: &str, column: &str, row: u64) -> Error {
    Error::table(format!("{table}, row {row}, column `{column}`: it is no number, and `publish` is for numbers"))
        .hint("list what stands for a missing value under `missing` in [input]; `decimal` and `thousands` say how numbers are written")
}

/// Texts in the form that the cells had.
fn in_form(cells: &Cells, data_type: Option<&DataType>, shown: Vec<Option<String>>) -> Cells {
    match (cells, data_type) {
        (Cells::Typed(_), Some(DataType::Int64)) => {
            let number = |text: &String| text.parse().ok();
            Cells::Typed(Arc::new(shown.iter().map(|text| text.as_ref().and_then(number)).collect::<Int64Array>()))
        }
        (Cells::Typed(_), Some(DataType::Float64)) => {
            let number = |text: &String| text.parse().ok();
            Cells::Typed(Arc::new(shown.iter().map(|text| text.as_ref().and_then(number)).collect::<Float64Array>()))
        }
        (Cells::Json(raw), _) => {
            let json = |(place, text): (usize, Option<String>)| {
                let is_text = raw.is_valid(place) && raw.value(place).starts_with('"');
                text.map(|text| if is_text { serde_json::Value::from(text).to_string() } else { text })
            };
            Cells::Json(shown.into_iter().enumerate().map(json).collect::<StringArray>())
        }
        _ => Cells::Text(shown.into_iter().collect::<StringArray>()),
    }
}

impl TableReader for PublishedReader {
    fn columns(&self) -> &[String] {
        self.reader.columns()
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let Some(batch) = self.reader.next_batch()? else { return Ok(None) };
        let first_row = batch.first_row;
        let names = match &mut self.names {
            Some(names) => names.of(&batch, &self.markers)?,
            None => Vec::new(),
        };
        let columns = batch.columns.iter().enumerate().map(|(at, cells)| self.cells(at, cells, first_row, &names));
        Ok(Some(Batch { first_row, columns: columns.collect::<Result<_>>()? }))
    }

    fn explain(&self, error: Error) -> Error {
        // What is wrong with a number is said already.
        error
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        let data_type = self.reader.data_type(column)?;
        match &self.columns[column] {
            None => Some(data_type),
            Some(Column { publish, .. }) => published_type(&data_type, publish),
        }
    }

    fn dialect(&self) -> Dialect {
        self.reader.dialect()
    }
}
