//! Does every target take its whole corpus, and many changed files, without panicking or hanging?
#![allow(clippy::unwrap_used, missing_docs, reason = "a test may panic")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use shoal_fuzz::{Mutator, TARGETS, Target};

/// What no small file may take, even on a slow machine that does other things, too.
const LONGEST: Duration = Duration::from_secs(60);

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    files
}

fn corpus(target: &Target) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| (path.clone(), std::fs::read(path).unwrap());
    files(&fuzz().join("corpus").join(target.name)).into_iter().map(read).collect()
}

/// Whether a file was good for a release and an audit, or what was said against it.
type Verdict = Result<(), String>;

/// Runs a target; an error if it panics or takes too long.
fn attempt(target: &Target, bytes: &[u8]) -> Result<Verdict, String> {
    let begin = Instant::now();
    let said = catch_unwind(AssertUnwindSafe(|| (target.run)(bytes))).map_err(|_| "it panicked".to_owned())?;
    match begin.elapsed() {
        time if time > LONGEST => Err(format!("it took {time:?}")),
        _ => Ok(said.map_err(|error| error.to_string())),
    }
}

#[test]
fn every_target_has_a_corpus_and_takes_it() {
    let mut total = 0;
    for target in &TARGETS {
        let corpus = corpus(target);
        assert!(corpus.len() >= 3, "{} has hardly a corpus", target.name);
        let mut verdicts = Vec::new();
        for (path, bytes) in corpus {
            total += bytes.len();
            verdicts.push(attempt(target, &bytes).unwrap_or_else(|said| panic!("{}: {said}", path.display())));
        }
        let good = verdicts.iter().filter(|verdict| verdict.is_ok()).count();
        assert!(good > 0, "nothing in the corpus of {} gets as far as an audit: {verdicts:#?}", target.name);
    }
    assert!(total < 1 << 20, "the corpora are meant to be small, and have {total} bytes");
}

/// What only some files have, so that nobody would miss it in a corpus.
#[test]
fn signatures_and_releases_in_two_tables_are_in_the_corpus() {
    let tried = |target: &str, file: &str, part: &str| {
        let bytes = std::fs::read(fuzz().join("corpus").join(target).join(file)).unwrap();
        assert!(String::from_utf8_lossy(&bytes).contains(part), "{file}");
        attempt(TARGETS.iter().find(|known| known.name == target).unwrap(), &bytes)
    };
    assert_eq!(tried("policy", "two-tables.toml", "name = \"anatomy\""), Ok(Ok(())));
    let unsigned = tried("certificate", "classes.json", "\"mondrian\"");
    assert_eq!(tried("certificate", "signed.json", "\"ed25519\""), unsigned, "the signature is right");
}

#[test]
fn every_target_can_be_fuzzed() {
    let names: Vec<String> = files(&fuzz().join("fuzz_targets"))
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let mut expected: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let manifest = std::fs::read_to_string(fuzz().join("Cargo.toml")).unwrap();
    for name in expected {
        assert!(manifest.contains(&format!("path = \"fuzz_targets/{name}.rs\"")), "{name} is not in fuzz/Cargo.toml");
    }
}

/// So many for each target; `SHOAL_MUTATIONS=3500` for a long run, `SHOAL_MUTATION_SEED=2` for another one.
fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn changed_files_are_refused_or_taken() {
    let (count, seed) = (number("SHOAL_MUTATIONS", 120), number("SHOAL_MUTATION_SEED", 1));
    let only = std::env::var("SHOAL_MUTATION_TARGET").ok();
    for target in TARGETS.iter().filter(|target| only.as_deref().is_none_or(|only| only == target.name)) {
        let seeds: Vec<Vec<u8>> = corpus(target).into_iter().map(|(_, bytes)| bytes).collect();
        let mut good = 0;
        for round in 0..count {
            let bytes = Mutator::new(seed << 32 | round).mutated(&seeds);
            match attempt(target, &bytes) {
                Ok(verdict) => good += u64::from(verdict.is_ok()),
                Err(said) => {
                    let kept = std::env::temp_dir().join(format!("shoal-{}-{seed}-{round}", target.name));
                    std::fs::write(&kept, &bytes).unwrap();
                    panic!("{}, seed {seed}, round {round}: {said}; the file is {}", target.name, kept.display());
                }
            }
        }
        eprintln!("{}: {good} of {count} files were good for a release and an audit", target.name);
    }
}
