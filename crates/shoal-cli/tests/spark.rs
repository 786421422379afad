//! Does the program do with a table on a Spark cluster what its users were told?
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should stop, and nobody calls it")]

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

struct Bench {
    folder: TempDir,
    server: String,
}

impl Bench {
    fn new() -> Self {
        let server = std::env::var("SHOAL_TEST_SPARK").unwrap_or_else(|_| {
            panic!(
                "SHOAL_TEST_SPARK is not set: these tests need a Spark cluster. Start one for them with\n  \
                 services/run spark -- cargo test -p shoal-cli --features engines --test spark"
            )
        });
        Self { folder: TempDir::new().unwrap(), server }
    }

    /// A policy for so many people that the cluster makes up.
    fn policy(&self, rows: u64) -> PathBuf {
        let server = &self.server;
        let text = format!(
            "[input]\nspark = \"{server}\"\n\
             query = \"SELECT CAST(20 + id % 60 AS INT) AS age, 'flu' AS ill FROM range(0, {rows}, 1, 64)\"\n\
             [output]\npath = \"release.parquet\"\n\
             [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [10, 100] }}\n\
             [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n"
        );
        let path = self.folder.path().join("policy.toml");
        std::fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, policy: &PathBuf) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shoal"));
        command.current_dir(self.folder.path()).arg("anonymize").arg(policy).stderr(Stdio::piped());
        command
    }
}

#[test]
fn an_interruption_reaches_the_cluster_and_leaves_nothing() {
    let bench = Bench::new();
    // The cluster would count for a quarter of an hour.
    let child = bench.program(&bench.policy(200_000_000_000)).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(10));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted: nothing was published"), "{said}");
    assert!(!said.contains("error"), "{said}");

    // As long as the cluster works for nobody, it has no time for anybody.
    let begin = Instant::now();
    let output = bench.program(&bench.policy(1000)).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(90), "the cluster still works for nobody");
    assert!(said.contains("release.parquet: 1,000 of 1,000 rows"), "{said}");
    assert!(said.contains("verified"), "{said}");
    let names: Vec<_> =
        std::fs::read_dir(bench.folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "{names:?}");
}
