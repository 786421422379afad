//! `shoal anonymize`: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use shoal::audit::NewRelease;
use shoal::format;
use shoal::method::full_domain::satisfying_nodes;
use shoal::pipeline::{self, Outcome};
use shoal::policy::{Policy, Role};
use shoal::progress::Progress;
use shoal::recipe::Making;
use shoal::report::{Certificate, Hash, Hashes, HtmlReport, Run, Summary};
use shoal::risk::ColumnSample;
use shoal::source::{Source, is_same_file, write_whole};
use shoal::{Error, Result};

use crate::Context;
use crate::bars::Bars;
use crate::output::{json_to_stdout, name_of, say, say_line, warn, word};
use crate::source;

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
    /// Let the release take the place of a table that is there already (a file is always replaced)
    #[arg(long)]
    overwrite: bool,
    /// Explain the release on a page that can be published beside it
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Certify what the release promises, for `shoal audit --certificate`
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
    /// Write how values were recoded to this file, for `shoal apply`
    #[arg(long, value_name = "FILE.json")]
    recipe: Option<PathBuf>,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = Policy::read(&self.policy)?;
        warn(&policy.warnings);
        let mut source = source::open(&policy, self.input.as_deref(), self.output.as_deref(), self.overwrite)?;
        let report = self.report.clone().or(policy.output.report.as_ref().map(|path| policy.folder.join(path)));
        for path in report.iter().chain(&self.certificate).chain(&self.recipe) {
            self.refuse_to_replace(path, source.as_ref())?;
        }
        let bars = Bars::new(context.quiet);
        let outcome = match &self.recipe {
            None => pipeline::anonymize(&policy, source.as_mut(), &bars)?,
            Some(path) => with_recipe(path, &policy, source.as_mut(), &bars)?,
        };
        warn(&outcome.warnings_of_table());
        let summary = Summary::new(&policy, &outcome);
        if self.json {
            json_to_stdout(&summary.to_json())?;
        } else if !context.quiet {
            say(summary.to_text().trim_end());
        }
        self.explain(&policy, &outcome, report.as_deref(), &bars)
            .map_err(|error| error.detail("the release itself is published"))?;
        if !self.json && !context.quiet {
            self.say_what_is_next(&policy, &outcome, report.as_deref());
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Writes what is said about a release that was published.
    fn explain(&self, policy: &Policy, outcome: &Outcome, report: Option<&Path>, bars: &Bars) -> Result<()> {
        if report.is_none() && self.certificate.is_none() {
            return Ok(());
        }
        let hashes = self.hashes(policy, outcome)?;
        if let Some(path) = &self.certificate {
            write_whole(path, &Certificate::new(policy, outcome, &hashes).to_text())?;
        }
        match report {
            Some(path) => write_whole(path, &html(policy, outcome, &hashes, bars)?),
            None => Ok(()),
        }
    }

    /// Where the results are, and what to do with them.
    fn say_what_is_next(&self, policy: &Policy, outcome: &Outcome, report: Option<&Path>) {
        if let Some(path) = report {
            say_line(&format!("{}: the report; it may be published beside the release", path.display()));
        }
        if let Some(path) = &self.certificate {
            say_line(&format!("{}: the certificate; whoever has both can check them", path.display()));
        }
        let judge = match &self.certificate {
            Some(path) => format!("--certificate {}", word(path)),
            None => format!("--policy {}", word(&self.policy)),
        };
        say(&format!("next: {}", source::next_step(policy, &judge, &outcome.published)));
    }

    /// What is said about a release must not replace it, nor what it was made from.
    fn refuse_to_replace(&self, path: &Path, source: &dyn Source) -> Result<()> {
        let used = source.files().into_iter().chain([self.policy.as_path()]);
        if used.into_iter().any(|other| is_same_file(path, other)) {
            return Err(Error::new(format!("{} would be replaced by what is said about it", path.display()))
                .hint("give the report, certificate or recipe a name of its own"));
        }
        Ok(())
    }

    /// A release in an engine is no file, and has no hash.
    fn hashes(&self, policy: &Policy, outcome: &Outcome) -> Result<Hashes> {
        let policy_hash = Some(Hash::of_file(&self.policy)?);
        if policy.input.engine.is_some() {
            return Ok(Hashes { policy: policy_hash, ..Hashes::default() });
        }
        let published = &outcome.published;
        Ok(Hashes {
            policy: policy_hash,
            release: Some(Hash::of_file(Path::new(&published.release))?),
            sensitive: published.sensitive.as_ref().map(|path| Hash::of_file(Path::new(path))).transpose()?,
        })
    }
}

/// Makes a release, and writes what it takes to recode another table in the same way.
fn with_recipe(path: &Path, policy: &Policy, source: &mut dyn Source, bars: &Bars) -> Result<Outcome> {
    let plan = Making::new(policy);
    let outcome = pipeline::follow(&plan, policy, source, bars)?;
    if let Some(recipe) = plan.recipe() {
        write_whole(path, &recipe.to_text())?;
    }
    Ok(outcome)
}

/// Audits the release and explains it.
fn html(policy: &Policy, outcome: &Outcome, hashes: &Hashes, bars: &Bars) -> Result<String> {
    let begin = Instant::now();
    bars.begin("auditing", None);
    let release = Path::new(&outcome.published.release);
    let samples = match &policy.input.engine {
        None => {
            let quasi: Vec<&str> = policy.with_role(Role::QuasiIdentifier).map(|column| column.name.as_str()).collect();
            ColumnSample::read(format::open(&policy.input_format(release).of_release())?.as_mut(), &quasi)?
        }
        Some(_) => Vec::new(),
    };
    let new = NewRelease {
        policy,
        original: &outcome.table,
        partition: &outcome.partition,
        release: &outcome.release,
        samples: &samples,
    };
    let audit = new.audit()?.with_repeats(outcome.repeats.iter().cloned());
    bars.end();
    let audit_seconds = begin.elapsed().as_secs_f64();
    let satisfying = outcome
        .partition
        .node
        .as_ref()
        .and_then(|_| satisfying_nodes(&pipeline::task(policy, &outcome.table, &outcome.requirements), bars));
    let run = Run { outcome, satisfying: satisfying.as_deref(), audit_seconds };
    let name = name_of(release);
    Ok(HtmlReport { name, audit: &audit, policy: Some(policy), run: Some(run), hashes }.to_html())
}
