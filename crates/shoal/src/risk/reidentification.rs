//! How likely is it that a record is matched to the right person: at worst, on average, and for how many above a threshold?

use serde::Serialize;

use shoal_core::exact::Ratio;

/// The risk that an attacker of one kind is to the records of a table.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Reidentification {
    /// The risk of the record that is easiest to match.
    pub highest: f64,
    /// The mean over the records.
    pub average: f64,
    /// How many records have a risk above the threshold.
    pub records_at_risk: u64,
    /// Which share of all records they are.
    pub share_at_risk: f64,
}

/// Records that look the same, and the chance to match one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Matched {
    /// How many records.
    pub records: u64,
    /// The chance.
    pub chance: Chance,
}

/// The chance to pick the right one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Chance {
    /// Out of so many.
    OneOf(u64),
    /// As estimated.
    Estimated(f64),
}

impl Chance {
    /// As a number.
    pub fn to_f64(self) -> f64 {
        match self {
            Chance::OneOf(people) => 1.0 / people.max(1) as f64,
            Chance::Estimated(chance) => chance,
        }
    }

    /// Is it above a threshold? One of five is not above 0.2, whatever floating point makes of it; and one of three is not
    /// above the number nearest to a third, which is what somebody means who computes it.
    pub fn is_above(self, threshold: f64) -> bool {
        let is_above = match (self, Ratio::written(threshold)) {
            (Chance::OneOf(people), Some(exact)) => Ratio::new(1, people.max(1).into()) > exact,
            _ => true,
        };
        is_above && self.to_f64() > threshold
    }
}

impl Reidentification {
    /// The risk to records with these chances, each record counting the same.
    pub fn new(groups: &[Matched], threshold: f64) -> Self {
        let records: u64 = groups.iter().map(|group| group.records).sum();
        let sum: f64 = groups.iter().map(|group| group.records as f64 * group.chance.to_f64()).sum();
        let above = groups.iter().filter(|group| group.chance.is_above(threshold));
        let records_at_risk = above.map(|group| group.records).sum();
        Self {
            highest: groups.iter().map(|group| group.chance.to_f64()).fold(0.0, f64::max),
            average: sum / records.max(1) as f64,
            records_at_risk,
            share_at_risk: records_at_risk as f64 / records.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_that_is_met_is_not_exceeded() {
        assert!(!Chance::OneOf(5).is_above(0.2));
        assert!(Chance::OneOf(4).is_above(0.2));
        assert!(!Chance::OneOf(3).is_above(1.0 / 3.0));
        assert!(Chance::Estimated(0.21).is_above(0.2));
    }
}
