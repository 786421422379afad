//! How many values does a page say that it has, where their lengths are written as differences?
//!
//! The library makes room for as many lengths as such a page claims: a difference of nothing takes no bits, so that a few bytes
//! could be billions of them.

use ::parquet::basic::Encoding;

use super::thrift::{Broken, Result};

/// Refuses lengths of more values than a page has.
pub(super) fn check(encoding: Encoding, page: &[u8], values: u32) -> Result<()> {
    match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => lengths(page, values).map(drop),
        // The lengths of what is the same as in the value before, then those of what follows.
        Encoding::DELTA_BYTE_ARRAY => lengths(page, values).and_then(|rest| lengths(rest, values)).map(drop),
        _ => Ok(()),
    }
}

/// Passes over a list of lengths; what follows it.
fn lengths(bytes: &[u8], values: u32) -> Result<&[u8]> {
    let mut bytes = Bits(bytes);
    let (block, parts, count) = (bytes.unsigned()?, bytes.unsigned()?, bytes.unsigned()?);
    bytes.unsigned()?;
    let is_whole = parts > 0 && block > 0 && block % 128 == 0 && block % parts == 0 && block / parts % 32 == 0;
    if !is_whole || count > u64::from(values) || block > 1 << 24 {
        return Err(Broken);
    }
    // The first value stands in the header.
    let mut left = count.saturating_sub(1);
    while left > 0 {
        bytes.unsigned()?;
        let widths = bytes.take(parts)?;
        for &width in widths {
            if left > 0 {
                bytes.take(u64::from(width) * (block / parts) / 8)?;
            }
            left = left.saturating_sub(block / parts);
        }
    }
    Ok(bytes.0)
}

struct Bits<'a>(&'a [u8]);

impl<'a> Bits<'a> {
    fn unsigned(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Broken)
    }

    fn take(&mut self, length: u64) -> Result<&'a [u8]> {
        let length = usize::try_from(length).map_err(|_| Broken)?;
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Broken)?;
        self.0 = rest;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 130 lengths of nothing: two blocks, each of four parts of no bits.
    const NOTHING: [u8; 16] = [0x80, 1, 4, 0x82, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];

    #[test]
    fn no_page_has_more_lengths_than_values() {
        let check = |bytes: &[u8], values| check(Encoding::DELTA_LENGTH_BYTE_ARRAY, bytes, values);
        assert_eq!(check(&NOTHING, 130), Ok(()));
        assert_eq!(check(&NOTHING, 129), Err(Broken));
        let claimed = [&[0x80, 1, 4, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0][..], &[0; 40]].concat();
        assert_eq!(check(&claimed, u32::MAX), Err(Broken));
    }

    #[test]
    fn both_lists_are_looked_at() {
        let check = |bytes: &[u8], values| check(Encoding::DELTA_BYTE_ARRAY, bytes, values);
        assert_eq!(check(&[NOTHING, NOTHING].concat(), 130), Ok(()));
        assert_eq!(check(&[&NOTHING[..], &[0x80, 1, 4, 0x83, 1, 0]].concat(), 130), Err(Broken));
        assert_eq!(check(&NOTHING, 130), Err(Broken));
    }
}
