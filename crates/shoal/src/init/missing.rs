//! Which texts stand for a missing value in this table?

use super::column_text::ColumnText;
use shoal_core::table::ColumnType;

/// Texts that often mark a missing value, in small letters.
const MARKERS: [&str; 25] = [
    "?",
    "-",
    "--",
    "---",
    ".",
    "..",
    "na",
    "n/a",
    "#n/a",
    "nan",
    "null",
    "nil",
    "(null)",
    "k.a.",
    "k. a.",
    "<na>",
    "nat",
    "#null!",
    "#num!",
    "#value!",
    "#div/0!",
    "#ref!",
    "missing",
    "not available",
    "keine angabe",
];

/// Words for what nobody knows or says, in small letters. In a list of choices they may be one of them; among numbers and dates they are none.
const WORDS: [&str; 34] = [
    "unknown",
    "not known",
    "unk",
    "not stated",
    "not specified",
    "unspecified",
    "refused",
    "declined",
    "prefer not to say",
    "don't know",
    "dk",
    "not applicable",
    "not recorded",
    "blank",
    "(blank)",
    "error",
    "unbekannt",
    "unklar",
    "weiß nicht",
    "verweigert",
    "onbekend",
    "okänd",
    "ukendt",
    "ukjent",
    "desconocido",
    "desconhecido",
    "sconosciuto",
    "inconnu",
    "non renseigné",
    "nieznany",
    "brak danych",
    "brak",
    "不明",
    "未記入",
];

/// No marker is longer, and most texts are.
const LONGEST: usize = 17;

/// The texts that mark a missing value, the most frequent first, since that is the one a release is written with. An
/// empty cell always does.
///
/// A text counts as a marker where the other values of its column are numbers or dates, or where at least one row in a
/// hundred has it: a stray `-` among names may be anything.
pub(super) fn markers(columns: &[ColumnText<'_>], rows: u64) -> Vec<String> {
    let mut found: Vec<&str> = vec![""];
    let mut numbers: Vec<&str> = Vec::new();
    for column in columns.iter().filter(|column| column.more_than.is_none()) {
        let (candidates, others): (Vec<_>, Vec<_>) = column.texts.iter().partition(|(text, _)| may_mark(text));
        let others = || others.iter().map(|(text, _)| *text);
        let candidates = || candidates.iter().filter(|(text, _)| !text.is_empty());
        if candidates().next().is_none() {
            continue;
        }
        let is_measured = [false, true].into_iter().any(|comma| {
            let detected = ColumnType::detect(others(), comma);
            detected.is_ordered() || detected.unclear().is_some()
        });
        let is_marker = |text: &str, count: u64| {
            if is_word(text) {
                return is_measured && others().nth(1).is_some();
            }
            is_measured || others().next().is_none() || count >= rows.div_ceil(100) && !is_code_among(text, others())
        };
        for &(text, count) in candidates() {
            if is_code(text.trim()) && !(is_never_negative(others()) && others().nth(1).is_some()) {
                numbers.push(text);
            } else if is_marker(text, count) && !found.contains(&text) {
                found.push(text);
            }
        }
    }
    // One list serves all columns: what is a number in one of them marks nothing.
    found.retain(|marker| !numbers.contains(marker));
    let occurrences = |marker: &str| -> u64 {
        let texts = columns.iter().flat_map(|column| &column.texts);
        texts.filter(|(text, _)| *text == marker).map(|(_, count)| count).sum()
    };
    let mut counted: Vec<(u64, &str)> = found.into_iter().map(|marker| (occurrences(marker), marker)).collect();
    // In a release, `NA` is understood in every column, and -99 is not.
    counted.sort_by_key(|(count, marker)| (is_code(marker.trim()), std::cmp::Reverse(*count)));
    counted.into_iter().map(|(_, marker)| marker.to_owned()).collect()
}

fn may_mark(text: &str) -> bool {
    let trimmed = text.trim();
    let is_known = || is_code(trimmed) || MARKERS.contains(&trimmed.to_lowercase().as_str()) || is_word(text);
    trimmed.is_empty() || trimmed.len() <= LONGEST && is_known()
}

fn is_word(text: &str) -> bool {
    WORDS.contains(&text.trim().to_lowercase().as_str())
}

/// Numbers that stand for a missing value where no number can be below zero: `-9`, `-99`, `-888` and the like, and those beside `-99`
/// and `-999` that tell why it is missing: `-98` where somebody did not know, `-97` where somebody would not say.
fn is_code(text: &str) -> bool {
    let Some(digits) = text.strip_prefix('-') else { return false };
    let digits = digits.strip_suffix(".0").unwrap_or(digits);
    let are = |digits: &str, digit: char| digits.chars().all(|c| c == digit);
    let nines = digits.strip_suffix(['5', '6', '7', '8']);
    let is_beside = || nines.is_some_and(|nines| !nines.is_empty() && are(nines, '9'));
    matches!(digits.len(), 1..=5) && (['7', '8', '9'].into_iter().any(|digit| are(digits, digit)) || is_beside())
}

/// Is no value below zero, so that a number below it may stand for none?
fn is_never_negative<'a>(mut others: impl Iterator<Item = &'a str>) -> bool {
    others.all(|text| !text.trim_start().starts_with(['-', '\u{2212}', '(']))
}

/// Is `text` one code of many, as `NA` (Namibia) is among the codes of countries?
fn is_code_among<'a>(text: &str, mut others: impl Iterator<Item = &'a str>) -> bool {
    let is_alike = |other: &str| other.len() == text.len() && other.bytes().all(|byte| byte.is_ascii_uppercase());
    text.bytes().all(|byte| byte.is_ascii_uppercase()) && others.all(is_alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column<'a>(texts: &[(&'a str, u64)]) -> ColumnText<'a> {
        ColumnText { name: "c", texts: texts.to_vec(), nulls: 0, more_than: None }
    }

    #[test]
    fn a_text_among_numbers_or_dates_marks_a_missing_value() {
        assert_eq!(markers(&[column(&[("1", 500), ("2.5", 499), ("NA", 1)])], 1000), ["NA", ""]);
        assert_eq!(markers(&[column(&[("2024-01-31", 999), ("-", 1)])], 1000), ["-", ""]);
        assert_eq!(markers(&[column(&[("3,5", 999), (" . ", 1)])], 1000), [" . ", ""], "a decimal comma, spaces");
        assert_eq!(markers(&[column(&[("1", 999), ("none", 1)])], 1000), [""]);
    }

    #[test]
    fn words_for_what_nobody_knows_are_no_numbers() {
        assert_eq!(markers(&[column(&[("34", 500), ("41", 490), ("Unknown", 10)])], 1000), ["Unknown", ""]);
        assert_eq!(
            markers(&[column(&[("34", 500), ("41", 490), ("refused", 6), ("unknown", 4)])], 1000),
            ["refused", "unknown", ""]
        );
        assert_eq!(
            markers(&[column(&[("yes", 500), ("no", 300), ("unknown", 200)])], 1000),
            [""],
            "one of the choices"
        );
        assert_eq!(markers(&[column(&[("unknown", 1000)])], 1000), [""]);
    }

    #[test]
    fn numbers_below_zero_mark_it_where_no_other_is() {
        assert_eq!(markers(&[column(&[("30", 500), ("41", 490), ("-99", 10)])], 1000), ["", "-99"]);
        assert_eq!(
            markers(&[column(&[("30.5", 500), ("-99", 7), ("-88", 3), ("1", 90), ("NA", 1)])], 601),
            ["NA", "", "-99", "-88"]
        );
        assert_eq!(
            markers(&[column(&[("1", 500), ("2", 480), ("-98", 6), ("-99", 10), ("-97", 4)])], 1000),
            ["", "-99", "-98", "-97"],
            "why it is missing"
        );
        assert_eq!(markers(&[column(&[("30", 500), ("-4", 490), ("-9", 10)])], 1000), [""], "temperatures");
        assert_eq!(markers(&[column(&[("-96", 500), ("-98", 490), ("-91", 10)])], 1000), [""], "longitudes");
        let elsewhere = [column(&[("30", 500), ("41", 490), ("-9", 10)]), column(&[("-4", 990), ("-9", 10)])];
        assert_eq!(markers(&elsewhere, 1000), [""], "it is a number in another column");
        assert_eq!(markers(&[column(&[("1", 990), ("-9", 10)])], 1000), [""], "one other value tells nothing");
        assert_eq!(markers(&[column(&[("-9", 1000)])], 1000), [""]);
    }

    #[test]
    fn among_texts_it_must_be_frequent() {
        assert_eq!(markers(&[column(&[("Ann", 900), ("Bob", 90), ("?", 10)])], 1000), ["?", ""]);
        assert_eq!(markers(&[column(&[("Ann", 900), ("Bob", 91), ("?", 9)])], 1000), [""]);
        assert_eq!(markers(&[column(&[("DE", 500), ("FR", 450), ("NA", 50)])], 1000), [""], "Namibia");
        assert_eq!(markers(&[column(&[("Germany", 900), ("NA", 100)])], 1000), ["NA", ""]);
    }

    #[test]
    fn the_most_frequent_marker_is_the_first() {
        let columns = [column(&[("", 30), ("1", 70)]), column(&[("?", 40), ("2", 60)]), column(&[("NULL", 100)])];
        assert_eq!(markers(&columns, 100), ["NULL", "?", ""]);
        assert_eq!(markers(&[column(&[("x", 100)])], 100), [""]);
    }
}
