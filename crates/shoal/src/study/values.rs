//! Which values does a column have, as far as a look tells?

use std::collections::HashMap;

use crate::meaning::SAMPLE;
use crate::policy::Policy;
use crate::source::{Counted, Source};
use shoal_core::Result;
use shoal_core::table::Dictionary;
use shoal_core::watch::Watch;

/// Some values of each column, in the order of the table: those of counted columns are known, and the table is opened only for others.
pub(super) fn some_values(
    source: &mut dyn Source,
    policy: &Policy,
    counted: &Counted,
    watch: &dyn Watch,
) -> Result<Vec<(String, Vec<String>)>> {
    let names = &counted.layout.names;
    let places = counted.layout.counted.iter().copied();
    let known: HashMap<usize, Vec<String>> =
        places.zip(&counted.dictionaries).map(|(place, dictionary)| (place, spread(dictionary))).collect();
    let mut seen: HashMap<String, Vec<String>> = match (0..names.len()).all(|place| known.contains_key(&place)) {
        true => HashMap::new(),
        false => source.some_values(policy, watch)?.into_iter().collect(),
    };
    let of_column = |(place, name): (usize, &String)| {
        let values = known.get(&place).cloned().or_else(|| seen.remove(name));
        (name.clone(), values.unwrap_or_default())
    };
    Ok(names.iter().enumerate().map(of_column).collect())
}

/// Values from the whole of a dictionary, as many as a look needs.
fn spread(dictionary: &Dictionary) -> Vec<String> {
    let values = dictionary.present();
    values.iter().step_by(values.len().div_ceil(SAMPLE).max(1)).cloned().collect()
}
