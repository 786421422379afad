//! How is the program run, and what did it answer?

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// The program under test.
pub struct Program {
    path: PathBuf,
    running: Mutex<HashMap<u32, Instant>>,
}

/// What a run answered.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The arguments, for whoever wants to run it again.
    pub command: String,
    /// None if it was ended by a signal.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Program {
    pub fn new(path: &Path) -> std::io::Result<Self> {
        Ok(Self { path: path.canonicalize()?, running: Mutex::default() })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Runs it in a folder.
    pub fn run(&self, folder: &Path, arguments: &[&str]) -> std::io::Result<Answer> {
        let child = Command::new(&self.path)
            .args(arguments)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let id = child.id();
        self.running.lock().expect("no run panics while it holds this").insert(id, Instant::now());
        let output = child.wait_with_output();
        self.running.lock().expect("no run panics while it holds this").remove(&id);
        let output = output?;
        Ok(Answer {
            command: arguments.join(" "),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        })
    }

    /// Ends runs that hang; for a thread of its own.
    pub fn watch(&self) {
        loop {
            std::thread::sleep(Duration::from_secs(1));
            let running = self.running.lock().expect("no run panics while it holds this").clone();
            for (id, _) in running.iter().filter(|(_, since)| since.elapsed() > PATIENCE) {
                let _ = Command::new("kill").args(["-9", &id.to_string()]).status();
            }
        }
    }
}

impl Answer {
    /// What it printed as JSON.
    pub fn json(&self) -> Option<Value> {
        serde_json::from_str(&self.stdout).ok()
    }

    /// The first words of its error, without names and numbers: those of one flaw are the same.
    pub fn kind_of_error(&self) -> String {
        let line = self.stderr.lines().find(|line| line.starts_with("error")).unwrap_or_default();
        let plain: String = line.split('`').step_by(2).collect();
        let words = plain.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
        words.skip(1).take(8).collect::<Vec<_>>().join(" ")
    }
}
