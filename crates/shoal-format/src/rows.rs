//! What is the text of a cell, whichever format it comes from?

use std::borrow::Cow;

use arrow_array::{Array, StringArray};

/// A run of rows whose cells can be read as text, by row and by place among the wanted columns.
#[derive(Debug)]
pub struct Rows<'a> {
    len: usize,
    cells: CellsOfRows<'a>,
}

#[derive(Debug)]
enum CellsOfRows<'a> {
    /// Where each cell starts and ends in a text, row by row.
    Spans { text: &'a str, spans: &'a [(u32, u32)], width: usize },
    /// Columns that were taken apart already.
    Arrays(Vec<Cow<'a, StringArray>>),
}

impl<'a> Rows<'a> {
    pub(super) fn of_spans(len: usize, text: &'a str, spans: &'a [(u32, u32)], width: usize) -> Self {
        debug_assert_eq!(spans.len(), len * width);
        Self { len, cells: CellsOfRows::Spans { text, spans, width } }
    }

    /// Rows of columns that were taken apart already.
    pub fn of_arrays(len: usize, columns: Vec<Cow<'a, StringArray>>) -> Self {
        Self { len, cells: CellsOfRows::Arrays(columns) }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text of a cell; none if its format says that there is no value.
    #[inline]
    pub fn cell(&self, row: usize, slot: usize) -> Option<&str> {
        match &self.cells {
            CellsOfRows::Spans { text, spans, width } => {
                let (start, end) = spans[row * width + slot];
                Some(&text[start as usize..end as usize])
            }
            CellsOfRows::Arrays(columns) => columns[slot].is_valid(row).then(|| columns[slot].value(row)),
        }
    }
}
