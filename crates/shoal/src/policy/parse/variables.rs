//! Which path does a policy name that has variables of the environment in it?

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::{Parser, Placed};
use shoal_core::Result;

impl Parser<'_> {
    /// A path, with the variables of the environment in it replaced: `${DATA}/patients.csv`. One that is not set is a mistake,
    /// not an empty text: the path would lead elsewhere.
    pub(super) fn path(&self, path: Option<Placed<PathBuf>>) -> Result<Option<PathBuf>> {
        path.map(|path| self.expanded(path.get_ref(), path.span())).transpose()
    }

    pub(super) fn expanded(&self, path: &Path, span: Range<usize>) -> Result<PathBuf> {
        let Some(mut rest) = path.to_str().filter(|text| text.contains("${")) else { return Ok(path.to_path_buf()) };
        let mut expanded = String::new();
        while let Some((before, from)) = rest.split_once("${") {
            expanded += before;
            let Some((name, after)) = from.split_once('}') else {
                let error = self.error(span, "a `${` in a path has no `}`");
                return Err(error.hint("a variable of the environment is written `${NAME}`"));
            };
            expanded += &std::env::var(name).map_err(|_| {
                self.error(span.clone(), format!("`{name}` in a path is no variable of the environment"))
                    .hint(format!("set it before the run: `export {name}=..`"))
            })?;
            rest = after;
        }
        Ok(PathBuf::from(expanded + rest))
    }
}
