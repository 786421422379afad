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

/// A number too large to be written out: `4.722 × 10^21`.
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
    fn a_number_of_combinations_is_never_that_of_a_full_integer() {
        assert_eq!(combinations(12_960), "12,960");
        assert_eq!(combinations(1 << 63), "about 9.223 × 10^18");
        assert_eq!(combinations(6u128.pow(40)), "about 1.337 × 10^31");
        assert_eq!(combinations(Lattice::COUNTED_UP_TO), "more than 3.403 × 10^38");
    }
}
