//! How do the benchmarks come by a made-up census, as a file and counted?

// Each benchmark uses only some of these.
#![allow(dead_code, reason = "every benchmark is a crate of its own")]

use std::path::Path;

use shoal::generate::write_csv;
use shoal::policy::Policy;
use shoal::prepare::prepare;
use shoal::source::{LocalSource, Source};
use shoal_core::frequency::CountedTable;
use shoal_core::watch::Unwatched;
use tempfile::NamedTempFile;

/// Columns of the census and their hierarchies, as a policy writes them.
const HIERARCHIES: [(&str, &str); 9] = [
    ("age", "{ intervals = { widths = [5, 10, 20], origin = 0, bottom = 20, top = 80 } }"),
    ("sex", "{ suppress = {} }"),
    ("race", "{ suppress = {} }"),
    ("marital status", "{ file = \"marital-status.csv\" }"),
    ("education", "{ file = \"education.csv\" }"),
    ("country of birth", "{ file = \"country-of-birth.csv\" }"),
    ("work class", "{ suppress = {} }"),
    ("zip code", "{ mask = { from = \"right\" } }"),
    ("occupation", "{ file = \"occupation.csv\" }"),
];

/// A file of this many made-up people.
pub fn file(rows: u64) -> NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".csv").tempfile().expect("the temporary folder can be written to");
    write_csv("census", rows, 1, file.as_file_mut()).expect("the generator is in the list");
    file
}

/// A policy with the first quasi-identifiers of the list above and one sensitive column, or none.
pub fn policy(quasi: usize, sensitive: Option<&str>, requirement: &str, max_suppressed: f64) -> Policy {
    let mut text = "[input]\nmissing = [\"\"]\nother-columns = \"drop\"\n".to_owned();
    for (name, hierarchy) in &HIERARCHIES[..quasi] {
        text += &format!("[columns.\"{name}\"]\nrole = \"quasi-identifier\"\nhierarchy = {hierarchy}\n");
    }
    if let Some(name) = sensitive {
        text += &format!("[columns.\"{name}\"]\nrole = \"sensitive\"\n");
        if let Some((_, hierarchy)) = HIERARCHIES.iter().find(|(known, _)| *known == name) {
            text += &format!("hierarchy = {hierarchy}\n");
        }
    }
    text += &format!("[[require]]\n{requirement}\n[method]\nmax-suppressed = {max_suppressed:?}\n");
    let hierarchies = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/census");
    Policy::parse(&text, "benchmark", &hierarchies).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The table of a policy, read from a file and counted.
pub fn count(policy: &Policy, file: &NamedTempFile) -> CountedTable {
    let mut source = LocalSource::new(policy, Some(file.path()), None).expect("the file has a name");
    let counted = source.count(policy, &Unwatched).expect("the census has these columns");
    prepare(policy, &counted).expect("the hierarchies cover the census")
}
