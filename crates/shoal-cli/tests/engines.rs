//! Does the program do with a table in PostgreSQL what its users were told?
#![allow(clippy::unwrap_used, missing_docs, reason = "a test that cannot go on should stop, and nobody calls it")]

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A folder with a policy, and a schema with a table.
struct Bench {
    folder: TempDir,
    url: String,
    schema: String,
    /// The address without its password, and the password.
    address: String,
    password: String,
}

const POLICY: &str = "[input]\npostgres = \"ADDRESS\"\nFROM\n[output]\ntable = \"SCHEMA.release\"\n\
    [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 100] }\n\
    [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";

impl Bench {
    fn new(schema: &str) -> Self {
        let url = std::env::var("SHOAL_TEST_POSTGRES").unwrap_or_else(|_| {
            panic!(
                "SHOAL_TEST_POSTGRES is not set: these tests need a PostgreSQL server. Start one for them with\n  \
                 services/run postgres -- cargo test -p shoal-cli --features engines --test engines"
            )
        });
        let schema = format!("test_cli_{schema}");
        let make = format!(
            "DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema};
             CREATE TABLE {schema}.people AS SELECT 30 + n / 2 AS age, 'flu' AS ill FROM generate_series(0, 9) n"
        );
        sql(&url, &make);
        let (login, place) = url.strip_prefix("postgres://").unwrap().split_once('@').unwrap();
        let (user, password) = login.split_once(':').unwrap();
        let (address, password) = (format!("postgres://{user}@{place}"), password.to_owned());
        Self { folder: TempDir::new().unwrap(), url, schema, address, password }
    }

    fn policy(&self, address: &str, from: &str) -> PathBuf {
        let from = from.replace("SCHEMA", &self.schema);
        let text = POLICY.replace("ADDRESS", address).replace("FROM", &from).replace("SCHEMA", &self.schema);
        let path = self.folder.path().join("policy.toml");
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The program without a password in its environment.
    fn program(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_shoal"));
        command
            .current_dir(self.folder.path())
            .env_remove("PGPASSWORD")
            .env("PGPASSFILE", self.folder.path().join("none"));
        command
    }

    fn said(&self, output: &Output) -> String {
        let said = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned()).concat();
        assert!(!said.contains(&self.password), "the password was printed:\n{said}");
        said
    }
}

/// What PostgreSQL's own program says to some statements.
fn sql(url: &str, statements: &str) -> String {
    let output = Command::new("psql").args([url, "-qAtc", statements]).output().expect("psql comes with PostgreSQL");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

const TABLE: &str = "table = \"SCHEMA.people\"";

#[test]
fn the_password_comes_from_where_it_should_and_is_printed_nowhere() {
    let bench = Bench::new("passwords");
    let policy = bench.policy(&bench.address, TABLE);
    let run = |command: &mut Command| command.args(["anonymize", "--overwrite"]).arg(&policy).output().unwrap();

    let without = run(&mut bench.program());
    assert_eq!(without.status.code(), Some(2));
    assert!(bench.said(&without).contains("PGPASSWORD"), "{}", bench.said(&without));

    let from_environment = run(bench.program().env("PGPASSWORD", &bench.password));
    assert_eq!(from_environment.status.code(), Some(0), "{}", bench.said(&from_environment));

    let pass_file = bench.folder.path().join("pass");
    std::fs::write(&pass_file, format!("*:*:*:*:{}\n", bench.password)).unwrap();
    let from_file = run(bench.program().env("PGPASSFILE", &pass_file));
    assert_eq!(from_file.status.code(), Some(0), "{}", bench.said(&from_file));

    let url = bench.address.replacen('@', &format!(":{}@", bench.password), 1);
    bench.policy(&url, TABLE);
    for flag in ["--json", "--overwrite"] {
        let output = bench.program().args(["anonymize", "--overwrite", flag]).arg(&policy).output().unwrap();
        bench.said(&output);
    }
    // Where it fails, too.
    bench.policy(&url, "table = \"SCHEMA.nobody\"");
    let output = run(&mut bench.program());
    assert_eq!(output.status.code(), Some(2));
    bench.said(&output);
    bench.policy(&(url.clone() + "?sslmode=nonsense"), TABLE);
    bench.said(&run(&mut bench.program()));
    bench.policy(&url.replacen("postgres://", "pg://", 1), TABLE);
    bench.said(&run(&mut bench.program()));
}

#[test]
fn the_summary_names_the_table_and_what_to_do_next() {
    let bench = Bench::new("summary");
    let policy = bench.policy(&bench.address, TABLE);
    let run = |arguments: &[&str]| {
        let mut command = bench.program();
        command.env("PGPASSWORD", &bench.password).arg("anonymize").args(arguments).arg(&policy).output().unwrap()
    };
    let said = bench.said(&run(&[]));
    let schema = &bench.schema;
    assert!(said.starts_with(&format!("{schema}.release: 10 of 10 rows (none suppressed)")), "{said}");
    assert!(said.contains("verified on the written table"), "{said}");
    assert!(said.contains(&format!("\\copy {schema}.release to release.csv csv header")), "{said}");
    assert!(said.contains("shoal audit release.csv --policy"), "{said}");
    let said = bench.said(&run(&[]));
    assert!(said.contains("exists already") && said.contains("--overwrite"), "{said}");
    let json = run(&["--overwrite", "--json"]);
    let summary: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(summary["release"], format!("{schema}.release"));
    assert_eq!((summary["rows"].as_u64(), summary["released_rows"].as_u64()), (Some(10), Some(10)));
    let said = bench.said(&run(&["--input", "a.csv"]));
    assert!(said.contains("--input is for files, and the table of this policy is in PostgreSQL"), "{said}");
}

#[test]
fn an_interruption_stops_the_server_and_leaves_nothing() {
    let bench = Bench::new("interrupted");
    // Each row takes a while: it would run for minutes.
    let slow =
        "query = \"select age, ill from SCHEMA.people, generate_series(1, 1000) where pg_sleep(0.1) is not null\"";
    let policy = bench.policy(&bench.address, slow);
    let mut command = bench.program();
    command.env("PGPASSWORD", &bench.password).arg("anonymize").arg(&policy).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    let running = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%{}%pg_sleep%' \
         AND pid <> pg_backend_pid()",
        bench.schema
    );
    let count = || sql(&bench.url, &running).parse::<u64>().unwrap();
    let begin = Instant::now();
    while count() == 0 {
        assert!(begin.elapsed() < Duration::from_secs(30), "it never began");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let begin = Instant::now();
    while count() > 0 {
        assert!(begin.elapsed() < Duration::from_secs(10), "the server still works for nobody");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted: nothing was published"));
    let tables = format!("SELECT count(*) FROM pg_tables WHERE schemaname = '{}'", bench.schema);
    assert_eq!(sql(&bench.url, &tables), "1");
}

#[test]
fn solutions_can_be_listed_too() {
    let bench = Bench::new("solutions");
    let policy = bench.policy(&bench.address, TABLE);
    let mut command = bench.program();
    let output =
        command.env("PGPASSWORD", &bench.password).args(["solutions", "--json"]).arg(&policy).output().unwrap();
    let found: serde_json::Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", bench.said(&output)));
    assert_eq!((found["rows"].as_u64(), found["satisfying"].as_u64()), (Some(10), Some(4)));
}
