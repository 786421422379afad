//! `shoal anonymize`: the main job.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Args;
use shoal::Result;
use shoal::audit::NewRelease;
use shoal::key::Signer;
use shoal::method::full_domain::satisfying_nodes;
use shoal::pipeline::{self, Made, Outcome, Search};
use shoal::policy::{Policy, Role};
use shoal::progress::Progress;
use shoal::publish::{Intent, Kind, Outputs};
use shoal::recipe::Making;
use shoal::report::{Certificate, Hash, Hashes, HtmlReport, Run, Summary};
use shoal::risk::ColumnSample;
use shoal::source::Source;

use crate::Context;
use crate::bars::Bars;
use crate::command::settings::Settings;
use crate::output::{json_to_stdout, name_of, say_text, warn, word};
use crate::{say, source};

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
    #[command(flatten)]
    settings: Settings,
    /// Let outputs take the places of whatever is there; otherwise files are replaced by their like, and tables of engines never
    #[arg(long)]
    overwrite: bool,
    /// Explain the release on a page that can be published beside it
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Certify what the release promises, for `shoal audit --certificate`
    #[arg(long, value_name = "FILE.json")]
    certificate: Option<PathBuf>,
    /// Sign the certificate with this private key (see `shoal keys`), for `shoal audit --certificate .. --signer`
    #[arg(long, value_name = "KEY.pem", requires = "certificate")]
    sign: Option<PathBuf>,
    /// Write how values were recoded to this file, for `shoal apply`
    #[arg(long, value_name = "FILE.json")]
    recipe: Option<PathBuf>,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = self.settings.read(&self.policy)?;
        let policy_hash = Hash::of(policy.to_toml().as_bytes());
        warn(&policy.warnings);
        let mut source = source::open(&policy, self.input.as_deref(), self.output.as_deref(), self.overwrite)?;
        let report = self.report.clone().or(policy.output.report.as_ref().map(|path| policy.folder.join(path)));
        let mut outputs = self.intent(&policy, source.as_ref(), report.as_deref())?.claim()?;
        let signer = self.sign.as_deref().map(Signer::read).transpose()?;
        let bars = Bars::new(context.quiet);
        let made = self.make(&policy, source.as_mut(), &mut outputs, &bars)?;
        let published = &made.outcome.published;
        let hashes = Hashes {
            policy: Some(policy_hash),
            release: published.release_hash.clone(),
            sensitive: published.sensitive_hash.clone(),
        };
        self.certify(&policy, &made, &hashes, signer.as_ref(), &mut outputs)?;
        if let Some(path) = &report {
            outputs.write(path, &html(&policy, &made, &hashes, &bars)?)?;
        }
        let outcome = made.publish(outputs)?;
        warn(&outcome.warnings_of_table());
        let summary = Summary::new(&policy, &outcome);
        if self.json {
            json_to_stdout(&summary.to_json()).map_err(|error| error.detail("the release itself is published"))?;
        } else if !context.quiet {
            say_text(&summary.to_text());
            self.say_what_is_next(&policy, &outcome, report.as_deref());
        }
        Ok(ExitCode::SUCCESS)
    }

    /// All that is read and written.
    fn intent(&self, policy: &Policy, source: &dyn Source, report: Option<&Path>) -> Result<Intent> {
        let mut intent = pipeline::intent(policy, source, self.overwrite)?;
        intent.reads("the policy", &self.policy);
        if let Some(key) = &self.sign {
            intent.reads("the signing key", key);
        }
        let companions = [
            ("the report", report, Kind::Report),
            ("the certificate", self.certificate.as_deref(), Kind::Certificate),
            ("the recipe", self.recipe.as_deref(), Kind::Recipe),
        ];
        for (what, path, kind) in companions {
            if let Some(path) = path {
                intent.writes(what, path, kind);
            }
        }
        Ok(intent)
    }

    /// Makes a release, and writes what it takes to recode another table in the same way.
    fn make(&self, policy: &Policy, source: &mut dyn Source, outputs: &mut Outputs, bars: &Bars) -> Result<Made> {
        let Some(path) = &self.recipe else {
            return pipeline::make(&Search(policy), policy, source, outputs, bars);
        };
        let plan = Making::new(policy);
        let made = pipeline::make(&plan, policy, source, outputs, bars)?;
        if let Some(recipe) = plan.recipe() {
            outputs.write(path, &recipe.to_text())?;
        }
        Ok(made)
    }

    /// Writes the certificate of a release, to be published with it.
    fn certify(
        &self,
        policy: &Policy,
        made: &Made,
        hashes: &Hashes,
        signer: Option<&Signer>,
        outputs: &mut Outputs,
    ) -> Result<()> {
        let Some(path) = &self.certificate else { return Ok(()) };
        let certificate = Certificate::new(policy, &made.outcome, hashes)?;
        let text = signer.map_or_else(|| certificate.to_text(), |signer| certificate.signed(signer));
        outputs.write(path, &text)
    }

    /// Where the results are, and what to do with them.
    fn say_what_is_next(&self, policy: &Policy, outcome: &Outcome, report: Option<&Path>) {
        if let Some(path) = report {
            say!("{}: the report; it may be published beside the release", path.display());
        }
        if let Some(path) = &self.certificate {
            let signed = if self.sign.is_some() { ", signed" } else { "" };
            say!("{}: the certificate{signed}; whoever has both can check them", path.display());
        }
        let judge = match &self.certificate {
            Some(path) => {
                // The public key stands beside the private one, where `shoal keys` has made both.
                let public =
                    self.sign.as_ref().map(|private| private.with_extension("pub.pem")).filter(|path| path.exists());
                let signer = public.map(|path| format!(" --signer {}", word(path))).unwrap_or_default();
                format!("--certificate {}{signer}", word(path))
            }
            None => format!("--policy {}{}", word(&self.policy), self.settings.words()),
        };
        say_text(&format!("next: {}", source::next_step(policy, &judge, &outcome.published)));
        if self.settings.hides() && self.certificate.is_none() {
            say!("      (`..` stands for what was set, which may be a secret)");
        }
    }
}

/// Audits the release and explains it.
fn html(policy: &Policy, made: &Made, hashes: &Hashes, bars: &Bars) -> Result<String> {
    let (begin, outcome) = (Instant::now(), &made.outcome);
    bars.begin("auditing", None);
    let samples = match made.reader(policy)? {
        Some(mut reader) => {
            let quasi: Vec<&str> = policy.with_role(Role::QuasiIdentifier).map(|column| column.name.as_str()).collect();
            ColumnSample::read(reader.as_mut(), &quasi)?
        }
        None => Vec::new(),
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
    let name = name_of(Path::new(&outcome.published.release));
    Ok(HtmlReport { name, audit: &audit, policy: Some(policy), run: Some(run), hashes }.to_html())
}
