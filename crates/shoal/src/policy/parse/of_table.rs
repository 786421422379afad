//! Is what stands there a table?

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// What a table says, and no list: its keys would go by their places there. To a schema it is what the table says.
#[derive(Debug, Clone, JsonSchema)]
#[schemars(transparent)]
pub(in crate::policy) struct OfTable<T>(pub(in crate::policy) T);

struct Table<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Table<T> {
    type Value = OfTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(OfTable)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OfTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Table(PhantomData))
    }
}
