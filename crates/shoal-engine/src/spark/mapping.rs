//! How does a mapping table reach the cluster?

use std::sync::Arc;

use arrow_array::{ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use shoal_core::{Error, Result};

use super::dialect::SparkSql;
use super::error::explained;
use super::protocol;
use super::session::Session;
use crate::column::ValueKind;
use crate::dialect::SqlDialect;
use crate::mapping::{MappingCells, MappingColumn, MappingTable};

/// A server takes messages of up to 128 MiB unless told otherwise.
const LARGEST_MESSAGE: usize = 32 << 20;

/// Sends a mapping table; from then on it is a view of the session.
pub(super) fn send(session: &Session, mapping: &MappingTable) -> Result<()> {
    let failed = |_: ArrowError| Error::place("a mapping table cannot be written as Arrow");
    let batch = batch(mapping).map_err(failed)?;
    let mut parts = Vec::new();
    for part in messages(&batch) {
        let name = format!("{}_part_{}", mapping.name, parts.len());
        create_view(session, &name, protocol::local(arrow(&part).map_err(failed)?))?;
        parts.push(format!("SELECT * FROM {name}"));
    }
    let columns: Vec<String> = mapping.columns.iter().map(selected).collect();
    let query = format!("SELECT {} FROM ({})", columns.join(", "), parts.join(" UNION ALL "));
    create_view(session, &mapping.name, protocol::query(&query))
}

fn create_view(session: &Session, name: &str, relation: spark_connect_proto::Relation) -> Result<()> {
    let view = protocol::view(name, relation);
    session.run(view).map_err(|error| explained(&error, "a mapping table cannot be sent"))
}

/// Keys are sent as they were written, and read by the cluster.
fn selected(column: &MappingColumn) -> String {
    match &column.cells {
        MappingCells::Keys { column: of, .. } if of.kind != Some(ValueKind::Text) => {
            SparkSql.key(of, &format!("CAST({0} AS {1})", column.name, of.type_name)) + " AS " + &column.name
        }
        _ => column.name.clone(),
    }
}

fn batch(mapping: &MappingTable) -> Result<RecordBatch, ArrowError> {
    let array = |column: &MappingColumn| -> ArrayRef {
        match &column.cells {
            MappingCells::Keys { written, .. } => Arc::new(StringArray::from_iter_values(written)),
            MappingCells::Texts(texts) => Arc::new(StringArray::from_iter(texts)),
            MappingCells::Codes(codes) => Arc::new(Int32Array::from_iter_values(codes.iter().map(|&code| code as i32))),
            MappingCells::Counts(counts) => {
                Arc::new(Int64Array::from_iter_values(counts.iter().map(|&count| count as i64)))
            }
        }
    };
    RecordBatch::try_from_iter_with_nullable(
        mapping.columns.iter().map(|column| (column.name.as_str(), array(column), true)),
    )
}

/// The batch in parts that fit into a message each; at least one.
fn messages(batch: &RecordBatch) -> Vec<RecordBatch> {
    let rows = batch.num_rows();
    let parts = batch.get_array_memory_size().div_ceil(LARGEST_MESSAGE).clamp(1, rows.max(1));
    let size = rows.div_ceil(parts).max(1);
    (0..rows.div_ceil(size).max(1)).map(|part| batch.slice(part * size, size.min(rows - part * size))).collect()
}

fn arrow(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut bytes = Vec::new();
    let mut writer = StreamWriter::try_new(&mut bytes, &batch.schema())?;
    writer.write(batch)?;
    writer.finish()?;
    drop(writer);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_large_table_goes_in_several_messages_and_an_empty_one_in_one() {
        let column = |rows: usize| {
            let codes: ArrayRef = Arc::new(Int64Array::from_iter_values(0..rows as i64));
            RecordBatch::try_from_iter([("code", codes)]).unwrap()
        };
        let large = column(10_000_000);
        let parts = messages(&large);
        assert_eq!(parts.len(), 3);
        assert_eq!(parts.iter().map(RecordBatch::num_rows).sum::<usize>(), 10_000_000);
        assert!(parts.iter().all(|part| arrow(part).unwrap().len() <= LARGEST_MESSAGE + 1024));
        assert_eq!(messages(&column(0)).len(), 1);
    }
}
