//! Which files could be opened?

use std::path::Path;

use shoal_format::FORMATS;

use crate::studio::{Studio, is_policy};
use crate::wire::FileEntry;

/// So many files are listed.
const MOST_FILES: usize = 400;

/// So deep folders are looked into.
const DEPTH: usize = 2;

/// Tables and policies below the folder of the studio.
pub fn files(studio: &Studio) -> Vec<FileEntry> {
    let mut found = Vec::new();
    walk(studio, studio.jail.folder(), DEPTH, &mut found);
    found.sort_by(|a, b| (!a.is_policy, &a.path).cmp(&(!b.is_policy, &b.path)));
    found
}

fn walk(studio: &Studio, folder: &Path, depth: usize, found: &mut Vec<FileEntry>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        let is_private = name.to_string_lossy().starts_with('.');
        let Ok(kind) = entry.file_type() else { continue };
        if is_private || found.len() >= MOST_FILES {
            continue;
        }
        if kind.is_dir() && depth > 0 && !["node_modules", "target"].contains(&&*name.to_string_lossy()) {
            walk(studio, &path, depth - 1, found);
        } else if kind.is_file() && (is_policy(&path) || is_table(&name.to_string_lossy())) {
            let bytes = entry.metadata().map(|metadata| metadata.len()).unwrap_or(0);
            found.push(FileEntry { path: studio.jail.shown(&path), is_policy: is_policy(&path), bytes });
        }
    }
}

/// Does a name end as that of a table does, which this build can read?
pub(super) fn is_table(name: &str) -> bool {
    let name = name.to_lowercase();
    let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(&name);
    let mut endings = FORMATS.iter().filter(|format| format.is_built_in()).flat_map(|format| format.extensions);
    endings.any(|ending| name.strip_suffix(ending).is_some_and(|stem| stem.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_this_build_cannot_read_is_no_table() {
        for name in ["a.csv", "A.CSV", "a.csv.gz", "a.b.csv.zst"] {
            assert!(is_table(name), "{name}");
        }
        for name in ["csv", "a.exe", "a.gz", "a"] {
            assert!(!is_table(name), "{name}");
        }
        for format in FORMATS {
            for ending in format.extensions {
                assert_eq!(is_table(&format!("a.{ending}")), format.is_built_in(), "{ending}");
            }
        }
    }
}
