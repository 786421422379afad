//! Which table is read, and how?

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeValue, ValueDeserializer};

use super::memory::MemoryText;
use super::{Parser, Placed, Value};
use crate::policy::engines;
use crate::policy::sections::{Input, NamedColumn, OtherColumns, RowsWithMissing};
use shoal_core::Result;
use shoal_core::method::Knows;
use shoal_core::table::{NumberMarks, Thousands};

/// More than these are no titles of a table.
const MOST_SKIPPED: u64 = 1000;

/// Which table is read, and how. What it does not say about the text of a file is detected.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(in crate::policy) struct InputSection {
    /// The file, relative to the folder of the policy: CSV, JSON lines, Parquet, a workbook, an SQLite database, or a folder
    /// of files; text may be compressed. `--input` names another one, and `${NAME}` stands for a variable of the environment, as in all
    /// paths of files. Where an engine reads files by itself, it is as the
    /// engine calls it.
    #[schemars(example = &"patients.csv")]
    pub(super) path: Option<Placed<PathBuf>>,
    /// The table, where there are several: a sheet of a workbook, a table or view of a database.
    #[schemars(example = &"patients")]
    pub(super) table: Option<Placed<String>>,
    /// The query whose result is the table, of a database.
    #[schemars(example = &"select * from patients where year = 2024")]
    pub(super) query: Option<Placed<String>>,
    /// The character between two cells of a text file. Detected by default.
    #[schemars(length(min = 1, max = 1), example = &";")]
    delimiter: Option<Placed<String>>,
    /// The character around cells of a text file. Detected by default.
    #[schemars(length(min = 1, max = 1), example = &"'")]
    quote: Option<Placed<String>>,
    /// Does the first row of a text file hold the names of the columns? Detected by default.
    #[schemars(example = true)]
    header: Option<Placed<bool>>,
    /// The encoding of a text file, by its WHATWG name. Detected by default.
    #[schemars(example = &"windows-1252")]
    encoding: Option<Placed<String>>,
    /// How many lines of a text file, or rows of a sheet, stand before the table: titles, comments. None by default.
    #[schemars(extend("default" = 0), range(max = 1000), example = 2)]
    skip: Option<Placed<u64>>,
    /// The decimal mark of numbers.
    #[serde(default)]
    #[schemars(extend("enum" = [".", ","], "default" = "."), example = &",")]
    decimal: Option<Placed<String>>,
    /// What may stand between the thousands of numbers, as in `1.234,56`: nothing by default. Labels are written without it.
    #[schemars(extend("enum" = [".", ",", " ", "'"]), example = &",")]
    thousands: Option<Placed<String>>,
    /// What stands for a missing value. All are one value, written back as the first of them.
    #[schemars(length(min = 1), extend("default" = [""]), example = vec!["", "?"])]
    missing: Option<Placed<Vec<String>>>,
    /// What to do with rows that have a missing value.
    #[serde(default)]
    rows_with_missing: RowsWithMissing,
    /// The column that says whose row it is. Every requirement then counts people instead of rows: a class has so many different people, and
    /// somebody with several rows in it is one of them. The column is an identifier. Rows where it is missing are taken for one person's, who is none of those that are named.
    #[schemars(example = &"patient id")]
    pub(super) person: Option<Placed<String>>,
    /// What somebody knows of a person who has several rows.
    #[schemars(extend("default" = "one-row"), example = &"all-rows")]
    knows: Option<Placed<Knows>>,
    /// The column that says who lives together: how likely it is that anybody of a household is found is then said of the release. The column
    /// is an identifier, and needs `person`. Somebody of whom no row tells a household is taken to live alone.
    #[schemars(example = &"household")]
    household: Option<Placed<String>>,
    /// What to do with columns the policy does not name.
    #[serde(default)]
    other_columns: OtherColumns,
    /// The memory that counting may take; what exceeds it goes to temporary files. A search keeps up to a quarter as much besides, and no more than half a
    /// gigabyte. There is no limit by default.
    #[schemars(extend("examples" = ["2GB"]))]
    memory_limit: Option<Placed<MemoryText>>,
}

/// `[input]`, and the texts of keys that engines have added to it.
#[derive(Default)]
pub(in crate::policy) struct WrittenInput {
    pub(super) section: InputSection,
    pub(super) of_engines: Vec<(&'static str, Placed<String>)>,
}

impl<'a> Parser<'a> {
    pub(super) fn input_section(&self, value: Value<'a>) -> Result<WrittenInput> {
        let span = value.span();
        let DeValue::Table(mut table) = value.into_inner() else {
            return Err(self.error(span, "`input` must be a table").hint("write [input] and its keys below"));
        };
        let mut of_engines = Vec::new();
        for key in engines::keys() {
            if let Some(value) = table.remove(key) {
                let text = Placed::deserialize(ValueDeserializer::from(value));
                of_engines.push((key, text.map_err(|error| self.toml_error(&error))?));
            }
        }
        let rest = ValueDeserializer::from(Spanned::new(span, DeValue::Table(table)));
        let section = InputSection::deserialize(rest);
        let section = section.map_err(|error| self.toml_error_among(&error, &engines::keys()))?;
        Ok(WrittenInput { section, of_engines })
    }

    pub(super) fn input(&self, written: WrittenInput) -> Result<Input> {
        let engine = self.engine(&written)?;
        let section = written.section;
        if let Some(engine) = &engine {
            let of_files = [
                ("delimiter", section.delimiter.as_ref().map(Placed::span)),
                ("quote", section.quote.as_ref().map(Placed::span)),
                ("header", section.header.as_ref().map(Placed::span)),
                ("encoding", section.encoding.as_ref().map(Placed::span)),
                ("skip", section.skip.as_ref().map(Placed::span)),
                ("decimal", section.decimal.as_ref().map(Placed::span)),
                ("thousands", section.thousands.as_ref().map(Placed::span)),
            ];
            self.refuse_keys_of_files(&of_files, engine.address.engine())?;
        }
        let has_person = section.person.is_some();
        Ok(Input {
            delimiter: self.byte("delimiter", section.delimiter)?,
            quote: self.byte("quote", section.quote)?,
            header: section.header.map(Placed::into_inner),
            encoding: section.encoding.map(Placed::into_inner),
            skip: self.skip(section.skip)?,
            marks: self.number_marks(section.decimal.as_ref(), section.thousands.as_ref())?,
            missing: self.missing(section.missing)?,
            rows_with_missing: section.rows_with_missing,
            other_columns: section.other_columns,
            person: section.person.map(|column| self.named_column(column)),
            household: self.household(section.household, has_person)?,
            knows: self.knows(section.knows.as_ref(), has_person)?,
            memory_limit: section.memory_limit.map(|limit| self.memory_limit(&limit)).transpose()?,
            path: self.path(section.path.filter(|_| engine.is_none()))?,
            table: section.table.map(Placed::into_inner).filter(|_| engine.is_none()),
            query: section.query.map(Placed::into_inner).filter(|_| engine.is_none()),
            engine,
        })
    }

    fn named_column(&self, column: Placed<String>) -> NamedColumn {
        NamedColumn { place: self.place(column.span()), column: column.into_inner() }
    }

    fn household(&self, household: Option<Placed<String>>, has_person: bool) -> Result<Option<NamedColumn>> {
        match household {
            Some(household) if !has_person => Err(self
                .error(household.span(), "`household` says who lives together, and nothing says whose a row is")
                .hint("name the column that does as `person`")),
            household => Ok(household.map(|column| self.named_column(column))),
        }
    }

    fn knows(&self, knows: Option<&Placed<Knows>>, has_person: bool) -> Result<Knows> {
        match knows {
            Some(knows) if !has_person => Err(self
                .error(knows.span(), "`knows` is about people with several rows")
                .hint("name the column that says whose row it is as `person`")),
            Some(knows) => Ok(*knows.get_ref()),
            None => Ok(Knows::default()),
        }
    }

    fn byte(&self, key: &str, text: Option<Placed<String>>) -> Result<Option<u8>> {
        let Some(text) = text else { return Ok(None) };
        match text.get_ref().as_bytes() {
            &[byte] if byte.is_ascii() => Ok(Some(byte)),
            _ => Err(self.error(text.span(), format!("`{key}` must be one ASCII character"))),
        }
    }

    fn skip(&self, skip: Option<Placed<u64>>) -> Result<u64> {
        match skip {
            None => Ok(0),
            Some(skip) if *skip.get_ref() <= MOST_SKIPPED => Ok(skip.into_inner()),
            Some(skip) => Err(self.error(skip.span(), format!("`skip` must be at most {MOST_SKIPPED}"))),
        }
    }

    fn number_marks(&self, decimal: Option<&Placed<String>>, mark: Option<&Placed<String>>) -> Result<NumberMarks> {
        let decimal_comma = match decimal.map(|decimal| (decimal, decimal.get_ref().as_str())) {
            None | Some((_, ".")) => false,
            Some((_, ",")) => true,
            Some((decimal, _)) => return Err(self.error(decimal.span(), "`decimal` must be \".\" or \",\"")),
        };
        let Some(mark) = mark else { return Ok(decimal_comma.into()) };
        let Some(thousands) = Thousands::named(mark.get_ref()) else {
            return Err(self.error(mark.span(), "`thousands` must be \".\", \",\", \" \" or \"'\""));
        };
        let marks = NumberMarks { decimal_comma, thousands: Some(thousands) };
        match marks.are_clear() {
            true => Ok(marks),
            false => {
                let other = if decimal_comma { "." } else { "," };
                let error = self.error(mark.span(), "`thousands` and `decimal` are the same character");
                Err(error.hint(format!("say `decimal = \"{other}\"`, too, or leave one of them out")))
            }
        }
    }

    fn missing(&self, missing: Option<Placed<Vec<String>>>) -> Result<Vec<String>> {
        let Some(list) = missing else { return Ok(vec![String::new()]) };
        if list.get_ref().is_empty() {
            let error = self.error(list.span(), "`missing` lists no marker");
            return Err(error.hint("leave it out, and an empty cell is a missing value"));
        }
        if list.get_ref().iter().any(|marker| marker == "*") {
            let error = self
                .error(list.span(), "`*` cannot mark missing values: it stands for generalized and suppressed ones");
            return Err(error.hint("replace it in the table by something else, such as an empty cell"));
        }
        Ok(list.into_inner())
    }
}
