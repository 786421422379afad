//! How does a definition come from a policy, and to which columns of a table does it apply?

use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::PrivacyModel;
use crate::exact::Ratio;
use crate::frequency::SensitiveColumn;
use crate::listed::Named;
use crate::{Error, Result};

/// What a requirement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// The table; it names no column.
    Table,
    /// One sensitive column, and how diverse its values are: `among = "all-sensitive"` makes sense.
    Diversity,
    /// One sensitive column.
    Column,
}

/// A sensitive column (for [`Scope::Table`], all of them) that parameters are to be resolved against.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// All sensitive columns.
    pub columns: &'a [SensitiveColumn],
    /// Which of them is meant.
    pub index: usize,
    /// Where relative paths begin.
    pub folder: &'a Path,
    /// Is it a release rather than an input? Values that a policy names may then have been suppressed.
    pub is_release: bool,
}

/// The code of a value that a policy names but a release does not show.
pub const NOT_SHOWN: u32 = u32::MAX;

impl<'a> Subject<'a> {
    /// The column that is meant.
    pub fn column(&self) -> &'a SensitiveColumn {
        &self.columns[self.index]
    }

    /// The codes of values that a policy names; all must be known to the column, unless it is of a
    /// release ([`NOT_SHOWN`]). The message names no value.
    pub fn codes(&self, key: &str, values: &[String]) -> Result<Vec<u32>> {
        let code = |(place, value): (usize, &String)| {
            let not_shown = self.is_release.then_some(NOT_SHOWN);
            self.column().code(value).or(not_shown).ok_or_else(|| {
                let number = place + 1;
                Error::policy(format!("entry {number} of `{key}` is not a value of column `{}`", self.column().name()))
                    .hint("values are compared letter by letter; look for a misspelling, or remove the entry")
            })
        };
        values.iter().enumerate().map(code).collect()
    }

    /// Refuses a column some of whose values are generalized, for models that cannot judge those.
    pub fn refuse_generalized(&self, id: &str) -> Result<()> {
        if self.index < self.columns.len() && self.column().is_generalized() {
            return Err(Error::policy(format!(
                "`{id}` cannot judge column `{}`: some of its values are generalized",
                self.column().name()
            ))
            .hint("tau-l-diversity and t-closeness can"));
        }
        Ok(())
    }
}

/// What is wrong with a parameter, before any data is read.
#[derive(Debug)]
pub struct Complaint {
    /// The key in the policy.
    pub key: &'static str,
    /// What is wrong with it.
    pub error: Error,
}

impl Complaint {
    /// `key` must be something else than it is.
    pub fn new(key: &'static str, message: impl Into<String>) -> Self {
        Self { key, error: Error::policy(message) }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.error = self.error.hint(hint);
        self
    }

    /// Complains about a number that bounds cannot compare exactly.
    pub fn unless_exact(key: &'static str, number: f64) -> Result<(), Self> {
        if Ratio::written(number).is_some() {
            return Ok(());
        }
        Err(Self::new(key, format!("`{key}` has too many digits to be compared exactly: {number:e}"))
            .hint("at most 28 digits are, before and after the decimal point together"))
    }

    /// Complains unless `number` is an ordinary number of at least `smallest`.
    pub fn unless_at_least(key: &'static str, number: f64, smallest: f64) -> Result<(), Self> {
        if number.is_finite() && number >= smallest {
            return Self::unless_exact(key, number);
        }
        Err(Self::new(key, format!("`{key}` must be at least {smallest}, not {number}")))
    }

    /// Complains unless `number` lies in a range.
    pub fn unless_within(key: &'static str, number: f64, range: std::ops::RangeInclusive<f64>) -> Result<(), Self> {
        if range.contains(&number) {
            return Self::unless_exact(key, number);
        }
        Err(Self::new(key, format!("`{key}` must be between {} and {}, not {number}", range.start(), range.end())))
    }
}

/// The parameters of a definition, as a policy writes them; `model`, `column` and `among` are read by the policy.
pub trait Parameters:
    Serialize + DeserializeOwned + JsonSchema + std::fmt::Debug + Clone + Send + Sync + 'static
{
    /// The definition's id.
    const ID: &'static str;
    /// What it is about.
    const SCOPE: Scope;

    /// What can be said without data.
    fn check(&self, folder: &Path) -> Result<(), Complaint>;
    /// The model for a column (or table).
    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>>;
    /// The files that are read for it, as the policy names them.
    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }
    /// What is allowed but probably not meant.
    fn warning(&self) -> Option<String> {
        None
    }
    /// The same with one parameter a step looser, for each that can be: what somebody would try who finds that this asks too much.
    /// Whatever is accepted by these is accepted by each of them, and steps come to an end.
    fn looser(&self) -> Vec<Self>;
    /// What an audit without a policy measures. The bounded parameters do not matter.
    fn audited(_subject: Subject<'_>) -> Vec<Self> {
        Vec::new()
    }
    /// Parameters with which the laws of the tests try this definition on a table.
    fn samples(subject: Subject<'_>) -> Vec<Self> {
        Self::audited(subject)
    }
}

/// [`Parameters`] of some definition.
pub trait AnyParameters: std::fmt::Debug + Send + Sync {
    /// The definition's id.
    fn id(&self) -> &'static str;
    /// What it is about.
    fn scope(&self) -> Scope;
    /// What can be said without data.
    fn check(&self, folder: &Path) -> Result<(), Complaint>;
    /// The model for a column (or table).
    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>>;
    /// The files that are read for it, as the policy names them.
    fn files(&self) -> Vec<PathBuf>;
    /// What is allowed but probably not meant.
    fn warning(&self) -> Option<String>;
    /// The same with one parameter a step looser, for each that can be.
    fn looser(&self) -> Vec<Box<dyn AnyParameters>>;
    /// The parameters as JSON.
    fn to_json(&self) -> Value;
}

impl<P: Parameters> AnyParameters for P {
    fn id(&self) -> &'static str {
        P::ID
    }
    fn scope(&self) -> Scope {
        P::SCOPE
    }
    fn check(&self, folder: &Path) -> Result<(), Complaint> {
        Parameters::check(self, folder)
    }
    fn resolve(&self, subject: Subject<'_>) -> Result<Box<dyn PrivacyModel>> {
        Parameters::resolve(self, subject)
    }
    fn files(&self) -> Vec<PathBuf> {
        Parameters::files(self)
    }
    fn warning(&self) -> Option<String> {
        Parameters::warning(self)
    }
    fn looser(&self) -> Vec<Box<dyn AnyParameters>> {
        Parameters::looser(self).into_iter().map(boxed).collect()
    }
    fn to_json(&self) -> Value {
        serde_json::to_value(self).expect("parameters are plain data")
    }
}

type Parsed = std::result::Result<Box<dyn AnyParameters>, toml::de::Error>;

/// What the list of models knows of each.
#[derive(Debug)]
pub struct Definition {
    /// Its id, everywhere.
    pub id: &'static str,
    /// What it is about.
    pub scope: Scope,
    parse: fn(toml::de::ValueDeserializer<'_>) -> Parsed,
    schema: fn(&mut SchemaGenerator) -> Schema,
    audited: fn(Subject<'_>) -> Vec<Box<dyn AnyParameters>>,
    samples: fn(Subject<'_>) -> Vec<Box<dyn AnyParameters>>,
}

impl Named for Definition {
    fn id(&self) -> &'static str {
        self.id
    }
}

impl Definition {
    pub(super) const fn of<P: Parameters>() -> Self {
        Self {
            id: P::ID,
            scope: P::SCOPE,
            parse: |value| P::deserialize(value).map(|parameters| Box::new(parameters) as Box<dyn AnyParameters>),
            schema: P::json_schema,
            audited: |subject| P::audited(subject).into_iter().map(boxed).collect(),
            samples: |subject| P::samples(subject).into_iter().map(boxed).collect(),
        }
    }

    /// Reads its parameters from a policy.
    pub fn parse(&self, value: toml::de::ValueDeserializer<'_>) -> Parsed {
        (self.parse)(value)
    }

    /// Its parameters, their ranges and what they mean.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }

    /// What an audit without a policy measures.
    pub fn audited(&self, subject: Subject<'_>) -> Vec<Box<dyn AnyParameters>> {
        (self.audited)(subject)
    }

    /// Parameters with which the laws of the tests try it.
    pub fn samples(&self, subject: Subject<'_>) -> Vec<Box<dyn AnyParameters>> {
        (self.samples)(subject)
    }
}

fn boxed<P: Parameters>(parameters: P) -> Box<dyn AnyParameters> {
    Box::new(parameters)
}

/// Declares the files of the definitions and makes the list of them.
macro_rules! models {
    ($($file:ident :: $parameters:ident),* $(,)?) => {
        $(mod $file; pub use $file::$parameters;)*

        /// Every privacy definition that Shoal knows.
        pub static DEFINITIONS: &[Listed<Definition>] = &[$(Listed::new(
            Definition::of::<$file::$parameters>(),
            include_str!(concat!(stringify!($file), ".rs")),
        )),*];
    };
}
pub(super) use models;
