//! Which files may the page lead to?
//!
//! Those below the folder that the studio was started in, and below the folder of the file that was named there. Links are followed
//! first, so that none leads out.

use std::path::{Component, Path, PathBuf};

use shoal::{Error, Policy, Result};

/// The folders that files may be in.
#[derive(Debug, Clone)]
pub struct Jail {
    folder: PathBuf,
    roots: Vec<PathBuf>,
}

impl Jail {
    /// The folder that the studio was started in, and the file that was named there.
    pub fn new(folder: &Path, named: Option<&Path>) -> Result<Self> {
        let canonical = |path: &Path| path.canonicalize().map_err(|error| Error::io("open", path, &error));
        let folder = canonical(folder)?;
        let mut roots = vec![folder.clone()];
        if let Some(named) = named {
            let file = canonical(&folder.join(named))?;
            roots.extend(file.parent().map(Path::to_path_buf));
        }
        Ok(Self { folder, roots })
    }

    /// The folder that the studio was started in.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// How a path is shown: as seen from the folder.
    pub fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.folder).unwrap_or(path).display().to_string()
    }

    /// The file that a path means, if it may be touched; what is not there yet may be, in a folder that is.
    pub fn file(&self, path: &Path) -> Result<PathBuf> {
        let refused = || {
            Error::place(format!("{} is outside of the folder of the studio", path.display()))
                .hint(format!("start the studio where the file is, instead of in {}", self.folder.display()))
        };
        let whole = self.folder.join(path);
        if whole.components().any(|part| part == Component::ParentDir) && !whole.exists() {
            return Err(refused());
        }
        let real = match whole.canonicalize() {
            Ok(real) => real,
            Err(_) => {
                let (parent, name) = whole.parent().zip(whole.file_name()).ok_or_else(refused)?;
                if std::fs::symlink_metadata(&whole).is_ok() {
                    // A link to nowhere: who knows where it leads tomorrow.
                    return Err(refused());
                }
                parent.canonicalize().map_err(|error| Error::io("open", &whole, &error))?.join(name)
            }
        };
        if self.roots.iter().any(|root| real.starts_with(root)) { Ok(real) } else { Err(refused()) }
    }

    /// Refuses a policy that reads or writes elsewhere.
    pub fn holds(&self, policy: &Policy) -> Result<()> {
        if policy.input.engine.is_some() {
            return Err(Error::policy("the studio reads files, and the table of this policy is elsewhere")
                .hint("export it to a file, or use `shoal anonymize`"));
        }
        let output = &policy.output;
        let written = [&output.path, &output.sensitive_path, &output.report].into_iter().flatten();
        let read = policy.files().into_iter().map(|(_, path)| path);
        read.chain(written.map(|path| policy.folder.join(path))).try_for_each(|path| self.file(&path).map(drop))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_below_the_folder_are_let_out() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("inner");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(outer.path().join("secret.csv"), "a\n1\n").unwrap();
        std::fs::write(folder.join("a.csv"), "a\n1\n").unwrap();
        let jail = Jail::new(&folder, None).unwrap();
        assert!(jail.file("a.csv".as_ref()).is_ok() && jail.file("new.csv".as_ref()).is_ok());
        assert!(jail.file("./a.csv".as_ref()).is_ok() && jail.file("../inner/a.csv".as_ref()).is_ok());
        let outside = outer.path().join("secret.csv");
        for path in ["../secret.csv", "..", "../new.csv", "/etc/passwd", "nowhere/../../secret.csv", "/", ""] {
            assert!(path.is_empty() || jail.file(path.as_ref()).is_err(), "{path}");
        }
        assert!(jail.file(&outside).is_err());
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&outside, folder.join("link.csv")).unwrap();
            std::os::unix::fs::symlink(outer.path().join("later.csv"), folder.join("dangling.csv")).unwrap();
            std::os::unix::fs::symlink(outer.path(), folder.join("up")).unwrap();
            for path in ["link.csv", "dangling.csv", "up/secret.csv", "up/new.csv"] {
                assert!(jail.file(path.as_ref()).is_err(), "{path}");
            }
        }
        // What was named at the start may be elsewhere, and what stands beside it.
        let jail = Jail::new(&folder, Some(&outside)).unwrap();
        assert!(jail.file(&outside).is_ok() && jail.file(&outer.path().join("release.csv")).is_ok());
    }
}
