//! How does a candidate become a release?

use std::path::{Path, PathBuf};
use std::sync::Arc;

use shoal::publish::folder_of;
use shoal::source::LocalSource;
use shoal::{RecipeFile, Release, Result, Watch, Writing};
use shoal_report::{CertificateFile, ReportFile, Summary};

use super::{Found, candidate, finite, promised};
use crate::studio::{Asked, Studio};
use crate::wire::{self, Publish, PublishPlan, PublishedFile};

/// Where everything would go.
pub fn plan(studio: &Studio) -> Result<PublishPlan> {
    let asked = studio.asked()?;
    let source = LocalSource::new(&asked.policy, None, None)?;
    let release = source.output().map(Path::to_path_buf).unwrap_or_default();
    let folder = folder_of(&asked.file);
    let folder = folder.canonicalize().unwrap_or(folder);
    let shown = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).display().to_string();
    let stem = release.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.split('.').next().unwrap_or("release").to_owned();
    let named = asked.policy.output.report.as_ref().map(|path| shown(&folder.join(path)));
    Ok(PublishPlan {
        release: shown(&release),
        report: named.unwrap_or_else(|| format!("{stem}.report.html")),
        certificate: format!("{stem}.certificate.json"),
        recipe: format!("{stem}.recipe.json"),
        policy: studio.jail.shown(&asked.file),
    })
}

/// Writes the release of the policy, verifies what was written, and publishes it with what stands beside it.
pub fn publish(studio: &Studio, wanted: &Publish, watch: &dyn Watch) -> Result<wire::Published> {
    let asked = studio.asked()?;
    let found = match studio.candidate.result_for(&asked.about) {
        Some(found) => found,
        None => Arc::new(candidate(studio, watch)?),
    };
    let (writing, beside) = writing(studio, &asked, wanted)?;
    if wanted.recipe.is_some() {
        // A release whose recipe cannot be written is not what was asked for.
        found.candidate.recipe()?;
    }
    let release = found.candidate.study().write(&found.candidate, writing, watch)?;
    Ok(published(studio, &asked, &found, &release, beside))
}

/// What is written beside the release, each where it may be.
fn writing(studio: &Studio, asked: &Asked, wanted: &Publish) -> Result<(Writing, Vec<(&'static str, PathBuf)>)> {
    let place = |path: &Option<String>| {
        let path = path.as_ref().map(|path| studio.jail.file(&folder_of(&asked.file).join(path)));
        path.transpose()
    };
    let mut writing = Writing::new().overwriting(wanted.overwrite).reading("the policy", &asked.file);
    let mut beside = Vec::new();
    if let Some(path) = place(&wanted.report)? {
        writing = writing.with(ReportFile { path: path.clone() });
        beside.push(("report", path));
    }
    if let Some(path) = place(&wanted.certificate)? {
        writing = writing.with(CertificateFile { path: path.clone(), signer: None });
        beside.push(("certificate", path));
    }
    if let Some(path) = place(&wanted.recipe)? {
        writing = writing.with(RecipeFile { path: path.clone() });
        beside.push(("recipe", path));
    }
    Ok((writing, beside))
}

fn published(
    studio: &Studio,
    asked: &Asked,
    found: &Found,
    release: &Release,
    beside: Vec<(&'static str, PathBuf)>,
) -> wire::Published {
    let place = &release.published;
    let sensitive = place.sensitive.iter().map(|path| ("sensitive values", PathBuf::from(path)));
    let all = std::iter::once(("release", PathBuf::from(&place.release))).chain(sensitive).chain(beside);
    let file = |(what, path): (&str, PathBuf)| {
        let bytes = std::fs::metadata(&path).map(|metadata| metadata.len()).unwrap_or(0);
        let path = path.canonicalize().unwrap_or(path);
        PublishedFile { what: what.to_owned(), path: studio.jail.shown(&path), bytes }
    };
    wire::Published {
        files: all.map(file).collect(),
        summary: Summary::new(release).to_text(),
        promises: promised(&asked.policy, release.requirements(), &release.measured.achieved),
        figures: wire::Figures {
            objective_value: finite(found.candidate.objective_value()),
            released_rows: found.candidate.released_rows(),
            suppressed_rows: found.candidate.suppressed_rows(),
            classes: release.measured.classes,
        },
        warnings: release.warnings().iter().map(ToString::to_string).collect(),
    }
}
