//! How does Spark write names, texts, keys and orders?

use crate::column::{EngineColumn, ValueKind};
use crate::dialect::SqlDialect;

/// The SQL of Spark, with ANSI mode on and UTC as the time zone.
#[derive(Debug, Clone, Copy)]
pub(super) struct SparkSql;

impl SqlDialect for SparkSql {
    fn name(&self, name: &str) -> String {
        format!("`{}`", name.replace('`', "``"))
    }

    fn text(&self, text: &str) -> String {
        format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
    }

    fn key(&self, column: &EngineColumn, expression: &str) -> String {
        match column.kind {
            // A collation may take different texts for equal.
            Some(ValueKind::Text) if column.type_name.contains("COLLATE") => {
                format!("collate({expression}, 'UTF8_BINARY')")
            }
            // There are two zeros, and Spark takes them for equal when it groups but not when it compares texts.
            Some(ValueKind::Float | ValueKind::Double) => format!("({expression} + {})", zero(column)),
            _ => expression.to_owned(),
        }
    }

    fn written(&self, _: &EngineColumn, key: &str) -> String {
        self.as_text(key)
    }

    fn key_of_text(&self, column: &EngineColumn, written: &str) -> String {
        match column.kind {
            Some(ValueKind::Text) => self.text(written),
            _ => format!("CAST({} AS {})", self.text(written), column.type_name),
        }
    }

    fn shown(&self, column: &EngineColumn, expression: &str) -> String {
        self.key(column, expression)
    }

    fn text_type(&self) -> &'static str {
        "STRING"
    }

    fn hash_of_row(&self, seed: u64, columns: &[String]) -> String {
        // With its length before it, no cell can be taken for two.
        let cell = |column: &String| format!("coalesce(concat(length({column}), ':', {column}), '-')");
        let cells: Vec<String> = columns.iter().map(cell).collect();
        format!("sha2(concat('{seed}:', {}), 256)", cells.join(", "))
    }
}

fn zero(column: &EngineColumn) -> &'static str {
    if column.kind == Some(ValueKind::Float) { "0.0F" } else { "0.0D" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_name_or_a_text_holds_it_stays_one() {
        assert_eq!(SparkSql.name("zip ` code"), "`zip `` code`");
        assert_eq!(SparkSql.text(r"it's 5\6"), r"'it\'s 5\\6'");
    }
}
