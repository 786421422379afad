//! Does a diversity model still hold for an attacker who knows the other sensitive columns?

use super::{Bound, Monotonicity, OneOrTwo, PrivacyModel, Quantity, worst};
use crate::frequency::{EquivalenceClass, PeopleOfClass, TableProfile};

/// A diversity model asked of every block of a class in which the other sensitive columns are equal
/// (Definition 4.5 of l-diversity): those columns count as quasi-identifiers for this test.
#[derive(Debug)]
pub struct Among {
    inner: Box<dyn PrivacyModel>,
    column: usize,
}

impl Among {
    /// `inner` is about the sensitive column at place `column`.
    pub fn new(inner: Box<dyn PrivacyModel>, column: usize) -> Self {
        Self { inner, column }
    }
}

impl PrivacyModel for Among {
    fn name(&self) -> String {
        format!("{} among equal other sensitive values", self.inner.name())
    }

    fn promise(&self, known: &str) -> String {
        format!("{} This holds even for somebody who knows the other sensitive values, too.", self.inner.promise(known))
    }

    fn promise_to_people(&self, known: &str) -> String {
        let promise = self.inner.promise_to_people(known);
        format!("{promise} This holds even for somebody who knows the other sensitive values, too.")
    }

    fn bounds(&self) -> OneOrTwo<Bound> {
        self.inner.bounds()
    }

    fn measure(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        let mut measured: Option<OneOrTwo<Quantity>> = None;
        class.for_each_block(self.column, |block| {
            let of_block = self.inner.measure(block, table);
            measured = Some(measured.map_or(of_block, |so_far| worst(self.bounds(), so_far, of_block)));
        });
        // Only an empty table has no block; it is measured as it is.
        measured.unwrap_or_else(|| self.inner.measure(class, table))
    }

    fn measure_people(&self, people: &PeopleOfClass<'_>, table: &TableProfile) -> OneOrTwo<Quantity> {
        let mut measured: Option<OneOrTwo<Quantity>> = None;
        people.class().for_each_block(self.column, |block| {
            let of_block = self.inner.measure_people(&block.people(), table);
            measured = Some(measured.map_or(of_block, |so_far| worst(self.bounds(), so_far, of_block)));
        });
        measured.unwrap_or_else(|| self.inner.measure_people(people, table))
    }

    /// The sum of what its blocks lack: the worst of them alone would not tell that one of two that fail is gone.
    fn lacks(&self, class: &EquivalenceClass<'_>, table: &TableProfile) -> f64 {
        let mut lacks = 0.0;
        class.for_each_block(self.column, |block| lacks += self.inner.lacks(block, table));
        lacks
    }

    /// A merged-in class can bring a block that stands alone, so even distinct l promises nothing once rows may
    /// be suppressed.
    fn monotonicity(&self) -> Monotonicity {
        self.inner.monotonicity().min(Monotonicity::WithoutSuppression)
    }

    fn monotonicity_of_people(&self) -> Monotonicity {
        self.inner.monotonicity_of_people().min(Monotonicity::WithoutSuppression)
    }

    fn among_others(&self) -> Option<usize> {
        Some(self.column)
    }

    fn depends_on_release(&self) -> bool {
        self.inner.depends_on_release()
    }

    fn depends_on_input(&self) -> bool {
        self.inner.depends_on_input()
    }

    fn counts_generalized(&self) -> bool {
        self.inner.counts_generalized()
    }

    fn compares_distributions(&self) -> bool {
        self.inner.compares_distributions()
    }

    fn fewest_values(&self) -> Option<(usize, u64)> {
        // A block is part of its class.
        self.inner.fewest_values()
    }

    fn largest_share(&self) -> Option<(usize, f64)> {
        // The share in a class is the mean of those in its blocks.
        self.inner.largest_share()
    }

    fn hides_identity(&self) -> bool {
        self.inner.hides_identity()
    }

    fn groups(&self) -> Option<&[u32]> {
        self.inner.groups()
    }

    fn uses_hierarchy(&self) -> bool {
        self.inner.uses_hierarchy()
    }

    fn record(&self) -> Option<(&'static str, serde_json::Value)> {
        self.inner.record()
    }

    fn most_classes(&self, table: &TableProfile) -> Option<u64> {
        // A class holds at least one block, and a block is as hard to fill as a class.
        self.inner.most_classes(table)
    }
}
