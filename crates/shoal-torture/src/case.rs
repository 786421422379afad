//! What is one random case: a table, a policy, and what is to be checked with them?

use std::collections::BTreeMap;
use std::path::Path;

use crate::hierarchy::Hierarchy;
use crate::levels::Levels;
use crate::policy::{Column, Policy, Role};
use crate::table::Table;

/// A table, a policy, and the checks that are made.
#[derive(Debug, Clone)]
pub struct Case {
    pub table: Table,
    pub policy: Policy,
    pub plan: Plan,
}

/// What is checked beside the release itself.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Chance for the laws.
    pub seed: u64,
    pub threads: usize,
    pub audit: Option<Audit>,
    pub law: Option<Law>,
    pub recipe: bool,
    pub solutions: bool,
}

/// How a release is audited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audit {
    Alone,
    WithOriginal,
}

/// What must not change, or only in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    RowsPermuted,
    ColumnsRenamed,
    ValuesRenamed,
    OtherFormat,
    OtherThreads,
    NoSuppression,
    Looser,
    AsAchieved,
    Best,
    NotNested,
    PeopleRenamed,
    WithoutPeople,
}

impl Law {
    /// Those about any case.
    pub const ALL: [Self; 10] = [
        Self::RowsPermuted,
        Self::ColumnsRenamed,
        Self::ValuesRenamed,
        Self::OtherFormat,
        Self::OtherThreads,
        Self::NoSuppression,
        Self::Looser,
        Self::AsAchieved,
        Self::Best,
        Self::NotNested,
    ];

    /// Those about cases in which people are counted.
    pub const OF_PEOPLE: [Self; 2] = [Self::PeopleRenamed, Self::WithoutPeople];

    pub fn name(self) -> &'static str {
        match self {
            Self::RowsPermuted => "rows-permuted",
            Self::ColumnsRenamed => "columns-renamed",
            Self::ValuesRenamed => "values-renamed",
            Self::OtherFormat => "other-format",
            Self::OtherThreads => "other-threads",
            Self::NoSuppression => "no-suppression",
            Self::Looser => "looser",
            Self::AsAchieved => "as-achieved",
            Self::Best => "best",
            Self::NotNested => "not-nested",
            Self::PeopleRenamed => "people-renamed",
            Self::WithoutPeople => "without-people",
        }
    }
}

impl Case {
    /// Writes everything that a run needs.
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        std::fs::create_dir_all(folder)?;
        let table = match self.policy.input {
            "jsonl" => self.table.to_json_lines(),
            _ => self.table.to_csv(self.policy.delimiter),
        };
        std::fs::write(folder.join(self.input_name()), table)?;
        for column in &self.policy.columns {
            if let Some((name, text)) = column.hierarchy.as_ref().and_then(Hierarchy::file) {
                std::fs::write(folder.join(name), text)?;
            }
        }
        std::fs::write(folder.join("policy.toml"), self.policy.to_toml())
    }

    pub fn input_name(&self) -> String {
        format!("table.{}", self.policy.input)
    }

    pub fn output_name(&self) -> String {
        format!("release.{}", self.policy.output)
    }

    /// The rows that are left after `rows-with-missing = "drop"`, missing values written in one way.
    pub fn kept(&self) -> Table {
        let is_whole = |row: &&Vec<String>| {
            !self.policy.drop_missing || !row.iter().any(|cell| self.policy.missing.contains(cell))
        };
        let understood = |row: &Vec<String>| {
            self.table.names.iter().zip(row).map(|(name, cell)| self.policy.counted(name, cell)).collect()
        };
        Table {
            names: self.table.names.clone(),
            rows: self.table.rows.iter().filter(is_whole).map(understood).collect(),
        }
    }

    /// The hierarchy of a column over the rows that are left.
    pub fn levels(&self, kept: &Table, column: &Column) -> Option<Levels> {
        let place = kept.place(&column.name)?;
        let mut values: BTreeMap<&str, u64> = BTreeMap::new();
        kept.rows.iter().for_each(|row| *values.entry(&row[place]).or_default() += 1);
        let suppress = Hierarchy::Suppress;
        let hierarchy = column.hierarchy.as_ref().unwrap_or(&suppress);
        Levels::new(hierarchy, &values, self.policy.marker(), column.date_format())
    }

    /// The columns that a release shows, in the order of the table.
    pub fn shown(&self) -> Vec<String> {
        let is_shown = |name: &&String| self.policy.column(name).is_some_and(|column| column.role != Role::Identifier);
        self.table.names.iter().filter(is_shown).cloned().collect()
    }
}
