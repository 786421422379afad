//! What is in the table?

use shoal::{Error, Result};

use super::view::roles;
use crate::sheet::Sheet;
use crate::studio::Studio;
use crate::wire::{self, ColumnWanted, Distribution, RowsWanted};

/// So many rows are told at once.
const MOST_ROWS: usize = 500;

/// Which columns hide their values: those that name people and those that nobody must learn, beside the others. A column without a role could
/// be either.
fn hidden(studio: &Studio, sheet: &Sheet) -> Vec<bool> {
    let may_be_seen = |role: &Option<String>| matches!(role.as_deref(), Some("quasi-identifier" | "insensitive"));
    roles(studio, sheet.columns.iter().map(|column| column.name.as_str()))
        .iter()
        .map(|role| !may_be_seen(role))
        .collect()
}

/// Some rows.
pub fn rows(studio: &Studio, wanted: &RowsWanted) -> Result<wire::Rows> {
    let table = studio.table()?;
    let hidden = match wanted.reveal {
        true => vec![false; table.sheet.columns.len()],
        false => hidden(studio, &table.sheet),
    };
    let place = |name: &String| table.sheet.columns.iter().position(|column| column.name == *name);
    let order = match &wanted.sort {
        None => None,
        Some(name) => Some(place(name).ok_or_else(|| Error::table("the table has no such column"))?),
    };
    // The order of a hidden column would tell whose value is next to whose.
    let order = order.filter(|&column| !hidden[column]).map(|column| (column, wanted.descending));
    let places = table.sheet.places((wanted.start, wanted.count.min(MOST_ROWS)), order);
    Ok(wire::Rows {
        start: wanted.start,
        numbers: places.iter().map(|place| *place as u64 + 1).collect(),
        rows: places.into_iter().map(|place| table.sheet.cells(place, &hidden)).collect(),
        hidden,
    })
}

/// How the values of a column are distributed. Identifiers are not told, each of them is a person; nor is what may be one.
pub fn distribution(studio: &Studio, wanted: &ColumnWanted) -> Result<Distribution> {
    let table = studio.table()?;
    let role = roles(studio, [wanted.name.as_str()]).pop().flatten();
    let may_be_seen = matches!(role.as_deref(), Some("quasi-identifier" | "sensitive" | "insensitive"));
    Ok(table.sheet.column(&wanted.name)?.distribution(!may_be_seen))
}
