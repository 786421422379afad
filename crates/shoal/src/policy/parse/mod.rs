//! What does the text of a policy say, and at which line is it wrong?
//!
//! A file for each section: the struct that reads it, from which its schema and its pages follow, and what is checked in it.

mod column;
mod engine;
mod input;
mod memory;
mod method;
mod of_table;
mod output;
mod placed;
mod plain_words;
mod require;
mod two_columns;
mod variables;
mod whole;

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

pub(super) use column::ColumnSection;
pub(super) use input::InputSection;
pub(super) use method::{METHOD_KEYS, MethodSection, STYLE_KEYS};
pub(super) use of_table::OfTable;
pub(super) use output::OutputSection;
pub(super) use placed::Placed;
pub(super) use require::AMONG;

use super::Policy;
use input::WrittenInput;
use shoal_core::error::did_you_mean;
use shoal_core::{Error, Result};

/// The text of a policy and what is needed to say where something stands in it.
pub(super) struct Parser<'a> {
    text: &'a str,
    name: &'a str,
    folder: &'a Path,
}

type Value<'a> = Spanned<DeValue<'a>>;

/// The sections of a policy.
pub(super) const SECTIONS: [&str; 5] = ["input", "output", "columns", "require", "method"];

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, name: &'a str, folder: &'a Path) -> Self {
        Self { text, name, folder }
    }

    pub(super) fn policy(&self) -> Result<Policy> {
        let (mut input, mut output) = (WrittenInput::default(), OutputSection::default());
        let (mut columns, mut requirements, mut method) = (Vec::new(), Vec::new(), None);
        for (key, value) in self.root()? {
            match key.get_ref().as_ref() {
                "input" => input = self.input_section(value)?,
                "output" => output = self.section("output", value)?,
                "columns" => columns = self.columns(value)?,
                "require" => requirements = self.requires(value)?,
                "method" => method = Some(self.method(value)?),
                unknown => return Err(self.unknown("section", unknown, &SECTIONS, key.span())),
            }
        }
        let input = self.input(input)?;
        columns.extend(self.unnamed_of_people(&input, &columns)?);
        let (output, warnings) = self.output(output, input.engine.as_ref())?;
        self.check_whole(Policy {
            text: self.text.to_owned(),
            folder: self.folder.to_path_buf(),
            input,
            output,
            columns,
            requirements,
            method: method.unwrap_or_default(),
            warnings,
        })
    }

    /// The sections as they are written; an error if this is no TOML.
    pub(super) fn root(&self) -> Result<DeTable<'a>> {
        Ok(DeTable::parse(self.text).map_err(|error| self.toml_error(&error))?.into_inner())
    }

    /// What a section says. A list is none, though serde would take its elements for the keys in their order.
    fn section<T: Deserialize<'a>>(&self, name: &str, value: Value<'a>) -> Result<T> {
        if value.get_ref().is_table() {
            return T::deserialize(ValueDeserializer::from(value)).map_err(|error| self.toml_error(&error));
        }
        let error = self.error(value.span(), format!("`{name}` must be a table"));
        Err(error.hint(format!("write [{name}] and its keys below")))
    }

    fn unknown(&self, what: &str, word: &str, known: &[&str], span: Range<usize>) -> Error {
        let error = self.error(span, format!("there is no {what} `{word}`"));
        error.hint(did_you_mean(word, known))
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> Error {
        Error::policy(message).at(self.place(span))
    }

    fn place(&self, span: Range<usize>) -> String {
        let line = self.text[..span.start.min(self.text.len())].matches('\n').count() + 1;
        format!("{}, line {line}", self.name)
    }
}
