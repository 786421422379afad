//! Where in the text does a value stand?

use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// A value and its place in the text. To a schema it is the value.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(transparent)]
pub(in crate::policy) struct Placed<T>(#[schemars(with = "T")] Spanned<T>);

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
