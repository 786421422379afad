//! Which of HIPAA's Safe Harbor identifiers does a column look like?
//!
//! 45 CFR 164.514(b)(2)(i) lists eighteen, (A) to (R), that must be gone before health data counts as de-identified.

use serde::Serialize;

use super::shown::{is_age_above_89, is_finer_than_year, is_long_postal_code, is_surely_finer_than_year};
use super::{SAMPLE, pattern, topic};

/// An identifier of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// (A)
    Name,
    /// (B)
    Place,
    /// (C)
    Date,
    /// (D)
    Phone,
    /// (E)
    Fax,
    /// (F)
    Email,
    /// (G)
    SocialSecurity,
    /// (H)
    MedicalRecord,
    /// (I)
    HealthPlan,
    /// (J)
    Account,
    /// (K)
    Licence,
    /// (L)
    Vehicle,
    /// (M)
    Device,
    /// (N)
    Url,
    /// (O)
    IpAddress,
    /// (P)
    Biometric,
    /// (Q)
    Photograph,
    /// (R)
    OtherNumber,
}

impl Item {
    /// The letter it stands under.
    pub fn letter(self) -> char {
        (b'A' + self as u8).into()
    }

    /// What the rule calls it.
    pub fn what(self) -> &'static str {
        match self {
            Item::Name => "names",
            Item::Place => "places smaller than a state",
            Item::Date => "dates more precise than a year, and ages over 89",
            Item::Phone => "telephone numbers",
            Item::Fax => "fax numbers",
            Item::Email => "e-mail addresses",
            Item::SocialSecurity => "social security numbers",
            Item::MedicalRecord => "medical record numbers",
            Item::HealthPlan => "health plan beneficiary numbers",
            Item::Account => "account numbers",
            Item::Licence => "certificate and license numbers",
            Item::Vehicle => "vehicle identifiers and license plates",
            Item::Device => "device identifiers and serial numbers",
            Item::Url => "web addresses (URLs)",
            Item::IpAddress => "IP addresses",
            Item::Biometric => "biometric identifiers",
            Item::Photograph => "full-face photographs",
            Item::OtherNumber => "other unique identifying numbers or codes",
        }
    }
}

/// When a column of that name is the identifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Whatever it shows.
    Always,
    /// Where it shows more of a date than the year.
    FinerThanYear,
    /// Where it shows an age above 89.
    AgeAbove89,
    /// Where it shows more than the first three characters of a postal code.
    MoreThanThreeCharacters,
}

/// A column that looks like an identifier of the list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recognised {
    /// Its name.
    pub column: String,
    /// The letter of the rule's item.
    pub item: char,
    /// What the rule calls it.
    pub what: &'static str,
    /// By what it was recognised: `values` or `name`.
    pub by: &'static str,
}

/// What a column looks like, from its name and the distinct values of so many rows; `None` if it is none of the list. What is
/// missing or hidden altogether (`*`) shows nothing.
pub fn recognise<'a>(name: &str, values: impl Iterator<Item = &'a str>, rows: u64) -> Option<Recognised> {
    let is_shown = |value: &&str| value.chars().any(|c| c.is_alphanumeric());
    let shown: Vec<&str> = values.filter(is_shown).collect();
    if shown.is_empty() {
        return None;
    }
    let found =
        |item: Item, by| Some(Recognised { column: name.to_owned(), item: item.letter(), what: item.what(), by });
    let pattern = pattern::of(shown.iter().copied().take(SAMPLE));
    if let Some(pattern) = pattern.filter(|pattern| !pattern.is_weak) {
        return found(pattern.item, "values");
    }
    let topic = topic::of(name).filter(|topic| !topic.is_vague || shown.len() as u64 * 5 >= rows);
    if let Some((item, when)) = topic.and_then(|topic| topic.item)
        && when.holds(&shown)
    {
        return found(item, "name");
    }
    if topic.is_none() && pattern.is_some() {
        return found(Item::Phone, "values");
    }
    let finer = shown.iter().filter(|value| is_surely_finer_than_year(value)).count();
    if finer * 10 >= shown.len() * 9 { found(Item::Date, "values") } else { None }
}

impl When {
    /// Is a column of that name the identifier, if it shows these values?
    fn holds(self, shown: &[&str]) -> bool {
        shown.iter().any(|value| self.holds_of(value))
    }

    /// Does one value make it so?
    pub fn holds_of(self, value: &str) -> bool {
        match self {
            When::Always => true,
            When::FinerThanYear => is_finer_than_year(value),
            When::AgeAbove89 => is_age_above_89(value),
            When::MoreThanThreeCharacters => is_long_postal_code(value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter(name: &str, values: &[&str]) -> Option<char> {
        let distinct: std::collections::BTreeSet<&str> = values.iter().copied().collect();
        recognise(name, distinct.into_iter(), values.len() as u64).map(|found| found.item)
    }

    #[test]
    fn every_item_is_recognised() {
        let numbers = ["17", "18", "20", "25"];
        let columns = [
            ("Surname", 'A'),
            ("city", 'B'),
            ("month", 'C'),
            ("Phone", 'D'),
            ("fax no", 'E'),
            ("e-mail", 'F'),
            ("SSN", 'G'),
            ("MRN", 'H'),
            ("beneficiary number", 'I'),
            ("account number", 'J'),
            ("driver's license", 'K'),
            ("license plate", 'L'),
            ("device id", 'M'),
            ("website", 'N'),
            ("ip address", 'O'),
            ("fingerprint", 'P'),
            ("photo", 'Q'),
            ("employee id", 'R'),
        ];
        for (name, item) in columns {
            assert_eq!(letter(name, &numbers), Some(item), "{name}");
        }
    }

    #[test]
    fn values_tell_where_names_do_not() {
        assert_eq!(letter("x", &["a@example.org", "b@example.org"]), Some('F'));
        assert_eq!(letter("x", &["078-05-1120"]), Some('G'));
        assert_eq!(letter("x", &["https://example.org"]), Some('N'));
        assert_eq!(letter("x", &["10.0.0.1"]), Some('O'));
        assert_eq!(letter("x", &["+49 30 1234567"]), Some('D'));
        assert_eq!(letter("x", &["2024-01-31", "1999-12-01"]), Some('C'));
        assert_eq!(letter("diagnosis", &["2024-01-31"]), Some('C'), "whatever the name says");
        assert_eq!(letter("x", &["1.2.2024 10:15"]), Some('C'));
    }

    #[test]
    fn dates_are_allowed_by_year() {
        assert_eq!(letter("birth date", &["1980", "1990s"]), None);
        assert_eq!(letter("birth date", &["1980-Q1"]), Some('C'));
        assert_eq!(letter("admission", &["1980-03"]), Some('C'));
        assert_eq!(letter("admission type", &["emergency"]), None);
        assert_eq!(letter("date", &["20240131"]), Some('C'));
        assert_eq!(letter("x", &["20240131"]), None);
        assert_eq!(letter("birth date", &["[1980-01-03, 1980-02-01)", "[1980-02-01, 1981-07-09]"]), Some('C'));
        assert_eq!(letter("x", &["[1980-01-03, 1980-02-01)"]), Some('C'));
        assert_eq!(letter("birth date", &["{1980-01-03, 1980-02-01}"]), Some('C'));
        assert_eq!(
            letter("birth date", &["[1980-01-01, 1990-01-01)", "[1990-01-01, 1999-12-31]"]),
            None,
            "whole years"
        );
        assert_eq!(letter("age at admission", &["1980-01-03"]), Some('C'), "whatever the name says");
    }

    #[test]
    fn ages_above_89_are_one_group() {
        assert_eq!(letter("age", &["12", "89"]), None);
        assert_eq!(letter("age", &["12", "90"]), Some('C'));
        assert_eq!(letter("age", &["[90, 95)"]), Some('C'));
        assert_eq!(letter("age", &["[80, 90)", ">= 90", "90+", "90 or older"]), None);
        assert_eq!(letter("age", &["[12, 20)", "[85, 95)"]), Some('C'));
        assert_eq!(letter("age", &["[12, 20)", "[85, 93]"]), Some('C'));
    }

    #[test]
    fn three_digits_of_a_postal_code_are_allowed() {
        assert_eq!(letter("zip code", &["13053"]), Some('B'));
        assert_eq!(letter("zip code", &["1305*"]), Some('B'));
        assert_eq!(letter("zip code", &["130**", "*****"]), None);
        assert_eq!(letter("zip code", &["[13053, 13068]"]), Some('B'));
        assert_eq!(letter("zip code", &["{130**, 148**}", "[13000, 13100)"]), None);
        assert_eq!(letter("state", &["Ohio"]), None);
        assert_eq!(letter("country", &["Chile"]), None);
    }

    #[test]
    fn what_is_hidden_is_not_there() {
        assert_eq!(letter("surname", &["*", "", "**"]), None);
        assert_eq!(letter("surname", &[]), None);
        assert_eq!(letter("code", &["7", "7", "7", "7", "7", "7", "7"]), None, "the code of a group");
        assert_eq!(letter("id", &["1", "2", "3"]), Some('R'));
        assert_eq!(letter("occupation", &["smith"]), None);
    }
}
