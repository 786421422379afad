//! What does a label say by itself, to somebody who does not know where it stands in a hierarchy?
//!
//! Whoever reads labels reads them here: what covers what, what overlaps, and what Safe Harbor allows. Only the shape of the
//! text is looked at; whether an end is a number, a day or nothing of the kind is for the reader to say, who knows the column.

/// Values, each of which the label names, or what lies between two ends, each included or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told<'a> {
    /// One of these: the members of a set, or all of the text.
    Values(Vec<&'a str>),
    /// What lies between; an end that is missing is open.
    Between(Option<(&'a str, bool)>, Option<(&'a str, bool)>),
}

impl<'a> Told<'a> {
    /// What a label says: `{a, b}`, `[20, 30)`, `< 20`, `80+`; anything else is a value.
    pub fn of(label: &'a str) -> Self {
        let label = label.trim();
        if let Some(members) = members(label) {
            return Self::Values(members.iter().map(|member| member.trim()).collect());
        }
        let ends = label.strip_prefix(['[', '(', ']']).and_then(|rest| rest.strip_suffix([']', ')', '[']));
        // A comma with a blank separates them, since one alone may be a decimal comma.
        if let Some((low, high)) = ends.and_then(|ends| ends.split_once(", ").or_else(|| ends.split_once([',', ';']))) {
            let end = |text: &'a str, included| Some((text.trim(), included)).filter(|(text, _)| names_something(text));
            return Self::Between(end(low, label.starts_with('[')), end(high, label.ends_with(']')));
        }
        Self::open(label).unwrap_or_else(|| Self::Values(vec![label]))
    }

    /// `< 20`, `>= 90`, `90+`, `90 or older`.
    fn open(label: &'a str) -> Option<Self> {
        let signs = [
            ("<=", true, true),
            ("≤", true, true),
            (">=", false, true),
            ("≥", false, true),
            ("<", true, false),
            (">", false, false),
        ];
        for (sign, is_upper, included) in signs {
            if let Some(end) = label.strip_prefix(sign) {
                let end = Some((end.trim(), included));
                return Some(if is_upper { Self::Between(None, end) } else { Self::Between(end, None) });
            }
        }
        let older = ["+", " or older", " or more", " or above", " or over", " and older", " and over", " and above"];
        let younger = [" or younger", " or less", " or below", " or under", " and younger", " and under"];
        let end =
            |words: &[&str]| words.iter().find_map(|words| label.strip_suffix(words)).map(|end| (end.trim(), true));
        match (end(&older), end(&younger)) {
            (Some(low), _) => Some(Self::Between(Some(low), None)),
            (None, Some(high)) => Some(Self::Between(None, Some(high))),
            (None, None) => None,
        }
    }

    /// Everything that it names.
    pub fn named(&self) -> Vec<&'a str> {
        match self {
            Self::Values(values) => values.clone(),
            Self::Between(low, high) => [low, high].into_iter().flatten().map(|(end, _)| *end).collect(),
        }
    }
}

/// The members of a set, as they stand between the braces; none of a text that is no set.
pub fn members(label: &str) -> Option<Vec<&str>> {
    let inner = label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    inner.map(|inner| inner.split(", ").collect())
}

/// The ways to take a text apart into two ends: `80-89`, `80 to 89`. A dash may also stand within an end, as in
/// `2020-01-2020-06` or before a negative number, so that the reader has to say which of the ways makes sense.
pub fn dashed(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let separators = [" - ", " – ", " to ", " bis ", "–", "-"];
    let at_each = move |separator: &'static str| {
        text.match_indices(separator).map(move |(at, _)| (text[..at].trim(), text[at + separator.len()..].trim()))
    };
    separators.into_iter().flat_map(at_each)
}

fn names_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
        && !matches!(text.trim_start_matches(['-', '+']), "inf" | "infinity" | "Infinity")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_taken_apart() {
        let between = |low, high| Told::Between(low, high);
        assert_eq!(Told::of("[20, 30)"), between(Some(("20", true)), Some(("30", false))));
        assert_eq!(Told::of("]20;30]"), between(Some(("20", false)), Some(("30", true))));
        assert_eq!(Told::of("[3,5, 4,5)"), between(Some(("3,5", true)), Some(("4,5", false))));
        assert_eq!(Told::of("[90, ∞)"), between(Some(("90", true)), None));
        assert_eq!(Told::of("<20"), between(None, Some(("20", false))));
        assert_eq!(Told::of("80+"), between(Some(("80", true)), None));
        assert_eq!(Told::of("17 or younger"), between(None, Some(("17", true))));
        assert_eq!(Told::of("{a, b}"), Told::Values(vec!["a", "b"]));
        assert_eq!(Told::of("20-29"), Told::Values(vec!["20-29"]), "or it is a day");
    }

    #[test]
    fn a_dash_may_stand_anywhere() {
        assert_eq!(dashed("20 - 29").next(), Some(("20", "29")));
        assert!(dashed("-10--5").any(|ends| ends == ("-10", "-5")));
        assert!(dashed("2020-01-2020-06").any(|ends| ends == ("2020-01", "2020-06")));
        assert_eq!(dashed("20").next(), None);
    }
}
