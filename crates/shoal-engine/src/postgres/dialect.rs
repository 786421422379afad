//! How are queries written for PostgreSQL?

use crate::column::{EngineColumn, ValueKind};
use crate::dialect::SqlDialect;

/// PostgreSQL's SQL.
#[derive(Debug, Clone, Copy)]
pub(super) struct PostgresDialect;

/// The type of the keys of a column in a mapping table.
pub(super) fn key_type(column: &EngineColumn) -> &str {
    match column.kind {
        // Collations may take different texts for equal, or order them as they please; bytes do neither.
        Some(ValueKind::Text | ValueKind::Name) | None => "text COLLATE \"C\"",
        Some(ValueKind::Decimal | ValueKind::FreeDecimal) => "numeric",
        Some(_) => &column.type_name,
    }
}

impl SqlDialect for PostgresDialect {
    fn name(&self, name: &str) -> String {
        format!("\"{}\"", name.replace('"', "\"\""))
    }

    fn text(&self, text: &str) -> String {
        format!("'{}'", text.replace('\'', "''"))
    }

    fn key(&self, column: &EngineColumn, expression: &str) -> String {
        match column.kind {
            // Case-insensitive text, padded text and names of a list all have a text of their own.
            Some(ValueKind::Text | ValueKind::Name) | None => format!("{expression}::text COLLATE \"C\""),
            Some(_) => expression.to_owned(),
        }
    }

    fn written(&self, column: &EngineColumn, key: &str) -> String {
        match column.kind {
            Some(ValueKind::Text | ValueKind::Name) | None => key.to_owned(),
            // 1.0 and 1.00 are one value; which of them stands for both must not depend on which comes first.
            Some(ValueKind::FreeDecimal) => format!("trim_scale({key})::text"),
            Some(_) => format!("{key}::text"),
        }
    }

    fn key_of_text(&self, column: &EngineColumn, written: &str) -> String {
        let (kind, collation) = match key_type(column).split_once(" COLLATE ") {
            Some((kind, collation)) => (kind, format!(" COLLATE {collation}")),
            None => (key_type(column), String::new()),
        };
        format!("{}::{kind}{collation}", self.text(written))
    }

    fn shown(&self, column: &EngineColumn, expression: &str) -> String {
        match column.kind {
            Some(ValueKind::FreeDecimal) => format!("trim_scale({expression})"),
            // There are two zeros, which are equal and look different.
            Some(ValueKind::Float | ValueKind::Double) => format!("({expression} + 0::{})", column.type_name),
            _ => expression.to_owned(),
        }
    }

    fn text_type(&self) -> &'static str {
        "text"
    }

    fn hash_of_row(&self, seed: u64, columns: &[String]) -> String {
        format!("sha256(convert_to('{seed}' || ROW({})::text, 'UTF8'))", columns.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_cannot_end_early() {
        assert_eq!(PostgresDialect.name("a\"b"), "\"a\"\"b\"");
        assert_eq!(PostgresDialect.text("O'Hara"), "'O''Hara'");
    }
}
