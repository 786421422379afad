//! Which way to make a hierarchy does the policy name, and with which parameters?

use std::fmt;
use std::path::Path;

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use super::parameters::OnlyTable;
use super::rows::Rows;
use super::{ColumnValues, Dates, File, Hierarchy, Intervals, Known, Mask, Quantiles, Suppress, Tree};
use crate::Result;
use crate::error::nearest;
use crate::table::{ColumnType, Dictionary};

/// How the hierarchy of a column is made, as a policy says it: a table with one key, which names the way.
#[derive(Debug, Clone, PartialEq, JsonSchema)]
#[schemars(rename_all = "kebab-case")]
pub enum HierarchySpec {
    /// A file with a row for each leaf, its columns from leaf to root.
    #[schemars(extend("examples" = [{ "file": "job.csv" }]))]
    File(File),
    /// Numbers become intervals, wider on each level.
    #[schemars(extend("examples" = [{ "intervals": [5, 10, 20] }]))]
    Intervals(Intervals),
    /// One character after the other is hidden.
    #[schemars(extend("examples" = [{ "mask": { "from": "right" } }]))]
    Mask(Mask),
    /// Dates become the month, the year, .. they lie in.
    #[schemars(extend("examples" = [{ "dates": ["month", "quarter", "year", "decade"] }]))]
    Dates(Dates),
    /// One that is built in, such as that of countries; `shoal hierarchy list` shows them all.
    #[schemars(extend("examples" = [{ "known": "countries" }]))]
    Known(Known),
    /// A tree written into the policy.
    #[schemars(extend("examples" = [{ "tree": { "desk": ["clerk"], "field": [{ "craft": ["smith"] }] } }]))]
    Tree(Tree),
    /// Numbers become ranges that hold equally many rows.
    #[schemars(extend("examples" = [{ "quantiles": [64, 16, 4] }]))]
    Quantiles(Quantiles),
    /// The value or nothing.
    #[schemars(extend("examples" = [{ "suppress": {} }]))]
    Suppress(Suppress),
}

/// The keys, in the order in which they are explained.
const NAMES: [&str; 8] = ["file", "intervals", "mask", "dates", "known", "tree", "quantiles", "suppress"];

impl HierarchySpec {
    /// The key that names the way.
    pub fn name(&self) -> &'static str {
        match self {
            Self::File(_) => "file",
            Self::Intervals(_) => "intervals",
            Self::Mask(_) => "mask",
            Self::Dates(_) => "dates",
            Self::Known(_) => "known",
            Self::Tree(_) => "tree",
            Self::Quantiles(_) => "quantiles",
            Self::Suppress(_) => "suppress",
        }
    }

    /// How dates are written, where somebody has said so.
    pub fn date_format(&self) -> Option<&str> {
        match self {
            Self::Dates(dates) => dates.format(),
            _ => None,
        }
    }

    /// Are the parameters sound? This needs no data and opens no file.
    pub fn check(&self) -> Result<()> {
        self.check_showing(true)
    }

    /// The same, where a message may show labels of the hierarchy or not.
    pub fn check_showing(&self, may_print: bool) -> Result<()> {
        match self {
            Self::File(file) => file.check(),
            Self::Intervals(intervals) => intervals.check(),
            Self::Dates(dates) => dates.check(),
            Self::Known(known) => known.check(),
            Self::Tree(tree) => tree.check(may_print),
            Self::Quantiles(quantiles) => quantiles.check(),
            Self::Mask(mask) => mask.check(),
            Self::Suppress(_) => Ok(()),
        }
    }

    /// The hierarchy over the values of a column; relative paths start in `folder`.
    pub fn build(&self, column: &ColumnValues<'_>, folder: &Path) -> Result<Hierarchy> {
        self.check_showing(column.may_print)?;
        match self {
            Self::File(file) => file.build(column, folder),
            Self::Intervals(intervals) => intervals.build(column),
            Self::Mask(mask) => mask.build(column),
            Self::Dates(dates) => dates.build(column),
            Self::Known(known) => known.build(column),
            Self::Tree(tree) => tree.build(column),
            Self::Quantiles(quantiles) => quantiles.build(column),
            Self::Suppress(suppress) => Ok(suppress.build(column)),
        }
    }

    /// The same way for other tables: what it takes from the values of this one is fixed.
    #[must_use]
    pub fn fixed(&self, dictionary: &Dictionary) -> Self {
        match self {
            Self::Mask(mask) => Self::Mask(mask.fixed(dictionary.present())),
            other => other.clone(),
        }
    }

    /// Can a value of a column of this type be generalized, as far as that can be told without the rows of a hierarchy that
    /// lists its leaves?
    pub fn reads(&self, value: &str, column_type: &ColumnType) -> bool {
        match self {
            Self::Intervals(_) | Self::Quantiles(_) => column_type.number(value).is_some(),
            Self::Mask(mask) => mask.reads(value),
            Self::Dates(dates) => dates.reads(value, column_type),
            Self::Known(known) => known.reads(value, column_type),
            Self::File(_) | Self::Tree(_) | Self::Suppress(_) => true,
        }
    }

    /// The hierarchy by itself, its leaves in the order in which they are written, where it does not depend on the
    /// data; none for those that are generated.
    pub fn standalone(&self, folder: &Path) -> Result<Option<Hierarchy>> {
        self.leaf_rows(folder, true)?.map(Rows::standalone).transpose()
    }

    /// The rows from leaf to root, all equally long, of a hierarchy that does not depend on the data; none
    /// for those that are generated. They may be those of a sensitive column: no message shows a label.
    pub fn rows(&self, folder: &Path) -> Result<Option<Vec<Vec<String>>>> {
        let rows = self.leaf_rows(folder, false)?.map(Rows::checked).transpose()?;
        Ok(rows.map(Rows::into_labels))
    }

    /// Does it look different for other values and numbers of rows?
    pub fn depends_on_data(&self) -> bool {
        matches!(self, Self::Intervals(_) | Self::Mask(_) | Self::Dates(_) | Self::Known(_) | Self::Quantiles(_))
    }

    /// The rows as they were written, right or wrong; messages about them may show labels or not.
    pub(super) fn leaf_rows(&self, folder: &Path, may_print: bool) -> Result<Option<Rows>> {
        let rows = match self {
            Self::File(file) => file.read(folder)?,
            Self::Tree(tree) => tree.rows(may_print)?,
            _ => return Ok(None),
        };
        Ok(Some(rows.showing(may_print)))
    }
}

/// As it stands in a policy: `{ intervals = [5, 10] }`.
impl fmt::Display for HierarchySpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = match self {
            Self::File(file) => file.to_toml(),
            Self::Intervals(intervals) => intervals.to_toml(),
            Self::Mask(mask) => mask.to_toml(),
            Self::Dates(dates) => dates.to_toml(),
            Self::Known(known) => known.to_toml(),
            Self::Tree(tree) => tree.to_toml(),
            Self::Quantiles(quantiles) => quantiles.to_toml(),
            Self::Suppress(_) => toml::Table::new().into(),
        };
        write!(f, "{{ {} = {parameters} }}", self.name())
    }
}

impl<'de> Deserialize<'de> for HierarchySpec {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // By hand, since serde's message for an enum with two keys or none is about elements, not hierarchies.
        deserializer.deserialize_map(SpecVisitor)
    }
}

struct SpecVisitor;

impl<'de> Visitor<'de> for SpecVisitor {
    type Value = HierarchySpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a hierarchy: a table with one of the keys {}", keys())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<HierarchySpec, A::Error> {
        let Some(name) = table.next_key::<String>()? else {
            return Err(A::Error::custom(format!("an empty hierarchy: it needs one of the keys {}", keys())));
        };
        let spec = match name.as_str() {
            "file" => HierarchySpec::File(table.next_value()?),
            "intervals" => HierarchySpec::Intervals(table.next_value()?),
            "mask" => HierarchySpec::Mask(table.next_value::<OnlyTable<Mask>>()?.0),
            "dates" => HierarchySpec::Dates(table.next_value()?),
            "known" => HierarchySpec::Known(table.next_value()?),
            "tree" => HierarchySpec::Tree(table.next_value()?),
            "quantiles" => HierarchySpec::Quantiles(table.next_value()?),
            "suppress" => HierarchySpec::Suppress(table.next_value::<OnlyTable<Suppress>>()?.0),
            unknown => {
                let meant = match nearest(unknown, NAMES) {
                    Some(known) => format!("did you mean `{known}`?"),
                    None => format!("it needs one of the keys {}", keys()),
                };
                return Err(A::Error::custom(format!("there is no hierarchy `{unknown}`: {meant}")));
            }
        };
        match table.next_key::<String>()? {
            None => Ok(spec),
            Some(second) => Err(A::Error::custom(format!(
                "a hierarchy is made in one way, but here are two: `{name}` and `{second}`"
            ))),
        }
    }
}

fn keys() -> String {
    NAMES.map(|name| format!("`{name}`")).join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    struct Column {
        hierarchy: HierarchySpec,
    }

    fn parse(text: &str) -> Result<HierarchySpec, String> {
        let column = toml::from_str::<Column>(&format!("hierarchy = {text}"));
        column.map(|column| column.hierarchy).map_err(|error| error.message().to_owned())
    }

    #[test]
    fn every_way_is_read_and_written_back() {
        for text in [
            "{ file = \"x.csv\" }",
            "{ intervals = [5, 10, 20] }",
            "{ intervals = { widths = [0.5, 1], origin = 0.25, bottom = 20, top = 80 } }",
            "{ mask = { from = \"right\" } }",
            "{ mask = { from = \"left\", character = \"x\", length = 5 } }",
            "{ dates = [\"month\", \"quarter\", \"year\", \"decade\"] }",
            "{ dates = { levels = [\"week\"], format = \"%d/%m/%Y\" } }",
            "{ known = \"countries\" }",
            "{ known = { name = \"states\", levels = [\"division\"], country = \"US\", unknown = \"other\" } }",
            "{ tree = { office = [\"clerk\", \"manager\"], field = [\"farmer\", { crafts = [\"smith\"] }] } }",
            "{ quantiles = [64, 16, 4] }",
            "{ suppress = {} }",
        ] {
            let spec = parse(text).unwrap();
            assert_eq!(spec.to_string(), text);
            assert!(spec.check().is_ok(), "{text}");
            assert!(text.contains(spec.name()));
        }
    }

    #[test]
    fn one_key_is_needed() {
        assert!(parse("{}").unwrap_err().starts_with("an empty hierarchy: it needs one of the keys `file`, "));
        let two = parse("{ mask = {}, suppress = {} }").unwrap_err();
        assert_eq!(two, "a hierarchy is made in one way, but here are two: `mask` and `suppress`");
    }

    #[test]
    fn an_unknown_key_names_the_nearest() {
        assert_eq!(
            parse("{ interval = [5] }").unwrap_err(),
            "there is no hierarchy `interval`: did you mean `intervals`?"
        );
        assert!(parse("{ colour = 1 }").unwrap_err().contains("one of the keys `file`"));
        assert!(parse("{ intervals = { width = 5 } }").unwrap_err().contains("unknown field `width`"));
        assert!(parse("{ dates = ['hour'] }").unwrap_err().contains("unknown variant `hour`"));
        assert!(parse("'mask'").unwrap_err().contains("a hierarchy: a table with one of the keys"));
        assert!(parse("{ intervals = 5 }").unwrap_err().contains("a list, or a table of parameters"));
        assert!(parse("{ mask = [] }").unwrap_err().contains("a table of parameters"));
        assert!(parse("{ suppress = [] }").unwrap_err().contains("a table of parameters"));
    }

    #[test]
    fn an_error_knows_its_place() {
        let place = |text: &str| toml::from_str::<Column>(text).unwrap_err().span().map(|span| text[span].to_owned());
        assert_eq!(place("x = 1\nhierarchy = { intervals = [5, 'ten'] }").as_deref(), Some("'ten'"));
        assert_eq!(place("x = 1\nhierarchy = { interval = [5] }").as_deref(), Some("{ interval = [5] }"));
        assert_eq!(place("hierarchy = { tree = { a = [1.5] } }").as_deref(), Some("1.5"));
        assert_eq!(place("hierarchy = { mask = { form = 'left' } }").as_deref(), Some("form"));
    }
}
