//! Which hierarchy would suit a column, given what the rest of its table tells?

use super::column::{self, Examined};
use super::column_scan::Limits;
use super::column_text::ColumnText;
use super::findings::{ProposedHierarchy, TableFindings};
use super::proposed_hierarchy::{self, suiting};
use super::told::Told;
use super::{Scanned, scan};
use crate::policy::Role;
use crate::source::{Table, column_values};
use shoal_core::hierarchy::{ColumnValues, Profiles};
use shoal_core::table::{Dictionary, Reading};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};
use shoal_format::InputFormat;

/// A hierarchy for a column of a table: what its values speak for; where they are text that nothing is known of, groups by what other
/// columns tell, for which the table is read once more.
pub fn suggested(input: &InputFormat, column: &ColumnValues<'_>, watch: &dyn Watch) -> Result<ProposedHierarchy> {
    suiting(column, 0, || told_by_others(input, column, watch))
}

/// Proposes anew what values may become, for columns whose role or reading somebody has changed, or because `k` is another. What was to be hidden
/// stays hidden. The table is read once for all of them.
pub fn propose_anew(findings: &mut TableFindings, places: &[usize], k: u64, watch: &dyn Watch) -> Result<()> {
    let take_hidden = |&place: &usize| {
        let proposed = findings.columns[place].hierarchy.take();
        proposed.filter(|proposed| proposed.is_hidden).map(|_| place)
    };
    let hidden: Vec<usize> = places.iter().filter_map(take_hidden).collect();
    let is_quasi = |place: &usize| findings.columns[*place].role == Role::QuasiIdentifier;
    let quasi: Vec<usize> = places.iter().copied().filter(is_quasi).collect();
    if quasi.is_empty() {
        return Ok(());
    }
    let input = findings.input.clone();
    let mut reader = Table::File(input.path.clone()).open(|_| input.clone())?;
    let names = reader.columns().to_vec();
    let Scanned { scans, rows, .. } = scan(reader.as_mut(), Limits::default(), watch)?;
    let missing = missing_in(&input);
    let text = |(name, scan)| ColumnText::new(name, scan).without(&missing);
    let texts: Vec<ColumnText> = names.iter().map(String::as_str).zip(&scans).map(text).collect();
    let mut examined: Vec<Examined> = texts.iter().map(|text| column::examine(text, rows, input.marks)).collect();
    // What its owner says of a column decides whether it may tell anything of others, not what it looks like.
    for (examined, known) in examined.iter_mut().zip(&findings.columns) {
        (examined.findings.role, examined.findings.dates) = (known.role, known.dates);
    }
    let told = Told::of(&examined, &texts, &scans, input.marks);
    for place in quasi {
        let column = &mut findings.columns[place];
        let Some(at) = names.iter().position(|name| *name == column.name) else { continue };
        let reading = Reading { marks: input.marks, dates: column.dates };
        let proposed = match texts[at].more_than {
            None => {
                let told = |dictionary: &Dictionary| told.profiles(at, dictionary);
                proposed_hierarchy::of(&texts[at], &missing[0], reading, &told, k)
            }
            // Of such a column only a part was kept.
            Some(_) => {
                let (dictionary, counts) = column_values(&input, &column.name, column.dates)?;
                let values =
                    ColumnValues { name: &column.name, dictionary: &dictionary, counts: &counts, may_print: true };
                suiting(&values, k, || Ok::<_, Error>(told.profiles(at, &dictionary)))?
            }
        };
        let is_hidden = hidden.contains(&place) || examined[at].must_hide;
        column.hierarchy = Some(ProposedHierarchy { is_hidden, ..proposed });
    }
    Ok(())
}

fn told_by_others(input: &InputFormat, column: &ColumnValues<'_>, watch: &dyn Watch) -> Result<Profiles> {
    let mut reader = Table::File(input.path.clone()).open(|_| input.clone())?;
    let names = reader.columns().to_vec();
    let Some(place) = names.iter().position(|name| name == column.name) else { return Ok(Profiles::default()) };
    let Scanned { scans, rows, .. } = scan(reader.as_mut(), Limits::default(), watch)?;
    let missing = missing_in(input);
    let text = |(name, scan)| ColumnText::new(name, scan).without(&missing);
    let texts: Vec<ColumnText> = names.iter().map(String::as_str).zip(&scans).map(text).collect();
    let columns: Vec<_> = texts.iter().map(|text| column::examine(text, rows, input.marks)).collect();
    Ok(Told::of(&columns, &texts, &scans, input.marks).profiles(place, column.dictionary))
}

/// What stands for a missing value; an empty cell where nothing is said.
fn missing_in(input: &InputFormat) -> Vec<String> {
    if input.missing.is_empty() { vec![String::new()] } else { input.missing.clone() }
}
