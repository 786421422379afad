//! What do the examples of these pages start from?

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use shoal_core::{Result, hierarchy};
use shoal_format::MemoryTable;

use crate::policy::Policy;

/// Twelve patients of 30 to 35 years, in three wards, with one of two diagnoses.
pub fn patients() -> Result<MemoryTable> {
    let age: ArrayRef = Arc::new(Int64Array::from_iter_values((0..12).map(|row| 30 + row % 6)));
    let ward: ArrayRef = Arc::new(StringArray::from_iter_values((0..12).map(|row| ["a", "b", "c"][row / 4])));
    let diagnosis: ArrayRef = Arc::new(StringArray::from_iter_values((0..12).map(|row| ["flu", "gout"][row / 3 % 2])));
    let batch = RecordBatch::try_from_iter([("age", age), ("ward", ward), ("diagnosis", diagnosis)]);
    let batch = batch.expect("columns of one length");
    MemoryTable::new(batch.schema(), vec![batch])
}

/// Each of them among k.
pub fn policy(k: i64) -> Result<Policy> {
    Policy::builder()
        .quasi("age", hierarchy::intervals([2, 10]))
        .quasi("ward", hierarchy::suppress())
        .sensitive("diagnosis")
        .require("k-anonymity", [("k", k)])
        .build()
}
