//! Made-up people, as a table in memory.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use pyo3::prelude::*;
use shoal::MemoryTable;
use shoal_core::{Error, Result};

use crate::arrow_table::ArrowTable;
use crate::watched::watched;

/// What `shoal generate` writes, with whole numbers as such.
#[pyfunction]
#[pyo3(signature = (name, rows, seed=1))]
pub fn generate(py: Python<'_>, name: &str, rows: u64, seed: u64) -> PyResult<ArrowTable> {
    watched(py, |_| table(name, rows, seed)).map(ArrowTable::new)
}

fn table(name: &str, rows: u64, seed: u64) -> Result<MemoryTable> {
    let mut text = Vec::new();
    shoal::generate::write_csv(name, rows, seed, &mut text)?;
    let unreadable = |_| Error::bug("a generated table is no CSV");
    let mut reader = csv::Reader::from_reader(text.as_slice());
    let names: Vec<String> = reader.headers().map_err(unreadable)?.iter().map(str::to_owned).collect();
    let mut columns = vec![Vec::new(); names.len()];
    for record in reader.records() {
        let record = record.map_err(unreadable)?;
        columns.iter_mut().zip(&record).for_each(|(column, cell)| column.push(cell.to_owned()));
    }
    let arrays = names.into_iter().zip(columns.iter().map(|cells| array(cells)));
    let batch = RecordBatch::try_from_iter_with_nullable(arrays.map(|(name, array)| (name, array, true)));
    let batch = batch.expect("every row has a cell for every column");
    MemoryTable::new(batch.schema(), vec![batch])
}

/// The cells as whole numbers, where all of them are and no zero stands before one; else as texts.
fn array(cells: &[String]) -> ArrayRef {
    let number = |cell: &String| match cell.as_str() {
        "" => Some(None),
        cell => cell.parse::<i64>().ok().filter(|number| number.to_string() == cell).map(Some),
    };
    match cells.iter().map(number).collect::<Option<Int64Array>>() {
        Some(numbers) => Arc::new(numbers),
        None => Arc::new(cells.iter().map(|cell| Some(cell).filter(|cell| !cell.is_empty())).collect::<StringArray>()),
    }
}
