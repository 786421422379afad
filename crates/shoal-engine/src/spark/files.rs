//! Which format do files have, and how is Spark told to read and write it?

use std::path::{Path, PathBuf};

use shoal::policy::Policy;
use shoal_core::{Error, Result};

/// Where files are, as the cluster calls it: relative paths begin at the folder of the policy, as everywhere in one.
pub(super) fn place(path: &str, policy: &Policy) -> String {
    let path = path.trim_end_matches('/');
    if path.contains("://") || path.starts_with("file:") || Path::new(path).is_absolute() {
        return path.to_owned();
    }
    let absolute = std::path::absolute(policy.folder.join(path)).unwrap_or_else(|_| policy.folder.join(path));
    absolute.display().to_string()
}

/// The same place as this machine calls it, if it is one that this machine might see.
pub(super) fn local(place: &str) -> Option<PathBuf> {
    match place.strip_prefix("file:") {
        Some(path) => Some(PathBuf::from(format!("/{}", path.trim_start_matches('/')))),
        None if place.contains("://") => None,
        None => Some(PathBuf::from(place)),
    }
}

/// May one of two places be in the other, or both be one? A place without a file system is on the cluster's own, whichever that is.
pub(super) fn may_overlap(one: &str, other: &str) -> bool {
    let ((system, path), (other_system, other_path)) = (system_and_path(one), system_and_path(other));
    let may_be_one = system.is_none() || other_system.is_none() || system == other_system;
    may_be_one && (path.starts_with(&other_path) || other_path.starts_with(&path))
}

/// The file system that a place says it is on, and its path there: on this machine the one to which links lead.
fn system_and_path(place: &str) -> (Option<&str>, PathBuf) {
    if let Some(path) = local(place) {
        return (place.starts_with("file:").then_some("file:"), path.canonicalize().unwrap_or(path));
    }
    let after = place.split_once("://").map_or(place, |(_, after)| after);
    let (authority, path) = after.split_at(after.find('/').unwrap_or(after.len()));
    (Some(authority).filter(|authority| !authority.is_empty()), PathBuf::from(path))
}

/// The format that the name of a file or folder tells; Parquet where it tells none.
pub(super) fn format_of(place: &str) -> &'static str {
    let name = place.rsplit('/').next().unwrap_or(place).to_lowercase();
    let plain = [".gz", ".zst", ".bz2"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    match plain.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv" | "tsv") => "csv",
        Some("json" | "jsonl" | "ndjson") => "json",
        Some("orc") => "orc",
        Some("avro") => "avro",
        _ => "parquet",
    }
}

/// How CSV is read: as text, quotes doubled within quotes, and never a row that is too short or too long.
pub(super) const READ_CSV: [(&str, &str); 4] =
    [("header", "true"), ("escape", "\""), ("mode", "FAILFAST"), ("enforceSchema", "false")];

/// How files of this format are written; `missing` is how a missing value is.
pub(super) fn write_options<'a>(format: &str, missing: &'a str) -> Vec<(&'static str, &'a str)> {
    match format {
        "csv" => vec![
            ("header", "true"),
            ("escape", "\""),
            ("nullValue", missing),
            ("ignoreLeadingWhiteSpace", "false"),
            ("ignoreTrailingWhiteSpace", "false"),
        ],
        _ => Vec::new(),
    }
}

/// How files are read back that were written so.
pub(super) fn read_back_options<'a>(format: &str, missing: &'a str) -> Vec<(&'static str, &'a str)> {
    match format {
        "csv" => READ_CSV.into_iter().chain([("nullValue", missing)]).collect(),
        _ => Vec::new(),
    }
}

/// Refuses formats in which a release would not be what it was when it is read back.
pub(super) fn check_output_format(format: &str) -> Result<()> {
    match format {
        "parquet" | "orc" | "csv" => Ok(()),
        _ => Err(Error::place(format!("a release cannot be written as {format} by Spark"))
            .detail("columns without values and the types of the others would be lost")
            .hint("let `path` in [output] end in .parquet, .orc or .csv")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_format() {
        for (place, format) in [
            ("/data/patients", "parquet"),
            ("/data/v1.2/patients", "parquet"),
            ("s3a://bucket/patients.CSV.gz", "csv"),
            ("hdfs://name/patients.orc", "orc"),
            ("/data/patients.jsonl", "json"),
        ] {
            assert_eq!(format_of(place), format, "{place}");
        }
    }

    #[test]
    fn one_place_has_several_names() {
        for (one, other) in [
            ("/lake/clinic/patients", "/lake/clinic"),
            ("/lake/clinic", "file:/lake/clinic/patients"),
            ("/lake/clinic/*.parquet", "/lake/clinic"),
            ("hdfs://name/lake/x", "/lake/x"),
            ("hdfs:///lake/x", "hdfs://name/lake/x"),
            ("s3a://bucket/x", "s3://bucket/x/y"),
        ] {
            assert!(may_overlap(one, other) && may_overlap(other, one), "{one} and {other}");
        }
        for (one, other) in [
            ("/lake/clinic", "/lake/clinic.release"),
            ("s3a://bucket/x", "s3a://bucket/y"),
            ("s3a://bucket/x", "s3a://other/x"),
            ("file:/lake/x", "hdfs://name/lake/x"),
        ] {
            assert!(!may_overlap(one, other) && !may_overlap(other, one), "{one} and {other}");
        }
        let folder = tempfile::tempdir().unwrap();
        let [real, link] = ["real", "link"].map(|name| folder.path().join(name));
        std::fs::create_dir(&real).unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        assert!(may_overlap(real.to_str().unwrap(), link.to_str().unwrap()));
    }

    #[test]
    fn this_machine_sees_paths_and_files_only() {
        assert_eq!(local("/data/x"), Some("/data/x".into()));
        assert_eq!(local("file:///data/x"), Some("/data/x".into()));
        assert_eq!(local("file:/data/x"), Some("/data/x".into()));
        assert_eq!(local("s3a://bucket/x"), None);
    }
}
