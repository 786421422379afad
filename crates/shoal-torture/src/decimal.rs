//! Which number does a text stand for, exactly?

/// How many decimal places are kept: no number that is drawn has more.
const PLACES: u32 = 12;
/// One, in units of the last place.
pub const ONE: i128 = 10i128.pow(PLACES);

/// The number that a text stands for, in units of the last place; none for what is no number. A leading zero makes a code
/// of it: `02139` names a place.
pub fn parse(text: &str) -> Option<i128> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let (mantissa, exponent) = match digits.find(['e', 'E']) {
        Some(at) => (&digits[..at], digits[at + 1..].parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if (whole.is_empty() && fraction.is_empty()) || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    if whole.len() > 1 && whole.starts_with('0') {
        return None;
    }
    let number: i128 = format!("{whole}{fraction}").parse().ok()?;
    let shift = PLACES as i32 + exponent - fraction.len() as i32;
    if shift < 0 {
        let divisor = 10i128.checked_pow(shift.unsigned_abs())?;
        return (number % divisor == 0).then_some(sign * number / divisor);
    }
    Some(sign * number.checked_mul(10i128.checked_pow(shift as u32)?)?)
}

/// A number in units of the last place as the shortest plain decimal.
pub fn write(number: i128) -> String {
    let (sign, number) = if number < 0 { ("-", -number) } else { ("", number) };
    let (whole, fraction) = (number / ONE, number % ONE);
    if fraction == 0 {
        return format!("{sign}{whole}");
    }
    let fraction = format!("{fraction:0places$}", places = PLACES as usize);
    format!("{sign}{whole}.{}", fraction.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_number_is_written_in_many_ways() {
        assert_eq!(parse("2.1"), parse("2.10"));
        assert_eq!(parse("1e3"), Some(1000 * ONE));
        assert_eq!(parse("+4"), Some(4 * ONE));
        assert_eq!(parse(".5").map(write).as_deref(), Some("0.5"));
        assert_eq!(parse("-0.25").map(write).as_deref(), Some("-0.25"));
        assert_eq!((parse("02139"), parse("x"), parse(""), parse("-")), (None, None, None, None));
    }
}
