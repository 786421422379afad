//! How is a hierarchy written in a policy, by a program?
//!
//! What these give is checked where the policy is read, like anything that a person writes.

use toml::{Table, Value};

use super::HierarchySpec;

/// Numbers become intervals of these widths, a level for each.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::intervals([5, 10, 20]).to_string(), "{ intervals = [5, 10, 20] }");
/// assert_eq!(shoal_core::hierarchy::intervals([0.5, 2.5]).to_string(), "{ intervals = [0.5, 2.5] }");
/// ```
pub fn intervals(widths: impl IntoIterator<Item = impl Into<Value>>) -> Value {
    way("intervals", list(widths))
}

/// Numbers become ranges that hold equally many rows, so many on each level.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::quantiles([64, 16, 4]).to_string(), "{ quantiles = [64, 16, 4] }");
/// ```
pub fn quantiles(groups: impl IntoIterator<Item = u32>) -> Value {
    way("quantiles", list(groups))
}

/// Codes lose one character after the other, from the `"right"` or from the `"left"`.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::mask("right").to_string(), "{ mask = { from = \"right\" } }");
/// ```
pub fn mask(from: &str) -> Value {
    way("mask", way("from", from.into()))
}

/// Dates become the `"day"`, `"week"`, `"month"`, `"quarter"`, `"year"` or `"decade"` that they lie in, fine to coarse.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::dates(["month", "year"]).to_string(), "{ dates = [\"month\", \"year\"] }");
/// ```
pub fn dates<'a>(levels: impl IntoIterator<Item = &'a str>) -> Value {
    way("dates", list(levels))
}

/// A hierarchy that is built in, by its name.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::known("countries").to_string(), "{ known = \"countries\" }");
/// ```
pub fn known(name: &str) -> Value {
    way("known", name.into())
}

/// Values belong to groups, each with a name.
///
/// ```
/// let jobs = shoal_core::hierarchy::tree([("office", ["clerk", "manager"]), ("field", ["farmer", "smith"])]);
/// assert_eq!(jobs.to_string(), "{ tree = { office = [\"clerk\", \"manager\"], field = [\"farmer\", \"smith\"] } }");
/// ```
pub fn tree<'a, V: IntoIterator<Item = &'a str>>(groups: impl IntoIterator<Item = (&'a str, V)>) -> Value {
    let groups: Table = groups.into_iter().map(|(name, values)| (name.to_owned(), list(values))).collect();
    way("tree", groups.into())
}

/// A file has a row for each leaf, its columns from leaf to root; the path is relative to the folder of the policy.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::file("job.csv").to_string(), "{ file = \"job.csv\" }");
/// ```
pub fn file(path: &str) -> Value {
    way("file", path.into())
}

/// A value is shown as it is, or not at all.
///
/// ```
/// assert_eq!(shoal_core::hierarchy::suppress().to_string(), "{ suppress = {} }");
/// ```
pub fn suppress() -> Value {
    way("suppress", Table::new().into())
}

/// A hierarchy that was read before, as it stands in a policy.
///
/// ```
/// use shoal_core::hierarchy::{HierarchySpec, Intervals};
///
/// let spec = HierarchySpec::Intervals(Intervals::of_widths([5.into(), 10.into()]));
/// assert_eq!(toml::Value::from(&spec).to_string(), "{ intervals = [5, 10] }");
/// ```
impl From<&HierarchySpec> for Value {
    fn from(spec: &HierarchySpec) -> Self {
        spec.to_string().parse().expect("a hierarchy is written as TOML")
    }
}

fn list(values: impl IntoIterator<Item = impl Into<Value>>) -> Value {
    Value::Array(values.into_iter().map(Into::into).collect())
}

fn way(key: &str, value: Value) -> Value {
    Value::Table(Table::from_iter([(key.to_owned(), value)]))
}
