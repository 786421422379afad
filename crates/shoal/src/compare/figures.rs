//! What is there to know of a release that is compared with others?

use std::time::Instant;

use shoal_core::Result;
use shoal_core::watch::Watch;

use crate::attack::Finding;
use crate::outsider::Measured;
use crate::study::Study;
use crate::utility::Learned;

/// What a release has lost, what it risks, and how long it took.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::Figures;
///
/// let figures = Figures::of(&study, &Unwatched)?;
/// assert!(figures.measured.smallest >= 4 && figures.objective("loss") > Some(0.0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Figures {
    /// What was lost, by every objective.
    pub objectives: Vec<(&'static str, f64)>,
    /// How many classes there are, and what each requirement reaches.
    pub measured: Measured,
    /// What each requirement is called.
    pub requirements: Vec<String>,
    /// How many rows are released.
    pub released: u64,
    /// How many are not.
    pub suppressed: u64,
    /// The chance of somebody who knows who is in the table to find the record that is easiest to match, and the mean over
    /// all records; none where quasi-identifiers are shown as they are.
    pub risk: Option<(f64, f64)>,
    /// What attacks achieve.
    pub findings: Vec<Finding>,
    /// How well learners do.
    pub learned: Vec<Learned>,
    /// Why they do not predict some column.
    pub not_learned: Vec<String>,
    /// Does it show quasi-identifiers as they are, so that what it has lost cannot be compared?
    pub is_separated: bool,
    /// The seconds from the counted table to the classes of the release.
    pub seconds: f64,
}

impl Figures {
    /// Those of the best release that a study finds.
    pub fn of(study: &Study, watch: &dyn Watch) -> Result<Self> {
        let begin = Instant::now();
        let candidate = study.best(watch)?;
        let seconds = begin.elapsed().as_secs_f64();
        let (partition, outline) = (candidate.partition(), candidate.outline(watch)?);
        Ok(Self {
            objectives: partition.objectives.clone(),
            measured: candidate.measure()?,
            requirements: candidate.requirements().iter().map(|requirement| requirement.model.name()).collect(),
            released: partition.released(),
            suppressed: partition.suppressed(),
            risk: outline.risk,
            findings: outline.findings.found,
            learned: outline.learned,
            not_learned: outline.not_learned,
            is_separated: partition.is_separated,
            seconds,
        })
    }

    /// What was lost by an objective.
    pub fn objective(&self, id: &str) -> Option<f64> {
        self.objectives.iter().find(|(known, _)| *known == id).map(|(_, value)| *value)
    }

    /// The most records that an attack exposes, over the sensitive columns.
    pub fn exposed_by(&self, attack: &str) -> Option<u64> {
        self.findings.iter().filter(|finding| finding.attack == attack).map(|finding| finding.exposed_records).max()
    }

    /// The largest share of the records that any attack exposes.
    pub fn exposed(&self) -> Option<f64> {
        let share = |finding: &Finding| finding.exposed_records as f64 / finding.records.max(1) as f64;
        self.findings.iter().map(share).max_by(f64::total_cmp)
    }

    /// The share of right answers of the best learner, over the columns that are predicted; from the release, and from the
    /// original.
    pub fn accuracy(&self) -> Option<(f64, f64)> {
        let mut targets: Vec<&str> = self.learned.iter().map(|learned| learned.target.as_str()).collect();
        targets.dedup();
        let best = |target: &str, share: fn(&Learned) -> f64| {
            self.learned.iter().filter(|learned| learned.target == target).map(share).max_by(f64::total_cmp)
        };
        let mean = |share: fn(&Learned) -> f64| {
            let shares: Vec<f64> = targets.iter().filter_map(|target| best(target, share)).collect();
            (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
        };
        Some((mean(|learned| learned.release)?, mean(|learned| learned.original)?))
    }
}
