//! What does a policy require, and how is it written there?

use std::fmt;

use crate::toml_text;

/// A number with three decimal places, as somebody would write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Milli(pub i64);

impl fmt::Display for Milli {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:03}", self.0 / 1000, self.0 % 1000);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A model with its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Model {
    KAnonymity { k: u64 },
    DistinctL { l: u64 },
    EntropyL { l: Milli },
    RecursiveCl { c: Milli, l: u64 },
    PdRecursiveCl { c: Milli, l: u64, disclosable: Vec<String> },
    NpdRecursiveCl { c1: Milli, c2: Milli, l: u64, disclosable: Vec<String>, guarded: Vec<String> },
    SimpleL { l: Milli },
    PSensitiveK { k: u64, p: u64 },
    AlphaK { alpha: Milli, k: u64, values: Option<Vec<String>> },
    TauL { tau: Milli, l: u64, weights: Option<Weights> },
    ADDiversity { a: u64, d: u64, groups: Groups },
    TCloseness { t: Milli, distance: &'static str, to_table: bool },
    EpsilonM { epsilon: Milli, m: u64, relative: bool },
    BayesBreach { rho1: Milli, rho2: Milli },
    BayesDifference { difference: Milli },
}

/// How much of a generalized value counts for each value below it.
#[derive(Debug, Clone, PartialEq)]
pub enum Weights {
    ByValue(Vec<(String, Milli)>),
    /// As often as the release shows the value itself.
    Released,
}

/// Which sensitive values are alike.
#[derive(Debug, Clone, PartialEq)]
pub enum Groups {
    Level(usize),
    Listed(Vec<(String, Vec<String>)>),
}

/// A model required of a column, or of each sensitive column if none is named.
#[derive(Debug, Clone, PartialEq)]
pub struct Requirement {
    pub model: Model,
    pub column: Option<String>,
    pub among: bool,
}

impl Model {
    /// Its id.
    pub fn id(&self) -> &'static str {
        match self {
            Self::KAnonymity { .. } => "k-anonymity",
            Self::DistinctL { .. } => "distinct-l-diversity",
            Self::EntropyL { .. } => "entropy-l-diversity",
            Self::RecursiveCl { .. } => "recursive-cl-diversity",
            Self::PdRecursiveCl { .. } => "pd-recursive-cl-diversity",
            Self::NpdRecursiveCl { .. } => "npd-recursive-cl-diversity",
            Self::SimpleL { .. } => "simple-l-diversity",
            Self::PSensitiveK { .. } => "p-sensitive-k-anonymity",
            Self::AlphaK { .. } => "alpha-k-anonymity",
            Self::TauL { .. } => "tau-l-diversity",
            Self::ADDiversity { .. } => "a-d-diversity",
            Self::TCloseness { .. } => "t-closeness",
            Self::EpsilonM { .. } => "epsilon-m-anonymity",
            Self::BayesBreach { .. } | Self::BayesDifference { .. } => "bayes-optimal-privacy",
        }
    }

    /// Is it about the whole table rather than about one sensitive column?
    pub fn is_about_table(&self) -> bool {
        matches!(self, Self::KAnonymity { .. } | Self::PSensitiveK { .. })
    }

    /// Does it bound the size of classes by a `k`, so that people are hidden and not only values?
    pub fn bounds_size(&self) -> bool {
        self.is_about_table() || matches!(self, Self::AlphaK { .. })
    }

    /// Does its verdict on a class depend on which other classes are released?
    pub fn depends_on_release(&self) -> bool {
        matches!(
            self,
            Self::TCloseness { to_table: false, .. }
                | Self::TauL { weights: Some(Weights::Released), .. }
                | Self::BayesBreach { .. }
                | Self::BayesDifference { .. }
        )
    }

    fn parameters(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::KAnonymity { k } => vec![("k", k.to_string())],
            Self::DistinctL { l } => vec![("l", l.to_string())],
            Self::EntropyL { l } | Self::SimpleL { l } => vec![("l", l.to_string())],
            Self::RecursiveCl { c, l } => vec![("c", c.to_string()), ("l", l.to_string())],
            Self::PdRecursiveCl { c, l, disclosable } => {
                vec![("c", c.to_string()), ("l", l.to_string()), ("disclosable", toml_text::texts(disclosable))]
            }
            Self::NpdRecursiveCl { c1, c2, l, disclosable, guarded } => vec![
                ("c1", c1.to_string()),
                ("c2", c2.to_string()),
                ("l", l.to_string()),
                ("disclosable", toml_text::texts(disclosable)),
                ("guarded", toml_text::texts(guarded)),
            ],
            Self::PSensitiveK { k, p } => vec![("k", k.to_string()), ("p", p.to_string())],
            Self::AlphaK { alpha, k, values } => {
                let mut parameters = vec![("alpha", alpha.to_string()), ("k", k.to_string())];
                parameters.extend(values.iter().map(|values| ("values", toml_text::texts(values))));
                parameters
            }
            Self::TauL { tau, l, weights } => {
                let mut parameters = vec![("tau", tau.to_string()), ("l", l.to_string())];
                parameters.extend(weights.iter().map(|weights| ("weights", weights.to_toml())));
                parameters
            }
            Self::ADDiversity { a, d, groups } => {
                let groups = match groups {
                    Groups::Level(level) => format!("{{ level = {level} }}"),
                    Groups::Listed(groups) => {
                        let group = |(name, values): &(String, Vec<String>)| {
                            format!("{} = {}", toml_text::text(name), toml_text::texts(values))
                        };
                        format!("{{ {} }}", groups.iter().map(group).collect::<Vec<_>>().join(", "))
                    }
                };
                vec![("a", a.to_string()), ("d", d.to_string()), ("groups", groups)]
            }
            Self::TCloseness { t, distance, to_table } => {
                let reference = if *to_table { "table" } else { "released" };
                vec![
                    ("t", t.to_string()),
                    ("distance", toml_text::text(distance)),
                    ("reference", toml_text::text(reference)),
                ]
            }
            Self::EpsilonM { epsilon, m, relative } => {
                vec![("epsilon", epsilon.to_string()), ("m", m.to_string()), ("relative", relative.to_string())]
            }
            Self::BayesBreach { rho1, rho2 } => vec![("rho1", rho1.to_string()), ("rho2", rho2.to_string())],
            Self::BayesDifference { difference } => vec![("difference", difference.to_string())],
        }
    }
}

impl Weights {
    fn to_toml(&self) -> String {
        match self {
            Self::Released => toml_text::text("released"),
            Self::ByValue(weights) => {
                let pairs = weights.iter().map(|(value, weight)| format!("{} = {weight}", toml_text::text(value)));
                format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl Requirement {
    /// Its section of a policy.
    pub fn to_toml(&self) -> String {
        let mut text = format!("[[require]]\nmodel = \"{}\"\n", self.model.id());
        if let Some(column) = &self.column {
            text += &format!("column = {}\n", toml_text::text(column));
        }
        if self.among {
            text += "among = \"all-sensitive\"\n";
        }
        for (key, value) in self.model.parameters() {
            text += &format!("{key} = {value}\n");
        }
        text
    }
}
