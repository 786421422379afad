//! Do the values of a column look like something that belongs to one person?

use super::coordinates::is_place;
use super::national_id::is_national_id;
use super::safe_harbor::Item;

/// Something that identifies a person and is written in a way of its own.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// What the values are, as in "the values are e-mail addresses".
    pub what: &'static str,
    /// Which identifier of HIPAA's Safe Harbor it is.
    pub item: Item,
    /// Can it be mistaken for something else? Then the name of the column counts more.
    pub is_weak: bool,
    matches: fn(&str) -> bool,
}

const PATTERNS: [Pattern; 11] = [
    Pattern { what: "e-mail addresses", item: Item::Email, is_weak: false, matches: is_email },
    Pattern { what: "web addresses", item: Item::Url, is_weak: false, matches: is_url },
    Pattern { what: "UUIDs", item: Item::OtherNumber, is_weak: false, matches: is_uuid },
    Pattern { what: "IP addresses", item: Item::IpAddress, is_weak: false, matches: is_ip },
    Pattern { what: "bank accounts (IBAN)", item: Item::Account, is_weak: false, matches: is_iban },
    Pattern { what: "social security numbers", item: Item::SocialSecurity, is_weak: false, matches: is_ssn },
    Pattern { what: "national ids", item: Item::OtherNumber, is_weak: false, matches: is_national_id },
    Pattern { what: "device addresses (MAC)", item: Item::Device, is_weak: false, matches: is_mac },
    Pattern { what: "credit card numbers", item: Item::Account, is_weak: false, matches: is_card },
    Pattern { what: "places (coordinates)", item: Item::Place, is_weak: false, matches: is_place },
    Pattern { what: "phone numbers", item: Item::Phone, is_weak: true, matches: is_phone },
];

/// The pattern that nearly all values follow; a few may be misspelt.
pub fn of<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Option<Pattern> {
    let total = values.clone().count();
    PATTERNS.into_iter().find(|pattern| {
        let matching = values.clone().filter(|value| (pattern.matches)(value.trim())).count();
        matching > 0 && matching * 10 >= total * 9
    })
}

/// How many values follow the pattern of this.
pub(super) fn matching<'a>(what: &str, values: impl Iterator<Item = &'a str>) -> usize {
    let pattern = PATTERNS.into_iter().find(|pattern| pattern.what == what);
    pattern.map_or(0, |pattern| values.filter(|value| (pattern.matches)(value.trim())).count())
}

pub(super) fn is_email(value: &str) -> bool {
    let Some((local, domain)) = value.split_once('@') else { return false };
    let is_plain = |text: &str| !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == '@');
    is_plain(local)
        && is_plain(domain)
        && domain.split('.').count() > 1
        && domain.split('.').all(|part| !part.is_empty())
}

pub(super) fn is_url(value: &str) -> bool {
    ["http://", "https://", "www."].iter().any(|start| value.starts_with(start))
}

fn is_uuid(value: &str) -> bool {
    has_shape(value, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

pub(super) fn is_ssn(value: &str) -> bool {
    has_shape(value, "ddd-dd-dddd")
}

/// `d` stands for a digit, `x` for a hexadecimal one, anything else for itself.
pub(super) fn has_shape(value: &str, shape: &str) -> bool {
    let fits = |(byte, shape): (u8, u8)| match shape {
        b'd' => byte.is_ascii_digit(),
        b'x' => byte.is_ascii_hexdigit(),
        _ => byte == shape,
    };
    value.len() == shape.len() && value.bytes().zip(shape.bytes()).all(fits)
}

fn is_ip(value: &str) -> bool {
    value.parse::<std::net::IpAddr>().is_ok()
}

fn is_mac(value: &str) -> bool {
    has_shape(value, "xx:xx:xx:xx:xx:xx") || has_shape(value, "xx-xx-xx-xx-xx-xx")
}

/// Sixteen digits in groups of four, or fifteen in groups of four, six and five, with the check digit of Luhn (ISO 7812).
fn is_card(value: &str) -> bool {
    let shapes = ["dddd dddd dddd dddd", "dddd-dddd-dddd-dddd", "dddddddddddddddd", "dddd dddddd ddddd"];
    let digits = || value.bytes().filter(u8::is_ascii_digit).map(|byte| u32::from(byte - b'0'));
    let doubled = |digit: u32| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let weighted = |(at, digit): (usize, u32)| if at % 2 == 1 { doubled(digit) } else { digit };
    let sum = || digits().collect::<Vec<_>>().into_iter().rev().enumerate().map(weighted).sum::<u32>();
    shapes.iter().any(|shape| has_shape(value, shape)) && value.starts_with(['3', '4', '5', '6']) && sum() % 10 == 0
}

/// Two letters, two check digits, up to thirty letters and digits, and the check digits are right (ISO 13616).
pub(super) fn is_iban(value: &str) -> bool {
    let plain: Vec<u8> = value.bytes().filter(|byte| *byte != b' ').collect();
    let is_sound = (15..=34).contains(&plain.len())
        && plain[..2].iter().all(u8::is_ascii_uppercase)
        && plain[2..4].iter().all(u8::is_ascii_digit)
        && plain.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let remainder = |so_far: u64, byte: &u8| match byte {
        b'0'..=b'9' => (so_far * 10 + u64::from(byte - b'0')) % 97,
        _ => (so_far * 100 + u64::from(byte.saturating_sub(b'A')) + 10) % 97,
    };
    is_sound && plain[4..].iter().chain(&plain[..4]).fold(0, remainder) == 1
}

/// Enough digits for a number with its area code, and a sign of dialling: a `+`, a leading zero, or groups.
pub(super) fn is_phone(value: &str) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let groups = value.split(|c: char| !c.is_ascii_digit()).filter(|group| !group.is_empty()).count();
    let is_decimal = value.bytes().filter(|byte| matches!(byte, b'.' | b',')).count() == 1;
    (9..=15).contains(&digits)
        && value.bytes().all(|byte| byte.is_ascii_digit() || b"+-/(). ".contains(&byte))
        && !is_decimal
        && (value.starts_with(['+', '0', '(']) || groups >= 3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what(values: &[&str]) -> Option<&'static str> {
        of(values.iter().copied()).map(|pattern| pattern.what)
    }

    #[test]
    fn patterns_are_recognized() {
        assert_eq!(what(&["a.b@example.org", "c@d.de"]), Some("e-mail addresses"));
        assert_eq!(what(&["https://example.org/a"]), Some("web addresses"));
        assert_eq!(what(&["123e4567-e89b-12d3-a456-426614174000"]), Some("UUIDs"));
        assert_eq!(what(&["192.168.0.1", "10.0.0.255"]), Some("IP addresses"));
        assert_eq!(what(&["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"]), Some("bank accounts (IBAN)"));
        assert_eq!(what(&["2001:db8::1"]), Some("IP addresses"));
        assert_eq!(what(&["00:1A:2b:3c:4D:5e"]), Some("device addresses (MAC)"));
        assert_eq!(what(&["4111 1111 1111 1111", "378282246310005"]), None, "one of two");
        assert_eq!(what(&["4111 1111 1111 1111", "5500-0000-0000-0004"]), Some("credit card numbers"));
        assert_eq!(what(&["078-05-1120"]), Some("social security numbers"));
        assert_eq!(what(&["+49 30 1234567", "0151/23456789", "(212) 555-0100"]), Some("phone numbers"));
    }

    #[test]
    fn other_values_follow_none() {
        assert_eq!(what(&["DE89 3704 0044 0532 0130 01"]), None, "wrong check digits");
        assert_eq!(what(&["4111 1111 1111 1112"]), None, "wrong check digit");
        assert_eq!(what(&["13053", "02139"]), None);
        assert_eq!(what(&["2024-01-31"]), None);
        assert_eq!(what(&["0.1234567890"]), None);
        assert_eq!(what(&["a@b", "Ann"]), None);
        assert_eq!(what(&["256.1.1.1"]), None);
        assert_eq!(what(&[]), None);
    }

    #[test]
    fn one_in_ten_may_be_misspelt() {
        let mut values = vec!["a@example.org"; 9];
        values.push("none");
        assert_eq!(what(&values), Some("e-mail addresses"));
        values.push("unknown");
        assert_eq!(what(&values), None);
    }
}
