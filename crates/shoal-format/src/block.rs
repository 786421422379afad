//! What does a run of rows look like before its cells are told apart?

use std::borrow::Cow;

use arrow_array::StringArray;

use super::csv::CsvBlock;
use super::{Batch, Cells, Rows};
use shoal_core::Result;

/// A run of rows as the file holds them, so that whoever reads the file can hand it to another thread that takes it
/// apart. It is filled again and again, for the sake of its memory.
#[derive(Debug, Default)]
pub struct Block {
    pub(super) content: Content,
}

#[derive(Debug, Default)]
pub(super) enum Content {
    #[default]
    Nothing,
    /// Text of whole rows.
    Csv(CsvBlock),
    /// Rows of a format whose reader has to take them apart itself.
    Batch(Batch),
}

/// Which columns of a table are wanted; the others are passed over.
#[derive(Debug, Clone)]
pub struct Wanted {
    columns: Vec<bool>,
}

impl Wanted {
    /// These of the `total` columns of a table.
    pub fn new(columns: impl IntoIterator<Item = usize>, total: usize) -> Self {
        let mut wanted = vec![false; total];
        columns.into_iter().for_each(|column| wanted[column] = true);
        Self { columns: wanted }
    }

    /// All columns.
    pub fn all(total: usize) -> Self {
        Self { columns: vec![true; total] }
    }

    /// The place of a column among those that are wanted.
    pub fn slot(&self, column: usize) -> usize {
        self.columns[..column].iter().filter(|&&wanted| wanted).count()
    }

    /// How many are wanted.
    pub fn len(&self) -> usize {
        self.slot(self.columns.len())
    }

    /// Is none wanted?
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether each column of the table is wanted.
    pub(super) fn columns(&self) -> &[bool] {
        &self.columns
    }
}

impl Block {
    /// Takes the rows apart. An error tells that they cannot be; the reader can tell more.
    pub(super) fn rows(&mut self, wanted: &Wanted) -> Result<Rows<'_>> {
        match &mut self.content {
            Content::Nothing => Ok(Rows::of_arrays(0, Vec::new())),
            Content::Csv(block) => block.rows(wanted),
            Content::Batch(batch) => {
                let columns = batch.columns.iter().zip(wanted.columns()).filter(|(_, wanted)| **wanted);
                let texts = columns.map(|(cells, _)| cells.text()).collect::<Result<Vec<Cow<'_, StringArray>>>>()?;
                Ok(Rows::of_arrays(batch.rows(), texts))
            }
        }
    }

    /// The same rows as columns of their format, all of them; their numbers are not known.
    pub(super) fn columns(&mut self, total: usize) -> Result<Vec<Cells>> {
        if let Content::Batch(batch) = &mut self.content {
            return Ok(std::mem::take(&mut batch.columns));
        }
        let rows = self.rows(&Wanted::all(total))?;
        let column = |column| Cells::Text((0..rows.len()).map(|row| rows.cell(row, column)).collect());
        Ok((0..total).map(column).collect())
    }
}
