//! What does a table promise, and what could an attacker do, as Python asks?

use std::path::PathBuf;

use pyo3::prelude::*;
use shoal::{AuditRequest, Limit, Policy, Table};
use shoal_core::{Error, Result};
use shoal_report::{AuditReport, Checked, Hash, Hashes, HtmlReport};

use crate::certified::CertifiedFiles;
use crate::error::raised;
use crate::hierarchy::spec;
use crate::origin::Named;
use crate::policy::Document;
use crate::settings::settings;
use crate::watched::watched;

/// What was found out about a table.
#[pyclass(frozen, module = "shoal._shoal")]
pub struct Audit {
    audit: shoal::Audit,
    policy: Option<Policy>,
    name: String,
    /// How it stands to its certificate, if one was given.
    checked: Option<Checked>,
    hashes: Hashes,
}

impl Audit {
    pub fn new(audit: shoal::Audit, policy: Option<Policy>, name: String) -> Self {
        Self { audit, policy, name, checked: None, hashes: Hashes::default() }
    }

    fn report_for_readers(&self) -> AuditReport<'_> {
        AuditReport::new(&self.audit).with_certificate(self.checked.as_ref())
    }

    /// What does not hold, or cannot be judged, of what was required and certified.
    fn failing(&self) -> Vec<String> {
        let required = self.audit.measures.iter().zip(&self.audit.measured.achieved).take(self.audit.required);
        let failing = required.filter(|(requirement, achieved)| !requirement.holds(**achieved));
        let failing = failing.map(|(requirement, _)| format!("{} does not hold", requirement.model.name()));
        let unjudged = self.audit.unjudged.iter();
        let unjudged = unjudged.map(|requirement| format!("{} cannot be judged", requirement.model.name()));
        let differences = self.checked.iter().flat_map(|checked| &checked.differences);
        failing
            .chain(unjudged)
            .chain(differences.map(|what| format!("the certificate does not hold: {what}")))
            .collect()
    }
}

#[pymethods]
impl Audit {
    /// What the command prints with `--json`.
    fn to_json(&self) -> String {
        self.report_for_readers().to_json().to_string()
    }

    /// What it prints without.
    fn to_text(&self) -> String {
        self.report_for_readers().to_text()
    }

    /// The page about it.
    fn report(&self) -> String {
        let (policy, hashes) = (self.policy.as_ref(), &self.hashes);
        HtmlReport { name: self.name.clone(), audit: &self.audit, policy, run: None, hashes }.to_html()
    }

    /// Raises `NotMet` where a requirement of the policy does not hold or cannot be judged, the certificate does not hold, or a limit such as
    /// `risk>0.09` is broken.
    fn check(&self, py: Python<'_>, limits: Vec<String>) -> PyResult<()> {
        let found = limits.iter().map(|text| {
            let limit = Limit::parse(text)?;
            let is_broken = limit.is_broken(&self.audit.findings, self.audit.risk.as_ref())?;
            Ok((limit.text, is_broken))
        });
        let found = found.collect::<Result<Vec<(String, bool)>>>().map_err(|error| raised(py, &error))?;
        let broken = found.into_iter().filter(|(_, is_broken)| *is_broken);
        let broken = broken.map(|(text, _)| format!("the limit {text} is broken"));
        let lines: Vec<String> = self.failing().into_iter().chain(broken).collect();
        let Some((first, others)) = lines.split_first() else { return Ok(()) };
        let error = others.iter().fold(Error::not_met(first), |error, line| error.detail(line));
        Err(raised(py, &error))
    }
}

/// All that an audit is given, by the names of the command's options.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Given<'py> {
    policy: Option<Document>,
    /// The file that the policy is in, if it is in one.
    policy_file: Option<PathBuf>,
    settings: Vec<(String, String)>,
    quasi: Vec<String>,
    sensitive: Vec<String>,
    hierarchies: Vec<(String, String)>,
    sensitive_table: Option<Named<'py>>,
    original: Option<Named<'py>>,
    outsider: Option<Named<'py>>,
    population: Option<Named<'py>>,
    with_release: Option<Named<'py>>,
    knowledge: Option<PathBuf>,
    target: Option<String>,
    person: Option<String>,
    household: Option<String>,
    certificate: Option<PathBuf>,
    signer: Option<PathBuf>,
    /// Thresholds, as words of a command.
    options: Vec<String>,
}

/// Audits a table.
#[pyfunction]
pub fn audit(py: Python<'_>, release: Named<'_>, given: Given<'_>) -> PyResult<Audit> {
    let (file, sensitive_file) = (release.file(), given.sensitive_table.as_ref().map(Named::file));
    let release = release.table();
    let name = release.to_string();
    let table = |named: &Option<Named<'_>>| named.as_ref().map(Named::table);
    let beside = [
        (table(&given.sensitive_table), AuditRequest::sensitive_table as fn(AuditRequest, Table) -> AuditRequest),
        (table(&given.original), AuditRequest::original),
        (table(&given.outsider), AuditRequest::outsider),
        (table(&given.population), AuditRequest::population),
        (table(&given.with_release), AuditRequest::with),
    ];
    let Given { policy, policy_file, settings: set, quasi, sensitive, hierarchies, options, .. } = given;
    let Given { knowledge, target, person, household, certificate, signer, .. } = given;
    watched(py, |watch| {
        let open = |path: PathBuf| CertifiedFiles::open(&path, signer.as_deref(), file, sensitive_file);
        let mut certified = certificate.map(open).transpose()?;
        let judged_by = policy.as_ref().map(|document| document.policy(&settings(&set)?)).transpose()?;
        if let (Some(certified), Some(policy)) = (&mut certified, &judged_by) {
            certified.hashes.policy = Some(hash_of(policy, policy_file.filter(|_| set.is_empty()))?);
        }
        let of_certificate = || certified.as_ref().map(CertifiedFiles::policy).transpose();
        let policy = judged_by.clone().map_or_else(of_certificate, |policy| Ok(Some(policy)))?;
        let attacker = shoal_cli::read_attacker(options)?;
        let release = certified.as_ref().map_or(release, |certified| certified.held.release.clone());
        let mut request = AuditRequest::new(release)
            .options(attacker.options()?)
            .risk_options(attacker.risk_options()?)
            .quasi(quasi)
            .sensitive(sensitive);
        for (column, json) in &hierarchies {
            request = request.hierarchy(column, spec(json)?);
        }
        for (table, give) in beside {
            request = table.into_iter().fold(request, give);
        }
        let held = certified.as_ref().and_then(|certified| certified.held.sensitive.clone());
        request = held.into_iter().fold(request, AuditRequest::sensitive_table);
        request = knowledge.into_iter().fold(request, AuditRequest::knowledge);
        request = target.into_iter().fold(request, AuditRequest::target);
        request = person.into_iter().fold(request, AuditRequest::person);
        request = household.into_iter().fold(request, AuditRequest::household);
        request = policy.iter().cloned().fold(request, AuditRequest::policy);
        let Some(certified) = certified else { return Ok(Audit::new(request.run(watch)?, policy, name)) };
        let mut audit = request.run(watch).map_err(|error| match &policy {
            None => error,
            Some(policy) => certified.reason(error, policy),
        })?;
        let checked = Some(certified.check(&mut audit, judged_by.as_ref())?);
        Ok(Audit { checked, hashes: certified.hashes, ..Audit::new(audit, policy, name) })
    })
}

/// The hash of a policy: of its file, if it is followed as it stands there.
fn hash_of(policy: &Policy, file: Option<PathBuf>) -> Result<Hash> {
    match file {
        Some(file) => Hash::of_file(&file),
        None => Ok(Hash::of(policy.to_toml().as_bytes())),
    }
}
