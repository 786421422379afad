//! What does somebody see who has only the published table?
//!
//! Everything here is counted from the text of the cells, by code of its own: it shares neither codes nor counts with
//! the search whose result it judges.

use std::collections::{BTreeMap, HashMap};

use crate::error::nearest;
use crate::format::TableReader;
use crate::frequency::{EquivalenceClass, SensitiveColumn, SensitiveTuples, TableProfile};
use crate::model::{OneOrTwo, Quantity, Requirement, worst};
use crate::progress::Progress;
use crate::table::MissingMarkers;
use crate::{Error, Result};

/// The cell of a suppressed row that was kept.
pub const SUPPRESSED_CELL: &str = "*";

/// A published table, counted by the text of its cells.
#[derive(Debug)]
pub struct OutsiderTable {
    /// The names of all its columns.
    pub columns: Vec<String>,
    /// How many rows it has, exempt ones left out.
    pub rows: u64,
    /// How many rows consist of `*` only, where those are exempt.
    pub exempt_rows: u64,
    quasi: usize,
    /// The distinct texts of each counted column, quasi-identifiers first.
    texts: Vec<Vec<String>>,
    counts: HashMap<Vec<u32>, u64>,
    /// Whether each counted column has a missing value, and how that is written.
    missing: Vec<Option<String>>,
}

/// What models reach on a table, and how large its classes are.
#[derive(Debug)]
pub struct Measured {
    /// For each requirement, the worst over all classes.
    pub achieved: Vec<OneOrTwo<Quantity>>,
    /// How many classes there are.
    pub classes: u64,
    /// The size of the smallest.
    pub smallest: u64,
    /// The size of the largest.
    pub largest: u64,
    /// How many rows are alone in their class.
    pub alone: u64,
}

impl OutsiderTable {
    /// Reads and counts a table. Rows whose every cell is a `*` are set apart if `exempt_suppressed`.
    pub fn read(
        reader: &mut dyn TableReader,
        quasi: &[String],
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt_suppressed: bool,
        progress: &dyn Progress,
    ) -> Result<Self> {
        let columns = reader.columns().to_vec();
        let place = |name: &String| {
            let place = columns.iter().position(|column| column == name);
            place.ok_or_else(|| {
                let error = Error::new(format!("the table has no column `{name}`"));
                match nearest(name, columns.iter().map(String::as_str)) {
                    Some(near) => error.hint(format!("did you mean `{near}`?")),
                    None => error.hint(format!("it has {}", columns.join(", "))),
                }
            })
        };
        let places: Vec<usize> = quasi.iter().chain(sensitive).map(place).collect::<Result<_>>()?;
        let mut table = Self {
            columns: columns.clone(),
            rows: 0,
            exempt_rows: 0,
            quasi: quasi.len(),
            texts: vec![Vec::new(); places.len()],
            counts: HashMap::new(),
            missing: vec![None; places.len()],
        };
        let mut codes: Vec<HashMap<String, u32>> = vec![HashMap::new(); places.len()];
        while let Some(batch) = reader.next_batch()? {
            let exempt = if exempt_suppressed { all_stars(&batch)? } else { vec![false; batch.rows()] };
            let texts = places.iter().map(|&place| batch.columns[place].text()).collect::<Result<Vec<_>>>()?;
            for (row, exempt) in exempt.into_iter().enumerate() {
                if exempt {
                    table.exempt_rows += 1;
                    continue;
                }
                let mut tuple = Vec::with_capacity(places.len());
                for (column, cells) in texts.iter().enumerate() {
                    let cell = arrow_array::Array::is_valid(cells.as_ref(), row).then(|| cells.value(row));
                    let text = match cell.filter(|cell| !markers.contain(cell)) {
                        Some(text) => text,
                        None => table.missing[column].get_or_insert_with(|| markers.first().to_owned()),
                    };
                    let known = codes[column].get(text).copied();
                    let code = known.unwrap_or_else(|| {
                        let next = table.texts[column].len() as u32;
                        table.texts[column].push(text.to_owned());
                        codes[column].insert(text.to_owned(), next);
                        next
                    });
                    tuple.push(code);
                }
                table.rows += 1;
                *table.counts.entry(tuple).or_default() += 1;
            }
            progress.advance(batch.rows() as u64);
        }
        Ok(table)
    }

    /// The distinct texts of a sensitive column, the number of rows with each, and how a missing value is written
    /// if one occurs.
    pub fn sensitive_values(&self, index: usize) -> (Vec<(&str, u64)>, Option<&str>) {
        let column = self.quasi + index;
        let mut counts = vec![0u64; self.texts[column].len()];
        self.counts.iter().for_each(|(tuple, count)| counts[tuple[column] as usize] += count);
        let values = self.texts[column].iter().map(String::as_str).zip(counts).collect();
        (values, self.missing[column].as_deref())
    }

    /// The classes as an outsider sees them: for each text of the quasi-identifiers, the sensitive texts and counts.
    fn classes(&self) -> Vec<Vec<(&[u32], u64)>> {
        let mut classes: BTreeMap<&[u32], Vec<(&[u32], u64)>> = BTreeMap::new();
        for (tuple, &count) in &self.counts {
            let (quasi, sensitive) = tuple.split_at(self.quasi);
            classes.entry(quasi).or_default().push((sensitive, count));
        }
        classes.into_values().collect()
    }

    /// Measures requirements on every class. `columns` are what the models were resolved against; `input` is the input's
    /// distribution, for models that compare with it.
    pub fn measure(
        &self,
        columns: &[SensitiveColumn],
        requirements: &[Requirement],
        input: Option<&TableProfile>,
    ) -> Result<Measured> {
        let codes = self.model_codes(columns)?;
        let to_model = |tuple: &[u32]| -> Vec<u32> {
            tuple.iter().enumerate().map(|(column, &code)| codes[column][code as usize]).collect()
        };
        let classes: Vec<BTreeMap<Vec<u32>, u64>> = self
            .classes()
            .into_iter()
            .map(|class| class.into_iter().map(|(tuple, count)| (to_model(tuple), count)).collect())
            .collect();
        let mut distinct: Vec<&Vec<u32>> = classes.iter().flat_map(BTreeMap::keys).collect();
        distinct.sort();
        distinct.dedup();
        let tuples = SensitiveTuples::new(columns.len(), distinct.iter().copied().flatten().copied().collect());
        let profile = self.profile(columns, &codes, input);
        let mut measured = Measured { achieved: Vec::new(), classes: 0, smallest: u64::MAX, largest: 0, alone: 0 };
        for class in &classes {
            let places: Vec<u32> =
                class.keys().map(|tuple| distinct.binary_search(&tuple).expect("it was collected") as u32).collect();
            let counts: Vec<u64> = class.values().copied().collect();
            measured.add(&EquivalenceClass::new(&tuples, &places, &counts), requirements, &profile);
        }
        Ok(measured)
    }

    /// For each sensitive column, the models' code for each of our texts.
    fn model_codes(&self, columns: &[SensitiveColumn]) -> Result<Vec<Vec<u32>>> {
        let of_column = |(index, column): (usize, &SensitiveColumn)| {
            let unknown =
                || Error::new(format!("column `{}` of the release shows a value that the input lacks", column.name()));
            let code = |text: &String| column.code(text).ok_or_else(unknown);
            self.texts[self.quasi + index].iter().map(code).collect()
        };
        columns.iter().enumerate().map(of_column).collect()
    }

    fn profile(&self, columns: &[SensitiveColumn], codes: &[Vec<u32>], input: Option<&TableProfile>) -> TableProfile {
        let mut counts: Vec<Vec<u64>> = columns.iter().map(|column| vec![0; column.codes()]).collect();
        for (tuple, &count) in &self.counts {
            for (column, &code) in tuple[self.quasi..].iter().enumerate() {
                counts[column][codes[column][code as usize] as usize] += count;
            }
        }
        TableProfile::of_counts(columns, &counts, self.rows, input)
    }
}

impl Measured {
    fn add(&mut self, class: &EquivalenceClass<'_>, requirements: &[Requirement], profile: &TableProfile) {
        self.classes += 1;
        self.smallest = self.smallest.min(class.size());
        self.largest = self.largest.max(class.size());
        self.alone += u64::from(class.size() == 1);
        let measured = requirements.iter().map(|requirement| requirement.model.measure(class, profile));
        if self.achieved.is_empty() {
            self.achieved = measured.collect();
            return;
        }
        for ((so_far, measured), requirement) in self.achieved.iter_mut().zip(measured).zip(requirements) {
            *so_far = worst(requirement.model.bounds(), *so_far, measured);
        }
    }
}

/// For each row, whether every cell is a `*`.
fn all_stars(batch: &crate::format::Batch) -> Result<Vec<bool>> {
    let mut stars = vec![true; batch.rows()];
    for cells in &batch.columns {
        let texts = cells.text()?;
        for (row, star) in stars.iter_mut().enumerate() {
            *star &= arrow_array::Array::is_valid(texts.as_ref(), row) && texts.value(row) == SUPPRESSED_CELL;
        }
    }
    Ok(stars)
}
