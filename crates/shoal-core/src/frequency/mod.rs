//! How often does each combination of values occur?
//!
//! The frequency set is all that search, methods and models ever see of a table.

mod assembly;
mod class;
mod counter;
mod group;
mod held;
mod key;
mod people;
mod profile;
mod roll_up;
mod sensitive;
mod set;
mod spilled;
mod summary;
mod table;
mod tally;
mod tuple_key;
mod value_sample;

pub use class::{Counts, EquivalenceClass, SensitiveTuples};
pub use counter::TupleCounter;
pub use held::HeldByPeople;
pub use key::KeyLayout;
pub use people::PeopleOfClass;
pub use profile::{Distribution, Ranking, TableProfile};
pub use roll_up::Generalization;
pub use sensitive::{InducedCounts, Induction, SensitiveColumn};
pub use set::FrequencySet;
pub use summary::{Reads, Summaries, Summary};
pub use table::{CountedTable, QuasiColumn, TableColumns, TablePeople};
pub use value_sample::{Repetition, ValueSample};
