//! What does a recipe make of a table?

use serde_json::json;

use super::Recipe;
use super::column_rule::{Readable, Shown};
use crate::exact::Ratio;
use crate::frequency::{CountedTable, QuasiColumn};
use crate::hierarchy::{Hierarchy, Level};
use crate::lattice::Node;
use crate::method::{Assignment, Grouping, Label, Partition, Remark, Task};
use crate::pipeline::{Plan, prepare_with};
use crate::policy::{ColumnPolicy, Policy};
use crate::progress::Progress;
use crate::source::Counted;
use crate::table::Dictionary;
use crate::{Error, Result};

/// A recipe that is applied to a table in place of a search.
#[derive(Debug)]
pub struct Application<'a> {
    /// The recipe.
    pub recipe: &'a Recipe,
    /// The policy in it.
    pub policy: &'a Policy,
    /// Are rows left out that have values which the recipe does not know?
    pub suppress_unknown: bool,
}

impl Plan for Application<'_> {
    fn prepare(&self, policy: &Policy, counted: Counted) -> Result<CountedTable> {
        let mut rules = self.recipe.columns.iter();
        prepare_with(policy, counted, |column, values| {
            let rule = rules.next().filter(|rule| rule.column == column.name).ok_or_else(|| {
                Error::new(format!("the recipe has no rule for column `{}`, which its policy has", column.name))
            })?;
            if rule.shown == Shown::ByClass {
                return Ok((Hierarchy::suppress(values.dictionary), (0, 1)));
            }
            let readable = Readable::new(rule, column.hierarchy.as_ref(), values.dictionary, &policy.folder)?;
            let level = level_of(&rule.shown);
            Ok((hierarchy(values.dictionary, &readable.labels(values.dictionary)?, column)?, (level, level)))
        })
    }

    fn partition(&self, task: &Task<'_>, _: &dyn Progress) -> Result<Partition> {
        let columns = self.recipe.readable(self.policy, task.table)?;
        let (labels, node) = match &self.recipe.classes {
            Some(rules) => (self.labels_by_class(rules.first_covering(&columns, &task.table.base), task.table), None),
            None => (self.labels_by_level(&columns, task.table)?, Some(self.node())),
        };
        let unknown = Unknown::new(&labels, &columns, self.recipe, task.table)?;
        if unknown.rows > 0 && !self.suppress_unknown {
            return Err(unknown.refusal(task.table));
        }
        let partition = self.settle(task, labels, &unknown)?;
        let remark = self.suppress_unknown.then(|| unknown.remark());
        Ok(Partition { node, remark, ..partition })
    }
}

/// What each combination of quasi-identifiers shows; `None` where the recipe does not know it.
type Labels = Vec<Option<Vec<Label>>>;

impl Application<'_> {
    fn node(&self) -> Node {
        Node::new(self.recipe.columns.iter().map(|rule| level_of(&rule.shown)).collect())
    }

    fn labels_by_level(&self, columns: &[Readable<'_>], table: &CountedTable) -> Result<Labels> {
        let known = columns
            .iter()
            .zip(&table.quasi)
            .map(|(column, quasi)| column.labels(&quasi.dictionary))
            .collect::<Result<Vec<_>>>()?;
        let label = |tuple: usize, column: usize| {
            let code = table.base.code(tuple, column);
            known[column][code as usize].as_ref()?;
            let level = level_of(&self.recipe.columns[column].shown);
            let node = table.quasi[column].hierarchy.level(usize::from(level)).node_of(code);
            Some(Label::Node { level, node })
        };
        let labels = |tuple: usize| (0..columns.len()).map(|column| label(tuple, column)).collect();
        Ok((0..table.base.classes()).map(labels).collect())
    }

    fn labels_by_class(&self, found: Vec<Option<u32>>, table: &CountedTable) -> Labels {
        let rules = self.recipe.classes.as_ref().map_or(&[][..], |rules| &rules.classes);
        let labels = |(tuple, class): (usize, Option<u32>)| {
            let texts = rules[class? as usize].iter().enumerate();
            // Which values of this table the class covers is known of those that are in it.
            let label = |(column, text): (usize, &String)| {
                let code = table.base.code(tuple, column);
                Label::Number { text: text.as_str().into(), first: code, last: code }
            };
            Some(texts.map(label).collect())
        };
        found.into_iter().enumerate().map(labels).collect()
    }

    /// Classes of what shows the same; those that fail a requirement are suppressed, as far as the policy allows.
    fn settle(&self, task: &Task<'_>, labels: Labels, unknown: &Unknown) -> Result<Partition> {
        let table = task.table;
        let mut grouping = Grouping::new(table.quasi.len());
        for (tuple, labels) in labels.into_iter().enumerate() {
            let class = labels.map(|labels| grouping.class(labels));
            let (shown, counts) = table.base.entries(tuple);
            for (place, (&shows, &count)) in shown.iter().zip(counts).enumerate() {
                let tuple = (table.base.first_entry(tuple) + place) as u32;
                grouping.assign(Assignment { tuple, class, shows, count });
            }
        }
        let partition = grouping.settle(&Task { max_suppressed: Ratio::from(1), ..*task });
        let known = table.rows - unknown.rows;
        let failing = partition.as_ref().map_or(known, |partition| partition.suppressed() - unknown.rows);
        if failing > task.max_suppressed.floor_of(known) || failing == known {
            return Err(does_not_satisfy(task, failing, known));
        }
        partition
    }
}

/// What values become that the recipe does not know: no label, since their rows are released nowhere.
const NOWHERE: &str = "\0";

/// The values of a table, what they become, and the root.
fn hierarchy(dictionary: &Dictionary, labels: &[Option<String>], column: &ColumnPolicy) -> Result<Hierarchy> {
    let values = Level::of_values(dictionary.values());
    let shown = Level::from_labels(labels.iter().map(|label| label.as_deref().unwrap_or(NOWHERE)));
    if values.first_split(&shown).is_some() {
        return Err(Error::new(format!("column `{}` has a value that is written like a missing one", column.name))
            .hint("name another marker first in `missing` of the policy, and make the recipe anew"));
    }
    Ok(Hierarchy::new(vec![values, shown, Level::root(dictionary.len())]))
}

fn level_of(shown: &Shown) -> u8 {
    u8::from(*shown != Shown::AsItIs)
}

fn does_not_satisfy(task: &Task<'_>, failing: u64, rows: u64) -> Error {
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    let allowed = task.max_suppressed.floor_of(rows);
    Error::answer_is_no(format!("recoded by the recipe, this table does not satisfy {}", names.join(" and ")))
        .detail(format!("{failing} of {rows} rows are in classes that fail; the recipe may suppress {allowed}"))
        .detail("nothing was published")
        .hint("more rows may do, or a release of their own: `shoal anonymize POLICY --input TABLE`")
}

/// What a recipe does not know of a table.
struct Unknown {
    rows: u64,
    /// For people: which columns, how many values, and one of them.
    lines: Vec<String>,
}

impl Unknown {
    fn new(labels: &Labels, columns: &[Readable<'_>], recipe: &Recipe, table: &CountedTable) -> Result<Self> {
        let unknown = || labels.iter().enumerate().filter(|(_, labels)| labels.is_none()).map(|(tuple, _)| tuple);
        let rows = unknown().map(|tuple| table.base.sizes()[tuple]).sum();
        let mut lines = Vec::new();
        for (place, (column, quasi)) in columns.iter().zip(&table.quasi).enumerate() {
            let values = match &recipe.classes {
                None => column.labels(&quasi.dictionary)?.iter().map(Option::is_some).collect(),
                Some(rules) => {
                    let labels: Vec<String> = rules.classes.iter().map(|class| class[place].clone()).collect();
                    column.covering(&labels).iter().map(|covering| !covering.is_empty()).collect::<Vec<bool>>()
                }
            };
            lines.extend(unknown_values(quasi, &values));
        }
        if lines.is_empty() && rows > 0 {
            lines.push(format!("{} combinations of known values lie in none of its classes", unknown().count()));
        }
        Ok(Self { rows, lines })
    }

    fn refusal(&self, table: &CountedTable) -> Error {
        let what = format!("{} of {} rows have values that the recipe does not know", self.rows, table.rows);
        let error = self.lines.iter().fold(Error::new(what), Error::detail);
        error.detail("nothing was published").hint(
            "correct them in the table; or leave these rows out with --suppress-unknown; or make a new recipe from a table \
             that has them",
        )
    }

    fn remark(&self) -> Remark {
        let text = match self.rows {
            0 => "no row has values that the recipe does not know".to_owned(),
            rows => format!("{rows} of the suppressed rows have values that the recipe does not know"),
        };
        Remark { key: "unknown_rows", json: json!(self.rows), text }
    }
}

/// Quasi-identifiers may be named in messages.
fn unknown_values(column: &QuasiColumn, known: &[bool]) -> Option<String> {
    let mut unknown = column.dictionary.values().iter().zip(known).filter(|(_, known)| !**known);
    let (first, _) = unknown.next()?;
    let name = &column.name;
    Some(match unknown.count() {
        0 => format!("column `{name}`: `{first}`"),
        more => format!("column `{name}`: `{first}` and {more} more"),
    })
}
