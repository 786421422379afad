//! What is published beside a release so that other tables can be recoded like it.

use std::path::{Path, PathBuf};

use shoal_core::Result;
use shoal_core::method::Task;
use shoal_core::watch::Watch;

use super::{Candidate, Companion, Verified};
use crate::publish::OutputKind;
use crate::recipe::Recipe;

/// How values were recoded, for tables to come.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Unwatched, sample};
/// use shoal::{Recipe, RecipeFile, Writing};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("recipe.json");
/// let writing = Writing::new().with(RecipeFile { path: path.clone() });
/// shoal::anonymize(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, writing, &Unwatched)?;
/// let (recipe, policy) = Recipe::read(&path, &[])?;
/// assert_eq!(policy.columns.len(), 3);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct RecipeFile {
    /// Where it goes.
    pub path: PathBuf,
}

impl Candidate {
    /// The rules that it follows; an error if it is more than rules about single rows, or if a file that these need is another by now.
    pub fn recipe(&self) -> Result<Recipe> {
        let task = Task { requirements: &self.requirements, ..self.study.task() };
        let recipe = Recipe::of(self.policy(), &task, &self.partition);
        // Whatever else is wrong follows from it.
        self.study.value_files.refuse_changed()?;
        recipe
    }
}

impl Companion for RecipeFile {
    fn what(&self) -> &'static str {
        "the recipe"
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn kind(&self) -> OutputKind {
        OutputKind::Recipe
    }

    fn text(&self, verified: &Verified<'_>, _: &dyn Watch) -> Result<String> {
        Ok(verified.release.candidate.recipe()?.to_text())
    }
}
