//! What has each row of the original become in the release?

use hashbrown::HashMap;

use super::{Compared, Tuples};
use crate::attack::Scene;
use crate::linking::People;
use shoal_core::frequency::{CountedTable, SensitiveColumn};
use shoal_core::method::Partition;

/// How a release was made, where it was made just now: then nobody has to find out whose row is whose.
#[derive(Debug, Clone, Copy)]
pub struct Made<'a> {
    /// The original.
    pub table: &'a CountedTable,
    /// Which of its records went where.
    pub partition: &'a Partition,
}

/// Some equal rows of the original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Rows {
    /// The tuple of the release that they have become; none if they were suppressed or left out.
    pub became: Option<u32>,
    /// How many there are.
    pub count: u64,
}

/// For each tuple of the original, what its rows have become.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Origins(pub Vec<Vec<Rows>>);

impl Origins {
    /// By the class of each tuple of the original, where that is known.
    pub fn of_classes(compared: &Compared, classes: &[Option<u32>]) -> Self {
        let Compared { original, release, quasi, .. } = compared;
        let key = |tuples: &Tuples, tuple: usize, class: u32| -> Vec<u32> {
            let codes = tuples.codes[*quasi..].iter().map(|codes| codes[tuple]);
            std::iter::once(class).chain(codes).collect()
        };
        let places = (0..release.counts.len()).map(|tuple| (key(release, tuple, release.classes[tuple]), tuple as u32));
        let place_of: HashMap<Vec<u32>, u32> = places.collect();
        let became = |(tuple, class): (usize, &Option<u32>)| {
            let became = class.and_then(|class| place_of.get(&key(original, tuple, class)).copied());
            vec![Rows { became, count: original.counts[tuple] }]
        };
        Self(classes.iter().enumerate().map(became).collect())
    }

    /// As the release was made. Nothing, if the tables do not show what they should: then this is not that release.
    pub fn of_partition(scene: &Scene<'_>, people: &People, compared: &Compared, made: Made<'_>) -> Option<Self> {
        let Made { table, partition } = made;
        let Compared { original, release, quasi, .. } = compared;
        let by_codes = |tuples: &Tuples| -> HashMap<Vec<u32>, u32> {
            let codes = |tuple: usize| tuples.codes.iter().map(|codes| codes[tuple]).collect();
            (0..tuples.counts.len()).map(|tuple| (codes(tuple), tuple as u32)).collect()
        };
        let (originals, released) = (by_codes(original), by_codes(release));

        // How the codes of the counted table, and the places of labels, are called by those who read texts.
        let values = |column: usize| -> Vec<Option<u32>> {
            let dictionary = people.dictionary(column);
            table.quasi[column].dictionary.values().iter().map(|text| dictionary.code_as_written(text)).collect()
        };
        let values: Vec<Vec<Option<u32>>> = (0..*quasi).map(values).collect();
        let labels = |column: usize| -> Vec<Option<u32>> {
            let known = scene.classes.labels(column);
            let place = |text: &str| known.binary_search_by(|label| label.as_str().cmp(text)).ok().map(|at| at as u32);
            partition.classes.labels(column).iter().map(|label| place(&label.text(&table.quasi[column]))).collect()
        };
        let labels: Vec<Vec<Option<u32>>> = (0..*quasi).map(labels).collect();
        let sensitive = |own: &[SensitiveColumn]| -> Vec<Vec<Option<u32>>> {
            let codes = |(own, shown): (&SensitiveColumn, &SensitiveColumn)| {
                own.values().iter().map(|text| shown.code(text)).collect()
            };
            own.iter().zip(scene.columns).map(codes).collect()
        };
        let (input, output) = (sensitive(&table.sensitive), sensitive(partition.sensitive_columns(table)));
        let renamed = |names: &[Vec<Option<u32>>], codes: &[u32]| -> Option<Vec<u32>> {
            codes.iter().zip(names).map(|(&code, names)| names[code as usize]).collect()
        };

        let mut tuples: Vec<Option<u32>> = Vec::new();
        table.each_tuple(0..table.base.classes(), |codes, _| {
            let key = renamed(&values, &codes[..*quasi]).zip(renamed(&input, &codes[*quasi..]));
            tuples.push(key.and_then(|(quasi, sensitive)| originals.get(&[quasi, sensitive].concat()).copied()));
        });
        let shown = |class: u32, shows: u32| -> Option<u32> {
            let places: Vec<u32> = (0..*quasi).map(|column| partition.classes.place(class, column)).collect();
            let sensitive = match &partition.sensitive {
                None => table.base.sensitive().tuple(shows),
                Some(generalized) => generalized.tuples.tuple(shows),
            };
            released.get(&[renamed(&labels, &places)?, renamed(&output, sensitive)?].concat()).copied()
        };
        let mut origins = vec![Vec::new(); original.counts.len()];
        for part in &partition.assignments {
            let became = match part.class {
                None => None,
                Some(class) => Some(shown(class, part.shows)?),
            };
            origins[tuples[part.tuple as usize]? as usize].push(Rows { became, count: part.count });
        }
        // Rows that were left out before anything else are in no assignment.
        for (rows, &count) in origins.iter_mut().zip(&original.counts) {
            let assigned: u64 = rows.iter().map(|rows| rows.count).sum();
            rows.push(Rows { became: None, count: count.checked_sub(assigned)? });
        }
        Some(Self(origins))
    }
}
