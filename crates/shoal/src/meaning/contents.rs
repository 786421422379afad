//! What do the values of a column give away, whatever its role?

use super::pattern::{self, Pattern};
use super::{SAMPLE, address, coordinates, free_text, person_name, sampling_weight, topic};
use crate::policy::Role;
use shoal_core::warning::Warning;
use shoal_core::words::grouped;

/// What was found in the values of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contents {
    /// The column.
    pub column: String,
    /// What it is, as in "look like e-mail addresses".
    pub what: &'static str,
    /// How many of the values are so, or have it in them.
    pub values: usize,
    /// How many were looked at.
    pub looked_at: usize,
    /// Is it the whole value, or something in a longer text?
    pub is_whole: bool,
    /// May it just as well be something else?
    pub is_in_doubt: bool,
    /// Does it name nobody where it is made vaguer, as a place does?
    pub can_be_vague: bool,
    /// Does only the name of the column say so?
    pub is_by_name: bool,
    /// Do some of the texts have something else of the kind in them?
    pub is_mixed: bool,
}

/// Of fewer different values nobody can tell what they are called.
const ENOUGH_NAMES: usize = 20;

/// What is said of texts that may name anybody.
const FREE_TEXT: &str = "free text, which may name people";

/// Fewer different values, each of many rows, are more likely a list of choices than people.
const MANY_VALUES: usize = 50;

/// The same for all columns of a table of so many rows, by some values of each: coordinates are seen by two columns that stand side by side.
/// What its values do not tell the name of a column may.
pub fn of_columns(columns: &[(String, Vec<String>)], rows: u64) -> Vec<Contents> {
    let texts = |place: usize| columns[place].1.iter().map(String::as_str);
    let of_one = |(place, (name, values)): (usize, &(String, Vec<String>))| {
        of(name, texts(place))
            .or_else(|| by_name(name, values.len(), rows))
            .or_else(|| of_people(name, texts(place)))
            .or_else(|| of_notes(name, texts(place), rows))
            .or_else(|| of_weights(name, texts(place)))
    };
    let mut found: Vec<Option<Contents>> = columns.iter().enumerate().map(of_one).collect();
    for place in 1..columns.len() {
        if found[place - 1..=place].iter().all(Option::is_none) && coordinates::could_be(texts(place - 1), texts(place))
        {
            for place in [place - 1, place] {
                found[place] = Some(Contents::coordinates(&columns[place].0, columns[place].1.len()));
            }
        }
    }
    found.into_iter().flatten().collect()
}

/// What a column is by its name, if that is something that identifies somebody: a name, a sampling weight, the number of a household. Without
/// any value the name alone has to do.
fn by_name(column: &str, values: usize, rows: u64) -> Option<Contents> {
    let topic = topic::of(column).filter(|topic| topic.role == Role::Identifier)?;
    let is_mostly_distinct = values >= SAMPLE || values as u64 * 5 >= rows;
    let is_constant = values == 1 && rows > 1;
    let is_choice = values > 0 && !is_mostly_distinct && values < MANY_VALUES;
    let says_nothing = is_constant || is_choice || topic.is_vague && (values == 0 || !is_mostly_distinct);
    (!says_nothing).then(|| Contents { is_by_name: true, ..Contents::in_doubt(column, topic.what, values, values) })
}

/// Names of people, as far as their form tells; a column whose name speaks of something else is that.
fn of_people<'a>(column: &str, values: impl Iterator<Item = &'a str> + Clone) -> Option<Contents> {
    let looked_at = values.clone().count();
    let (is_unnamed, is_of_others) = topic::of(column).map_or((true, false), |topic| (false, topic.names_others));
    let is_so = (looked_at >= ENOUGH_NAMES && is_unnamed || is_of_others) && person_name::could_be(values.clone());
    let alike = || values.filter(|value| person_name::is_like_a_name(value)).count();
    is_so.then(|| Contents::in_doubt(column, "names of people", alike(), looked_at))
}

/// Texts that somebody wrote of one person each, as far as their number and their words tell: hardly two are alike.
fn of_notes<'a>(column: &str, values: impl Iterator<Item = &'a str> + Clone, rows: u64) -> Option<Contents> {
    let looked_at = values.clone().count();
    let differ = looked_at >= ENOUGH_NAMES && looked_at as u64 * 2 >= rows && free_text::are_notes(values.clone());
    let is_so = differ || looked_at >= SAMPLE && free_text::are_sentences(values);
    is_so.then(|| Contents::in_doubt(column, FREE_TEXT, looked_at, looked_at))
}

/// Sampling weights, as far as their form tells.
fn of_weights<'a>(column: &str, values: impl Iterator<Item = &'a str> + Clone) -> Option<Contents> {
    let looked_at = values.clone().count();
    let is_so = sampling_weight::could_be(column, values);
    is_so.then(|| Contents::in_doubt(column, "sampling weights", looked_at, looked_at))
}

/// What stands in the values of a column that identifies somebody, if anything does: one look at distinct values.
pub fn of<'a>(column: &str, values: impl Iterator<Item = &'a str> + Clone) -> Option<Contents> {
    let looked_at = values.clone().count();
    let found = |what, count, is_whole, is_in_doubt| {
        Some(Contents { is_whole, is_in_doubt, ..Contents::in_doubt(column, what, count, looked_at) })
    };
    if let Some(Pattern { what, is_weak, .. }) = pattern::of(values.clone()) {
        return found(what, pattern::matching(what, values), true, is_weak);
    }
    let titled = values.clone().filter(|value| free_text::is_titled_name(value.trim())).count();
    if titled > 0 && titled * 10 >= looked_at * 9 {
        return found("names of people", titled, true, false);
    }
    let addresses = values.clone().filter(|value| address::is_in(value)).count();
    if addresses * 2 > looked_at {
        return found("addresses", addresses, true, false);
    }
    let mut most: Option<(&'static str, usize)> = None;
    let mut all = 0;
    let mut counts: Vec<(&'static str, usize)> = Vec::new();
    for what in values.filter_map(free_text::found_in) {
        all += 1;
        match counts.iter_mut().find(|(known, _)| *known == what) {
            Some((_, count)) => *count += 1,
            None => counts.push((what, 1)),
        }
        most = counts.iter().copied().max_by_key(|(_, count)| *count);
    }
    let is_mixed = counts.len() > 1;
    most.and_then(|(what, _)| Some(Contents { is_mixed, ..found(what, all, false, true)? }))
}

impl Contents {
    /// Whole values that may just as well be something else.
    fn in_doubt(column: &str, what: &'static str, values: usize, looked_at: usize) -> Self {
        Self {
            column: column.to_owned(),
            what,
            values,
            looked_at,
            is_whole: true,
            is_in_doubt: true,
            can_be_vague: false,
            is_by_name: false,
            is_mixed: false,
        }
    }

    fn coordinates(column: &str, values: usize) -> Self {
        Self { can_be_vague: true, ..Self::in_doubt(column, "coordinates, with the column beside it", values, values) }
    }

    /// How sure it is, and why.
    pub fn why(&self) -> String {
        let (values, looked_at) = (grouped(self.values as u64), grouped(self.looked_at as u64));
        if self.is_by_name {
            return match self.looked_at {
                0 => format!("it is named like {}, though no value was looked at", self.what),
                _ => format!("it is named like {}, though its values do not say so", self.what),
            };
        }
        match (self.is_whole, self.is_in_doubt) {
            (true, false) => format!("{values} of {looked_at} different values are written like {}", self.what),
            (true, true) => format!("{values} of {looked_at} different values could be {}", self.what),
            (false, _) => {
                let others = if self.is_mixed { " or the like" } else { "" };
                format!("{values} of {looked_at} different texts seem to have {}{others} in them", self.what)
            }
        }
    }

    /// Does hardly anything else look so? Names and addresses are guessed by a word or two.
    pub fn is_sure_to_identify(&self) -> bool {
        !matches!(self.what, "names" | "addresses" | "names of people")
    }

    /// What there is to say where the column is published.
    pub fn warning(&self) -> Warning {
        let instead = match self.can_be_vague {
            true => "a `quasi-identifier`, which is made vaguer",
            false => "an `identifier`, which is left out",
        };
        let text = format!("`{}` is published, and {}; if that is so, make it {instead}", self.column, self.why());
        Warning::new("identifying-values", text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(values: &[&str]) -> Option<String> {
        of("c", values.iter().copied()).map(|contents| contents.why())
    }

    #[test]
    fn whole_values_and_things_in_texts_are_told_apart() {
        let sure = found(&["a@example.org", "b@example.org"]).unwrap();
        assert_eq!(sure, "2 of 2 different values are written like e-mail addresses");
        assert_eq!(found(&["+49 30 1234567"]).unwrap(), "1 of 1 different values could be phone numbers");
        let within =
            found(&["asked to be called at 030 1234 5678", "no complaints at all", "came with a fever"]).unwrap();
        assert_eq!(within, "1 of 3 different texts seem to have phone numbers in them");
        let mixed =
            found(&["asked to be called at 030 1234 5678", "seen by Dr. Meier at noon", "call 030 1234 5679 soon"]);
        assert_eq!(mixed.unwrap(), "3 of 3 different texts seem to have phone numbers or the like in them");
        assert_eq!(found(&["flu", "gout", "a broken leg, left"]), None);
        assert_eq!(found(&[]), None);
    }

    #[test]
    fn coordinates_are_seen_by_two_columns_side_by_side() {
        let column = |name: &str, from: f64| {
            (name.to_owned(), (0..30).map(|n| format!("{:.5}", from + f64::from(n) * 0.1234)).collect::<Vec<_>>())
        };
        let age = ("age".to_owned(), (20..60).map(|age: u32| age.to_string()).collect());
        let found = of_columns(&[age.clone(), column("x", 48.0), column("y", 8.0)], 100);
        let [x, y] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((x.column.as_str(), y.column.as_str()), ("x", "y"));
        let warning = x.warning().to_string();
        assert!(warning.contains("could be coordinates") && warning.contains("a `quasi-identifier`"), "{warning}");
        assert_eq!(of_columns(&[column("x", 48.0), age, column("y", 8.0)], 100), [], "not side by side");
    }

    /// The warnings about one column of so many different values in so many rows.
    fn told(name: &str, value: impl Fn(usize) -> String, values: usize, rows: u64) -> Option<String> {
        let column = (name.to_owned(), (0..values).map(value).collect());
        of_columns(&[column], rows).first().map(|found| found.why())
    }

    #[test]
    fn names_of_people_are_seen_by_their_form() {
        let letters = |n: usize| char::from(b'a' + (n % 26) as u8).to_string().repeat(2 + n / 26);
        let person = |n: usize| format!("Ann{} Smith{}", letters(n), letters(n * 7));
        assert_eq!(told("x", person, 30, 60).unwrap(), "30 of 30 different values could be names of people");
        assert_eq!(told("x", person, 5, 60), None, "too few to tell");
        assert_eq!(told("occupation", person, 30, 60), None, "it is something else by its name");
        assert!(told("attending", person, 5, 60).is_some(), "names of others need not be many");
    }

    #[test]
    fn notes_of_which_hardly_two_are_alike_are_seen_by_their_words() {
        let words = ["slept", "felt", "fell", "moved", "called", "waits", "smokes"];
        let note = |n: usize| format!("{} badly {} {}", words[n % 7], words[n / 7 % 7], words[n / 49 % 7]);
        let free_text = "30 of 30 different values could be free text, which may name people";
        assert_eq!(told("diagnosis notes", note, 30, 40).unwrap(), free_text);
        assert_eq!(told("x", note, 30, 60).unwrap(), free_text);
        assert_eq!(told("x", note, 30, 61), None, "a list of choices");
        assert_eq!(told("x", |n| format!("{} {}", words[n % 7], words[n / 7]), 30, 30), None, "two words");
    }

    #[test]
    fn names_with_titles_need_not_be_many() {
        let values = ["Dr Miller", "Dr Jones", "Prof. Dr. Wu"];
        assert_eq!(found(&values).unwrap(), "3 of 3 different values are written like names of people");
        assert_eq!(found(&["Dr Miller", "ward 7"]), None);
    }

    #[test]
    fn a_header_that_names_an_identifier_is_believed_where_values_say_nothing() {
        let number = |n: usize| n.to_string();
        for name in ["name", "hhid", "panel_id", "sampling_weight"] {
            let why = told(name, number, 100, 300).unwrap_or_else(|| panic!("{name}"));
            assert!(why.starts_with("it is named like ") && why.ends_with("though its values do not say so"), "{why}");
            assert_eq!(told(name, number, 3, 300), None, "{name}: a list of choices");
            assert!(told(name, number, 0, 300).unwrap().ends_with("no value was looked at"), "{name}");
        }
        assert_eq!(told("colour", number, 100, 300), None);
    }

    #[test]
    fn a_weight_of_many_decimals_could_be_one_of_a_survey() {
        let near_one = |n: usize| format!("{:.5}", 0.5 + n as f64 / 37.0);
        assert_eq!(told("weight", near_one, 30, 60).unwrap(), "30 of 30 different values could be sampling weights");
        assert_eq!(told("weight", |n| (50 + n).to_string(), 30, 60), None);
    }

    #[test]
    fn a_warning_names_the_column_and_no_value() {
        let contents = of("mail", ["a@example.org"].into_iter()).unwrap();
        let text = contents.warning().to_string();
        assert!(text.contains("`mail` is published") && !text.contains("a@example"), "{text}");
    }
}
