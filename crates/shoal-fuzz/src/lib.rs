//! What must hold whatever a file says: nothing here panics, hangs or takes all memory, and nothing false is published.
//!
//! `fuzz/` runs these functions under libFuzzer; `tests/` runs them over the corpus and over mutations of it.

mod attempt;
mod mutate;
mod small_files;
mod tables;
mod workplace;

pub use mutate::Mutator;

/// Something that takes the bytes of a file.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: that of its file in `fuzz/fuzz_targets/` and of its folder in `fuzz/corpus/`.
    pub name: &'static str,
    /// Does with the bytes what the program would; an error is what it would say against them.
    pub run: fn(&[u8]) -> shoal_core::Result<()>,
}

/// All targets.
pub const TARGETS: [Target; 10] = [
    Target { name: "csv", run: tables::csv },
    Target { name: "json_lines", run: tables::json_lines },
    Target { name: "parquet", run: tables::parquet },
    Target { name: "workbook", run: tables::workbook },
    Target { name: "sqlite", run: tables::sqlite },
    Target { name: "hierarchy_file", run: small_files::hierarchy_file },
    Target { name: "policy", run: small_files::policy },
    Target { name: "recipe", run: small_files::recipe },
    Target { name: "certificate", run: small_files::certificate },
    Target { name: "knowledge", run: small_files::knowledge },
];

/// Runs the target with this name.
///
/// # Panics
/// If there is none, or if it found something.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("every target is in the list");
    // Whatever it says against the file, it says it in words.
    let _ = (target.run)(bytes);
}
