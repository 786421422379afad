//! How are the pages of a column read, none of which takes more than it said before?

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;

use ::parquet::basic::{Compression, Encoding};
use ::parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result as ParquetResult};
use ::parquet::file::metadata::ColumnChunkMetaData;

use super::delta;
use super::page_header::{PageHeader, PageKind};
use super::thrift::{Broken, Result};
use super::unpack::unpack;

/// Most headers of pages are shorter than this.
const HEADER: usize = 1 << 9;

/// The pages of one column of a row group, in their order.
pub(super) struct Pages {
    file: Arc<File>,
    codec: Compression,
    /// Can a row have no value?
    has_levels: bool,
    /// Where the next page begins, and where all end.
    at: u64,
    end: u64,
}

impl Pages {
    /// The pages of a column in a file of this length.
    pub(super) fn of(file: &Arc<File>, length: u64, column: &ColumnChunkMetaData) -> Result<Self> {
        let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
        let at = u64::try_from(start).map_err(|_| Broken)?;
        let size = u64::try_from(column.compressed_size()).map_err(|_| Broken)?;
        let end = at.checked_add(size).filter(|&end| end <= length).ok_or(Broken)?;
        let has_levels = column.column_descr().max_def_level() > 0;
        Ok(Self { file: file.clone(), codec: column.compression(), has_levels, at, end })
    }

    /// The header of the next page that is of use, and where its bytes begin.
    fn header(&mut self) -> Result<Option<(PageHeader, u64)>> {
        while self.at < self.end {
            let mut file = &*self.file;
            file.seek(SeekFrom::Start(self.at))?;
            let (header, length) = PageHeader::read(BufReader::with_capacity(HEADER, file.take(self.end - self.at)))?;
            let body = self.at + length;
            let next = body + u64::from(header.packed);
            if next > self.end {
                return Err(Broken);
            }
            if header.kind != PageKind::Other {
                return Ok(Some((header, body)));
            }
            self.at = next;
        }
        Ok(None)
    }

    /// The header of the next page, which is passed over.
    pub(super) fn next_header(&mut self) -> Result<Option<PageHeader>> {
        let Some((header, body)) = self.header()? else { return Ok(None) };
        self.at = body + u64::from(header.packed);
        Ok(Some(header))
    }

    fn next_page(&mut self) -> Result<Option<Page>> {
        let Some((header, body)) = self.header()? else { return Ok(None) };
        self.at = body + u64::from(header.packed);
        let mut file = &*self.file;
        file.seek(SeekFrom::Start(body))?;
        let mut packed = vec![0; header.packed as usize];
        file.read_exact(&mut packed)?;
        self.page(&header, packed).map(Some)
    }

    fn page(&self, header: &PageHeader, packed: Vec<u8>) -> Result<Page> {
        let length = header.unpacked as usize;
        let (levels, is_packed) = match header.kind {
            PageKind::DataV2 { levels, is_packed, .. } => (levels as usize, is_packed),
            _ => (0, true),
        };
        let bytes = match is_packed && self.codec != Compression::UNCOMPRESSED {
            false => packed,
            true => {
                let (levels, values) = packed.split_at_checked(levels).ok_or(Broken)?;
                let rest = length.checked_sub(levels.len()).ok_or(Broken)?;
                let mut bytes = levels.to_vec();
                unpack(self.codec, values, rest, &mut bytes)?;
                bytes
            }
        };
        if bytes.len() != length {
            return Err(Broken);
        }
        self.check(header, &bytes)?;
        Ok(match header.kind {
            PageKind::Dictionary { values, encoding } => {
                Page::DictionaryPage { buf: bytes.into(), num_values: values, encoding, is_sorted: false }
            }
            PageKind::Data { values, encoding, levels } => Page::DataPage {
                buf: bytes.into(),
                num_values: values,
                encoding,
                def_level_encoding: levels,
                rep_level_encoding: Encoding::RLE,
                statistics: None,
            },
            PageKind::DataV2 { values, nulls, rows, encoding, levels, is_packed } => Page::DataPageV2 {
                buf: bytes.into(),
                num_values: values,
                encoding,
                num_nulls: nulls,
                num_rows: rows,
                def_levels_byte_len: levels,
                rep_levels_byte_len: 0,
                is_compressed: is_packed,
                statistics: None,
            },
            PageKind::Other => return Err(Broken),
        })
    }

    /// Compares what a page says of itself with its bytes, where the library would believe it.
    fn check(&self, header: &PageHeader, bytes: &[u8]) -> Result<()> {
        let values = match header.kind {
            // Every entry of a dictionary takes a byte at least.
            PageKind::Dictionary { values, .. } if values > header.unpacked => return Err(Broken),
            PageKind::Dictionary { .. } | PageKind::Other => return Ok(()),
            PageKind::DataV2 { levels, .. } => bytes.get(levels as usize..).ok_or(Broken)?,
            PageKind::Data { levels: Encoding::RLE, .. } if self.has_levels => {
                let length = bytes.first_chunk::<4>().ok_or(Broken)?;
                bytes[4..].get(u32::from_le_bytes(*length) as usize..).ok_or(Broken)?
            }
            // One bit for each.
            PageKind::Data { values, .. } if self.has_levels => {
                bytes.get(values.div_ceil(8) as usize..).ok_or(Broken)?
            }
            PageKind::Data { .. } => bytes,
        };
        let rows = u32::try_from(header.rows()).map_err(|_| Broken)?;
        header.encoding().map_or(Ok(()), |encoding| delta::check(encoding, values, rows))
    }
}

/// What the library is told is of no use to anybody: see `damaged` in `reader`.
fn told<T>(result: Result<T>) -> ParquetResult<T> {
    result.map_err(|Broken| ParquetError::General("a damaged page".to_owned()))
}

impl Iterator for Pages {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        told(self.next_page())
    }

    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        Ok(told(self.header())?.map(|(header, _)| PageMetadata {
            num_rows: None,
            num_levels: Some(header.rows() as usize),
            is_dict: matches!(header.kind, PageKind::Dictionary { .. }),
        }))
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        told(self.next_header()).map(drop)
    }
}

/// The pages of the only row group that is read at a time.
pub(super) struct OnlyPages(pub(super) Option<Pages>);

impl Iterator for OnlyPages {
    type Item = ParquetResult<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.take().map(|pages| Ok(Box::new(pages) as Box<dyn PageReader>))
    }
}

impl PageIterator for OnlyPages {}
