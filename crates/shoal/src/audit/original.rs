//! What was a release made from, counted as the run that made it counts it?

use std::path::Path;

use shoal_core::Result;
use shoal_core::frequency::CountedTable;
use crate::meaning::repeats::Repeats;
use crate::pipeline::prepare;
use crate::policy::Policy;
use shoal_core::progress::Progress;
use crate::source::FileSource;

/// The original of a release that a policy made: without the rows that the policy drops, and with the hierarchies that its run
/// built; and which of its columns tell that rows may not be people. Nothing if it lacks a quasi-identifier or a sensitive
/// column of the policy.
pub fn count_original(
    policy: &Policy,
    path: &Path,
    progress: &dyn Progress,
) -> Result<Option<(CountedTable, Vec<Repeats>)>> {
    let Some(mut counted) = FileSource::to_read(path).count_any(policy, progress)? else { return Ok(None) };
    let repeats = std::mem::take(&mut counted.repeats);
    Ok(Some((prepare(policy, counted)?, repeats)))
}
