//! Are values ranges of numbers already, as `0-4` and `85+` are, and which wider ones do they make?

use rust_decimal::Decimal;

use super::{ColumnValues, HierarchySpec, Suggestion, Tree};

/// Fewer bands there is no need to put together.
const FEWEST: usize = 4;

/// A range as somebody has written it.
#[derive(Debug, Clone, PartialEq)]
struct Band<'a> {
    /// The whole text.
    text: &'a str,
    /// What stands before its first number, between both, and behind the last.
    around: [&'a str; 3],
    /// The numbers as they are written; only one where an end is open.
    numbers: [&'a str; 2],
    /// Where it begins; none where it is open below.
    from: Option<Decimal>,
    /// Where it ends; none where it is open above.
    to: Option<Decimal>,
}

/// Neighbouring bands two by two, then four by four, and so on; none where the values are no bands, or overlap.
pub(super) fn suggestion(column: &ColumnValues<'_>) -> Option<Suggestion> {
    let bands = in_order(column.dictionary.present())?;
    let begin = first_place(&bands);
    let mut wide = 2;
    let mut levels: Vec<Vec<String>> = Vec::new();
    while (begin + bands.len()).div_ceil(wide) >= 2 {
        levels.push(labels(&bands, begin, wide));
        wide *= 2;
    }
    let path = |place: usize| {
        let above = levels.iter().map(|labels| labels[place].clone());
        std::iter::once(bands[place].text.to_owned()).chain(above).collect()
    };
    let paths: Vec<Vec<String>> = (0..bands.len()).map(path).collect();
    let spec = HierarchySpec::Tree(Tree::of_paths(&paths));
    spec.check_showing(true).ok()?;
    Some(Suggestion::new(spec, "all values are bands of numbers, and neighbouring ones are put together"))
}

fn in_order(values: &[String]) -> Option<Vec<Band<'_>>> {
    let mut bands = values.iter().map(|value| Band::read(value)).collect::<Option<Vec<_>>>()?;
    bands.sort_by_key(|band| (band.from, band.to.is_none(), band.to));
    let follows = |pair: &[Band<'_>]| matches!((pair[0].to, pair[1].from), (Some(to), Some(from)) if to <= from);
    let closed = bands.iter().filter(|band| band.from.is_some() && band.to.is_some() && band.from != band.to).count();
    (bands.len() >= FEWEST && closed * 2 >= bands.len() && bands.windows(2).all(follows)).then_some(bands)
}

/// Bands of five years that begin with 15 stand at the second place of a decade: which place is that of the first band, where all are as wide.
fn first_place(bands: &[Band<'_>]) -> usize {
    let closed = || bands.iter().filter_map(|band| Some((band.from?, band.to?)));
    let Some((from, to)) = closed().next() else { return 0 };
    let width = closed().nth(1).map_or(to - from, |(next, _)| next - from);
    let are_alike = closed().zip(closed().skip(1)).all(|((one, _), (next, _))| next - one == width);
    let is_first = bands.first().is_some_and(|band| band.from.is_some());
    let is_even = width.is_zero() || (from / width).floor() % Decimal::TWO == Decimal::ZERO;
    usize::from(is_first && are_alike && !is_even)
}

/// What each band becomes where so many places are one.
fn labels(bands: &[Band<'_>], begin: usize, wide: usize) -> Vec<String> {
    let group = |place: usize| (begin + place) / wide;
    let label = |place: usize| {
        let members: Vec<&Band<'_>> =
            bands.iter().enumerate().filter(|(other, _)| group(*other) == group(place)).map(|(_, band)| band).collect();
        let after = bands.iter().enumerate().find(|(other, _)| group(*other) > group(place)).map(|(_, band)| band);
        joined(&members, after)
    };
    (0..bands.len()).map(label).collect()
}

/// One band for some that stand side by side, written as they are.
fn joined(members: &[&Band<'_>], after: Option<&Band<'_>>) -> String {
    let (Some(first), Some(last)) = (members.first(), members.last()) else { return String::new() };
    let closed = members.iter().find(|band| band.from.is_some() && band.to.is_some()).unwrap_or(first);
    match (first.from, last.to) {
        _ if members.len() == 1 => first.text.to_owned(),
        (_, None) => format!("{}{}{}", last.around[0], first.numbers[0], last.around[2]),
        (None, _) => match after {
            Some(after) => format!("{}{}{}", first.around[0], after.numbers[0], first.around[2]),
            None => format!("{}{}{}", first.around[0], last.numbers[1], first.around[2]),
        },
        _ => format!(
            "{}{}{}{}{}",
            closed.around[0], first.numbers[0], closed.around[1], last.numbers[1], closed.around[2]
        ),
    }
}

/// What may stand between the numbers of a range, and around the only one of an open range.
const BETWEEN: [&str; 8] = ["-", "–", "—", "to", "bis", "tot", "till", ","];
const ABOVE: [&str; 9] = [">", ">=", "≥", "over", "+", "and over", "or older", "and older", "plus"];
const BELOW: [&str; 7] = ["<", "<=", "≤", "under", "below", "up to", "unter"];

impl<'a> Band<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let is_digit = |c: char| c.is_ascii_digit();
        let number = |text: &'a str| {
            let begin = text.find(is_digit)?;
            let end =
                text[begin..].find(|c: char| !(c.is_ascii_digit() || c == '.')).map_or(text.len(), |end| begin + end);
            Some((&text[..begin], text[begin..end].trim_end_matches('.'), &text[end..]))
        };
        let value = |digits: &str| Decimal::from_str_exact(digits).ok();
        let (before, first, rest) = number(text)?;
        let word = |text: &str| text.trim().to_lowercase();
        let Some((between, second, behind)) = number(rest) else {
            let (signs, only) = ([word(before), word(rest)], value(first)?);
            let is = |words: &[&str]| {
                signs.iter().filter(|sign| words.contains(&sign.as_str())).count() == 1
                    && signs.iter().any(String::is_empty)
            };
            let (from, to) = match () {
                () if is(&ABOVE) => (Some(only), None),
                () if is(&BELOW) => (None, Some(only)),
                () if signs.iter().all(String::is_empty) => (Some(only), Some(only)),
                () => return None,
            };
            return Some(Self { text, around: [before, "", rest], numbers: [first, first], from, to });
        };
        let is_plain = !behind.contains(is_digit) && (before.trim().is_empty() || matches!(before.trim(), "[" | "("));
        let (from, to) = (value(first)?, value(second)?);
        let is_range = is_plain && BETWEEN.contains(&word(between).as_str()) && from < to;
        is_range.then_some(Self {
            text,
            around: [before, between, behind],
            numbers: [first, second],
            from: Some(from),
            to: Some(to),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::testing::dictionary;
    use super::*;

    /// The labels of a value on each level between itself and the root.
    fn above(values: &[&str], value: &str) -> Option<Vec<String>> {
        let dictionary = dictionary(values, None);
        let counts = vec![1; dictionary.len()];
        let column = ColumnValues { name: "c", dictionary: &dictionary, counts: &counts, may_print: true };
        let hierarchy = suggestion(&column)?.spec.build(&column, Path::new("")).unwrap();
        let code = dictionary.code(value).unwrap();
        let label = |level: usize| {
            let level = hierarchy.level(level);
            level.labels()[level.node_of(code) as usize].to_string()
        };
        Some((1..hierarchy.height()).map(label).collect())
    }

    #[test]
    fn neighbours_are_put_together_at_round_ends() {
        let fives: Vec<String> =
            (0..17).map(|n| format!("{}-{}", n * 5, n * 5 + 4)).chain(["85+".to_owned()]).collect();
        let fives: Vec<&str> = fives.iter().map(String::as_str).collect();
        assert_eq!(above(&fives, "5-9").unwrap(), ["0-9", "0-19", "0-39", "0-79"]);
        assert_eq!(above(&fives, "85+").unwrap(), ["80+", "80+", "80+", "80+"]);
        assert_eq!(above(&fives[3..], "15-19").unwrap(), ["15-19", "15-29", "15-49"], "no decade begins with 15");
        assert_eq!(above(&fives[3..], "20-24").unwrap()[0], "20-29");
    }

    #[test]
    fn bands_are_written_in_many_ways() {
        assert_eq!(
            above(&["18 to 24", "25 to 34", "35 to 44", "45 to 54", "over 54"], "25 to 34").unwrap()[0],
            "18 to 34"
        );
        assert_eq!(above(&["[0, 5)", "[5, 10)", "[10, 15)", "[15, 20)"], "[5, 10)").unwrap(), ["[0, 10)"]);
        assert_eq!(above(&["<5", "5-9", "10-14", "15-19"], "<5").unwrap(), ["<10"]);
        assert_eq!(
            above(&["0-9 years", "10-19 years", "20-29 years", "30-39 years"], "20-29 years").unwrap(),
            ["20-39 years"]
        );
    }

    #[test]
    fn other_values_are_no_bands() {
        for values in [
            &["0-4", "5-9", "10-14"][..],
            &["0-10", "5-15", "10-20", "15-25"],
            &["1", "2", "3", "4"],
            &["0-4", "5-9", "10-14", "unknown"],
            &["2020-01", "2020-02", "2020-03", "2020-04"],
            &["a 1-2", "a 3-4", "a 5-6", "a 7-8"],
            &[],
        ] {
            assert_eq!(above(values, "1"), None, "{values:?}");
        }
    }
}
