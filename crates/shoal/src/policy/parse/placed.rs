//! Where in the text does a value stand?

use std::borrow::Cow;
use std::ops::Range;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// A value and its place in the text. To a schema it is the value.
#[derive(Debug, Clone)]
pub(in crate::policy) struct Placed<T>(Spanned<T>);

impl<T> Placed<T> {
    pub(in crate::policy) fn span(&self) -> Range<usize> {
        self.0.span()
    }

    pub(in crate::policy) fn get_ref(&self) -> &T {
        self.0.get_ref()
    }

    pub(in crate::policy) fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Placed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Spanned::deserialize(deserializer).map(Self)
    }
}

impl<T: JsonSchema> JsonSchema for Placed<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}
