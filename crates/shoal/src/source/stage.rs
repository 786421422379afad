//! How do the rows of a file become those of its release?

use std::fs::File;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use arrow_schema::DataType;

use super::count::Columns;
use super::{recode_columns, recode_lines};
use crate::policy::{Policy, Role, Suppressed};
use crate::publish::folder_of;
use shoal_core::recode::{Dealer, Dealing, Dealt, Place, Places, Pseudonyms, Recoding, RowOrder};
use shoal_core::table::{Dictionary, MissingMarkers, TextCodes};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::{self as format, Dialect, OutputColumn, TableReader, TableWriter, Turn};

/// What staging needs to know.
pub(super) struct Staging<'a> {
    pub(super) policy: &'a Policy,
    pub(super) recoding: &'a Recoding<'a>,
    pub(super) input: &'a Path,
    pub(super) columns: &'a Columns,
    pub(super) dictionaries: &'a [Dictionary],
    pub(super) dialect: &'a Dialect,
}

/// What is known once all rows are written.
pub(super) struct Written {
    pub(super) seconds: f64,
    /// For each column of the table, does it have numbers or truth values that JSON writes without quotes? Empty where
    /// that does not matter.
    pub(super) bare: Vec<bool>,
}

/// Writes the release of what `reader` reads into `file`, which will be named `output`.
pub(super) fn stage(
    reader: &mut dyn TableReader,
    staging: &Staging<'_>,
    output: &Path,
    file: File,
    watch: &dyn Watch,
) -> Result<Written> {
    staging.refuse_bare_identifiers()?;
    let markers = MissingMarkers::new(staging.policy.input.missing.clone());
    let begin = Instant::now();
    let writer = format::create(output, file, &staging.output_columns(reader), staging.dialect, markers.first())?;
    let mut writing = begin.elapsed();
    let encoder = RowEncoder::new(staging, markers);
    watch.begin("recoding", None);
    let (time, bare) = match writer.lines() {
        Some(lines) => (recode_lines::run(reader, staging, &encoder, writer, &lines, output, watch)?, Vec::new()),
        None => recode_columns::run(reader, staging, &encoder, writer, output, watch)?,
    };
    writing += time;
    Ok(Written { seconds: writing.as_secs_f64(), bare })
}

/// A column that shows something else than the table.
#[derive(Debug, Clone, Copy)]
pub(super) enum Generalized {
    /// A quasi-identifier: its class decides.
    Quasi(usize),
    /// A sensitive column: the tuple that its place shows decides.
    Sensitive(usize),
}

/// The table is not the one that was counted.
pub(super) fn changed(input: &Path) -> Error {
    Error::changed(format!(
        "{}: the table changed while it was being anonymized; nothing was published",
        input.display()
    ))
    .hint("run it again on a copy that nobody writes to")
}

impl Staging<'_> {
    /// Are suppressed rows written, so that every column has `*` in it?
    pub(super) fn shows_suppressed(&self) -> bool {
        self.policy.output.suppressed == Suppressed::Keep && self.recoding.suppressed() > 0
    }

    /// What puts the rows of a release that will be named `output` into an order that tells nothing, unless they are to stay in
    /// that of the table.
    pub(super) fn row_order(&self, output: &Path) -> Option<RowOrder> {
        let policy = &self.policy.output;
        policy.shuffle.then(|| RowOrder::new(policy.seed, &folder_of(output)))
    }

    /// In which order rows come to be dealt their places.
    fn dealing(&self) -> Dealing {
        match self.columns.released.iter().all(|index| self.columns.counted.contains(index)) {
            _ if !self.policy.output.shuffle => Dealing::InOrder,
            true => Dealing::AsTheyCome,
            false => Dealing::ByWhatTheyShow,
        }
    }

    /// Where what a table column shows comes from, if not from the table itself.
    pub(super) fn generalized(&self, index: usize) -> Option<Generalized> {
        let place = self.columns.counted.iter().position(|&counted| counted == index)?;
        match place.checked_sub(self.columns.quasi) {
            None => (!self.recoding.is_untouched(place)).then_some(Generalized::Quasi(place)),
            Some(column) => self.recoding.is_sensitive_generalized(column).then_some(Generalized::Sensitive(column)),
        }
    }

    /// What stands in place of the values of a table column, if it is an identifier that is not dropped.
    pub(super) fn pseudonyms(&self, index: usize) -> Option<&Pseudonyms> {
        self.recoding.pseudonyms(&self.columns.names[index])
    }

    /// An identifier is released under another name or not at all, whoever asks for it.
    fn refuse_bare_identifiers(&self) -> Result<()> {
        let is_bare = |index: &&usize| {
            self.policy.role_of(&self.columns.names[**index]) == Some(Role::Identifier)
                && self.pseudonyms(**index).is_none()
        };
        match self.columns.released.iter().find(is_bare) {
            None => Ok(()),
            Some(&index) => Err(Error::bug(format!("identifier `{}` has no pseudonyms", self.columns.names[index]))
                .hint("this is a bug in Shoal, not in your data: please report it with the policy")),
        }
    }

    fn output_columns(&self, reader: &dyn TableReader) -> Vec<OutputColumn> {
        let column = |&index: &usize| {
            let is_recoded = self.generalized(index).is_some() || self.pseudonyms(index).is_some();
            let becomes_text = self.shows_suppressed() || is_recoded;
            OutputColumn {
                name: reader.columns()[index].clone(),
                data_type: if becomes_text { None } else { reader.data_type(index) },
            }
        };
        let class = self.columns.class_column.iter().map(|name| OutputColumn {
            name: name.clone(),
            data_type: (!self.shows_suppressed()).then_some(DataType::UInt32),
        });
        self.columns.released.iter().map(column).chain(class).collect()
    }
}

/// Finds the codes of rows and the places they go to; all threads share it.
pub(super) struct RowEncoder<'a> {
    pub(super) markers: MissingMarkers,
    input: &'a Path,
    dictionaries: &'a [Dictionary],
    codes: Vec<TextCodes>,
    way: Way<'a>,
}

/// How rows find their places.
enum Way<'a> {
    /// Equal rows go to the same place, whichever comes first.
    Alike(Places<'a>),
    /// The places of equal rows that have several are handed out one after the other.
    Dealt(Dealer<'a>, Dealing, Mutex<Dealt>),
}

impl<'a> RowEncoder<'a> {
    fn new(staging: &Staging<'a>, markers: MissingMarkers) -> Self {
        let way = match staging.recoding.places() {
            Some(places) => Way::Alike(places),
            None => Way::Dealt(staging.recoding.dealer(), staging.dealing(), Mutex::default()),
        };
        let codes = staging.dictionaries.iter().map(Dictionary::text_codes).collect();
        Self { markers, input: staging.input, dictionaries: staging.dictionaries, codes, way }
    }

    /// May rows have several places to go to?
    pub(super) fn deals(&self) -> bool {
        matches!(self.way, Way::Dealt(..))
    }

    /// Do such rows wait until all have come?
    pub(super) fn waits_for_all(&self) -> bool {
        matches!(self.way, Way::Dealt(_, Dealing::ByWhatTheyShow, _))
    }

    /// The codes of the rows with a tuple that waits.
    pub(super) fn codes_of(&self, tuple: u32) -> Result<&[u32]> {
        match &self.way {
            Way::Dealt(dealer, ..) => Ok(dealer.codes(tuple)),
            Way::Alike(_) => Err(changed(self.input)),
        }
    }

    /// The code of a cell of a counted column.
    #[inline]
    pub(super) fn code(&self, column: usize, cell: Option<&str>) -> Result<u32> {
        let dictionary = &self.dictionaries[column];
        let code = match cell.filter(|text| !self.markers.contain(text)) {
            Some(text) => self.codes[column].get(text, |code| dictionary.value(code)),
            None => dictionary.missing(),
        };
        code.ok_or_else(|| changed(self.input))
    }

    /// Where a row goes, or that it waits; `key` is memory to work in.
    #[inline]
    pub(super) fn place(&self, tuple: &[u32], key: &mut Vec<u64>) -> Result<Place> {
        let place = match &self.way {
            Way::Alike(places) => places.place(tuple, key),
            Way::Dealt(dealer, ..) => dealer.find(tuple),
        };
        if place == Place::Nowhere { Err(changed(self.input)) } else { Ok(place) }
    }

    /// Gives the rows of a block of the table their places, if they need not wait for those of others.
    pub(super) fn deal_block<'p>(&self, turn: &Turn<'_>, places: impl Iterator<Item = &'p mut Place>) -> Result<()> {
        match &self.way {
            Way::Alike(_) | Way::Dealt(_, Dealing::ByWhatTheyShow, _) => Ok(()),
            Way::Dealt(_, Dealing::AsTheyCome, _) => self.deal(places),
            Way::Dealt(_, Dealing::InOrder, _) => turn.take_early(|| self.deal(places)),
        }
    }

    /// Gives rows that wait their places, one after the other.
    pub(super) fn deal<'p>(&self, places: impl Iterator<Item = &'p mut Place>) -> Result<()> {
        let Way::Dealt(dealer, _, dealt) = &self.way else { return Ok(()) };
        let mut dealt = dealt.lock().unwrap_or_else(PoisonError::into_inner);
        for place in places {
            if let Place::Waiting { tuple } = *place {
                *place = dealer.deal(tuple, &mut dealt);
                if *place == Place::Nowhere {
                    return Err(changed(self.input));
                }
            }
        }
        Ok(())
    }
}

/// A writer that several threads share, and how long it has been written to.
pub(super) struct SharedWriter {
    writer: Box<dyn TableWriter>,
    writing: Duration,
}

impl SharedWriter {
    pub(super) fn new(writer: Box<dyn TableWriter>) -> Self {
        Self { writer, writing: Duration::ZERO }
    }

    pub(super) fn write(&mut self, write: impl FnOnce(&mut dyn TableWriter) -> Result<()>) -> Result<()> {
        let begin = Instant::now();
        write(self.writer.as_mut())?;
        self.writing += begin.elapsed();
        Ok(())
    }

    /// Ends the file. While one thread wrote, `threads - 1` others did not: the time is shared among them.
    pub(super) fn finish(self, threads: usize) -> Result<Duration> {
        let begin = Instant::now();
        self.writer.finish()?;
        Ok(self.writing / u32::try_from(threads.max(1)).unwrap_or(u32::MAX) + begin.elapsed())
    }
}
