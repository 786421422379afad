//! What was found in a table, as plain data?

use std::fmt;

use super::concern::{ColumnNow, Concern};
use super::for_people::grouped;
use crate::policy::Role;
use crate::risk::grouping::Distinction;
use shoal_core::hierarchy::Suggestion;
use shoal_core::table::{DateReading, Unclear, ValueKind};
use shoal_format::InputFormat;

/// What was found in a table, and what is proposed for it.
#[derive(Debug, Clone)]
pub struct TableFindings {
    /// How to open the table: nothing is set that would be found out anyway, unless it is unusual; markers of missing
    /// values are those found.
    pub input: InputFormat,
    /// How many rows it has.
    pub rows: u64,
    /// Its columns, in the order of the file.
    pub columns: Vec<ColumnFindings>,
    /// Which columns single people out together.
    pub singling_out: SinglingOut,
    /// What its owner should think about, besides guesses about dates.
    pub concerns: Vec<Concern>,
    /// Whose rows they are, where people seem to have several.
    pub whose: Option<WhoseRows>,
}

/// Whose rows a table has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhoseRows {
    /// The column that says so.
    pub column: String,
    /// How many people there are.
    pub people: u64,
    /// The column that says who lives together, if there is one.
    pub household: Option<String>,
}

/// What was found in a column, and what is proposed for it. No sensitive or identifying value is in here.
#[derive(Debug, Clone)]
pub struct ColumnFindings {
    /// Its name.
    pub name: String,
    /// What kind of values it has.
    pub kind: ValueKind,
    /// How many different values it has, the missing one left out.
    pub distinct: Distinct,
    /// The rows without a value.
    pub missing: u64,
    /// The rows whose value no other row has; not known of a column of too many values.
    pub alone: Option<u64>,
    /// The rows with the most frequent value; not known of a column of too many values.
    pub most_frequent: Option<u64>,
    /// The smallest and the largest number or date, of a column whose values may be shown.
    pub range: Option<(String, String)>,
    /// What it seems to be to an attacker.
    pub role: Role,
    /// How sure that is.
    pub sure: Sure,
    /// Why, in a few words.
    pub reason: String,
    /// Is it one of many that look like answers of a survey, and left out for that reason unless somebody says otherwise?
    pub is_answer: bool,
    /// How its dates are read, where that is a guess.
    pub dates: DateReading,
    /// What that is a guess between.
    pub unclear: Option<Unclear>,
    /// Has its owner said how they are read?
    pub dates_are_said: bool,
    /// What its values may become; for quasi-identifiers.
    pub hierarchy: Option<ProposedHierarchy>,
}

/// How sure a proposal is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sure {
    /// Its owner has said so.
    Said,
    /// Name or values speak for it, and nothing against it.
    Likely,
    /// It is the safe side, no more.
    InDoubt,
}

impl Sure {
    /// In a word or two.
    pub fn words(self) -> &'static str {
        match self {
            Sure::Said => "said",
            Sure::Likely => "likely",
            Sure::InDoubt => "in doubt",
        }
    }
}

impl ColumnFindings {
    /// Does the starter policy leave it out without naming it? An identifier that repeats would be taken for people.
    pub fn is_left_out(&self) -> bool {
        self.is_answer && self.role == Role::Identifier
    }

    /// Does it matter how its dates are read?
    pub fn is_read_as_dates(&self) -> bool {
        self.kind == ValueKind::Date && matches!(self.role, Role::QuasiIdentifier | Role::Sensitive)
    }

    /// How sure the role is, and why.
    pub fn why(&self) -> String {
        match self.sure {
            Sure::Said => self.reason.clone(),
            sure => format!("{}: {}", sure.words(), self.reason),
        }
    }
}

/// A hierarchy for a quasi-identifier.
#[derive(Debug, Clone)]
pub struct ProposedHierarchy {
    /// The hierarchy and why it suits.
    pub suggestion: Suggestion,
    /// Its number of levels, that of the values themselves included.
    pub levels: usize,
    /// Are its numbers codes, so that the starter policy says `type = "category"`?
    pub is_category: bool,
    /// Is every value to be hidden in any case? Then the starter policy allows the top level only.
    pub is_hidden: bool,
}

/// A number of distinct values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distinct {
    /// So many.
    Exactly(u64),
    /// They were not counted further.
    MoreThan(u64),
}

impl Distinct {
    /// At least so many.
    pub fn at_least(self) -> u64 {
        match self {
            Distinct::Exactly(count) => count,
            Distinct::MoreThan(count) => count + 1,
        }
    }
}

impl fmt::Display for Distinct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Distinct::Exactly(count) => f.pad(&grouped(*count)),
            Distinct::MoreThan(count) => f.pad(&format!("> {}", grouped(*count))),
        }
    }
}

/// Which quasi-identifiers single people out together.
#[derive(Debug, Clone, Default)]
pub struct SinglingOut {
    /// The combinations of up to three columns that single out most, small ones first; one that adds little to a
    /// smaller one is left out.
    pub worst: Vec<Combination>,
    /// All quasi-identifiers together.
    pub together: Option<Combination>,
    /// Quasi-identifiers that take too much memory to be looked at: too many or too long values, or too many rows.
    pub left_out: Vec<String>,
}

/// Some columns, and how many people they single out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Combination {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// What they tell apart.
    pub grouping: Distinction,
}

impl TableFindings {
    /// What its owner should think about: warnings, and how dates are read as long as that is a guess.
    pub fn all_warnings(&self) -> Vec<String> {
        self.concerns.iter().map(ToString::to_string).chain(self.guesses().map(|(_, text)| text)).collect()
    }

    /// What is left of these warnings under a policy, whose people are counted by a column.
    pub fn warnings_under(&self, columns: &[ColumnNow], person: Option<&str>) -> Vec<String> {
        // Whether a column is sensitive is what the policy says, not what was proposed.
        let others = self.concerns.iter().filter(|concern| **concern != Concern::NothingSensitive);
        let concerns = others.chain([&Concern::NothingSensitive]).filter_map(|concern| concern.under(columns, person));
        let is_read = |column: &ColumnNow| matches!(column.role, Some(Role::QuasiIdentifier | Role::Sensitive));
        let guesses =
            self.guesses().filter(|(name, _)| columns.iter().any(|column| column.name == *name && is_read(column)));
        concerns.chain(guesses.map(|(_, text)| text)).collect()
    }

    /// How dates of which columns are read, as long as that is a guess.
    pub fn guesses(&self) -> impl Iterator<Item = (&str, String)> {
        let is_guess = |column: &&ColumnFindings| column.is_read_as_dates() && !column.dates_are_said;
        self.columns.iter().filter(is_guess).filter_map(|column| {
            let what = column.unclear.as_ref()?.what();
            Some((column.name.as_str(), format!("`{}`: {what}; the starter policy guesses, see there", column.name)))
        })
    }

    /// Whose rows they are, as long as its owner does not say that the column is anything but an identifier.
    pub fn person(&self) -> Option<&WhoseRows> {
        let is_identifier = |name: &str| self.with_role(Role::Identifier).any(|column| column.name == name);
        self.whose.as_ref().filter(|whose| is_identifier(&whose.column))
    }

    /// How many there are of what a policy counts: people, where it is known whose rows they are, and rows otherwise.
    pub fn counted(&self) -> u64 {
        self.person().map_or(self.rows, |whose| whose.people)
    }

    /// The columns with a role.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &ColumnFindings> {
        self.columns.iter().filter(move |column| column.role == role)
    }
}
