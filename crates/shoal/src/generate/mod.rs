//! Which made-up tables can be had to try things on, and how are they written?
//!
//! A generator draws one row at a time from one stream of random numbers, so memory is constant and the
//! first rows are the same however many are asked for. All arithmetic is in integers: the same seed gives
//! the same bytes on every platform.

mod calendar;
mod census;
mod draws;
mod lines;
mod sales;
mod shares;
mod visits;

use std::io::{ErrorKind, Write};

use draws::Draws;
use lines::Lines;
use shoal_core::error::{Error, Result, nearest};

/// A kind of made-up table.
pub struct Generator {
    /// What it is asked for by.
    pub name: &'static str,
    /// What its rows are, in one line.
    pub description: &'static str,
    columns: &'static [&'static str],
    rows: fn() -> Box<dyn Rows>,
}

/// Writes one row after the other; what it must remember from one to the next is little.
trait Rows {
    fn write_row(&mut self, draws: &mut Draws, lines: &mut Lines);
}

/// Rows that have nothing to do with each other.
impl Rows for fn(&mut Draws, &mut Lines) {
    fn write_row(&mut self, draws: &mut Draws, lines: &mut Lines) {
        self(draws, lines);
    }
}

/// A new kind of table is a file of its own and a line here.
const GENERATORS: &[Generator] = &[census::GENERATOR, sales::GENERATOR, visits::GENERATOR];

/// Enough to make calls to the operating system rare, little enough to stay in the cache.
const CHUNK: usize = 1 << 16;

/// Every generator there is.
pub fn names() -> &'static [Generator] {
    GENERATORS
}

/// The columns of the table called `name`.
pub fn columns(name: &str) -> Result<&'static [&'static str]> {
    GENERATORS.iter().find(|known| known.name == name).map(|known| known.columns).ok_or_else(|| unknown(name))
}

/// Writes a header and `rows` rows of the table called `name`, the same for the same seed.
///
/// A reader that closes the pipe, as `head` does, has what it wanted: that is no error.
pub fn write_csv(name: &str, rows: u64, seed: u64, out: &mut dyn Write) -> Result<()> {
    let generator = GENERATORS.iter().find(|known| known.name == name).ok_or_else(|| unknown(name))?;
    match write_rows(generator, rows, seed, out) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Error::place(format!("cannot write the made-up table: {error}")))
        }
        _ => Ok(()),
    }
}

fn write_rows(generator: &Generator, rows: u64, seed: u64, out: &mut dyn Write) -> std::io::Result<()> {
    let mut draws = Draws::new(seed);
    let mut lines = Lines::with_capacity(CHUNK + CHUNK / 8);
    generator.columns.iter().for_each(|column| lines.text(column));
    lines.end_row();
    let mut each = (generator.rows)();
    for _ in 0..rows {
        each.write_row(&mut draws, &mut lines);
        if lines.bytes().len() >= CHUNK {
            out.write_all(lines.bytes())?;
            lines.clear();
        }
    }
    out.write_all(lines.bytes())?;
    out.flush()
}

fn unknown(name: &str) -> Error {
    let known = || GENERATORS.iter().map(|generator| generator.name);
    let error = Error::policy(format!("there is no generator called `{name}`"));
    match nearest(name, known()) {
        Some(meant) => error.hint(format!("did you mean `{meant}`?")),
        None => error.hint(format!("there is: {}", known().collect::<Vec<_>>().join(", "))),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    struct ClosedPipe(ErrorKind);

    impl Write for ClosedPipe {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn csv(name: &str, rows: u64, seed: u64) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_csv(name, rows, seed, &mut bytes).unwrap();
        bytes
    }

    #[test]
    fn the_seed_decides_everything() {
        for generator in names() {
            assert_eq!(csv(generator.name, 1_000, 7), csv(generator.name, 1_000, 7));
            assert_ne!(csv(generator.name, 1_000, 7), csv(generator.name, 1_000, 8));
        }
    }

    #[test]
    fn the_first_rows_do_not_depend_on_how_many_follow() {
        for generator in names() {
            let long = csv(generator.name, 3_000, 1);
            for rows in [0, 1, 17, 1_000] {
                assert!(long.starts_with(&csv(generator.name, rows, 1)), "{rows} rows of {}", generator.name);
            }
        }
    }

    #[test]
    fn every_table_is_sound_csv() {
        for generator in names() {
            let bytes = csv(generator.name, 2_000, 3);
            let mut reader = csv::Reader::from_reader(bytes.as_slice());
            assert_eq!(reader.headers().unwrap().iter().collect::<Vec<_>>(), generator.columns);
            assert_eq!(reader.records().map(|record| record.unwrap().len()).collect::<Vec<_>>().len(), 2_000);
            assert!(!bytes.contains(&b'"'), "cells are written unquoted");
        }
    }

    #[test]
    fn a_misspelt_name_gets_a_hint() {
        let error = write_csv("sensus", 1, 1, &mut Vec::new()).unwrap_err();
        assert_eq!(error.hint_text(), Some("did you mean `census`?"));
        let error = write_csv("weather", 1, 1, &mut Vec::new()).unwrap_err();
        assert_eq!(error.hint_text(), Some("there is: census, sales, visits"));
    }

    #[test]
    fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
        assert!(write_csv("census", 1, 1, &mut ClosedPipe(ErrorKind::BrokenPipe)).is_ok());
        assert!(write_csv("census", 1, 1, &mut ClosedPipe(ErrorKind::StorageFull)).is_err());
    }
}
