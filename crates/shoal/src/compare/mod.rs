//! Which of several releases of one table is better in which respect?
//!
//! The table is read and counted once for all policies that agree on what they read and on its columns. Each release is
//! written to a file without a name and verified just as one that is published.

mod figures;
mod frontier;
mod prepared;
mod vary;

use std::path::{Path, PathBuf};

pub use figures::Figures;
pub use frontier::{Privacy, Utility, mark_frontier};
pub use vary::{Vary, variants};

use crate::error::ErrorKind;
use crate::meaning::repeats::Repeats;
use crate::policy::{Policy, Setting};
use crate::progress::Progress;
use crate::warning::Warning;
use crate::{Error, Result};
use prepared::Prepared;

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

/// Makes and measures a release by each policy. A policy that has none is no error; one that cannot be followed at all is.
pub fn compare(candidates: Vec<Candidate>, input: Option<&Path>, progress: &dyn Progress) -> Result<Vec<Point>> {
    let mut tables: Vec<Prepared> = Vec::new();
    let mut points = Vec::with_capacity(candidates.len());
    for Candidate { file, settings, policy } in candidates {
        let table = match tables.iter().position(|table| table.suits(&policy)) {
            Some(known) => &tables[known],
            None => {
                let prepared = Prepared::new(&policy, input, progress).map_err(|error| error.at(file.display()))?;
                tables.push(prepared);
                &tables[tables.len() - 1]
            }
        };
        let release = match table.measure(&policy, progress) {
            Err(error) if error.kind() == ErrorKind::Failed && is_our_bug(&error) => return Err(error),
            release => release,
        };
        let of_table = table.repeats.iter().map(Repeats::warning);
        let (method, warnings) = (policy.method.method.id(), policy.warnings.into_iter().chain(of_table).collect());
        points.push(Point { file, settings, method, warnings, release, is_on_frontier: false });
    }
    Ok(points)
}

/// A method that does not suit a table says so, and is one point without a release; a release that fails its verification
/// must not go unnoticed.
fn is_our_bug(error: &Error) -> bool {
    error.message().contains("failed its verification")
}
