//! Which level should each column have, the same for all rows?

mod blocking;
mod border;
mod budget;
mod coarse;
mod exhaustive;
mod history;
mod incognito;
mod judge;
mod local;
mod open;
mod optimal;
mod solutions;

pub use blocking::{Blocking, blocking, blocking_alone};
pub use budget::Budget;
pub use judge::{Judge, Verdict};
pub use solutions::{Solution, Solutions, satisfying_nodes, solutions};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fallback::{better, with_or_without_suppression};
use super::grouping::valued_by_labels;
use super::whole_people::WholePeople;
use super::{
    Assignment, Classes, ColumnSums, Knows, Label, LabelStyle, Method, Partition, Showing, Task, eligible_range,
};
use crate::frequency::{CountedTable, QuasiColumn};
use crate::lattice::Node;
use crate::model::{Complaint, Monotonicity, Requirement};
use crate::objective::order::Least;
use crate::objective::{Candidate, LabelSums, values};
use crate::watch::Watch;
use crate::error::{self, Kind};
use crate::{Error, Result};

/// # full-domain
///
/// **Definition.** Every quasi-identifier is generalized to one level of its hierarchy, the same for all rows; classes
/// that still fail a requirement are suppressed, within `max-suppressed`. Of all combinations of levels (the lattice) the
/// one with the least `objective` is taken.
/// **Searches.** `optimal`, the default: best-first by a lower bound on the objective, with binary search along chains;
/// `incognito`: a-priori over subsets of the quasi-identifiers, which finds every satisfying node; `exhaustive`: every
/// node. All three give the same release: of combinations that lose the same, the one with the smallest sum of levels, then
/// the one with the lower level in the first column of the policy in which they differ. Values that differ by no more than
/// 1e-12 of the smaller one (by no more than 1e-12, if that is below 1) are the same.
/// **Local.** With `local = true` combinations of levels are taken in the order of what they lose at least, and each
/// releases what it can of the rows that are left (a hundredth of them, or it is passed over); what is left at last joins
/// the classes that it costs least. Far less is lost, and a column shows labels of several levels. Where no class can take
/// them, they are suppressed, or there is one combination for all rows, as without `local`: whichever loses less.
/// **Use it** where columns should look the same in all rows, as statistical software expects.
/// **Weakness.** One rare person can force everybody's age into a wide range; a small `max-suppressed` helps.
/// **Parameters.** `search`, `objective`, `max-suppressed` (a fraction of the rows, 0 by default), `budget` (a time such as
/// "30s", or a number of nodes, after which an optimal search gives the best release so far and how far it can be from the
/// optimum at most, the `gap`; with `local`, the budget is for combinations in their order,
/// and is 100,000 of them if none is given), `local`.
/// **Example.** `age` to decades and `zip code` to three digits.
/// **Reference.** Samarati 2001; LeFevre et al. 2005 (Incognito); Kohlmayer et al. 2012 (Flash).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct FullDomain {
    /// How the lattice is searched.
    pub search: Search,
    /// After which time (30s, 500ms, 5m, 1h) or how many nodes an optimal search gives the best release so far. Without it,
    /// the search goes on to its end; with `local`, to 100,000 combinations of levels. Where a run takes several
    /// searches, a time is for all of them together, though each has at least a tenth of it; a number is for each.
    #[schemars(extend("examples" = ["30s"]))]
    pub budget: Option<Budget>,
    /// May rows have levels of their own, so that a column shows labels of several levels and far less is lost?
    pub local: bool,
}

/// How the lattice is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// The node of least loss, by lower bounds and chains.
    #[default]
    Optimal,
    /// Every satisfying node, by subsets of the quasi-identifiers.
    Incognito,
    /// Every node.
    Exhaustive,
}

/// What a search has found.
#[derive(Debug)]
pub(crate) struct Found {
    best: Least<Place>,
    closest: Option<Closest>,
    checked: u64,
    /// The smallest lower bound of what was left unsearched, if something was.
    open_bound: Option<f64>,
}

/// The order of nodes that have lost the same: by height, then by levels in the order of the policy's columns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    height: u32,
    node: Node,
}

impl Place {
    fn of(node: Node) -> Self {
        Self { height: node.height(), node }
    }
}

/// A node that does not satisfy, and how many rows it would have to suppress.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Closest {
    suppressed: u64,
    height: u32,
    node: Node,
}

impl Found {
    fn new() -> Self {
        Self { best: Least::default(), closest: None, checked: 0, open_bound: None }
    }

    fn offer(&mut self, value: f64, node: Node) {
        self.best.offer(value, Place::of(node));
    }

    fn came_close(&mut self, node: Node, suppressed: u64) {
        let closest = Closest { suppressed, height: node.height(), node };
        if self.closest.as_ref().is_none_or(|best| closest < *best) {
            self.closest = Some(closest);
        }
    }
}

impl Method for FullDomain {
    fn id(&self) -> &'static str {
        "full-domain"
    }

    fn samples() -> Vec<Self> {
        let search = |search| Self { search, ..Self::default() };
        let local = Self { local: true, ..Self::default() };
        vec![Self::default(), search(Search::Incognito), search(Search::Exhaustive), local]
    }

    fn check(&self) -> Result<(), Complaint> {
        if self.budget.is_some() && self.search != Search::Optimal {
            let message = "`budget` is for `search = \"optimal\"`; the others look at everything";
            return Err(Complaint::new("budget", message));
        }
        if self.local && self.search != Search::Optimal {
            let message = "`local` takes combinations of levels in an order of its own";
            return Err(Complaint::new("search", message).hint("leave out `search`"));
        }
        Ok(())
    }

    fn is_local(&self) -> bool {
        false
    }

    fn has_budget(&self) -> bool {
        self.budget.is_some()
    }

    fn showing(&self, _: LabelStyle) -> Showing {
        if self.local { Showing::labels(LabelStyle::HIERARCHY) } else { Showing { one_level: true, ..Showing::nothing() } }
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        eligible_range(task).refuse_the_impossible(task)?;
        if let Some(people) = task.table.people.as_ref().filter(|_| task.knows == Knows::AllRows) {
            let whole = WholePeople::new(task.table, people);
            let of_people = Task { table: whole.table(), knows: Knows::OneRow, ..*task };
            return whole.rows(task, self.partition(&of_people, watch), watch);
        }
        if !self.local {
            return self.one_combination(task, watch);
        }
        with_or_without_suppression(task, &|task| self.several_combinations(task, watch))
    }
}

impl FullDomain {
    /// The release in which rows have levels of their own.
    fn several_combinations(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        let local = local::partition(self.budget, task, watch);
        let may_be_beaten = match &local {
            Ok(local) => local.suppressed() > 0,
            Err(error) => error.kind() == Kind::NoRelease,
        };
        if !may_be_beaten {
            return local;
        }
        // Rows are left that no class can take without failing; one combination of levels for all may still do. Whoever asks
        // for labels of several levels has what they come to, though here they are of one.
        let one = self.one_combination(task, watch);
        let one = one.map(|one| valued_by_labels(task, Partition { gap: None, ..one }));
        match (local, one) {
            (Ok(local), Ok(one)) => Ok(better(task, local, one)),
            (Ok(local), Err(_)) => Ok(local),
            (Err(_), one) => one,
        }
    }

    /// The release with one combination of levels for all rows.
    fn one_combination(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        let judge = Judge::new(task);
        let found = self.search(&judge, watch)?;
        match found.best.into_winner() {
            Some((_, Place { node, .. })) => {
                // Levels below that were not looked at may show just the same, and lose less.
                let node = if found.open_bound.is_some() { lowest_alike(task.table, &node) } else { node };
                let partition = partition_at(&judge, &node, found.checked);
                let gap = found.open_bound.map_or(0.0, |open| (partition.lost(task.objective) - open).max(0.0));
                Ok(Partition { gap: Some(gap), ..partition })
            }
            None if found.open_bound.is_some() => Err(out_of_budget()),
            None => {
                let (closest, is_known) = self.closest(&judge, found.closest, watch)?;
                Err(no_release(&judge, closest, is_known))
            }
        }
    }

    /// What comes closest where no node satisfies, and whether it is known that nothing comes closer.
    ///
    /// Where all models promise that what fails is made of what fails, no node needs less than the most general one. Where they promise less, one
    /// that was ruled out unseen may; then all are looked at, if they are few.
    fn closest(
        &self,
        judge: &Judge<'_>,
        seen: Option<Closest>,
        watch: &dyn Watch,
    ) -> Result<(Option<Closest>, bool)> {
        let is_always = |requirement: &Requirement| requirement.model.monotonicity() == Monotonicity::Always;
        if self.search == Search::Exhaustive || judge.task.requirements.iter().all(is_always) {
            return Ok((seen, true));
        }
        let a_look = judge.task.table.base.tuples().max(LEAST_LOOK) as u128;
        if judge.lattice.size().saturating_mul(a_look) > MOST_LOOKS {
            return Ok((seen, false));
        }
        let every = exhaustive::search(judge, watch)?;
        let is_known = every.open_bound.is_none();
        Ok((if is_known { every.closest } else { seen }, is_known))
    }

    fn search(&self, judge: &Judge<'_>, watch: &dyn Watch) -> Result<Found> {
        let mut found = match self.search {
            Search::Optimal => optimal::search(judge, self.budget, watch),
            Search::Incognito => incognito::search(judge, watch),
            Search::Exhaustive => exhaustive::search(judge, watch),
        }?;
        if found.best.winner().is_none() && found.open_bound.is_some() && watch.ends_search() {
            // Whoever asks for the best so far gets the most general release, if there is no other yet.
            let top = judge.lattice.top();
            let set = judge.scan(top);
            let verdict = judge.judge(&set);
            if judge.satisfies(&verdict) {
                found.offer(judge.value(&set, &verdict), top.clone());
            }
        }
        Ok(found)
    }
}

/// The release with these levels, of whatever classes satisfy; an error if the policy does not allow them.
pub fn release_at(task: &Task<'_>, node: &Node) -> Result<Partition> {
    task.refuse_whole_people("a release at given levels")?;
    allows_levels(task, node)?;
    Ok(partition_at(&Judge::new(task), node, 1))
}

/// Are these levels of the policy's columns? An error says which are not.
pub fn allows_levels(task: &Task<'_>, node: &Node) -> Result<()> {
    let is_allowed = |(column, &level): (&QuasiColumn, &u8)| (column.min_level..=column.max_level).contains(&level);
    let columns = &task.table.quasi;
    if node.levels().len() != columns.len() {
        return Err(Error::policy(format!("{} levels, and there are {} quasi-identifiers", node.levels().len(), columns.len())));
    }
    match columns.iter().zip(node.levels()).find(|pair| !is_allowed(*pair)) {
        None => Ok(()),
        Some((column, level)) => {
            Err(Error::policy(format!("level {level} of `{}` is none that the policy allows", column.name))
                .hint(format!("its levels are {} to {}", column.min_level, column.max_level)))
        }
    }
}

/// The lowest levels at which every value has the label that it has at a node.
fn lowest_alike(table: &CountedTable, node: &Node) -> Node {
    let lowest = |(column, &level): (&QuasiColumn, &u8)| {
        let label = |level: u8, code: u32| {
            let level = column.hierarchy.level(usize::from(level));
            level.label(level.node_of(code))
        };
        let codes = 0..column.dictionary.len() as u32;
        let is_alike = |lower: &u8| codes.clone().all(|code| label(*lower, code) == label(level, code));
        (column.min_level..level).find(is_alike).unwrap_or(level)
    };
    Node::new(table.quasi.iter().zip(node.levels()).map(lowest).collect())
}

fn partition_at(judge: &Judge<'_>, node: &Node, checked: u64) -> Partition {
    let table = judge.task.table;
    let (set, class_of) = judge.summaries.at_and_tell(node);
    let verdict = judge.judge(&set);
    let candidate = judge.candidate(&set, &verdict);
    let objectives = values(&candidate);

    let mut place_of: Vec<Option<u32>> = vec![None; set.classes()];
    let (mut places, mut classes) = (Vec::new(), 0);
    for class in (0..set.classes()).filter(|&class| verdict.accepted[class]) {
        place_of[class] = Some(classes);
        classes += 1;
        places.extend((0..table.quasi.len()).map(|column| set.code(class, column)));
    }
    let mut assignments = Vec::with_capacity(table.base.tuples());
    for (class, &became) in class_of.iter().enumerate() {
        let (shown, counts) = table.base.entries(class);
        let (first, class) = (table.base.first_entry(class), place_of[became as usize]);
        let assignment = |(place, (&shows, &count))| Assignment { tuple: (first + place) as u32, class, shows, count };
        assignments.extend(shown.iter().zip(counts).enumerate().map(assignment));
    }
    Partition {
        classes: Classes::from_places(labels_at(table, node), places, classes as usize),
        assignments,
        sensitive: None,
        node: Some(node.clone()),
        gap: None,
        objectives,
        lattice: Some((judge.lattice.size(), checked)),
        sums: sums_of(&candidate),
        level_of_people: None,
        is_separated: false,
        remark: None,
    }
}

/// What the labels of each column come to. Sensitive values are shown as they are.
fn sums_of(candidate: &Candidate<'_>) -> ColumnSums {
    let quasi = |column: usize| LabelSums {
        covered_leaves: candidate.covered_leaves(column),
        information: candidate.information(column),
        levels: candidate.levels(column),
        bits: candidate.bits(column),
    };
    let released = candidate.released();
    let untouched =
        LabelSums { covered_leaves: released.into(), information: released as f64, ..LabelSums::default() };
    ColumnSums {
        quasi: (0..candidate.columns.quasi.len()).map(quasi).collect(),
        sensitive: vec![untouched; candidate.columns.sensitive_weights.len()],
        squares: candidate.squares,
    }
}

/// Every label of each column at its level, so that a code at the node is the place of its label.
fn labels_at(table: &CountedTable, node: &Node) -> Vec<Vec<Label>> {
    let labels = |(quasi, &level): (&QuasiColumn, &u8)| {
        let nodes = quasi.hierarchy.level(usize::from(level)).len() as u32;
        (0..nodes).map(|node| Label::Node { level, node }).collect()
    };
    table.quasi.iter().zip(node.levels()).map(labels).collect()
}

fn out_of_budget() -> Error {
    Error::no_release("no release was found in the time that the search had, and it has not come to its end")
        .hint("give it more time (`budget` in [method]), allow more suppression, or ask for less")
}

/// So many tuples are looked at for a better hint: less than a second's work.
const MOST_LOOKS: u128 = 10_000_000;

/// To look at a node takes as long as so many tuples, if it has fewer.
const LEAST_LOOK: usize = 1000;

/// What to say when no node satisfies: which came closest, as far as that is known, and what would help.
fn no_release(judge: &Judge<'_>, closest: Option<Closest>, is_known: bool) -> Error {
    let task = judge.task;
    let names: Vec<String> = task.requirements.iter().map(|requirement| requirement.model.name()).collect();
    let limit = (task.max_suppressed.to_f64() * 1e8).round() / 1e6;
    let suppressing = if limit > 0.0 {
        format!("with at most {limit}% of rows suppressed")
    } else {
        "without suppressing rows".to_owned()
    };
    let error = Error::no_release(format!("no generalization satisfies {} {suppressing}", names.join(" and ")));
    let Some(closest) = closest else { return error };
    let rows = task.table.rows;
    let levels = task.table.quasi.iter().map(|column| column.name.clone()).zip(closest.node.levels().to_vec());
    let levels: Vec<(String, u8)> = levels.filter(|(name, _)| !name.is_empty()).collect();
    let (suppressed_rows, allowed_rows) = (closest.suppressed, task.rows_to_spare());
    let error = error.with_closest(error::Closest { levels: levels.clone(), suppressed_rows, allowed_rows });
    let levels = levels.iter().map(|(name, level)| format!("{name} {level}")).collect::<Vec<_>>().join(", ");
    if closest.suppressed >= rows {
        let mut named = task.table.quasi.iter().filter(|column| !column.name.is_empty());
        let limited = named.any(|column| usize::from(column.max_level) < column.hierarchy.height());
        let hint = if limited { "raise `max-level`, or ask for less" } else { "ask for less" };
        let detail = match is_known {
            true => "even at the most general levels that are allowed, every row would have to be suppressed",
            false => "at all levels that were looked at, every row would have to be suppressed",
        };
        return error.detail(detail).hint(hint);
    }
    let percent = closest.suppressed as f64 / rows as f64 * 100.0;
    // The smallest limit with four decimals that lets this many rows go.
    let enough = (closest.suppressed as f64 / rows as f64 * 1e4).ceil() / 1e4;
    let hint = match enough {
        // A release without most of its rows is hardly what anybody wants.
        0.5.. => "ask for less, or give a quasi-identifier more levels".to_owned(),
        _ => format!("raise `max-suppressed` to {enough}, ask for less, or give a quasi-identifier more levels"),
    };
    let which = if is_known { "the closest" } else { "the closest that was looked at" };
    error
        .detail(format!("{which} ({levels}) still needs {percent:.2}% ({} of {rows} rows)", closest.suppressed))
        .hint(hint)
}
