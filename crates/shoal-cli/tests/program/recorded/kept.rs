//! Where is it kept what came of every case?

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use super::record::{Record, SAID, hash};

/// What came of each case, by its name.
pub type Records = BTreeMap<String, Record>;

/// A file with a line of hashes for each case, and a folder with a text for each.
pub struct Kept {
    lines: PathBuf,
    texts: PathBuf,
}

const OPENING: &str = "\
# What came of every case: its name, and the SHA-256 of what the program said and of each file that it wrote.
# `SHOAL_RECORD=1 cargo test -p shoal-cli --test program recorded` writes this file and the texts in said/ anew.
";

impl Kept {
    pub fn at(home: PathBuf) -> Self {
        Self { lines: home.join("expected.txt"), texts: home.join("said") }
    }

    pub fn write(&self, records: &Records) {
        if self.texts.exists() {
            std::fs::remove_dir_all(&self.texts).unwrap();
        }
        std::fs::create_dir(&self.texts).unwrap();
        let mut lines = OPENING.to_owned();
        for (name, record) in records {
            let hashes = record.hashes.iter().map(|(file, hash)| format!("{file}={hash}"));
            writeln!(lines, "{name} {}", hashes.collect::<Vec<_>>().join(" ")).unwrap();
            std::fs::write(self.text_of(name), &record.said).unwrap();
        }
        std::fs::write(&self.lines, lines).unwrap();
    }

    pub fn read(&self) -> Records {
        let lines = std::fs::read_to_string(&self.lines).unwrap();
        let lines = lines.lines().filter(|line| !line.starts_with('#'));
        let records: Records = lines.map(|line| self.record(line)).collect();
        let texts = std::fs::read_dir(&self.texts).unwrap().count();
        assert_eq!(
            texts,
            records.len(),
            "{} has other texts than {} has lines",
            self.texts.display(),
            self.lines.display()
        );
        records
    }

    fn record(&self, line: &str) -> (String, Record) {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        let pair = |word: &str| word.split_once('=').map(|(file, hash)| (file.to_owned(), hash.to_owned()));
        let hashes: BTreeMap<String, String> = words.map(|word| pair(word).expect("FILE=HASH")).collect();
        let said = std::fs::read_to_string(self.text_of(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(hashes[SAID], hash(said.as_bytes()), "the text of {name} is not the one that was recorded");
        (name.to_owned(), Record { said, hashes })
    }

    fn text_of(&self, name: &str) -> PathBuf {
        self.texts.join(format!("{name}.txt"))
    }
}
