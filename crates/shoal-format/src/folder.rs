//! How is a folder of many files read as one table?

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::{ArrayRef, StringArray};
use arrow_schema::DataType;

use super::folder_parts::{self, Part};
use super::{Batch, Block, Cells, Dialect, InputFormat, TableReader, block, open};
use shoal_core::{Error, Result};

/// Reads the files of a folder one after the other, in the order of their paths. What the names of folders say
/// (`year=2024/`) become columns after those of the files.
pub(super) struct FolderReader {
    folder: PathBuf,
    parts: Vec<Part>,
    /// How each part is written; whether it has a header is known from the first.
    input: InputFormat,
    columns: Vec<String>,
    data_types: Vec<Option<DataType>>,
    dialect: Dialect,
    /// The part that is being read, and its place.
    current: Option<Box<dyn TableReader>>,
    place: usize,
    /// How many rows were handed out, where they are counted.
    rows: u64,
}

impl FolderReader {
    /// Finds the files and opens the first.
    pub(super) fn open(input: &InputFormat) -> Result<Self> {
        let parts = folder_parts::of(&input.path)?;
        let mut input = InputFormat { is_part: true, ..input.clone() };
        let first = open(&InputFormat { path: parts[0].path.clone(), ..input.clone() })?;
        let dialect = first.dialect();
        input.header = input.header.or(Some(dialect.header));
        let own = first.columns().len();
        let data_types = (0..own).map(|column| first.data_type(column)).collect();
        let columns: Vec<String> = first.columns().iter().chain(parts[0].names()).cloned().collect();
        super::column_names::check(&columns).map_err(|error| error.at(input.path.display()))?;
        let folder = input.path.clone();
        Ok(Self { folder, parts, input, columns, data_types, dialect, current: Some(first), place: 0, rows: 0 })
    }

    /// The part that has rows left, perhaps.
    fn current(&mut self) -> Result<Option<&mut Box<dyn TableReader>>> {
        if self.current.is_none() && self.place < self.parts.len() {
            self.current = Some(self.open_part(&self.parts[self.place])?);
        }
        Ok(self.current.as_mut())
    }

    fn finish_part(&mut self) {
        self.current = None;
        self.place += 1;
    }

    /// Opens a part, which must look like the first.
    fn open_part(&self, part: &Part) -> Result<Box<dyn TableReader>> {
        let reader = open(&InputFormat { path: part.path.clone(), ..self.input.clone() })?;
        let own = &self.columns[..self.data_types.len()];
        let differs = |what: String| {
            let message = format!("{}: {what}", part.path.display());
            let first = self.parts[0].path.display();
            Err(Error::table(message).detail(format!("all files of a folder are one table, and {first} came first")))
        };
        if reader.columns() != own {
            let other = |&(ours, theirs): &(&String, &String)| ours != theirs;
            return match own.iter().zip(reader.columns()).find(other) {
                Some((ours, theirs)) => differs(format!("column `{theirs}` where others have `{ours}`")),
                None => differs(format!("{} columns where others have {}", reader.columns().len(), own.len())),
            };
        }
        match (0..own.len()).find(|&column| reader.data_type(column) != self.data_types[column]) {
            Some(column) => differs(format!("column `{}` has another type than in other files", own[column])),
            None => Ok(reader),
        }
    }

    /// Whether parts say all themselves, so that their blocks can be handed on.
    fn is_plain(&self) -> bool {
        self.columns.len() == self.data_types.len()
    }

    fn check_rows(&self, any: bool) -> Result<()> {
        if any {
            Ok(())
        } else {
            Err(Error::table(format!("{} has no rows in any of its files", self.folder.display())))
        }
    }
}

impl TableReader for FolderReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        while let Some(part) = self.current()? {
            let Some(mut batch) = part.next_batch()? else {
                self.finish_part();
                continue;
            };
            let (rows, place) = (batch.rows(), self.place);
            batch.first_row = self.rows + 1;
            self.rows += rows as u64;
            batch.columns.extend(self.parts[place].values().map(|value| repeated(value, rows)));
            return Ok(Some(batch));
        }
        self.check_rows(self.rows > 0).map(|()| None)
    }

    fn next_block(&mut self, block: &mut Block) -> Result<bool> {
        if !self.is_plain() {
            let batch = self.next_batch()?;
            let is_some = batch.is_some();
            block.content = batch.map_or(block::Content::Nothing, block::Content::Batch);
            return Ok(is_some);
        }
        while let Some(part) = self.current()? {
            if part.next_block(block)? {
                self.rows += 1;
                return Ok(true);
            }
            self.finish_part();
        }
        self.check_rows(self.rows > 0).map(|()| false)
    }

    /// Reads the parts once more, up to what is wrong with one of them.
    fn explain(&self, error: Error) -> Error {
        let read = || -> Result<()> {
            for part in self.parts.iter().take(self.place + 1) {
                let mut reader = self.open_part(part)?;
                while reader.next_batch()?.is_some() {}
            }
            Ok(())
        };
        read().err().unwrap_or(error)
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        match self.data_types.get(column) {
            Some(data_type) => data_type.clone(),
            // Beside typed columns, what folders are named after is text of a type, too.
            None => self.data_types.iter().any(Option::is_some).then_some(DataType::Utf8),
        }
    }

    fn dialect(&self) -> Dialect {
        self.dialect.clone()
    }
}

/// The same value in all rows.
fn repeated(value: Option<&str>, rows: usize) -> Cells {
    let cells: StringArray = std::iter::repeat_n(value, rows).collect();
    Cells::Typed(Arc::new(cells) as ArrayRef)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tempfile::TempDir;

    use super::*;
    use crate::sample_files::{Rows, read};
    use crate::{Wanted, rows_side_by_side};

    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = TempDir::new().expect("a folder");
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        folder
    }

    fn cells(rows: &[&[&str]]) -> Rows {
        let cell = |cell: &&str| (*cell != "-").then(|| (*cell).to_owned());
        rows.iter().map(|row| row.iter().map(cell).collect()).collect()
    }

    fn refusal(folder: &Path) -> String {
        let error = read(&InputFormat::new(folder)).expect_err("no table").to_string();
        error.replace(&folder.display().to_string(), "FOLDER")
    }

    /// What threads see who take the table block by block.
    fn by_blocks(folder: &Path) -> Result<Rows> {
        let mut reader = open(&InputFormat::new(folder))?;
        let wanted = Wanted::all(reader.columns().len());
        let mut workers = vec![Rows::new()];
        rows_side_by_side(reader.as_mut(), &wanted, &mut workers, |seen, rows, _| {
            let row = |row| (0..wanted.len()).map(|slot| rows.cell(row, slot).map(str::to_owned)).collect();
            seen.extend((0..rows.len()).map(row));
            Ok(())
        })?;
        Ok(workers.remove(0))
    }

    #[test]
    fn files_follow_one_another_by_name_and_each_may_be_written_its_own_way() {
        let folder = folder(&[
            ("b.csv", "age;zip\n3;c\n"),
            ("a.csv", "age,zip\n1,a\n2,\"b,b\"\n"),
            ("c.tsv", "age\tzip\n"),
            ("_SUCCESS", ""),
            (".a.csv.crc", "x"),
            ("empty.csv", ""),
            ("more/d.csv", "age,zip\n4,d\n"),
        ]);
        let expected = cells(&[&["1", "a"], &["2", "b,b"], &["3", "c"], &["4", "d"]]);
        assert_eq!(
            read(&InputFormat::new(folder.path())).expect("a table"),
            (vec!["age".into(), "zip".into()], expected.clone())
        );
        assert_eq!(by_blocks(folder.path()).expect("a table"), expected);
    }

    #[test]
    fn names_of_folders_are_columns() {
        let folder = folder(&[
            ("year=2023/sex=f/a.csv", "age\n1\n"),
            ("year=2024/sex=__HIVE_DEFAULT_PARTITION__/a.csv", "age\n2\n"),
        ]);
        let expected = cells(&[&["1", "2023", "f"], &["2", "2024", "-"]]);
        let (columns, rows) = read(&InputFormat::new(folder.path())).expect("a table");
        assert_eq!((columns.join(","), rows), ("age,year,sex".to_owned(), expected.clone()));
        assert_eq!(by_blocks(folder.path()).expect("a table"), expected);
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_keeps_its_types() {
        use crate::sample_files::{SampleFile, rows, text_columns};

        let folder = TempDir::new().expect("a folder");
        for (name, value) in [("a.parquet", "1"), ("b.parquet", "2")] {
            let mut columns = text_columns(&["n"]);
            columns[0].data_type = Some(DataType::Int32);
            let part = SampleFile::written(name, &columns, &[Cells::Text(vec![value].into())], &Dialect::default());
            fs::copy(&part.path, folder.path().join(name)).expect("copied");
        }
        let mut reader = open(&InputFormat::new(folder.path())).expect("a table");
        assert_eq!(reader.data_type(0), Some(DataType::Int32));
        assert_eq!(rows(reader.as_mut()).expect("rows"), cells(&[&["1"], &["2"]]));
        let part = SampleFile::written(
            "c.parquet",
            &text_columns(&["n"]),
            &[Cells::Text(vec!["x"].into())],
            &Dialect::default(),
        );
        fs::copy(&part.path, folder.path().join("c.parquet")).expect("copied");
        assert!(
            refusal(folder.path()).starts_with("FOLDER/c.parquet: column `n` has another type than in other files")
        );
    }

    #[test]
    fn what_is_not_one_table_is_refused_with_the_file() {
        let columns = folder(&[("a.csv", "age,zip\n1,2\n"), ("b.csv", "age,job\n1,2\n")]);
        assert!(refusal(columns.path()).starts_with("FOLDER/b.csv: column `job` where others have `zip`"));
        let formats = folder(&[("a.csv", "age\n1\n"), ("b.jsonl", "{\"age\":1}\n")]);
        assert!(refusal(formats.path()).starts_with("FOLDER/b.jsonl is not like the others in its folder"));
        let databases = folder(&[("a.db", "x"), ("b.db", "x")]);
        assert!(refusal(databases.path()).starts_with("FOLDER/a.db is an SQLite database, in a folder\n"));
        let depths = folder(&[("year=1/a.csv", "age\n1\n"), ("b.csv", "age\n1\n")]);
        assert!(refusal(depths.path()).contains("is in folders of other names than the first file"));
        let twice = folder(&[("age=1/a.csv", "age\n1\n")]);
        assert!(refusal(twice.path()).contains("both named `age`"));
        let empty = folder(&[("a.csv", "age\n"), ("b.csv", "age\n")]);
        assert_eq!(refusal(empty.path()), "FOLDER has no rows in any of its files");
        assert_eq!(
            by_blocks(empty.path()).expect_err("no rows").message(),
            format!("{} has no rows in any of its files", empty.path().display())
        );
    }

    #[test]
    fn a_bad_row_is_found_in_its_file() {
        let folder =
            folder(&[("a.csv", "age,zip\n1,2\n"), ("b.csv", "age,zip\n1,2\n3\n"), ("c.csv", "age,zip\n1,2\n")]);
        let error = by_blocks(folder.path()).expect_err("a ragged row").to_string();
        assert!(error.contains("b.csv, row 2 (line 3): 1 cell where the header has 2"), "{error}");
    }
}
