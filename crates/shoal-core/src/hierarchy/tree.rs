//! Which hierarchy is written into the policy itself?

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::rows::Rows;
use super::{ColumnValues, Hierarchy, ROOT};
use crate::{Error, Result};

/// Groups of values and of further groups; the root above them goes without saying.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    branches: Vec<Branch>,
}

#[derive(Debug, Clone, PartialEq)]
enum Branch {
    Leaf(String),
    Group(String, Vec<Branch>),
}

impl Tree {
    /// The tree of these rows, each from a leaf up to right below the root.
    pub fn of_rows(rows: &[Vec<String>]) -> Self {
        let branch = |row: &Vec<String>| {
            let (leaf, above) = row.split_first()?;
            Some(
                above.iter().fold(Branch::Leaf(leaf.clone()), |below, label| Branch::Group(label.clone(), vec![below])),
            )
        };
        Self { branches: rows.iter().filter_map(branch).collect() }
    }

    /// The tree in which these paths, each from a leaf up to right below the root, share the groups that they have in common.
    pub fn of_paths(paths: &[Vec<String>]) -> Self {
        Self { branches: branches_of(&paths.iter().map(Vec::as_slice).collect::<Vec<_>>()) }
    }

    pub(super) fn check(&self, may_print: bool) -> Result<()> {
        self.rows(may_print)?.showing(may_print).checked().map(|_| ())
    }

    pub(super) fn build(&self, column: &ColumnValues<'_>) -> Result<Hierarchy> {
        self.rows(column.may_print)?.build(column)
    }

    /// A row for each leaf; those of short branches repeat the leaf, so that all are equally long.
    pub(super) fn rows(&self, may_print: bool) -> Result<Rows> {
        if self.branches.is_empty() {
            return Err(Error::policy("the tree has no groups").hint("`tree = { office = [\"clerk\", \"manager\"] }`"));
        }
        if let Some(group) = self.branches.iter().find_map(empty_group) {
            let which = if may_print { format!("the group `{group}`") } else { "a group".to_owned() };
            return Err(Error::policy(format!("{which} of the tree has no values")));
        }
        let branches = match self.branches.as_slice() {
            // Somebody who writes the root down means the same.
            [Branch::Group(root, branches)] if root == ROOT => branches,
            branches => branches,
        };
        let mut paths = Vec::new();
        for branch in branches {
            collect(branch, &mut vec![ROOT], &mut paths);
        }
        let longest = paths.iter().map(Vec::len).max().unwrap_or(0);
        let row = |path: Vec<&str>| {
            let leaf = path.first().copied().unwrap_or_default();
            let repeated = std::iter::repeat_n(leaf, longest - path.len());
            repeated.chain(path.iter().copied()).map(str::to_owned).collect()
        };
        Ok(Rows::new("the tree", paths.into_iter().map(row).collect()))
    }

    pub(super) fn to_toml(&self) -> toml::Value {
        branches_to_toml(&self.branches)
    }
}

/// The branches that paths share, in the order in which they first occur.
fn branches_of(paths: &[&[String]]) -> Vec<Branch> {
    let mut groups: Vec<(&str, Vec<&[String]>)> = Vec::new();
    let mut branches = Vec::new();
    for path in paths {
        match path {
            [] => {}
            [leaf] => branches.push(Branch::Leaf(leaf.clone())),
            [below @ .., label] => match groups.iter_mut().find(|(known, _)| known == label) {
                Some((_, paths)) => paths.push(below),
                None => groups.push((label, vec![below])),
            },
        }
    }
    branches.extend(groups.into_iter().map(|(label, paths)| Branch::Group(label.to_owned(), branches_of(&paths))));
    branches
}

/// The path from each leaf of a branch to the root; `above` is the path from the root down to the branch.
fn collect<'a>(branch: &'a Branch, above: &mut Vec<&'a str>, paths: &mut Vec<Vec<&'a str>>) {
    match branch {
        Branch::Leaf(leaf) => paths.push(std::iter::once(leaf.as_str()).chain(above.iter().rev().copied()).collect()),
        Branch::Group(label, branches) => {
            above.push(label);
            for branch in branches {
                collect(branch, above, paths);
            }
            above.pop();
        }
    }
}

fn empty_group(branch: &Branch) -> Option<&str> {
    match branch {
        Branch::Leaf(_) => None,
        Branch::Group(label, branches) if branches.is_empty() => Some(label),
        Branch::Group(_, branches) => branches.iter().find_map(empty_group),
    }
}

/// A table where all are groups, else a list.
fn branches_to_toml(branches: &[Branch]) -> toml::Value {
    let groups: Option<toml::Table> = branches.iter().map(group_to_toml).collect();
    match groups {
        Some(groups) => groups.into(),
        None => toml::Value::Array(branches.iter().map(branch_to_toml).collect()),
    }
}

fn group_to_toml(branch: &Branch) -> Option<(String, toml::Value)> {
    match branch {
        Branch::Leaf(_) => None,
        Branch::Group(label, branches) => Some((label.clone(), branches_to_toml(branches))),
    }
}

fn branch_to_toml(branch: &Branch) -> toml::Value {
    match branch {
        Branch::Leaf(leaf) => leaf.clone().into(),
        Branch::Group(..) => group_to_toml(branch).into_iter().collect::<toml::Table>().into(),
    }
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let branches = Branches::deserialize(deserializer)?;
        Ok(Self { branches: branches.0 })
    }
}

/// Written by hand: values stand in lists only, beside tables of further groups.
impl JsonSchema for Tree {
    fn schema_name() -> Cow<'static, str> {
        "Tree".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let groups = generator.subschema_for::<Self>();
        json_schema!({
            "description": "Groups of values and of further groups; the root above them goes without saying.",
            "anyOf": [
                { "type": "object", "additionalProperties": groups },
                { "type": "array", "items": { "anyOf": [
                    { "type": ["string", "integer"] },
                    { "type": "object", "additionalProperties": groups }
                ] } }
            ]
        })
    }
}

/// What stands under a group: a list of values and tables, or a table of groups.
struct Branches(Vec<Branch>);

impl<'de> Deserialize<'de> for Branches {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BranchesVisitor { or_leaf: false }).map(Branches)
    }
}

/// What stands in a list: a value, or a table of groups.
struct Element(Vec<Branch>);

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(BranchesVisitor { or_leaf: true }).map(Element)
    }
}

struct BranchesVisitor {
    or_leaf: bool,
}

impl BranchesVisitor {
    fn leaf<E: de::Error>(self, leaf: String, found: de::Unexpected<'_>) -> Result<Vec<Branch>, E> {
        if self.or_leaf { Ok(vec![Branch::Leaf(leaf)]) } else { Err(E::invalid_type(found, &self)) }
    }
}

impl<'de> Visitor<'de> for BranchesVisitor {
    type Value = Vec<Branch>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.or_leaf {
            true => "a value in quotes, or a table of further groups",
            false => "a list of values, or a table of further groups",
        })
    }

    fn visit_str<E: de::Error>(self, leaf: &str) -> Result<Self::Value, E> {
        self.leaf(leaf.to_owned(), de::Unexpected::Str(leaf))
    }

    fn visit_i64<E: de::Error>(self, leaf: i64) -> Result<Self::Value, E> {
        self.leaf(leaf.to_string(), de::Unexpected::Signed(leaf))
    }

    fn visit_u64<E: de::Error>(self, leaf: u64) -> Result<Self::Value, E> {
        self.leaf(leaf.to_string(), de::Unexpected::Unsigned(leaf))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        if self.or_leaf {
            return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
        }
        let mut branches = Vec::new();
        while let Some(Element(element)) = list.next_element()? {
            branches.extend(element);
        }
        Ok(branches)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Self::Value, A::Error> {
        let mut branches = Vec::new();
        while let Some((label, Branches(below))) = table.next_entry::<String, Branches>()? {
            branches.push(Branch::Group(label, below));
        }
        Ok(branches)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::HierarchySpec;
    use super::super::testing::{build, dictionary, leaves, path, spec};

    const JOBS: &str = "tree = { office = ['clerk', 'manager'], field = ['farmer', { crafts = ['smith', 'mason'] }] }";

    #[test]
    fn short_branches_repeat_the_leaf() {
        let rows = spec(JOBS).rows(Path::new("")).unwrap().unwrap();
        let rows: Vec<String> = rows.iter().map(|row| row.join(";")).collect();
        assert_eq!(
            rows,
            [
                "clerk;clerk;office;*",
                "manager;manager;office;*",
                "farmer;farmer;field;*",
                "smith;crafts;field;*",
                "mason;crafts;field;*"
            ]
        );
    }

    #[test]
    fn leaves_are_those_of_the_tree() {
        let hierarchy = build(JOBS, &dictionary(&["mason", "clerk"], Some("?"))).unwrap();
        assert_eq!(path(&hierarchy, 1), ["mason", "crafts", "field", "*"]);
        assert_eq!(leaves(&hierarchy, 1), [1, 2, 3, 6]);
        assert_eq!(path(&hierarchy, 2), ["?", "?", "?", "*"]);
        let error = build(JOBS, &dictionary(&["mason", "cook"], None)).unwrap_err().to_string();
        assert!(error.contains("the tree lacks 1 of the 2 values") && error.contains("`cook`"), "{error}");
    }

    #[test]
    fn tables_of_tables_numbers_and_a_written_root_are_understood() {
        let tables = spec("[tree.east]\nnorth = [1, 2]\nsouth = [3]\n[tree.west]\nall = [4]");
        let rows = tables.rows(Path::new("")).unwrap().unwrap();
        assert_eq!(rows[2], ["3", "south", "east", "*"]);
        let root = spec("tree = { '*' = ['x', { y = ['z'] }] }").rows(Path::new("")).unwrap().unwrap();
        assert_eq!(root, [["x", "x", "*"], ["z", "y", "*"]]);
        let list = spec("tree = ['x', { y = ['z'] }]").rows(Path::new("")).unwrap().unwrap();
        assert_eq!(list, root);
    }

    #[test]
    fn defects_are_found_without_data() {
        let message = |text| spec(text).check().unwrap_err().to_string();
        assert!(message("tree = {}").contains("no groups"));
        assert!(message("tree = { a = [] }").contains("group `a` of the tree has no values"));
        let twice = message("tree = { a = ['x'], b = ['x'] }");
        assert!(twice.contains("the tree has a leaf twice with different generalizations"), "{twice}");
        let two_parents = message("tree = { a = [{ o = ['x'] }], b = [{ o = ['y'] }] }");
        assert!(two_parents.contains("`o` on level 1 has two parents"), "{two_parents}");
        assert!(two_parents.contains("`a` in leaf 1, `b` in leaf 2"), "{two_parents}");
    }

    #[test]
    fn what_is_no_tree_is_refused() {
        let message = |text| toml::from_str::<HierarchySpec>(text).unwrap_err().message().to_owned();
        assert!(message("tree = 'x'").contains("expected a list of values, or a table of further groups"));
        assert!(message("tree = { a = 'x' }").contains("expected a list of values"));
        assert!(message("tree = { a = [1.5] }").contains("expected a value in quotes"));
        assert!(message("tree = { a = [['x']] }").contains("expected a value in quotes"));
    }
}
