//! How does a table become a release, in one go?

use shoal_core::Result;
use shoal_core::watch::Watch;

use crate::policy::Policy;
use crate::source::Source;
use crate::study::{Release, Study, Writing};

/// Counts a table, finds the best release that a policy allows, writes it, verifies what was written and publishes it.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::sample;
/// use shoal::{LocalSource, Unwatched, Writing};
///
/// let source = LocalSource::in_memory(sample::patients()?);
/// let release = shoal::anonymize(source, &sample::policy(4)?, Writing::new(), &Unwatched)?;
/// assert!(release.measured.smallest >= 4);
/// # Ok(())
/// # }
/// ```
pub fn anonymize(
    source: impl Source + 'static,
    policy: &Policy,
    writing: Writing,
    watch: &dyn Watch,
) -> Result<Release> {
    let claimed = writing.claim(policy, &source)?;
    let study = Study::count_and_hold(source, policy, watch)?;
    let candidate = study.best(watch)?;
    study.write_claimed(&candidate, claimed, watch)
}
