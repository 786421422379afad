//! What may the page ask for?

use serde::Deserialize;

/// Which file to open, as seen from the folder of the studio.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Open {
    /// A table or a policy.
    pub path: String,
}

/// A change of the policy. Each of them could be made in its text as well.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "change", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Edit {
    /// The whole text is another.
    Text {
        /// The text.
        text: String,
        /// What it said before, as far as whoever changed it knew: refused where others have changed it since. Whatever it says, where there is
        /// none.
        #[serde(default)]
        before: Option<String>,
    },
    /// A key gets the value that somebody typed into a field, or none: refused where a policy that is right would be wrong by it, so that
    /// it can be said beside the field.
    Field {
        /// The key.
        key: String,
        /// Its value.
        value: Option<String>,
    },
    /// Keys get other values, as `--set` would have it.
    Settings {
        /// Each key and its value.
        settings: Vec<SettingWords>,
    },
    /// A key goes.
    Remove {
        /// The key.
        key: String,
    },
    /// A column is something else to an attacker.
    Role {
        /// The column.
        column: String,
        /// What it is.
        role: String,
    },
    /// A column says whose row it is, so that people are counted; rows are, where none does.
    Person {
        /// The column.
        column: Option<String>,
    },
    /// Something else is promised, too.
    Require {
        /// The model.
        model: String,
        /// The sensitive column that it is about, if it is about one.
        column: Option<String>,
        /// Its parameters.
        parameters: Vec<SettingWords>,
    },
    /// Columns may have these levels and no others; those that they were allowed before, where there is none.
    Levels {
        /// Each column and its level.
        levels: Vec<ColumnLevel>,
    },
}

/// A key of a policy and its value, both as somebody would write them.
#[derive(Debug, Clone, Deserialize, serde::Serialize, PartialEq)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct SettingWords {
    /// The key: `k`, `columns.age.min-level`.
    pub key: String,
    /// The value.
    pub value: String,
}

/// A column and a level of its hierarchy.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ColumnLevel {
    /// The column.
    pub column: String,
    /// The level, or none for all that are allowed.
    pub level: Option<u8>,
}

/// Which rows of the table.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RowsWanted {
    /// The first, counted from 0.
    pub start: usize,
    /// So many.
    pub count: usize,
    /// The column that they are sorted by; otherwise they stand as in the table.
    pub sort: Option<String>,
    /// The largest first?
    #[serde(default)]
    pub descending: bool,
    /// Shall sensitive and identifying values be shown, too?
    #[serde(default)]
    pub reveal: bool,
}

/// Which column.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ColumnWanted {
    /// Its name.
    pub name: String,
}

/// Which classes of the candidate.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ClassesWanted {
    /// The first, counted from 0.
    pub start: usize,
    /// So many.
    pub count: usize,
    /// The largest first?
    #[serde(default)]
    pub descending: bool,
}

/// Which levels, in the order of the quasi-identifiers.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LevelsWanted {
    /// Numbers with commas between them.
    pub levels: String,
}

/// Which page of `shoal explain`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PageWanted {
    /// Its id.
    pub id: String,
}

/// What is to be varied for the frontier.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Explore {
    /// Values of `k`; that of the policy, if there is none.
    pub k: Vec<u64>,
    /// Methods; that of the policy, if there is none.
    pub methods: Vec<String>,
    /// Fractions of rows that may be left out, as decimals; that of the policy, if there is none.
    pub max_suppressed: Vec<String>,
}

/// Which nodes of the lattice to look at.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Around {
    /// The node in their middle, in the order of the quasi-identifiers; the optimum, if there is none.
    pub levels: Option<Vec<u8>>,
    /// Columns that have this level in each of them.
    #[serde(default)]
    pub fixed: Vec<ColumnLevel>,
}

/// What a file that was dropped onto the page is called.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Upload {
    /// Its name, without any folder.
    pub name: String,
}

/// What is to be written beside a release.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Publish {
    /// The page that explains it, as seen from the folder of the policy.
    pub report: Option<String>,
    /// The certificate.
    pub certificate: Option<String>,
    /// The recipe.
    pub recipe: Option<String>,
    /// May they take the places of other files?
    pub overwrite: bool,
}
