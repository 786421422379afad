//! What would become of each row?

use std::collections::HashMap;
use std::sync::Arc;

use shoal::risk::grouping::Coded;
use shoal::{Candidate, Error, Result};
use shoal_core::frequency::QuasiColumn;

use super::Found;
use crate::sheet::Sheet;
use crate::studio::Studio;
use crate::wire::{ClassesWanted, PairOfRows, PairsOfRows};

/// So many rows are told at once.
const MOST_ROWS: usize = 200;

/// Where a row goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// Into this class.
    Class(u32),
    /// Rows with its quasi-identifiers go to several places, and which is whose is decided when they are written.
    Open,
    /// It is left out.
    LeftOut,
}

/// Rows in the order of their classes; then those whose class is open, and those that are left out.
pub struct InClasses {
    /// Of each row, its number and where it goes.
    rows: Vec<(u32, Fate)>,
    /// How many are open.
    open: u64,
}

/// Rows of the table beside what the release would show of them. Only quasi-identifiers: sensitive values beside them are what nobody must learn.
pub fn pairs(studio: &Studio, wanted: &ClassesWanted) -> Result<PairsOfRows> {
    let found = studio.candidate.result_for(&studio.about());
    let found: Arc<Found> =
        found.ok_or_else(|| Error::no_release("the release of the policy was not looked for yet"))?;
    let opened = studio.table()?;
    let candidate = &found.candidate;
    if candidate.partition().is_separated {
        return Err(Error::policy(
            "this method leaves quasi-identifiers as they are, so that no row shows anything else",
        )
        .hint("what it hides is whose sensitive value is whose: they stand in a table of their own"));
    }
    let columns = places(&opened.sheet, candidate)?;
    let in_classes = found.in_classes.get_or_init(|| in_classes(candidate, &opened.sheet, &columns));
    let InClasses { rows, open } = in_classes;
    let table = candidate.table();
    let classes = &candidate.partition().classes;
    let end = wanted.start.saturating_add(wanted.count.min(MOST_ROWS)).min(rows.len());
    let at = |place: usize| rows[if wanted.descending { rows.len() - 1 - place } else { place }];
    let pair = |place: usize| {
        let (row, fate) = at(place);
        let class = if let Fate::Class(class) = fate { Some(class) } else { None };
        let cell = |&column: &usize| opened.sheet.columns[column].value(row as usize).map(str::to_owned);
        let label =
            |class: u32| (0..table.quasi.len()).map(|column| classes.text(table, class, column).into_owned()).collect();
        PairOfRows {
            row: u64::from(row) + 1,
            class: class.map(|class| u64::from(class) + 1),
            before: columns.iter().map(cell).collect(),
            after: class.map(label),
            is_open: fate == Fate::Open,
        }
    };
    Ok(PairsOfRows {
        columns: table.quasi.iter().map(|column| column.name.clone()).collect(),
        rows: rows.len() as u64,
        open: *open,
        start: wanted.start,
        pairs: (wanted.start.min(end)..end).map(pair).collect(),
    })
}

/// Where the quasi-identifiers are in the sheet.
fn places(sheet: &Sheet, candidate: &Candidate) -> Result<Vec<usize>> {
    let place = |name: &str| {
        let place = sheet.columns.iter().position(|column| column.name == name);
        place.ok_or_else(|| {
            Error::table(format!("the table that is shown has no column {name}"))
                .hint("it was changed while the release was looked for: look for it again")
        })
    };
    candidate.table().quasi.iter().map(|column| place(&column.name)).collect()
}

/// The class of each row: that of its quasi-identifiers, where all rows with them go to one.
fn in_classes(candidate: &Candidate, sheet: &Sheet, places: &[usize]) -> InClasses {
    let table = candidate.table();
    // Of each quasi-identifier, the counted code of each value of the sheet.
    let columns: Vec<(usize, Vec<Option<u32>>)> =
        table.quasi.iter().zip(places).map(|(column, &place)| (place, counted_codes(column, sheet, place))).collect();
    let fates = fates(candidate);
    let fate_of = |row: usize| {
        let codes = columns.iter().map(|(place, codes)| codes[sheet.columns[*place].code(row) as usize]);
        // Values that were not counted are those of rows that are not even read.
        let codes: Option<Vec<u32>> = codes.collect();
        codes.and_then(|codes| fates.get(&codes).copied()).unwrap_or(Fate::LeftOut)
    };
    let mut rows: Vec<(u32, Fate)> = (0..sheet.rows()).map(|row| (row as u32, fate_of(row))).collect();
    rows.sort_by_key(|&(row, fate)| (fate, row));
    let open = rows.iter().filter(|(_, fate)| *fate == Fate::Open).count() as u64;
    InClasses { rows, open }
}

fn counted_codes(column: &QuasiColumn, sheet: &Sheet, place: usize) -> Vec<Option<u32>> {
    let dictionary = &sheet.columns[place].dictionary;
    let counted = |(code, value): (usize, &String)| match dictionary.missing() == Some(code as u32) {
        true => column.dictionary.missing(),
        false => column.dictionary.code(value),
    };
    dictionary.values().iter().enumerate().map(counted).collect()
}

/// Where the rows with each combination of quasi-identifiers go.
fn fates(candidate: &Candidate) -> HashMap<Vec<u32>, Fate> {
    let (table, base) = (candidate.table(), &candidate.table().base);
    let mut of_entries: Vec<Option<Fate>> = vec![None; base.tuples()];
    for part in &candidate.partition().assignments {
        join(&mut of_entries[part.tuple as usize], part.class.map_or(Fate::LeftOut, Fate::Class));
    }
    let mut fates = HashMap::with_capacity(base.classes());
    for class in 0..base.classes() {
        let first = base.first_entry(class);
        let mut fate = None;
        let entries = first..first + base.entries(class).0.len();
        of_entries[entries].iter().flatten().for_each(|&one| join(&mut fate, one));
        let codes = (0..table.quasi.len()).map(|column| base.code(class, column)).collect();
        fates.insert(codes, fate.unwrap_or(Fate::LeftOut));
    }
    fates
}

/// What goes to two places is open.
fn join(known: &mut Option<Fate>, other: Fate) {
    *known = Some(match *known {
        Some(known) if known != other => Fate::Open,
        _ => other,
    });
}
