//! What is a release called whose name nobody has chosen?

use std::path::{Path, PathBuf};

use shoal_format as format;

/// `a.csv.gz` becomes `a.release.csv.gz`, beside it; what is read but not written in a format becomes CSV, and a folder a
/// file of the format of those in it.
pub fn default_output(input: &Path) -> PathBuf {
    let name = input.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (stem, extensions) = name.split_once('.').unwrap_or((&name, ""));
    let release = match format::extension_of_release(input) {
        Some(extension) if input.is_dir() => format!("{name}.release.{extension}"),
        Some(extension) => format!("{stem}.release.{extension}"),
        None if extensions.is_empty() => format!("{stem}.release"),
        None => format!("{stem}.release.{extensions}"),
    };
    input.with_file_name(release)
}

/// `release.csv.gz` becomes `release.sensitive.csv.gz`, beside it.
pub(super) fn beside(output: &Path) -> PathBuf {
    let name = output.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (stem, extensions) = name.split_at(format::ending_at(&name));
    output.with_file_name(format!("{stem}.sensitive{extensions}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_named_after_its_input() {
        assert_eq!(default_output(Path::new("a/b.csv")), Path::new("a/b.release.csv"));
        assert_eq!(default_output(Path::new("b.csv.gz")), Path::new("b.release.csv.gz"));
        assert_eq!(default_output(Path::new("a/b.xlsx")), Path::new("a/b.release.csv"));
        assert_eq!(default_output(Path::new("a/b.sqlite")), Path::new("a/b.release.csv"));
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("people");
        std::fs::create_dir_all(table.join("year=2024")).unwrap();
        std::fs::write(table.join("year=2024/part-0.jsonl"), "{}").unwrap();
        assert_eq!(default_output(&table), folder.path().join("people.release.jsonl"));
    }

    #[test]
    fn sensitive_values_go_beside_the_release() {
        let name = |name: &str| beside(Path::new(name)).display().to_string();
        assert_eq!(name("a/release.csv"), "a/release.sensitive.csv");
        assert_eq!(name("b.release.CSV.gz"), "b.release.sensitive.CSV.gz");
        assert_eq!(name("b.parquet"), "b.sensitive.parquet");
    }
}
