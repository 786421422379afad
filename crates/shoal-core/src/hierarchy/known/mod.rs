//! Which hierarchies are built in, because many tables need them?
//!
//! Each is one file, and one line in the list below. It says of a value what it becomes on each level, from its text alone:
//! whatever else the column holds, a value has the same labels.

mod chosen;
mod digits;
mod icd;
#[cfg(test)]
mod laws;
mod proposals;
#[cfg(test)]
mod testing;
mod words;

pub use chosen::Known;
pub use proposals::{Recognised, about_health, proposals, suggestion};

use std::fmt;

use rust_decimal::Decimal;

use crate::listed::{self, Listed, Named};
use crate::table::ColumnType;

/// Declares the files of the known hierarchies and makes the list of them.
macro_rules! known {
    ($($file:ident :: $hierarchy:ident),* $(,)?) => {
        $(mod $file;)*

        /// Every known hierarchy, in the order in which they are explained.
        pub static KNOWN: &[Listed<&dyn KnownHierarchy>] =
            &[$(Listed::new(&$file::$hierarchy, include_str!(concat!(stringify!($file), ".rs")))),*];
    };
}

known! {
    countries::Countries,
    states::States,
    postal_codes::PostalCodes,
    coordinates::Coordinates,
    geohash::Geohash,
    age_bands::AgeBands,
    education::Education,
    marital_status::MaritalStatus,
    isco::Isco,
    soc::Soc,
    nace::Nace,
    naics::Naics,
    icd_10::Icd10,
    icd_10_cm::Icd10Cm,
    icd_9_cm::Icd9Cm,
    atc::Atc,
}

/// What is true of all known hierarchies, for their pages.
pub const NOTES: &[&str] = &[
    "Capital letters, accents, dots and spaces at the ends make no difference. A missing value keeps its marker on every level below \
     the root. A value that is not known is an error that says how many there are; with `unknown = \"other\"` all of them are one \
     group, `other`, on every level between the values and the root. `levels` leaves levels out: those that group nothing in a table \
     only make the search longer. The leaves are the values of the table.",
];

/// The label of values that are not known, where a policy allows them.
pub const OTHER: &str = "other";

/// A hierarchy that is built in.
pub trait KnownHierarchy: fmt::Debug + Send + Sync {
    /// Its id, everywhere.
    fn id(&self) -> &'static str;

    /// What its levels between the values and the root are called, fine to coarse.
    fn levels(&self) -> &'static [&'static str];

    /// What a value becomes on each of them; none if it is not known.
    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>>;

    /// Some values that it knows, the first for lists.
    fn examples(&self) -> &'static [&'static str];

    /// Words that a column's name has if it holds such values; one that ends with `*` may go on.
    fn headers(&self) -> &'static [&'static str];

    /// Does this value, which it knows, hardly mean anything else? `28` may be anything.
    fn is_distinctive(&self, value: &str) -> bool {
        value.chars().filter(|character| character.is_alphabetic()).count() > 2
    }

    /// The countries that a policy may name, of a hierarchy that reads values by the rules of one.
    fn countries(&self) -> &'static [&'static str] {
        &[]
    }

    /// Are its values numbers, which ranges and means make sense of?
    fn is_of_numbers(&self) -> bool {
        false
    }

    /// What of somebody's health its values are codes of, as in "nearly all are written like codes of diagnoses": nobody must learn it.
    fn about_health(&self) -> Option<&'static str> {
        None
    }

    /// Another hierarchy with this name is about the same kind of code, so that either may be meant.
    fn family(&self) -> &'static str {
        self.id()
    }
}

/// A value as a known hierarchy sees it.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// Its text, without spaces around it.
    pub text: &'a str,
    /// How the values of its column are written.
    pub column_type: &'a ColumnType,
    /// The country by whose rules it is read, if a policy names one.
    pub country: Option<&'a str>,
}

impl<'a> Cell<'a> {
    fn new(text: &'a str, column_type: &'a ColumnType, country: Option<&'a str>) -> Self {
        Self { text: text.trim(), column_type, country }
    }

    /// The number that it is, in a column of numbers or not.
    fn number(&self) -> Option<Decimal> {
        self.column_type.number(self.text).or_else(|| Decimal::from_str_exact(self.text).ok())
    }
}

impl Named for &'static dyn KnownHierarchy {
    fn id(&self) -> &'static str {
        (**self).id()
    }
}

/// The known hierarchy with this id.
pub fn by_id(id: &str) -> Option<&'static dyn KnownHierarchy> {
    listed::find(KNOWN, id).map(|entry| entry.item)
}

/// What the first example becomes, level by level, for lists: `DE → Germany → Western Europe → Europe → *`.
pub fn example_path(hierarchy: &dyn KnownHierarchy) -> String {
    let value = hierarchy.examples()[0];
    let text = ColumnType::text();
    let cell = Cell::new(value, &text, hierarchy.countries().first().copied());
    let labels = hierarchy.labels(&cell).unwrap_or_default();
    let path = std::iter::once(value.to_owned()).chain(labels).chain([super::ROOT.to_owned()]);
    path.collect::<Vec<_>>().join(" → ")
}
