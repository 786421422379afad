//! Is what somebody else's reader hands over a table?

use arrow_schema::DataType;

use super::block::Content;
use super::{Batch, Block, Cells, Dialect, TableReader, column_names};
use shoal_core::{Error, Result};

/// A reader that is held to what it says of its columns: a column that is missing, too long or too short would put values beside
/// those of somebody else.
struct Checked {
    reader: Box<dyn TableReader>,
    name: String,
}

/// The same rows, or an error where they are none of a table; `name` is what the table is called in messages.
pub fn checked(reader: Box<dyn TableReader>, name: String) -> Result<Box<dyn TableReader>> {
    column_names::check(reader.columns()).map_err(|error| error.at(&name))?;
    Ok(Box::new(Checked { reader, name }))
}

impl Checked {
    fn check(&self, batch: &Batch) -> Result<()> {
        let names = self.reader.columns();
        let wrong = |what: String| {
            Err(Error::table(what).at(&self.name).hint("a batch has all columns, and each of them all of its rows"))
        };
        if batch.columns.len() != names.len() {
            return wrong(format!("a batch has {} columns of {}", batch.columns.len(), names.len()));
        }
        let lengths = batch.columns.iter().map(Cells::len);
        match names.iter().zip(lengths).find(|(_, length)| *length != batch.rows()) {
            Some((name, length)) => wrong(format!("column `{name}` of a batch of {} rows has {length}", batch.rows())),
            None => Ok(()),
        }
    }
}

impl TableReader for Checked {
    fn columns(&self) -> &[String] {
        self.reader.columns()
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        let batch = self.reader.next_batch()?;
        batch.iter().try_for_each(|batch| self.check(batch))?;
        Ok(batch)
    }

    fn next_block(&mut self, block: &mut Block) -> Result<bool> {
        let is_some = self.reader.next_block(block)?;
        if let Content::Batch(batch) = &block.content {
            self.check(batch)?;
        }
        Ok(is_some)
    }

    fn explain(&self, error: Error) -> Error {
        self.reader.explain(error)
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        self.reader.data_type(column)
    }

    fn dialect(&self) -> Dialect {
        self.reader.dialect()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::StringArray;

    use super::*;

    /// Hands over one batch of columns of these lengths.
    struct Ragged(Vec<String>, Option<Vec<usize>>);

    impl TableReader for Ragged {
        fn columns(&self) -> &[String] {
            &self.0
        }

        fn next_batch(&mut self) -> Result<Option<Batch>> {
            let cells = |rows: usize| Cells::Text(StringArray::from(vec!["a"; rows]));
            Ok(self.1.take().map(|rows| Batch { first_row: 1, columns: rows.into_iter().map(cells).collect() }))
        }
    }

    fn read(names: &[&str], rows: &[usize]) -> Result<Option<Batch>> {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let reader = || Box::new(Ragged(names.clone(), Some(rows.to_vec())));
        let mut block = Block::default();
        let of_block = checked(reader(), "the list".to_owned())?.next_block(&mut block);
        let of_batch = checked(reader(), "the list".to_owned())?.next_batch();
        assert_eq!(of_block.is_ok(), of_batch.is_ok(), "rows come in batches or in blocks");
        of_batch
    }

    #[test]
    fn rows_that_are_none_of_a_table_are_refused() {
        assert!(read(&["age", "sex"], &[2, 2]).is_ok_and(|batch| batch.is_some()));
        let refusal = |names: &[&str], rows: &[usize]| read(names, rows).expect_err("refused").message().to_owned();
        assert_eq!(refusal(&["age", "sex"], &[2]), "the list: a batch has 1 columns of 2");
        assert_eq!(refusal(&["age"], &[2, 2]), "the list: a batch has 2 columns of 1");
        assert_eq!(refusal(&["age", "sex"], &[2, 3]), "the list: column `sex` of a batch of 2 rows has 3");
        assert_eq!(refusal(&["age", "sex"], &[2, 0]), "the list: column `sex` of a batch of 2 rows has 0");
        assert_eq!(refusal(&["age", "age"], &[2, 2]), "the list: columns 1 and 2 are both named `age`");
    }
}
