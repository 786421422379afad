//! What would become of each row?

use std::collections::HashMap;
use std::sync::Arc;

use shoal::{Candidate, Error, Result};

use super::Found;
use crate::sheet::Sheet;
use crate::studio::Studio;
use crate::wire::{ClassesWanted, PairOfRows, PairsOfRows};

/// So many rows are told at once.
const MOST_ROWS: usize = 200;

/// Rows in the order of their classes, those that are left out last.
pub struct InClasses {
    /// Of each row, its number and the class it is in.
    rows: Vec<(u32, Option<u32>)>,
}

/// Rows of the table beside what the release would show of them. Only quasi-identifiers: sensitive values beside them are what nobody must learn.
pub fn pairs(studio: &Studio, wanted: &ClassesWanted) -> Result<PairsOfRows> {
    let found = studio.candidate.result_for(&studio.about());
    let found: Arc<Found> =
        found.ok_or_else(|| Error::no_release("the release of the policy was not looked for yet"))?;
    let opened = studio.table()?;
    let candidate = &found.candidate;
    let columns = places(&opened.sheet, candidate)?;
    let in_classes = found.in_classes.get_or_init(|| in_classes(candidate, &opened.sheet, &columns));
    let Some(InClasses { rows }) = in_classes else {
        return Err(Error::policy(
            "classes of this method are made for single rows, so that rows have no place before they are written",
        ));
    };
    let table = candidate.table();
    let classes = &candidate.partition().classes;
    let end = wanted.start.saturating_add(wanted.count.min(MOST_ROWS)).min(rows.len());
    let at = |place: usize| rows[if wanted.descending { rows.len() - 1 - place } else { place }];
    let pair = |place: usize| {
        let (row, class) = at(place);
        let cell = |&column: &usize| opened.sheet.columns[column].value(row as usize).map(str::to_owned);
        let label =
            |class: u32| (0..table.quasi.len()).map(|column| classes.text(table, class, column).into_owned()).collect();
        PairOfRows {
            row: u64::from(row) + 1,
            class: class.map(|class| u64::from(class) + 1),
            before: columns.iter().map(cell).collect(),
            after: class.map(label),
        }
    };
    Ok(PairsOfRows {
        columns: table.quasi.iter().map(|column| column.name.clone()).collect(),
        rows: rows.len() as u64,
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

/// The class of each row. Where each column has one level for all rows, rows with the labels of a class are in it, and others are left out.
fn in_classes(candidate: &Candidate, sheet: &Sheet, places: &[usize]) -> Option<InClasses> {
    let (table, classes, node) = (candidate.table(), &candidate.partition().classes, candidate.levels()?);
    // Of each quasi-identifier, the label of each value of the sheet.
    let quasi = table.quasi.iter().zip(node.levels()).zip(places);
    let columns: Vec<(usize, Vec<&str>)> = quasi
        .map(|((column, &level), &place)| {
            let values = sheet.columns[place].dictionary.values().iter();
            let missing = sheet.columns[place].dictionary.missing();
            let label = |(code, value): (usize, &String)| {
                let own = if missing == Some(code as u32) {
                    column.dictionary.missing()
                } else {
                    column.dictionary.code(value)
                };
                own.map_or("", |own| column.hierarchy.label(level.into(), own))
            };
            (place, values.enumerate().map(label).collect())
        })
        .collect();
    let mut known: HashMap<Vec<String>, u32> = HashMap::with_capacity(classes.len());
    for class in 0..classes.len() as u32 {
        known.insert(
            (0..table.quasi.len()).map(|column| classes.text(table, class, column).into_owned()).collect(),
            class,
        );
    }
    let class_of = |row: usize| {
        let labels: Vec<String> =
            columns.iter().map(|(place, labels)| labels[sheet.columns[*place].code(row) as usize].to_owned()).collect();
        known.get(&labels).copied()
    };
    let mut rows: Vec<(u32, Option<u32>)> = (0..sheet.rows()).map(|row| (row as u32, class_of(row))).collect();
    rows.sort_by_key(|&(row, class)| (class.is_none(), class, row));
    Some(InClasses { rows })
}
