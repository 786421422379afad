//! Which of several releases of one table is better in which respect?
//!
//! The table is read and counted once for all policies that agree on what they read. Nothing is written: figures are those of candidates,
//! and a release has the same, or is not published.

mod figures;
mod frontier;
mod vary;

use std::path::{Path, PathBuf};

pub use figures::Figures;
pub use frontier::{Privacy, Utility, mark_frontier};
pub use vary::{Vary, variants, variants_of};

use crate::meaning::repeats::Repeats;
use crate::policy::{Policy, Setting};
use crate::source::LocalSource;
use crate::study::{Origin, Study};
use shoal_core::error::Kind;
use shoal_core::warning::Warning;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

/// A policy to compare with others.
#[derive(Debug)]
pub struct Candidate {
    /// The file of the policy.
    pub file: PathBuf,
    /// What was varied in it.
    pub settings: Vec<Setting>,
    /// The policy.
    pub policy: Policy,
}

/// What came of a policy.
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

/// Finds and measures a release by each policy. A policy that has none is no error; one that cannot be followed at all is.
pub fn compare(candidates: Vec<Candidate>, input: Option<&Path>, watch: &dyn Watch) -> Result<Vec<Point>> {
    let mut studies: Vec<(PathBuf, Study)> = Vec::new();
    let mut points = Vec::with_capacity(candidates.len());
    for Candidate { file, settings, policy } in candidates {
        let source = LocalSource::new(&policy, input, None)?;
        let path = source.input().map(Path::to_path_buf).unwrap_or_default();
        let known = studies.iter().rfind(|(known, _)| *known == path);
        let study = match known {
            Some((_, study)) => study.with(&policy, watch),
            None => Study::count(source, &policy, watch),
        };
        let study = study.map_err(|error| error.at(file.display()))?;
        points.push(point(&study, file, settings, watch)?);
        if study.origin() == Origin::Read {
            studies.push((path, study));
        }
    }
    Ok(points)
}

/// The same for a table that was counted before, wherever it is.
pub fn compare_in(study: &Study, candidates: Vec<Candidate>, watch: &dyn Watch) -> Result<Vec<Point>> {
    let point = |Candidate { file, settings, policy }| point(&study.with(&policy, watch)?, file, settings, watch);
    candidates.into_iter().map(point).collect()
}

/// What comes of the policy of a study.
fn point(study: &Study, file: PathBuf, settings: Vec<Setting>, watch: &dyn Watch) -> Result<Point> {
    let release = match Figures::of(study, watch) {
        // A method that does not suit a table says so, and is one point without a release.
        Err(error) if matches!(error.kind(), Kind::Bug | Kind::Cancelled) => return Err(error),
        // It is told as `anonymize` tells it: with what stands in the way, and what was tried and would be enough.
        release => release.map_err(|error| study.explained(error, &[], watch)),
    };
    let policy = study.policy();
    let of_table = study.repeats().iter().map(Repeats::warning);
    let (method, warnings) = (policy.method.method.id(), policy.warnings.iter().cloned().chain(of_table).collect());
    Ok(Point { file, settings, method, warnings, release, is_on_frontier: false })
}
