//! Which of several releases of one table is better in which respect?
//!
//! The table is read and counted once for all policies that agree on what they read. Nothing is written: figures are those of candidates,
//! and a release has the same, or is not published.

mod figures;
mod frontier;
mod vary;

use std::path::{Path, PathBuf};

pub use figures::Figures;
pub use frontier::{PrivacyAxis, UtilityAxis, mark_frontier};
pub use vary::{Vary, variants, variants_of};

use crate::policy::{Policy, Setting};
use crate::source::LocalSource;
use crate::study::{Origin, Study};
use shoal_core::error::Kind;
use shoal_core::warning::Warning;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

/// A policy to compare with others.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::sample;
/// use shoal::{Rival, Setting};
///
/// let rival = Rival { file: "policy.toml".into(), settings: vec![Setting::new("k", "5")], policy: sample::policy(5)? };
/// assert_eq!(rival.settings[0].to_string(), "k = 5");
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Rival {
    /// The file of the policy.
    pub file: PathBuf,
    /// What was varied in it.
    pub settings: Vec<Setting>,
    /// The policy.
    pub policy: Policy,
}

/// What came of a policy.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Rival, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// // Twelve patients are no crowd of twenty.
/// let points = study.compare(vec![Rival { file: "twenty.toml".into(), settings: vec![], policy: sample::policy(20)? }], &Unwatched)?;
/// assert_eq!(points[0].label(false), "twenty");
/// assert!(points[0].release.is_err() && !points[0].is_on_frontier);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Point {
    /// The file of the policy.
    pub file: PathBuf,
    /// What was varied in it.
    pub settings: Vec<Setting>,
    /// The method.
    pub method: &'static str,
    /// What readers of its release should know.
    pub warnings: Vec<Warning>,
    /// Its release, or why there is none.
    pub release: Result<Figures, Error>,
    /// Is no other release better in one respect without being worse in the other?
    pub is_on_frontier: bool,
}

impl Point {
    /// What comes of the policy of a study.
    pub fn of(study: &Study, file: PathBuf, settings: Vec<Setting>, watch: &dyn Watch) -> Result<Self> {
        let release = match Figures::of(study, watch) {
            // A method that does not suit a table says so, and is one point without a release.
            Err(error) if matches!(error.kind(), Kind::Bug | Kind::Cancelled) => return Err(error),
            release => release,
        };
        let (method, warnings) = (study.policy().method.method.id(), study.warnings());
        Ok(Self { file, settings, method, warnings, release, is_on_frontier: false })
    }

    /// The same told as `anonymize` tells it where there is no release: with what stands in the way, and what was tried and would be
    /// enough.
    fn explained(self, study: &Study, watch: &dyn Watch) -> Self {
        Self { release: self.release.map_err(|error| study.explained(error, &[], watch)), ..self }
    }

    /// What it is called among others, of which `several_files` are.
    pub fn label(&self, several_files: bool) -> String {
        let setting = |setting: &Setting| match setting.key() {
            "method" | "objective" => setting.value().to_owned(),
            _ => setting.to_string(),
        };
        let settings: Vec<String> = self.settings.iter().map(setting).collect();
        let file = self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        match (several_files, settings.is_empty()) {
            (false, false) => settings.join(", "),
            (true, false) => format!("{file}: {}", settings.join(", ")),
            (_, true) => file,
        }
    }
}

/// Finds and measures a release by each policy, of the table that it names or of another one; a table that several name is counted once.
/// A policy that has no release is no error; one that cannot be followed at all is.
///
/// ```no_run
/// # fn main() -> shoal::Result<()> {
/// # use shoal::Unwatched;
/// use shoal::{Policy, Rival};
///
/// let rival = |file: &str| -> shoal::Result<Rival> {
///     Ok(Rival { file: file.into(), settings: vec![], policy: Policy::read(file.as_ref())? })
/// };
/// for point in shoal::compare(vec![rival("coarse.toml")?, rival("fine.toml")?], None, &Unwatched)? {
///     println!("{}: {:?}", point.label(true), point.release.map(|figures| figures.objectives));
/// }
/// # Ok(())
/// # }
/// ```
pub fn compare(rivals: Vec<Rival>, input: Option<&Path>, watch: &dyn Watch) -> Result<Vec<Point>> {
    let mut studies: Vec<(PathBuf, Study)> = Vec::new();
    let mut points = Vec::with_capacity(rivals.len());
    for Rival { file, settings, policy } in rivals {
        let source = LocalSource::new(&policy, input, None)?;
        let path = source.input().map(Path::to_path_buf).unwrap_or_default();
        let known = studies.iter().rfind(|(known, _)| *known == path);
        let study = match known {
            Some((_, study)) => study.with(&policy, watch),
            None => Study::count(source, &policy, watch),
        };
        let study = study.map_err(|error| error.at(file.display()))?;
        points.push(Point::of(&study, file, settings, watch)?.explained(&study, watch));
        if study.origin() == Origin::Read {
            studies.push((path, study));
        }
    }
    Ok(points)
}

impl Study {
    /// Finds and measures a release by each policy, of the table that was counted. A policy that has none is no error; one that cannot
    /// be followed at all is.
    pub fn compare(&self, rivals: Vec<Rival>, watch: &dyn Watch) -> Result<Vec<Point>> {
        let point = |Rival { file, settings, policy }| {
            let study = self.with(&policy, watch)?;
            Ok(Point::of(&study, file, settings, watch)?.explained(&study, watch))
        };
        rivals.into_iter().map(point).collect()
    }
}
