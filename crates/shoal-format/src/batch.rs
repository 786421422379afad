//! What does a run of rows look like on its way through?

use std::borrow::Cow;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StringArray};

use super::picked::picked;
use super::typed_text;
use shoal_core::Result;

/// A run of rows: the cells of each column.
///
/// ```
/// use arrow_array::StringArray;
/// use shoal_format::{Batch, Cells};
///
/// let batch = Batch { first_row: 1, columns: vec![Cells::Text(StringArray::from(vec!["31", "34"]))] };
/// assert_eq!(batch.rows(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct Batch {
    /// The number of the first row, counted from 1, the header left out.
    pub first_row: u64,
    /// One entry for each column of the table.
    pub columns: Vec<Cells>,
}

impl Batch {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Cells::len)
    }
}

/// The cells of one column, in the form in which its format can write them back unchanged.
///
/// ```
/// use arrow_array::StringArray;
/// use shoal_format::Cells;
///
/// let cells = Cells::Text(StringArray::from(vec![Some("31"), None]));
/// assert_eq!(cells.picked(&[Some(0)]).len(), 1);
/// ```
#[derive(Debug, Clone)]
pub enum Cells {
    /// Text as it stands in the file; null is a missing value.
    Text(StringArray),
    /// Each cell as its JSON text, quotes and all.
    Json(StringArray),
    /// A typed column of a Parquet file.
    Typed(ArrayRef),
}

impl Cells {
    /// How many cells there are.
    pub fn len(&self) -> usize {
        match self {
            Cells::Text(cells) | Cells::Json(cells) => cells.len(),
            Cells::Typed(cells) => cells.len(),
        }
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The cells of these rows, in the same form; `None` gives a cell without a value.
    #[must_use]
    pub fn picked(&self, rows: &[Option<usize>]) -> Self {
        if rows.len() == self.len() && rows.iter().enumerate().all(|(at, row)| *row == Some(at)) {
            return self.clone();
        }
        let text = |cells: &StringArray| picked(cells, rows).as_string().clone();
        match self {
            Cells::Text(cells) => Cells::Text(text(cells)),
            Cells::Json(cells) => Cells::Json(text(cells)),
            Cells::Typed(cells) => Cells::Typed(picked(cells, rows)),
        }
    }

    /// The cells as plain text; null where there is no value.
    pub fn text(&self) -> Result<Cow<'_, StringArray>> {
        match self {
            Cells::Text(cells) => Ok(Cow::Borrowed(cells)),
            Cells::Json(cells) => Ok(Cow::Owned(cells.iter().map(|cell| cell.and_then(json_text)).collect())),
            Cells::Typed(cells) => Ok(Cow::Owned(typed_text::text(cells)?)),
        }
    }

    /// The same; null also where a cell has no text, as bytes that are none.
    pub fn text_where_any(&self) -> Result<Cow<'_, StringArray>> {
        match self {
            Cells::Text(_) | Cells::Json(_) => self.text(),
            Cells::Typed(cells) => Ok(Cow::Owned(typed_text::text_where_any(cells)?)),
        }
    }
}

/// The text of a JSON value: a string without its quotes, nothing for null, anything else as it is written.
fn json_text(raw: &str) -> Option<String> {
    match raw {
        "null" => None,
        _ if raw.starts_with('"') => serde_json::from_str(raw).ok(),
        _ => Some(raw.to_owned()),
    }
}
