//! `shoal audit`: what does a table promise?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use shoal::audit::{AuditTask, AuditedColumn, audit};
use shoal::format::{self, InputFormat};
use shoal::hierarchy::{File, HierarchySpec};
use shoal::method::Method;
use shoal::method::anatomy::Anatomy;
use shoal::outsider::OutsiderTable;
use shoal::policy::{Policy, Role, Suppressed};
use shoal::report::AuditReport;
use shoal::table::MissingMarkers;
use shoal::{Error, Result};

use crate::Context;
use crate::bars::Bars;
use crate::output::{json_to_stdout, to_stdout};

#[derive(Args)]
pub struct Audit {
    /// The table: a release of Shoal, or any other
    release: PathBuf,
    /// Judge it by this policy; exit code 1 if a requirement does not hold
    #[arg(long, value_name = "POLICY", conflicts_with_all = ["quasi", "sensitive", "hierarchy"])]
    policy: Option<PathBuf>,
    /// The columns that could identify someone, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', required_unless_present = "policy")]
    quasi: Vec<String>,
    /// The sensitive columns, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    sensitive: Vec<String>,
    /// The hierarchy of a sensitive column
    #[arg(long, value_name = "COLUMN=FILE")]
    hierarchy: Vec<String>,
    /// The table of its sensitive values, for a release in two tables such as `anatomy` makes
    #[arg(long, value_name = "FILE")]
    sensitive_table: Option<PathBuf>,
    /// The table that it was made from
    #[arg(long, value_name = "FILE")]
    original: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What to audit, from a policy or from the command line.
struct Subject {
    policy: Option<Policy>,
    quasi: Vec<String>,
    sensitive: Vec<AuditedColumn>,
    folder: PathBuf,
    missing: Vec<String>,
}

impl Audit {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let subject = self.subject()?;
        let bars = Bars::new(context.quiet);
        let names: Vec<String> = subject.sensitive.iter().map(|column| column.name.clone()).collect();
        let exempt = subject.policy.as_ref().is_some_and(|policy| policy.output.suppressed == Suppressed::Keep);
        let markers = MissingMarkers::new(subject.missing.clone());
        let table = self.read_release(&subject, &names, &markers.written(), exempt, &bars)?;
        let original = match &self.original {
            Some(path) => Some(subject.read(&subject.format(path), &[], &names, &markers, false, &bars)?),
            None => None,
        };
        refuse_identifiers(&subject, &table)?;
        let result = audit(&AuditTask {
            table: &table,
            sensitive: &subject.sensitive,
            original: original.as_ref(),
            policy: subject.policy.as_ref(),
            is_separated: self.sensitive_table.is_some(),
            folder: &subject.folder,
            decimal_comma: subject.policy.as_ref().is_some_and(|policy| policy.input.decimal_comma),
        })?;
        let report = AuditReport::new(&result);
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text())?;
        }
        Ok(if result.holds() { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    fn read_release(
        &self,
        subject: &Subject,
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt: bool,
        bars: &Bars,
    ) -> Result<OutsiderTable> {
        let release = subject.format(&self.release).of_release();
        let method = subject.policy.as_ref().map(|policy| policy.method.method.clone());
        let default = Anatomy::default();
        let link = match method.as_ref() {
            Some(method) => method.separates(),
            None => self.sensitive_table.as_ref().and(default.separates()),
        };
        match (&self.sensitive_table, link) {
            (None, None) => subject.read(&release, &subject.quasi, sensitive, markers, exempt, bars),
            (None, Some(_)) => Err(Error::new("the policy's method puts sensitive values into a table of their own")
                .hint("name it with --sensitive-table FILE")),
            (Some(_), None) => Err(Error::new("the policy's method leaves sensitive values in their rows")
                .hint("leave out --sensitive-table, or give the policy that the release was made with")),
            (Some(path), Some(link)) => {
                let values = subject.format(path).of_release();
                let (mut rows, mut values) = (format::open(&release)?, format::open(&values)?);
                refuse_missing_columns(&subject.quasi, rows.columns())?;
                let link = (link.class, link.count);
                OutsiderTable::read_separated(rows.as_mut(), values.as_mut(), link, sensitive, markers, exempt, bars)
                    .map_err(|error| error.at(format!("{} and {}", self.release.display(), path.display())))
            }
        }
    }

    fn subject(&self) -> Result<Subject> {
        let Some(path) = &self.policy else {
            if let Some(both) = self.sensitive.iter().find(|name| self.quasi.contains(name)) {
                return Err(Error::new(format!("column `{both}` is among --quasi and among --sensitive"))
                    .hint("what somebody could know of a person is --quasi, what nobody must learn --sensitive"));
            }
            let sensitive = self.sensitive.iter().map(|name| self.audited(name)).collect::<Result<_>>()?;
            let missing = vec![String::new()];
            return Ok(Subject { policy: None, quasi: self.quasi.clone(), sensitive, folder: PathBuf::new(), missing });
        };
        let policy = Policy::read(path)?;
        let names = |role| policy.with_role(role);
        Ok(Subject {
            quasi: names(Role::QuasiIdentifier).map(|column| column.name.clone()).collect(),
            sensitive: names(Role::Sensitive)
                .map(|column| AuditedColumn { name: column.name.clone(), hierarchy: column.hierarchy.clone() })
                .collect(),
            folder: policy.folder.clone(),
            missing: policy.input.missing.clone(),
            policy: Some(policy),
        })
    }

    fn audited(&self, name: &str) -> Result<AuditedColumn> {
        for pair in &self.hierarchy {
            let Some((column, file)) = pair.split_once('=') else {
                return Err(Error::new(format!("`--hierarchy {pair}` is not COLUMN=FILE")));
            };
            if !self.sensitive.iter().any(|known| known == column) {
                return Err(Error::new(format!("`--hierarchy` names `{column}`, which is not among --sensitive")));
            }
            if column == name {
                return Ok(AuditedColumn {
                    name: name.to_owned(),
                    hierarchy: Some(HierarchySpec::File(File::new(file))),
                });
            }
        }
        Ok(AuditedColumn { name: name.to_owned(), hierarchy: None })
    }
}

impl Subject {
    /// How the input of the policy would be opened at this place.
    fn format(&self, path: &Path) -> InputFormat {
        match &self.policy {
            Some(policy) => policy.input_format(path),
            None => InputFormat { missing: self.missing.clone(), ..InputFormat::new(path) },
        }
    }

    fn read(
        &self,
        input: &InputFormat,
        quasi: &[String],
        sensitive: &[String],
        markers: &MissingMarkers,
        exempt: bool,
        bars: &Bars,
    ) -> Result<OutsiderTable> {
        let mut reader = format::open(input)?;
        OutsiderTable::read(reader.as_mut(), quasi, sensitive, markers, exempt, bars)
            .map_err(|error| error.at(input.path.display()))
    }
}

/// A release that still shows what the policy drops keeps no promise.
fn refuse_identifiers(subject: &Subject, table: &OutsiderTable) -> Result<()> {
    let Some(policy) = &subject.policy else { return Ok(()) };
    let link = policy.method.method.separates();
    let is_out_of_place = |name: &&String| match policy.role_of(name) {
        None => link.is_none_or(|link| **name != link.class),
        Some(Role::Identifier) => true,
        Some(Role::Sensitive) => link.is_some(),
        Some(Role::QuasiIdentifier | Role::Insensitive) => false,
    };
    match table.columns.iter().find(is_out_of_place) {
        None => Ok(()),
        Some(name) => {
            Err(Error::answer_is_no(format!("the table has column `{name}`, which the policy does not release"))
                .hint("audit the release, not its input; or make a release with `shoal anonymize`"))
        }
    }
}

/// The rows of a release in two tables are counted by class alone; what they should show is looked at here.
fn refuse_missing_columns(expected: &[String], columns: &[String]) -> Result<()> {
    match expected.iter().find(|name| !columns.contains(name)) {
        None => Ok(()),
        Some(name) => {
            Err(Error::new(format!("the table has no column `{name}`")).hint(format!("it has {}", columns.join(", "))))
        }
    }
}
