//! How does a table come from Python, and how does one get there?
//!
//! Both ways by the Arrow PyCapsule interface: buffers are shared, and nothing is copied here. `arrow-pyarrow` checks what others hand in;
//! what is handed out is a capsule that owns its stream and frees it if nobody takes it.

use std::sync::Arc;

use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use arrow_pyarrow::FromPyArrow;
use arrow_schema::ArrowError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use shoal::{MemoryTable, Watch};
use shoal_core::Error;

use crate::error::raised;
use crate::watched::watched;

/// A table in memory that exports itself to whatever knows Arrow.
#[pyclass(frozen, module = "shoal._shoal")]
pub struct ArrowTable {
    table: MemoryTable,
}

impl ArrowTable {
    pub fn new(table: MemoryTable) -> Self {
        Self { table }
    }

    pub fn table(&self) -> MemoryTable {
        self.table.clone()
    }
}

/// All batches of a stream, each of which may take whoever exports it long.
fn taken_over(reader: RecordBatchStreamReader, watch: &dyn Watch) -> shoal_core::Result<MemoryTable> {
    let schema = reader.schema();
    let mut batches = Vec::new();
    for batch in reader {
        watch.proceed()?;
        // What it says besides may quote a cell.
        batches.push(batch.map_err(|_| {
            Error::table("the table could not be read to its end").hint("whoever made it may say more")
        })?);
    }
    MemoryTable::new(schema, batches)
}

#[pymethods]
impl ArrowTable {
    /// Takes over what something exports as a stream.
    #[staticmethod]
    fn of(py: Python<'_>, exporter: &Bound<'_, PyAny>) -> PyResult<Self> {
        let reader = RecordBatchStreamReader::from_pyarrow_bound(exporter)?;
        watched(py, |watch| taken_over(reader, watch)).map(Self::new)
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.table.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The Arrow types of the columns.
    #[getter]
    fn types(&self) -> Vec<String> {
        self.table.schema().fields().iter().map(|field| field.data_type().to_string()).collect()
    }

    fn __len__(&self) -> usize {
        self.table.rows()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // Another schema is a wish that need not be granted: whoever asks can cast.
        let _ = requested_schema;
        let batches: Vec<Result<RecordBatch, ArrowError>> = self.table.batches().iter().cloned().map(Ok).collect();
        let batches = RecordBatchIterator::new(batches, Arc::clone(self.table.schema()));
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.table.schema().as_ref())
            .map_err(|_| raised(py, &Error::bug("a table has a schema that Arrow cannot tell")))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}
