//! In which area does a postal code lie?

use super::digits::{has_digits, masked};
use super::{Cell, KnownHierarchy};

/// # Postal codes
///
/// **Definition.** Postal codes, from their structure, which is that of a country.
/// **Levels.** `sector`, `district`, `area`. Of codes of digits: the first three, two and one (`130**`, `13***`, `1****`); in Great
/// Britain the three of that name (`SW1A 1**`, `SW1A ***`, `SW`); in Canada twice the first half (`K1A ***`) and its letter (`K`); in the
/// Netherlands the four digits (`1012 **`), the first two (`10**`) and the first (`1***`).
/// **Values.** Those of Great Britain, Canada and the Netherlands with or without spaces. Digits alone are codes of many countries: they
/// need the `country`, one of AT, AU, BE, BR, CA, CH, CN, DE, DK, ES, FR, GB, IN, IT, JP, MX, NL, NO, PL, PT, RU, SE, TR, US; spaces and dashes in them
/// make no difference. In the United States the four digits more of ZIP+4 are left out. Zeros at the beginning that a column of numbers has lost are put back, up to two.
/// **Source.** The structure of the codes; no list is built in, so that a code that looks right is taken for one.
/// **Example.** In the United States `13053` is `130**` in `13***` in `1****`.
/// ```toml
/// hierarchy = { known = { name = "postal-codes", country = "US" } }
/// ```
#[derive(Debug)]
pub(super) struct PostalCodes;

/// The countries whose codes are read, the one with the example first.
const COUNTRIES: &[&str] = &[
    "US", "AT", "AU", "BE", "BR", "CA", "CH", "CN", "DE", "DK", "ES", "FR", "GB", "IN", "IT", "JP", "MX", "NL", "NO", "PL", "PT", "RU", "SE", "TR",
];

/// How many digits the codes of a country have.
fn digits(country: &str) -> Option<usize> {
    Some(match country {
        "AT" | "AU" | "BE" | "CH" | "DK" | "NO" => 4,
        "DE" | "ES" | "FR" | "IT" | "MX" | "PL" | "SE" | "TR" | "US" => 5,
        "CN" | "IN" | "RU" => 6,
        "JP" | "PT" => 7,
        "BR" => 8,
        _ => return None,
    })
}

impl KnownHierarchy for PostalCodes {
    fn id(&self) -> &'static str {
        "postal-codes"
    }

    fn levels(&self) -> &'static [&'static str] {
        &["sector", "district", "area"]
    }

    fn labels(&self, cell: &Cell<'_>) -> Option<Vec<String>> {
        let code: String = cell.text.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
        let code = code.to_ascii_uppercase();
        let country = cell.country.map(str::to_ascii_uppercase);
        match country.as_deref() {
            Some("GB") => british(&code),
            Some("CA") => canadian(&code),
            Some("NL") => dutch(&code),
            Some(country) => of_digits(&code, country),
            None => british(&code).or_else(|| canadian(&code)).or_else(|| dutch(&code)),
        }
    }

    fn examples(&self) -> &'static [&'static str] {
        &["13053", "13053-1234", "01001"]
    }

    fn headers(&self) -> &'static [&'static str] {
        &["zip*", "postal*", "post code", "postcode*", "plz", "postleitzahl*", "code postal", "cap"]
    }

    fn countries(&self) -> &'static [&'static str] {
        COUNTRIES
    }

    fn is_distinctive(&self, value: &str) -> bool {
        value.len() >= 6 && value.contains(|letter: char| letter.is_ascii_alphabetic())
    }
}

fn of_digits(code: &str, country: &str) -> Option<Vec<String>> {
    let length = digits(country)?;
    let code = match country {
        "US" if has_digits(code, 9, 9) => &code[..5],
        _ => code,
    };
    let code = format!("{code:0>length$}");
    // A shorter one has lost more than zeros.
    let is_code = has_digits(&code, length, length) && !code.starts_with("000");
    is_code.then(|| [3, 2, 1].map(|shown| masked(&code, shown, length)).to_vec())
}

/// `SW1A 1AA`: letters of the area, one or two characters of the district beginning with a digit, then a digit and two letters.
fn british(code: &str) -> Option<Vec<String>> {
    let (outward, inward) = code.split_at_checked(code.len().checked_sub(3)?)?;
    let inward = inward.as_bytes();
    let letters = outward.bytes().take_while(u8::is_ascii_uppercase).count();
    let district = &outward.as_bytes()[letters..];
    let is_district = match district {
        [digit] => digit.is_ascii_digit(),
        [digit, other] => digit.is_ascii_digit() && other.is_ascii_alphanumeric(),
        _ => false,
    };
    let is_inward = inward[0].is_ascii_digit() && inward[1..].iter().all(u8::is_ascii_uppercase);
    ((1..=2).contains(&letters) && is_district && is_inward).then(|| {
        let sector = char::from(inward[0]);
        vec![format!("{outward} {sector}**"), format!("{outward} ***"), outward[..letters].to_owned()]
    })
}

/// `K1A 0B1`.
fn canadian(code: &str) -> Option<Vec<String>> {
    let fits = |(at, byte): (usize, u8)| if at % 2 == 0 { byte.is_ascii_uppercase() } else { byte.is_ascii_digit() };
    let is_code = code.len() == 6 && code.bytes().enumerate().all(fits);
    let half = || format!("{} ***", &code[..3]);
    is_code.then(|| vec![half(), half(), code[..1].to_owned()])
}

/// `1012 AB`.
fn dutch(code: &str) -> Option<Vec<String>> {
    let (digits, letters) = code.split_at_checked(4)?;
    let is_code = has_digits(digits, 4, 4) && letters.len() == 2 && letters.bytes().all(|byte| byte.is_ascii_uppercase());
    is_code.then(|| vec![format!("{digits} **"), masked(digits, 2, 4), masked(digits, 1, 4)])
}

#[cfg(test)]
mod tests {
    use super::super::testing::{path, path_in};

    #[test]
    fn digits_are_read_by_the_rules_of_a_country() {
        for value in ["13053", "13053-1234", "130531234", " 13053 "] {
            assert_eq!(path_in("postal-codes", "US", value), ["130**", "13***", "1****"], "{value}");
        }
        assert_eq!(path_in("postal-codes", "us", "1001"), ["010**", "01***", "0****"], "its zero is lost");
        assert_eq!(path_in("postal-codes", "CH", "8001"), ["800*", "80**", "8***"]);
        assert_eq!(path_in("postal-codes", "SE", "113 46"), ["113**", "11***", "1****"]);
        assert_eq!(path_in("postal-codes", "PL", "00-950"), ["009**", "00***", "0****"]);
        assert_eq!(path_in("postal-codes", "PT", "1250-096"), ["125****", "12*****", "1******"]);
        assert_eq!(path_in("postal-codes", "BR", "01310-100"), ["013*****", "01******", "0*******"]);
        for value in ["13053", "8001"] {
            assert_eq!(path("postal-codes", value), [""; 0], "{value} may be of any country");
        }
        for value in ["", "12", "130531", "1305A", "13053-12345"] {
            assert_eq!(path_in("postal-codes", "US", value), [""; 0], "{value}");
        }
    }

    #[test]
    fn codes_with_letters_say_their_country() {
        for value in ["SW1A 1AA", "sw1a1aa", "SW1A  1AA"] {
            assert_eq!(path("postal-codes", value), ["SW1A 1**", "SW1A ***", "SW"], "{value}");
        }
        assert_eq!(path("postal-codes", "M1 1AE"), ["M1 1**", "M1 ***", "M"]);
        assert_eq!(path("postal-codes", "B33 8TH"), ["B33 8**", "B33 ***", "B"]);
        assert_eq!(path("postal-codes", "K1A 0B1"), ["K1A ***", "K1A ***", "K"]);
        assert_eq!(path("postal-codes", "1012 ab"), ["1012 **", "10**", "1***"]);
        assert_eq!(path_in("postal-codes", "GB", "K1A 0B1"), [""; 0]);
        for value in ["SW1A 1A", "SWX1A 1AA", "S 1AA", "1012 A1", "K1A 0BB1", "é1 1AA"] {
            assert_eq!(path("postal-codes", value), [""; 0], "{value}");
        }
    }
}
