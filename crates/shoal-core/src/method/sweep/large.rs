//! How are fractions compared exactly whose common denominator does not fit into a machine word?

use std::cmp::Ordering;

/// A whole number of any size: its digits to base 2^64, the lowest first, the highest not 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Large(Vec<u64>);

impl Large {
    pub(super) fn zero() -> Self {
        Self(Vec::new())
    }

    /// The least common multiple of these numbers.
    pub(super) fn common_multiple(numbers: impl Iterator<Item = u64>) -> Self {
        numbers.fold(Self(vec![1]), |multiple, number| {
            let shared = gcd(number, multiple.remainder(number));
            multiple.times(number / shared)
        })
    }

    pub(super) fn times(&self, factor: u64) -> Self {
        let mut carried = 0u128;
        let mut digits: Vec<u64> = self
            .0
            .iter()
            .map(|&digit| {
                carried += u128::from(digit) * u128::from(factor);
                let low = carried as u64;
                carried >>= 64;
                low
            })
            .collect();
        digits.push(carried as u64);
        Self::trimmed(digits)
    }

    /// This over a number that divides it.
    pub(super) fn divided(&self, divisor: u64) -> Self {
        let mut rest = 0u128;
        let mut digits: Vec<u64> = self.0.iter().rev().map(|&digit| divide_digit(&mut rest, digit, divisor)).collect();
        digits.reverse();
        Self::trimmed(digits)
    }

    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut carried = 0u128;
        let mut digits: Vec<u64> = (0..self.0.len().max(other.0.len()))
            .map(|place| {
                let digit = |of: &Self| u128::from(of.0.get(place).copied().unwrap_or(0));
                carried += digit(self) + digit(other);
                let low = carried as u64;
                carried >>= 64;
                low
            })
            .collect();
        digits.push(carried as u64);
        Self::trimmed(digits)
    }

    fn remainder(&self, divisor: u64) -> u64 {
        let mut rest = 0u128;
        self.0.iter().rev().for_each(|&digit| {
            divide_digit(&mut rest, digit, divisor);
        });
        rest as u64
    }

    fn trimmed(mut digits: Vec<u64>) -> Self {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Self(digits)
    }
}

impl Ord for Large {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }
}

impl PartialOrd for Large {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// One step of a long division: the next digit of the quotient.
fn divide_digit(rest: &mut u128, digit: u64, divisor: u64) -> u64 {
    let dividend = (*rest << 64) | u128::from(digit);
    *rest = dividend % u128::from(divisor);
    (dividend / u128::from(divisor)) as u64
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn large(number: u128) -> Large {
        Large::trimmed(vec![number as u64, (number >> 64) as u64])
    }

    #[test]
    fn it_calculates_as_wide_numbers_do() {
        let (a, b) = (u128::from(u64::MAX) * 12_345, 98_765_432_109_876_543_210u128);
        assert_eq!(large(a).plus(&large(b)), large(a + b));
        assert_eq!(large(b).times(77_777), large(b * 77_777));
        assert_eq!(large(b * 77_777).divided(77_777), large(b));
        assert_eq!(large(b).remainder(1_000_003), (b % 1_000_003) as u64);
        assert!(large(a) > large(a - 1) && large(1 << 64) > large(u128::from(u64::MAX)));
        assert_eq!(large(0), Large::zero());
    }

    #[test]
    fn a_common_multiple_may_be_larger_than_any_word() {
        let primes = [2u64, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97];
        let multiple = Large::common_multiple(primes.iter().copied().chain([6, 15, 97]));
        let rest = primes.iter().fold(multiple.clone(), |rest, &prime| rest.divided(prime));
        assert_eq!(rest, large(1));
        assert!(primes.iter().all(|&prime| multiple.remainder(prime) == 0));
        // Thirds and sixths add up exactly: 1/3 + 1/6 = 1/2.
        let part = |denominator: u64| multiple.divided(denominator);
        assert_eq!(part(3).plus(&part(6)), part(2));
    }
}
