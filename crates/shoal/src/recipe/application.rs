//! What does a recipe make of a table?

use serde_json::json;

use super::Recipe;
use super::column_rule::{Readable, Shown};
use crate::policy::{ColumnPolicy, Policy};
use crate::prepare::{Prepared, prepare_with};
use crate::source::Counted;
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, QuasiColumn};
use shoal_core::hierarchy::{Hierarchy, Level};
use shoal_core::lattice::Node;
use shoal_core::method::{Assignment, Grouping, Label, Partition, Remark, Task};
use shoal_core::table::Dictionary;
use shoal_core::{Error, Result};

/// A recipe that is applied to a table in place of a search.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Recipe, Study, Unwatched, Writing, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// # let text = study.best(&Unwatched)?.recipe()?.to_text();
/// # let next_month = LocalSource::in_memory(sample::patients()?);
/// use shoal::Application;
///
/// let (recipe, policy) = Recipe::parse(&text, "recipe.json", "".as_ref(), &[])?;
/// let application = Application { recipe, policy, suppress_unknown: false };
/// let study = Study::following(next_month, application, &Unwatched)?;
/// let release = study.write(&study.best(&Unwatched)?, Writing::new(), &Unwatched)?;
/// assert!(release.measured.smallest >= 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Application {
    /// The recipe.
    pub recipe: Recipe,
    /// The policy in it.
    pub policy: Policy,
    /// Are rows left out that have values which the recipe does not know?
    pub suppress_unknown: bool,
}

impl Application {
    /// The table with what its values become.
    pub fn prepare(&self, counted: &Counted) -> Result<Prepared> {
        let (policy, mut rules) = (&self.policy, self.recipe.columns.iter());
        prepare_with(policy, counted, |column, values| {
            let rule = rules.next().filter(|rule| rule.column == column.name).ok_or_else(|| {
                Error::policy(format!("the recipe has no rule for column `{}`, which its policy has", column.name))
            })?;
            if rule.shown == Shown::ByClass {
                return Ok((Hierarchy::suppress(values.dictionary), (0, 1)));
            }
            let readable = Readable::new(rule, column.hierarchy.as_ref(), values.dictionary, &policy.folder)?;
            let level = level_of(&rule.shown);
            Ok((hierarchy(values.dictionary, &readable.labels(values.dictionary)?, column)?, (level, level)))
        })
    }

    /// Which of its rows go where.
    pub fn partition(&self, task: &Task<'_>) -> Result<Partition> {
        let columns = self.recipe.readable(&self.policy, task.table)?;
        let (labels, node) = match &self.recipe.classes {
            Some(rules) => (self.labels_by_class(rules.first_covering(&columns, &task.table.base), task.table), None),
            None => (self.labels_by_level(&columns, task.table)?, Some(self.node())),
        };
        let left_out = LeftOut::new(&labels, &columns, &self.recipe, task.table)?;
        let allowed = task.rows_to_spare();
        if !self.suppress_unknown && (left_out.unreadable > 0 || left_out.outside > allowed) {
            return Err(left_out.refusal(task.table, allowed));
        }
        let partition = self.settle(task, labels, &left_out)?;
        let remark = (self.suppress_unknown || left_out.rows() > 0).then(|| left_out.remark());
        Ok(Partition { node, remark, ..partition })
    }
}

/// What each combination of quasi-identifiers shows; `None` where no rule of the recipe covers it.
type Labels = Vec<Option<Vec<Label>>>;

impl Application {
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

    /// Classes of what shows the same. Those that fail a requirement are suppressed, as far as the policy allows; rows that
    /// were asked to be left out do not count.
    fn settle(&self, task: &Task<'_>, labels: Labels, left_out: &LeftOut) -> Result<Partition> {
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
        let in_classes = table.rows - left_out.rows();
        let failing = partition.as_ref().map_or(in_classes, |partition| partition.suppressed() - left_out.rows());
        let outside = if self.suppress_unknown { 0 } else { left_out.rows() };
        let allowed = task.max_suppressed.floor_of(in_classes + outside);
        if failing + outside > allowed || failing == in_classes {
            return Err(does_not_satisfy(task, failing, outside, in_classes + outside));
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
        return Err(Error::table(format!("column `{}` has a value that is written like a missing one", column.name))
            .hint("name another marker first in `missing` of the policy, and make the recipe anew"));
    }
    Ok(Hierarchy::new(vec![values, shown, Level::root(dictionary.len())]))
}

fn level_of(shown: &Shown) -> u8 {
    u8::from(*shown != Shown::AsItIs)
}

fn does_not_satisfy(task: &Task<'_>, failing: u64, outside: u64, rows: u64) -> Error {
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    let allowed = task.max_suppressed.floor_of(rows);
    let in_none = if outside > 0 { format!(", {outside} in none") } else { String::new() };
    Error::no_release(format!("recoded by the recipe, this table does not satisfy {}", names.join(" and ")))
        .detail(format!(
            "{failing} of {rows} rows are in classes that fail{in_none}; the recipe may suppress {allowed}"
        ))
        .detail("nothing was published")
        .hint("more rows may do, or a release of their own: `shoal anonymize POLICY --input TABLE`")
}

/// Rows that no rule of a recipe covers.
struct LeftOut {
    /// Rows with a value that a rule cannot read.
    unreadable: u64,
    /// Other rows that lie in no class, or in no range, that the release of the recipe shows. Rows of the recipe's own table
    /// that were suppressed may be among them, so that nobody can tell whether such values were ever seen.
    outside: u64,
    /// Those of all these rows whose values are covered one by one, but not together.
    only_together: u64,
    /// For people: which columns, how many values, and one of them.
    lines: Vec<String>,
}

impl LeftOut {
    fn new(labels: &Labels, columns: &[Readable<'_>], recipe: &Recipe, table: &CountedTable) -> Result<Self> {
        let (mut covered, mut readable) = (Vec::new(), Vec::new());
        for (place, (column, quasi)) in columns.iter().zip(&table.quasi).enumerate() {
            let of_column: Vec<bool> = match &recipe.classes {
                None => column.labels(&quasi.dictionary)?.iter().map(Option::is_some).collect(),
                Some(rules) => {
                    let labels: Vec<String> = rules.classes.iter().map(|class| class[place].clone()).collect();
                    column.covering(&labels).iter().map(|covering| !covering.is_empty()).collect()
                }
            };
            readable.push(of_column.iter().enumerate().map(|(code, &covered)| covered || column.reads(code)).collect());
            covered.push(of_column);
        }
        let has_all = |tuple: usize, known: &[Vec<bool>]| {
            known.iter().enumerate().all(|(column, known)| known[table.base.code(tuple, column) as usize])
        };
        let lines =
            table.quasi.iter().zip(&covered).filter_map(|(quasi, known)| uncovered_values(quasi, known)).collect();
        let mut left_out = Self { unreadable: 0, outside: 0, only_together: 0, lines };
        for (tuple, _) in labels.iter().enumerate().filter(|(_, labels)| labels.is_none()) {
            let rows = table.base.sizes()[tuple];
            *(if has_all(tuple, &readable) { &mut left_out.outside } else { &mut left_out.unreadable }) += rows;
            left_out.only_together += if has_all(tuple, &covered) { rows } else { 0 };
        }
        Ok(left_out)
    }

    fn rows(&self) -> u64 {
        self.unreadable + self.outside
    }

    fn refusal(&self, table: &CountedTable, allowed: u64) -> Error {
        let (rows, together) = (table.rows, self.only_together);
        let error = match self.rows() - together {
            0 => Error::table(format!("{together} of {rows} rows lie in none of the recipe's classes")),
            unknown => {
                let error = Error::table(format!("{unknown} of {rows} rows have values that the recipe does not know"));
                let error = self.lines.iter().fold(error, Error::detail);
                match together {
                    0 => error,
                    _ => error.detail(format!("{together} more have known values, but lie in none of its classes")),
                }
            }
        };
        let error =
            if self.unreadable > 0 { error } else { error.detail(format!("the recipe may suppress {allowed}")) };
        error.detail("nothing was published").hint(
            "correct them in the table; or leave these rows out with --suppress-unknown; or make a new recipe from a table \
             that has them",
        )
    }

    fn remark(&self) -> Remark {
        let text = match self.rows() {
            0 => "no row has values that the recipe does not know".to_owned(),
            rows => {
                format!("{rows} of the suppressed rows have values, alone or together, that the recipe does not know")
            }
        };
        Remark { key: "unknown_rows", json: json!(self.rows()), text }
    }
}

/// Quasi-identifiers may be named in messages.
fn uncovered_values(column: &QuasiColumn, known: &[bool]) -> Option<String> {
    let mut unknown = column.dictionary.values().iter().zip(known).filter(|(_, known)| !**known);
    let (first, _) = unknown.next()?;
    let name = &column.name;
    Some(match unknown.count() {
        0 => format!("column `{name}`: `{first}`"),
        more => format!("column `{name}`: `{first}` and {more} more"),
    })
}
