//! How are numbers written for people?

use crate::lattice::Lattice;

/// `20000` as `20,000`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number: whole, or with four significant digits.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "–".to_owned();
    }
    if size >= 1e15 || (size > 0.0 && size < 1e-9) {
        return power_of_ten(value);
    }
    if size == size.trunc() || size >= 1000.0 {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}{}", grouped(size.round() as u64));
    }
    let digits = 3 - size.log10().floor() as i32;
    let text = format!("{value:.*}", digits.clamp(0, 12) as usize);
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.to_owned()
}

/// A number too large or too small to be written out: `4.722 × 10^21`.
pub fn power_of_ten(value: f64) -> String {
    let written = format!("{value:.3e}");
    let (digits, exponent) = written.split_once('e').unwrap_or((&written, "0"));
    format!("{} × 10^{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
}

/// How many combinations of levels there are; a lattice counts them up to a limit only.
pub fn combinations(nodes: u128) -> String {
    const WRITTEN_OUT: u64 = 1_000_000_000_000_000;
    match u64::try_from(nodes) {
        Ok(nodes) if nodes < WRITTEN_OUT => grouped(nodes),
        _ if nodes == Lattice::COUNTED_UP_TO => format!("more than {}", power_of_ten(nodes as f64)),
        _ => format!("about {}", power_of_ten(nodes as f64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(4.0), "4");
        assert_eq!(number(2.828_427_12), "2.828");
        assert_eq!(number(0.166_666_7), "0.1667");
        assert_eq!(number(0.5), "0.5");
        assert_eq!(number(12_345.678), "12,346");
        assert_eq!(number(-1234.5), "-1,235");
        assert_eq!(number(1e6), "1,000,000");
        assert_eq!((number(0.0), number(-0.0)), ("0".to_owned(), "0".to_owned()));
        assert_eq!(number(f64::INFINITY), "–");
        assert_eq!(number(999_999_999_999_999.0), "999,999,999,999,999");
        assert_eq!((number(2f64.powi(72)), number(-2e15)), ("4.722 × 10^21".to_owned(), "-2 × 10^15".to_owned()));
    }

    #[test]
    fn what_is_more_than_nothing_is_not_written_as_nothing() {
        assert_eq!((number(1e-9), number(1e-13)), ("0.000000001".to_owned(), "1 × 10^-13".to_owned()));
    }

    #[test]
    fn a_number_of_combinations_is_never_that_of_a_full_integer() {
        assert_eq!(combinations(12_960), "12,960");
        assert_eq!(combinations(1 << 63), "about 9.223 × 10^18");
        assert_eq!(combinations(6u128.pow(40)), "about 1.337 × 10^31");
        assert_eq!(combinations(Lattice::COUNTED_UP_TO), "more than 3.403 × 10^38");
    }
}
