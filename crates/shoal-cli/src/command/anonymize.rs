//! `shoal anonymize`: the main job.

use std::path::{Path, PathBuf};

use clap::Args;
use shoal::key::Signer;
use shoal::policy::Policy;
use shoal::source::Handover;
use shoal::study::{RecipeFile, Release, Study, Writing};
use shoal_core::{Error, Result};
use shoal_report::{CertificateFile, ReportFile, Summary, refuse_two_columns};

use crate::Context;
use crate::bars::Bars;
use crate::command::chosen::Chosen;
use crate::command::settings::Settings;
use crate::command::written::Written;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, say_text, warn, word};
use crate::pipe::{Format, is_pipe};
use crate::signals::BestSoFar;
use crate::{say, source};

#[derive(Args)]
pub struct Anonymize {
    /// The policy
    policy: PathBuf,
    /// Read this table instead of the policy's; `-` is stdin
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write the release here instead; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    format: Format,
    #[command(flatten)]
    chosen: Chosen,
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
    /// Publish nothing where there is anything to warn of, and exit with 1
    #[arg(long)]
    strict: bool,
    /// Print the summary as JSON, on stdout
    #[arg(long)]
    pub json: bool,
}

impl Anonymize {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let policy = self.settings.read(&self.policy)?;
        if !self.strict {
            warn(&policy.warnings);
        }
        if self.certificate.is_some() {
            // After a long search it would be no news.
            refuse_two_columns(&policy)?;
        }
        let printed = self.printed(&policy)?;
        let (input, output) = (self.input.as_deref(), self.output.as_deref());
        let source = source::open_piped(&policy, input, output, self.overwrite, &self.format, printed.as_ref())?;
        let report = self.report.clone().or(policy.output.report.as_ref().map(|path| policy.folder.join(path)));
        let claimed = self.writing(report.as_deref())?.claim(&policy, source.as_ref())?;
        let bars = Bars::new(context);
        let study = Study::count_and_hold(source, &policy, &bars)?;
        if self.strict {
            study.refuse_warnings()?;
        }
        let offered = policy.method.method.has_budget().then(BestSoFar::offer);
        let candidate = self.chosen.candidate(&study, &bars)?;
        drop(offered);
        if self.recipe.is_some() {
            // A release whose recipe cannot be written is not what was asked for.
            candidate.recipe()?;
        }
        let mut release = study.write_claimed(&candidate, claimed, &bars)?;
        if printed.is_some() {
            release.published.release = "stdout".to_owned();
        }
        warn(&release.warnings_of_table());
        let summary = Summary::new(&release);
        if self.json {
            json_to_stdout(&summary.to_json()).map_err(|error| error.detail("the release itself is published"))?;
        } else if !context.quiet {
            say_text(&summary.to_text());
            self.say_what_is_next(&release, report.as_deref(), printed.is_some());
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Where a release is made that goes to stdout.
    fn printed(&self, policy: &Policy) -> Result<Option<Handover>> {
        if !self.output.as_deref().is_some_and(is_pipe) || policy.input.engine.is_some() {
            return Ok(None);
        }
        if self.json {
            return Err(Error::policy("the release and --json would both go to stdout")
                .hint("write the release to a file, or leave --json out"));
        }
        if policy.method.method.separates().is_some() {
            return Err(Error::policy("a release in two tables cannot go to stdout").hint("name a file with --output"));
        }
        self.format.printed().map(Some)
    }

    /// All that is read and written besides the table and its release.
    fn writing(&self, report: Option<&Path>) -> Result<Writing> {
        let mut writing =
            Writing::new().overwriting(self.overwrite).strict(self.strict).reading("the policy", &self.policy);
        if let Some(key) = &self.sign {
            writing = writing.reading("the signing key", key);
        }
        if let Some(path) = report {
            writing = writing.with(ReportFile { path: path.to_path_buf() });
        }
        if let Some(path) = &self.certificate {
            let signer = self.sign.as_deref().map(Signer::read).transpose()?;
            writing = writing.with(CertificateFile { path: path.clone(), signer });
        }
        Ok(match &self.recipe {
            Some(path) => writing.with(RecipeFile { path: path.clone() }),
            None => writing,
        })
    }

    /// Where the results are, and what to do with them.
    fn say_what_is_next(&self, release: &Release, report: Option<&Path>, is_printed: bool) {
        if let Some(path) = report {
            say!("{}: the report; it may be published beside the release", path.display());
        }
        if let Some(path) = &self.certificate {
            let signed = if self.sign.is_some() { ", signed" } else { "" };
            say!("{}: the certificate{signed}; whoever has both can check them", path.display());
        }
        // Whoever has nothing but the policy and a release that does not tell whose rows are whose cannot judge it.
        let person = release.policy().input.person.as_ref().filter(|_| self.certificate.is_none());
        let hides_people = person.is_some_and(|person| !release.seen.columns.contains(&person.column));
        if is_printed || hides_people {
            return;
        }
        let judge = match &self.certificate {
            Some(path) => {
                // The public key stands beside the private one, where `shoal keys` has made both.
                let public =
                    self.sign.as_ref().map(|private| private.with_extension("pub.pem")).filter(|path| path.exists());
                let signer = public.map(|path| format!(" --signer {}", word(path))).unwrap_or_default();
                format!("--certificate {}{signer}{}", word(path), Written::untold(release.policy()))
            }
            None => format!("--policy {}{}", word(&self.policy), self.settings.words()),
        };
        say_text(&format!("next: {}", source::next_step(release.policy(), &judge, &release.published)));
        if self.settings.hides() && self.certificate.is_none() {
            say!("      (`..` stands for what was set, which may be a secret)");
        }
    }
}
