//! `shoal anonymize`: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use shoal::audit::NewRelease;
use shoal::format;
use shoal::method::full_domain::satisfying_nodes;
use shoal::pipeline::{self, Outcome};
use shoal::policy::Policy;
use shoal::progress::Progress;
use shoal::report::{Certificate, Hash, Hashes, HtmlReport, Run, Summary};
use shoal::risk::ColumnSample;
use shoal::source::{FileSource, is_same_file};
use shoal::{Error, Result};

use crate::Context;
use crate::bars::Bars;
use crate::output::{json_to_stdout, name_of, warn, write_file};

#[derive(Args)]
pub struct Anonymize {
    /// The policy
    policy: PathBuf,
    /// Read this table instead of the policy's
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write the release here instead
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Explain the release on a page that can be published beside it
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Certify what the release promises, for `shoal audit --certificate`
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = Policy::read(&self.policy)?;
        warn(&policy.warnings, context.quiet);
        let mut source = FileSource::new(&policy, self.input.as_deref(), self.output.as_deref())?;
        let named = policy.output.report.as_ref().map(|path| policy.folder.join(path));
        let report = self.report.clone().or(named);
        for path in report.iter().chain(&self.certificate) {
            self.refuse_to_replace(path, &source)?;
        }
        let bars = Bars::new(context.quiet);
        let outcome = pipeline::anonymize(&policy, &mut source, &bars)?;
        let summary = Summary::new(&policy, &outcome);
        if self.json {
            json_to_stdout(&summary.to_json())?;
        } else if !context.quiet {
            eprint!("{}", summary.to_text());
        }
        if report.is_some() || self.certificate.is_some() {
            let hashes = self.hashes(&source)?;
            if let Some(path) = &self.certificate {
                write_file(path, &Certificate::new(&policy, &outcome, &hashes).to_text())?;
            }
            if let Some(path) = &report {
                write_file(path, &html(&policy, &outcome, &source, &hashes, &bars)?)
                    .map_err(|error| error.detail("the release itself is published"))?;
            }
        }
        if !self.json && !context.quiet {
            self.say_what_is_next(&source, report.as_deref());
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Where the results are, and what to do with them.
    fn say_what_is_next(&self, source: &FileSource, report: Option<&Path>) {
        if let Some(path) = report {
            eprintln!("{}: the report; it may be published beside the release", path.display());
        }
        let table = source.sensitive_output().map(|path| format!(" --sensitive-table {}", path.display()));
        let table = table.unwrap_or_default();
        let release = source.output().display();
        match &self.certificate {
            Some(path) => {
                eprintln!("{}: the certificate; whoever has both can check them", path.display());
                eprintln!("next: shoal audit {release} --certificate {}{table}", path.display());
            }
            None => eprintln!("next: shoal audit {release} --policy {}{table}", self.policy.display()),
        }
    }

    /// A report must not replace what is read, or the release.
    fn refuse_to_replace(&self, path: &Path, source: &FileSource) -> Result<()> {
        let others = [Some(source.input()), Some(source.output()), source.sensitive_output(), Some(&self.policy)];
        if others.into_iter().flatten().any(|other| is_same_file(path, other)) {
            return Err(Error::new(format!("{} would be replaced by what is said about it", path.display()))
                .hint("give the report or certificate a name of its own"));
        }
        Ok(())
    }

    fn hashes(&self, source: &FileSource) -> Result<Hashes> {
        Ok(Hashes {
            policy: Some(Hash::of_file(&self.policy)?),
            release: Some(Hash::of_file(source.output())?),
            sensitive: source.sensitive_output().map(Hash::of_file).transpose()?,
        })
    }
}

/// Audits the release and explains it.
fn html(policy: &Policy, outcome: &Outcome, source: &FileSource, hashes: &Hashes, bars: &Bars) -> Result<String> {
    let begin = Instant::now();
    bars.begin("auditing", None);
    let samples = ColumnSample::read(format::open(&policy.input_format(source.output()).of_release())?.as_mut())?;
    let release = NewRelease { policy, original: &outcome.table, release: &outcome.release, samples: &samples };
    let audit = release.audit()?;
    bars.end();
    let audit_seconds = begin.elapsed().as_secs_f64();
    let satisfying = outcome
        .partition
        .node
        .as_ref()
        .and_then(|_| satisfying_nodes(&pipeline::task(policy, &outcome.table, &outcome.requirements), bars));
    let run = Run { outcome, satisfying: satisfying.as_deref(), audit_seconds };
    let name = name_of(source.output());
    Ok(HtmlReport { name, audit: &audit, policy: Some(policy), run: Some(run), hashes }.to_html())
}
