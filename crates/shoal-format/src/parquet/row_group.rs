//! How many rows of a row group can be held at once, and how are they read?
//!
//! A small file can unpack to anything: a long text in a dictionary that millions of rows refer to, pages that pack a thousandfold,
//! thousands of columns that share a page. So the headers of all pages are read first, which takes no unpacking, and rows are read
//! as few at a time as it takes. Texts are read as views, so that all rows with the same text hold it once.

use std::fs::File;
use std::sync::Arc;

use ::parquet::arrow::FieldLevels;
use ::parquet::arrow::arrow_reader::{ParquetRecordBatchReader, RowGroups};
use ::parquet::basic::{Encoding, Type};
use ::parquet::column::page::PageIterator;
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use super::page_header::PageKind;
use super::pages::{OnlyPages, Pages};
use super::thrift::{Broken, Result};
use crate::room;

/// Rows are read so few at a time that they take no more than this, or twice what one of them takes.
const AT_ONCE: u64 = 1 << 28;
/// What a single row may take, with all pages that it stands in: this, or so many times the length of the file.
const MOST_BYTES: u64 = 1 << 30;
const MOST_TIMES: u64 = 16;
/// What a text in a batch takes beside the page that it stands in.
const VIEW: u64 = 16;

/// One row group of a file.
pub(super) struct RowGroup<'a> {
    pub file: &'a Arc<File>,
    pub length: u64,
    pub metadata: &'a ParquetMetaData,
    pub place: usize,
    /// Which columns are read as views.
    pub views: &'a [bool],
}

/// Why a row group cannot be read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    Damaged,
    /// One of its rows takes more memory than this.
    TooLarge(u64),
}

impl From<Broken> for Unreadable {
    fn from(_: Broken) -> Self {
        Self::Damaged
    }
}

impl RowGroup<'_> {
    /// Begins to read it.
    pub(super) fn read(&self, levels: &FieldLevels) -> std::result::Result<ParquetRecordBatchReader, Unreadable> {
        let rows = self.rows_at_once()?;
        ParquetRecordBatchReader::try_new_with_row_groups(levels, self, rows, None).map_err(|_| Unreadable::Damaged)
    }

    fn rows_at_once(&self) -> std::result::Result<usize, Unreadable> {
        let columns = (0..self.group().num_columns()).map(|column| self.column(column)).collect::<Result<Vec<_>>>()?;
        let bytes = |rows: u64| columns.iter().fold(0_u64, |sum, column| sum.saturating_add(column.bytes(rows)));
        let (single, most) = (bytes(1), MOST_BYTES.max(self.length.saturating_mul(MOST_TIMES)));
        if single > most {
            return Err(Unreadable::TooLarge(most));
        }
        let mut rows = room(columns.len()) as u64;
        while rows > 1 && bytes(rows) > AT_ONCE.max(single.saturating_mul(2)) {
            rows /= 2;
        }
        Ok(rows as usize)
    }

    fn column(&self, place: usize) -> Result<Column> {
        let metadata = self.group().column(place);
        let mut pages = Pages::of(self.file, self.length, metadata)?;
        let mut column = Column::default();
        let (mut longest, mut longest_delta) = (0, 0);
        while let Some(header) = pages.next_header()? {
            let (unpacked, packed) = (u64::from(header.unpacked), u64::from(header.packed));
            longest = longest.max(unpacked);
            match header.kind {
                PageKind::Dictionary { values, .. } => {
                    column.dictionary = column.dictionary.max(unpacked + packed + VIEW * u64::from(values));
                }
                PageKind::Other => {}
                PageKind::Data { .. } | PageKind::DataV2 { .. } => {
                    let mut bytes = unpacked + packed;
                    if matches!(header.encoding(), Some(Encoding::DELTA_LENGTH_BYTE_ARRAY | Encoding::DELTA_BYTE_ARRAY))
                    {
                        // Two lengths for every value.
                        bytes += 8 * header.rows();
                    }
                    if header.encoding() == Some(Encoding::DELTA_BYTE_ARRAY) {
                        longest_delta = longest_delta.max(unpacked);
                    }
                    column.pages.push((header.rows(), bytes));
                }
            }
        }
        let descriptor = metadata.column_descr();
        column.each = match descriptor.physical_type() {
            Type::BOOLEAN | Type::INT32 | Type::INT64 | Type::INT96 | Type::FLOAT | Type::DOUBLE => VIEW,
            Type::FIXED_LEN_BYTE_ARRAY => u64::try_from(descriptor.type_length()).map_err(|_| Broken)? + VIEW,
            // A value that begins like the one before it is written out.
            Type::BYTE_ARRAY if self.views[place] => VIEW + longest_delta,
            Type::BYTE_ARRAY => VIEW + longest,
        };
        Ok(column)
    }

    fn group(&self) -> &RowGroupMetaData {
        self.metadata.row_group(self.place)
    }
}

impl RowGroups for RowGroup<'_> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.group().num_rows()).unwrap_or(0)
    }

    fn column_chunks(&self, column: usize) -> ParquetResult<Box<dyn PageIterator>> {
        let pages = Pages::of(self.file, self.length, self.group().column(column));
        let pages = pages.map_err(|Broken| ParquetError::General("a damaged column".to_owned()))?;
        Ok(Box::new(OnlyPages(Some(pages))))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.group()))
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.metadata
    }
}

/// What a column of a row group takes.
#[derive(Default)]
struct Column {
    /// Its largest dictionary.
    dictionary: u64,
    /// The rows of each page, and its bytes.
    pages: Vec<(u64, u64)>,
    /// What a row takes beside its page.
    each: u64,
}

impl Column {
    /// What it takes while so many rows are held at once: the most of any such batch.
    fn bytes(&self, rows: u64) -> u64 {
        let (mut most, mut held, mut batch, mut begin) = (0_u64, 0_u64, 0, 0_u64);
        for &(of_page, bytes) in &self.pages {
            let first = begin / rows;
            held = if first > batch { bytes } else { held.saturating_add(bytes) };
            most = most.max(held);
            begin = begin.saturating_add(of_page);
            batch = first.max(begin.saturating_sub(1) / rows);
            if batch > first {
                held = bytes;
            }
        }
        self.dictionary.saturating_add(most).saturating_add(rows.saturating_mul(self.each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_holds_all_pages_that_it_touches() {
        let of = |pages: &[(u64, u64)], rows| Column { dictionary: 0, pages: pages.to_vec(), each: 0 }.bytes(rows);
        let even = [(10, 1), (10, 2), (10, 4), (10, 8)];
        assert_eq!([of(&even, 10), of(&even, 20), of(&even, 30), of(&even, 40), of(&even, 5)], [8, 12, 8, 15, 8]);
        assert_eq!(of(&even, 15), 8, "rows 15 to 29 are in the second and the third, 30 to 39 in the last");
        assert_eq!(of(&even, 25), 12, "25 to 39 are in the third and the last");
        assert_eq!(of(&[(100, 7)], 10), 7);
        assert_eq!(of(&[(0, 5), (0, 5), (3, 1), (0, 5)], 1), 11, "pages without rows are read with what comes next");
        let column = Column { dictionary: 100, pages: vec![(10, 1)], each: 3 };
        assert_eq!(column.bytes(4), 100 + 1 + 12);
    }

    /// The same, batch by batch.
    #[test]
    fn the_most_is_that_of_a_naive_count() {
        let mut seed = 7_u64;
        let mut next = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..2000 {
            let pages: Vec<(u64, u64)> = (0..=next(6)).map(|_| (1 + next(7), next(50))).collect();
            let rows = 1 + next(9);
            let all: u64 = pages.iter().map(|page| page.0).sum();
            let held = |batch: u64| -> u64 {
                let (from, to) = (batch * rows, (batch + 1) * rows);
                let mut begin = 0;
                let touches = |&(of_page, bytes): &(u64, u64)| {
                    begin += of_page;
                    if begin > from && begin - of_page < to { bytes } else { 0 }
                };
                pages.iter().map(touches).sum()
            };
            let naive = (0..all.div_ceil(rows)).map(held).max().unwrap_or(0);
            assert_eq!(Column { dictionary: 0, pages: pages.clone(), each: 0 }.bytes(rows), naive, "{pages:?} {rows}");
        }
    }
}
