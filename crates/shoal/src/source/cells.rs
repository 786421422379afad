//! Which cells of a row are read, and which rows are left out before anything else?

use std::borrow::Cow;

use arrow_array::{Array, StringArray};
use shoal_core::Result;
use shoal_core::recode::Layout;
use shoal_core::table::MissingMarkers;
use shoal_format::{Cells, Rows, Wanted};

use crate::policy::{Policy, RowsWithMissing};

/// Which cells of a row are needed, and where they are among those that are read.
#[derive(Debug)]
pub(super) struct CellPlaces {
    /// The columns that are read: all, where a missing value in any of them drops the row.
    pub(super) wanted: Wanted,
    /// The places of the counted columns.
    pub(super) counted: Vec<usize>,
    /// The places of the others that were asked for.
    pub(super) others: Vec<usize>,
    drops_missing: bool,
}

impl CellPlaces {
    /// The counted columns of a table, and `others`.
    pub(super) fn new(layout: &Layout, others: &[usize], policy: &Policy) -> Self {
        let total = layout.names.len();
        let drops_missing = policy.input.rows_with_missing == RowsWithMissing::Drop;
        let wanted = if drops_missing {
            Wanted::all(total)
        } else {
            Wanted::new(layout.counted.iter().chain(others).copied(), total)
        };
        let slots = |columns: &[usize]| columns.iter().map(|&column| wanted.slot(column)).collect();
        let (counted, others) = (slots(&layout.counted), slots(others));
        Self { wanted, counted, others, drops_missing }
    }

    /// Is a row left out of the run?
    #[inline]
    pub(super) fn is_dropped(&self, rows: &Rows<'_>, row: usize, markers: &MissingMarkers) -> bool {
        let is_missing = |slot: usize| rows.cell(row, slot).is_none_or(|text| markers.contain(text));
        self.drops_missing && (0..self.wanted.len()).any(is_missing)
    }
}

/// A run of rows, the texts of its counted columns, and which rows are left out of the run.
pub(super) struct CountedBatch {
    pub(super) columns: Vec<Cells>,
    pub(super) texts: Vec<StringArray>,
    pub(super) dropped: Vec<bool>,
}

impl CountedBatch {
    pub(super) fn new(columns: Vec<Cells>, layout: &Layout, policy: &Policy, markers: &MissingMarkers) -> Result<Self> {
        let text = |&index: &usize| columns[index].text().map(Cow::into_owned);
        let texts = layout.counted.iter().map(text).collect::<Result<_>>()?;
        let mut dropped = vec![false; columns.first().map_or(0, Cells::len)];
        if policy.input.rows_with_missing == RowsWithMissing::Drop {
            for cells in &columns {
                let texts = cells.text()?;
                dropped.iter_mut().enumerate().for_each(|(row, drop)| *drop |= value(&texts, row, markers).is_none());
            }
        }
        Ok(Self { columns, texts, dropped })
    }

    pub(super) fn rows(&self) -> usize {
        self.dropped.len()
    }
}

/// The value of a cell; none if it is missing.
pub(super) fn value<'a>(cells: &'a StringArray, row: usize, markers: &MissingMarkers) -> Option<&'a str> {
    cells.is_valid(row).then(|| cells.value(row)).filter(|text| !markers.contain(text))
}
