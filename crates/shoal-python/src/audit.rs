//! What does a table promise, and what could an attacker do, as Python asks?

use std::path::PathBuf;

use pyo3::prelude::*;
use shoal::{AuditRequest, Limit, Policy, Table};
use shoal_core::{Error, Result};
use shoal_report::{AuditReport, Hashes, HtmlReport};

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
}

impl Audit {
    pub fn new(audit: shoal::Audit, policy: Option<Policy>, name: String) -> Self {
        Self { audit, policy, name }
    }
}

#[pymethods]
impl Audit {
    /// What the command prints with `--json`.
    fn to_json(&self) -> String {
        AuditReport::new(&self.audit).to_json().to_string()
    }

    /// What it prints without.
    fn to_text(&self) -> String {
        AuditReport::new(&self.audit).to_text()
    }

    /// The page about it.
    fn report(&self) -> String {
        let (policy, hashes) = (self.policy.as_ref(), &Hashes::default());
        HtmlReport { name: self.name.clone(), audit: &self.audit, policy, run: None, hashes }.to_html()
    }

    /// Raises `NotMet` where a requirement of the policy does not hold, or a limit such as `risk>0.09` is broken.
    fn check(&self, py: Python<'_>, limits: Vec<String>) -> PyResult<()> {
        let found = limits.iter().map(|text| {
            let limit = Limit::parse(text)?;
            let is_broken = limit.is_broken(&self.audit.findings, self.audit.risk.as_ref())?;
            Ok((limit.text, is_broken))
        });
        let found = found.collect::<Result<Vec<(String, bool)>>>().map_err(|error| raised(py, &error))?;
        let required = self.audit.measures.iter().zip(&self.audit.measured.achieved).take(self.audit.required);
        let failing = required.filter(|(requirement, achieved)| !requirement.holds(**achieved));
        let failing = failing.map(|(requirement, _)| format!("{} does not hold", requirement.model.name()));
        let broken = found.into_iter().filter(|(_, is_broken)| *is_broken);
        let broken = broken.map(|(text, _)| format!("the limit {text} is broken"));
        let lines: Vec<String> = failing.chain(broken).collect();
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
    /// Thresholds, as words of a command.
    options: Vec<String>,
}

/// Audits a table.
#[pyfunction]
pub fn audit(py: Python<'_>, release: Named<'_>, given: Given<'_>) -> PyResult<Audit> {
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
    let Given { policy, settings: set, quasi, sensitive, hierarchies, knowledge, target, options, .. } = given;
    let (audit, policy) = watched(py, |watch| {
        let policy = policy.map(|document| document.policy(&settings(&set)?)).transpose()?;
        let attacker = shoal_cli::read_attacker(options)?;
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
        request = knowledge.into_iter().fold(request, AuditRequest::knowledge);
        request = target.into_iter().fold(request, AuditRequest::target);
        request = policy.iter().cloned().fold(request, AuditRequest::policy);
        Ok((request.run(watch)?, policy))
    })?;
    Ok(Audit::new(audit, policy, name))
}
