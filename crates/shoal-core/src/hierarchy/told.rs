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
        // A semicolon separates them, or a comma with a blank: one alone may be a decimal comma.
        let separated =
            |ends: &'a str| ends.split_once(';').or_else(|| ends.split_once(", ")).or_else(|| ends.split_once(','));
        if let Some((low, high)) = ends.and_then(separated) {
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
    between_braces(label).map(|inner| inner.split(SEPARATOR).collect())
}

/// The same where values are known, some of which may have the separator in them: `{Ohio, Washington, DC}`. Of all ways to take the
/// set apart, those count that leave the fewest members unknown; what is a member in one of them may be meant.
pub fn members_among(label: &str, is_known: impl Fn(&str) -> bool) -> Option<Vec<&str>> {
    let inner = between_braces(label)?;
    let pieces: Vec<&str> = inner.split(SEPARATOR).collect();
    let starts: Vec<usize> =
        pieces.iter().scan(0, |at, piece| Some(std::mem::replace(at, *at + piece.len() + SEPARATOR.len()))).collect();
    let segment = |from: usize, to: usize| &inner[starts[from]..starts[to - 1] + pieces[to - 1].len()];
    // What each segment costs: a known one nothing, an unknown piece 1, an unknown text of several pieces is no member.
    let cost = |from: usize, to: usize| match is_known(segment(from, to)) {
        true => Some(0),
        false => (to == from + 1).then_some(1usize),
    };
    let longest = |from: usize| pieces.len().min(from + MOST_PIECES);
    let mut steps: Vec<Vec<(usize, usize)>> = Vec::with_capacity(pieces.len());
    for from in 0..pieces.len() {
        steps.push((from + 1..=longest(from)).filter_map(|to| Some((to, cost(from, to)?))).collect());
    }
    // The least cost from the beginning to each place, and from each place to the end.
    let mut before = vec![usize::MAX; pieces.len() + 1];
    before[0] = 0;
    for from in 0..pieces.len() {
        for &(to, cost) in &steps[from] {
            before[to] = before[to].min(before[from] + cost);
        }
    }
    let mut behind = vec![0; pieces.len() + 1];
    for from in (0..pieces.len()).rev() {
        behind[from] = steps[from].iter().map(|&(to, cost)| cost + behind[to]).min().unwrap_or(0);
    }
    let is_best = |from: usize, to: usize, cost: usize| before[from] + cost + behind[to] == behind[0];
    let mut members = Vec::new();
    for (from, steps) in steps.iter().enumerate() {
        let best = steps.iter().filter(|&&(to, cost)| is_best(from, to, cost));
        members.extend(best.map(|&(to, _)| segment(from, to)));
    }
    Some(members)
}

const SEPARATOR: &str = ", ";

/// A value with more separators than this in it is not looked for in sets.
const MOST_PIECES: usize = 16;

fn between_braces(label: &str) -> Option<&str> {
    label.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))
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
        assert_eq!(Told::of("[3,5; 4,5)"), between(Some(("3,5", true)), Some(("4,5", false))));
        assert_eq!(Told::of("[3,5; 4)"), between(Some(("3,5", true)), Some(("4", false))));
        assert_eq!(Told::of("[3,5;)"), between(Some(("3,5", true)), None));
        assert_eq!(Told::of("[90, ∞)"), between(Some(("90", true)), None));
        assert_eq!(Told::of("<20"), between(None, Some(("20", false))));
        assert_eq!(Told::of("80+"), between(Some(("80", true)), None));
        assert_eq!(Told::of("17 or younger"), between(None, Some(("17", true))));
        assert_eq!(Told::of("{a, b}"), Told::Values(vec!["a", "b"]));
        assert_eq!(Told::of("20-29"), Told::Values(vec!["20-29"]), "or it is a day");
    }

    #[test]
    fn values_with_a_separator_in_them_are_found_in_sets() {
        let among = |label, known: &[&str]| members_among(label, |text| known.contains(&text));
        let states = ["Ohio", "Washington, DC", "Maine"];
        assert_eq!(among("{Ohio, Washington, DC}", &states), Some(vec!["Ohio", "Washington, DC"]));
        assert_eq!(among("{NaN, [1, 2]}", &["NaN", "[1, 2]"]), Some(vec!["NaN", "[1, 2]"]));
        assert_eq!(among("{Utah, Washington, DC}", &states), Some(vec!["Utah", "Washington, DC"]), "one is not known");
        assert_eq!(among("{a, b}", &["a", "b", "a, b"]), Some(vec!["a", "a, b", "b"]), "either may be meant");
        assert_eq!(among("{a, b}", &["a, b, c"]), Some(vec!["a", "b"]));
        assert_eq!(among("{}", &[]), Some(vec![""]));
        assert_eq!(among("Washington, DC", &states), None);
    }

    #[test]
    fn a_dash_may_stand_anywhere() {
        assert_eq!(dashed("20 - 29").next(), Some(("20", "29")));
        assert!(dashed("-10--5").any(|ends| ends == ("-10", "-5")));
        assert!(dashed("2020-01-2020-06").any(|ends| ends == ("2020-01", "2020-06")));
        assert_eq!(dashed("20").next(), None);
    }
}
