//! What is left when a worker dies with no time to say so?

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use shoal_core::watch::{Unwatched, Watch};

use crate::bench::{Bench, server, spark};
use crate::sql;

/// Enough rows that each stage takes a while, the same whenever they are made up.
const QUERY: &str = "query = \"SELECT cast(20 + id % 61 AS INT) AS age, cast(id % 89 AS STRING) AS zip, \
    cast(id % 7 AS STRING) AS ill, sha2(cast(id AS STRING), 256) AS note FROM range(0, 3000000, 1, 12)\"";

const COLUMNS: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 50] }\n\
    [columns.zip]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
    [columns.note]\nrole = \"insensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 500\n";

/// Kills an executor soon after a stage has begun.
struct Killer {
    stage: &'static str,
    has_killed: AtomicBool,
}

impl Watch for Killer {
    fn begin(&self, stage: &str, _: Option<u64>) {
        if stage == self.stage {
            thread::sleep(Duration::from_millis(50));
            let delayed = Command::new("bash")
                .args(["-c", &format!("sleep 1; kill -9 {}", executor())])
                .spawn()
                .expect("a shell");
            self.has_killed.store(true, Ordering::SeqCst);
            thread::spawn(move || delayed.wait_with_output());
        }
    }
}

/// An executor: a child of a worker. One that was killed before is started again within seconds.
fn executor() -> u32 {
    for _ in 0..100 {
        for worker in server("SHOAL_TEST_SPARK_WORKERS").split_whitespace() {
            let children = Command::new("pgrep").args(["-P", worker]).output().expect("pgrep").stdout;
            if let Some(pid) = String::from_utf8_lossy(&children).lines().next().and_then(|line| line.parse().ok()) {
                return pid;
            }
        }
        thread::sleep(Duration::from_millis(200));
    }
    panic!("no worker has an executor");
}

/// How many rows a release has, and a sum over all of them that does not depend on their order.
fn summed_up(release: &Path) -> Vec<String> {
    let hash = "sum(CAST(xxhash64(age, zip, ill, note) AS DECIMAL(38, 0)))";
    sql::rows(&spark(), &format!("SELECT count(*), {hash} FROM parquet.`{}`", release.display())).swap_remove(0)
}

#[test]
fn an_executor_that_dies_leaves_the_right_release_or_none() {
    let bench = Bench::new();
    bench.run(&spark(), QUERY, "path = \"undisturbed.parquet\"", COLUMNS, false, &Unwatched).unwrap();
    let expected = summed_up(&bench.path("undisturbed.parquet"));
    assert_eq!(expected[0], "3000000");
    for stage in ["counting", "recoding", "verifying"] {
        let killer = Killer { stage, has_killed: AtomicBool::new(false) };
        let name = format!("{stage}.parquet");
        let outcome = bench.run(&spark(), QUERY, &format!("path = \"{name}\""), COLUMNS, false, &killer);
        if let Err(error) = &outcome {
            eprintln!("{stage}: {error}");
        }
        assert!(killer.has_killed.load(Ordering::SeqCst), "there was no stage {stage}");
        match outcome {
            Ok(_) => assert_eq!(summed_up(&bench.path(&name)), expected, "{stage}"),
            Err(_) => {
                assert!(!bench.path(&name).exists(), "{stage}: a release that is none");
            }
        }
        assert!(!bench.names().iter().any(|name| name.contains("staging")), "{stage}: {:?}", bench.names());
    }
}
