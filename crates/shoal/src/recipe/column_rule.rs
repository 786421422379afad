//! What does a recipe make of a value of a quasi-identifier?

use std::collections::HashSet;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::linking::covers;
use shoal_core::hierarchy::{ColumnValues, Hierarchy, HierarchySpec, ROOT};
use shoal_core::table::{ColumnType, Dictionary};
use shoal_core::{Error, Result};

/// What becomes of the values of a quasi-identifier. How they are generalized stands in the policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ColumnRule {
    /// The column.
    pub column: String,
    /// How its values are written: another table may have too few of them to tell.
    #[serde(rename = "type")]
    pub column_type: ColumnType,
    /// What rows show.
    pub shown: Shown,
}

/// What rows show for a quasi-identifier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Shown {
    /// The value.
    AsItIs,
    /// `*`.
    Nothing,
    /// Its label on this level of the hierarchy.
    Level(u8),
    /// The one of these that covers it: what the hierarchy makes depends on the table that it was made for.
    Labels(Vec<String>),
    /// What its class shows.
    ByClass,
}

/// The values of a column that a rule can read, under the type and the hierarchy it was made for.
pub(super) struct Readable<'a> {
    rule: &'a ColumnRule,
    /// The values themselves, with codes of their own.
    dictionary: Dictionary,
    hierarchy: Option<Hierarchy>,
    /// For each value of the table, its code here.
    codes: Vec<Option<u32>>,
}

impl<'a> Readable<'a> {
    pub fn new(rule: &'a ColumnRule, spec: Option<&HierarchySpec>, values: &Dictionary, folder: &Path) -> Result<Self> {
        let leaves = match spec {
            Some(spec) => spec.rows(folder)?.map(|rows| rows.into_iter().map(|mut row| row.swap_remove(0)).collect()),
            None => None,
        };
        let leaves: Option<HashSet<String>> = leaves;
        let is_readable = |value: &str| match (&leaves, spec) {
            (Some(leaves), _) => leaves.contains(value),
            (None, Some(spec)) => rule.shown == Shown::AsItIs || spec.reads(value, &rule.column_type),
            (None, None) => true,
        };
        let readable: Vec<&String> = values.present().iter().filter(|value| is_readable(value)).collect();
        let marker = values.missing().map(|code| values.value(code));
        let dictionary = Dictionary::of_type(readable.into_iter().cloned(), marker, &rule.column_type);
        let code = |value: &String| dictionary.code(value);
        let codes = values.present().iter().map(code).chain(values.missing().map(|_| dictionary.missing())).collect();
        let counts = vec![1; dictionary.len()];
        let column = ColumnValues { name: &rule.column, dictionary: &dictionary, counts: &counts, may_print: true };
        let hierarchy = match spec {
            // Its ranges are those of another table.
            None | Some(HierarchySpec::Quantiles(_)) => None,
            Some(_) if matches!(rule.shown, Shown::AsItIs | Shown::Nothing) => None,
            Some(spec) => Some(spec.build(&column, folder)?),
        };
        Ok(Self { rule, dictionary, hierarchy, codes })
    }

    /// What each value of the table becomes; `None` for those that the rule does not know.
    pub fn labels(&self, values: &Dictionary) -> Result<Vec<Option<String>>> {
        let of_code = |label: &dyn Fn(u32) -> Option<String>| {
            self.codes.iter().map(|code| code.and_then(label)).collect::<Vec<Option<String>>>()
        };
        Ok(match &self.rule.shown {
            Shown::AsItIs => of_code(&|code| Some(self.dictionary.value(code).to_owned())),
            Shown::Nothing => vec![Some(ROOT.to_owned()); values.len()],
            Shown::Level(level) => {
                let hierarchy = self.hierarchy.as_ref().filter(|hierarchy| usize::from(*level) <= hierarchy.height());
                let hierarchy = hierarchy.ok_or_else(|| {
                    Error::policy(format!(
                        "the recipe asks for level {level} of `{}`, which it does not have",
                        self.rule.column
                    ))
                })?;
                of_code(&|code| Some(hierarchy.label(usize::from(*level), code).to_owned()))
            }
            Shown::Labels(labels) => {
                let covering = covers(labels, &self.dictionary, None);
                of_code(&|code| covering[code as usize].first().map(|&label| labels[label as usize].clone()))
            }
            Shown::ByClass => {
                return Err(Error::policy(format!(
                    "the recipe has no classes that `{}` could be shown by",
                    self.rule.column
                )));
            }
        })
    }

    /// Can the rule read this value of the table, whatever becomes of it?
    pub fn reads(&self, code: usize) -> bool {
        self.codes[code].is_some()
    }

    /// For each value of the table, the labels (by their places, sorted) that cover it.
    pub fn covering(&self, labels: &[String]) -> Vec<Vec<u32>> {
        let covering = covers(labels, &self.dictionary, self.hierarchy.as_ref());
        let root = labels.iter().position(|label| label == ROOT);
        // Whatever cannot be read, the root covers it.
        let unread: Vec<u32> = root.into_iter().map(|place| place as u32).collect();
        self.codes
            .iter()
            .map(|code| code.map_or_else(|| unread.clone(), |code| covering[code as usize].clone()))
            .collect()
    }
}
