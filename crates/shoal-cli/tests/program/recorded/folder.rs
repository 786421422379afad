//! Where do cases run, and do their files stay?

use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// A folder that vanishes, unless `SHOAL_RECORDED_FOLDER` says where it is to stay.
pub struct Folder {
    path: PathBuf,
    _vanishes: Option<TempDir>,
}

impl Folder {
    pub fn new(name: &str) -> Self {
        match std::env::var_os("SHOAL_RECORDED_FOLDER") {
            Some(stays) => {
                let path = Path::new(&stays).join(name);
                assert!(!path.exists(), "{} is there already", path.display());
                std::fs::create_dir_all(&path).unwrap();
                Self { path, _vanishes: None }
            }
            None => {
                let vanishes = TempDir::new().unwrap();
                Self { path: vanishes.path().to_owned(), _vanishes: Some(vanishes) }
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Copies a folder and all that is in it.
pub fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}
