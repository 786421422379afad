//! What is in a table, and with which policy could its owner begin?
//!
//! A column whose role is in doubt counts as a quasi-identifier, since that is the safe side.

mod answers;
mod as_it_comes;
mod below;
mod beside;
mod choices;
mod codes;
mod column;
mod column_scan;
mod column_text;
mod concern;
mod findings;
mod first_rows;
mod for_people;
mod input;
#[cfg(test)]
mod laws;
mod method_choice;
mod missing;
mod number_marks;
mod places;
mod proposed_hierarchy;
mod role;
mod singling_out;
mod starter;
mod suggested;
mod summary;
#[cfg(test)]
mod tests;
mod told;
mod toml_text;
mod trial;
mod tried_text;
mod warnings;
mod ways;
mod whose;

use std::path::PathBuf;

use rayon::prelude::*;

pub use as_it_comes::AsSaid;
pub use choices::{Choices, Promise};
pub use concern::{ColumnNow, Concern};
pub use findings::{
    ColumnFindings, Combination, Distinct, ProposedHierarchy, SinglingOut, Sure, TableFindings, WhoseRows,
};
pub use first_rows::first_rows;
pub use method_choice::MethodChoice;
pub use singling_out::{Looked, single_out};
pub use starter::{name_of, starter_policy};
pub use suggested::{propose_anew, suggested};
pub use summary::{summary, warnings};
pub use trial::{Faded, Kept, Trials, Tried, propose};

use crate::policy::Role;
use crate::source::Table;
use column::Examined;
use column_scan::{ColumnScan, Limits};
use column_text::ColumnText;
use shoal_core::Result;
use shoal_core::watch::Watch;
use shoal_format::{InputFormat, TableReader};
use singling_out::CodedColumn;
use told::Told;

/// Looks at a table, in one pass, and proposes what each column is to an attacker.
pub fn profile(input: &InputFormat, watch: &dyn Watch) -> Result<TableFindings> {
    profile_within(input, Limits::default(), watch)
}

/// The same for a table that may be anywhere.
pub fn profile_of(table: &Table, watch: &dyn Watch) -> Result<TableFindings> {
    match table {
        Table::File(path) => profile(&InputFormat::new(path), watch),
        Table::Held(file) => {
            profile_in(table, file.input(|path| InputFormat::new(path)).into(), Limits::default(), watch)
        }
        Table::Memory(_) | Table::Rows(_) => examine(table, &AsSaid::default(), Limits::default(), watch),
    }
}

/// The same for a table that is written as is said.
pub fn profile_written(table: &Table, said: AsSaid, watch: &dyn Watch) -> Result<TableFindings> {
    match table {
        Table::File(path) => {
            let said = said.of(|input| InputFormat { path: path.clone(), ..input });
            profile_in(table, said, Limits::default(), watch)
        }
        Table::Held(file) => {
            let said = said.of(|input| file.input(|path| InputFormat { path: path.to_path_buf(), ..input }));
            profile_in(table, said, Limits::default(), watch)
        }
        Table::Memory(_) | Table::Rows(_) => profile_of(table, watch),
    }
}

fn profile_within(input: &InputFormat, limits: Limits, watch: &dyn Watch) -> Result<TableFindings> {
    profile_in(&Table::File(input.path.clone()), input.clone().into(), limits, watch)
}

fn profile_in(table: &Table, said: AsSaid, limits: Limits, watch: &dyn Watch) -> Result<TableFindings> {
    let said = said.without_titles();
    examine(table, &said, limits, watch).or_else(|error| {
        let said = said.in_another_encoding(error)?;
        examine(table, &said, limits, watch)
    })
}

fn examine(table: &Table, said: &AsSaid, limits: Limits, watch: &dyn Watch) -> Result<TableFindings> {
    let input = &said.input;
    let mut reader = table.open(|_| input.clone())?;
    let names = reader.columns().to_vec();
    let Scanned { mut scans, rows, below } = scan(reader.as_mut(), limits, watch)?;

    let texts: Vec<ColumnText> = names.iter().zip(&scans).map(|(name, scan)| ColumnText::new(name, scan)).collect();
    let markers = if input.missing.is_empty() { missing::markers(&texts, rows) } else { input.missing.clone() };
    let texts: Vec<ColumnText> = texts.into_iter().map(|text| text.without(&markers)).collect();
    let marks = number_marks::of(&texts, reader.dialect().delimiter, said);
    let mut columns: Vec<Examined> = texts.iter().map(|text| column::examine(text, rows, marks)).collect();
    places::recognise(&mut columns, &texts);
    answers::recognise(&mut columns, &texts);
    column::make_sure_of_a_quasi_identifier(&mut columns);
    let told = Told::of(&columns, &texts, &scans, marks);
    for (place, (column, text)) in columns.iter_mut().zip(&texts).enumerate() {
        column.complete(text, &markers[0], marks, &|dictionary| told.profiles(place, dictionary));
    }
    drop((told, texts));

    let (mut coded, mut left_out) = (Vec::new(), Vec::new());
    let quasi = columns.iter().zip(&mut scans).filter(|(column, _)| column.findings.role == Role::QuasiIdentifier);
    for (column, scan) in quasi {
        let name = column.findings.name.clone();
        let codes = match scan {
            ColumnScan::Whole(scan) => scan.take_codes(|value| markers.iter().any(|marker| marker == value)),
            ColumnScan::Sampled { .. } => None,
        };
        match codes {
            Some((codes, domain)) => coded.push(CodedColumn { name, codes, domain, separation: column.separation }),
            None => left_out.push(name),
        }
    }
    drop(scans);
    let whose = whose::of(&columns, rows);
    Ok(TableFindings {
        input: match table {
            Table::File(_) => input::to_say(input, &reader.dialect(), markers, marks),
            // Its name is nothing that a policy could say.
            Table::Held(_) => {
                let said = input::to_say(input, &reader.dialect(), markers, marks);
                InputFormat { path: PathBuf::new(), handle: None, ..said }
            }
            Table::Memory(_) | Table::Rows(_) => InputFormat { missing: markers, marks, ..InputFormat::default() },
        },
        rows,
        singling_out: singling_out::single_out(&coded.iter().collect::<Vec<_>>(), rows, left_out, watch)?,
        concerns: below.into_iter().chain(warnings::of(&columns, rows, whose.as_ref())).collect(),
        whose,
        columns: columns.into_iter().map(|column| column.findings).collect(),
    })
}

/// A table that was read.
struct Scanned {
    scans: Vec<ColumnScan>,
    rows: u64,
    /// What there is to say about what stands below it.
    below: Option<Concern>,
}

/// Reads the whole table.
fn scan(reader: &mut dyn TableReader, limits: Limits, watch: &dyn Watch) -> Result<Scanned> {
    let mut scans: Vec<ColumnScan> = reader.columns().iter().map(|_| ColumnScan::new()).collect();
    let limits = limits.for_columns(scans.len());
    let (mut rows, mut last) = (0, None);
    watch.begin("reading", None);
    while let Some(batch) = reader.next_batch()? {
        let columns = scans.par_iter_mut().zip(&batch.columns);
        columns.try_for_each(|(scan, cells)| cells.text().map(|text| scan.add(&text, limits)))?;
        rows += batch.rows() as u64;
        column_scan::keep_within(limits, &mut scans, rows);
        watch.advance(batch.rows() as u64);
        last = Some(batch);
    }
    watch.end();
    Ok(Scanned { scans, rows, below: below::rows_below(last.as_ref())? })
}
