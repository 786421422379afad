//! What does an attacker know about people and values, before seeing the release?

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

use crate::linking::AuditedQuasi;
use shoal_core::frequency::SensitiveColumn;
use shoal_core::{Error, Result};

/// The pieces of knowledge in a file.
#[derive(Debug)]
pub struct Knowledge {
    pieces: Vec<Piece>,
}

/// One piece: for people like this, these values are so many times as likely.
#[derive(Debug)]
struct Piece {
    /// What is known of the person: the place of a quasi-identifier, and its value; sorted.
    conditions: Vec<(usize, String)>,
    column: usize,
    /// The factor of each leaf.
    factors: Vec<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    know: Vec<Statement>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
    #[serde(default, rename = "where")]
    conditions: BTreeMap<String, Cell>,
    column: Option<String>,
    times: BTreeMap<String, f64>,
    otherwise: Option<f64>,
}

/// A value as TOML writes it: `31` is the text 31.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Cell {
    Text(String),
    Whole(i64),
    Real(f64),
}

impl Cell {
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Whole(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
        }
    }
}

impl Knowledge {
    /// Reads a file of knowledge about these columns.
    pub fn read(path: &Path, quasi: &[AuditedQuasi], columns: &[SensitiveColumn]) -> Result<Self> {
        let text = shoal_core::text_file::text("read", path)?;
        Self::parse(&text, quasi, columns).map_err(|error| error.at(path.display()))
    }

    /// Knowledge about these columns from the text of a file.
    pub fn parse(text: &str, quasi: &[AuditedQuasi], columns: &[SensitiveColumn]) -> Result<Self> {
        let document: Document = toml::from_str(text).map_err(|error| {
            let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            // The rest of toml's message may quote the line, and with it a sensitive value.
            let message = error.message().lines().next().unwrap_or_default();
            Error::policy(message)
                .at(format!("line {line}"))
                .hint("`shoal explain background-knowledge` shows the format")
        })?;
        let piece = |(place, entry): (usize, Statement)| {
            Piece::new(&entry, quasi, columns).map_err(|error| error.at(format!("[[know]] number {}", place + 1)))
        };
        let pieces = document.know.into_iter().enumerate().map(piece).collect::<Result<Vec<_>>>()?;
        if pieces.is_empty() {
            return Err(
                Error::policy("there is no [[know]]").hint("`shoal explain background-knowledge` shows the format")
            );
        }
        Ok(Self { pieces })
    }

    /// Is anything known about a sensitive column?
    pub fn is_about(&self, column: usize) -> bool {
        self.pieces.iter().any(|piece| piece.column == column)
    }

    /// The kinds of people that the pieces about a column tell apart, each by its conditions.
    pub fn kinds(&self, column: usize) -> Vec<&[(usize, String)]> {
        let about = self.pieces.iter().filter(|piece| piece.column == column);
        let mut kinds: Vec<&[(usize, String)]> = about.map(|piece| piece.conditions.as_slice()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// The factor of each leaf for a person of whom `fits` says whether a condition holds: all pieces that apply,
    /// multiplied. None if no piece does.
    pub fn factors(&self, column: usize, fits: impl Fn(usize, &str) -> bool) -> Option<Vec<f64>> {
        let applies = |piece: &&Piece| {
            piece.column == column && piece.conditions.iter().all(|(quasi, value)| fits(*quasi, value))
        };
        self.pieces.iter().filter(applies).fold(None, |so_far: Option<Vec<f64>>, piece| match so_far {
            None => Some(piece.factors.clone()),
            Some(product) => Some(product.iter().zip(&piece.factors).map(|(a, b)| a * b).collect()),
        })
    }
}

impl Piece {
    fn new(entry: &Statement, quasi: &[AuditedQuasi], columns: &[SensitiveColumn]) -> Result<Self> {
        let mut conditions = Vec::new();
        for (name, value) in &entry.conditions {
            let place = quasi.iter().position(|quasi| quasi.name == *name);
            let place =
                place.ok_or_else(|| Error::policy(format!("`where` names `{name}`, which is no quasi-identifier")))?;
            conditions.push((place, value.text()));
        }
        conditions.sort_unstable();
        let column = match &entry.column {
            Some(name) => columns.iter().position(|column| column.name() == name).ok_or_else(|| {
                Error::policy(format!("`column` names `{name}`, which is no sensitive column of this audit"))
            })?,
            None if columns.len() == 1 => 0,
            None => return Err(Error::policy("`column` is missing").hint("with several sensitive columns, name one")),
        };
        let is_factor = |factor: f64| factor.is_finite() && factor >= 0.0;
        let otherwise = entry.otherwise.unwrap_or(1.0);
        if !is_factor(otherwise) || !entry.times.values().all(|&factor| is_factor(factor)) {
            return Err(Error::policy("a factor is a number of at least 0"));
        }
        let mut factors = vec![otherwise; columns[column].leaves()];
        for (place, (value, &factor)) in entry.times.iter().enumerate() {
            // A value that nobody has matters to nobody; a misspelled one would be missed.
            let leaf = columns[column].code(value).filter(|&code| (code as usize) < factors.len());
            let Some(leaf) = leaf else {
                let name = columns[column].name();
                return Err(Error::policy(format!("entry {} of `times` is not a value of column `{name}`", place + 1))
                    .hint("entries are counted in alphabetical order; values are compared letter by letter"));
            };
            factors[leaf as usize] = factor;
        }
        Ok(Self { conditions, column, factors })
    }
}
