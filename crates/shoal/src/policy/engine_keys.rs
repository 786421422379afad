//! Do the keys that say where an engine's table is, and where its release goes, make sense together?

use std::ops::Range;
use std::path::PathBuf;

use toml::Spanned;

use super::document::Document;
use super::engine::{EngineAddress, EngineInput, EngineKind, EngineRows};
use shoal_core::{Error, Result};

/// The keys of `[input]` that say where the table is.
pub(super) struct InputPlace<'s> {
    pub(super) spark: &'s Option<Spanned<String>>,
    pub(super) postgres: &'s Option<Spanned<String>>,
    pub(super) table: &'s Option<Spanned<String>>,
    pub(super) query: &'s Option<Spanned<String>>,
    pub(super) path: &'s Option<Spanned<PathBuf>>,
    pub(super) format: &'s Option<Spanned<String>>,
}

/// The keys of `[output]` that say where the release goes.
pub(super) struct OutputPlace<'s> {
    pub(super) path: &'s Option<Spanned<PathBuf>>,
    pub(super) table: &'s Option<Spanned<String>>,
}

impl Document<'_> {
    /// The engine that holds the table, if one does.
    pub(super) fn engine(&self, place: &InputPlace<'_>) -> Result<Option<EngineInput>> {
        let (kind, url) = match (place.spark, place.postgres) {
            (None, None) => return self.refuse_keys_of_engines(place).map(|()| None),
            (Some(_), Some(second)) => {
                let error = self.error(second.span(), "the table is said to be in Spark and in PostgreSQL");
                return Err(error.hint("keep one of `spark` and `postgres`"));
            }
            (Some(url), None) => (EngineKind::Spark, url),
            (None, Some(url)) => (EngineKind::Postgres, url),
        };
        if !kind.schemes().iter().any(|scheme| url.get_ref().starts_with(scheme)) {
            let message = format!("`{}` must be an address that begins with {}", kind.key(), kind.schemes()[0]);
            return Err(self.error(url.span(), message).hint(format!("for example \"{}\"", kind.example())));
        }
        let rows = self.rows(place, kind, url.span())?;
        Ok(Some(EngineInput { address: EngineAddress::new(kind, url.get_ref()), rows }))
    }

    fn rows(&self, place: &InputPlace<'_>, kind: EngineKind, engine: Range<usize>) -> Result<EngineRows> {
        if let Some(path) = place.path.as_ref().filter(|_| kind == EngineKind::Postgres) {
            let error = self.error(path.span(), "`path` is for files, and this table is in PostgreSQL");
            return Err(error.hint("name it with `table`, or say what to read with `query`"));
        }
        if let Some(format) = place.format.as_ref().filter(|_| place.path.is_none()) {
            let error = self.error(format.span(), "`format` is the format of files, and there is no `path`");
            return Err(error.hint("remove it, or set `path`"));
        }
        let ways = [("table", place.table), ("query", place.query)];
        for (key, text) in ways {
            if let Some(text) = text.as_ref().filter(|text| text.get_ref().trim().is_empty()) {
                return Err(self.error(text.span(), format!("`{key}` is empty")));
            }
        }
        match (place.table, place.query, place.path) {
            (Some(table), None, None) => Ok(EngineRows::Table(table.get_ref().clone())),
            (None, Some(query), None) => {
                // A semicolon ends what is going to be part of a larger statement.
                let query = query.get_ref().trim().trim_end_matches(';').trim_end();
                Ok(EngineRows::Query(query.to_owned()))
            }
            (None, None, Some(path)) => Ok(EngineRows::Path {
                path: path.get_ref().display().to_string(),
                format: place.format.as_ref().map(|format| format.get_ref().clone()),
            }),
            (None, None, None) => Err(self
                .error(engine, format!("[input] does not say which table of {} to read", kind.name()))
                .hint("set `table = \"schema.name\"`, or `query = \"select ..\"`")),
            (table, query, path) => {
                let spans = [
                    table.as_ref().map(Spanned::span),
                    query.as_ref().map(Spanned::span),
                    path.as_ref().map(Spanned::span),
                ];
                let second = spans.into_iter().flatten().nth(1).unwrap_or_default();
                Err(self
                    .error(second, "[input] names several tables to read")
                    .hint("keep one of `table`, `query` and `path`"))
            }
        }
    }

    fn refuse_keys_of_engines(&self, place: &InputPlace<'_>) -> Result<()> {
        // A workbook has sheets and an SQLite file tables; whether this is one is for whoever opens it to say.
        let is_file = place.path.is_some();
        for (key, value) in [("format", place.format), ("table", place.table), ("query", place.query)] {
            if let Some(value) = value.as_ref().filter(|_| key == "format" || !is_file) {
                let error = self.error(value.span(), format!("`{key}` needs to know where the table lives"));
                return Err(error.hint(format!(
                    "add `postgres = \"{}\"` or `spark = \"{}\"`; for a file, `path` is enough",
                    EngineKind::Postgres.example(),
                    EngineKind::Spark.example()
                )));
            }
        }
        Ok(())
    }

    /// Refuses what describes the text of a file.
    pub(super) fn refuse_keys_of_files(&self, keys: &[(&str, Option<Range<usize>>)], kind: EngineKind) -> Result<()> {
        match keys.iter().find_map(|(key, span)| Some((key, span.clone()?))) {
            None => Ok(()),
            Some((key, span)) => Err(self
                .error(span, format!("`{key}` is for text files, and this table is in {}", kind.name()))
                .hint("remove it")),
        }
    }

    /// The release of an engine's table needs a name, and a file has no other.
    pub(super) fn check_output(&self, place: &OutputPlace<'_>, engine: Option<&EngineInput>) -> Result<()> {
        match (engine, place.table, place.path) {
            (None, Some(table), _) => Err(self
                .error(table.span(), "`table` in [output] is for tables of an engine, and the input is a file")
                .hint("set `path` in [output]")),
            (Some(_), Some(table), Some(_)) => Err(self
                .error(table.span(), "the release is to be a table and a file")
                .hint("keep one of `table` and `path` in [output]")),
            (Some(_), Some(table), None) if table.get_ref().trim().is_empty() => {
                Err(self.error(table.span(), "`table` is empty"))
            }
            (Some(engine), None, None) => Err(Error::policy(format!(
                "[output] does not say where in {} the release goes",
                engine.address.kind().name()
            ))
            .at(self.name)
            .hint("set `table = \"schema.release\"` in [output]")),
            (Some(engine), None, Some(path)) if engine.address.kind() == EngineKind::Postgres => Err(self
                .error(path.span(), "a release from PostgreSQL becomes a table there, not a file")
                .hint("set `table = \"schema.release\"` in [output] instead of `path`")),
            _ => Ok(()),
        }
    }
}
