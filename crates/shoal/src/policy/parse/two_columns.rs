//! Can the ranges of this policy's release stand in two columns of numbers?

use super::Parser;
use crate::policy::Policy;
use crate::policy::range_pairs::pair_of;
use crate::policy::sections::Ranges;
use shoal_core::method::{Ends, Numbers};
use shoal_core::warning::Warning;
use shoal_core::{Error, Result};

impl Parser<'_> {
    /// Refuses `ranges = "two-columns"` where it cannot be meant; a warning where it does nothing.
    pub(super) fn check_two_columns(&self, policy: &Policy) -> Result<Option<Warning>> {
        if policy.output.ranges == Ranges::Labels {
            return Ok(None);
        }
        let refused = |why: &str| Error::policy(format!("{}: `ranges = \"two-columns\"` {why}", self.name));
        if policy.method.method.separates().is_some() {
            let error = refused("is for ranges, and the method shows quasi-identifiers as they are");
            return Err(error.hint("leave `ranges` out"));
        }
        if policy.method.style.ends == Ends::Exact && policy.method.style.numbers == Numbers::Ranges {
            let error = refused("is for ranges that end before a number, and with `ends = \"exact\"` they end with it");
            return Err(error.hint("leave out one of them"));
        }
        let split: Vec<&String> = policy
            .columns
            .iter()
            .map(|column| &column.name)
            .filter(|name| policy.stands_in_two_columns(name))
            .collect();
        let taken = |name: &&String| pair_of(name).iter().any(|name| policy.column(name).is_some());
        if let Some(name) = split.iter().copied().find(taken) {
            let [low, high] = pair_of(name);
            let error = refused(&format!("makes `{low}` and `{high}` of `{name}`, and there is such a column already"));
            return Err(error.hint("rename the column in the table"));
        }
        Ok(split.is_empty().then(|| {
            Warning::new(
                "unused-key",
                "`ranges = \"two-columns\"` does nothing: no quasi-identifier has `intervals`, `quantiles` or `type = \"number\"`",
            )
        }))
    }
}
