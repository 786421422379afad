//! Are releases, and all that is said about them, still what they were?
//!
//! Cases stand in the books of `tests/recorded/cases/`, what came of each in `tests/recorded/expected.txt` (hashes) and
//! `tests/recorded/said/` (texts). `SHOAL_RECORD=1` writes both anew; `SHOAL_RECORDED_FOLDER=DIR` keeps every file that
//! is made, so that those of two versions can be laid side by side.

mod book;
mod canonical;
mod difference;
mod folder;
mod kept;
mod policy;
mod record;
mod tables;
mod typed_tables;

use std::path::{Path, PathBuf};

use crate::workbench::Workbench;
use book::Case;
use folder::Folder;
use kept::{Kept, Records};

/// Where cases and what came of them stand.
fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

/// What comes of every case now, with this many threads each.
fn records(cases: &[Case], threads: usize) -> Records {
    let folder = Folder::new(&format!("threads-{threads}"));
    tables::make(folder.path());
    record::all(cases, folder.path(), threads)
}

#[test]
fn releases_are_what_they_were() {
    let cases = book::cases(&home());
    let (one, two) = (records(&cases, 1), records(&cases, 2));
    let unlike = difference::between(&one, &two);
    assert!(unlike.is_empty(), "two threads make something else than one:\n{unlike}");
    let kept = Kept::at(home());
    if std::env::var_os("SHOAL_RECORD").is_some() {
        kept.write(&one);
        return;
    }
    let changed = difference::between(&kept.read(), &one);
    assert!(
        changed.is_empty(),
        "not as recorded (-) but something else (+):\n{changed}\n\
         if this is meant, `SHOAL_RECORD=1 cargo test -p shoal-cli --test program recorded` writes it down: read the difference \
         before you commit it.\n`SHOAL_RECORDED_FOLDER=DIR` keeps the files, to compare them with those of another version."
    );
}

#[test]
fn every_model_objective_and_method_has_a_case() {
    let policies: String = book::cases(&home()).into_iter().map(|case| case.policy).collect();
    let explained = Workbench::new().must(&["explain"]).stdout;
    for (heading, key) in [("privacy models", "model"), ("objectives", "objective"), ("methods", "name")] {
        let ids = explained.lines().skip_while(|line| *line != heading).skip(1).map_while(|line| {
            let id = line.strip_prefix("  ")?.split_whitespace().next()?;
            Some(id.to_owned())
        });
        let ids: Vec<String> = ids.collect();
        assert!(ids.len() >= 7, "{heading}: {ids:?}");
        for id in ids {
            assert!(policies.contains(&format!("{key} = \"{id}\"")), "no case has {key} = \"{id}\"");
        }
    }
}
