//! What does an engine have to know to recode rows: which small tables are they joined with?

use crate::column::EngineColumn;

/// A table that is sent to the engine.
#[derive(Debug)]
pub struct MappingTable {
    /// Its name, safe to stand in a query as it is.
    pub name: String,
    /// Its columns, all of one length.
    pub columns: Vec<MappingColumn>,
}

/// A column of a mapping table.
#[derive(Debug)]
pub struct MappingColumn {
    /// Its name, safe to stand in a query as it is.
    pub name: String,
    /// Its cells.
    pub cells: MappingCells,
}

/// The cells of a column.
#[derive(Debug)]
pub enum MappingCells {
    /// Keys of a column of the input, as the engine wrote them; it reads them back as keys.
    Keys {
        /// The column.
        column: EngineColumn,
        /// Its keys.
        written: Vec<String>,
    },
    /// Texts, or nothing.
    Texts(Vec<Option<String>>),
    /// Small numbers: codes, classes.
    Codes(Vec<u32>),
    /// Numbers of rows.
    Counts(Vec<u64>),
}

impl MappingTable {
    /// How many rows it has.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

impl MappingCells {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Keys { written, .. } => written.len(),
            Self::Texts(texts) => texts.len(),
            Self::Codes(codes) => codes.len(),
            Self::Counts(counts) => counts.len(),
        }
    }
}
