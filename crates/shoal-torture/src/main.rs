//! Does the program keep every promise it prints, on random tables and policies?
//!
//! Nothing here knows the library: cases are files, the program is a process, and oracles are naive code written from the
//! definitions.

mod calendar;
mod case;
mod check;
mod cover;
mod decimal;
mod dice;
mod draw;
mod finding;
mod hierarchy;
mod keep;
mod lattice;
mod levels;
mod objective;
mod oracle;
mod people;
mod policy;
mod program;
mod quantiles;
mod question;
mod refusal;
mod requirement;
mod shrink;
mod table;
mod tally;
mod toml_text;
mod trial;
mod two_columns;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use rayon::prelude::*;

use case::Case;
use finding::Finding;
use program::Program;
use tally::Tally;
use trial::Trial;

/// Random cases against naive code.
#[derive(Parser)]
struct Options {
    /// How many cases to try
    #[arg(long, default_value_t = 1000)]
    cases: u64,
    /// The number of the first of them
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// What all chance depends on
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The program under test
    #[arg(long)]
    program: PathBuf,
    /// Try this case alone
    #[arg(long)]
    case: Option<u64>,
    /// Try only those of the cases that name this method
    #[arg(long)]
    method: Option<String>,
    /// Try only those of the cases that count these: people or rows
    #[arg(long, value_parser = ["people", "rows"])]
    counting: Option<String>,
    /// Where failing cases are kept
    #[arg(long, default_value = "torture-findings")]
    keep: PathBuf,
    /// How many cases are tried at once; as many as there are cores by default
    #[arg(long)]
    jobs: Option<usize>,
}

/// How many cases of each check are made small and kept.
const KEPT_PER_CHECK: usize = 2;

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Tries all cases; did all pass?
fn run(options: &Options) -> std::io::Result<bool> {
    if let Some(jobs) = options.jobs {
        rayon::ThreadPoolBuilder::new().num_threads(jobs).build_global().map_err(std::io::Error::other)?;
    }
    let program = Arc::new(Program::new(&options.program)?);
    let watched = Arc::clone(&program);
    std::thread::spawn(move || watched.watch());
    let in_memory = Path::new("/dev/shm");
    let folder = if in_memory.is_dir() { tempfile::tempdir_in(in_memory)? } else { tempfile::tempdir()? };
    let begin = Instant::now();
    let numbers = options.case.map_or(options.first..options.first + options.cases, |case| case..case + 1);
    let counts = |case: &Case| if case.policy.people.is_some() { "people" } else { "rows" };
    let is_wanted = |case: &Case| {
        options.method.as_ref().is_none_or(|name| case.policy.method.name == *name)
            && options.counting.as_ref().is_none_or(|what| counts(case) == what)
    };
    let cases = numbers.into_par_iter().map(|number| (number, draw::case(options.seed, number)));
    let tried = cases.filter(|(_, case)| is_wanted(case)).map(|(number, case)| {
        let folder = folder.path().join(number.to_string());
        let result = Trial::run(&program, &folder, &case);
        std::fs::remove_dir_all(&folder).ok();
        result.map(|(findings, tally)| (number, findings, tally))
    });
    // Only what failed is kept in memory, and one tally for each part of the cases.
    let Tried { passed, failed, tally } = tried
        .try_fold(Tried::default, |tried, result| {
            result.map(|(number, findings, own)| tried.with(number, findings, own))
        })
        .try_reduce(Tried::default, |tried, more| Ok(tried.and(more)))?;
    tally.print();
    println!("{:.1} seconds", begin.elapsed().as_secs_f64());
    report(options, &program, folder.path(), &failed)?;
    println!("{passed} passed, {} failed", failed.len());
    Ok(failed.is_empty())
}

/// What came of the cases of a part.
#[derive(Default)]
struct Tried {
    passed: u64,
    failed: Vec<(u64, Vec<Finding>)>,
    tally: Tally,
}

impl Tried {
    fn with(mut self, number: u64, findings: Vec<Finding>, own: Tally) -> Self {
        self.tally.absorb(own);
        if findings.is_empty() {
            self.passed += 1;
        } else {
            // A long run tells at once, so that whoever ends it knows.
            findings.iter().for_each(|finding| eprintln!("case {number}: {}", finding.check));
            self.failed.push((number, findings));
        }
        self
    }

    fn and(mut self, more: Self) -> Self {
        self.passed += more.passed;
        self.failed.extend(more.failed);
        self.tally.absorb(more.tally);
        self
    }
}

/// Prints what was found, check by check, and keeps small cases of each.
fn report(options: &Options, program: &Program, folder: &Path, failed: &[(u64, Vec<Finding>)]) -> std::io::Result<()> {
    let mut by_check: BTreeMap<&str, Vec<(u64, &Finding)>> = BTreeMap::new();
    for (number, findings) in failed {
        for finding in findings {
            let cases = by_check.entry(&finding.check).or_default();
            if cases.last().is_none_or(|(last, _)| last != number) {
                cases.push((*number, finding));
            }
        }
    }
    for (check, cases) in &mut by_check {
        cases.sort_by_key(|(number, _)| *number);
        println!("\n{check}: {} cases, the first {}", cases.len(), cases[0].0);
        let small: Vec<_> = cases.iter().take(KEPT_PER_CHECK).collect();
        let kept: Vec<std::io::Result<(PathBuf, Finding)>> = small
            .into_par_iter()
            .map(|(number, finding)| {
                let at = folder.join(format!("shrink-{number}"));
                let case = draw::case(options.seed, *number);
                let (case, finding) = shrink::shrink(program, &at, case, (*finding).clone());
                Ok((keep::keep(program, &options.keep, *number, &case, &finding)?, finding))
            })
            .collect();
        for kept in kept {
            let (folder, finding) = kept?;
            println!("  {}", folder.display());
            println!("    expected: {}", first_lines(&finding.expected));
            println!("    came:     {}", first_lines(&finding.came));
        }
    }
    Ok(())
}

fn first_lines(text: &str) -> String {
    let short: String = text.chars().take(300).collect();
    short.replace('\n', " | ")
}
