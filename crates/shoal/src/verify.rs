//! Does the release that is about to be published keep every promise?

use crate::outsider::{Measured, OutsiderTable};
use crate::policy::{Policy, Suppressed};
use shoal_core::frequency::{CountedTable, TableProfile};
use shoal_core::method::Partition;
use shoal_core::model::Requirement;
use shoal_core::{Error, Result};

/// Checks a staged release, as an outsider counts it, against everything that was promised. An error means that it must
/// not be published.
pub fn verify(
    release: &OutsiderTable,
    policy: &Policy,
    table: &CountedTable,
    requirements: &[Requirement],
    partition: &Partition,
    expected_columns: &[String],
) -> Result<Measured> {
    if release.columns != expected_columns {
        return Err(our_bug("its columns are not those that the policy releases"));
    }
    let keeps = policy.output.suppressed == Suppressed::Keep;
    let expected_exempt = if keeps { partition.suppressed() } else { 0 };
    if keeps && release.exempt_rows > expected_exempt {
        return Err(Error::policy("some rows of the release would show `*` in every cell, just like suppressed ones")
            .hint("set `suppressed = \"drop\"` in [output], or a `max-level` for a quasi-identifier"));
    }
    if release.rows != partition.released() || release.exempt_rows != expected_exempt {
        return Err(our_bug(&format!(
            "it has {} rows and {} suppressed ones, not {} and {expected_exempt}",
            release.rows,
            release.exempt_rows,
            partition.released()
        )));
    }
    let columns = partition.sensitive_columns(table);
    let input = TableProfile::of_input(columns, table.rows);
    let measured = release.measure(columns, requirements, Some(&input)).map_err(|e| our_bug(e.message()))?;
    for (requirement, &achieved) in requirements.iter().zip(&measured.achieved) {
        if !requirement.holds(achieved) {
            return Err(our_bug(&format!("it does not satisfy {}", requirement.model.name())));
        }
    }
    Ok(measured)
}

fn our_bug(reason: &str) -> Error {
    Error::bug(format!("the release failed its verification: {reason}"))
        .detail("nothing was published; an earlier release, if there is one, is untouched")
        .hint("this is a bug in Shoal, not in your data: please report it with the policy")
}
