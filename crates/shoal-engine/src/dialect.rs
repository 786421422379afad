//! How is a query written for this engine?

use crate::column::EngineColumn;

/// What differs in the language of engines.
pub trait SqlDialect {
    /// A name in quotes.
    fn name(&self, name: &str) -> String;
    /// A text in quotes.
    fn text(&self, text: &str) -> String;
    /// What rows are grouped by and mapping tables are keyed by, given the column as an expression: the value itself wherever
    /// the engine takes values for equal exactly where their texts are.
    fn key(&self, column: &EngineColumn, expression: &str) -> String;
    /// The text that the engine writes for a key. It must be able to read it back.
    fn written(&self, column: &EngineColumn, key: &str) -> String;
    /// The key that a text stands for, as an expression.
    fn key_of_text(&self, column: &EngineColumn, written: &str) -> String;
    /// What a release shows of a counted column that stays as it is: equal keys must not be told apart.
    fn shown(&self, column: &EngineColumn, expression: &str) -> String;
    /// The type of text.
    fn text_type(&self) -> &'static str;
    /// An expression as text.
    fn as_text(&self, expression: &str) -> String {
        format!("CAST({expression} AS {})", self.text_type())
    }
    /// A hash of a seed and of all that a row shows, given its columns as text. Ordered by it, rows tell nothing by their places.
    fn hash_of_row(&self, seed: u64, columns: &[String]) -> String;
}
