//! What is left of a run that was killed, wherever it was?
//!
//! `SHOAL_TEST_KILLS=300 cargo test -p shoal-cli --test program killed` kills more runs than `./test` does; with
//! `SHOAL_TEST_PROGRAM=target/release/shoal` (a whole path) it kills those of another build.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Child;
use std::time::{Duration, Instant};

use shoal_report::Hash;

use crate::stopped::{ANATOMY, Draws, assert_pair, change_seed, duration, start};
use crate::together::{ALL, OUTPUTS, assert_unmixed, census, leftovers};
use crate::workbench::Workbench;

/// How many kills a test tries; more on request.
fn kills(usual: usize) -> usize {
    std::env::var("SHOAL_TEST_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// When a run is killed.
#[derive(Debug)]
enum Moment {
    /// Anywhere.
    After(Duration),
    /// While its outputs get their names: so long after the journal is there.
    Publishing(Duration),
}

/// A third anywhere, a third in the last tenth, a third while outputs get their names.
fn moment(draws: &mut Draws, whole: Duration) -> Moment {
    match draws.share() {
        kind if kind < 1.0 / 3.0 => Moment::After(whole.mul_f64(draws.share())),
        kind if kind < 2.0 / 3.0 => Moment::After(whole.mul_f64(0.88 + 0.14 * draws.share())),
        _ => Moment::Publishing(Duration::from_micros((draws.share() * draws.share() * 20_000.0) as u64)),
    }
}

fn kill(bench: &Workbench, child: &mut Child, moment: &Moment) {
    match moment {
        Moment::After(time) => std::thread::sleep(*time),
        Moment::Publishing(time) => {
            let journal = bench.path(".shoal-release.csv.journal");
            while !journal.exists() && child.try_wait().unwrap().is_none() {
                std::hint::spin_loop();
            }
            let seen = Instant::now();
            while seen.elapsed() < *time {
                std::hint::spin_loop();
            }
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A mode for each output, none the usual one of a new file.
const MODES: [u32; 4] = [0o640, 0o600, 0o604, 0o660];

fn mode(bench: &Workbench, name: &str) -> u32 {
    fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o777
}

/// The releases of the seeds that runs have, made where nothing is killed.
struct Expected(Vec<Vec<u8>>);

impl Expected {
    fn new(bench: &Workbench, seeds: usize) -> Self {
        let apart =
            Workbench::with(&[("policy.toml", &bench.text("policy.toml")), ("census.csv", &bench.text("census.csv"))]);
        let release = |seed| {
            change_seed(&apart, seed);
            apart.must(&["anonymize", "policy.toml"]);
            apart.bytes("release.csv")
        };
        Self((0..seeds).map(release).collect())
    }

    /// The run that an output is of, which must be there as a whole.
    #[track_caller]
    fn run_of(&self, bench: &Workbench, name: &str, what: &str) -> usize {
        let bytes = bench.bytes(name);
        let text = String::from_utf8_lossy(&bytes);
        let hash = |release: &Vec<u8>| Hash::of(release).to_string();
        let (seed, is_whole) = match name {
            "release.csv" => (self.0.iter().position(|release| *release == bytes), true),
            "report.html" => {
                (self.0.iter().position(|release| text.contains(&hash(release))), text.trim_end().ends_with("</html>"))
            }
            "recipe.json" => {
                let recipe: serde_json::Value = serde_json::from_slice(&bytes).unwrap_or_default();
                (recipe["policy"]["output"]["seed"].as_u64().map(|seed| seed as usize), recipe.is_object())
            }
            _ => {
                let is_json = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
                (self.0.iter().position(|release| text.contains(&hash(release))), is_json)
            }
        };
        assert!(is_whole, "{what}: half of {name}");
        seed.unwrap_or_else(|| panic!("{what}: {name} is of no run"))
    }
}

#[track_caller]
fn assert_locks_are_free(bench: &Workbench) {
    for path in leftovers(bench).iter().filter(|path| path.extension().is_some_and(|end| end == "lock")) {
        assert!(File::open(path).unwrap().try_lock().is_ok(), "a crash lets go of its locks");
    }
}

/// Runs take turns at two seeds, so that the earlier outputs and the new ones are always told apart.
#[test]
fn a_kill_leaves_the_earlier_outputs_or_the_new_ones() {
    let bench = census(400);
    let expected = Expected::new(&bench, 2);
    change_seed(&bench, 0);
    bench.must(&ALL);
    for (name, mode) in OUTPUTS.iter().zip(MODES) {
        fs::set_permissions(bench.path(name), Permissions::from_mode(mode)).unwrap();
    }
    let (mut draws, whole) = (Draws(1), duration(&bench, &ALL));
    let (mut before, mut outcomes) = (0, [0, 0]);
    for round in 0..kills(30) {
        let after = 1 - before;
        change_seed(&bench, after);
        let mut child = start(&bench, &ALL);
        let moment = moment(&mut draws, whole);
        kill(&bench, &mut child, &moment);
        let what = format!("kill {round}, {moment:?}");
        // Not even before anybody cleans up.
        assert_unmixed(&bench, &what);
        for name in OUTPUTS.iter().filter(|name| bench.path(name).exists()) {
            let of = expected.run_of(&bench, name, &what);
            assert!(of == before || of == after, "{what}: {name}");
        }
        assert_locks_are_free(&bench);
        // Whoever comes next in that folder settles it, whatever they came for.
        match round % 2 {
            0 => bench.must(&["hierarchy", "suggest", "census.csv", "--column", "age", "-o", "h.csv", "--overwrite"]),
            _ => bench.must(&["audit", "release.csv", "--quasi", "age", "--report", "audit.html"]),
        };
        assert_eq!(leftovers(&bench), Vec::<PathBuf>::new(), "{what}");
        let runs = OUTPUTS.map(|name| expected.run_of(&bench, name, &what));
        assert!(runs.iter().all(|run| *run == runs[0]), "{what}: {OUTPUTS:?} are of {runs:?}");
        assert_eq!(OUTPUTS.map(|name| mode(&bench, name)), MODES, "{what}");
        outcomes[usize::from(runs[0] == after)] += 1;
        before = runs[0];
    }
    assert!(outcomes.iter().all(|outcome| *outcome > 0), "no kill came before publishing, or none after: {outcomes:?}");
    eprintln!("{} runs stayed without effect, {} were completed", outcomes[0], outcomes[1]);
    // And the program goes on as ever.
    change_seed(&bench, 1 - before);
    bench.must(&ALL);
    assert_eq!(OUTPUTS.map(|name| expected.run_of(&bench, name, "at the end")), [1 - before; 4]);
}

#[test]
fn a_kill_leaves_no_mixed_pair_of_tables() {
    let bench = census(400);
    bench.write("policy.toml", ANATOMY);
    let run = ["anonymize", "policy.toml", "--certificate", "certificate.json"];
    bench.must(&run);
    let outputs = ["release.csv", "release.sensitive.csv", "certificate.json"];
    for (name, mode) in outputs.iter().zip(MODES) {
        fs::set_permissions(bench.path(name), Permissions::from_mode(mode)).unwrap();
    }
    let (mut draws, whole) = (Draws(2), duration(&bench, &run));
    for round in 0..kills(20) {
        change_seed(&bench, round + 2);
        let mut child = start(&bench, &run);
        let moment = moment(&mut draws, whole);
        kill(&bench, &mut child, &moment);
        let what = format!("kill {round}, {moment:?}");
        assert!(bench.path("release.csv").exists(), "{what}: a release never loses its name");
        assert_pair(&bench, &what);
        assert_locks_are_free(&bench);
        bench.must(&["audit", "release.csv", "--quasi", "age", "--report", "audit.html"]);
        assert!(outputs.iter().all(|name| bench.path(name).exists()), "{what}");
        assert_pair(&bench, &what);
        assert_eq!(leftovers(&bench), Vec::<PathBuf>::new(), "{what}");
        assert_eq!(outputs.map(|name| mode(&bench, name)), MODES[..3], "{what}");
    }
}
