//! What was a release made from, counted as the run that made it counts it?

use crate::meaning::repeats::Repeats;
use crate::policy::Policy;
use crate::prepare::prepare;
use crate::source::{LocalSource, Table};
use shoal_core::frequency::CountedTable;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

/// The original of a release that a policy made: without the rows that the policy drops, and with the hierarchies that its run
/// built; and which of its columns tell that rows may not be people. Nothing if it lacks a quasi-identifier or a sensitive
/// column of the policy.
pub fn count_original(
    policy: &Policy,
    table: &Table,
    watch: &dyn Watch,
) -> Result<Option<(CountedTable, Vec<Repeats>)>> {
    if let Some(column) = policy.with_forgotten_noise().next() {
        return Err(Error::policy(format!(
            "the noise of `{}` was drawn afresh, and the original cannot be laid beside a release of it",
            column.name
        ))
        .hint("leave --original out; noise that is drawn with a `key-file` can be drawn again"));
    }
    let Some(mut counted) = LocalSource::to_read(table.clone()).count_any(policy, watch)? else { return Ok(None) };
    let repeats = std::mem::take(&mut counted.repeats);
    Ok(Some((prepare(policy, &counted)?, repeats)))
}

/// Of how many people rows must be, at least, that a release of so many rows of a table does not have. Nobody says whose they are, but
/// nobody has more than whoever has most. Nothing where people are not counted.
pub(super) fn fewest_left_out(original: &CountedTable, released: u64) -> Option<u64> {
    let mut rows = vec![0; original.people.as_ref()?.codes];
    original.base.each_entry(|_, tuple, count| rows[original.base.person(tuple)] += count);
    let most = rows.into_iter().max().unwrap_or(0).max(1);
    Some(original.rows.saturating_sub(released).div_ceil(most))
}
