//! How do two fractions compare, to the last digit?
//!
//! A requirement that is met exactly is met. Floating point cannot tell (0.29 * 100 is below 29), so
//! everything rational is compared here as integers.

use std::cmp::Ordering;

use rust_decimal::Decimal;

/// A fraction that is not negative; a denominator of 0 stands for infinity.
#[derive(Debug, Clone, Copy)]
pub struct Ratio {
    numerator: u128,
    denominator: u128,
}

impl Ratio {
    /// Zero.
    pub const ZERO: Ratio = Ratio { numerator: 0, denominator: 1 };
    /// More than any number.
    pub const INFINITE: Ratio = Ratio { numerator: 1, denominator: 0 };

    /// The fraction; anything over 0 is infinite, and so is 0 / 0, which is only met where infinity is meant.
    pub fn new(numerator: u128, denominator: u128) -> Self {
        if denominator == 0 { Self::INFINITE } else { Self { numerator, denominator } }
    }

    /// The decimal fraction that somebody wrote to get this number: 0.29 is 29/100. `None` if it is negative or
    /// not a number, or longer than any parameter needs to be.
    pub fn written(number: f64) -> Option<Self> {
        let text = number.to_string();
        let decimal = Decimal::from_str_exact(&text).or_else(|_| Decimal::from_scientific(&text)).ok()?;
        let numerator = u128::try_from(decimal.mantissa()).ok()?;
        Some(Self { numerator, denominator: 10u128.pow(decimal.scale()) })
    }

    /// The nearest floating-point number, unless the fraction in lowest terms has more digits than that can hold. Equal
    /// fractions have equal numbers, however they are written.
    pub fn to_f64(self) -> f64 {
        if self.denominator == 0 {
            return f64::INFINITY;
        }
        let common = greatest_common_divisor(self.numerator, self.denominator);
        (self.numerator / common) as f64 / (self.denominator / common) as f64
    }

    /// A floating-point number near the fraction: as near as three roundings come, and quickly found.
    pub fn approximately(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }

    /// This fraction of `count`, rounded up to a whole number.
    pub fn ceil_of(self, count: u64) -> u64 {
        let product = self.numerator * u128::from(count);
        u64::try_from(product.div_ceil(self.denominator.max(1))).unwrap_or(u64::MAX)
    }

    /// This fraction over a number.
    pub fn over(self, divisor: u64) -> Self {
        Self::new(self.numerator, self.denominator * u128::from(divisor))
    }

    /// The whole part of this fraction of `count`, exactly.
    pub fn floor_of(self, count: u64) -> u64 {
        let product = self.numerator * u128::from(count);
        u64::try_from(product / self.denominator.max(1)).unwrap_or(u64::MAX)
    }
}

impl From<u64> for Ratio {
    fn from(number: u64) -> Self {
        Self { numerator: number.into(), denominator: 1 }
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = [self.numerator, self.denominator, other.numerator, other.denominator];
        if parts.iter().all(|&part| part <= u128::from(u64::MAX)) {
            return (self.numerator * other.denominator).cmp(&(other.numerator * self.denominator));
        }
        let left = wide_product(self.numerator, other.denominator);
        let right = wide_product(other.numerator, self.denominator);
        // Two infinities multiply to 0 on both sides, which is what is wanted: they are equal.
        left.cmp(&right)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ratio {}

/// The largest number that divides both; the other, where one is 0.
pub fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The product as (high, low) words of 128 bits: a distance over a large table against a parameter with many
/// digits does not fit into one.
fn wide_product(a: u128, b: u128) -> (u128, u128) {
    let half = |x: u128| (x >> 64, x & u128::from(u64::MAX));
    let ((a1, a0), (b1, b0)) = (half(a), half(b));
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 64);
    let middle_low = (middle & u128::from(u64::MAX)) + a0 * b1;
    let high = a1 * b1 + (middle >> 64) + (middle_low >> 64);
    (high, (middle_low << 64) | (low & u128::from(u64::MAX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_was_written_is_what_counts() {
        let written = |x: f64| Ratio::written(x).expect("a plain decimal");
        assert_eq!(written(0.29).floor_of(100), 29);
        assert_eq!([written(0.29).ceil_of(100), written(0.291).ceil_of(100), written(0.0).ceil_of(100)], [29, 30, 0]);
        assert_eq!(written(0.29), Ratio::new(29, 100));
        assert!(written(0.1) < Ratio::new(1, 9));
        assert_eq!(written(1e-7), Ratio::new(1, 10_000_000));
        assert_eq!(written(4.0), Ratio::from(4));
        assert!(Ratio::written(-0.5).is_none());
        assert!(Ratio::written(f64::NAN).is_none());
    }

    #[test]
    fn equal_fractions_have_equal_numbers() {
        let (numerator, denominator) = ((1u128 << 60) + 3, (1u128 << 61) + 1);
        for scale in [1, 3, 1 << 32, 1_000_003] {
            let scaled = Ratio::new(numerator * scale, denominator * scale);
            assert_eq!(scaled.to_f64(), Ratio::new(numerator, denominator).to_f64(), "times {scale}");
        }
        assert_eq!(Ratio::ZERO.to_f64(), 0.0);
    }

    #[test]
    fn infinity_is_above_everything_and_equal_to_itself() {
        assert!(Ratio::INFINITE > Ratio::from(u64::MAX));
        assert_eq!(Ratio::INFINITE, Ratio::new(7, 0));
        assert!(Ratio::ZERO < Ratio::INFINITE);
    }

    proptest! {
        #[test]
        fn comparison_agrees_with_small_integers(a in 0u64..1000, b in 1u64..1000, c in 0u64..1000, d in 1u64..1000) {
            let exact = (a * d).cmp(&(c * b));
            prop_assert_eq!(Ratio::new(a.into(), b.into()).cmp(&Ratio::new(c.into(), d.into())), exact);
        }

        #[test]
        fn the_wide_product_is_a_product(a: u128, b: u128) {
            let (high, low) = wide_product(a, b);
            prop_assert_eq!(low, a.wrapping_mul(b));
            prop_assert_eq!(high == 0, a.checked_mul(b).is_some());
            // a * b = high * 2^128 + low, checked modulo a prime.
            let p = (1u128 << 61) - 1;
            let two_to_128 = ((1u128 << 64) % p) * ((1u128 << 64) % p) % p;
            prop_assert_eq!((a % p) * (b % p) % p, ((high % p) * two_to_128 % p + low % p) % p);
        }
    }
}
