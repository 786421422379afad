//! What does a certificate say that nobody can tell from the release?

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::label::Label;
use super::present;
use super::stated_model::StatedModel;
use crate::Hash;
use shoal::policy::Role;
use shoal_core::method::{GUARANTEES, Knows, METHODS};
use shoal_core::objective::OBJECTIVES;
use shoal_core::table::DateOrder;
use shoal_core::warning::Warning;
use shoal_core::{Error, Result};

/// Statements of whoever made the certificate: what the numbers rest on, and what only somebody with the original can know.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statements {
    /// What each released column is to an attacker.
    pub(super) roles: BTreeMap<String, CertifiedRole>,
    /// How a missing value is written.
    pub(super) missing: String,
    pub(super) decimal_comma: bool,
    /// What may stand between thousands.
    #[serde(deserialize_with = "present")]
    pub(super) thousands: Option<String>,
    /// How the numbers of columns are published, where that is not as they are.
    pub(super) published_numbers: BTreeMap<String, String>,
    /// What somebody is taken to know of a person with several rows, where people were counted.
    #[serde(deserialize_with = "present")]
    pub(super) knows: Option<Knows>,
    /// Are rows that consist of `*` only suppressed ones?
    pub(super) suppressed_rows_stay: bool,
    /// How the dates of columns are read, where their values do not tell.
    pub(super) dates: BTreeMap<String, CertifiedDates>,
    /// For sensitive columns: each value that the release shows, with what stands above it below the root.
    pub(super) hierarchies: BTreeMap<String, Vec<Vec<Label>>>,
    /// What the release satisfies and nobody can check who has nothing else.
    pub(super) models: Vec<StatedModel>,
    /// Of the policy; the files that it names are not part of it.
    #[serde(deserialize_with = "present")]
    pub(super) policy_sha256: Option<Hash>,
    /// The version that made it.
    pub(super) shoal: String,
    pub(super) method: String,
    pub(super) guarantee: String,
    pub(super) objective: String,
    /// Null where the number of suppressed rows, which is not told, would follow from them, and of a small original.
    #[serde(deserialize_with = "present")]
    pub(super) objectives: Option<BTreeMap<String, f64>>,
    #[serde(deserialize_with = "present")]
    pub(super) levels: Option<BTreeMap<String, u8>>,
    #[serde(deserialize_with = "present")]
    pub(super) input_rows: Option<u64>,
    #[serde(deserialize_with = "present")]
    pub(super) suppressed_rows: Option<u64>,
    #[serde(deserialize_with = "present")]
    pub(super) dropped_rows: Option<u64>,
    /// What readers of the release should know.
    pub(super) warnings: Vec<CertifiedWarning>,
}

/// How dates are read, in the words of a policy and no others: a certificate decides nothing else about a column here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct CertifiedDates {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dates: Option<DateOrder>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) two_digit_years: Option<i32>,
}

/// What a released column is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum CertifiedRole {
    /// A pseudonym in place of one.
    Identifier,
    QuasiIdentifier,
    Sensitive,
    Insensitive,
    /// The number of the class, in both of two tables.
    Class,
    /// How many rows have a sensitive value, in the table of these.
    Count,
}

impl CertifiedRole {
    /// The same where a policy gives it.
    pub(super) fn of(role: Role) -> Self {
        match role {
            Role::Identifier => Self::Identifier,
            Role::QuasiIdentifier => Self::QuasiIdentifier,
            Role::Sensitive => Self::Sensitive,
            Role::Insensitive => Self::Insensitive,
        }
    }

    /// As a policy writes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::QuasiIdentifier => "quasi-identifier",
            Self::Sensitive => "sensitive",
            Self::Insensitive => "insensitive",
            Self::Class => "class",
            Self::Count => "count",
        }
    }
}

/// A warning about the release.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CertifiedWarning {
    pub(super) id: String,
    pub(super) text: String,
}

impl Statements {
    /// The columns with a role, by name.
    pub(super) fn with_role(&self, role: CertifiedRole) -> impl Iterator<Item = &String> {
        self.roles.iter().filter(move |(_, of_column)| **of_column == role).map(|(name, _)| name)
    }

    /// What it warns of. The text is somebody's, and must not do anything to a terminal.
    pub(super) fn warnings(&self) -> Vec<Warning> {
        let said = |warning: &CertifiedWarning| {
            Warning::new("certified", format!("the certificate says: {}", without_control(&warning.text)))
        };
        self.warnings.iter().map(said).collect()
    }

    /// Words of Shoal are not free text.
    pub(super) fn refuse_unknown_words(&self) -> Result<()> {
        let objectives: Vec<&str> = OBJECTIVES.iter().map(|entry| entry.item.id()).collect();
        let methods: Vec<&str> = METHODS.iter().map(|entry| entry.id()).collect();
        let told = self.objectives.iter().flat_map(BTreeMap::keys).map(|id| ("objective", id, &objectives[..]));
        let words = [
            ("method", &self.method, &methods[..]),
            ("guarantee", &self.guarantee, &GUARANTEES[..]),
            ("objective", &self.objective, &objectives[..]),
        ];
        match words.into_iter().chain(told).find(|(_, word, known)| !known.contains(&word.as_str())) {
            None => Ok(()),
            Some((kind, word, _)) => Err(Error::policy(format!("there is no {kind} `{}`", without_control(word)))),
        }
    }

    /// What is taken on trust, in sentences for people: of the models only these.
    pub(super) fn in_words(&self, models: &[&StatedModel]) -> Vec<String> {
        let roles = |role: CertifiedRole| {
            let names: Vec<String> = self.with_role(role).map(|name| without_control(name)).collect();
            (!names.is_empty()).then(|| format!("{} {}", role.name(), names.join(", ")))
        };
        let of_columns: Vec<String> = [
            CertifiedRole::QuasiIdentifier,
            CertifiedRole::Sensitive,
            CertifiedRole::Insensitive,
            CertifiedRole::Identifier,
        ]
        .into_iter()
        .filter_map(roles)
        .collect();
        let mut said = vec![format!("what columns are to an attacker: {}", of_columns.join("; "))];
        if !self.hierarchies.is_empty() {
            let names: Vec<String> = self.hierarchies.keys().map(|name| without_control(name)).collect();
            said.push(format!("which values are alike: {}", names.join(", ")));
        }
        for (name, how) in &self.published_numbers {
            said.push(format!("that the numbers of {} are {}", without_control(name), without_control(how)));
        }
        for model in models {
            said.push(format!("that the release has {}", without_control(model.label())));
        }
        said.push(format!(
            "how it was made: method {}, {}, by Shoal {}; what was lost, and what was left out of the original",
            self.method,
            self.guarantee,
            without_control(&self.shoal)
        ));
        said
    }
}

/// A text of somebody else, fit for a terminal.
pub(super) fn without_control(text: &str) -> String {
    let shown = |character: char| match character.is_control() {
        true => character.escape_default().collect::<String>(),
        false => character.to_string(),
    };
    text.chars().map(shown).collect()
}
