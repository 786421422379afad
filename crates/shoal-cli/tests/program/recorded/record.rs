//! What comes of a case: what the program says, and what is in the files that it writes?

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;

use sha2::{Digest, Sha256};

use super::book::Case;
use super::canonical;
use super::kept::Records;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// What was asked and what the program said, in words that are the same in every run.
    pub said: String,
    /// The SHA-256 of what was said, and of what is in each file that was written.
    pub hashes: BTreeMap<String, String>,
}

/// The name of what was said among the hashes.
pub const SAID: &str = "said";

/// Does all cases, as many at a time as there are processors.
pub fn all(cases: &[Case], root: &Path, threads: usize) -> Records {
    let (left, done) = (Mutex::new(cases.iter()), Mutex::new(Records::new()));
    let next = || left.lock().unwrap().next();
    let work = || {
        while let Some(case) = next() {
            let record = of(case, root, threads);
            done.lock().unwrap().insert(case.name.clone(), record);
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    done.into_inner().unwrap()
}

fn of(case: &Case, root: &Path, threads: usize) -> Record {
    let folder = root.join(&case.name);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("policy.toml"), &case.policy).unwrap();
    let mut said = String::new();
    for arguments in &case.commands {
        said.push_str(&canonical::text(&run(arguments, &folder, threads), root));
    }
    let mut hashes = BTreeMap::from([(SAID.to_owned(), hash(said.as_bytes()))]);
    for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap().to_owned();
        if name != "policy.toml" {
            hashes.insert(name, hash(&canonical::contents(&file)));
        }
    }
    Record { said, hashes }
}

/// Runs the program in a folder: the command, how it ended, and what it said.
fn run(arguments: &[String], folder: &Path, threads: usize) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shoal"));
    command.args(["--threads", &threads.to_string()]).args(arguments).current_dir(folder).stdin(Stdio::null());
    command.env_remove("COLUMNS").env_remove("SHOAL_PSEUDONYM_KEY").env("NO_COLOR", "1");
    let output = command.output().unwrap();
    let (stdout, stderr) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let mut said = format!("$ shoal {}\n", arguments.join(" "));
    match output.status.code().expect("the program is not killed") {
        0 => {}
        code => writeln!(said, "exit code {code}").unwrap(),
    }
    said + &stderr + &canonical::json_or_text(&stdout) + "\n"
}

pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
