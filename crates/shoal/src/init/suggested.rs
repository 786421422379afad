//! Which hierarchy would suit a column, given what the rest of its table tells?

use super::column;
use super::column_scan::Limits;
use super::column_text::ColumnText;
use super::findings::ProposedHierarchy;
use super::proposed_hierarchy::suiting;
use super::scan;
use super::told::Told;
use crate::source::Table;
use shoal_core::Result;
use shoal_core::hierarchy::{ColumnValues, Profiles};
use shoal_core::watch::Watch;
use shoal_format::InputFormat;

/// A hierarchy for a column of a table: what its values speak for; where they are text that nothing is known of, groups by what other
/// columns tell, for which the table is read once more.
pub fn suggested(input: &InputFormat, column: &ColumnValues<'_>, watch: &dyn Watch) -> Result<ProposedHierarchy> {
    suiting(column, || told_by_others(input, column, watch))
}

fn told_by_others(input: &InputFormat, column: &ColumnValues<'_>, watch: &dyn Watch) -> Result<Profiles> {
    let mut reader = Table::File(input.path.clone()).open(|_| input.clone())?;
    let names = reader.columns().to_vec();
    let Some(place) = names.iter().position(|name| name == column.name) else { return Ok(Profiles::default()) };
    let (scans, rows) = scan(reader.as_mut(), Limits::default(), watch)?;
    let missing = if input.missing.is_empty() { vec![String::new()] } else { input.missing.clone() };
    let text = |(name, scan)| ColumnText::new(name, scan).without(&missing);
    let texts: Vec<ColumnText> = names.iter().map(String::as_str).zip(&scans).map(text).collect();
    let columns: Vec<_> = texts.iter().map(|text| column::examine(text, rows, input.marks)).collect();
    Ok(Told::of(&columns, &texts, &scans, input.marks).profiles(place, column.dictionary))
}
