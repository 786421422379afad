//! Does a row stand for a person, or do some people have several?
//!
//! Models count rows. Where a column that each person should have a value of their own in has the same value in several rows,
//! whoever reads what is promised has to know.

use std::fmt;

use super::{free_text, topic};
use crate::policy::Role;
use shoal_core::frequency::Repetition;
use shoal_core::warning::Warning;
use shoal_core::words::grouped;

/// Why the values of a column are taken for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It is named like something of which each person has one.
    Named(&'static str),
    /// The policy calls it an identifier; of what is not known.
    Identifier,
    /// Its name may be that of a person's number, or of any other.
    Vague,
}

/// A column that is watched while rows are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Watched {
    /// Its name.
    pub column: String,
    /// Why.
    pub why: Why,
}

/// A column whose values repeat although each should be one person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeats {
    /// Its name.
    pub column: String,
    why: Why,
    found: Repetition,
    /// Is there a policy that could say that its values are people?
    has_policy: bool,
    /// Do figures by people stand beside those by rows, with its values for people?
    is_counted: bool,
}

/// With more rows for each value, what is named like a number of people may be one of something else: PID is also a party.
const MANY: f64 = 20.0;

/// Fewer rows for each value may be there by chance, or by mistake.
const FEW: f64 = 1.01;

impl Watched {
    /// Those of some columns that are worth watching; `role` is what a policy says of each, `None` if it says nothing.
    pub fn among<'a>(columns: impl Iterator<Item = &'a str>, role: impl Fn(&str) -> Option<Role>) -> Vec<Self> {
        let watched = |column: &'a str| Some(Self { column: column.to_owned(), why: why(column, role(column))? });
        columns.filter_map(watched).collect()
    }

    /// What there is to say when its rows are counted; nothing if no value was found twice.
    pub fn judge(self, found: Repetition) -> Option<Repeats> {
        let is_telling = self.why != Why::Vague || found.mean() <= MANY;
        let (column, why) = (self.column, self.why);
        (found.is_found() && is_telling).then_some(Repeats { column, why, found, has_policy: true, is_counted: false })
    }
}

fn why(column: &str, role: Option<Role>) -> Option<Why> {
    let topic = topic::of(column);
    // Whoever only wants to leave a birth date out may call it an identifier; that it repeats tells nothing.
    let is_of_something_else =
        topic.is_some_and(|topic| topic.role != Role::Identifier) && !topic::is_number_of_something(column);
    if topic.is_some_and(|topic| topic.is_shared) {
        return None;
    }
    match (topic.filter(|topic| topic.is_of_one_person), role) {
        (Some(topic), _) if !topic.is_vague => Some(Why::Named(topic.what)),
        (_, Some(Role::Identifier)) => (!is_of_something_else).then_some(Why::Identifier),
        (Some(_), None | Some(Role::Insensitive)) => Some(Why::Vague),
        _ => None,
    }
}

impl Repeats {
    /// How sure it is.
    pub fn opening(&self) -> &'static str {
        if self.is_likely() { "rows do not seem to be people" } else { "rows may not be people" }
    }

    /// What makes one think so, without a figure.
    pub fn evidence(&self) -> String {
        let column = &self.column;
        match self.why {
            Why::Named(what) => format!("`{column}` is named like {what}, and its values repeat"),
            Why::Identifier => format!("values of the identifier `{column}` repeat"),
            Why::Vague => format!("`{column}` could be the number of a person, and its values repeat"),
        }
    }

    /// What follows from it.
    pub fn consequence(&self) -> &'static str {
        if self.is_likely() {
            return "what is promised counts rows, and several rows of a class may be one person's";
        }
        "if each value is one person, several rows of a class may be one person's: what is promised counts rows"
    }

    /// Do some of its values say that it has texts, and the name of the column not that each is one person? Two people may have the same note.
    pub fn is_of_notes<'a>(&self, values: impl Iterator<Item = &'a str> + Clone) -> bool {
        !matches!(self.why, Why::Named(_)) && free_text::are_notes(values)
    }

    /// Does the name of the column say that its values are people, and do they repeat as those of people would?
    pub fn is_likely(&self) -> bool {
        matches!(self.why, Why::Named(_)) && (FEW..=MANY).contains(&self.found.mean())
    }

    /// How many rows have the same value on average, and of how many rows that is.
    pub fn mean(&self) -> (f64, u64) {
        (self.found.mean(), self.found.rows)
    }

    /// The same where nobody has a policy to change.
    #[must_use]
    pub fn without_policy(self) -> Self {
        Self { has_policy: false, ..self }
    }

    /// The same where figures by people stand beside those by rows, with its values for people.
    #[must_use]
    pub fn counted(self) -> Self {
        Self { is_counted: true, ..self }
    }

    fn figures(&self) -> String {
        let Repetition { rows, values, largest, .. } = self.found;
        let (rows, distinct) = (grouped(rows), grouped(self.found.distinct()));
        let noun = if self.found.distinct() == 1 { "value" } else { "different values" };
        match self.found.is_exact() {
            true => format!("{rows} rows hold {distinct} {noun}, up to {} rows each", grouped(largest)),
            false => format!(
                "{rows} rows hold about {distinct} {noun}, in a sample of {} of them up to {} rows each",
                grouped(values),
                grouped(largest)
            ),
        }
    }
}

impl Repeats {
    /// For the owner of the table: its figures are not for everybody.
    pub fn warning(&self) -> Warning {
        Warning::new(Self::WARNING, self.to_string())
    }

    /// What programs tell the warning by.
    pub const WARNING: &str = "rows-are-not-people";
}

/// The whole sentence, for the owner of the table: its figures are not for everybody.
impl fmt::Display for Repeats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doubt = match self.found.mean() {
            mean if mean < FEW => ", so few that it may be chance or a mistake",
            mean if mean > MANY => ", so many that it may be a list of choices",
            _ => "",
        };
        write!(f, "{}: {} ({}{doubt}); {}", self.opening(), self.evidence(), self.figures(), self.consequence())?;
        if self.is_counted {
            write!(f, "; people are counted by `{}` besides", self.column)?;
        }
        f.write_str(match (self.is_likely() && self.has_policy, self.is_counted) {
            (false, _) => "",
            (true, false) => "; `person` in [input] counts people",
            (true, true) => "; `person` in [input] makes promises count them",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rows: u64, values: u64, largest: u64) -> Repetition {
        Repetition { rows, halvings: 0, values, rows_of_values: rows, largest }
    }

    fn said(column: &str, role: Option<Role>, found: Repetition) -> Option<String> {
        let watched = Watched::among([column].into_iter(), |_| role);
        watched.into_iter().find_map(|watched| watched.judge(found)).map(|repeats| repeats.to_string())
    }

    #[test]
    fn how_sure_it_is_depends_on_the_name_and_the_role() {
        let visits = found(3596, 900, 17);
        assert_eq!(
            said("patient id", None, visits).unwrap(),
            "rows do not seem to be people: `patient id` is named like a number that one person has, and its values repeat (3,596 \
             rows hold 900 different values, up to 17 rows each); what is promised counts rows, and several rows of a class may \
             be one person's; `person` in [input] counts people"
        );
        assert_eq!(
            said("patient id", Some(Role::Identifier), visits),
            said("patient id", Some(Role::Insensitive), visits)
        );
        let identifier = said("x", Some(Role::Identifier), visits).unwrap();
        assert!(
            identifier.starts_with("rows may not be people: values of the identifier `x` repeat (3,596"),
            "{identifier}"
        );
        assert!(identifier.contains("; if each value is one person, "), "{identifier}");
        let vague = said("record id", Some(Role::Insensitive), visits).unwrap();
        assert!(vague.contains("`record id` could be the number of a person"), "{vague}");
    }

    #[test]
    fn a_policy_is_spoken_of_where_there_is_one() {
        let watched = Watched::among(["patient id"].into_iter(), |_| None).pop().unwrap();
        let repeats = watched.judge(found(3596, 900, 17)).unwrap();
        let counted = repeats.clone().counted().to_string();
        assert!(
            counted.ends_with(
                "; people are counted by `patient id` besides; `person` in [input] makes promises count them"
            )
        );
        let without = repeats.clone().without_policy().to_string();
        assert!(without.ends_with("several rows of a class may be one person's"), "{without}");
        let counted = repeats.without_policy().counted().to_string();
        assert!(counted.ends_with("one person's; people are counted by `patient id` besides"), "{counted}");
    }

    #[test]
    fn very_few_and_very_many_rows_of_a_value_leave_doubt() {
        let few = said("mrn", Some(Role::Identifier), found(944, 942, 2)).unwrap();
        assert!(few.starts_with("rows may not be people: `mrn` is named like"), "{few}");
        assert!(few.contains("so few that") && few.contains("; if each value is one person, "), "{few}");
        let party = said("PID", Some(Role::Identifier), found(944, 7, 147)).unwrap();
        assert!(party.starts_with("rows may not be people: `PID` is named like"), "{party}");
        assert!(party.contains("up to 147 rows each, so many that it may be a list of choices); if each"), "{party}");
    }

    #[test]
    fn what_says_nothing_about_people_is_not_watched() {
        let visits = found(3596, 900, 17);
        assert_eq!(said("x", Some(Role::Insensitive), visits), None);
        assert_eq!(said("ward id", Some(Role::QuasiIdentifier), visits), None);
        assert_eq!(said("household id", None, visits), None);
        assert_eq!(said("Achternaam", Some(Role::Identifier), visits), None, "several people have one name");
        assert_eq!(said("street", Some(Role::Identifier), visits), None, "several people live there");
        assert_eq!(said("department id", Some(Role::Insensitive), visits), None);
        assert_eq!(said("code", Some(Role::Sensitive), visits), None);
        assert_eq!(said("birth date", Some(Role::Identifier), visits), None, "it is left out, but names nobody");
        assert_eq!(said("salary class", Some(Role::Identifier), visits), None);
        assert!(said("hospital number", Some(Role::Identifier), visits).is_some());
        assert_eq!(said("party id", Some(Role::Insensitive), found(944, 7, 300)), None, "hardly a number of people");
    }

    #[test]
    fn notes_name_nobody() {
        let repeats = |column: &str| {
            let watched = Watched::among([column].into_iter(), |_| Some(Role::Identifier)).pop().unwrap();
            watched.judge(found(3596, 900, 17)).unwrap()
        };
        let notes = ["slept badly since June", "no complaints at all"];
        assert!(repeats("x").is_of_notes(notes.into_iter()));
        assert!(!repeats("x").is_of_notes(["P001", "P002"].into_iter()));
        assert!(!repeats("patient id").is_of_notes(notes.into_iter()));
    }

    #[test]
    fn without_a_repetition_there_is_nothing_to_say() {
        assert_eq!(said("patient id", Some(Role::Identifier), found(900, 900, 1)), None);
        assert_eq!(said("patient id", Some(Role::Identifier), found(0, 0, 0)), None);
    }

    #[test]
    fn figures_are_exact_or_say_that_they_are_not() {
        let few = said("mrn", None, found(10_000, 9_998, 2)).unwrap();
        assert!(
            few.contains("9,998 different values, up to 2 rows each, so few that it may be chance or a mistake"),
            "{few}"
        );
        let sampled = Repetition { rows: 1_000_000, halvings: 3, values: 31_022, rows_of_values: 125_000, largest: 9 };
        let text = said("mrn", None, sampled).unwrap();
        assert!(
            text.contains(
                "1,000,000 rows hold about 250,000 different values, in a sample of 31,022 of them up to 9 rows each"
            ),
            "{text}"
        );
        assert!(
            said("x", Some(Role::Identifier), found(5, 1, 5))
                .unwrap()
                .contains("(5 rows hold 1 value, up to 5 rows each)")
        );
    }
}
