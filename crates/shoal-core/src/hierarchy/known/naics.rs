//! In which sector of NAICS does an industry lie?

use super::digits::{has_digits, masked};
use super::{Cell, KnownHierarchy};

/// # NAICS
///
/// **Definition.** Codes of industries of the North American Industry Classification System, from their digits.
/// **Levels.** `industry` (five digits, `54151*`), `industry-group` (four, `5415**`), `subsector` (three, `541***`), `sector` (two,
/// `54****`; three sectors have several numbers: `31-33`, `44-45`, `48-49`).
/// **Values.** Codes of two to six digits whose first two are those of one of the 20 sectors, and the three ranges.
/// **Source.** Sectors and structure of the code: U.S. Census Bureau, NAICS 2022 (public domain), as in the package naics 1.0.1 (MIT); no list of industries is built in, so that a
/// code that looks right is taken for one.
/// **Example.** `541511` is `54151*` in `5415**` in `541***` in `54****`.
/// ```toml
/// hierarchy = { known = "naics" }
/// ```
#[derive(Debug)]
pub(super) struct Naics;

/// The sectors.
const SECTORS: [&str; 20] = [
    "11", "21", "22", "23", "31-33", "42", "44-45", "48-49", "51", "52", "53", "54", "55", "56", "61", "62", "71", "72", "81", "92",
];

/// The sector that the first two digits are of.
fn sector(digits: &str) -> Option<&'static str> {
    SECTORS.into_iter().find(|sector| match sector.split_once('-') {
        Some((first, last)) => (first..=last).contains(&digits),
        None => *sector == digits,
    })
}

impl KnownHierarchy for Naics {
    fn id(&self) -> &'static str {
        "naics"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["industry", "industry-group", "subsector", "sector"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let code = cell.text;
        if let Some(range) = SECTORS.into_iter().find(|sector| *sector == code && sector.contains('-')) {
            return Some(vec![range.to_owned(); 4]);
        }
        let sector = sector(code.get(..2).filter(|_| has_digits(code, 2, 6))?)?;
        let top = if sector.contains('-') { sector.to_owned() } else { masked(sector, 2, 6) };
        let mut labels = [5, 4, 3].map(|shown| masked(code, shown, 6)).to_vec();
        labels.push(top);
        Some(labels)
    }

    fn examples(&self) -> &'static [&'static str] {
        &["541511", "332", "44-45"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["naics*", "scian*"]
    }

    fn is_distinctive(&self, _: &str) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::path;

    #[test]
    fn industries_lie_in_sectors() {
        assert_eq!(path("naics", "541511"), ["54151*", "5415**", "541***", "54****"]);
        assert_eq!(path("naics", "332710"), ["33271*", "3327**", "332***", "31-33"]);
        assert_eq!(path("naics", "445"), ["445***", "445***", "445***", "44-45"]);
        assert_eq!(path("naics", "493110")[3], "48-49");
        assert_eq!(path("naics", "31-33"), ["31-33"; 4]);
        for value in ["", "5", "13", "99", "5415111", "54-15", "44-49", "hotel"] {
            assert_eq!(path("naics", value), [""; 0], "{value}");
        }
    }
}
