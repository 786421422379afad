//! Does a measured quantity reach what is required?

use std::cmp::Ordering;

use serde_json::{Value, json};

use crate::exact::Ratio;

/// How far below log l an entropy may lie and still count as reaching it, relative to log l: three equal counts
/// are entropy 3-diverse, though sums of logarithms give 2.9999999999999996.
pub const TOLERANCE: f64 = 1e-12;

/// Nothing is farther from a bound than so many times the number.
const FARTHEST: f64 = 1e9;

/// Something measured on a class.
#[derive(Debug, Clone, Copy)]
pub enum Quantity {
    /// Known exactly.
    Exact(Ratio),
    /// A sum of logarithms; it stands for e to this power.
    ExpOf(f64),
    /// Any other number that is known only as far as floating point goes.
    Real(f64),
}

impl Quantity {
    /// A whole number.
    pub fn whole(number: u64) -> Self {
        Self::Exact(Ratio::from(number))
    }

    /// The fraction `numerator / denominator`; infinite over 0.
    pub fn ratio(numerator: u64, denominator: u64) -> Self {
        Self::Exact(Ratio::new(numerator.into(), denominator.into()))
    }

    /// The nearest number; a whole one, where a logarithm is that number's as far as the tolerance can tell.
    pub fn to_f64(self) -> f64 {
        match self {
            Self::Exact(ratio) => ratio.to_f64(),
            Self::ExpOf(logarithm) => {
                let (number, whole) = (logarithm.exp(), logarithm.exp().round());
                if compare_with_tolerance(logarithm, whole.ln()).is_eq() { whole } else { number }
            }
            Self::Real(number) => number,
        }
    }

    /// As JSON: what is infinite is null.
    pub fn to_json(self) -> Value {
        let number = self.to_f64();
        if number.is_finite() { json!(number) } else { Value::Null }
    }

    fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Exact(mine), Self::Exact(theirs)) => mine.cmp(&theirs),
            (Self::ExpOf(mine), Self::ExpOf(theirs)) => mine.total_cmp(&theirs),
            _ => self.to_f64().total_cmp(&other.to_f64()),
        }
    }
}

/// On which side of the required number a quantity must lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// At least the number.
    AtLeast,
    /// At most the number.
    AtMost,
    /// Less than the number.
    Below,
}

/// A bound on a quantity; `name` is the parameter that sets it.
#[derive(Debug, Clone, Copy)]
pub struct Bound {
    /// The parameter's name, as in a policy.
    pub name: &'static str,
    /// The side on which the quantity must lie.
    pub side: Side,
    /// The number as it was written.
    pub required: f64,
    exact: Ratio,
}

impl Bound {
    /// The quantity must be at least this.
    pub fn at_least(name: &'static str, required: f64) -> Self {
        Self::new(name, Side::AtLeast, required)
    }

    /// The quantity must be at most this.
    pub fn at_most(name: &'static str, required: f64) -> Self {
        Self::new(name, Side::AtMost, required)
    }

    /// The quantity must be less than this.
    pub fn below(name: &'static str, required: f64) -> Self {
        Self::new(name, Side::Below, required)
    }

    fn new(name: &'static str, side: Side, required: f64) -> Self {
        let exact = Ratio::written(required).expect("parameters are checked to be ordinary numbers, not negative");
        Self { name, side, required, exact }
    }

    /// Does the quantity lie on the right side? A tie counts as reached.
    pub fn accepts(&self, quantity: Quantity) -> bool {
        let order = match quantity {
            Quantity::Exact(ratio) => ratio.cmp(&self.exact),
            Quantity::ExpOf(logarithm) => compare_with_tolerance(logarithm, self.required.ln()),
            Quantity::Real(number) => compare_with_tolerance(number, self.required),
        };
        match self.side {
            Side::AtLeast => order.is_ge(),
            Side::AtMost => order.is_le(),
            Side::Below => order.is_lt(),
        }
    }

    /// How far a quantity lies on the wrong side, as a part of the number; 0 if it is accepted, and never infinite.
    pub fn lacks(&self, quantity: Quantity) -> f64 {
        if self.accepts(quantity) {
            return 0.0;
        }
        let distance = (quantity.to_f64() - self.required).abs() / self.required.abs().max(TOLERANCE);
        // A tie is on the wrong side where the quantity must be less.
        if distance.is_finite() { distance.clamp(TOLERANCE, FARTHEST) } else { FARTHEST }
    }

    /// The one of two quantities that is farther from being accepted.
    pub fn worse(&self, a: Quantity, b: Quantity) -> Quantity {
        let a_is_smaller = a.compare(b).is_lt();
        if a_is_smaller == (self.side == Side::AtLeast) { a } else { b }
    }

    /// The quantity of no class at all: the best there is.
    pub fn best(&self) -> Quantity {
        match self.side {
            Side::AtLeast => Quantity::Exact(Ratio::INFINITE),
            Side::AtMost | Side::Below => Quantity::Exact(Ratio::ZERO),
        }
    }
}

fn compare_with_tolerance(number: f64, required: f64) -> Ordering {
    if (number - required).abs() <= TOLERANCE * required.abs().max(TOLERANCE) {
        Ordering::Equal
    } else {
        number.total_cmp(&required)
    }
}

/// One or two of something: most definitions bound one quantity, some bound two.
#[derive(Debug, Clone, Copy)]
pub enum OneOrTwo<T> {
    /// One.
    One(T),
    /// Two.
    Two(T, T),
}

impl<T: Copy> OneOrTwo<T> {
    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = T> {
        let (first, second) = match self {
            Self::One(one) => (one, None),
            Self::Two(first, second) => (first, Some(second)),
        };
        std::iter::once(first).chain(second)
    }

    /// Each with its counterpart.
    pub fn zip_with<U: Copy, V>(self, other: OneOrTwo<U>, mut f: impl FnMut(T, U) -> V) -> OneOrTwo<V> {
        match (self, other) {
            (Self::One(a), OneOrTwo::One(b)) => OneOrTwo::One(f(a, b)),
            (Self::Two(a, b), OneOrTwo::Two(c, d)) => OneOrTwo::Two(f(a, c), f(b, d)),
            _ => unreachable!("a model has as many quantities as bounds"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_decided_exactly() {
        let bound = Bound::at_most("alpha", 0.29);
        assert!(bound.accepts(Quantity::ratio(29, 100)));
        assert!(!bound.accepts(Quantity::ratio(29_000_000_001, 100_000_000_000)));
        assert!(!Bound::below("c", 2.0).accepts(Quantity::ratio(2, 1)), "strictly below");
        assert!(Bound::at_least("l", 3.0).accepts(Quantity::ExpOf(2.999_999_999_999_999_6f64.ln())));
        assert!(!Bound::at_least("l", 3.0).accepts(Quantity::ExpOf(2.999_999f64.ln())));
        assert!(!Bound::below("c", 1e9).accepts(Quantity::ratio(1, 0)), "nothing is above infinity");
        assert!(Bound::at_most("t", 0.0).accepts(Quantity::Real(0.0)));
    }

    #[test]
    fn the_entropy_of_equal_counts_is_a_whole_number() {
        // Sums of logarithms as they come, without help.
        for l in 2..=1000u32 {
            for each in [1.0, 3.0, 7.0, 1e6] {
                let (l, size) = (f64::from(l), f64::from(l) * each);
                let sum: f64 = (0..l as u32).map(|_| each * f64::ln(each)).sum();
                assert_eq!(Quantity::ExpOf((size.ln() - sum / size).max(0.0)).to_f64(), l, "{l} times {each}");
            }
        }
        assert_eq!(Quantity::ExpOf(2.999_999f64.ln()).to_f64(), 2.999_999f64.ln().exp());
    }

    #[test]
    fn the_worse_of_two_depends_on_the_side() {
        let (small, large) = (Quantity::whole(2), Quantity::whole(5));
        assert_eq!(Bound::at_least("k", 3.0).worse(large, small).to_f64(), 2.0);
        assert_eq!(Bound::at_most("t", 3.0).worse(large, small).to_f64(), 5.0);
        assert_eq!(Bound::at_most("t", 3.0).worse(small, large).to_f64(), 5.0);
    }
}
