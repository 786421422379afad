//! What is a column of an engine's table called, and how does the engine write its values as text?

/// A column of an engine's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineColumn {
    /// Its name.
    pub name: String,
    /// What the engine calls its type, for messages.
    pub type_name: String,
    /// What its values are; nothing if they cannot be counted as values of a quasi-identifier or a sensitive column.
    pub kind: Option<ValueKind>,
}

/// What values are, as far as it matters to their text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Text, whichever way the engine compares it: here it is told apart by its bytes.
    Text,
    /// True or false.
    Boolean,
    /// A whole number.
    Integer,
    /// A decimal with a fixed number of digits.
    Decimal,
    /// A decimal with as many digits as it happens to be written with.
    FreeDecimal,
    /// A floating-point number of four bytes.
    Float,
    /// A floating-point number of eight bytes.
    Double,
    /// A calendar date.
    Date,
    /// A time of day.
    Time,
    /// A date and a time of day, wherever that is.
    Timestamp,
    /// A moment; the engine writes it in UTC.
    Moment,
    /// Something else whose text is its only form: an identifier, one of a list of names.
    Name,
}
