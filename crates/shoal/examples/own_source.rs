//! Anonymizes rows that are kept in a way of one's own: whoever can read them from the beginning, twice, has a table.
//!
//!     cargo run -p shoal --example own_source

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray, UInt32Array};
use shoal::{Batch, Cells, LocalSource, OpenRows, Policy, Result, Table, TableReader, Unwatched, Writing, hierarchy};

/// A store of one's own: visits by their number.
struct Visits(BTreeMap<u64, Visit>);

struct Visit {
    born: u32,
    ward: &'static str,
    diagnosis: &'static str,
}

/// The columns that its table has.
const COLUMNS: [&str; 3] = ["born", "ward", "diagnosis"];

/// Reads visits, some at a time.
struct VisitReader {
    visits: Arc<Visits>,
    columns: Vec<String>,
    /// How many were read.
    read: usize,
}

impl OpenRows for Visits {
    fn name(&self) -> String {
        "the visits".to_owned()
    }

    fn open(self: Arc<Self>) -> Result<Box<dyn TableReader>> {
        Ok(Box::new(VisitReader { visits: self, columns: COLUMNS.map(str::to_owned).to_vec(), read: 0 }))
    }
}

impl TableReader for VisitReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let next: Vec<&Visit> = self.visits.0.values().skip(self.read).take(1000).collect();
        if next.is_empty() {
            return Ok(None);
        }
        let born: ArrayRef = Arc::new(UInt32Array::from_iter_values(next.iter().map(|visit| visit.born)));
        let ward: ArrayRef = Arc::new(StringArray::from_iter_values(next.iter().map(|visit| visit.ward)));
        let diagnosis: ArrayRef = Arc::new(StringArray::from_iter_values(next.iter().map(|visit| visit.diagnosis)));
        let columns = [born, ward, diagnosis].map(Cells::Typed).to_vec();
        let first_row = self.read as u64 + 1;
        self.read += next.len();
        Ok(Some(Batch { first_row, columns }))
    }
}

/// Runs the example.
pub fn main() -> Result<()> {
    let visit = |number: u64| Visit {
        born: 1940 + (number * 13 % 60) as u32,
        ward: ["east", "north", "west"][number as usize % 3],
        diagnosis: ["asthma", "flu", "gout"][number as usize / 4 % 3],
    };
    let visits = Arc::new(Visits((0..2500).map(|number| (number, visit(number))).collect()));
    let policy = Policy::builder()
        .quasi("born", hierarchy::intervals([5, 10, 20, 60]))
        .quasi("ward", hierarchy::suppress())
        .sensitive("diagnosis")
        .require("k-anonymity", [("k", 25)])
        .method("mondrian")
        .build()?;
    let source = LocalSource::to_read(Table::Rows(visits)).into_memory();
    let release = shoal::anonymize(source, &policy, Writing::new(), &Unwatched)?;
    println!("{} classes, the smallest of {} rows", release.measured.classes, release.measured.smallest);
    Ok(())
}
