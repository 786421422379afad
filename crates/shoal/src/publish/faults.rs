//! Is everything published or nothing, whichever step fails, and wherever the machine stops?

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::hash::Hash;
use super::journal::{Journal, Planned};
use super::steps::fault;
use super::{Intent, OutputKind, Outputs};
use shoal_core::Result;

const COMPANIONS: [&str; 2] = ["reports/report.html", "certificate.json"];

/// A folder in which a release and what is said about it stand, in two folders.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(earlier: &[&str]) -> Self {
        // In memory, where there is such a folder: a disk would be asked ten thousand times to wait.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let place = Self { folder };
        fs::create_dir(place.at("reports")).unwrap();
        for name in earlier {
            fs::write(place.at(name), "earlier").unwrap();
            // Long ago, as far as clocks of file systems are concerned.
            let file = fs::File::options().write(true).open(place.at(name)).unwrap();
            file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000)).unwrap();
        }
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn claim(&self, names: &[&str]) -> Result<Outputs> {
        let mut intent = Intent::new(true);
        names.iter().for_each(|name| _ = intent.writes(*name, self.at(name), OutputKind::Edited));
        intent.claim()
    }

    /// Publishes all three, with a fault at some step.
    fn publish(&self, place: usize, ever_after: bool) -> (Result<()>, usize) {
        let names = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
        let mut outputs = self.claim(&names).unwrap();
        names.iter().for_each(|name| outputs.write(&self.at(name), "new").unwrap());
        fault::at(place, ever_after);
        let result = outputs.publish();
        (result, fault::none())
    }

    fn files(&self) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for folder in [self.at("."), self.at("reports")] {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                files.insert(name, fs::read_to_string(&path).unwrap());
            }
        }
        files
    }

    /// Whatever happened, nothing stands beside a release that is about another one.
    #[track_caller]
    fn assert_unmixed(&self, what: &str) {
        let files = self.files();
        let shown: Vec<(&String, &String)> = files.iter().filter(|(name, _)| !name.starts_with('.')).collect();
        assert!(shown.windows(2).all(|pair| pair[0].1 == pair[1].1), "{what}: {files:?}");
    }

    /// All of these and nothing else.
    #[track_caller]
    fn assert_all(&self, names: &[&str], text: &str, what: &str) {
        let name_of = |name: &&str| Path::new(name).file_name().unwrap().to_str().unwrap().to_owned();
        let expected = names.iter().map(|name| (name_of(name), text.to_owned())).collect();
        assert_eq!(self.files(), expected, "{what}");
    }
}

/// Each set of files that may be there before.
fn earlier() -> Vec<Vec<&'static str>> {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    (0..8usize).map(|set| (0..3).filter(|at| set & (1 << at) != 0).map(|at| all[at]).collect()).collect()
}

#[test]
fn if_one_step_fails_all_is_as_before_or_all_is_new() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    for earlier in earlier() {
        for step in 0.. {
            let place = Place::new(&earlier);
            let (result, steps) = place.publish(step, false);
            let what = format!("step {step} of {steps}, with {earlier:?}");
            place.assert_unmixed(&what);
            // What could not be cleaned up is cleaned up by whoever comes next.
            drop(place.claim(&["other.csv", "reports/other.html"]).unwrap());
            match result {
                Ok(()) => place.assert_all(&all, "new", &what),
                Err(_) => place.assert_all(&earlier, "earlier", &what),
            }
            if step > steps {
                break;
            }
        }
    }
}

#[test]
fn wherever_a_run_is_killed_the_next_one_settles_it() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    for earlier in earlier() {
        // Whoever comes next writes all of them, or one in either folder, or something else there.
        for next in [&all[..], &all[..1], &all[1..2], &all[2..], &["reports/other.html"], &["other.csv"]] {
            for step in 0.. {
                let place = Place::new(&earlier);
                let (_, steps) = place.publish(step, true);
                let what = format!("killed at step {step} of {steps}, with {earlier:?}, then {next:?}");
                place.assert_unmixed(&what);
                drop(place.claim(next).unwrap());
                drop(place.claim(&["other.csv", "reports/other.html"]).unwrap());
                place.assert_unmixed(&what);
                let files = place.files();
                match files.values().all(|text| text == "new") && files.len() == 3 {
                    true => place.assert_all(&all, "new", &what),
                    false => place.assert_all(&earlier, "earlier", &what),
                }
                if step > steps {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_run_that_is_killed_while_it_settles_is_settled_by_the_next() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    for first in 0..60 {
        for second in 0..12 {
            let place = Place::new(&all);
            let _ = place.publish(first, true);
            fault::at(second, true);
            drop(place.claim(&all[..1]));
            fault::none();
            let what = format!("killed at step {first} and then at {second}");
            place.assert_unmixed(&what);
            drop(place.claim(&all).unwrap());
            place.assert_unmixed(&what);
            let files = place.files();
            assert!(files.len() == 3 && files.keys().all(|name| !name.starts_with('.')), "{what}: {files:?}");
        }
    }
}

#[test]
fn what_was_changed_after_a_kill_is_not_published() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    let mut found = 0;
    for step in 0..60 {
        let place = Place::new(&all);
        let _ = place.publish(step, true);
        let staged = place.at(".shoal-certificate.json.new");
        if !place.at(".shoal-release.csv.journal").exists() || !staged.exists() {
            continue;
        }
        found += 1;
        fs::write(&staged, "forged").unwrap();
        drop(place.claim(&all).unwrap());
        place.assert_all(&all, "earlier", &format!("killed at step {step}"));
    }
    assert!(found > 3, "{found}");
}

type Meddle = fn(&Path);

/// What people do to an output between a kill and the next run.
const MEDDLING: [(&str, Meddle); 3] = [
    ("replaced", |path| {
        let _ = fs::remove_file(path);
        fs::write(path, "theirs").unwrap();
    }),
    ("edited", |path| fs::write(path, "theirs").unwrap()),
    ("deleted", |path| _ = fs::remove_file(path)),
];

#[test]
fn what_somebody_does_to_an_output_after_a_kill_is_not_undone() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    let mut refused = 0;
    for (output, (what, meddle)) in all.iter().flat_map(|output| MEDDLING.map(|meddling| (*output, meddling))) {
        for step in 0..60 {
            let place = Place::new(&all);
            let _ = place.publish(step, true);
            meddle(&place.at(output));
            let what = format!("{output} {what} after a kill at step {step}");
            // Others come by, and come again.
            for _ in 0..3 {
                drop(place.claim(&["other.csv", "reports/other.html"]).unwrap());
                let theirs = fs::read_to_string(place.at(output)).ok();
                assert!(theirs.as_deref().is_none_or(|text| text == "theirs" || what.contains("deleted")), "{what}");
                assert!(theirs.is_some() || what.contains("deleted"), "{what}: it is gone");
                let others: Vec<String> = (all.iter().filter(|name| *name != &output))
                    .filter_map(|name| fs::read_to_string(place.at(name)).ok())
                    .collect();
                assert!(others.windows(2).all(|pair| pair[0] == pair[1]), "{what}: {:?}", place.files());
            }
            let claimed = place.claim(&all);
            if let Err(error) = claimed {
                assert!(error.message().contains("was changed since"), "{error}");
                refused += 1;
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

#[test]
fn once_it_is_moved_elsewhere_the_next_run_settles() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    for step in 0..60 {
        let place = Place::new(&all);
        let _ = place.publish(step, true);
        MEDDLING[0].1(&place.at(COMPANIONS[0]));
        if place.claim(&all).is_err() {
            fs::rename(place.at(COMPANIONS[0]), place.at("elsewhere")).unwrap();
            drop(place.claim(&all).unwrap());
            assert_eq!(fs::read_to_string(place.at("elsewhere")).unwrap(), "theirs");
            fs::remove_file(place.at("elsewhere")).unwrap();
            place.assert_unmixed(&format!("step {step}"));
            assert!(place.files().keys().all(|name| !name.starts_with('.')), "{:?}", place.files());
        }
    }
}

#[test]
fn a_forged_journal_moves_nothing() {
    let place = Place::new(&["release.csv"]);
    fs::write(place.at("theirs"), "precious").unwrap();
    let folder = place.folder.path().canonicalize().unwrap();
    for (home, hash) in [("x.csv", Hash::of(b"precious")), ("y.csv", Hash::of(b"else"))] {
        let entry = |name: &str| Planned { target: folder.join(name), hash: hash.clone(), staged: 1, replaces: None };
        Journal { entries: vec![entry(home), entry("theirs"), entry("release.csv")] }.write().unwrap();
        for _ in 0..3 {
            drop(place.claim(&["other.csv"]).unwrap());
        }
        let error = place.claim(&[home]).unwrap_err();
        assert!(error.to_string().contains(&format!(".shoal-{home}.journal")), "{error}");
        assert_eq!(fs::read_to_string(place.at("theirs")).unwrap(), "precious");
        assert_eq!(fs::read_to_string(place.at("release.csv")).unwrap(), "earlier");
    }
}

#[cfg(unix)]
#[test]
fn a_file_planted_for_the_earlier_one_is_not_taken_for_it() {
    use std::os::unix::fs::PermissionsExt;
    for earlier in [&["release.csv"][..], &[]] {
        let place = Place::new(earlier);
        let mut outputs = place.claim(&["release.csv"]).unwrap();
        outputs.write(&place.at("release.csv"), "new").unwrap();
        fs::write(place.at(".shoal-release.csv.old"), "planted").unwrap();
        fs::set_permissions(place.at(".shoal-release.csv.old"), fs::Permissions::from_mode(0o666)).unwrap();
        match outputs.publish() {
            Ok(()) => {
                let mode = fs::metadata(place.at("release.csv")).unwrap().permissions().mode();
                assert!(earlier.is_empty() && mode & 0o022 == 0, "{mode:o}");
            }
            Err(error) => assert!(!earlier.is_empty() && error.message().contains("is in the way"), "{error}"),
        }
    }
}

#[test]
fn names_of_files_beside_outputs_are_no_names_of_outputs() {
    let place = Place::new(&[]);
    for name in [".shoal-release.csv.old", ".shoal-x"] {
        let error = place.claim(&[name]).unwrap_err();
        assert!(error.message().contains("names that begin with .shoal-"), "{error}");
    }
}

#[test]
fn a_file_that_changes_after_it_was_written_is_not_published() {
    let place = Place::new(&["release.csv"]);
    let changes: [fn(&Path); 3] = [
        |staged| fs::write(staged, "new and more").unwrap(),
        |staged| fs::write(staged, "old").unwrap(),
        |staged| {
            fs::remove_file(staged).unwrap();
            fs::write(staged, "new").unwrap();
        },
    ];
    for change in changes {
        let mut outputs = place.claim(&["release.csv"]).unwrap();
        outputs.write(&place.at("release.csv"), "new").unwrap();
        change(&place.at(".shoal-release.csv.new"));
        let error = outputs.publish().unwrap_err();
        assert!(error.message().contains("release.csv was changed after it was verified"), "{error}");
        drop(place.claim(&["release.csv"]).unwrap());
        place.assert_all(&["release.csv"], "earlier", "changed");
    }
}

#[test]
fn a_file_that_changes_while_it_is_named_is_noticed() {
    let place = Place::new(&[]);
    let mut outputs = place.claim(&["release.csv"]).unwrap();
    let staged = outputs.create(&place.at("release.csv")).unwrap();
    staged.written_by(|file| file.write_all(b"new").map_err(|_| shoal_core::Error::place("full"))).unwrap();
    staged.check().unwrap();
    fs::rename(place.at(".shoal-release.csv.new"), place.at("release.csv")).unwrap();
    staged.check_named().unwrap();
    fs::write(place.at("release.csv"), "new and more").unwrap();
    assert!(staged.check_named().is_err());
}

#[cfg(unix)]
#[test]
fn outputs_are_private_until_they_have_their_names_and_keep_the_mode_of_what_they_replace() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: PathBuf| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let place = Place::new(&["release.csv"]);
    fs::set_permissions(place.at("release.csv"), fs::Permissions::from_mode(0o604)).unwrap();
    let names = ["release.csv", "certificate.json"];
    let mut outputs = place.claim(&names).unwrap();
    names.iter().for_each(|name| outputs.write(&place.at(name), "new").unwrap());
    for beside in [".shoal-release.csv.new", ".shoal-release.csv.lock", ".shoal-certificate.json.new"] {
        assert_eq!(mode(place.at(beside)), 0o600, "{beside}");
    }
    outputs.publish().unwrap();
    fs::write(place.at("any"), "x").unwrap();
    assert_eq!(mode(place.at("release.csv")), 0o604);
    assert_eq!(mode(place.at("certificate.json")), mode(place.at("any")));
}
