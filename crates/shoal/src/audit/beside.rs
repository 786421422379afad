//! What does a table show with another release laid beside it, row by row?

use shoal_core::Result;
use crate::attack::Beside;
use shoal_format::{BesideReader, TableReader};
use shoal_core::frequency::SensitiveColumn;
use crate::outsider::{OutsiderClasses, OutsiderTable};
use shoal_core::watch::Watch;
use shoal_core::table::MissingMarkers;

/// Two releases with as many rows, read as one table.
#[derive(Debug)]
pub struct LaidBeside {
    /// Counted by the quasi-identifiers of the audited release and all columns of the other that are not sensitive; its sensitive
    /// columns are those that both have, first as the audited release shows them, then as the other does.
    table: OutsiderTable,
    /// For each of the other's columns among these, which of the audited quasi-identifiers it is, if it is one.
    same: Vec<Option<usize>>,
}

impl LaidBeside {
    /// Lays `other` beside `release`; nothing if one has more rows. `sensitive` are columns of both.
    pub fn read(
        release: &mut dyn TableReader,
        other: &mut dyn TableReader,
        quasi: &[String],
        sensitive: &[String],
        markers: &MissingMarkers,
        watch: &dyn Watch,
    ) -> Result<Option<Self>> {
        let (own, of_other) = (release.columns().len(), other.columns().to_vec());
        let mut reader = BesideReader::new(release, other);
        let beside: Vec<(String, String)> = of_other.into_iter().zip(reader.columns()[own..].to_vec()).collect();
        let (values, known): (Vec<_>, Vec<_>) = beside.into_iter().partition(|(name, _)| sensitive.contains(name));
        let same = known.iter().map(|(name, _)| quasi.iter().position(|quasi| quasi == name)).collect();
        let all_known: Vec<String> = quasi.iter().cloned().chain(known.into_iter().map(|(_, beside)| beside)).collect();
        let as_other_shows = sensitive.iter().filter_map(|name| values.iter().find(|(value, _)| value == name));
        let all_sensitive: Vec<String> =
            sensitive.iter().cloned().chain(as_other_shows.map(|(_, beside)| beside.clone())).collect();
        let table = OutsiderTable::read(&mut reader, &all_known, &all_sensitive, markers, true, watch)?;
        Ok(reader.is_even().then_some(Self { table, same }))
    }
    /// Their classes, given which of the audited columns are sensitive in both.
    pub(super) fn classes(&self, sensitive: &[usize], columns: &[SensitiveColumn]) -> Result<Beside> {
        let twice = sensitive.iter().chain(sensitive).map(|&column| columns[column].clone());
        let classes = OutsiderClasses::new(&self.table, &twice.collect::<Vec<_>>(), None)?;
        Ok(Beside { classes, same: self.same.clone() })
    }
}
