//! What does each class show in a quasi-identifier, by code?

use super::grouping::Coded;
use crate::outsider::OutsiderClasses;

/// A quasi-identifier of all classes.
#[derive(Debug, Clone, Copy)]
pub struct ClassColumn<'a> {
    keys: &'a [u32],
    width: usize,
    place: usize,
    domain: u64,
}

impl<'a> ClassColumn<'a> {
    /// One of so many columns whose codes stand class by class.
    pub(super) fn new(keys: &'a [u32], width: usize, place: usize, domain: u64) -> Self {
        Self { keys, width, place, domain }
    }

    /// All quasi-identifiers of a table.
    pub fn of(classes: &'a OutsiderClasses) -> Vec<Self> {
        let width = classes.quasi();
        let domain = |place: usize| classes.labels(place).len() as u64;
        (0..width).map(|place| Self::new(classes.keys(), width, place, domain(place))).collect()
    }
}

impl Coded for ClassColumn<'_> {
    fn code(&self, place: usize) -> u32 {
        self.keys[place * self.width + self.place]
    }

    fn domain(&self) -> u64 {
        self.domain
    }
}
