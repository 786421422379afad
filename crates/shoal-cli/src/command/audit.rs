//! `shoal audit`: what does a table promise, and what could an attacker do?

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use shoal::attack::{AuditedQuasi, Beside};
use shoal::audit::{
    AuditTask, AuditedColumn, Beginnings, KnownTable, WatchedTable, audit, count_original, lay_beside, watch,
};
use shoal::key::PublicKey;
use shoal::meaning::repeats::Repeats;
use shoal::outsider::OutsiderTable;
use shoal::policy::{ColumnPolicy, Policy, Role, Suppressed};
use shoal::publish::{self, Intent};
use shoal::risk::ColumnSample;
use shoal_core::frequency::CountedTable;
use shoal_core::hierarchy::{File, HierarchySpec};
use shoal_core::method::Method;
use shoal_core::method::anatomy::Anatomy;
use shoal_core::table::{DateReading, MissingMarkers};
use shoal_core::{Error, Result};
use shoal_format::{self as format, InputFormat, file_of};
use shoal_report::{
    AuditReport, Certificate, Found, Hash, Hashes, HtmlReport, SealedCertificate, SignatureState, check,
};

use crate::Context;
use crate::bars::Bars;
use crate::command::attacker::Attacker;
use crate::command::settings::Settings;
use crate::output::{json_to_stdout, name_of, to_stdout, warn};

#[derive(Args)]
pub struct Audit {
    /// The table: a release of Shoal, or any other
    release: PathBuf,
    /// Judge it by this policy; exit code 1 if a requirement does not hold
    #[arg(long, value_name = "POLICY", conflicts_with_all = ["quasi", "sensitive", "hierarchy"])]
    policy: Option<PathBuf>,
    #[command(flatten)]
    settings: Settings,
    /// The columns that could identify someone, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', required_unless_present_any = ["policy", "certificate"])]
    quasi: Vec<String>,
    /// The sensitive columns, separated by commas
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    sensitive: Vec<String>,
    /// The hierarchy of a column, sensitive or quasi-identifier
    #[arg(long, value_name = "COLUMN=FILE")]
    hierarchy: Vec<String>,
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
    #[command(flatten)]
    attacker: Attacker,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What to audit, from a policy or from the command line.
struct Subject {
    policy: Option<Policy>,
    quasi: Vec<AuditedQuasi>,
    sensitive: Vec<AuditedColumn>,
    folder: PathBuf,
    missing: Vec<String>,
}

impl Audit {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        if self.policy.is_none() {
            self.settings.refuse_without_policy("name it with --policy")?;
        }
        let mut outputs = self.intent()?.claim()?;
        let opened = self.open_certificate()?;
        let certificate = opened.as_ref().map(|(certificate, _)| certificate);
        let hashes = match certificate.is_some() || self.report.is_some() {
            true => self.hashes()?,
            false => Hashes::default(),
        };
        let result = self.audit(context, certificate).map_err(|error| {
            match certificate.and_then(|certificate| self.what_changed(certificate, &hashes)) {
                None => error,
                // A file that was changed may no longer be a table at all, or not one with the columns that are asked for.
                Some(what) => Error::not_met(what).detail(error.message()),
            }
        });
        let (policy, mut result) = result?;
        result.warnings.extend(certificate.into_iter().flat_map(Certificate::warnings));
        let of_values = self.sensitive_table.as_ref().filter(|_| opened.is_some());
        let sensitive_columns = of_values
            .map(|path| Ok::<_, Error>(format::open(&InputFormat::new(path))?.columns().to_vec()))
            .transpose()?;
        let checked = opened.as_ref().map(|(certificate, signature)| {
            let policy = policy.as_ref().filter(|_| self.policy.is_some());
            let found = Found {
                hashes: &hashes,
                audit: &result,
                policy,
                sensitive_columns: sensitive_columns.as_deref(),
                signature: *signature,
            };
            check(certificate, &found)
        });
        if let Some(path) = &self.report {
            let name = name_of(&self.release);
            let report = HtmlReport { name, audit: &result, policy: policy.as_ref(), run: None, hashes: &hashes };
            outputs.write(path, &report.to_html())?;
        }
        outputs.publish()?;
        let report = AuditReport::new(&result).with_certificate(checked.as_ref());
        if self.json {
            json_to_stdout(&report.to_json())?;
        } else {
            to_stdout(&report.to_text())?;
        }
        warn(&result.warnings);
        let holds = result.holds() && result.broken.is_empty() && checked.is_none_or(|checked| checked.holds());
        Ok(if holds { ExitCode::SUCCESS } else { ExitCode::from(1) })
    }

    /// How the files differ from those that were certified, as far as that can be seen without counting rows.
    fn what_changed(&self, certificate: &Certificate, hashes: &Hashes) -> Option<String> {
        let columns =
            || format::open(&InputFormat::new(&self.release).of_release()).ok().map(|reader| reader.columns().to_vec());
        let of_columns = || certificate.different_columns(&columns()?).into_iter().next();
        certificate.different_files(hashes).into_iter().next().or_else(of_columns)
    }

    /// The certificate, and who vouches for it.
    fn open_certificate(&self) -> Result<Option<(Certificate, SignatureState)>> {
        let Some(path) = &self.certificate else { return Ok(None) };
        let signer = self.signer.as_deref().map(PublicKey::read).transpose()?;
        let bytes = std::fs::read(path).map_err(|error| Error::io("read", path, &error))?;
        let sealed = SealedCertificate::parse(bytes, &path.display().to_string())?;
        sealed.open(signer.as_ref()).map(Some)
    }

    fn audit(
        &self,
        context: &Context,
        certificate: Option<&Certificate>,
    ) -> Result<(Option<Policy>, shoal::audit::Audit)> {
        let (options, limits) = (self.attacker.options()?, self.attacker.limits()?);
        let risk_options = self.attacker.risk_options()?;
        let mut subject = self.subject(certificate)?;
        let bars = Bars::new(context.quiet);
        let WatchedTable { table, mut repeats } = self.read_release(&mut subject, &bars)?;
        refuse_identifiers(&subject, &table)?;
        let mut known = |path: &Option<PathBuf>, kind: Kind| -> Result<Option<KnownTable>> {
            let Some(path) = path else { return Ok(None) };
            let (known, of_known) = subject.read_known(path, kind, &bars)?;
            if kind == Kind::Original {
                repeats.extend(of_known);
            }
            Ok(Some(known))
        };
        let (counted, of_original) = self.count_original(&subject, &bars)?.unzip();
        let original = match (&counted, &subject.policy) {
            (Some(counted), Some(policy)) => Some(known_as_counted(counted, policy)?),
            _ => known(&self.attacker.original, Kind::Original)?,
        };
        let outsider = known(&self.attacker.outsider, Kind::Outsider)?;
        let population = known(&self.attacker.population, Kind::Population)?;
        let other = known(&self.attacker.with, Kind::Release)?;
        let beside = match &other {
            Some(other) if self.sensitive_table.is_none() => self.lay_beside(&subject, other)?,
            _ => None,
        };
        let beginnings = match (&original, &self.attacker.original) {
            (Some(known), Some(path)) if self.sensitive_table.is_none() => {
                Some(self.beginnings(&subject, known, path, &table)?)
            }
            _ => None,
        };
        repeats.extend(of_original.into_iter().flatten());
        let quasi: Vec<&str> = subject.quasi.iter().map(|column| column.name.as_str()).collect();
        let samples = ColumnSample::read(format::open(&subject.format(&self.release).of_release())?.as_mut(), &quasi)
            .map_err(|error| error.at(self.release.display()))?;
        let result = audit(&AuditTask {
            original: original.as_ref(),
            counted: counted.as_ref(),
            outsider: outsider.as_ref(),
            population: population.as_ref(),
            other: other.as_ref(),
            beside: beside.as_ref(),
            beginnings: beginnings.as_ref(),
            knowledge: self.attacker.knowledge.as_deref(),
            options,
            risk_options,
            samples: &samples,
            target: self.target.as_deref(),
            limits: &limits,
            policy: subject.policy.as_ref(),
            is_separated: self.sensitive_table.is_some(),
            folder: &subject.folder,
            decimal_comma: subject.policy.as_ref().is_some_and(|policy| policy.input.decimal_comma),
            watch: &bars,
            ..AuditTask::new(&table, &subject.quasi, &subject.sensitive)
        })?;
        Ok((subject.policy, result.with_repeats(repeats)))
    }

    /// The other release beside this one, row by row.
    fn lay_beside(&self, subject: &Subject, other: &KnownTable) -> Result<Option<Beside>> {
        let Some(path) = &self.attacker.with else { return Ok(None) };
        let mut release = format::open(&subject.format(&self.release).of_release())?;
        let mut beside = format::open(&subject.format(path).of_release())?;
        let quasi: Vec<String> = subject.quasi.iter().map(|column| column.name.clone()).collect();
        let sensitive: Vec<String> =
            other.sensitive.iter().map(|&column| subject.sensitive[column].name.clone()).collect();
        let markers = MissingMarkers::new(subject.missing.clone()).written();
        lay_beside(release.as_mut(), beside.as_mut(), &quasi, &sensitive, &markers)
            .map(Some)
            .map_err(|error| error.at(path.display()))
    }

    /// The first rows of the release and of its original.
    fn beginnings(
        &self,
        subject: &Subject,
        original: &KnownTable,
        path: &Path,
        table: &OutsiderTable,
    ) -> Result<Beginnings> {
        let quasi = original.quasi.iter().map(|&column| &subject.quasi[column].name);
        let sensitive = subject.sensitive.iter().map(|column| &column.name);
        let columns: Vec<String> = quasi.chain(sensitive).cloned().collect();
        let mut release = format::open(&subject.format(&self.release).of_release())?;
        let mut of_original = format::open(&subject.format(path))?;
        let markers = MissingMarkers::new(subject.missing.clone());
        let share = table.rows as f64 / original.table.rows.max(1) as f64;
        Beginnings::read((release.as_mut(), &markers.written()), (of_original.as_mut(), &markers), &columns, share)
            .map_err(|error| error.at(path.display()))
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
        intent.writes("the report", report, publish::Kind::Report);
        Ok(intent)
    }

    /// The original as a run of the policy counts it.
    fn count_original(&self, subject: &Subject, bars: &Bars) -> Result<Option<(CountedTable, Vec<Repeats>)>> {
        match (&subject.policy, &self.attacker.original) {
            (Some(policy), Some(path)) => count_original(policy, path, bars).map_err(|error| error.at(path.display())),
            _ => Ok(None),
        }
    }

    fn hashes(&self) -> Result<Hashes> {
        Ok(Hashes {
            policy: self.policy_hash()?,
            release: Some(Hash::of_file(&self.release)?),
            sensitive: self.sensitive_table.as_deref().map(Hash::of_file).transpose()?,
        })
    }

    /// Of the policy that the table is judged by, which need not be that in the file.
    fn policy_hash(&self) -> Result<Option<Hash>> {
        let Some(path) = &self.policy else { return Ok(None) };
        match self.settings.settings.is_empty() {
            true => Hash::of_file(path).map(Some),
            false => Ok(Some(Hash::of(self.settings.read(path)?.to_toml().as_bytes()))),
        }
    }

    /// The release, and the quasi-identifiers that its classes are told apart by.
    fn read_release(&self, subject: &mut Subject, bars: &Bars) -> Result<WatchedTable> {
        let default = Anatomy::default();
        let link = match &subject.policy {
            Some(policy) => policy.method.method.separates(),
            None => self.sensitive_table.as_ref().and(default.separates()),
        };
        let (path, link) = match (&self.sensitive_table, link) {
            (None, None) => return subject.read_release(&self.release, bars),
            (None, Some(_)) => {
                return Err(Error::policy("the policy's method puts sensitive values into a table of their own")
                    .hint("name it with --sensitive-table FILE"));
            }
            (Some(_), None) => {
                return Err(Error::policy("the policy's method leaves sensitive values in their rows")
                    .hint("leave out --sensitive-table, or give the policy that the release was made with"));
            }
            (Some(path), Some(link)) => (path, (link.class.to_owned(), link.count.to_owned())),
        };
        let (release, values) = (subject.format(&self.release).of_release(), subject.format(path).of_release());
        let (mut rows, mut values) = (format::open(&release)?, format::open(&values)?);
        let quasi: Vec<String> = subject.quasi.iter().map(|column| column.name.clone()).collect();
        refuse_missing_columns(&quasi, rows.columns())?;
        let sensitive: Vec<String> = subject.sensitive.iter().map(|column| column.name.clone()).collect();
        let exempt = subject.policy.as_ref().is_some_and(|policy| policy.output.suppressed == Suppressed::Keep);
        let markers = MissingMarkers::new(subject.missing.clone()).written();
        let names = (link.0.as_str(), link.1.as_str());
        let table =
            OutsiderTable::read_separated(rows.as_mut(), values.as_mut(), names, &sensitive, &markers, exempt, bars);
        // What its rows share is the number of their class.
        let dates = DateReading::default();
        subject.quasi = vec![AuditedQuasi { name: link.0, hierarchy: None, min_level: 0, dates, measure: None }];
        let table = table.map_err(|error| error.at(format!("{} and {}", self.release.display(), path.display())))?;
        let repeats = watch(format::open(&release)?.as_mut(), &markers, subject.policy.as_ref(), bars)?;
        Ok(WatchedTable { table, repeats })
    }

    fn subject(&self, certificate: Option<&Certificate>) -> Result<Subject> {
        let policy = match (&self.policy, certificate) {
            (Some(path), _) => self.settings.read(path)?,
            (None, Some(certificate)) => certificate.to_policy()?,
            (None, None) => return self.subject_of_arguments(),
        };
        let names = |role| policy.with_role(role);
        let quasi = |column: &ColumnPolicy| AuditedQuasi {
            name: column.name.clone(),
            hierarchy: column.hierarchy.clone(),
            min_level: column.min_level.unwrap_or(0),
            dates: column.date_reading(),
            measure: column.measure,
        };
        Ok(Subject {
            quasi: names(Role::QuasiIdentifier).map(quasi).collect(),
            sensitive: names(Role::Sensitive)
                .map(|column| AuditedColumn {
                    name: column.name.clone(),
                    hierarchy: column.hierarchy.clone(),
                    dates: column.date_reading(),
                })
                .collect(),
            folder: policy.folder.clone(),
            missing: policy.input.missing.clone(),
            policy: Some(policy),
        })
    }

    fn subject_of_arguments(&self) -> Result<Subject> {
        if let Some(both) = self.sensitive.iter().find(|name| self.quasi.contains(name)) {
            return Err(Error::policy(format!("column `{both}` is among --quasi and among --sensitive"))
                .hint("what somebody could know of a person is --quasi, what nobody must learn --sensitive"));
        }
        let mut hierarchies: Vec<(&str, HierarchySpec)> = Vec::new();
        for pair in &self.hierarchy {
            let Some((column, file)) = pair.split_once('=') else {
                return Err(Error::policy(format!("`--hierarchy {pair}` is not COLUMN=FILE")));
            };
            if !self.sensitive.iter().chain(&self.quasi).any(|known| known == column) {
                return Err(Error::policy(format!(
                    "`--hierarchy` names `{column}`, which is neither among --quasi nor among --sensitive"
                )));
            }
            hierarchies.push((column, HierarchySpec::File(File::new(file))));
        }
        let hierarchy =
            |name: &String| hierarchies.iter().find(|(column, _)| column == name).map(|(_, spec)| spec.clone());
        let dates = DateReading::default();
        let quasi = |name: &String| AuditedQuasi {
            name: name.clone(),
            hierarchy: hierarchy(name),
            min_level: 0,
            dates,
            measure: None,
        };
        let sensitive = |name: &String| AuditedColumn { name: name.clone(), hierarchy: hierarchy(name), dates };
        Ok(Subject {
            policy: None,
            quasi: self.quasi.iter().map(quasi).collect(),
            sensitive: self.sensitive.iter().map(sensitive).collect(),
            folder: PathBuf::new(),
            missing: vec![String::new()],
        })
    }
}

/// The original as somebody would see it who has it. A release in two tables shows classes instead of quasi-identifiers.
fn known_as_counted(counted: &CountedTable, policy: &Policy) -> Result<KnownTable> {
    let with_quasi = policy.method.method.separates().is_none();
    Ok(KnownTable {
        table: OutsiderTable::of_counted(counted, with_quasi, &policy.input.missing[0])?,
        quasi: if with_quasi { (0..counted.quasi.len()).collect() } else { Vec::new() },
        sensitive: (0..counted.sensitive.len()).collect(),
    })
}

/// What a table beside the audited one is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Original,
    Outsider,
    Population,
    Release,
}

impl Subject {
    /// How the input of the policy would be opened at this place.
    fn format(&self, path: &Path) -> InputFormat {
        match &self.policy {
            Some(policy) => policy.input_format(path),
            None => {
                let quasi = self.quasi.iter().map(|column| column.name.clone());
                let names = quasi.chain(self.sensitive.iter().map(|column| column.name.clone())).collect();
                InputFormat { missing: self.missing.clone(), names, ..InputFormat::new(path) }
            }
        }
    }

    /// How somebody else's table is opened: the policy does not know how it is written.
    fn format_of_others(&self, path: &Path) -> InputFormat {
        let InputFormat { missing, decimal_comma, names, .. } = self.format(path);
        InputFormat { missing, decimal_comma, names, ..InputFormat::new(path) }
    }

    fn read_release(&self, path: &Path, bars: &Bars) -> Result<WatchedTable> {
        let exempt = self.policy.as_ref().is_some_and(|policy| policy.output.suppressed == Suppressed::Keep);
        let quasi: Vec<String> = self.quasi.iter().map(|column| column.name.clone()).collect();
        let sensitive: Vec<String> = self.sensitive.iter().map(|column| column.name.clone()).collect();
        let markers = MissingMarkers::new(self.missing.clone()).written();
        let input = self.format(path).of_release();
        let mut reader = format::open(&input)?;
        WatchedTable::read(reader.as_mut(), (&quasi, &sensitive), &markers, exempt, self.policy.as_ref(), bars)
            .map_err(|error| error.at(path.display()))
    }

    /// Reads a table that has some of the audited columns; those that it must have it is asked for by name. Also, what tells that its
    /// rows may not be people.
    fn read_known(&self, path: &Path, kind: Kind, bars: &Bars) -> Result<(KnownTable, Vec<Repeats>)> {
        let (input, markers) = match kind {
            Kind::Original => (self.format(path), MissingMarkers::new(self.missing.clone())),
            Kind::Release => (self.format(path).of_release(), MissingMarkers::new(self.missing.clone()).written()),
            Kind::Outsider | Kind::Population => {
                (self.format_of_others(path), MissingMarkers::new(self.missing.clone()))
            }
        };
        let mut reader = format::open(&input)?;
        let has = |name: &String| reader.columns().contains(name);
        let has_all = self.sensitive.iter().all(|column| has(&column.name));
        let quasi: Vec<usize> = (0..self.quasi.len()).filter(|&at| has(&self.quasi[at].name)).collect();
        let sensitive: Vec<usize> = match kind {
            Kind::Outsider => Vec::new(),
            // Without them it says how many people there are, but not what to believe of them.
            Kind::Population if !has_all => Vec::new(),
            Kind::Population | Kind::Original => (0..self.sensitive.len()).collect(),
            Kind::Release => (0..self.sensitive.len()).filter(|&at| has(&self.sensitive[at].name)).collect(),
        };
        if !matches!(kind, Kind::Original | Kind::Release) && quasi.is_empty() {
            return Err(Error::table(format!("{} has none of the quasi-identifiers", path.display()))
                .hint("columns are matched by their names"));
        }
        if kind == Kind::Release && sensitive.is_empty() {
            return Err(Error::table(format!("{} has none of the sensitive columns", path.display()))
                .hint("what two releases tell together is about a sensitive column that both have"));
        }
        let quasi_names: Vec<String> = quasi.iter().map(|&at| self.quasi[at].name.clone()).collect();
        let sensitive_names: Vec<String> = sensitive.iter().map(|&at| self.sensitive[at].name.clone()).collect();
        let exempt = kind == Kind::Release
            && self.policy.as_ref().is_some_and(|policy| policy.output.suppressed == Suppressed::Keep);
        let columns = (&quasi_names[..], &sensitive_names[..]);
        let WatchedTable { table, repeats } =
            WatchedTable::read(reader.as_mut(), columns, &markers, exempt, self.policy.as_ref(), bars)
                .map_err(|error| error.at(path.display()))?;
        Ok((KnownTable { table, quasi, sensitive }, repeats))
    }
}

/// A release that still shows what the policy drops keeps no promise.
fn refuse_identifiers(subject: &Subject, table: &OutsiderTable) -> Result<()> {
    let Some(policy) = &subject.policy else { return Ok(()) };
    let link = policy.method.method.separates();
    let is_out_of_place = |name: &&String| match policy.role_of(name) {
        None => link.is_none_or(|link| **name != link.class),
        Some(Role::Identifier) => policy.column(name).is_none_or(|column| column.replace.is_none()),
        Some(Role::Sensitive) => link.is_some(),
        Some(Role::QuasiIdentifier | Role::Insensitive) => false,
    };
    match table.columns.iter().find(is_out_of_place) {
        None => Ok(()),
        Some(name) => Err(Error::not_met(format!("the table has column `{name}`, which the policy does not release"))
            .hint("audit the release, not its input; or make a release with `shoal anonymize`")),
    }
}

/// The rows of a release in two tables are counted by class alone; what they should show is looked at here.
fn refuse_missing_columns(expected: &[String], columns: &[String]) -> Result<()> {
    match expected.iter().find(|name| !columns.contains(name)) {
        None => Ok(()),
        Some(name) => {
            Err(Error::table(format!("the table has no column `{name}`"))
                .hint(format!("it has {}", columns.join(", "))))
        }
    }
}
