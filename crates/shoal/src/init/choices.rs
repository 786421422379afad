//! What is a starter policy to ask for, and how?

use std::path::PathBuf;

use super::findings::{ColumnFindings, TableFindings};
use super::method_choice::MethodChoice;
use super::trial::Trials;
use crate::policy::Role;

/// What the owner of a table decides beside the roles of its columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// At least so many people look the same.
    pub k: u64,
    /// What else is promised about each sensitive column, in the order of the table.
    pub promises: Vec<(String, Promise)>,
    /// How values are made vaguer.
    pub method: MethodChoice,
    /// The columns that matter most, each with its weight beside 1 for all others.
    pub weights: Vec<(String, f64)>,
    /// Did nobody say so, and were the weights only found to keep an age?
    pub weights_are_proposed: bool,
    /// The columns that must not become vaguer than a level of their hierarchy.
    pub max_levels: Vec<(String, usize)>,
    /// The fraction of rows that may be left out.
    pub max_suppressed: f64,
    /// What was tried before that, in a few sentences.
    pub tried: Option<String>,
    /// The release, as a policy names it; without one it stands beside the table.
    pub output: Option<PathBuf>,
}

/// What is promised about a sensitive column, besides `k`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Promise {
    /// Nothing.
    None,
    /// Rows that look the same have at least so many different values.
    Distinct(u64),
    /// The same, and no value is much more frequent than others among them.
    Entropy(f64),
    /// Values are about as frequent among them as in the whole release.
    Closeness(f64),
}

impl Choices {
    /// Choices under which a release exists as soon as there are two rows.
    pub fn proposed(findings: &TableFindings) -> Self {
        let k = match findings.counted() {
            ..20 => 2,
            20..100 => 3,
            _ => 5,
        };
        let promise = |column: &ColumnFindings| (column.name.clone(), Promise::proposed(column, findings));
        Self {
            k,
            promises: findings.with_role(Role::Sensitive).map(promise).collect(),
            method: MethodChoice::full_domain(findings),
            weights: Vec::new(),
            weights_are_proposed: false,
            max_levels: Vec::new(),
            // Of fewer rows, one in twenty is none.
            max_suppressed: if findings.rows < 20 { 0.0 } else { 0.05 },
            tried: None,
            output: None,
        }
    }

    /// The same by the way that keeps most of those that were tried.
    #[must_use]
    pub fn following(self, trials: &Trials) -> Self {
        let method = trials.best().map_or(self.method, |(best, _)| best.choice.clone());
        Self { method, tried: Some(trials.in_a_comment()), ..self }
    }

    /// What is promised about a column.
    pub fn promise(&self, column: &str) -> Promise {
        self.promises.iter().find(|(name, _)| name == column).map_or(Promise::None, |(_, promise)| *promise)
    }
}

impl Promise {
    /// A promise that the whole table keeps: three values, or two where more than two rows in three have the same, since a third
    /// value would then take classes of a size that leaves nothing of the other columns. Where people are counted, no value may be one that all of
    /// them could have, and for three values no two of them together.
    pub fn proposed(column: &ColumnFindings, findings: &TableFindings) -> Self {
        let rows = findings.rows;
        let most_frequent = column.most_frequent.map_or(0, |most| most.max(column.missing));
        // Of dozens of answers, more than two of each would leave nothing of any other column.
        let enough = if column.is_answer || most_frequent > rows / 3 * 2 { 2 } else { 3 };
        let of_people = match findings.person() {
            Some(whose) => (whose.people - 1) / column.most_frequent.map_or(whose.people, |_| most_frequent.max(1)) + 1,
            None => enough,
        };
        match column.values().min(enough).min(of_people) {
            ..2 => Self::None,
            l => Self::Distinct(l),
        }
    }
}

impl TableFindings {
    /// The sensitive columns of several values of which nothing is proposed but k-anonymity.
    pub(super) fn without_a_promise(&self) -> impl Iterator<Item = &ColumnFindings> {
        let is_without =
            move |column: &&ColumnFindings| column.values() > 1 && Promise::proposed(column, self) == Promise::None;
        self.with_role(Role::Sensitive).filter(is_without)
    }
}

impl ColumnFindings {
    /// How many different values there are at least, the missing one included.
    pub fn values(&self) -> u64 {
        self.distinct.at_least() + u64::from(self.missing > 0)
    }

    /// An `l` that the whole table reaches in entropy, if that can be told: as if all values were as frequent as the most
    /// frequent one.
    pub fn least_entropy_l(&self, rows: u64) -> Option<f64> {
        let most = self.most_frequent?.max(self.missing);
        Some(rows as f64 / most.max(1) as f64)
    }
}
