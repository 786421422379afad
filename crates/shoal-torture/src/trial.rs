//! What happens when a case is tried: the run, and every check that its plan asks for?

use std::path::Path;

use serde_json::Value;

use crate::case::Case;
use crate::check;
use crate::draw::SECRET;
use crate::finding::Finding;
use crate::program::{Answer, Program};
use crate::question::Question;
use crate::refusal;
use crate::table::Table;
use crate::tally::Tally;
use crate::two_columns;

/// A case being tried in a folder.
pub struct Trial<'a> {
    pub program: &'a Program,
    pub folder: &'a Path,
    pub case: &'a Case,
    pub findings: Vec<Finding>,
    pub tally: Tally,
    commands: Vec<String>,
}

/// A release that the program published.
pub struct Published {
    pub summary: Value,
    /// None where this code cannot read the format.
    pub release: Option<Table>,
    pub bytes: Vec<u8>,
}

/// What `anonymize` answered.
pub enum Outcome {
    Released(Box<Published>),
    /// Exit code 1: no release exists.
    Refused,
    /// A refusal that is said to happen, or a finding.
    Failed,
}

impl<'a> Trial<'a> {
    /// Tries a case in a folder that is empty or does not exist.
    pub fn run(program: &'a Program, folder: &'a Path, case: &'a Case) -> std::io::Result<(Vec<Finding>, Tally)> {
        let mut trial =
            Self { program, folder, case, findings: Vec::new(), tally: Tally::default(), commands: Vec::new() };
        trial.count_case();
        case.write(folder)?;
        let question = Question::new(case);
        let outcome = trial.anonymize(case, folder, case.plan.threads, &[])?;
        check::all(&mut trial, &question, &outcome)?;
        Ok((trial.findings, trial.tally))
    }

    /// Runs the program here; whatever it answers must not leak or be a flaw that it admits itself.
    pub fn call(&mut self, folder: &Path, arguments: &[&str]) -> std::io::Result<Answer> {
        let answer = self.program.run(folder, arguments)?;
        self.commands.push(answer.command.clone());
        self.tally.add("runs", arguments[0]);
        if answer.stderr.contains(SECRET) {
            self.find(Finding::new("secret-in-message", "no sensitive value in a message", answer.stderr.trim()));
        }
        let admits = ["panicked", "our bug", "internal error", "this is a bug"];
        if answer.code.is_none_or(|code| !(0..=2).contains(&code))
            || admits.iter().any(|word| answer.stderr.contains(word))
        {
            let came = format!("exit code {:?}\n{}", answer.code, answer.stderr.trim());
            self.find(Finding::new("crash", "exit code 0, 1 or 2, and no flaw of the program", came));
        }
        Ok(answer)
    }

    /// Runs `anonymize` on a case that stands in a folder.
    pub fn anonymize(&mut self, case: &Case, folder: &Path, threads: usize, more: &[&str]) -> std::io::Result<Outcome> {
        let threads = threads.to_string();
        let mut arguments = vec!["anonymize", "policy.toml", "--json", "--threads", &threads];
        arguments.extend(more);
        let answer = self.call(folder, &arguments)?;
        self.outcome(case, folder, &answer)
    }

    /// What an answer of `anonymize` or `apply` means.
    pub fn outcome(&mut self, case: &Case, folder: &Path, answer: &Answer) -> std::io::Result<Outcome> {
        match answer.code {
            Some(0) => {}
            Some(1) => return Ok(Outcome::Refused),
            // A table of which nothing is left has no release.
            _ if answer.stderr.contains("no rows are left") && case.kept().rows.is_empty() => {
                return Ok(Outcome::Failed);
            }
            _ => {
                match refusal::known(&answer.stderr) {
                    Some(refusal) => self.tally.add("known refusals", format!("{}: {}", refusal.words, refusal.reason)),
                    None => {
                        let check = format!("failed/{}", answer.kind_of_error());
                        let expected = "a valid policy is not refused with exit code 2";
                        self.find(Finding::new(check, expected, answer.stderr.trim()));
                    }
                }
                return Ok(Outcome::Failed);
            }
        }
        let Some(summary) = answer.json() else {
            self.find(Finding::new("summary", "one JSON object on stdout", answer.stdout.clone()));
            return Ok(Outcome::Failed);
        };
        let path = folder.join(case.output_name());
        let bytes = std::fs::read(&path)?;
        let release = match case.policy.output {
            "parquet" => None,
            _ => match Table::read(&path, case.policy.release_delimiter(), case.policy.marker()) {
                Ok(table) => Some(two_columns::joined(table, &case.policy)),
                Err(error) => {
                    self.find(Finding::new("unreadable-release", "a table that can be read", error));
                    return Ok(Outcome::Failed);
                }
            },
        };
        Ok(Outcome::Released(Box::new(Published { summary, release, bytes })))
    }

    /// Notes something that does not hold.
    pub fn find(&mut self, mut finding: Finding) {
        finding.commands = self.commands.clone();
        self.findings.push(finding);
    }

    fn count_case(&mut self) {
        let policy = &self.case.policy;
        let local = if policy.method.has("local", "true") { " (local)" } else { "" };
        self.tally.add("methods", format!("{}{local}", policy.method.name));
        self.tally.add("objectives", policy.method.objective);
        for requirement in &policy.requirements {
            let among = if requirement.among { " (among)" } else { "" };
            self.tally.add("models", format!("{}{among}", requirement.model.id()));
        }
        if let Some(people) = &policy.people {
            let (knows, suppress) = (people.knows.unwrap_or("one-row"), people.suppress.unwrap_or("rows"));
            self.tally.add("people", format!("{}{local}: knows {knows}, suppresses {suppress}", policy.method.name));
        }
        for column in &policy.columns {
            if let Some(hierarchy) = &column.hierarchy {
                self.tally.add("hierarchies", hierarchy.kind());
            }
        }
    }
}
