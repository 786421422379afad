//! How are the rows of a table written as those of its release?

use std::path::PathBuf;
use std::time::Instant;

use arrow_schema::DataType;
use shoal_core::Result;
use shoal_core::recode::{Recoding, ReleasedColumn, RowOrder, Shows};
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_format::{OutputColumn, TableReader, TableWriter};

use super::carrier::{Pass, Passed};
use super::cells::CellPlaces;
use super::columns::ColumnCarrier;
use super::lines::LineCarrier;
use super::people_file::{PeopleFile, RowPeople, TAG};
use super::row_encoder::RowEncoder;
use crate::policy::Policy;

/// What staging needs to know.
pub(super) struct Staging<'a> {
    pub(super) policy: &'a Policy,
    pub(super) recoding: &'a Recoding<'a>,
    /// What the table is called.
    pub(super) table: &'a str,
    /// Where rows may be put away that do not fit into memory; none where all of them are in memory anyway.
    pub(super) folder: Option<PathBuf>,
}

/// What is known once all rows are written.
pub(super) struct Written {
    pub(super) seconds: f64,
    /// For each column of the table, does it have numbers or truth values that JSON writes without quotes? Empty where
    /// that does not matter.
    pub(super) bare: Vec<bool>,
    /// Whose each row of the release is, where people are counted.
    pub(super) people: Option<RowPeople>,
}

impl Staging<'_> {
    /// Writes the release of what `reader` reads to what `create` begins.
    pub(super) fn write(
        &self,
        reader: &mut dyn TableReader,
        create: impl FnOnce(&[OutputColumn]) -> Result<Box<dyn TableWriter>>,
        watch: &dyn Watch,
    ) -> Result<Written> {
        let Self { policy, recoding, table, .. } = self;
        let begin = Instant::now();
        let writer = create(&self.output_columns(reader))?;
        let creating = begin.elapsed();
        let markers = MissingMarkers::new(policy.input.missing.clone());
        let encoder = RowEncoder::new(recoding, markers, table);
        watch.begin("recoding", None);
        let row_order = || self.row_order();
        let people = recoding.layout().person.then(|| PeopleFile::new(self.folder.as_deref())).transpose()?;
        let pass = Pass { recoding, encoder: &encoder, table, row_order: &row_order, people, watch };
        let (Passed { writing, people }, bare) = match writer.lines() {
            Some(lines) => {
                let cells = CellPlaces::new(recoding.layout(), &recoding.layout().released, policy);
                let carrier = LineCarrier::new(recoding, &encoder, &cells, &lines);
                (pass.run(&carrier, reader, writer)?, Vec::new())
            }
            None => {
                let carrier = ColumnCarrier::new(policy, recoding, &encoder);
                (pass.run(&carrier, reader, writer)?, carrier.bare(table)?)
            }
        };
        Ok(Written { seconds: (creating + writing).as_secs_f64(), bare, people })
    }

    fn row_order(&self) -> Option<RowOrder> {
        let seed = self.recoding.seed()?;
        let order = match &self.folder {
            Some(folder) => RowOrder::new(seed, folder),
            None => RowOrder::in_memory(seed),
        };
        Some(if self.recoding.layout().person { order.of_tagged(TAG) } else { order })
    }

    fn output_columns(&self, reader: &dyn TableReader) -> Vec<OutputColumn> {
        let has_stars = self.recoding.shows_suppressed();
        let data_type = |column: &ReleasedColumn<'_>| match (column.shows, column.index) {
            _ if has_stars => None,
            (Shows::ClassNumber, _) => Some(DataType::UInt32),
            (shows, Some(index)) if shows.keeps_type() => reader.data_type(index),
            _ => None,
        };
        let column =
            |column: &ReleasedColumn<'_>| OutputColumn { name: column.name.to_owned(), data_type: data_type(column) };
        self.recoding.columns().iter().map(column).collect()
    }
}
