//! How is the compact protocol of Thrift read, in which Parquet says what is where?
//!
//! Only as far as sizes are to be known before a library makes room for them. Writers of Parquet give every field by the distance from
//! the one before; the other way is refused here, so that nothing can be read in two ways.

use std::io::{self, Read};

/// The bytes are not what they should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken;

impl From<io::Error> for Broken {
    fn from(_: io::Error) -> Self {
        Self
    }
}

pub(super) type Result<T> = std::result::Result<T, Broken>;

/// What a field is.
pub(super) const TRUE: u8 = 1;
pub(super) const FALSE: u8 = 2;
pub(super) const I32: u8 = 5;
pub(super) const LIST: u8 = 9;
pub(super) const STRUCT: u8 = 12;

/// No metadata of Parquet is nested more deeply.
const DEEPEST: u32 = 32;

/// Bytes in the compact protocol, and how many were taken.
pub(super) struct Compact<R> {
    bytes: R,
    taken: u64,
}

impl<R: Read> Compact<R> {
    pub(super) fn new(bytes: R) -> Self {
        Self { bytes, taken: 0 }
    }

    /// How many bytes were taken so far.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    fn byte(&mut self) -> Result<u8> {
        let mut byte = [0];
        self.bytes.read_exact(&mut byte)?;
        self.taken += 1;
        Ok(byte[0])
    }

    fn unsigned(&mut self) -> Result<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Broken)
    }

    /// A number with a sign, of at most 32 bits.
    pub(super) fn number(&mut self) -> Result<i32> {
        let number = self.unsigned()?;
        i32::try_from((number >> 1) as i64 ^ -((number & 1) as i64)).map_err(|_| Broken)
    }

    /// Hands over every field of a struct: its number and what it is. Whoever takes it reads its value.
    pub(super) fn each_field(&mut self, mut take: impl FnMut(&mut Self, i16, u8) -> Result<()>) -> Result<()> {
        let mut id = 0_i16;
        loop {
            let byte = self.byte()?;
            let (distance, kind) = (byte >> 4, byte & 0xf);
            match (distance, kind) {
                (_, 0) => return Ok(()),
                (0, _) => return Err(Broken),
                _ => {}
            }
            id = id.checked_add(i16::from(distance)).ok_or(Broken)?;
            take(self, id, kind)?;
        }
    }

    /// Begins a list: what its elements are, and how many.
    pub(super) fn list(&mut self) -> Result<(u8, u64)> {
        let byte = self.byte()?;
        let length = if byte >> 4 == 15 { self.unsigned()? } else { u64::from(byte >> 4) };
        Ok((byte & 0xf, length))
    }

    /// Passes over the value of a field.
    pub(super) fn skip(&mut self, kind: u8) -> Result<()> {
        match kind {
            TRUE | FALSE => Ok(()),
            _ => self.skip_value(kind, DEEPEST),
        }
    }

    fn skip_value(&mut self, kind: u8, depth: u32) -> Result<()> {
        let depth = depth.checked_sub(1).ok_or(Broken)?;
        match kind {
            // In a list, a truth value is a byte.
            TRUE | FALSE | 3 => self.byte().map(drop),
            4..=6 => self.unsigned().map(drop),
            7 => self.pass(8),
            8 => {
                let length = self.unsigned()?;
                self.pass(length)
            }
            LIST | 10 => {
                let (kind, length) = self.list()?;
                (0..length).try_for_each(|_| self.skip_value(kind, depth))
            }
            11 => {
                let length = self.unsigned()?;
                let kinds = if length > 0 { self.byte()? } else { 0 };
                (0..length).try_for_each(|_| {
                    self.skip_value(kinds >> 4, depth)?;
                    self.skip_value(kinds & 0xf, depth)
                })
            }
            STRUCT => self.each_field(|this, _, kind| match kind {
                TRUE | FALSE => Ok(()),
                _ => this.skip_value(kind, depth),
            }),
            13 => self.pass(16),
            _ => Err(Broken),
        }
    }

    fn pass(&mut self, length: u64) -> Result<()> {
        let passed = io::copy(&mut self.bytes.by_ref().take(length), &mut io::sink())?;
        self.taken += passed;
        if passed == length { Ok(()) } else { Err(Broken) }
    }
}
