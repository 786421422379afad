//! Which columns of a table must not be there at all, by HIPAA's Safe Harbor?

use std::collections::BTreeSet;

use shoal_core::Result;
use shoal_format::TableReader;
use crate::meaning::SAMPLE;
use crate::meaning::safe_harbor::{Recognised, When, recognise};
use crate::meaning::topic;
use crate::outsider::OutsiderClasses;

/// # Safe Harbor identifiers
///
/// **Definition.** The eighteen kinds of identifiers (A) to (R) that HIPAA's Safe Harbor wants removed before health data counts
/// as de-identified: names, places smaller than a state, dates more precise than a year and ages over 89, numbers of phones,
/// records, accounts and things, addresses on the internet, and whatever else is a person's own.
/// **What it means.** A column of the table looks like one of them, by its values or by its name. Three digits of a ZIP
/// code, years, ages up to 89, and 90 or older as one group are allowed; what counts is what labels show, so that the ends of
/// ranges and the members of sets are looked at, too. What is not recognised may still be one: look at the columns yourself.
/// **Lowered by.** The role `identifier` in a policy, which drops the column; generalizing a quasi-identifier (`min-level`).
/// **Options.** None; `--fail-on safe-harbor` fails if any column is recognised.
/// **Example.** `zip code` with the value 13053 is item (B); with 130** it is not. `birth date` with the label
/// [1980-01-03, 1980-02-01) is item (C); with [1980-01-01, 1990-01-01), which is years, it is not.
/// **Reference.** 45 CFR 164.514(b)(2)(i).
#[derive(Debug, Clone)]
pub struct ColumnSample {
    /// The name of a column.
    pub name: String,
    /// The distinct values of the first rows, and one of a later row where it matters.
    pub values: BTreeSet<String>,
    /// How many rows these were.
    pub rows: u64,
}

impl ColumnSample {
    /// The beginning of every column of a table, and of columns such as ages, which one value far below makes identifiers, the
    /// first such value. Of quasi-identifiers the labels are known from elsewhere.
    pub fn read(reader: &mut dyn TableReader, quasi: &[&str]) -> Result<Vec<Self>> {
        let empty = |name: &String| Self { name: name.clone(), values: BTreeSet::new(), rows: 0 };
        let mut samples: Vec<Self> = reader.columns().iter().map(empty).collect();
        let when = |sample: &Self| match topic::of(&sample.name).and_then(|topic| topic.item) {
            Some((_, when)) if when != When::Always && !quasi.contains(&sample.name.as_str()) => Some(when),
            _ => None,
        };
        let mut sought: Vec<Option<When>> = samples.iter().map(when).collect();
        let is_enough = |samples: &[Self]| samples.first().is_none_or(|first| first.rows >= SAMPLE as u64);
        while !is_enough(&samples) || sought.iter().any(Option::is_some) {
            let Some(batch) = reader.next_batch()? else { break };
            for ((sample, sought), cells) in samples.iter_mut().zip(&mut sought).zip(&batch.columns) {
                let wanted = batch.rows().min(SAMPLE - sample.rows.min(SAMPLE as u64) as usize);
                if wanted == 0 && sought.is_none() {
                    continue;
                }
                let cells = cells.text()?;
                sample.values.extend(cells.iter().take(wanted).flatten().map(str::to_owned));
                sample.rows += wanted as u64;
                let telling = |when: &When| cells.iter().flatten().find(|value| when.holds_of(value)).map(str::to_owned);
                if let Some(value) = sought.as_ref().and_then(telling) {
                    sample.values.insert(value);
                    *sought = None;
                }
            }
        }
        Ok(samples)
    }
}

/// The columns that look like identifiers. Of quasi-identifiers every label is looked at, of other columns a sample and what
/// else matters.
pub fn safe_harbor(samples: &[ColumnSample], quasi: &[&str], classes: &OutsiderClasses) -> Vec<Recognised> {
    let look = |sample: &ColumnSample| match quasi.iter().position(|name| *name == sample.name) {
        Some(column) => recognise(&sample.name, classes.labels(column).iter().map(String::as_str), classes.rows()),
        None => recognise(&sample.name, sample.values.iter().map(String::as_str), sample.rows),
    };
    // Of a table that lives elsewhere nothing is read but its classes.
    let is_sampled = |name: &str| samples.iter().any(|sample| sample.name == name);
    let unsampled = quasi.iter().enumerate().filter(|(_, name)| !is_sampled(name)).filter_map(|(column, name)| {
        recognise(name, classes.labels(column).iter().map(String::as_str), classes.rows())
    });
    samples.iter().filter_map(look).chain(unsampled).collect()
}
