//! Which codes does a row have, and where does it go?

use std::sync::{Arc, Mutex, PoisonError};

use shoal_core::recode::{Dealer, Dealing, Dealt, Place, Places, Recoding};
use shoal_core::table::{Dictionary, MissingMarkers, TextCodes};
use shoal_core::{Error, Result};
use shoal_format::Turn;

/// The table is not the one that was counted.
pub(super) fn changed(table: &str) -> Error {
    Error::changed(format!("{table}: the table changed while it was being anonymized; nothing was published"))
        .hint("run it again on a copy that nobody writes to")
}

/// Finds the codes of rows and the places they go to; all threads share it.
pub(super) struct RowEncoder<'a> {
    pub(super) markers: MissingMarkers,
    /// What the table is called.
    table: &'a str,
    dictionaries: &'a [Arc<Dictionary>],
    codes: Vec<TextCodes>,
    /// How many of the codes of a row its place depends on.
    width: usize,
    finding: Finding<'a>,
}

/// How rows find their places.
enum Finding<'a> {
    /// Equal rows go to the same place, whichever comes first.
    Alike(Places<'a>),
    /// The places of equal rows that have several are handed out one after the other.
    Dealt(Dealer<'a>, Dealing, Mutex<Dealt>),
}

impl<'a> RowEncoder<'a> {
    pub(super) fn new(recoding: &Recoding<'a>, markers: MissingMarkers, table: &'a str) -> Self {
        let finding = match recoding.places() {
            Some(places) => Finding::Alike(places),
            None => Finding::Dealt(recoding.dealer(), recoding.dealing(), Mutex::default()),
        };
        let dictionaries = recoding.dictionaries();
        let codes = dictionaries.iter().map(|dictionary| dictionary.text_codes()).collect();
        Self { markers, table, dictionaries, codes, width: recoding.tuple_width(), finding }
    }

    /// May rows have several places to go to?
    pub(super) fn deals(&self) -> bool {
        matches!(self.finding, Finding::Dealt(..))
    }

    /// Do such rows wait until all have come?
    pub(super) fn waits_for_all(&self) -> bool {
        matches!(self.finding, Finding::Dealt(_, Dealing::ByWhatTheyShow, _))
    }

    /// The codes of the rows with a tuple that waits.
    pub(super) fn codes_of(&self, tuple: u32) -> Result<&[u32]> {
        match &self.finding {
            Finding::Dealt(dealer, ..) => Ok(dealer.codes(tuple)),
            Finding::Alike(_) => Err(changed(self.table)),
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
        code.ok_or_else(|| changed(self.table))
    }

    /// Those codes of a row that were counted. Who it is about is none of them where everybody has one row.
    #[inline]
    pub(super) fn counted<'t>(&self, tuple: &'t [u32]) -> &'t [u32] {
        &tuple[..self.width]
    }

    /// Where a row goes, or that it waits; `key` is memory to work in.
    #[inline]
    pub(super) fn place(&self, tuple: &[u32], key: &mut Vec<u64>) -> Result<Place> {
        let tuple = self.counted(tuple);
        let place = match &self.finding {
            Finding::Alike(places) => places.place(tuple, key),
            Finding::Dealt(dealer, ..) => dealer.find(tuple),
        };
        if place == Place::Nowhere { Err(changed(self.table)) } else { Ok(place) }
    }

    /// Gives the rows of a block of the table their places, if they need not wait for those of others.
    pub(super) fn deal_block<'p>(&self, turn: &Turn<'_>, places: impl Iterator<Item = &'p mut Place>) -> Result<()> {
        match &self.finding {
            Finding::Alike(_) | Finding::Dealt(_, Dealing::ByWhatTheyShow, _) => Ok(()),
            Finding::Dealt(_, Dealing::AsTheyCome, _) => self.deal(places),
            Finding::Dealt(_, Dealing::InOrder, _) => turn.take_early(|| self.deal(places)),
        }
    }

    /// Gives rows that wait their places, one after the other.
    pub(super) fn deal<'p>(&self, places: impl Iterator<Item = &'p mut Place>) -> Result<()> {
        let Finding::Dealt(dealer, _, dealt) = &self.finding else { return Ok(()) };
        let mut dealt = dealt.lock().unwrap_or_else(PoisonError::into_inner);
        for place in places {
            if let Place::Waiting { tuple } = *place {
                *place = dealer.deal(tuple, &mut dealt);
                if *place == Place::Nowhere {
                    return Err(changed(self.table));
                }
            }
        }
        Ok(())
    }
}
