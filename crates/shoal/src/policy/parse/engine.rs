//! Do the keys that say where an engine's table is, and where its release goes, make sense together?

use std::ops::Range;

use super::input::WrittenInput;
use super::{OutputSection, Parser, Placed};
use crate::policy::engine_input::{EngineAddress, EngineInput, EngineRows};
use crate::policy::engines::{self, EngineEntry};
use shoal_core::model::Complaint;
use shoal_core::{Error, Result};

impl Parser<'_> {
    /// The engine that holds the table, if one does.
    pub(super) fn engine(&self, input: &WrittenInput) -> Result<Option<EngineInput>> {
        for (key, text) in &input.of_engines {
            if let Some(absent) = engines::absent(key) {
                return Err(self.error(text.span(), absent.refusal).hint(absent.hint));
            }
        }
        let text_of = |engine: &&'static EngineEntry| Some((*engine, input.text_of(engine.address.name)?));
        let (engine, url) = match engines::known().iter().filter_map(text_of).collect::<Vec<_>>()[..] {
            [] => return self.refuse_keys_of_engines(input).map(|()| None),
            [one] => one,
            [(first, _), (second, url), ..] => {
                let message = format!("the table is said to be in {} and in {}", first.name, second.name);
                let hint = format!("keep one of `{}` and `{}`", first.address.name, second.address.name);
                return Err(self.error(url.span(), message).hint(hint));
            }
        };
        if !engine.schemes.iter().any(|scheme| url.get_ref().starts_with(scheme)) {
            let usual = engine.schemes.first().copied().unwrap_or_default();
            let message = format!("`{}` must be an address that begins with {usual}", engine.address.name);
            return Err(self.error(url.span(), message).hint(format!("for example \"{}\"", engine.address.example)));
        }
        let options = self.options(input, engine)?;
        let rows = self.rows(input, engine, url.span())?;
        let found = EngineInput { address: EngineAddress::new(engine, url.get_ref()), rows, options };
        (engine.check)(&found).map_err(|Complaint { key, error }| {
            let span = input.text_of(key).map_or(url.span(), Placed::span);
            error.at(self.place(span))
        })?;
        Ok(Some(found))
    }

    /// What `[input]` says with the keys of this engine, besides its address.
    fn options(&self, input: &WrittenInput, engine: &EngineEntry) -> Result<Vec<(&'static str, String)>> {
        let others = input.of_engines.iter().filter(|(key, _)| *key != engine.address.name);
        let option = |(key, text): &(&'static str, Placed<String>)| {
            if engine.more_keys.iter().any(|own| own.name == *key) {
                return Ok((*key, text.get_ref().clone()));
            }
            let of_others = engines::known().iter().filter(|other| other.more_keys.iter().any(|own| own.name == *key));
            let others: Vec<&str> = of_others.map(|other| other.name).collect();
            let message =
                format!("`{key}` is for tables in {}, and this one is in {}", others.join(" and "), engine.name);
            Err(self.error(text.span(), message).hint("remove it"))
        };
        others.map(option).collect()
    }

    fn rows(&self, input: &WrittenInput, engine: &EngineEntry, address: Range<usize>) -> Result<EngineRows> {
        let (path, table, query) = (&input.section.path, &input.section.table, &input.section.query);
        if let Some(path) = path.as_ref().filter(|_| !engine.reads_files) {
            let error = self.error(path.span(), format!("`path` is for files, and this table is in {}", engine.name));
            return Err(error.hint("name it with `table`, or say what to read with `query`"));
        }
        for (key, text) in [("table", table), ("query", query)] {
            if let Some(text) = text.as_ref().filter(|text| text.get_ref().trim().is_empty()) {
                return Err(self.error(text.span(), format!("`{key}` is empty")));
            }
        }
        match (table, query, path) {
            (Some(table), None, None) => Ok(EngineRows::Table(table.get_ref().clone())),
            (None, Some(query), None) => {
                // A semicolon ends what is going to be part of a larger statement.
                let query = query.get_ref().trim().trim_end_matches(';').trim_end();
                Ok(EngineRows::Query(query.to_owned()))
            }
            (None, None, Some(path)) => Ok(EngineRows::Path(path.get_ref().display().to_string())),
            (None, None, None) => Err(self
                .error(address, format!("[input] does not say which table of {} to read", engine.name))
                .hint("set `table = \"schema.name\"`, or `query = \"select ..\"`")),
            _ => {
                let spans = [
                    table.as_ref().map(Placed::span),
                    query.as_ref().map(Placed::span),
                    path.as_ref().map(Placed::span),
                ];
                let second = spans.into_iter().flatten().nth(1).unwrap_or_default();
                Err(self
                    .error(second, "[input] names several tables to read")
                    .hint("keep one of `table`, `query` and `path`"))
            }
        }
    }

    fn refuse_keys_of_engines(&self, input: &WrittenInput) -> Result<()> {
        let of_engines = input.of_engines.iter().map(|(key, text)| (*key, text.span()));
        // A workbook has sheets and an SQLite file tables; whether this is one is for whoever opens it to say.
        let is_file = input.section.path.is_some();
        let of_tables = [("table", &input.section.table), ("query", &input.section.query)];
        let of_tables = of_tables.into_iter().filter(|_| !is_file);
        let of_tables = of_tables.filter_map(|(key, text)| Some((key, text.as_ref()?.span())));
        let Some((key, span)) = of_engines.chain(of_tables).next() else { return Ok(()) };
        let address = |engine: &&EngineEntry| format!("`{} = \"{}\"`", engine.address.name, engine.address.example);
        let addresses: Vec<String> = engines::known().iter().map(address).collect();
        let hint = match addresses.is_empty() {
            true => "set `path` to the file that it is in".to_owned(),
            false => format!("add {}; for a file, `path` is enough", addresses.join(" or ")),
        };
        Err(self.error(span, format!("`{key}` needs to know where the table lives")).hint(hint))
    }

    /// Refuses what describes the text of a file.
    pub(super) fn refuse_keys_of_files(
        &self,
        keys: &[(&str, Option<Range<usize>>)],
        engine: &EngineEntry,
    ) -> Result<()> {
        match keys.iter().find_map(|(key, span)| Some((key, span.clone()?))) {
            None => Ok(()),
            Some((key, span)) => Err(self
                .error(span, format!("`{key}` is for text files, and this table is in {}", engine.name))
                .hint("remove it")),
        }
    }

    /// The release of an engine's table needs a name, and a file has no other.
    pub(super) fn check_output(&self, output: &OutputSection, engine: Option<&EngineInput>) -> Result<()> {
        match (engine.map(|input| input.address.engine()), &output.table, &output.path) {
            (None, Some(table), _) => Err(self
                .error(table.span(), "`table` in [output] is for tables of an engine, and the input is a file")
                .hint("set `path` in [output]")),
            (Some(_), Some(table), Some(_)) => Err(self
                .error(table.span(), "the release is to be a table and a file")
                .hint("keep one of `table` and `path` in [output]")),
            (Some(_), Some(table), None) if table.get_ref().trim().is_empty() => {
                Err(self.error(table.span(), "`table` is empty"))
            }
            (Some(engine), None, None) => {
                Err(Error::policy(format!("[output] does not say where in {} the release goes", engine.name))
                    .at(self.name)
                    .hint("set `table = \"schema.release\"` in [output]"))
            }
            (Some(engine), None, Some(path)) if !engine.reads_files => Err(self
                .error(path.span(), format!("a release from {} becomes a table there, not a file", engine.name))
                .hint("set `table = \"schema.release\"` in [output] instead of `path`")),
            _ => Ok(()),
        }
    }
}

impl WrittenInput {
    /// The text of a key that an engine has added.
    fn text_of(&self, key: &str) -> Option<&Placed<String>> {
        self.of_engines.iter().find(|(name, _)| *name == key).map(|(_, text)| text)
    }
}
