//! Are all outputs of a run published together, or none of them?

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use shoal_report::Hash;

use crate::workbench::Workbench;

const POLICY: &str = r#"[input]
path = "census.csv"
other-columns = "drop"
[output]
path = "release.csv"
shuffle = true
seed = 1
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10, 20, 40] }
[columns.sex]
role = "quasi-identifier"
[columns."zip code"]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } }
[columns.occupation]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 3
"#;

/// A table that takes a moment, and a policy that asks for everything there is.
pub fn census(rows: u32) -> Workbench {
    let bench = Workbench::with(&[("policy.toml", POLICY)]);
    bench.must(&["generate", "census", "--rows", &rows.to_string(), "-o", "census.csv"]);
    bench
}

pub const ALL: [&str; 8] = [
    "anonymize",
    "policy.toml",
    "--report",
    "report.html",
    "--certificate",
    "certificate.json",
    "--recipe",
    "recipe.json",
];
pub const OUTPUTS: [&str; 4] = ["release.csv", "report.html", "certificate.json", "recipe.json"];

/// What a run leaves beside outputs while it makes them.
pub fn leftovers(bench: &Workbench) -> Vec<PathBuf> {
    let is_ours = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(".shoal-");
    bench.everything().into_keys().filter(is_ours).collect()
}

/// Nothing stands beside a release that is about another one.
#[track_caller]
pub fn assert_unmixed(bench: &Workbench, what: &str) {
    let Ok(hash) = Hash::of_file(&bench.path("release.csv")) else { return };
    for name in ["report.html", "certificate.json"].into_iter().filter(|name| bench.path(name).exists()) {
        assert!(bench.text(name).contains(&hash.to_string()), "{what}: {name} is about another release");
    }
}

#[test]
fn a_missing_folder_is_noticed_before_anything_is_done() {
    let bench = census(50);
    bench.must(&ALL);
    let before = bench.everything();
    bench.write("policy.toml", bench.text("policy.toml").replace("seed = 1", "seed = 2"));
    let policy = bench.bytes("policy.toml");
    for option in ["--recipe", "--report", "--certificate", "--output"] {
        let ran = bench.run(&["anonymize", "policy.toml", option, "missing/file.csv"]);
        assert!(ran.code == 2 && ran.stderr.contains("there is no folder missing"), "{ran}");
    }
    let mut after = bench.everything();
    assert_eq!(after.insert(bench.path("policy.toml"), before[&bench.path("policy.toml")].clone()), Some(policy));
    assert_eq!(after, before);
}

#[test]
fn whoever_does_not_listen_gets_all_outputs_all_the_same() {
    for listener in ["2>&1 | true", "2>&- >&-", "2>/dev/full", "</dev/null 2>&1 | head -c 1 >/dev/null"] {
        for quiet in ["", "--quiet"] {
            let bench = census(200);
            let ran = bench
                .run_in_shell(&format!("\"$SHOAL\" {quiet} {} {listener}; exit ${{PIPESTATUS[0]}}", ALL.join(" ")));
            assert_eq!(ran.code, 0, "{listener}\n{ran}");
            assert!(
                OUTPUTS.iter().all(|name| bench.path(name).exists()),
                "{listener}: {:?}",
                bench.everything().keys()
            );
            assert_unmixed(&bench, listener);
            assert_eq!(leftovers(&bench), Vec::<PathBuf>::new(), "{listener}");
        }
    }
}

#[test]
fn no_command_panics_when_nobody_listens() {
    let bench = census(100);
    bench.must(&ALL);
    for command in [
        "anonymize policy.toml --json",
        "apply recipe.json census.csv -o applied.csv",
        "audit release.csv --policy policy.toml",
        "audit release.csv --policy policy.toml --json",
        "solutions policy.toml",
        "compare policy.toml --vary k=2,3",
        "hierarchy show policy.toml",
        "hierarchy check policy.toml",
        "hierarchy suggest census.csv --column age",
        "explain",
        "explain k-anonymity",
        "init census.csv",
        "generate census --rows 20000",
        "completions bash",
        "man --out man",
        "reference --out reference",
        "--help",
        "--version",
        "anonymize --help",
        "nonsense",
        "anonymize nothing.toml",
    ] {
        for listener in ["2>&1 | true", "| true", "2>&- >&-", "2>/dev/full >/dev/full", "2>/dev/full"] {
            let ran = bench.run_in_shell(&format!("\"$SHOAL\" {command} {listener}; exit ${{PIPESTATUS[0]}}"));
            assert!((0..=2).contains(&ran.code), "{command} {listener}\n{ran}");
        }
    }
    // A summary that cannot be written is a failure; the release is there, and that is said.
    let ran = bench.run_in_shell("\"$SHOAL\" anonymize policy.toml --json >/dev/full");
    assert!(ran.code == 2 && ran.stderr.contains("the release itself is published"), "{ran}");
}

#[test]
fn a_release_that_is_replaced_keeps_its_mode() {
    let bench = census(50);
    bench.must(&ALL);
    let mode = |name: &str| fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o7777;
    for (name, bits) in OUTPUTS.iter().zip([0o600, 0o640, 0o604, 0o660]) {
        fs::set_permissions(bench.path(name), fs::Permissions::from_mode(bits)).unwrap();
    }
    bench.must(&ALL);
    assert_eq!(OUTPUTS.map(mode), [0o600, 0o640, 0o604, 0o660]);
    fs::remove_file(bench.path("report.html")).unwrap();
    let ran = bench.run_in_shell(&format!("umask 037; \"$SHOAL\" {}", ALL.join(" ")));
    assert_eq!((ran.code, mode("report.html")), (0, 0o640), "{ran}");
}

/// A file system of a few pages.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn new(at: PathBuf, kilobytes: u32) -> Self {
        fs::create_dir(&at).unwrap();
        let size = format!("size={kilobytes}k");
        let mount = std::process::Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&at).output();
        let mounted = mount.unwrap();
        assert!(mounted.status.success(), "{}", String::from_utf8_lossy(&mounted.stderr));
        Self(at)
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg(&self.0).status();
    }
}

#[test]
#[cfg_attr(not(mounts), ignore = "no file system can be mounted here")]
fn a_full_disk_leaves_all_as_it_was() {
    let bench = census(400);
    let outputs = ["release.csv", "report.html", "certificate.json", "recipe.json"].map(|name| format!("disk/{name}"));
    let [release, report, certificate, recipe] = &outputs;
    let run = [
        "anonymize",
        "policy.toml",
        "-o",
        release,
        "--report",
        report,
        "--certificate",
        certificate,
        "--recipe",
        recipe,
    ];
    let (mut full, mut fitted) = (0, 0);
    for kilobytes in [8, 24, 48, 80, 120, 160, 220, 280, 1024] {
        let disk = SmallDisk::new(bench.path("disk"), kilobytes);
        let ran = bench.run(&run);
        let there: Vec<&String> = outputs.iter().filter(|name| bench.path(name).exists()).collect();
        match ran.code {
            0 => {
                fitted += 1;
                assert_eq!(there.len(), 4);
            }
            _ => {
                full += 1;
                assert!(ran.code == 2 && ran.stderr.contains("disk is full"), "{ran}");
                assert!(there.is_empty(), "{kilobytes}: {there:?}");
            }
        }
        assert_eq!(leftovers(&bench), Vec::<PathBuf>::new(), "{kilobytes}");
        drop(disk);
        fs::remove_dir(bench.path("disk")).unwrap();
    }
    assert!(full > 1 && fitted > 0, "{full} {fitted}");
}

#[test]
fn the_certificate_states_the_release_that_is_there() {
    let bench = census(300);
    for output in ["release.csv", "release.csv.gz", "release.parquet", "release.jsonl"] {
        bench.must(&["anonymize", "policy.toml", "-o", output, "--certificate", "certificate.json"]);
        let hash = Hash::of_file(&bench.path(output)).unwrap().to_string();
        assert!(bench.text("certificate.json").contains(&hash), "{output}");
    }
}

#[test]
fn a_comparison_leaves_nothing_anywhere() {
    let bench = census(300);
    fs::create_dir(bench.path("tmp")).unwrap();
    let ran = bench.run_in_shell(
        "TMPDIR=$PWD/tmp \"$SHOAL\" compare policy.toml --vary k=2,5 --json >/dev/null & job=$!; \
        while kill -0 $job 2>/dev/null; do ls -A tmp; done; wait $job",
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "no file had a name\n{ran}");
    assert!(fs::read_dir(bench.path("tmp")).unwrap().next().is_none());
}

#[test]
fn what_is_staged_is_private() {
    let bench = census(3000);
    let mut child = bench.command().args(ALL).stderr(std::process::Stdio::null()).spawn().unwrap();
    let mut seen = 0;
    while child.try_wait().unwrap().is_none() {
        let paths = fs::read_dir(bench.path(".")).unwrap().map(|entry| entry.unwrap().path());
        let is_staged = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with(".shoal-");
        for path in paths.filter(|path| is_staged(path)) {
            // Once it is named, it is as readable as what it replaces. A file that tells how readable others are here stays empty.
            if let Ok(metadata) = fs::metadata(&path)
                && metadata.len() > 0
                && !bench.path(".shoal-release.csv.journal").exists()
                && path.exists()
                && !bench.path("release.csv").exists()
            {
                seen += 1;
                assert_eq!(metadata.permissions().mode() & 0o177, 0, "{}", path.display());
            }
        }
    }
    assert!(seen > 0 && child.wait().unwrap().success());
}
