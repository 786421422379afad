//! Which columns of a table must not be there at all, by HIPAA's Safe Harbor?

use std::collections::BTreeSet;

use crate::Result;
use crate::format::TableReader;
use crate::meaning::SAMPLE;
use crate::meaning::safe_harbor::{Recognised, recognise};
use crate::outsider::OutsiderClasses;

/// # Safe Harbor identifiers
///
/// **Definition.** The eighteen kinds of identifiers (A) to (R) that HIPAA's Safe Harbor wants removed before health data counts
/// as de-identified: names, places smaller than a state, dates more precise than a year and ages over 89, numbers of phones,
/// records, accounts and things, addresses on the internet, and whatever else is a person's own.
/// **What it means.** A column of the table looks like one of them, by its values or by its name. Three digits of a ZIP
/// code, years, and ages up to 89 are allowed. What is not recognised may still be one: look at the columns yourself.
/// **Lowered by.** The role `identifier` in a policy, which drops the column; generalizing a quasi-identifier (`min-level`).
/// **Options.** None; `--fail-on safe-harbor` fails if any column is recognised.
/// **Example.** `zip code` with the value 13053 is item (B); with 130** it is not.
/// **Reference.** 45 CFR 164.514(b)(2)(i).
#[derive(Debug, Clone)]
pub struct ColumnSample {
    /// The name of a column.
    pub name: String,
    /// The distinct values of the first rows.
    pub values: BTreeSet<String>,
    /// How many rows these were.
    pub rows: u64,
}

impl ColumnSample {
    /// The beginning of every column of a table.
    pub fn read(reader: &mut dyn TableReader) -> Result<Vec<Self>> {
        let empty = |name: &String| Self { name: name.clone(), values: BTreeSet::new(), rows: 0 };
        let mut samples: Vec<Self> = reader.columns().iter().map(empty).collect();
        let is_enough = |samples: &[Self]| samples.first().is_none_or(|first| first.rows >= SAMPLE as u64);
        while !is_enough(&samples) {
            let Some(batch) = reader.next_batch()? else { break };
            for (sample, cells) in samples.iter_mut().zip(&batch.columns) {
                let cells = cells.text()?;
                let wanted = batch.rows().min(SAMPLE - sample.rows.min(SAMPLE as u64) as usize);
                sample.values.extend(cells.iter().take(wanted).flatten().map(str::to_owned));
                sample.rows += wanted as u64;
            }
        }
        Ok(samples)
    }
}

/// The columns that look like identifiers. Of quasi-identifiers every label is looked at, of other columns a sample.
pub fn safe_harbor(samples: &[ColumnSample], quasi: &[&str], classes: &OutsiderClasses) -> Vec<Recognised> {
    let look = |sample: &ColumnSample| match quasi.iter().position(|name| *name == sample.name) {
        Some(column) => recognise(&sample.name, classes.labels(column).iter().map(String::as_str), classes.rows()),
        None => recognise(&sample.name, sample.values.iter().map(String::as_str), sample.rows),
    };
    samples.iter().filter_map(look).collect()
}
