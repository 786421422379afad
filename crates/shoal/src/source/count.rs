//! Which tuples does a file hold, and how often each?

use std::time::{Duration, Instant};

use arrow_array::{Array, StringArray};

use super::Counted;
use crate::Result;
use crate::format::{Batch, TableReader};
use crate::frequency::TupleCounter;
use crate::policy::{Policy, Role, RowsWithMissing};
use crate::progress::Progress;
use crate::table::{DictionaryBuilder, MissingMarkers};

/// Where the columns of a policy stand in a table.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    /// The columns that are counted: quasi-identifiers, then sensitive ones, both in policy order.
    pub(super) counted: Vec<usize>,
    /// How many of them are quasi-identifiers.
    pub(super) quasi: usize,
    /// The columns of the release, in the order of the table.
    pub(super) released: Vec<usize>,
}

impl Columns {
    pub(super) fn new(policy: &Policy, names: &[String]) -> Self {
        let place =
            |name: &str| names.iter().position(|known| known == name).expect("the policy's columns were checked");
        let of_role = |role| policy.with_role(role).map(|column| place(&column.name)).collect::<Vec<_>>();
        let mut counted = of_role(Role::QuasiIdentifier);
        let quasi = counted.len();
        counted.extend(of_role(Role::Sensitive));
        let is_released = |index: &usize| policy.role_of(&names[*index]).is_some_and(|role| role != Role::Identifier);
        Self { counted, quasi, released: (0..names.len()).filter(is_released).collect() }
    }
}

/// The cells of the counted columns of a batch, and which rows are left out of the run.
pub(super) struct CountedCells<'a> {
    pub(super) texts: Vec<std::borrow::Cow<'a, StringArray>>,
    pub(super) dropped: Vec<bool>,
}

impl<'a> CountedCells<'a> {
    pub(super) fn new(batch: &'a Batch, columns: &Columns, policy: &Policy, markers: &MissingMarkers) -> Result<Self> {
        let texts = columns.counted.iter().map(|&index| batch.columns[index].text()).collect::<Result<_>>()?;
        let mut dropped = vec![false; batch.rows()];
        if policy.input.rows_with_missing == RowsWithMissing::Drop {
            for cells in &batch.columns {
                let texts = cells.text()?;
                dropped.iter_mut().enumerate().for_each(|(row, drop)| *drop |= value(&texts, row, markers).is_none());
            }
        }
        Ok(Self { texts, dropped })
    }
}

/// The value of a cell; none if it is missing.
pub(super) fn value<'a>(cells: &'a StringArray, row: usize, markers: &MissingMarkers) -> Option<&'a str> {
    cells.is_valid(row).then(|| cells.value(row)).filter(|text| !markers.contain(text))
}

pub(super) fn count(reader: &mut dyn TableReader, policy: &Policy, progress: &dyn Progress) -> Result<Counted> {
    let names = reader.columns().to_vec();
    let columns = Columns::new(policy, &names);
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let mut builders: Vec<DictionaryBuilder> = columns.counted.iter().map(|_| DictionaryBuilder::default()).collect();
    let mut counter = TupleCounter::new(columns.counted.len());
    let (mut rows, mut dropped_rows, mut reading) = (0, 0, Duration::ZERO);
    let mut tuple = vec![0; columns.counted.len()];
    progress.begin("reading", None);
    loop {
        let begin = Instant::now();
        let Some(batch) = reader.next_batch()? else { break };
        reading += begin.elapsed();
        let cells = CountedCells::new(&batch, &columns, policy, &markers)?;
        for (row, &dropped) in cells.dropped.iter().enumerate() {
            if dropped {
                dropped_rows += 1;
                continue;
            }
            for ((code, texts), builder) in tuple.iter_mut().zip(&cells.texts).zip(&mut builders) {
                *code = match value(texts, row, &markers) {
                    Some(text) => builder.code(text),
                    None => builder.missing_code(),
                };
            }
            counter.add(&tuple);
            rows += 1;
        }
        progress.advance(batch.rows() as u64);
    }
    progress.end();
    let finish = |builder: DictionaryBuilder| builder.finish(markers.first(), policy.input.decimal_comma);
    let (dictionaries, renamed): (Vec<_>, Vec<_>) = builders.into_iter().map(finish).unzip();
    let domain_sizes: Vec<usize> = dictionaries.iter().map(crate::table::Dictionary::len).collect();
    Ok(Counted {
        tuples: counter.finish(columns.quasi, &renamed, &domain_sizes),
        dictionaries,
        rows,
        dropped_rows,
        released_columns: columns.released.iter().map(|&index| names[index].clone()).collect(),
        read_seconds: reading.as_secs_f64(),
    })
}
