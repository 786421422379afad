//! How is the program run in a folder of its own, and what did it leave there?

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder that vanishes, in which the program runs.
pub struct Workbench {
    folder: TempDir,
}

/// What a run of the program said.
pub struct Ran {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The program, or another build of it on request.
fn program() -> String {
    std::env::var("SHOAL_TEST_PROGRAM").unwrap_or_else(|_| env!("CARGO_BIN_EXE_shoal").to_owned())
}

impl Workbench {
    pub fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    /// One with these files in it.
    pub fn with(files: &[(&str, &str)]) -> Self {
        let bench = Self::new();
        files.iter().for_each(|(name, contents)| bench.write(name, contents));
        bench
    }

    /// One with a copy of a folder of `examples/`.
    pub fn with_example(name: &str) -> Self {
        let bench = Self::new();
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
        for file in std::fs::read_dir(example).unwrap().map(|entry| entry.unwrap().path()) {
            let file_name = file.file_name().unwrap().to_str().unwrap();
            // Releases and generated tables of somebody who tried the example are no part of it.
            if !file_name.starts_with("release") && file_name != "census.csv" {
                bench.write(file_name, std::fs::read(&file).unwrap());
            }
        }
        bench
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.path(name).parent().unwrap()).unwrap();
        std::fs::write(self.path(name), contents).unwrap();
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// Every file in the folder and what is in it.
    pub fn everything(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        let mut folders = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.insert(path.clone(), std::fs::read(&path).unwrap());
                }
            }
        }
        files
    }

    /// Runs the program in this folder.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        let output = self.command().args(arguments).output().unwrap();
        Ran::new(&output)
    }

    /// Runs the program from a shell, where `$SHOAL` is its path.
    pub fn run_in_shell(&self, script: &str) -> Ran {
        let mut command = Command::new("bash");
        let output =
            command.args(["-c", script]).current_dir(self.folder.path()).env("SHOAL", program()).output().unwrap();
        Ran::new(&output)
    }

    /// Runs the program, which has to succeed.
    pub fn must(&self, arguments: &[&str]) -> Ran {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "shoal {}\n{ran}", arguments.join(" "));
        ran
    }

    /// The JSON that a successful run prints.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.must(arguments);
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{ran}"))
    }

    pub fn command(&self) -> Command {
        let mut command = Command::new(program());
        // Help is wrapped to the width of the terminal.
        command.current_dir(self.folder.path()).env_remove("COLUMNS").env("NO_COLOR", "1");
        command
    }
}

impl Ran {
    fn new(output: &Output) -> Self {
        Self {
            code: output.status.code().expect("the program is not killed"),
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { code, stdout, stderr } = self;
        write!(f, "exit code {code}\n── stdout\n{stdout}── stderr\n{stderr}")
    }
}

/// The cells of a CSV that quotes nothing but may have commas in quotes.
pub fn rows(text: &str) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    reader.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect()
}
