//! What does a page of a Parquet file say about itself?

use std::io::Read;

use ::parquet::basic::Encoding;

use super::thrift::{Broken, Compact, FALSE, I32, Result, STRUCT, TRUE};

/// What stands before the bytes of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PageHeader {
    pub kind: PageKind,
    /// How many bytes follow, and how many they unpack to.
    pub packed: u32,
    pub unpacked: u32,
}

/// What is in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PageKind {
    Dictionary {
        values: u32,
        encoding: Encoding,
    },
    Data {
        values: u32,
        encoding: Encoding,
        levels: Encoding,
    },
    /// Definition levels stand first, and are not packed.
    DataV2 {
        values: u32,
        nulls: u32,
        rows: u32,
        encoding: Encoding,
        levels: u32,
        is_packed: bool,
    },
    /// Indexes, which are passed over.
    Other,
}

const DATA: i32 = 0;
const INDEX: i32 = 1;
const DICTIONARY: i32 = 2;
const DATA_V2: i32 = 3;

impl PageHeader {
    /// Reads a header; how long it is, too.
    pub(super) fn read(bytes: impl Read) -> Result<(Self, u64)> {
        let mut header = Compact::new(bytes);
        let (mut numbers, mut inner) = ([None; 4], [None; 4]);
        header.each_field(|header, id, kind| match (id, kind) {
            (1..=3, I32) => {
                numbers[id as usize] = Some(header.number()?);
                Ok(())
            }
            (5, STRUCT) => put(&mut inner[0], Inner::read(header)?),
            (7, STRUCT) => put(&mut inner[2], Inner::read(header)?),
            (8, STRUCT) => put(&mut inner[3], Inner::read(header)?),
            (1..=3 | 5 | 7 | 8, _) => Err(Broken),
            _ => header.skip(kind),
        })?;
        let [_, Some(kind), Some(unpacked), Some(packed)] = numbers else { return Err(Broken) };
        let kind = match kind {
            INDEX => PageKind::Other,
            DATA | DICTIONARY | DATA_V2 => inner[kind as usize].ok_or(Broken)?.kind(kind)?,
            _ => return Err(Broken),
        };
        let size = |number: i32| u32::try_from(number).map_err(|_| Broken);
        Ok((Self { kind, packed: size(packed)?, unpacked: size(unpacked)? }, header.taken()))
    }

    /// How many rows of a flat column it holds.
    pub(super) fn rows(&self) -> u64 {
        match self.kind {
            PageKind::Data { values, .. } | PageKind::DataV2 { values, .. } => values.into(),
            PageKind::Dictionary { .. } | PageKind::Other => 0,
        }
    }

    /// How its values are written, if it has rows.
    pub(super) fn encoding(&self) -> Option<Encoding> {
        match self.kind {
            PageKind::Data { encoding, .. } | PageKind::DataV2 { encoding, .. } => Some(encoding),
            PageKind::Dictionary { .. } | PageKind::Other => None,
        }
    }
}

fn put<T>(place: &mut Option<T>, value: T) -> Result<()> {
    *place = Some(value);
    Ok(())
}

/// The fields of a header of one kind: all that are needed are numbers, and one truth value.
#[derive(Clone, Copy)]
struct Inner {
    numbers: [Option<i32>; 7],
    is_packed: bool,
}

impl Inner {
    fn read<R: Read>(header: &mut Compact<R>) -> Result<Self> {
        let mut inner = Self { numbers: [None; 7], is_packed: true };
        header.each_field(|header, id, kind| match (id, kind) {
            (1..=6, I32) => put(&mut inner.numbers[id as usize], header.number()?),
            (7, TRUE | FALSE) => {
                inner.is_packed = kind == TRUE;
                Ok(())
            }
            _ => header.skip(kind),
        })?;
        Ok(inner)
    }

    fn kind(&self, kind: i32) -> Result<PageKind> {
        let count = |id: usize| self.numbers[id].and_then(|number| u32::try_from(number).ok()).ok_or(Broken);
        let encoding = |id: usize| self.numbers[id].and_then(encoding_of).ok_or(Broken);
        Ok(match kind {
            DICTIONARY => PageKind::Dictionary { values: count(1)?, encoding: encoding(2)? },
            DATA => PageKind::Data { values: count(1)?, encoding: encoding(2)?, levels: encoding(3)? },
            _ if count(6)? > 0 => return Err(Broken),
            _ => PageKind::DataV2 {
                values: count(1)?,
                nulls: count(2)?,
                rows: count(3)?,
                encoding: encoding(4)?,
                levels: count(5)?,
                is_packed: self.is_packed,
            },
        })
    }
}

fn encoding_of(number: i32) -> Option<Encoding> {
    Some(match number {
        0 => Encoding::PLAIN,
        2 => Encoding::PLAIN_DICTIONARY,
        3 => Encoding::RLE,
        #[expect(deprecated, reason = "old files have it")]
        4 => Encoding::BIT_PACKED,
        5 => Encoding::DELTA_BINARY_PACKED,
        6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
        7 => Encoding::DELTA_BYTE_ARRAY,
        8 => Encoding::RLE_DICTIONARY,
        9 => Encoding::BYTE_STREAM_SPLIT,
        _ => return None,
    })
}
