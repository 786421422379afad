//! May values that should name people be other spellings of each other?

use std::collections::HashMap;

use shoal_core::warning::Warning;

/// What to say of the names of people in a column, if some differ from others only in capitals, spaces or zeros in front: each is counted as somebody
/// else's.
pub fn warning<'a>(column: &str, names: impl Iterator<Item = &'a str>) -> Option<Warning> {
    let mut spellings: HashMap<String, u64> = HashMap::new();
    for name in names {
        *spellings.entry(plain(name)).or_default() += 1;
    }
    let alike: u64 = spellings.values().filter(|&&count| count > 1).sum();
    let text = format!(
        "`{column}` says whose a row is, and {alike} of its values differ from another one only in capitals, spaces or zeros in front: they are counted \
         as different people; if they are not, write them alike in the table"
    );
    (alike > 0).then(|| Warning::new("spellings-of-people", text))
}

/// A name without what is lost where names are typed.
fn plain(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(str::to_lowercase).collect();
    let plain = words.join(" ");
    let is_number = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
    match plain.trim_start_matches('0') {
        "" if is_number => "0".to_owned(),
        number if is_number => number.to_owned(),
        _ => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(names: &[&str]) -> Option<String> {
        warning("id", names.iter().copied()).map(|warning| warning.text)
    }

    #[test]
    fn other_spellings_are_counted_and_never_shown() {
        let text = said(&["P1", "p1", "P1 ", "P2", "07", "7", "8"]).expect("some are alike");
        assert!(text.contains("5 of its values") && !text.to_lowercase().contains("p1"), "{text}");
        assert_eq!(said(&["P1", "P2", "P01", "7", "70", "0", "", "A B", "AB"]), None);
        assert!(said(&["0", "000"]).is_some() && said(&["A  B", "a b"]).is_some());
    }
}
