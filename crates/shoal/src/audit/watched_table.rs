//! How is a table counted whose rows may not be people?

use crate::meaning::repeats::{Repeats, Watched};
use crate::outsider::{Asked, OutsiderTable};
use crate::policy::{Policy, Role};
use shoal_core::Result;
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_format::{TableReader, always_has_text};

/// A table, and its columns that tell that rows may not be people.
#[derive(Debug)]
pub struct WatchedTable {
    /// The table.
    pub table: OutsiderTable,
    /// The columns.
    pub repeats: Vec<Repeats>,
    /// The column that said whose rows they are, if one was asked.
    pub person: Option<String>,
}

impl WatchedTable {
    /// Reads and counts what is asked of a table; `policy` says what its other columns are.
    pub fn read(
        asked: &Asked<'_>,
        reader: &mut dyn TableReader,
        markers: &MissingMarkers,
        policy: Option<&Policy>,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let mut watched = watched(reader, policy);
        // Whoever is counted may have several rows.
        watched.retain(|watched| asked.person() != Some(watched.column.as_str()));
        let names: Vec<String> = watched.iter().map(|watched| watched.column.clone()).collect();
        // A release may show its other columns as they are.
        let of_input = policy.map(|policy| MissingMarkers::new(policy.input.missing.clone()));
        let asked = asked.watching(&names, of_input.as_ref().unwrap_or(markers));
        let (table, found) = OutsiderTable::read_watching(&asked, reader, markers, watch)?;
        let judged = watched.into_iter().zip(found).filter_map(|(watched, found)| watched.judge(found));
        let repeats = match policy {
            Some(_) => judged.collect(),
            None => judged.map(Repeats::without_policy).collect(),
        };
        Ok(Self { table, repeats, person: asked.person().map(str::to_owned) })
    }
}

/// Only the columns of a table that tell that rows may not be people.
pub fn watch(
    reader: &mut dyn TableReader,
    markers: &MissingMarkers,
    policy: Option<&Policy>,
    watch: &dyn Watch,
) -> Result<Vec<Repeats>> {
    Ok(WatchedTable::read(&Asked::new(&[], &[], false), reader, markers, policy, watch)?.repeats)
}

/// The columns to watch. What may have no text is passed over.
fn watched(reader: &dyn TableReader, policy: Option<&Policy>) -> Vec<Watched> {
    let columns = reader.columns().iter().enumerate();
    let has_text = |place: usize| reader.data_type(place).is_none_or(|data_type| always_has_text(&data_type));
    let readable = columns.filter(|(place, _)| has_text(*place)).map(|(_, name)| name.as_str());
    let role = |name: &str| policy.map_or(Some(Role::Insensitive), |policy| policy.role_of(name));
    Watched::among(readable, role)
}
