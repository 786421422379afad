//! Which policy is a table's, and what is one called that is begun for it?

use std::path::{Path, PathBuf};

use shoal::publish::folder_of;
use shoal::{PolicyDocument, Result};
use shoal_core::text_file;
use shoal_format::{ending_at, file_of};

use crate::jail::Jail;

/// The policy of a table.
#[derive(Debug, PartialEq, Eq)]
pub enum PolicyOf {
    /// There is one already.
    Found(PathBuf),
    /// One is to be begun here; the first that has its name already is of another table.
    Begun(PathBuf, Option<PathBuf>),
}

/// So many names are tried.
const MOST_NAMES: usize = 100;

/// Looks beside a table: `patients.csv` has `patients.policy.toml`, and where that is of another table `patients-2.policy.toml`, ..
pub fn policy_of(table: &Path, jail: &Jail) -> Result<PolicyOf> {
    let mut others = None;
    for number in 1..=MOST_NAMES {
        let file = jail.file(&named(table, number))?;
        if !file.exists() {
            return Ok(PolicyOf::Begun(file, others));
        }
        if is_of(&file, table, jail) {
            return Ok(PolicyOf::Found(file));
        }
        others.get_or_insert(file);
    }
    Err(shoal::Error::place("there are too many policies of other tables with the name of this one")
        .hint("open the policy instead of the table"))
}

/// `visits.2023.csv.gz` and 1 make `visits.2023.policy.toml`.
fn named(table: &Path, number: usize) -> PathBuf {
    let name = table.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = name.split('#').next().unwrap_or_default();
    let stem = name[..ending_at(name)].trim_start_matches('.');
    let stem = if stem.is_empty() { "table" } else { stem };
    let number = if number == 1 { String::new() } else { format!("-{number}") };
    folder_of(table).join(format!("{stem}{number}.policy.toml"))
}

/// Does a policy name this table? One that is no TOML names none and is the table's whose name it has: what is wrong with it is said.
fn is_of(policy: &Path, table: &Path, jail: &Jail) -> bool {
    let folder = folder_of(policy);
    let Ok(text) = text_file::text("read", policy) else { return true };
    let Ok(document) = PolicyDocument::parse(&text, "the policy", &folder) else { return true };
    let Ok(Some(path)) = document.get("input.path") else { return false };
    let Some(Ok(path)) = path.as_str().map(|path| jail.file(&folder.join(path))) else { return false };
    path == table || file_of(&path) == table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_policy_that_names_the_table_is_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().canonicalize().unwrap().join(name);
        for table in ["visits.csv", "visits.2023.csv", "visits.tsv", "a.csv.gz", ".hidden.csv"] {
            std::fs::write(at(table), "age\n31\n").unwrap();
        }
        let jail = Jail::new(folder.path(), None).unwrap();
        let of = |table: &str| policy_of(&at(table), &jail).unwrap();
        assert_eq!(of("visits.2023.csv"), PolicyOf::Begun(at("visits.2023.policy.toml"), None));
        assert_eq!(of("a.csv.gz"), PolicyOf::Begun(at("a.policy.toml"), None));
        assert_eq!(of(".hidden.csv"), PolicyOf::Begun(at("hidden.policy.toml"), None));
        std::fs::write(at("visits.policy.toml"), "[input]\npath = \"./visits.csv\"\n").unwrap();
        assert_eq!(of("visits.csv"), PolicyOf::Found(at("visits.policy.toml")));
        let other = PolicyOf::Begun(at("visits-2.policy.toml"), Some(at("visits.policy.toml")));
        assert_eq!(of("visits.tsv"), other);
        // Nor one that names no table, or a table that is not there.
        for text in ["[input]\nheader = true\n", "[input]\npath = \"gone.csv\"\n", "[input]\npath = 3\n"] {
            std::fs::write(at("visits.policy.toml"), text).unwrap();
            assert_eq!(of("visits.tsv"), other, "{text}");
        }
        std::fs::write(at("visits-2.policy.toml"), "[input]\npath = \"visits.tsv\"\n").unwrap();
        assert_eq!(of("visits.tsv"), PolicyOf::Found(at("visits-2.policy.toml")));
        // Whoever is in the middle of a line is not told to begin anew.
        std::fs::write(at("visits.policy.toml"), "[input\n").unwrap();
        assert_eq!(of("visits.csv"), PolicyOf::Found(at("visits.policy.toml")));
    }
}
