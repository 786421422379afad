//! How are the parameters of a hierarchy written in TOML?

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// Either a list, the short form, or a table with all parameters.
#[derive(JsonSchema)]
#[schemars(untagged)]
pub(super) enum ListOrTable<L, T> {
    List(#[schemars(length(min = 1))] Vec<L>),
    Table(T),
}

impl<'de, L: Deserialize<'de>, T: Deserialize<'de>> Deserialize<'de> for ListOrTable<L, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Not `untagged`: that forgets what was wrong with each form.
        deserializer.deserialize_any(ListOrTableVisitor(PhantomData))
    }
}

struct ListOrTableVisitor<L, T>(PhantomData<(L, T)>);

impl<'de, L: Deserialize<'de>, T: Deserialize<'de>> Visitor<'de> for ListOrTableVisitor<L, T> {
    type Value = ListOrTable<L, T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list, or a table of parameters")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(list)).map(ListOrTable::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table)).map(ListOrTable::Table)
    }
}

/// A table with parameters, and not a list of them, which serde would take as well.
pub(super) struct OnlyTable<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OnlyTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(OnlyTableVisitor(PhantomData))
    }
}

struct OnlyTableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for OnlyTableVisitor<T> {
    type Value = OnlyTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Self::Value, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table)).map(OnlyTable)
    }
}

/// A number as it was written: `0.1` is one tenth, not the binary fraction next to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Number(pub Decimal);

impl Number {
    /// The number as a TOML value that reads back as the same number.
    pub fn to_toml(self) -> toml::Value {
        let Self(number) = self;
        if let (0, Some(whole)) = (number.normalize().scale(), number.to_i64()) {
            return toml::Value::Integer(whole);
        }
        match number.to_f64().filter(|float| exact(*float) == Some(number.normalize())) {
            Some(float) => toml::Value::Float(float),
            None => toml::Value::String(number.normalize().to_string()),
        }
    }
}

impl JsonSchema for Number {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    /// In quotes it may have more digits than a float.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["number", "string"],
            "pattern": r"^[+-]?([0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)$"
        })
    }
}

/// The shortest decimal that reads back as this float is what its author wrote.
fn exact(float: f64) -> Option<Decimal> {
    Decimal::from_str_exact(&float.to_string()).ok().map(|number| number.normalize())
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor).map(Number)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Decimal;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number of at most 28 digits")
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Decimal, E> {
        Ok(number.into())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Decimal, E> {
        Ok(number.into())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Decimal, E> {
        exact(number).ok_or_else(|| E::invalid_value(de::Unexpected::Float(number), &self))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Decimal, E> {
        Decimal::from_str_exact(text).map_err(|_| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize)]
    struct Parameters {
        numbers: Vec<Number>,
    }

    #[test]
    fn numbers_are_what_was_written() {
        let text = "numbers = [0.1, 5, '0.1000000000000000000001', -2.5]";
        let numbers = toml::from_str::<Parameters>(text).unwrap().numbers;
        let shown: Vec<String> = numbers.iter().map(|number| number.0.to_string()).collect();
        assert_eq!(shown, ["0.1", "5", "0.1000000000000000000001", "-2.5"]);
        let back: Vec<String> = numbers.iter().map(|number| number.to_toml().to_string()).collect();
        assert_eq!(back, ["0.1", "5", "\"0.1000000000000000000001\"", "-2.5"]);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in ["numbers = ['five']", "numbers = [nan]", "numbers = [1e300]", "numbers = [true]"] {
            let error = toml::from_str::<Parameters>(text).err().unwrap().to_string();
            assert!(error.contains("expected a number of at most 28 digits"), "{error}");
        }
    }
}
