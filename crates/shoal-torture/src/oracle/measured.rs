//! What was measured on a class, and does that keep its bound?

use super::quantity::{Quantity, Side};
use crate::requirement::Milli;

/// A bounded quantity, named like the parameter that bounds it.
pub struct Measured {
    pub name: &'static str,
    /// None where nothing is asked of this class.
    pub quantity: Option<Quantity>,
    pub side: Side,
    pub bound: Milli,
}

impl Measured {
    pub fn new(name: &'static str, quantity: Option<Quantity>, side: Side, bound: Milli) -> Self {
        Self { name, quantity, side, bound }
    }

    pub fn at_least(name: &'static str, quantity: Quantity, bound: Milli) -> Self {
        Self::new(name, Some(quantity), Side::AtLeast, bound)
    }

    pub fn at_most(name: &'static str, quantity: Quantity, bound: Milli) -> Self {
        Self::new(name, Some(quantity), Side::AtMost, bound)
    }

    /// At least so many of something.
    pub fn count(name: &'static str, count: i128, bound: u64) -> Self {
        Self::at_least(name, Quantity::Ratio(count, 1), Milli(1000 * bound as i64))
    }

    /// Is the bound kept, or nothing asked?
    pub fn keeps(&self) -> bool {
        self.quantity.is_none_or(|quantity| quantity.keeps(self.side, self.bound))
    }

    /// The worse of two measurements of one quantity.
    pub fn worse(self, other: Self) -> Self {
        let quantity = match (self.quantity, other.quantity) {
            (Some(x), Some(y)) => Some(x.worse(y, self.side)),
            (x, y) => x.or(y),
        };
        Self { quantity, ..self }
    }
}
