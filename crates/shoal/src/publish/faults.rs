//! Is everything published or nothing, whichever step fails, and wherever the machine stops?

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::steps::fault;
use super::{Intent, Kind, Outputs};
use crate::Result;

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
        earlier.iter().for_each(|name| fs::write(place.at(name), "earlier").unwrap());
        place
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn claim(&self, names: &[&str]) -> Result<Outputs> {
        let mut intent = Intent::new(true);
        names.iter().for_each(|name| _ = intent.writes(*name, self.at(name), Kind::Edited));
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

#[test]
fn what_somebody_put_there_after_a_kill_is_theirs() {
    let all = ["release.csv", COMPANIONS[0], COMPANIONS[1]];
    let mut refused = 0;
    for step in 0..60 {
        let place = Place::new(&all);
        let _ = place.publish(step, true);
        let report = place.at(COMPANIONS[0]);
        if place.at(".shoal-release.csv.journal").exists() && !report.exists() {
            fs::write(&report, "theirs").unwrap();
            if let Err(error) = place.claim(&all) {
                assert!(error.message().contains("was changed since"), "{error}");
                refused += 1;
            }
            assert_eq!(fs::read_to_string(&report).unwrap(), "theirs");
        }
    }
    assert!(refused > 0);
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
    staged.written_by(|file| file.write_all(b"new").map_err(|_| crate::Error::new("full"))).unwrap();
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
