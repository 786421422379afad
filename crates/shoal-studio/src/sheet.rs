//! Which rows does a table have, to be looked at in any order?

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use shoal::init::Looked;
use shoal::risk::grouping::{Coded, Distinction};
use shoal::{Error, Result, Watch};
use shoal_core::table::{Dictionary, DictionaryBuilder, Reading};
use shoal_format::{InputFormat, open};

use crate::bins::Bins;
use crate::wire::{Bar, Distribution};

/// More cells are not kept: 4 bytes each.
const MOST_CELLS: usize = 100_000_000;

/// The rows of a table, each value as a code of a sorted dictionary.
pub struct Sheet {
    /// The columns, in the order of the table.
    pub columns: Vec<SheetColumn>,
    rows: usize,
    /// Rows in the order of a column, once somebody has asked.
    sorted: Mutex<HashMap<usize, Arc<[u32]>>>,
}

/// A column of a sheet.
pub struct SheetColumn {
    /// Its name.
    pub name: String,
    /// Its values in order.
    pub dictionary: Dictionary,
    /// How many rows have each.
    pub counts: Vec<u64>,
    codes: Vec<u32>,
}

impl Sheet {
    /// Reads a table, its first rows at least.
    pub fn read(input: &InputFormat, watch: &dyn Watch) -> Result<Self> {
        let mut reader = open(input)?;
        let names = reader.columns().to_vec();
        let most_rows = MOST_CELLS / names.len().max(1);
        let is_missing = |text: &str| input.missing.iter().any(|marker| marker == text) || text.is_empty();
        let mut columns: Vec<(DictionaryBuilder, Vec<u32>)> = names.iter().map(|_| Default::default()).collect();
        let mut rows = 0;
        watch.begin("reading", None);
        while let Some(batch) = reader.next_batch()? {
            watch.proceed()?;
            let taken = batch.rows().min(most_rows - rows);
            for ((dictionary, codes), cells) in columns.iter_mut().zip(&batch.columns) {
                let cells = cells.text()?;
                codes.extend(cells.iter().take(taken).map(|cell| match cell.filter(|text| !is_missing(text)) {
                    Some(text) => dictionary.code(text),
                    None => dictionary.missing_code(),
                }));
            }
            rows += taken;
            watch.advance(taken as u64);
            if rows == most_rows {
                break;
            }
        }
        watch.end();
        let reading = Reading::from(input.marks);
        let columns = names.into_iter().zip(columns).map(|(name, column)| SheetColumn::new(name, column, reading));
        Ok(Self { columns: columns.collect(), rows, sorted: Mutex::default() })
    }

    /// How many rows can be looked at.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Result<&SheetColumn> {
        let column = self.columns.iter().find(|column| column.name == name);
        column.ok_or_else(|| Error::table("the table has no such column"))
    }

    /// Some rows, in the order of a column or as they stand.
    pub fn places(&self, (start, count): (usize, usize), order: Option<(usize, bool)>) -> Vec<usize> {
        let order = order.map(|(column, descending)| (self.in_order_of(column), descending));
        let row_at = |place: usize| match &order {
            None => place,
            Some((rows, false)) => rows[place] as usize,
            Some((rows, true)) => rows[self.rows - 1 - place] as usize,
        };
        let end = start.saturating_add(count).min(self.rows);
        (start.min(end)..end).map(row_at).collect()
    }

    /// The cells of a row; those of hidden columns are none.
    pub fn cells(&self, row: usize, hidden: &[bool]) -> Vec<Option<String>> {
        let columns = self.columns.iter().zip(hidden);
        columns.map(|(column, &hidden)| column.value(row).filter(|_| !hidden).map(str::to_owned)).collect()
    }

    fn in_order_of(&self, column: usize) -> Arc<[u32]> {
        let mut sorted = self.sorted.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = sorted.entry(column).or_insert_with(|| {
            let codes = &self.columns[column].codes;
            let mut rows: Vec<u32> = (0..self.rows as u32).collect();
            rows.sort_by_key(|&row| codes[row as usize]);
            rows.into()
        });
        Arc::clone(rows)
    }
}

impl Coded for SheetColumn {
    fn code(&self, row: usize) -> u32 {
        self.codes[row]
    }

    fn domain(&self) -> u64 {
        self.dictionary.len() as u64
    }
}

impl Looked for SheetColumn {
    fn name(&self) -> &str {
        &self.name
    }

    fn separation(&self) -> f64 {
        let mut alike = Distinction::default();
        self.counts.iter().filter(|&&count| count > 0).for_each(|&count| alike.add(count));
        alike.separation().unwrap_or(0.0)
    }
}

impl SheetColumn {
    fn new(name: String, (builder, codes): (DictionaryBuilder, Vec<u32>), reading: Reading) -> Self {
        let (dictionary, sorted) = builder.finish("", reading);
        let mut counts = vec![0; dictionary.len()];
        let codes: Vec<u32> = codes.into_iter().map(|code| sorted[code as usize]).collect();
        codes.iter().for_each(|&code| counts[code as usize] += 1);
        Self { name, dictionary, counts, codes }
    }

    /// The value of a row; none where it is missing.
    pub fn value(&self, row: usize) -> Option<&str> {
        let code = self.codes[row];
        (self.dictionary.missing() != Some(code)).then(|| self.dictionary.value(code))
    }

    /// How its values are distributed.
    pub fn distribution(&self, hidden: bool) -> Distribution {
        let rows: u64 = self.counts.iter().sum();
        let bins = Bins::of(&(&self.dictionary).into(), &self.counts);
        let (sums, others) = bins.sums(&self.counts);
        let name = self.name.clone();
        if hidden {
            let missing = self.dictionary.missing().map_or(0, |code| self.counts[code as usize]);
            let (others, other_rows) = (self.dictionary.present().len() as u64, rows - missing);
            return Distribution { name, is_ordered: false, bars: Vec::new(), others, other_rows, hidden, rows };
        }
        let bars = bins.labels.into_iter().zip(sums).map(|(label, rows)| Bar { label, rows }).collect();
        Distribution {
            name,
            is_ordered: bins.is_ordered,
            bars,
            others: bins.others as u64,
            other_rows: others,
            hidden,
            rows,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal::Unwatched;

    fn sheet(text: &str) -> Sheet {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        std::fs::write(&path, text).unwrap();
        Sheet::read(&InputFormat { missing: vec!["?".to_owned()], ..InputFormat::new(&path) }, &Unwatched).unwrap()
    }

    #[test]
    fn rows_come_in_any_order_and_hidden_columns_are_empty() {
        let sheet = sheet("age,name\n31,b\n4,a\n?,c\n20,d\n");
        let ages = |order| -> Vec<Option<String>> {
            let places = sheet.places((0, 9), order);
            places.into_iter().map(|row| sheet.cells(row, &[false, false]).swap_remove(0)).collect()
        };
        let texts =
            |ages: &[Option<&str>]| -> Vec<Option<String>> { ages.iter().map(|age| age.map(str::to_owned)).collect() };
        assert_eq!(ages(None), texts(&[Some("31"), Some("4"), None, Some("20")]));
        // Numbers are in the order of numbers, and a missing one comes last.
        assert_eq!(ages(Some((0, false))), texts(&[Some("4"), Some("20"), Some("31"), None]));
        assert_eq!(ages(Some((0, true))), texts(&[None, Some("31"), Some("20"), Some("4")]));
        assert_eq!(sheet.places((0, 9), Some((0, true))), [2, 0, 3, 1]);
        let hidden: Vec<_> =
            sheet.places((1, 2), None).into_iter().map(|row| sheet.cells(row, &[false, true])).collect();
        assert_eq!(hidden, [vec![Some("4".to_owned()), None], vec![None, None]]);
        assert!(sheet.places((9, 2), None).is_empty());
    }

    #[test]
    fn a_distribution_counts_every_row_once() {
        let numbers: String = (0..200).map(|number| format!("{},x{}\n", number % 97, number % 40)).collect();
        let sheet = sheet(&format!("age,code\n{numbers}?,x\n"));
        for column in &sheet.columns {
            let shown = column.distribution(false);
            assert_eq!(shown.bars.iter().map(|bar| bar.rows).sum::<u64>() + shown.other_rows, 201, "{shown:?}");
            assert!(shown.bars.len() <= crate::bins::MOST_BINS + 1, "{shown:?}");
            let hidden = column.distribution(true);
            assert!(hidden.bars.is_empty() && hidden.hidden);
        }
        let age = sheet.columns[0].distribution(false);
        assert!(age.is_ordered && age.bars[0].label == "0 – 5" && age.bars[0].rows == 15, "{age:?}");
    }
}
