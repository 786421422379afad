//! Whom do the quasi-identifiers single out, by the roles that columns have now?

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use shoal::Result;
use shoal::init::{SinglingOut, single_out};
use shoal::risk::grouping::{Coded, Distinction, keys};

use super::view::{person, roles};
use crate::desk::Opened;
use crate::sheet::SheetColumn;
use crate::studio::Studio;
use crate::wire::{self, Combination};
use crate::work::Progress;

/// Looks for combinations of few quasi-identifiers, and at all of them together.
pub fn singled_out(studio: &Studio, question: &Progress) -> Result<wire::SinglingOut> {
    let table = studio.table()?;
    let sheet = &table.sheet;
    let roles = roles(studio, sheet.columns.iter().map(|column| column.name.as_str()));
    let is_quasi = |(_, role): &(&SheetColumn, &Option<String>)| role.as_deref() == Some("quasi-identifier");
    let quasi: Vec<&SheetColumn> =
        sheet.columns.iter().zip(&roles).filter(is_quasi).map(|(column, _)| column).collect();
    let people = person(studio).and_then(|name| sheet.column(&name).ok());
    if people.is_none() && (sheet.rows() as u64) < table.findings.rows && is_as_proposed(&table, &quasi) {
        // What was found when all rows were read.
        let rows = table.findings.rows;
        let combinations = combinations(&table.findings.singling_out, |_, grouping| grouping.alone, rows);
        return Ok(wire::SinglingOut { combinations, of: rows, of_people: false, rows });
    }
    let rows = sheet.rows() as u64;
    let found = single_out(&quasi, rows, Vec::new(), question)?;
    let Some(people) = people else {
        let combinations = combinations(&found, |_, grouping| grouping.alone, rows);
        return Ok(wire::SinglingOut { combinations, of: rows, of_people: false, rows });
    };
    let person_of: Vec<u64> = (0..sheet.rows()).map(|row| whose(people, row)).collect();
    let of = person_of.iter().collect::<HashSet<_>>().len() as u64;
    let alone = |names: &[String], _: &Distinction| {
        let chosen: Vec<&SheetColumn> = quasi.iter().filter(|column| names.contains(&column.name)).copied().collect();
        people_alone(&chosen, &person_of)
    };
    Ok(wire::SinglingOut { combinations: combinations(&found, alone, of), of, of_people: true, rows })
}

fn is_as_proposed(table: &Opened, quasi: &[&SheetColumn]) -> bool {
    let singling = &table.findings.singling_out;
    let proposed: HashSet<&String> =
        singling.together.iter().flat_map(|all| &all.columns).chain(&singling.left_out).collect();
    proposed == quasi.iter().map(|column| &column.name).collect()
}

fn combinations(found: &SinglingOut, alone: impl Fn(&[String], &Distinction) -> u64, of: u64) -> Vec<Combination> {
    let all = found.together.iter().filter(|all| !found.worst.contains(all));
    let one = |one: &shoal::init::Combination| {
        let alone = alone(&one.columns, &one.grouping);
        Combination { columns: one.columns.clone(), alone, share: alone as f64 / of.max(1) as f64 }
    };
    found.worst.iter().chain(all).map(one).collect()
}

/// Whose a row is; one that does not say it is somebody's of its own.
fn whose(people: &SheetColumn, row: usize) -> u64 {
    let code = people.code(row);
    if people.dictionary.missing() == Some(code) { people.domain() + row as u64 } else { code.into() }
}

/// How many people have some row whose values nobody else has.
fn people_alone(columns: &[&SheetColumn], person_of: &[u64]) -> u64 {
    let (keys, _) = keys(columns, person_of.len());
    // Of each combination of values, whose it is, as long as it is one person's.
    let mut only: HashMap<u64, Option<u64>> = HashMap::new();
    for (key, &person) in keys.into_iter().zip(person_of) {
        match only.entry(key) {
            Entry::Vacant(entry) => _ = entry.insert(Some(person)),
            Entry::Occupied(mut entry) if *entry.get() != Some(person) => _ = entry.insert(None),
            Entry::Occupied(_) => {}
        }
    }
    only.into_values().flatten().collect::<HashSet<u64>>().len() as u64
}
