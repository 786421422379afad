//! Which hierarchy does a policy name, and how does it look there?

use crate::decimal;
use crate::table::Table;
use crate::toml_text;

/// A way to make a hierarchy.
#[derive(Debug, Clone, PartialEq)]
pub enum Hierarchy {
    /// Rows from leaf to root, in a file of its own.
    File {
        name: String,
        rows: Vec<Vec<String>>,
        delimiter: char,
    },
    Tree(Vec<Branch>),
    Intervals {
        widths: Vec<i128>,
        origin: Option<i128>,
        bottom: Option<i128>,
        top: Option<i128>,
    },
    Mask {
        from_left: bool,
        character: char,
        length: Option<usize>,
    },
    Dates {
        periods: Vec<&'static str>,
        format: Option<String>,
    },
    Quantiles(Vec<usize>),
    Suppress,
}

/// A part of a tree.
#[derive(Debug, Clone, PartialEq)]
pub enum Branch {
    Leaf(String),
    Group(String, Vec<Branch>),
}

impl Hierarchy {
    /// As it stands in a policy.
    pub fn to_toml(&self) -> String {
        match self {
            Self::File { name, .. } => format!("{{ file = {} }}", toml_text::text(name)),
            Self::Tree(branches) => format!("{{ tree = {} }}", groups(branches)),
            Self::Intervals { widths, origin: None, bottom: None, top: None } => {
                format!("{{ intervals = {} }}", numbers(widths))
            }
            Self::Intervals { widths, origin, bottom, top } => {
                let mut text = format!("{{ intervals = {{ widths = {}", numbers(widths));
                for (key, number) in [("origin", origin), ("bottom", bottom), ("top", top)] {
                    text += &number.map_or_else(String::new, |number| format!(", {key} = {}", decimal::write(number)));
                }
                text + " } }"
            }
            Self::Mask { from_left, character, length } => {
                let from = if *from_left { "left" } else { "right" };
                let character = toml_text::text(&character.to_string());
                let length = length.map_or_else(String::new, |length| format!(", length = {length}"));
                format!("{{ mask = {{ from = \"{from}\", character = {character}{length} }} }}")
            }
            Self::Dates { periods, format } => {
                let levels = toml_text::list(periods.iter().map(|period| toml_text::text(period)));
                match format {
                    None => format!("{{ dates = {levels} }}"),
                    Some(format) => format!("{{ dates = {{ levels = {levels}, format = \"{format}\" }} }}"),
                }
            }
            Self::Quantiles(groups) => {
                format!("{{ quantiles = {} }}", toml_text::list(groups.iter().map(ToString::to_string)))
            }
            Self::Suppress => "{ suppress = {} }".to_owned(),
        }
    }

    /// The name of the way.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::File { .. } => "file",
            Self::Tree(_) => "tree",
            Self::Intervals { .. } => "intervals",
            Self::Mask { .. } => "mask",
            Self::Dates { .. } => "dates",
            Self::Quantiles(_) => "quantiles",
            Self::Suppress => "suppress",
        }
    }

    /// The file that it needs: name and text.
    pub fn file(&self) -> Option<(&str, String)> {
        let Self::File { name, rows, delimiter } = self else { return None };
        let (first, rest) = rows.split_first()?;
        let table = Table { names: first.clone(), rows: rest.to_vec() };
        Some((name, table.to_csv(*delimiter)))
    }

    /// The rows from leaf to root where it lists its leaves; short branches repeat the leaf.
    pub fn listed_rows(&self) -> Option<Vec<Vec<String>>> {
        match self {
            Self::File { rows, .. } => Some(rows.clone()),
            Self::Tree(branches) => {
                let mut paths = Vec::new();
                branches.iter().for_each(|branch| branch.paths(&["*".to_owned()], &mut paths));
                let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
                for path in &mut paths {
                    while path.len() < longest {
                        path.insert(0, path[0].clone());
                    }
                }
                Some(paths)
            }
            _ => None,
        }
    }
}

impl Branch {
    fn paths(&self, above: &[String], paths: &mut Vec<Vec<String>>) {
        match self {
            Self::Leaf(leaf) => paths.push([std::slice::from_ref(leaf), above].concat()),
            Self::Group(label, branches) => {
                let above = [std::slice::from_ref(label), above].concat();
                branches.iter().for_each(|branch| branch.paths(&above, paths));
            }
        }
    }

    fn to_toml(&self) -> String {
        match self {
            Self::Leaf(leaf) => toml_text::text(leaf),
            Self::Group(..) => groups(std::slice::from_ref(self)),
        }
    }
}

fn groups(branches: &[Branch]) -> String {
    let group = |branch: &Branch| match branch {
        Branch::Leaf(_) => None,
        Branch::Group(label, members) => {
            let members = toml_text::list(members.iter().map(Branch::to_toml));
            Some(format!("{} = {members}", toml_text::text(label)))
        }
    };
    match branches.iter().map(group).collect::<Option<Vec<_>>>() {
        Some(groups) => format!("{{ {} }}", groups.join(", ")),
        None => toml_text::list(branches.iter().map(Branch::to_toml)),
    }
}

fn numbers(numbers: &[i128]) -> String {
    toml_text::list(numbers.iter().map(|&number| decimal::write(number)))
}
