//! What is in a column: its values as sorted codes, and what kind of values they are?

mod column_type;
mod date_reading;
mod dictionary;
mod missing;
mod number_marks;
mod round_ends;
mod round_grid;
mod text_codes;

pub use column_type::{ColumnType, ValueKind};
pub use date_reading::{DateOrder, DateReading, Reading, USUAL_FIRST_YEAR, Unclear, in_century};
pub use dictionary::{Dictionary, DictionaryBuilder};
pub use missing::MissingMarkers;
pub use number_marks::{NumberMarks, Thousands};
pub use round_ends::RoundEnds;
pub use text_codes::TextCodes;
