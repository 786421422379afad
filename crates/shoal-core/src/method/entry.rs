//! How does a method come from a policy?

use std::sync::Arc;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;

use super::Method;
use crate::listed::Named;

type Parsed = std::result::Result<Arc<dyn Method>, toml::de::Error>;

/// What the list of methods knows of each.
#[derive(Debug)]
pub struct MethodEntry {
    /// Makes one with default parameters.
    pub default: fn() -> Arc<dyn Method>,
    /// Makes one with default parameters, and some with others.
    pub samples: fn() -> Vec<Arc<dyn Method>>,
    parse: fn(toml::de::ValueDeserializer<'_>) -> Parsed,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

impl Named for MethodEntry {
    fn id(&self) -> &'static str {
        (self.default)().id()
    }
}

impl MethodEntry {
    pub(super) const fn of<M: Method + Default + DeserializeOwned + JsonSchema + 'static>() -> Self {
        Self {
            default: || Arc::new(M::default()),
            samples: || M::samples().into_iter().map(|method| Arc::new(method) as Arc<dyn Method>).collect(),
            parse: |value| M::deserialize(value).map(|method| Arc::new(method) as Arc<dyn Method>),
            schema: M::json_schema,
        }
    }

    /// Reads its parameters from a policy.
    pub fn parse(&self, value: toml::de::ValueDeserializer<'_>) -> Parsed {
        (self.parse)(value)
    }

    /// Its own parameters, their ranges and what they mean.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.schema)(generator)
    }
}

/// Declares the files of the methods and makes the list of them.
macro_rules! methods {
    ($($source:literal $file:ident :: $method:ident),* $(,)?) => {
        $(pub mod $file;)*

        /// Every method that Shoal knows, the default first.
        pub static METHODS: &[Listed<MethodEntry>] =
            &[$(Listed::new(MethodEntry::of::<$file::$method>(), include_str!($source))),*];
    };
}
pub(super) use methods;
