//! On which side of its bound does a quantity lie, exactly?

use std::cmp::Ordering;

use crate::requirement::Milli;

/// A quantity of a class.
#[derive(Debug, Clone, Copy)]
pub enum Quantity {
    /// A fraction; over 0 it is infinite.
    Ratio(i128, i128),
    /// What only floating point can hold.
    Real(f64),
}

/// The side of a bound on which a quantity must lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    AtLeast,
    AtMost,
    Below,
}

impl Quantity {
    /// As JSON has it: none where it is infinite.
    pub fn to_f64(self) -> Option<f64> {
        match self {
            Self::Ratio(_, 0) => None,
            Self::Ratio(numerator, denominator) => Some(numerator as f64 / denominator as f64),
            Self::Real(number) => number.is_finite().then_some(number),
        }
    }

    /// The order of two quantities of one kind.
    pub fn order(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Ratio(a, b), Self::Ratio(c, d)) => match (b, d) {
                (0, 0) => Ordering::Equal,
                (0, _) => Ordering::Greater,
                (_, 0) => Ordering::Less,
                _ => (a * d).cmp(&(c * b)),
            },
            (Self::Real(a), Self::Real(b)) => a.total_cmp(&b),
            (a, b) => a.to_f64().unwrap_or(f64::INFINITY).total_cmp(&b.to_f64().unwrap_or(f64::INFINITY)),
        }
    }

    /// Does it keep its bound? A tie is met; so is what floating point cannot tell from one.
    pub fn keeps(self, side: Side, bound: Milli) -> bool {
        let against = match self {
            Self::Ratio(..) => self.order(Self::Ratio(bound.0.into(), 1000)),
            Self::Real(number) => {
                let bound = bound.0 as f64 / 1000.0;
                let is_tie = (number - bound).abs() <= 1e-11 * bound.abs().max(1.0);
                if is_tie { Ordering::Equal } else { number.total_cmp(&bound) }
            }
        };
        match side {
            Side::AtLeast => against != Ordering::Less,
            Side::AtMost => against != Ordering::Greater,
            Side::Below => against == Ordering::Less,
        }
    }

    /// The worse of two, seen from a side.
    pub fn worse(self, other: Self, side: Side) -> Self {
        let is_less = self.order(other) == Ordering::Less;
        if is_less == (side == Side::AtLeast) { self } else { other }
    }
}
