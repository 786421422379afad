//! What is in a column: its values as sorted codes, and what kind of values they are?

mod column_type;
mod dictionary;
mod missing;
mod round_ends;
mod text_codes;

pub use column_type::{ColumnType, Kind};
pub use dictionary::{Dictionary, DictionaryBuilder};
pub use missing::MissingMarkers;
pub use round_ends::RoundEnds;
pub use text_codes::TextCodes;
