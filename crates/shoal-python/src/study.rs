//! What can Python ask about a table that was counted once?

use std::collections::BTreeMap;
use std::time::Duration;

use pyo3::prelude::*;
use serde_json::json;
use shoal::advise::{AdviseOptions, Change};
use shoal::compare::{PrivacyAxis, UtilityAxis, Vary, mark_frontier, variants_of};
use shoal::{Node, Setting, Writing};
use shoal_core::{Error, Result};
use shoal_report::{AdviceReport, ComparisonReport, SolutionsReport};

use crate::error::raised;
use crate::origin::{Named, Target, open};
use crate::policy::Document;
use crate::release::Release;
use crate::settings::{levels, setting, settings};
use crate::watched::watched;

/// A table that was counted once, and a policy to ask about it.
#[pyclass(frozen, module = "shoal._shoal")]
pub struct Study {
    study: shoal::Study,
    /// The policy as it was written, and what was set for this study.
    document: Document,
    given: Vec<(String, String)>,
    target: Option<Target>,
}

impl Study {
    fn node(&self, given: &BTreeMap<String, i64>) -> Result<Node> {
        let columns: Vec<&str> = self.study.table().quasi.iter().map(|column| column.name.as_str()).collect();
        levels(given, &columns).map(Node::new)
    }
}

#[pymethods]
impl Study {
    /// Counts a table, or that of the policy.
    #[new]
    #[pyo3(signature = (table, document, given=Vec::new(), overwrite=false))]
    fn new(
        py: Python<'_>,
        table: Option<Named<'_>>,
        document: Document,
        given: Vec<(String, String)>,
        overwrite: bool,
    ) -> PyResult<Self> {
        let table = table.map(|table| table.table());
        let (study, target) = watched(py, |watch| {
            let policy = document.policy(&settings(&given)?)?;
            let (source, target) = open(table, &policy, overwrite)?;
            Ok((shoal::Study::count(source, &policy, watch)?, target))
        })?;
        Ok(Self { study, document, given, target })
    }

    /// The same table by another policy.
    #[pyo3(signature = (document, given=Vec::new()))]
    fn with_policy(&self, py: Python<'_>, document: Document, given: Vec<(String, String)>) -> PyResult<Self> {
        let study = watched(py, |watch| self.study.with(&document.policy(&settings(&given)?)?, watch))?;
        Ok(Self { study, document, given, target: self.target.clone() })
    }

    #[getter]
    fn rows(&self) -> u64 {
        self.study.table().rows
    }

    /// The policy with all that was set for this study.
    fn policy(&self, py: Python<'_>) -> PyResult<Document> {
        let policy = self.study.policy();
        Document::of(policy.to_toml(), self.document.file().to_str().unwrap_or("the policy"), &policy.folder)
            .map_err(|error| raised(py, &error))
    }

    /// A verified release: that with these levels, or the best that the policy's method finds.
    #[pyo3(signature = (levels=None))]
    fn release(&self, py: Python<'_>, levels: Option<BTreeMap<String, i64>>) -> PyResult<Release> {
        let release = watched(py, |watch| {
            let candidate = match &levels {
                Some(levels) => self.study.at(&self.node(levels)?)?,
                None => self.study.best(watch)?,
            };
            let write = || self.study.write(&candidate, Writing::new(), watch);
            match &self.target {
                Some(target) => target.while_into(None, write),
                None => write(),
            }
        })?;
        Ok(Release::new(release, self.target.clone(), self.document.file()))
    }

    /// Every combination of levels that would do, as JSON and as text.
    #[pyo3(signature = (all=false))]
    fn solutions(&self, py: Python<'_>, all: bool) -> PyResult<(String, String)> {
        let found = watched(py, |watch| self.study.solutions(all, watch))?;
        let warnings = self.study.warnings();
        let report = SolutionsReport::new(self.study.policy(), self.study.table(), &found, &warnings);
        Ok((report.to_json().to_string(), report.to_text()))
    }

    /// Why these levels are not enough, as JSON; none if they are.
    fn why_not(&self, py: Python<'_>, levels: BTreeMap<String, i64>) -> PyResult<Option<String>> {
        let why = watched(py, |_| self.study.why_not(&self.node(&levels)?))?;
        let by = |pairs: &[(String, u64)]| -> serde_json::Map<String, serde_json::Value> {
            pairs.iter().map(|(name, rows)| (name.clone(), json!(rows))).collect()
        };
        Ok(why.map(|why| {
            json!({
                "rows": why.rows,
                "classes": why.classes,
                "allowed": why.allowed,
                "by_requirement": by(&why.by_requirement),
                "rare_by": by(&why.rare_by),
            })
            .to_string()
        }))
    }

    /// What each requirement, column and limit costs, as JSON and as text.
    fn advise(&self, py: Python<'_>, seconds: f64) -> PyResult<(String, String)> {
        let budget = Duration::try_from_secs_f64(seconds)
            .map_err(|_| raised(py, &Error::policy("`budget` is a number of seconds, at least 0")))?;
        let advice = watched(py, |watch| {
            let (document, settings) = (Some(self.document.document().clone()), settings(&self.given)?);
            self.study.advise(&AdviseOptions { budget, document, settings }, watch)
        })?;
        let warnings = self.study.warnings();
        let report = AdviceReport::new(&self.study, &advice, &warnings);
        Ok((report.to_json().to_string(), report.to_text(words)))
    }

    /// Releases by varied policies, side by side: as JSON, as text and as a drawing.
    #[pyo3(signature = (varied, privacy="highest-risk", utility="loss"))]
    fn compare(
        &self,
        py: Python<'_>,
        varied: Vec<(String, Vec<String>)>,
        privacy: &str,
        utility: &str,
    ) -> PyResult<(String, String, String)> {
        let figures = privacy_of(privacy).and_then(|privacy| Ok((privacy, utility_of(utility)?)));
        let (privacy, utility) = figures.map_err(|error| raised(py, &error))?;
        let points = watched(py, |watch| {
            let vary = |(key, values): &(String, Vec<String>)| {
                values.iter().map(|value| setting(key, value)).collect::<Result<Vec<_>>>().map(Vary::new)
            };
            let varied = varied.iter().map(vary).collect::<Result<Vec<_>>>()?;
            let (document, settings) = (self.document.document(), settings(&self.given)?);
            let rivals = variants_of(document, self.document.file(), &settings, &varied)?;
            let mut points = self.study.compare(rivals, watch)?;
            mark_frontier(&mut points, privacy, utility);
            Ok(points)
        })?;
        let report = ComparisonReport::new(&points, privacy, utility);
        Ok((report.to_json().to_string(), report.to_text(), report.to_svg()))
    }
}

/// What makes a change, as Python says it.
fn words(change: &Change) -> String {
    let setting = |setting: &Setting| {
        let value = match setting.value().parse::<toml::Value>() {
            Ok(toml::Value::Boolean(is_so)) => if is_so { "True" } else { "False" }.to_owned(),
            Ok(value @ (toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Array(_))) => value.to_string(),
            _ => format!("{:?}", setting.value()),
        };
        format!("{:?}: {value}", setting.key())
    };
    let settings: Vec<String> = change.settings.iter().map(setting).collect();
    format!("study.with_settings({{{}}}).release()", settings.join(", "))
}

fn privacy_of(id: &str) -> Result<PrivacyAxis> {
    match id {
        "highest-risk" => Ok(PrivacyAxis::HighestRisk),
        "average-risk" => Ok(PrivacyAxis::AverageRisk),
        "exposed" => Ok(PrivacyAxis::Exposed),
        other => Err(Error::policy(format!("`privacy` is not `{other}`"))
            .hint("it is one of highest-risk, average-risk, exposed")),
    }
}

fn utility_of(id: &str) -> Result<UtilityAxis> {
    match id {
        "loss" => Ok(UtilityAxis::Loss),
        "accuracy" => Ok(UtilityAxis::Accuracy),
        other => Err(Error::policy(format!("`utility` is not `{other}`")).hint("it is one of loss, accuracy")),
    }
}
