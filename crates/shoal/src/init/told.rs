//! Which columns have something to tell of others?

use super::beside::{Grouped, profiles};
use super::codes::Codes;
use super::column::Examined;
use super::column_scan::ColumnScan;
use super::column_text::ColumnText;
use crate::policy::Role;
use shoal_core::hierarchy::Profiles;
use shoal_core::table::{Dictionary, NumberMarks, Reading};

/// A column of more values is nearly one of each row's own, and tells nothing.
const MOST_VALUES: usize = 100_000;

/// The columns of a table, to see what they tell of each other. Sensitive ones tell nothing here: groups that follow from them would
/// say something about whoever is in one.
pub(super) struct Told<'a> {
    columns: Vec<Option<Known<'a>>>,
}

struct Known<'a> {
    codes: &'a Codes,
    texts: Vec<Option<&'a str>>,
    /// None where the column is not to tell anything of others.
    grouped: Option<Grouped<'a>>,
}

impl<'a> Told<'a> {
    pub(super) fn of(
        columns: &[Examined],
        texts: &[ColumnText<'_>],
        scans: &'a [ColumnScan],
        marks: NumberMarks,
    ) -> Self {
        let known = |((column, text), scan): ((&Examined, &ColumnText<'_>), &'a ColumnScan)| {
            let ColumnScan::Whole(scan) = scan else { return None };
            let codes = scan.codes()?;
            let values: Vec<(Option<&str>, u64)> = scan.pairs().collect();
            let reading = Reading { marks, dates: column.findings.dates };
            let tells = matches!(column.findings.role, Role::QuasiIdentifier | Role::Insensitive)
                && values.len() <= MOST_VALUES;
            let grouped = tells.then(|| Grouped::new(codes, &values, &text.column_type(reading)));
            Some(Known { codes, texts: values.into_iter().map(|(value, _)| value).collect(), grouped })
        };
        Self { columns: columns.iter().zip(texts).zip(scans).map(known).collect() }
    }

    /// What the others tell of the values of the column at a place.
    pub(super) fn profiles(&self, place: usize, dictionary: &Dictionary) -> Profiles {
        let Some(column) = &self.columns[place] else { return Profiles::default() };
        let others = self.columns.iter().enumerate().filter(|(other, _)| *other != place);
        let others: Vec<&Grouped<'_>> = others.filter_map(|(_, known)| known.as_ref()?.grouped.as_ref()).collect();
        profiles(column.codes, &column.texts, dictionary, &others)
    }
}
