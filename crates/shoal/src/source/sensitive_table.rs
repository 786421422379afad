//! How is the table of sensitive values written that goes with rows without any?

use std::sync::Arc;

use arrow_array::{StringArray, UInt32Array, UInt64Array};
use arrow_schema::DataType;

use shoal_core::Result;
use shoal_core::recode::{Recoding, class_number};
use shoal_format::{Cells, OutputColumn, TableReader, TableWriter};

use crate::policy::Policy;

/// What the sensitive columns of a table are called and how it writes them.
pub(super) struct SensitiveColumns {
    pub(super) names: Vec<String>,
    pub(super) data_types: Vec<Option<DataType>>,
    /// Are their numbers and truth values JSON without quotes?
    pub(super) bare: Vec<bool>,
    /// The columns that link both tables.
    class: String,
    count: String,
}

impl SensitiveColumns {
    /// Those of a table that is read by `reader`; `bare` says which of its columns have bare JSON values.
    pub(super) fn new(policy: &Policy, recoding: &Recoding<'_>, reader: &dyn TableReader, bare: &[bool]) -> Self {
        let link = policy.method.method.separates().expect("a table of sensitive values has its link columns");
        let (names, places) = (&recoding.layout().names, recoding.layout().sensitive());
        Self {
            names: places.iter().map(|&place| names[place].clone()).collect(),
            data_types: places.iter().map(|&place| reader.data_type(place)).collect(),
            bare: places.iter().map(|&place| bare.get(place).copied().unwrap_or(false)).collect(),
            class: link.class.to_owned(),
            count: link.count.to_owned(),
        }
    }
}

const BATCH_ROWS: usize = 1 << 14;

/// Writes how often each class has each combination of sensitive values, by class and value: that tells counts and
/// nothing of the order of records.
pub(super) fn write(
    recoding: &Recoding<'_>,
    sensitive: &SensitiveColumns,
    create: impl FnOnce(&[OutputColumn]) -> Result<Box<dyn TableWriter>>,
) -> Result<()> {
    let number = |name: &str, data_type| OutputColumn { name: name.to_owned(), data_type: Some(data_type) };
    let values = sensitive.names.iter().zip(&sensitive.data_types).map(|(name, data_type)| OutputColumn {
        name: name.clone(),
        // Other types may be written in ways that their text does not tell.
        data_type: data_type.clone().filter(|kind| kind.is_integer() || *kind == DataType::Boolean),
    });
    let mut columns = vec![number(&sensitive.class, DataType::UInt32)];
    columns.extend(values);
    columns.push(number(&sensitive.count, DataType::UInt64));
    let mut writer = create(&columns)?;
    for rows in recoding.sensitive_rows().chunks(BATCH_ROWS) {
        let classes: UInt32Array = rows.iter().map(|row| Some(class_number(row.0))).collect();
        let counts: UInt64Array = rows.iter().map(|row| Some(row.2)).collect();
        let values = (0..sensitive.names.len()).map(|column| {
            let texts = rows.iter().map(|row| recoding.sensitive_text(column, row.1));
            if sensitive.bare[column] {
                Cells::Json(texts.map(json).collect())
            } else {
                Cells::Text(texts.collect::<StringArray>())
            }
        });
        let mut cells = vec![Cells::Typed(Arc::new(classes))];
        cells.extend(values);
        cells.push(Cells::Typed(Arc::new(counts)));
        writer.write(&cells)?;
    }
    writer.finish()
}

/// A value as JSON, where numbers and truth values have no quotes.
fn json(text: Option<&str>) -> Option<String> {
    text.map(|text| match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Number(_) | serde_json::Value::Bool(_)) => text.to_owned(),
        _ => serde_json::Value::from(text).to_string(),
    })
}
