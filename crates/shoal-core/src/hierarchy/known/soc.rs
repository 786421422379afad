//! In which group of the Standard Occupational Classification does an occupation lie?

use super::digits::{has_digits, masked};
use super::{Cell, KnownHierarchy};

/// # SOC
///
/// **Definition.** Codes of occupations of the Standard Occupational Classification of the United States, from their digits.
/// **Levels.** `broad` (`15-125*`), `minor` (`15-1***`), `major` (`15-****`).
/// **Values.** `15-1252` or `151252`, with two more digits (`15-1252.00`) as O*NET writes them. The first two digits are one of the 23
/// major groups, the odd numbers from 11 to 55. (Of the British SOC, with its four digits, `isco` has the levels.)
/// **Source.** The structure of the code, as the Bureau of Labor Statistics describes it (public domain); no list of occupations is built
/// in, so that a code that looks right is taken for one.
/// **Example.** `15-1252` is `15-125*` in `15-1***` in `15-****`.
/// ```toml
/// hierarchy = { known = "soc" }
/// ```
#[derive(Debug)]
pub(super) struct Soc;

impl KnownHierarchy for Soc {
    fn id(&self) -> &'static str {
        "soc"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["broad", "minor", "major"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let (code, detail) = cell.text.split_once('.').unwrap_or((cell.text, ""));
        let code = match code.split_once('-') {
            Some((major, rest)) if major.len() == 2 => format!("{major}{rest}"),
            Some(_) => return None,
            None => code.to_owned(),
        };
        let is_code = has_digits(&code, 6, 6) && (detail.is_empty() || has_digits(detail, 2, 2));
        let major: u32 = code.get(..2).filter(|_| is_code)?.parse().ok()?;
        let is_group = (11..=55).contains(&major) && major % 2 == 1;
        let label = |shown| format!("{major}-{}", masked(&code[2..], shown, 4));
        is_group.then(|| [3, 1, 0].map(label).to_vec())
    }

    fn examples(&self) -> &'static [&'static str] {
        &["15-1252", "291141", "53-3032.00"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["soc*", "onet*", "o net"]
    }

    fn is_distinctive(&self, value: &str) -> bool {
        value.as_bytes().get(2) == Some(&b'-')
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn occupations_lie_in_three_groups() {
        assert_eq!(path("soc", "15-1252"), ["15-125*", "15-1***", "15-****"]);
        assert_eq!(path("soc", "151252"), path("soc", "15-1252"));
        assert_eq!(path("soc", "53-3032.00"), ["53-303*", "53-3***", "53-****"]);
        for value in ["", "15-125", "12-1252", "57-1000", "1-51252", "15-1252.0", "15-12 52"] {
            assert_eq!(path("soc", value), [""; 0], "{value}");
        }
    }
}
