//! `shoal audit`: what does a table promise, and what could an attacker do?

use std::path::PathBuf;

use clap::Args;
use shoal::audit::AuditRequest;
use shoal::policy::Policy;
use shoal::publish::{self, Intent};
use shoal_core::hierarchy::{File, HierarchySpec};
use shoal_core::{Error, Result};
use shoal_format::file_of;
use shoal_report::{AuditReport, Certificate, Hash, Hashes, HtmlReport};

use crate::Context;
use crate::bars::Bars;
use crate::command::attacker::Attacker;
use crate::command::certified::Certified;
use crate::command::held::HeldTables;
use crate::command::settings::Settings;
use crate::command::written::Written;
use crate::exit::ExitCode;
use crate::output::{json_to_stdout, name_of, to_stdout, warn};
use crate::pipe::{Format, is_pipe};

#[derive(Args)]
pub struct Audit {
    /// The table: a release of Shoal, or any other; `-` is stdin
    release: PathBuf,
    #[command(flatten)]
    format: Format,
    /// Judge it by this policy; exit code 1 if a requirement does not hold or cannot be judged
    #[arg(long, value_name = "POLICY", conflicts_with_all = ["quasi", "sensitive", "hierarchy"])]
    policy: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    /// The columns that could identify someone, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    quasi: Vec<String>,
    /// The sensitive columns, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    sensitive: Vec<String>,
    /// The hierarchy of a column, sensitive or quasi-identifier
    #[arg(long, value_name = "COLUMN=FILE")]
    hierarchy: Vec<String>,
    /// The column that says whose row it is: people are then counted beside rows
    #[arg(long, value_name = "COLUMN", conflicts_with = "sensitive_table")]
    person: Option<String>,
    /// The column that says who lives together: the risk that anybody of a household is found
    #[arg(long, value_name = "COLUMN", conflicts_with = "sensitive_table")]
    household: Option<String>,
    /// The table of its sensitive values, for a release in two tables such as `anatomy` makes
    #[arg(long, value_name = "FILE")]
    sensitive_table: Option<PathBuf>,
    /// With --original: the column that learners predict, to see what the release is good for [default: each sensitive one]
    #[arg(long, value_name = "COLUMN", requires = "original")]
    target: Option<String>,
    /// Is it still what this certificate says? Exit code 1 if anything differs
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["quasi", "sensitive", "hierarchy"])]
    certificate: Option<PathBuf>,
    /// The certificate must be signed by whoever has the private key to this public one; exit code 1 if it is not
    #[arg(long, value_name = "KEY.pub.pem", requires = "certificate")]
    signer: Option<PathBuf>,
    /// Explain the table on a page
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Let the report take the place of a file that is none of Shoal's reports
    #[arg(long, requires = "report")]
    overwrite: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// With --json: what every subset of the quasi-identifiers tells, not only the most telling of each size
    #[arg(long, requires = "json")]
    subsets: bool,
    #[command(flatten)]
    attacker: Attacker,
    #[command(flatten)]
    written: Written,
}

impl Audit {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        if self.policy.is_none() {
            self.settings.refuse_without_policy("name it with --policy")?;
        }
        if self.quasi.is_empty() && self.policy.is_none() && self.certificate.is_none() {
            return Err(Error::policy("nothing says which columns could identify someone").hint(
                "`--policy POLICY` judges a release by the policy that it was made by; `--quasi age,zip --sensitive illness` names the columns \
                 of any table; `--certificate FILE.json` has them",
            ));
        }
        if self.policy.is_some() {
            self.written.refuse_with_policy()?;
        } else if self.certificate.is_some() {
            self.written.refuse_with_certificate()?;
        }
        if is_pipe(&self.release) && (self.certificate.is_some() || self.report.is_some()) {
            return Err(Error::policy("a certificate or a report is about a file, and stdin is none")
                .hint("write the table to a file, and name that"));
        }
        let mut outputs = self.intent()?.claim()?;
        let open = |path: &PathBuf| Certified::open(path, self.signer.as_deref());
        let certified = self.certificate.as_ref().map(open).transpose()?;
        let certificate = certified.as_ref().map(Certified::certificate);
        let is_relied_on = certificate.is_some() || self.report.is_some();
        let held =
            is_relied_on.then(|| HeldTables::open(&self.release, self.sensitive_table.as_deref())).transpose()?;
        let hashes = held.as_ref().map(|held| self.hashes(held)).transpose()?.unwrap_or_default();
        let policy = self.policy(certificate)?;
        let request = self.request(policy.clone(), held.as_ref());
        let result = request.and_then(|request| request.run(&Bars::new(context)));
        let mut result = result.map_err(|error| match certified.as_ref().zip(policy.as_ref()) {
            None => error,
            Some((certified, policy)) => certified.reason(error, policy, &self.release, &hashes),
        })?;
        held.as_ref().map_or(Ok(()), |held| held.refuse_changed(&hashes))?;
        result.warnings.extend(certificate.into_iter().flat_map(Certificate::warnings));
        let judged_by = policy.as_ref().filter(|_| self.policy.is_some());
        let check = |(certified, held): (&Certified, &HeldTables)| certified.check(&result, judged_by, held, &hashes);
        let checked = certified.as_ref().zip(held.as_ref()).map(check).transpose()?;
        if let Some(path) = &self.report {
            let name = name_of(&self.release);
            let report = HtmlReport { name, audit: &result, policy: policy.as_ref(), run: None, hashes: &hashes };
            outputs.write(path, &report.to_html())?;
        }
        outputs.publish()?;
        let report = AuditReport::new(&result).with_certificate(checked.as_ref()).with_all_subsets(self.subsets);
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text())?;
        }
        warn(&result.warnings);
        let holds = result.holds() && result.broken.is_empty() && checked.is_none_or(|checked| checked.holds());
        Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// What the table is judged by, if anything.
    fn policy(&self, certificate: Option<&Certificate>) -> Result<Option<Policy>> {
        Ok(match (&self.policy, certificate) {
            (Some(path), _) => Some(self.settings.read(path)?),
            (None, Some(certificate)) => Some(self.written.on_certified(certificate.to_policy()?)?),
            (None, None) => None,
        })
    }

    fn request(&self, policy: Option<Policy>, held: Option<&HeldTables>) -> Result<AuditRequest> {
        let Attacker { original, outsider, population, with, knowledge, .. } = &self.attacker;
        let release = held.map_or_else(|| self.format.table(&self.release), |held| Ok(held.release.clone()))?;
        let mut request = AuditRequest::new(release)
            .options(self.attacker.options()?)
            .risk_options(self.attacker.risk_options()?)
            .limits(self.attacker.limits()?)
            .written(self.written.at(&self.release)?)
            .quasi(&self.quasi)
            .sensitive(&self.sensitive);
        for pair in &self.hierarchy {
            let Some((column, file)) = pair.split_once('=') else {
                return Err(Error::policy(format!("`--hierarchy {pair}` is not COLUMN=FILE")));
            };
            request = request.hierarchy(column, HierarchySpec::File(File::new(file)));
        }
        let given =
            |request: AuditRequest, path: &Option<PathBuf>, give: fn(AuditRequest, PathBuf) -> AuditRequest| match path
            {
                Some(path) => give(request, path.clone()),
                None => request,
            };
        request = match held.and_then(|held| held.sensitive.clone()) {
            Some(table) => request.sensitive_table(table),
            None => given(request, &self.sensitive_table, AuditRequest::sensitive_table),
        };
        request = given(request, original, AuditRequest::original);
        request = given(request, outsider, AuditRequest::outsider);
        request = given(request, population, AuditRequest::population);
        request = given(request, with, AuditRequest::with);
        request = given(request, knowledge, AuditRequest::knowledge);
        if let Some(policy) = policy {
            request = request.policy(policy);
        }
        if let Some(person) = &self.person {
            request = request.person(person);
        }
        if let Some(household) = &self.household {
            request = request.household(household);
        }
        Ok(match &self.target {
            Some(target) => request.target(target),
            None => request,
        })
    }

    /// A report must replace nothing that is read for it.
    fn intent(&self) -> Result<Intent> {
        let mut intent = Intent::new(self.overwrite);
        let Some(report) = &self.report else { return Ok(intent) };
        intent.reads("the release", file_of(&self.release));
        let Attacker { original, outsider, population, with, knowledge, .. } = &self.attacker;
        let others = [
            ("the policy", &self.policy),
            ("the table of sensitive values", &self.sensitive_table),
            ("the certificate", &self.certificate),
            ("the signer's key", &self.signer),
            ("the original", original),
            ("the table of somebody else", outsider),
            ("the population", population),
            ("the other release", with),
            ("what is known", knowledge),
        ];
        for (what, path) in others
            .into_iter()
            .filter_map(|(what, path)| path.as_deref().zip(Some(what)).map(|(path, what)| (what, path)))
        {
            intent.reads(what, file_of(path));
        }
        for (_, file) in self.hierarchy.iter().filter_map(|pair| pair.split_once('=')) {
            intent.reads("the hierarchy", file);
        }
        if let Some(policy) = &self.policy {
            self.settings.read(policy)?.files().into_iter().for_each(|(what, path)| _ = intent.reads(what, path));
        }
        intent.writes("the report", report, publish::OutputKind::Report);
        Ok(intent)
    }

    fn hashes(&self, held: &HeldTables) -> Result<Hashes> {
        Ok(Hashes { policy: self.policy_hash()?, ..held.hashes()? })
    }

    /// Of the policy that the table is judged by, which need not be that in the file.
    fn policy_hash(&self) -> Result<Option<Hash>> {
        let Some(path) = &self.policy else { return Ok(None) };
        match self.settings.settings.is_empty() {
            true => Hash::of_file(path).map(Some),
            false => Ok(Some(Hash::of(self.settings.read(path)?.to_toml().as_bytes()))),
        }
    }
}
