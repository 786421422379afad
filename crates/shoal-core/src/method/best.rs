//! Which of all methods loses least?

use std::sync::Arc;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::full_domain::FullDomain;
use super::{LabelStyle, METHODS, Method, Partition, Remark, Showing, Task};
use crate::frequency::{CountedTable, QuasiColumn, SensitiveColumn, TableColumns};
use crate::hierarchy::Hierarchy;
use crate::objective::order::Least;
use crate::objective::{Candidate, LabelSums, Shown};
use crate::table::Dictionary;
use crate::watch::{Asked, Watch};
use crate::{Error, Result};

/// # best
///
/// **Definition.** Runs every method that can satisfy the requirements, each with its defaults, and keeps the release with
/// the least `objective`. Of several that lose the same, that of the method that stands first in the list of methods is kept.
/// **Use it** when you do not care how columns look, only how much is lost; it takes as long as all methods together, on all cores.
/// **Weakness.** Methods show columns in different ways (one level for all rows, labels of several levels, ranges, means):
/// the release of another year may look different. Name the method that was chosen to keep to it.
/// **Parameters.** None of its own; `objective`, `max-suppressed`, `numbers`, `ends` and `categories` go to every method.
/// **Models.** All that any method takes. Anatomy is left out: its quasi-identifiers stay as they are, so what it loses
/// cannot be compared. Where a method generalizes sensitive values, that counts as a loss, too, for all of them.
/// **Example.** Adult without suppression: `mondrian` wins at k = 5, local full-domain generalization at k = 5 and t = 0.2.
/// **Reference.** None; it is a convenience.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Best {}

/// What became of a method.
struct Tried {
    name: &'static str,
    result: Result<Partition>,
}

impl Method for Best {
    fn id(&self) -> &'static str {
        "best"
    }

    fn is_comparable(&self) -> bool {
        false
    }

    fn generalizes_dominant(&self) -> bool {
        contenders().iter().any(|way| way.method.generalizes_dominant())
    }

    /// Whatever any of them shows.
    fn showing(&self, style: LabelStyle) -> Showing {
        contenders().into_iter().map(|way| way.method.showing(style)).fold(Showing::nothing(), Showing::or)
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        let contenders = contenders();
        watch.begin("trying methods", Some(contenders.len() as u64));
        let of = |Contender { name, method, .. }: Contender| {
            let result = method.partition(task, &Asked(watch));
            watch.advance(1);
            Tried { name, result }
        };
        let mut tried: Vec<Tried> = contenders.into_par_iter().map(of).collect();
        watch.end();
        watch.proceed()?;
        let counts_sensitive =
            tried.iter().filter_map(|tried| tried.result.as_ref().ok()).any(|release| release.sensitive.is_some());
        let columns = if counts_sensitive { with_sensitive(task.table) } else { Vec::new() };
        let values: Vec<Option<f64>> = tried
            .iter()
            .map(|tried| tried.result.as_ref().ok().map(|release| value(task, &columns, release)))
            .collect();
        let found = values.iter().enumerate().filter_map(|(at, value)| value.map(|value| (value, at)));
        let Some((_, chosen)) = found.collect::<Least<usize>>().into_winner() else {
            return Err(none_of(tried));
        };
        let remark = remark(&tried, &values, chosen, counts_sensitive);
        let partition = tried.swap_remove(chosen).result?;
        Ok(Partition { remark: Some(remark), gap: None, ..partition })
    }
}

/// A way to a release whose loss can be compared with that of the others.
#[derive(Debug, Clone)]
pub struct Contender {
    /// What it is called.
    pub name: &'static str,
    /// The method.
    pub method: Arc<dyn Method>,
    /// What a policy says in `[method]` besides its name.
    pub keys: &'static [(&'static str, &'static str)],
}

/// Every method whose loss can be compared, and local recoding.
pub fn contenders() -> Vec<Contender> {
    let listed = METHODS.iter().map(|entry| (entry.default)()).filter(|method| method.is_comparable());
    let listed = listed.map(|method| Contender { name: method.id(), method, keys: &[] });
    let local: Arc<dyn Method> = Arc::new(FullDomain { local: true, ..FullDomain::default() });
    let local = Contender { name: "full-domain with local = true", method: local, keys: &[("local", "true")] };
    listed.chain([local]).collect()
}

/// What a release has lost; with sensitive columns as further ones, where they count.
fn value(task: &Task<'_>, with_sensitive: &[QuasiColumn], release: &Partition) -> f64 {
    if with_sensitive.is_empty() {
        return release.lost(task.objective);
    }
    let quasi: Vec<LabelSums> = release.sums.quasi.iter().chain(&release.sums.sensitive).copied().collect();
    task.objective.value(&Candidate {
        columns: TableColumns { quasi: with_sensitive, sensitive_weights: &[], rows: task.table.rows },
        classes: release.classes.len() as u64,
        squares: release.sums.squares,
        suppressed: release.suppressed(),
        shown: Shown::Labels { quasi, sensitive: Vec::new() },
    })
}

/// The quasi-identifiers of a table, and its sensitive columns as if they were some.
fn with_sensitive(table: &CountedTable) -> Vec<QuasiColumn> {
    let as_quasi = |(column, &weight): (&SensitiveColumn, &f64)| {
        let dictionary = Dictionary::new(column.values()[..column.leaves()].iter().cloned(), None, false);
        let hierarchy = column.hierarchy().cloned().unwrap_or_else(|| Hierarchy::suppress(&dictionary));
        QuasiColumn {
            name: column.name().to_owned(),
            dictionary: dictionary.into(),
            max_level: hierarchy.height() as u8,
            hierarchy,
            counts: column.input_counts().to_vec(),
            weight,
            min_level: 0,
            ordered: false,
            round_ends: std::sync::OnceLock::new(),
        }
    };
    table.quasi.iter().cloned().chain(table.sensitive.iter().zip(&table.sensitive_weights).map(as_quasi)).collect()
}

fn remark(tried: &[Tried], values: &[Option<f64>], chosen: usize, counts_sensitive: bool) -> Remark {
    let mut losses = Map::new();
    for (tried, value) in tried.iter().zip(values) {
        losses.insert(tried.name.to_owned(), value.filter(|value| value.is_finite()).map_or(Value::Null, |value| json!(value)));
    }
    let others: Vec<String> = tried
        .iter()
        .zip(values)
        .enumerate()
        .filter(|(at, _)| *at != chosen)
        .map(|(_, (tried, value))| match value {
            Some(value) => format!("{} {}", tried.name, (value * 1e5).round() / 1e5),
            None => format!("{} none", tried.name),
        })
        .collect();
    let counted = if counts_sensitive { ", the loss of sensitive columns included" } else { "" };
    Remark {
        key: "best",
        json: json!({ "chosen": tried[chosen].name, "tried": losses }),
        text: format!("the least is that of {}{counted}; the others: {}", tried[chosen].name, others.join(", ")),
    }
}

fn none_of(tried: Vec<Tried>) -> Error {
    let error = Error::no_release("no method finds a release that satisfies the requirements");
    let refused = tried.into_iter().filter_map(|tried| tried.result.err().map(|error| (tried.name, error)));
    refused.fold(error, |all, (name, error)| all.detail(format!("{name}: {}", error.message()))).hint("ask for less")
}
