//! What does Python know of a release, and how does it keep one?

use std::path::{Path, PathBuf};
use std::time::Instant;

use pyo3::prelude::*;
use shoal::key::Signer;
use shoal::publish::OutputKind;
use shoal::study::Verified;
use shoal::{Companion, RecipeFile, Watch, Writing};
use shoal_core::{Error, Result};
use shoal_report::{ApplicationReport, CertificateFile, Hash, Hashes, HtmlReport, ReportFile, Run, Summary};

use crate::arrow_table::ArrowTable;
use crate::audit::Audit;
use crate::error::raised;
use crate::origin::Target;
use crate::policy::Document;
use crate::watched::watched;

/// A release that was written and verified.
#[pyclass(frozen, module = "shoal._shoal")]
pub struct Release {
    release: shoal::Release,
    target: Option<Target>,
    /// What the policy or the recipe that it was made by is called: its file, if it is in one.
    made_by: PathBuf,
    /// Was it made by a recipe?
    is_applied: bool,
}

impl Release {
    pub fn new(release: shoal::Release, target: Option<Target>, policy: &Path) -> Self {
        Self { release, target, made_by: policy.to_path_buf(), is_applied: false }
    }

    pub fn applied(release: shoal::Release, target: Option<Target>, recipe: &Path) -> Self {
        Self { is_applied: true, ..Self::new(release, target, recipe) }
    }

    fn hashes(&self) -> Hashes {
        Hashes { policy: Some(Hash::of(self.release.policy().text.as_bytes())), ..Hashes::default() }
    }
}

#[pymethods]
impl Release {
    /// What the command prints about it with `--json`.
    fn to_json(&self) -> String {
        match self.is_applied {
            true => ApplicationReport::new(&self.release).to_json().to_string(),
            false => Summary::new(&self.release).to_json().to_string(),
        }
    }

    /// What it prints without.
    fn to_text(&self) -> String {
        match self.is_applied {
            true => ApplicationReport::new(&self.release).to_text(),
            false => Summary::new(&self.release).to_text(),
        }
    }

    /// Its rows; none where they are in an engine.
    fn table(&self) -> Option<ArrowTable> {
        self.release.in_memory.as_ref().map(|release| ArrowTable::new(release.rows.clone()))
    }

    /// The table of its sensitive values, where those are in one of their own.
    fn sensitive_table(&self) -> Option<ArrowTable> {
        let release = self.release.in_memory.as_ref()?;
        release.sensitive.clone().map(ArrowTable::new)
    }

    /// The policy that it was made by.
    fn policy(&self, py: Python<'_>) -> PyResult<Document> {
        let policy = self.release.policy();
        Document::of(policy.to_toml(), "the policy", &policy.folder).map_err(|error| raised(py, &error))
    }

    /// What attackers could do to it, what its records risk, and what it is good for.
    fn audit(&self, py: Python<'_>) -> PyResult<Audit> {
        let audit = watched(py, |watch| self.release.audit(watch))?;
        Ok(Audit::new(audit, Some(self.release.policy().clone()), "the release".to_owned()))
    }

    /// The page that explains it, which may be published beside it.
    fn report(&self, py: Python<'_>) -> PyResult<String> {
        watched(py, |watch| {
            let begin = Instant::now();
            let audit = self.release.audit(watch)?;
            let audit_seconds = begin.elapsed().as_secs_f64();
            let satisfying = self.release.candidate.alternatives(watch);
            let run = Run { release: &self.release, satisfying: satisfying.as_deref(), audit_seconds };
            let (name, policy, hashes) =
                (self.release.published.release.clone(), Some(self.release.policy()), &self.hashes());
            Ok(HtmlReport { name, audit: &audit, policy, run: Some(run), hashes }.to_html())
        })
    }

    /// How values were recoded, for tables to come.
    fn recipe(&self, py: Python<'_>) -> PyResult<String> {
        let recipe = self.release.candidate.recipe().map_err(|error| raised(py, &error))?;
        Ok(recipe.to_text())
    }

    /// Writes it to a file, once more verified there, with all that is asked for beside it.
    #[pyo3(signature = (path, *, report=None, certificate=None, sign=None, recipe=None, policy=None, overwrite=false))]
    #[expect(clippy::too_many_arguments, reason = "each is a file that is written, by its name")]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        report: Option<PathBuf>,
        certificate: Option<PathBuf>,
        sign: Option<PathBuf>,
        recipe: Option<PathBuf>,
        policy: Option<PathBuf>,
        overwrite: bool,
    ) -> PyResult<()> {
        let target = self.target.as_ref().ok_or_else(|| {
            raised(py, &Error::policy("the release is in an engine, and was published there already"))
        })?;
        watched(py, |watch| {
            let made_by = if self.is_applied { "the recipe" } else { "the policy" };
            let mut writing = Writing::new().overwriting(overwrite).reading(made_by, &self.made_by);
            if let Some(key) = &sign {
                writing = writing.reading("the signing key", key);
            }
            if let Some(path) = report {
                writing = writing.with(ReportFile { path });
            }
            if let Some(path) = certificate {
                let signer = sign.as_deref().map(Signer::read).transpose()?;
                writing = writing.with(CertificateFile { path, signer });
            }
            if let Some(path) = recipe {
                self.release.candidate.recipe()?;
                writing = writing.with(RecipeFile { path });
            }
            if let Some(path) = policy {
                writing = writing.with(PolicyFile { path });
            }
            let candidate = &self.release.candidate;
            target.while_into(Some(path), || candidate.study().write(candidate, writing, watch)).map(drop)
        })
    }
}

/// The policy that a release was made by.
struct PolicyFile {
    path: PathBuf,
}

impl Companion for PolicyFile {
    fn what(&self) -> &'static str {
        "the policy"
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn kind(&self) -> OutputKind {
        OutputKind::Edited
    }

    fn text(&self, verified: &Verified<'_>, _: &dyn Watch) -> Result<String> {
        Ok(verified.release.policy().to_toml().to_owned())
    }
}
