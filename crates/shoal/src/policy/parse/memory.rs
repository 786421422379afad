//! How much memory is `2GB`?

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::{Parser, Placed};
use shoal_core::Result;

/// An amount of memory as a policy writes it.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected an amount of memory such as `2GB`, or a number of bytes")]
pub(in crate::policy) enum MemoryText {
    Bytes(u64),
    Text(String),
}

impl JsonSchema for MemoryText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Memory".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [
            { "type": "integer", "minimum": 1, "description": "A number of bytes." },
            {
                "type": "string",
                "description": "A number and KB, MB, GB, KiB, MiB or GiB.",
                "pattern": r"^([0-9]+\.?[0-9]*|\.[0-9]+)[ \t]*(B|KB|kB|MB|GB|KiB|MiB|GiB)?[ \t]*$"
            }
        ] })
    }
}

impl Parser<'_> {
    pub(super) fn memory_limit(&self, limit: &Placed<MemoryText>) -> Result<u64> {
        let bytes = match limit.get_ref() {
            MemoryText::Bytes(bytes) => Some(*bytes),
            MemoryText::Text(text) => bytes(text),
        };
        bytes.filter(|bytes| *bytes > 0).ok_or_else(|| {
            let error = self.error(limit.span(), "`memory-limit` must be an amount of memory");
            error.hint("write \"2GB\" or \"500MB\" (or KB, KiB, MiB, GiB), or a number of bytes")
        })
    }
}

/// An amount of memory such as `2GB`.
fn bytes(text: &str) -> Option<u64> {
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let factor: u64 = match unit.trim() {
        "" | "B" => 1,
        "KB" | "kB" => 1000,
        "MB" => 1000 * 1000,
        "GB" => 1000 * 1000 * 1000,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    let number: f64 = text[..text.len() - unit.len()].parse().ok()?;
    // Amounts beyond what a machine can have are as good as the largest number.
    number.is_finite().then_some((number * factor as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn amounts_are_counted_in_their_units() {
        assert_eq!(bytes("2GB"), Some(2_000_000_000));
        assert_eq!(bytes("1.5 KiB"), Some(1536));
        assert_eq!(bytes("500"), Some(500));
        assert_eq!(bytes("2TB"), None);
        assert_eq!(bytes("GB"), None);
    }
}
