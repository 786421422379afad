//! What can a sensitive value be generalized to, and what do the requirements make of it?

use serde_json::Value;

use super::super::Task;
use crate::frequency::{Induction, SensitiveColumn, SensitiveTuples};
use crate::model::Requirement;

/// The sensitive columns of a table, one of which may show every node of its hierarchy.
#[derive(Debug)]
pub(super) struct Generalizable {
    pub(super) columns: Vec<SensitiveColumn>,
    pub(super) requirements: Vec<Requirement>,
    pub(super) tuples: SensitiveTuples,
    /// For each code of that column, the one above it.
    pub(super) parents: Vec<Option<u32>>,
    column: usize,
    /// For each sensitive tuple of the table, its place among `tuples`.
    places: Vec<u32>,
}

impl Generalizable {
    /// An error is the reason why values of this column cannot be generalized.
    pub(super) fn new(task: &Task<'_>, column: usize) -> Result<Self, String> {
        let mut columns = task.table.sensitive.clone();
        let name = columns[column].name().to_owned();
        let parents = columns[column]
            .add_every_node()
            .ok_or_else(|| format!("values of `{name}` have no hierarchy along which they could be generalized"))?;
        let Some(resolver) = task.resolver else { return Err("nobody says what generalized values count for".into()) };
        let requirements = resolver.resolve(&columns).map_err(|error| error.message().to_owned())?;
        let base = task.table.base.sensitive();
        let tuples = all_tuples(base, column, &parents, columns[column].codes());
        let mut all = Self { columns, requirements, tuples, parents, column, places: Vec::new() };
        all.places = (0..base.len() as u32).map(|tuple| all.place(base.tuple(tuple))).collect();
        Ok(all)
    }

    fn place(&self, codes: &[u32]) -> u32 {
        let (mut low, mut high) = (0, self.tuples.len() as u32);
        while low + 1 < high {
            let middle = low.midpoint(high);
            if self.tuples.tuple(middle) <= codes { low = middle } else { high = middle }
        }
        low
    }

    /// The tuple that shows what a tuple of the table shows.
    pub(super) fn of_table(&self, tuple: u32) -> u32 {
        self.places[tuple as usize]
    }

    /// The tuple with another code in the column.
    pub(super) fn with_code(&self, tuple: u32, code: u32) -> u32 {
        let mut codes = self.tuples.tuple(tuple).to_vec();
        codes[self.column] = code;
        self.place(&codes)
    }

    /// How values spread over leaves, unless that follows from what the release shows.
    pub(super) fn fixed_induction(&self, weights: Option<&Value>) -> Option<Induction> {
        fixed_induction(&self.columns[self.column], weights)
    }

    /// The same, and where it follows from that, as if the input were released.
    pub(super) fn induction_of_input(&self, weights: Option<&Value>) -> Induction {
        induction(&self.columns[self.column], weights)
    }

    /// How values spread over leaves where so many records of a release that tells it show each code.
    pub(super) fn induction_of(&self, shown: &[u64]) -> Induction {
        let column = &self.columns[self.column];
        column.induction(&shown[..column.leaves()])
    }

    /// Does a tuple show a generalized value?
    pub(super) fn is_generalized(&self, tuple: u32) -> bool {
        self.tuples.tuple(tuple)[self.column] as usize >= self.columns[self.column].leaves()
    }
}

/// How values of a column spread over its leaves, by the weights of a requirement or the usual ones; nothing where the release
/// is to tell them.
fn fixed_induction(column: &SensitiveColumn, weights: Option<&Value>) -> Option<Induction> {
    match weights {
        None => Some(column.induction(&column.default_weights())),
        Some(Value::Object(written)) => {
            let weight = |value: &str| written.get(value).and_then(Value::as_f64).unwrap_or(0.0);
            Some(column.induction(&column.weights(weight)))
        }
        Some(_) => None,
    }
}

/// The same, and where the release is to tell weights, those of the input: they are the release's until something is generalized.
pub(super) fn induction(column: &SensitiveColumn, weights: Option<&Value>) -> Induction {
    fixed_induction(column, weights).unwrap_or_else(|| column.induction(&column.input_counts()[..column.leaves()]))
}

/// Every tuple of the table with every code that its value in the column can become.
fn all_tuples(base: &SensitiveTuples, column: usize, parents: &[Option<u32>], codes: usize) -> SensitiveTuples {
    if base.columns() == 1 {
        return SensitiveTuples::new(1, (0..codes as u32).collect());
    }
    let mut all: Vec<Vec<u32>> = Vec::new();
    for tuple in 0..base.len() as u32 {
        let mut codes = base.tuple(tuple).to_vec();
        let mut next = Some(codes[column]);
        while let Some(code) = next {
            codes[column] = code;
            all.push(codes.clone());
            next = parents[code as usize];
        }
    }
    all.sort_unstable();
    all.dedup();
    SensitiveTuples::new(base.columns(), all.concat())
}
