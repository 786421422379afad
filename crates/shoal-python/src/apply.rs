//! How does Python recode another table as one was before?

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use shoal::recipe::Application;
use shoal::{PolicyDocument, Recipe, Study, Writing};

use crate::origin::{Named, Redirected};
use crate::release::Release;
use crate::settings::settings;
use crate::watched::watched;

/// A release of another table by a recipe, given by its text.
#[pyfunction]
#[pyo3(signature = (recipe, name, folder, table, given, *, files=Vec::new(), key_file=None, suppress_unknown=false))]
#[expect(clippy::too_many_arguments, reason = "these are the options of the command")]
pub fn apply(
    py: Python<'_>,
    recipe: &str,
    name: &str,
    folder: PathBuf,
    table: Named<'_>,
    given: Vec<(String, String)>,
    files: Vec<(String, PathBuf)>,
    key_file: Option<PathBuf>,
    suppress_unknown: bool,
) -> PyResult<Release> {
    let table = table.table();
    let (release, target) = watched(py, |watch| {
        let (recipe, mut policy) = Recipe::parse(recipe, name, &folder, &files)?;
        let settings = settings(&given)?;
        shoal_cli::refuse_other_rules(&settings)?;
        if !settings.is_empty() {
            policy = PolicyDocument::of(&policy, &format!("the policy in {name}"))?.with(&settings)?.policy()?;
        }
        shoal_cli::find_key(&mut policy, key_file.as_deref())?;
        let (source, target) = Redirected::new(table);
        let study = Study::following(source, Application { recipe, policy, suppress_unknown }, watch)?;
        Ok((study.write(&study.best(watch)?, Writing::new(), watch)?, target))
    })?;
    Ok(Release::applied(release, Some(target), Path::new(name)))
}
