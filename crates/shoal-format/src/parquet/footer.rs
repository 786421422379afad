//! What does the end of a Parquet file say about the rest of it, and is that believable?
//!
//! The library makes room for as many parts of the schema as the file claims, and goes as deep as they are nested. So the claims are
//! compared with what is there before it sees them.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use ::parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::thrift::{Broken, Compact, I32, LIST, Result, STRUCT};

/// What the end of a file may take.
const LONGEST: u64 = 1 << 28;
/// The deepest schema; tables have a depth of two.
const DEEPEST: usize = 64;
const MAGIC: &[u8] = b"PAR1";

/// Reads the metadata of a file.
pub(super) fn read(mut file: &File) -> Result<ParquetMetaData> {
    let end = file.seek(SeekFrom::End(0))?.checked_sub(8).ok_or(Broken)?;
    file.seek(SeekFrom::Start(end))?;
    let mut tail = [0; 8];
    file.read_exact(&mut tail)?;
    let (length, magic) = tail.split_at(4);
    let length = u64::from(u32::from_le_bytes(length.try_into().map_err(|_| Broken)?));
    if magic != MAGIC || length > end.min(LONGEST) {
        return Err(Broken);
    }
    file.seek(SeekFrom::Start(end - length))?;
    let mut bytes = vec![0; usize::try_from(length).map_err(|_| Broken)?];
    file.read_exact(&mut bytes)?;
    check(&bytes)?;
    ParquetMetaDataReader::decode_metadata(&bytes).map_err(|_| Broken)
}

/// Goes through all of it, so that every list is as long as it says.
fn check(bytes: &[u8]) -> Result<()> {
    const SCHEMA: i16 = 2;
    Compact::new(bytes).each_field(|metadata, id, kind| match (id, kind) {
        (SCHEMA, LIST) => check_schema(metadata),
        (SCHEMA, _) => Err(Broken),
        _ => metadata.skip(kind),
    })
}

/// A schema is a list, in which every element says how many of those that follow are in it.
fn check_schema(schema: &mut Compact<&[u8]>) -> Result<()> {
    const CHILDREN: i16 = 5;
    let (kind, elements) = schema.list()?;
    if kind != STRUCT {
        return Err(Broken);
    }
    // How many elements are missing in each of those that one stands in.
    let mut open: Vec<u64> = vec![1];
    for _ in 0..elements {
        let mut children = 0;
        schema.each_field(|element, id, kind| match (id, kind) {
            (CHILDREN, I32) => {
                children = u64::try_from(element.number()?).map_err(|_| Broken)?;
                Ok(())
            }
            (CHILDREN, _) => Err(Broken),
            _ => element.skip(kind),
        })?;
        *open.last_mut().ok_or(Broken)? -= 1;
        if children > elements || open.len() > DEEPEST {
            return Err(Broken);
        }
        open.push(children);
        while open.last() == Some(&0) {
            open.pop();
        }
    }
    if open.is_empty() { Ok(()) } else { Err(Broken) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metadata with a schema of these elements, by the number of their children.
    fn schema(children: &[u8]) -> Vec<u8> {
        let mut bytes = vec![0x29, 0xfc, children.len() as u8 | 0x80, (children.len() >> 7) as u8];
        for &children in children {
            // Twice the number, for its sign.
            bytes.extend([0x55, 2 * children, 0]);
        }
        bytes.push(0);
        bytes
    }

    #[test]
    fn a_schema_has_the_elements_that_it_claims() {
        assert_eq!(check(&schema(&[2, 0, 0])), Ok(()));
        assert_eq!(check(&schema(&[2, 1, 0, 0])), Ok(()));
        assert_eq!(check(&schema(&[60, 0, 0])), Err(Broken), "more are claimed");
        assert_eq!(check(&schema(&[1, 0, 0])), Err(Broken), "more are there");
        let deep = [vec![1; 60], vec![0]].concat();
        assert_eq!(check(&schema(&deep)), Ok(()));
        let deeper = [vec![1; 10_000], vec![0]].concat();
        assert_eq!(check(&schema(&deeper)), Err(Broken));
        // A claim of all that 31 bits can say.
        let claimed = [0x29, 0x2c, 0x55, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0, 0, 0];
        assert_eq!(check(&claimed), Err(Broken));
    }
}
