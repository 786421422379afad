//! What is a column to an attacker, judging by its name and its values?

use rust_decimal::Decimal;

use super::column_text::ColumnText;
use super::findings::Sure;
use super::for_people::{counted, percent};
use crate::meaning::{SAMPLE, contents, free_text, pattern, person_name, sampling_weight, topic};
use crate::policy::Role;
use shoal_core::hierarchy::known;
use shoal_core::table::{ColumnType, ValueKind};

/// What a column looks like.
pub(super) struct Evidence<'a> {
    /// Its values.
    pub(super) text: &'a ColumnText<'a>,
    /// What kind they are of.
    pub(super) column_type: &'a ColumnType,
    /// The rows of the table.
    pub(super) rows: u64,
    /// The rows whose value no other row has.
    pub(super) alone: u64,
    /// The share of pairs of rows that the column tells apart, where it is known.
    pub(super) separation: Option<f64>,
}

/// A role, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Proposal {
    pub(super) role: Role,
    pub(super) sure: Sure,
    pub(super) reason: String,
    /// May each person have a value of their own?
    pub(super) is_of_one_person: bool,
    /// Is every value to be hidden until somebody has looked?
    pub(super) must_hide: bool,
    /// Did somebody write a text into each row?
    pub(super) is_free_text: bool,
}

impl Proposal {
    fn likely(role: Role, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { role, sure: Sure::Likely, reason, is_of_one_person: false, must_hide: false, is_free_text: false }
    }

    fn in_doubt(role: Role, reason: impl Into<String>) -> Self {
        Self { sure: Sure::InDoubt, ..Self::likely(role, reason) }
    }
}

/// So many values may be people who have many rows each; fewer are more likely a list of choices.
const MANY_VALUES: usize = 50;

/// In fewer rows nearly all values of any column differ by chance.
const ENOUGH_ROWS: u64 = 20;

/// The role of a column. When in doubt it is a quasi-identifier: what nobody knows is then generalized without need,
/// where the opposite mistake would give people away.
pub(super) fn propose(column: &Evidence<'_>) -> Proposal {
    if column.text.texts.is_empty() {
        return Proposal::likely(Role::Insensitive, "no row has a value");
    }
    let values = || column.text.distinct().take(SAMPLE);
    let pattern = pattern::of(values());
    if let Some(pattern) = pattern.filter(|pattern| !pattern.is_weak) {
        return Proposal::likely(Role::Identifier, format!("nearly all values are written like {}", pattern.what));
    }
    let named = topic::of(column.text.name);
    if column.has_notes(named) {
        let reason = match column.is_nearly_unique() {
            true => format!("{} a text of its own, which may name people", column.each_row_has()),
            false => "free text, which may name people: many rows have a text of their own".to_owned(),
        };
        return Proposal { is_free_text: true, ..Proposal::likely(Role::Identifier, reason) };
    }
    let contents = contents::of(column.text.name, values()).filter(|found| !found.is_whole || !found.is_in_doubt);
    // What each of a few choices has in it names nobody of the table; whoever publishes it is warned.
    if let Some(found) =
        contents.filter(|found| found.is_whole || found.is_sure_to_identify() || !column.has_few_values())
    {
        return match found.is_whole {
            true => Proposal::likely(Role::Identifier, found.why()),
            false => Proposal::in_doubt(Role::Identifier, found.why()),
        };
    }
    if sampling_weight::could_be(column.text.name, values()) {
        let reason = "more decimals than scales tell: they could be sampling weights, which hardly two people share and whoever has the \
                      survey's files may know";
        return Proposal::in_doubt(Role::Identifier, reason);
    }
    let topic = named
        .filter(|topic| !topic.is_vague || column.is_mostly_distinct())
        .filter(|topic| !topic.is_of_notes || !column.has_few_values());
    if topic.is_none_or(|topic| topic.role == Role::QuasiIdentifier || topic.is_vague)
        && let Some(what) = column.tells_of_health()
    {
        return Proposal::likely(Role::Sensitive, format!("nearly all values are written like {what}"));
    }
    if topic.is_some_and(|topic| topic.names_others) && person_name::could_be(values()) {
        return Proposal::in_doubt(Role::Identifier, "nearly all values could be names of people");
    }
    let is_constant = column.is_constant();
    if let Some(topic) = topic.filter(|topic| topic.role == Role::Identifier || !is_constant) {
        let reason = format!("named like {}", topic.what);
        if topic.role == Role::Identifier && !is_constant && column.has_few_values() {
            return column.choices_called_identifier(&reason);
        }
        if topic.is_household && topic.role != Role::Identifier && column.could_number_groups() {
            return Proposal::likely(
                Role::Identifier,
                reason + ", with so many values as only numbers of households have",
            );
        }
        return Proposal { is_of_one_person: topic.is_of_one_person, ..Proposal::likely(topic.role, reason) };
    }
    if is_constant {
        return Proposal::likely(
            Role::Insensitive,
            "every row has the same value, so it tells no row from another (but it is true of everybody in the table)",
        );
    }
    if let Some(pattern) = pattern {
        let reason = format!("nearly all values could be {}, but nothing else says so", pattern.what);
        return Proposal::in_doubt(Role::Identifier, reason);
    }
    if column.is_mostly_distinct() && column.rows >= ENOUGH_ROWS && person_name::could_be(values()) {
        return Proposal::in_doubt(Role::Identifier, "nearly all values could be names of people");
    }
    if let Some(what) = column.own_number() {
        return Proposal::likely(Role::Identifier, what);
    }
    let reason = match (column.alone, column.separation) {
        (0, Some(separation)) => format!(
            "others may know it, and it tells {} of the pairs of rows apart: together with other columns it could single \
             people out",
            percent((separation * 1e6).round() as u64, 1_000_000)
        ),
        (0, None) => "others may know it, and together with other columns it could single people out".to_owned(),
        _ => format!(
            "others may know it, and {} of the rows are alone with their value",
            percent(column.alone, column.rows)
        ),
    };
    Proposal::in_doubt(Role::QuasiIdentifier, reason)
}

impl Evidence<'_> {
    fn present(&self) -> u64 {
        self.rows - self.text.nulls.min(self.rows)
    }

    /// Is there one value, and several rows that have it?
    fn is_constant(&self) -> bool {
        self.text.more_than.is_none() && self.text.texts.len() == 1 && self.text.nulls == 0 && self.rows > 1
    }

    fn is_nearly_unique(&self) -> bool {
        let is_so = self.rows >= ENOUGH_ROWS && self.alone * 20 >= self.present() * 19;
        is_so || self.text.more_than.is_some()
    }

    /// Are there enough values for one of each person's own, with a few rows each?
    fn is_mostly_distinct(&self) -> bool {
        self.text.more_than.is_some() || self.text.texts.len() as u64 * 5 >= self.present()
    }

    /// Are there many values that are no measures, each of which may be the number of a few people?
    fn could_number_groups(&self) -> bool {
        let is_many = self.text.more_than.is_some() || self.text.texts.len() >= MANY_VALUES;
        is_many && matches!(self.column_type.kind(), ValueKind::Integer | ValueKind::Text)
    }

    /// Are these texts that somebody wrote about one person each? What is called a place, a job or the like has to differ more than what
    /// is called by anything else, and a few words say nothing in a short table.
    fn has_notes(&self, named: Option<&topic::Topic>) -> bool {
        let values = || self.text.distinct().take(SAMPLE);
        if self.column_type.kind() != ValueKind::Text || !self.is_mostly_distinct() {
            return false;
        }
        let differ = |share: u64| self.text.more_than.is_some() || self.alone * share >= self.present();
        let is_of_many = self.text.more_than.is_some() || self.alone * 2 >= self.text.texts.len() as u64;
        let may_be_known = named.is_some_and(|topic| topic.role == Role::QuasiIdentifier);
        let (is_long, has_enough_rows) = (free_text::are_sentences(values()), self.rows >= ENOUGH_ROWS);
        is_long && self.present() > 2 && (is_of_many || differ(2))
            || has_enough_rows && is_of_many && free_text::are_notes(values()) && (!may_be_known || differ(2))
            || self.is_nearly_unique() && !may_be_known && named.is_some() && free_text::have_words(values())
    }

    /// What illness or medicine nearly all values are codes of, if they are.
    fn tells_of_health(&self) -> Option<&'static str> {
        let values: Vec<String> = self.text.distinct().take(SAMPLE).map(str::to_owned).collect();
        known::about_health(&values, self.column_type)
    }

    /// Are there so few values, each so often, that they are more likely a list of choices than people?
    fn has_few_values(&self) -> bool {
        !self.is_mostly_distinct() && self.text.texts.len() < MANY_VALUES
    }

    /// A column that is called like an identifier and has too few values for one: it is neither dropped nor shown.
    fn choices_called_identifier(&self, named: &str) -> Proposal {
        let (values, rows) = (counted(self.text.texts.len() as u64, "different value"), counted(self.present(), "row"));
        let reason = format!(
            "{named}, but its {values} in {rows} look more like a list of choices; it is kept, with its values hidden, until \
             you say what it is"
        );
        Proposal { must_hide: true, ..Proposal::in_doubt(Role::QuasiIdentifier, reason) }
    }

    /// Why each row seems to have a name or number of its own, if it does.
    fn own_number(&self) -> Option<String> {
        let numbers = || self.text.distinct().filter_map(|value| self.column_type.number(value));
        let is_whole = self.column_type.kind() == ValueKind::Integer;
        if is_whole && self.text.more_than.is_none() {
            let counts_up =
                numbers().zip(numbers().skip(1)).all(|(one, next)| next.checked_sub(one) == Some(Decimal::ONE));
            if counts_up && self.rows > 2 && self.alone == self.rows {
                return Some("the values count the rows".to_owned());
            }
        }
        if !self.is_nearly_unique() {
            return None;
        }
        let what = match self.column_type.kind() {
            ValueKind::Text => "a value of its own, as names and codes do",
            ValueKind::Integer if is_dense(numbers()) => "a number of its own, as in a register",
            ValueKind::Integer if is_code(self.text.distinct()) => "a code of its own",
            _ => return None,
        };
        Some(format!("{} {what}", self.each_row_has()))
    }

    /// What is known of a column of nearly unique values.
    fn each_row_has(&self) -> &'static str {
        match self.text.more_than {
            None => "nearly every row has",
            Some(_) => "its values are so many or so long that each row may have",
        }
    }
}

/// Are at least half of the numbers between the smallest and the largest taken?
fn is_dense(numbers: impl Iterator<Item = Decimal> + Clone) -> bool {
    let (Some(smallest), Some(largest)) = (numbers.clone().min(), numbers.clone().max()) else { return false };
    largest.checked_sub(smallest).is_some_and(|range| range < Decimal::from(numbers.count() as u64 * 2))
}

/// Digits that name something: many, always as many, and no dates.
fn is_code<'a>(mut values: impl Iterator<Item = &'a str> + Clone) -> bool {
    let length = values.clone().next().map_or(0, str::len);
    let may_be_dates = length == 8 && values.clone().all(|value| value.starts_with("19") || value.starts_with("20"));
    length >= 6 && !may_be_dates && values.all(|value| value.len() == length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The role of a column in which each value occurs once, except that the last fills up the rows.
    fn proposed(name: &str, values: &[&str], rows: u64) -> Proposal {
        let mut texts: Vec<(&str, u64)> = values.iter().map(|value| (*value, 1)).collect();
        if let Some(last) = texts.last_mut() {
            last.1 += rows - values.len() as u64;
        }
        let text = ColumnText { name, texts, nulls: 0, more_than: None };
        let column_type = text.column_type(false);
        let alone = text.texts.iter().filter(|(_, count)| *count == 1).count() as u64;
        propose(&Evidence { text: &text, column_type: &column_type, rows, alone, separation: None })
    }

    fn role(name: &str, values: &[&str], rows: u64) -> Role {
        proposed(name, values, rows).role
    }

    fn of(values: impl Iterator<Item = String>) -> Vec<String> {
        values.collect()
    }

    fn role_of_all(name: &str, values: &[String]) -> Role {
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        role(name, &values, values.len() as u64)
    }

    #[test]
    fn values_decide_where_they_are_clear() {
        assert_eq!(role("contact", &["a@example.org", "b@example.org"], 9), Role::Identifier);
        assert_eq!(role("condition", &["078-05-1120", "078-05-1121"], 9), Role::Identifier);
        assert_eq!(role("zip", &["030 1234 5678", "030 1234 5679"], 9), Role::QuasiIdentifier, "a weak pattern");
        assert_eq!(role("x", &["030 1234 5678", "030 1234 5679"], 9), Role::Identifier);
    }

    #[test]
    fn what_each_row_has_of_its_own_identifies_it() {
        assert_eq!(role_of_all("x", &of((1..=50).map(|n| n.to_string()))), Role::Identifier);
        assert_eq!(role_of_all("x", &of((1..=5).map(|n| n.to_string()))), Role::Identifier, "they count up");
        assert_eq!(role_of_all("x", &of((0..50).map(|n| format!("K{:03}", n * 7 % 50)))), Role::Identifier);
        assert_eq!(role_of_all("x", &of((0..50).map(|n| (700_000 + n * 1_717).to_string()))), Role::Identifier);
        let notes = of((0..50).map(|n| format!("the patient of bed {n} came in with a headache and a fever")));
        assert_eq!(role_of_all("diagnosis", &notes), Role::Identifier, "free text");
        assert_eq!(role_of_all("x", &of((0..50).map(|n| format!("{n}.5")))), Role::QuasiIdentifier, "a measure");
        assert_eq!(role_of_all("x", &of((0..50).map(|n| (n * 997).to_string()))), Role::QuasiIdentifier);
        let days = of((0..50).map(|n| (20_240_101 + n * 300).to_string()));
        assert_eq!(role_of_all("x", &days), Role::QuasiIdentifier, "dates");
    }

    /// A text of a few words for each of half of the rows, and of the others the same.
    fn notes(rows: u64) -> Vec<String> {
        let words = ["slept", "felt", "fell", "moved", "called", "waits", "smokes", "eats", "sings"];
        let note = |n: u64| format!("{} badly {} {}", words[n as usize % 9], words[n as usize / 9 % 9], n / 81);
        (0..rows / 2).map(note).map(|note| note + " today").collect()
    }

    #[test]
    fn what_somebody_wrote_is_left_out_whatever_it_is_called() {
        for name in ["diagnosis notes", "comment", "treatment", "x", "job description"] {
            let column = notes(200);
            let column: Vec<&str> = column.iter().map(String::as_str).collect();
            let proposal = proposed(name, &column, 198);
            assert_eq!((proposal.role, proposal.is_free_text), (Role::Identifier, true), "{name}: {}", proposal.reason);
        }
        let few = ["slept badly last night", "felt dizzy at work", "moved house this spring"];
        assert_eq!(role("treatment", &few, 40), Role::Sensitive, "a list of choices");
        assert!(!proposed("remark", &few, 40).must_hide, "a list of choices");
        assert_eq!(role("x", &few, 4), Role::QuasiIdentifier, "too few rows to tell");
        let cities = of((0..60)
            .map(|n| format!("San Juan Town{}", char::from(b'a' + n % 26).to_string().repeat(1 + n as usize / 26))));
        let cities: Vec<&str> = cities.iter().map(String::as_str).collect();
        assert_eq!(role("city", &cities, 200), Role::QuasiIdentifier, "a place that others have, too");
        let two = of((0..60).map(|n| format!("torn {}", ["knee", "hip"][n % 2].repeat(1 + n / 2))));
        assert_eq!(role_of_all("diagnosis", &two), Role::Identifier, "two words, and everybody has others");
    }

    #[test]
    fn codes_of_illnesses_and_medicines_are_sensitive_whatever_they_are_called() {
        let icd = ["I21.4", "I21.0", "I25.1", "E11.9", "I10.9"];
        let atc = ["C07AB02", "C07AB03", "C09AA05", "A10BA02"];
        for name in ["x", "code", "admission", "Hauptdiag."] {
            assert_eq!(role(name, &icd, 100), Role::Sensitive, "{name}");
        }
        assert_eq!(role("x", &atc, 100), Role::Sensitive);
        assert_eq!(role("room", &["A01", "B12", "C07"], 100), Role::QuasiIdentifier);
        assert_eq!(role("patient id", &icd, 10), Role::Identifier);
    }

    #[test]
    fn names_with_titles_are_names_and_abbreviations_are_none() {
        assert_eq!(role("attending", &["Dr Miller", "Dr Jones", "Dr Wu"], 100), Role::Identifier);
        assert_eq!(role("x", &["Dr. Miller", "Prof. Jones"], 100), Role::Identifier);
        assert_eq!(role("physician", &["Ann Miller", "Bob Jones", "Wu, Kim"], 100), Role::Identifier);
        assert_eq!(role("physician", &["D17", "D18", "D20"], 100), Role::QuasiIdentifier);
        assert_eq!(
            role("disease", &["MS Relapsing form", "MS Primary form", "Heart Disease Stage"], 100),
            Role::Sensitive
        );
        assert_eq!(role("unit", &["MS Unit North", "ER Unit East"], 100), Role::QuasiIdentifier);
    }

    #[test]
    fn a_number_of_a_group_is_no_identifier() {
        assert_eq!(role("ward id", &["1", "2", "3"], 100), Role::QuasiIdentifier);
        assert_eq!(role("code", &["7", "8", "9"], 100), Role::QuasiIdentifier);
        let patients: Vec<String> = of((0..60).map(|n| format!("P{n:03}")));
        let patients: Vec<&str> = patients.iter().map(String::as_str).collect();
        let patient = proposed("patient id", &patients, 5000);
        assert_eq!((patient.role, patient.is_of_one_person), (Role::Identifier, true), "people with many visits");
    }

    /// A survey's party identification, `pid`, goes from 0 to 6.
    #[test]
    fn a_name_alone_makes_no_identifier_of_a_few_choices() {
        for (name, values) in [("pid", &["0", "1", "2", "3", "4", "5", "6"][..]), ("phone", &["yes", "no"])] {
            let column = proposed(name, values, 944);
            assert_eq!((column.role, column.sure), (Role::QuasiIdentifier, Sure::InDoubt), "{name}");
            assert!(column.must_hide && !column.is_of_one_person, "{name}");
            let says = format!("its {} different values in 944 rows look more like a list of choices", values.len());
            assert!(column.reason.starts_with("named like ") && column.reason.contains(&says), "{}", column.reason);
        }
        assert_eq!(role("patient id", &["7", "8", "9"], 10), Role::Identifier, "three rows each");
    }

    #[test]
    fn every_proposal_says_how_sure_it_is() {
        assert_eq!(proposed("age", &["31", "32", "33"], 9).sure, Sure::Likely);
        assert_eq!(proposed("contact", &["a@example.org", "b@example.org"], 9).sure, Sure::Likely);
        assert_eq!(proposed("x", &["030 1234 5678", "030 1234 5679"], 9).sure, Sure::InDoubt, "they could be anything");
        assert_eq!(proposed("colour", &["red", "green"], 9).sure, Sure::InDoubt);
    }

    #[test]
    fn constants_tell_nothing_unless_they_name_somebody() {
        assert_eq!(role("hiv", &["yes"], 100), Role::Insensitive);
        assert_eq!(role("name", &["Ann Lee"], 100), Role::Identifier);
        assert_eq!(role("hiv", &["yes"], 1), Role::Sensitive, "a single row has nothing but constants");
        assert_eq!(role("x", &[], 0), Role::Insensitive);
    }

    #[test]
    fn weights_of_a_survey_are_no_body() {
        let weights = of((0..50).map(|n| format!("0.{:05}", 20_000 + n * 1_717)));
        assert_eq!(role_of_all("weight", &weights), Role::Identifier);
        assert_eq!(role_of_all("weight", &of((0..50).map(|n| format!("{}.5", 50 + n)))), Role::QuasiIdentifier);
    }

    #[test]
    fn in_doubt_it_is_a_quasi_identifier() {
        let proposal = proposed("colour", &["red", "green", "blue"], 8);
        assert_eq!(proposal.role, Role::QuasiIdentifier);
        assert!(proposal.reason.contains("25% of the rows are alone"), "{proposal:?}");
    }
}
