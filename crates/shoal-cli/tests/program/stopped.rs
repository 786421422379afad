//! What is left of a run that was stopped, or not alone?

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::together::{ALL, OUTPUTS, assert_unmixed, census, leftovers};
use crate::workbench::Workbench;

/// Numbers that are the same in every run of the tests.
pub struct Draws(pub u64);

impl Draws {
    /// A number between 0 and 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

pub fn start(bench: &Workbench, arguments: &[&str]) -> Child {
    bench.command().args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
}

/// How long a run takes here.
pub fn duration(bench: &Workbench, arguments: &[&str]) -> Duration {
    let begin = Instant::now();
    bench.must(arguments);
    begin.elapsed()
}

/// Another release of the same table than the one before.
pub fn change_seed(bench: &Workbench, seed: usize) {
    let policy = bench.text("policy.toml");
    let line = policy.lines().find(|line| line.starts_with("seed = ")).unwrap().to_owned();
    bench.write("policy.toml", policy.replace(&line, &format!("seed = {seed}")));
}

/// When to stop a run: half of all stops fall into its last tenth, where files get their names.
fn moment(draws: &mut Draws, whole: Duration) -> Duration {
    let share = if draws.share() < 0.5 { draws.share() } else { 0.88 + 0.14 * draws.share() };
    whole.mul_f64(share)
}

/// Codes for a terminal are of no use in a file of messages.
#[test]
fn a_run_that_is_stopped_away_from_a_terminal_prints_words_alone() {
    let bench = Workbench::new();
    let ran = bench.run_in_shell(
        "mkfifo table.csv; $SHOAL init table.csv -o policy.toml & program=$!; sleep 1; kill -TERM $program; wait $program",
    );
    assert_eq!((ran.code, ran.stderr.trim()), (143, "interrupted: nothing was published"), "{ran}");
    assert!(!ran.stderr.contains('\u{1b}') && !ran.stdout.contains('\u{1b}'), "{ran}");
}

pub const ANATOMY: &str = "[input]\npath = \"census.csv\"\nother-columns = \"drop\"\n[output]\npath = \"release.csv\"\n\
    [columns.age]\nrole = \"quasi-identifier\"\n[columns.sex]\nrole = \"quasi-identifier\"\n[columns.occupation]\n\
    role = \"sensitive\"\n[[require]]\nmodel = \"distinct-l-diversity\"\nl = 2\n[method]\nname = \"anatomy\"\nseed = 1\n";

/// Both tables of a release belong together: as many rows in each class as sensitive values.
#[track_caller]
pub fn assert_pair(bench: &Workbench, what: &str) {
    if !bench.path("release.sensitive.csv").exists() {
        return;
    }
    let count = |name: &str, with_counts: bool| {
        let mut classes = std::collections::BTreeMap::new();
        for row in crate::workbench::rows(&bench.text(name)).iter().skip(1) {
            let (class, rows) =
                if with_counts { (&row[0], row[row.len() - 1].parse().unwrap()) } else { (&row[row.len() - 1], 1u64) };
            *classes.entry(class.clone()).or_insert(0) += rows;
        }
        classes
    };
    assert_eq!(count("release.csv", false), count("release.sensitive.csv", true), "{what}");
    let pair =
        ["audit", "release.csv", "--sensitive-table", "release.sensitive.csv", "--certificate", "certificate.json"];
    if bench.path("certificate.json").exists() {
        let ran = bench.run(&pair);
        assert_eq!(ran.code, 0, "{what}\n{ran}");
    }
}

#[test]
fn signals_clean_up_and_tell_which_they_were() {
    let bench = census(20_000);
    bench.must(&ALL);
    let (mut draws, whole) = (Draws(3), duration(&bench, &ALL));
    let mut stopped = 0;
    for round in 0..18 {
        let (name, code) = [("INT", 130), ("TERM", 143), ("HUP", 129)][round % 3];
        change_seed(&bench, round + 2);
        let before = OUTPUTS.map(|name| bench.bytes(name));
        let mut child = start(&bench, &ALL);
        std::thread::sleep(moment(&mut draws, whole).max(Duration::from_millis(60)));
        signal(&child, name);
        let status = child.wait().unwrap();
        assert_eq!(leftovers(&bench), Vec::<PathBuf>::new(), "{name}");
        assert_unmixed(&bench, name);
        match status.code() {
            Some(0) => assert_ne!(before, OUTPUTS.map(|name| bench.bytes(name))),
            Some(other) => {
                stopped += 1;
                assert_eq!(other, code, "{name}");
                assert_eq!(before, OUTPUTS.map(|name| bench.bytes(name)), "{name}");
            }
            None => panic!("{name}: killed by {:?}", status.signal()),
        }
    }
    assert!(stopped > 3, "{stopped}");
}

#[test]
fn a_release_on_its_way_to_stdout_leaves_nothing_behind() {
    let bench = census(20_000);
    fs::create_dir(bench.path("tmp")).unwrap();
    let printing = ["anonymize", "policy.toml", "-o", "-"];
    let whole = duration(&bench, &printing);
    for (name, share) in [("TERM", 0.4), ("TERM", 0.7), ("TERM", 0.9), ("KILL", 0.4), ("KILL", 0.9)] {
        let mut program = bench.command();
        program.args(printing).env("TMPDIR", bench.path("tmp")).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = program.spawn().unwrap();
        std::thread::sleep(whole.mul_f64(share).max(Duration::from_millis(60)));
        signal(&child, name);
        child.wait().unwrap();
        let left = fs::read_dir(bench.path("tmp")).unwrap().next();
        assert!(left.is_none(), "{name} after {share} of the time: {left:?}");
    }
}

/// Once the first rows stand on stdout, they are published: whoever reads them gets the others, too, unless somebody insists.
#[test]
fn a_release_that_is_being_printed_is_printed_to_its_end() {
    let bench = census(20_000);
    bench.must(&["anonymize", "policy.toml"]);
    for (signals, code) in [(1, 0), (2, 143)] {
        let mut program = bench.command();
        program.args(["anonymize", "policy.toml", "-o", "-"]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().unwrap();
        let mut first = [0];
        child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
        for _ in 0..signals {
            signal(&child, "TERM");
            std::thread::sleep(Duration::from_millis(300));
        }
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(code), "{said}");
        assert!(!said.contains("nothing was published"), "{said}");
        match signals {
            1 => assert!([&first[..], &ended.stdout].concat() == bench.bytes("release.csv"), "it was cut off"),
            _ => assert!(
                said.contains("ended after something was published; what goes to stdout may be cut off"),
                "{said}"
            ),
        }
    }
}

/// Fourteen columns of noise, with a billion combinations of levels: far more than can be looked at.
fn wide() -> Workbench {
    let (bench, mut draws) = (Workbench::new(), Draws(14));
    let names: Vec<String> = (0..14).map(|column| format!("c{column}")).collect();
    let mut table = names.join(",") + "\n";
    for _ in 0..1000 {
        let row: Vec<String> = names.iter().map(|_| ((draws.share() * 40.0) as u32).to_string()).collect();
        table += &(row.join(",") + "\n");
    }
    let columns: String = names
        .iter()
        .map(|name| {
            format!("[columns.{name}]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 10, 20] }}\n")
        })
        .collect();
    bench.write("noise.csv", table);
    bench.write(
        "policy.toml",
        format!(
            "[input]\npath = \"noise.csv\"\n[output]\npath = \"release.csv\"\n{columns}\
             [[require]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nbudget = \"10min\"\nmax-suppressed = 0.05\n"
        ),
    );
    bench
}

/// A search without an end that is interrupted after some seconds: how it ended, and what it said.
fn interrupted(bench: &Workbench, times: usize) -> Output {
    let mut program = bench.command();
    program.args(["anonymize", "policy.toml", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = program.spawn().unwrap();
    std::thread::sleep(Duration::from_secs(3));
    for _ in 0..times {
        signal(&child, "INT");
    }
    child.wait_with_output().unwrap()
}

#[test]
fn an_interrupted_search_with_a_budget_gives_the_best_so_far() {
    let bench = wide();
    let ended = interrupted(&bench, 1);
    let said = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(0), "{said}");
    assert!(said.contains("taking the best release that was found so far"), "{said}");
    let summary: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
    assert_eq!(summary["guarantee"], "best-effort", "{summary}");
    let judged = bench.run(&["audit", "release.csv", "--policy", "policy.toml", "--original", "noise.csv"]);
    assert_eq!(judged.code, 0, "{judged}");
}

#[test]
fn who_interrupts_twice_gets_a_whole_release_or_none() {
    let bench = wide();
    // The second one may come while the best so far is verified, or after it was published.
    let ended = interrupted(&bench, 2);
    let is_published = ended.status.code() == Some(0);
    assert!(is_published || ended.status.code() == Some(130), "{ended:?}");
    assert_eq!(bench.path("release.csv").exists(), is_published);
    assert_eq!(leftovers(&bench), Vec::<PathBuf>::new());
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let bench = census(1000);
    let ran = bench.run_in_shell(
        "(trap '' HUP INT; exec \"$SHOAL\" anonymize policy.toml --quiet) & job=$!; sleep 0.2; kill -HUP $job; kill -INT $job; wait $job",
    );
    assert_eq!(ran.code, 0, "{ran}");
    assert!(bench.path("release.csv").exists());
}

#[test]
fn a_second_run_onto_the_same_output_is_refused() {
    let bench = census(100);
    bench.must(&ALL);
    let before = bench.everything();
    for name in OUTPUTS {
        let path = bench.path(&format!(".shoal-{name}.lock"));
        let held = File::create(&path).unwrap();
        held.lock().unwrap();
        let ran = bench.run(&ALL);
        assert!(
            ran.code == 2
                && ran.stderr.contains(&format!(
                    "another run of shoal is writing {}",
                    bench.path(name).canonicalize().unwrap().display()
                )),
            "{ran}"
        );
        assert!(ran.stderr.contains("hint: wait until it is done"), "{ran}");
        fs::remove_file(&path).unwrap();
        assert_eq!(bench.everything(), before);
    }
    // A lock that nobody holds is what a crash leaves.
    bench.write(".shoal-release.csv.lock", "");
    bench.must(&ALL);
    assert_eq!(leftovers(&bench), Vec::<PathBuf>::new());
}

#[test]
fn a_living_run_in_the_same_folder_is_left_alone() {
    let bench = census(2000);
    let mut first = start(&bench, &["anonymize", "policy.toml", "-o", "first.csv"]);
    let staged = bench.path(".shoal-first.csv.new");
    let begin = Instant::now();
    while !staged.exists() && begin.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    bench.must(&["hierarchy", "suggest", "census.csv", "--column", "age", "-o", "h.csv"]);
    assert!(first.wait().unwrap().success());
    assert!(bench.path("first.csv").exists());
    assert_eq!(leftovers(&bench), Vec::<PathBuf>::new());
}

#[test]
fn runs_at_once_give_one_release_and_not_a_mixture() {
    let bench = census(600);
    for seed in 1..=4 {
        bench.write(&format!("policy-{seed}.toml"), ANATOMY.replace("seed = 1", &format!("seed = {seed}")));
    }
    for round in 0..3 {
        let names: Vec<String> = (1..=4).map(|seed| format!("policy-{seed}.toml")).collect();
        let runs = names.iter().map(|name| start(&bench, &["anonymize", name, "--certificate", "certificate.json"]));
        let codes: Vec<i32> =
            runs.collect::<Vec<_>>().into_iter().map(|mut run| run.wait().unwrap().code().unwrap()).collect();
        assert!(codes.contains(&0) && codes.iter().all(|code| [0, 2].contains(code)), "{codes:?}");
        assert_pair(&bench, &format!("round {round}"));
        assert_eq!(leftovers(&bench), Vec::<PathBuf>::new());
    }
}

#[test]
fn leftovers_of_older_kills_are_removed_wherever_they_come_from() {
    let bench = census(50);
    bench.write(".shoal-gone.csv.new", "an unverified release");
    bench.write(".shoal-gone.csv.lock", "");
    bench.write(".shoal-other.html.new", "half a page");
    bench.write(".shoal-mine", "not ours");
    bench.write(".hidden.new", "not ours");
    bench.must(&["anonymize", "policy.toml"]);
    let names: Vec<String> =
        leftovers(&bench).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect();
    assert_eq!(names, [".shoal-mine"]);
    assert!(bench.path(".hidden.new").exists());
}
