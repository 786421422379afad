//! Do the attacks find what the papers tell, and nothing where there is nothing?

mod background_knowledge;
mod bayes_optimal;
mod homogeneity;
mod intersection;
mod limits;
mod linkage;
mod minimality;
mod negative_disclosure;
mod several_sensitive;
mod similarity;
mod skewness;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use shoal::attack::{Finding, Near, Options, Severity};
use shoal::audit::{Audit, AuditTask, AuditedColumn, KnownTable, Limit, audit};
use shoal::linking::AuditedQuasi;
use shoal::outsider::OutsiderTable;
use shoal::policy::Policy;
use shoal_core::hierarchy::{File, HierarchySpec};
use shoal_core::table::{DateReading, MissingMarkers};
use shoal_core::watch::Unwatched;
use shoal_format::{self as format, InputFormat};

/// The twelve inpatients of Figure 1 of l-diversity.
const FIGURE_1: &str = "Zip Code,Age,Nationality,Condition
13053,28,Russian,Heart Disease\n13068,29,American,Heart Disease\n13068,21,Japanese,Viral Infection
13053,23,American,Viral Infection\n14853,50,Indian,Cancer\n14853,55,Russian,Heart Disease
14850,47,American,Viral Infection\n14850,49,American,Viral Infection\n13053,31,American,Cancer
13053,37,Indian,Cancer\n13068,36,Japanese,Cancer\n13068,35,American,Cancer\n";

const UMEKO: &str = "[[know]]\nwhere = { Nationality = 'Japanese' }\ntimes = { 'Heart Disease' = 0.01 }\n";

/// An audit that is put together bit by bit.
struct Case {
    folder: tempfile::TempDir,
    release: PathBuf,
    quasi: Vec<AuditedQuasi>,
    sensitive: Vec<AuditedColumn>,
    original: Option<String>,
    outsider: Option<String>,
    population: Option<String>,
    other: Option<String>,
    knowledge: Option<String>,
    policy: Option<String>,
    limits: Vec<&'static str>,
    options: Options,
}

impl Case {
    fn new(release: &str, quasi: &[&str], sensitive: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("release.csv");
        fs::write(&path, release).expect("a file");
        Self::of_file(folder, path, quasi, sensitive)
    }

    /// A table of the papers.
    fn paper(name: &str, quasi: &[&str], sensitive: &[&str]) -> Self {
        let path = data(name);
        Self::of_file(tempfile::tempdir().expect("a folder"), path, quasi, sensitive)
    }

    fn of_file(folder: tempfile::TempDir, release: PathBuf, quasi: &[&str], sensitive: &[&str]) -> Self {
        let known = |name: &&str| AuditedQuasi {
            name: (*name).to_owned(),
            hierarchy: None,
            min_level: 0,
            dates: DateReading::default(),
            measure: None,
        };
        let column =
            |name: &&str| AuditedColumn { name: (*name).to_owned(), hierarchy: None, dates: DateReading::default() };
        Self {
            folder,
            release,
            quasi: quasi.iter().map(known).collect(),
            sensitive: sensitive.iter().map(column).collect(),
            original: None,
            outsider: None,
            population: None,
            other: None,
            knowledge: None,
            policy: None,
            limits: Vec::new(),
            options: Options::default(),
        }
    }

    fn read(&self, path: &Path) -> KnownTable {
        let mut reader = format::open(&InputFormat::new(path)).expect("a table");
        let has = |name: &String| reader.columns().contains(name);
        let quasi: Vec<usize> = (0..self.quasi.len()).filter(|&at| has(&self.quasi[at].name)).collect();
        let sensitive: Vec<usize> = (0..self.sensitive.len()).filter(|&at| has(&self.sensitive[at].name)).collect();
        let quasi_names: Vec<String> = quasi.iter().map(|&at| self.quasi[at].name.clone()).collect();
        let sensitive_names: Vec<String> = sensitive.iter().map(|&at| self.sensitive[at].name.clone()).collect();
        let markers = MissingMarkers::new(vec![String::new()]);
        let table = OutsiderTable::read(reader.as_mut(), &quasi_names, &sensitive_names, &markers, false, &Unwatched);
        KnownTable { table: table.expect("a table"), quasi, sensitive }
    }

    fn try_audit(&self) -> shoal_core::Result<Audit> {
        let file = |name: &str, text: &Option<String>| {
            text.as_ref().map(|text| {
                let path = self.folder.path().join(name);
                fs::write(&path, text).expect("a file");
                path
            })
        };
        let known = |name: &str, text: &Option<String>| file(name, text).map(|path| self.read(&path));
        let release = self.read(&self.release);
        let (original, outsider) = (known("original.csv", &self.original), known("outsider.csv", &self.outsider));
        let (population, other) = (known("population.csv", &self.population), known("other.csv", &self.other));
        let knowledge = file("knowledge.toml", &self.knowledge);
        let policy = self.policy.as_ref().map(|text| Policy::parse(text, "policy.toml", self.folder.path()));
        let policy = policy.transpose()?;
        let limits = self.limits.iter().map(|text| Limit::parse(text)).collect::<shoal_core::Result<Vec<_>>>()?;
        audit(&AuditTask {
            original: original.as_ref(),
            outsider: outsider.as_ref(),
            population: population.as_ref(),
            other: other.as_ref(),
            knowledge: knowledge.as_deref(),
            options: self.options.clone(),
            limits: &limits,
            policy: policy.as_ref(),
            folder: self.folder.path(),
            ..AuditTask::new(&release.table, &self.quasi, &self.sensitive)
        })
    }

    fn audit(&self) -> Audit {
        self.try_audit().unwrap_or_else(|error| panic!("{error}"))
    }

    /// The findings of an attack.
    fn findings(&self, attack: &str) -> Vec<Finding> {
        self.audit().findings.found.into_iter().filter(|finding| finding.attack == attack).collect()
    }

    /// The only finding of an attack.
    fn finding(&self, attack: &str) -> Finding {
        let mut findings = self.findings(attack);
        assert_eq!(findings.len(), 1, "{findings:?}");
        findings.remove(0)
    }

    /// The beliefs for a prior.
    fn beliefs(&self, prior: &str) -> Finding {
        let of_prior = |finding: &Finding| finding.figures["prior"] == prior;
        self.findings("bayes-optimal").into_iter().find(of_prior).expect("the prior was tried")
    }
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shoal-core/tests/data").join(name)
}

fn figure_2() -> Case {
    Case::paper("l_diversity_fig2_4anonymous.csv", &["Zip Code", "Age", "Nationality"], &["Condition"])
}

fn figure_3() -> Case {
    Case::paper("l_diversity_fig3_3diverse.csv", &["Zip Code", "Age", "Nationality"], &["Condition"])
}

fn exposed(finding: &Finding) -> (u64, u64) {
    (finding.exposed_classes, finding.exposed_records)
}

fn figure(finding: &Finding, name: &str) -> f64 {
    finding.figures[name].as_f64().unwrap_or_else(|| panic!("{name} of {finding:?}"))
}

fn assert_near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
}

/// Rows of `class,value`, each so many times.
fn rows(header: &str, counted: &[(&str, usize)]) -> String {
    let lines = counted.iter().flat_map(|&(row, count)| std::iter::repeat_n(row, count));
    std::iter::once(header).chain(lines).collect::<Vec<_>>().join("\n") + "\n"
}

/// 10,000 tests for a virus, one in a hundred positive; two of three classes are skewed.
fn virus() -> Case {
    let counted = [
        ("a,positive", 49),
        ("a,negative", 1),
        ("b,positive", 20),
        ("b,negative", 20),
        ("c,positive", 31),
        ("c,negative", 9879),
    ];
    Case::new(&rows("class,test", &counted), &["class"], &["test"])
}
