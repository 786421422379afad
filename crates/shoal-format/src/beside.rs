//! How are two tables read row by row, one beside the other?

use super::{Batch, Cells, TableReader};
use shoal_core::Result;

/// Reads the first row of both, the second of both, and so on. The columns of the second table come after those of the first,
/// under names that the first does not have.
pub struct BesideReader<'a> {
    sides: [Side<'a>; 2],
    columns: Vec<String>,
    rows: u64,
    is_even: bool,
}

struct Side<'a> {
    reader: &'a mut dyn TableReader,
    /// Rows that were read, but not handed out.
    waiting: Option<Batch>,
}

impl<'a> BesideReader<'a> {
    /// Both must be at their first row.
    pub fn new(first: &'a mut dyn TableReader, second: &'a mut dyn TableReader) -> Self {
        let mut columns = first.columns().to_vec();
        for name in second.columns() {
            let mut name = Self::name_of_second(name);
            while columns.contains(&name) {
                name = Self::name_of_second(&name);
            }
            columns.push(name);
        }
        let sides = [first, second].map(|reader| Side { reader, waiting: None });
        Self { sides, columns, rows: 0, is_even: true }
    }

    fn name_of_second(name: &str) -> String {
        format!("{name} beside")
    }

    /// Did both end with the same row? Known once all is read.
    pub fn is_even(&self) -> bool {
        self.is_even
    }
}

impl Side<'_> {
    fn rows(&mut self) -> Result<usize> {
        while self.waiting.as_ref().is_none_or(|batch| batch.rows() == 0) {
            self.waiting = self.reader.next_batch()?;
            if self.waiting.is_none() {
                return Ok(0);
            }
        }
        Ok(self.waiting.as_ref().map_or(0, Batch::rows))
    }

    fn take(&mut self, rows: usize) -> Vec<Cells> {
        let Some(batch) = &mut self.waiting else { return Vec::new() };
        let all = batch.rows();
        let taken = batch.columns.iter().map(|cells| cells.slice(0, rows)).collect();
        batch.columns = batch.columns.iter().map(|cells| cells.slice(rows, all - rows)).collect();
        taken
    }
}

impl TableReader for BesideReader<'_> {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let [first, second] = &mut self.sides;
        let (here, there) = (first.rows()?, second.rows()?);
        let rows = here.min(there);
        if rows == 0 {
            self.is_even = here == there;
            return Ok(None);
        }
        let columns = [first.take(rows), second.take(rows)].concat();
        let first_row = self.rows + 1;
        self.rows += rows as u64;
        Ok(Some(Batch { first_row, columns }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{InputFormat, open};
    use super::*;

    fn beside(first: &str, second: &str) -> (Vec<String>, Vec<Vec<String>>, bool) {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("first.csv"), first).unwrap();
        std::fs::write(path("second.jsonl"), second).unwrap();
        let mut first = open(&InputFormat::new(path("first.csv"))).unwrap();
        let mut second = open(&InputFormat::new(path("second.jsonl"))).unwrap();
        let mut reader = BesideReader::new(first.as_mut(), second.as_mut());
        let mut rows = Vec::new();
        while let Some(batch) = reader.next_batch().unwrap() {
            for row in 0..batch.rows() {
                let cell = |cells: &Cells| cells.text().unwrap().value(row).to_owned();
                rows.push(batch.columns.iter().map(cell).collect());
            }
        }
        (reader.columns().to_vec(), rows, reader.is_even())
    }

    #[test]
    fn rows_stand_beside_each_other() {
        let (columns, rows, is_even) =
            beside("a,s beside\n1,x\n2,y\n", "{\"a\":\"A\",\"s\":3}\n{\"a\":\"B\",\"s\":4}\n");
        assert_eq!(columns, ["a", "s beside", "a beside", "s beside beside"]);
        assert_eq!(rows, [["1", "x", "A", "3"], ["2", "y", "B", "4"]]);
        assert!(is_even);
    }

    #[test]
    fn tables_of_different_length_are_uneven() {
        let (_, rows, is_even) = beside("a,b\n1,1\n2,2\n", "{\"c\":1}\n");
        assert_eq!((rows.len(), is_even), (1, false));
    }
}
