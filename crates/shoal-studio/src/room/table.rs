//! What is in the table?

use shoal::{Error, Result};

use crate::studio::Studio;
use crate::wire::{self, ColumnWanted, Distribution, RowsWanted};

/// So many rows are told at once.
const MOST_ROWS: usize = 500;

/// Which columns hide their values: those that name people and those that nobody must learn, beside the others. A column without a role could
/// be either.
fn hidden(studio: &Studio) -> Vec<bool> {
    let desk = super::desk(studio);
    let may_be_seen = |role: Option<&str>| matches!(role, Some("quasi-identifier" | "insensitive"));
    desk.columns.iter().map(|column| !may_be_seen(column.role.as_deref())).collect()
}

/// Some rows.
pub fn rows(studio: &Studio, wanted: &RowsWanted) -> Result<wire::Rows> {
    let table = studio.table()?;
    let hidden = match wanted.reveal {
        true => vec![false; table.sheet.columns.len()],
        false => hidden(studio),
    };
    let place = |name: &String| table.sheet.columns.iter().position(|column| column.name == *name);
    let order = match &wanted.sort {
        None => None,
        Some(name) => Some(place(name).ok_or_else(|| Error::table("the table has no such column"))?),
    };
    // The order of a hidden column would tell whose value is next to whose.
    let order = order.filter(|&column| !hidden[column]).map(|column| (column, wanted.descending));
    let rows = table.sheet.cells((wanted.start, wanted.count.min(MOST_ROWS)), order, &hidden);
    Ok(wire::Rows { start: wanted.start, rows, hidden })
}

/// How the values of a column are distributed. Identifiers are not told: each of them is a person.
pub fn distribution(studio: &Studio, wanted: &ColumnWanted) -> Result<Distribution> {
    let table = studio.table()?;
    let desk = super::desk(studio);
    let role = desk.columns.iter().find(|column| column.name == wanted.name).and_then(|column| column.role.clone());
    let hidden = matches!(role.as_deref(), None | Some("identifier"));
    Ok(table.sheet.column(&wanted.name)?.distribution(hidden))
}
