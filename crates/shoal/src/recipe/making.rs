//! Which recipe did a run follow?

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::column_rule::{ColumnRule, Readable, Shown};
use super::{ClassRules, Recipe, VERSION, files};
use crate::policy::{ColumnPolicy, Policy, Role};
use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, QuasiColumn, SensitiveColumn};
use shoal_core::hierarchy::HierarchySpec;
use shoal_core::lattice::Node;
use shoal_core::method::{Assignment, Cover, Grouping, Label, Partition, Task};
use shoal_core::{Error, Result};

impl Recipe {
    /// The recipe that gives this partition of this table. A release whose recipe cannot be written is not what was asked for: better to
    /// know before anything is published.
    pub fn of(policy: &Policy, task: &Task<'_>, partition: &Partition) -> Result<Self> {
        refuse_what_no_rule_gives(policy, partition)?;
        let quasi = || policy.with_role(Role::QuasiIdentifier);
        let pairs = || task.table.quasi.iter().zip(quasi());
        let shown = |place: usize, column: &QuasiColumn, policy: &ColumnPolicy| match &partition.node {
            None => Shown::ByClass,
            Some(node) => shown_at(node.levels()[place], column, policy, partition, place),
        };
        let rule = |(place, (column, policy)): (usize, (&QuasiColumn, &ColumnPolicy))| ColumnRule {
            column: column.name.clone(),
            column_type: column.dictionary.column_type().clone(),
            shown: shown(place, column, policy),
        };
        let mut sections = fixed_policy(policy, task.table)?;
        let recipe = Self {
            recipe: VERSION,
            shoal: env!("CARGO_PKG_VERSION").to_owned(),
            files: files::named(&mut sections, &policy.folder)?,
            policy: sections,
            columns: pairs().enumerate().map(rule).collect(),
            classes: partition.node.is_none().then(|| narrow_first(task, partition)),
        };
        recipe.refuse_if_none_would_apply_it(policy)?;
        recipe.refuse_if_it_gives_another_release(policy, task.table, partition)?;
        recipe.refuse_if_it_suppresses_others(policy, task, partition)?;
        Ok(recipe)
    }

    /// Where classes overlap, a row may be in another class than the first that covers it.
    fn refuse_if_it_gives_another_release(
        &self,
        policy: &Policy,
        table: &CountedTable,
        partition: &Partition,
    ) -> Result<()> {
        let Some(rules) = &self.classes else { return Ok(()) };
        let columns = self.readable(policy, table)?;
        let number: HashMap<Vec<String>, u32> = rules.classes.iter().cloned().zip(0..).collect();
        let number_of = |class: u32| number.get(&texts(table, partition, class)).copied();
        let numbers: Vec<Option<u32>> = (0..partition.classes.len() as u32).map(number_of).collect();
        let found = rules.first_covering(&columns, &table.base);
        let mut elsewhere = 0;
        let mut tuple = 0;
        for part in &partition.assignments {
            while tuple + 1 < table.base.classes() && part.tuple as usize >= table.base.first_entry(tuple + 1) {
                tuple += 1;
            }
            let is_in = part.class.and_then(|class| numbers[class as usize]);
            elsewhere += if is_in == found[tuple] { 0 } else { part.count };
        }
        if elsewhere == 0 {
            return Ok(());
        }
        let id = policy.method.method.id();
        Err(Error::policy(format!("no recipe tells which class a row belongs to in a release of `{id}`"))
            .detail(format!("classes overlap: {elsewhere} of {} rows are in another than the first that covers them", table.rows))
            .detail("nothing was published")
            .hint("use `full-domain`, or `mondrian` with `refine = false` and `categories = \"sets\"`; or leave out --recipe"))
    }

    /// Where ranges that the release does not show hold all that was suppressed last, and t-closeness compares with what is
    /// released, other rows may fail once those are gone from the start.
    fn refuse_if_it_suppresses_others(&self, policy: &Policy, task: &Task<'_>, partition: &Partition) -> Result<()> {
        let Some(node) = &partition.node else { return Ok(()) };
        let shows = |(rule, (quasi, &level)): (&ColumnRule, (&QuasiColumn, &u8))| {
            let level = quasi.hierarchy.level(usize::from(level));
            let is_shown = |node: u32| match &rule.shown {
                Shown::Labels(labels) => labels.iter().any(|label| label == level.label(node)),
                _ => true,
            };
            (0..level.len() as u32).map(is_shown).collect::<Vec<bool>>()
        };
        let columns = self.columns.iter().zip(task.table.quasi.iter().zip(node.levels()));
        let shown: Vec<Vec<bool>> = columns.map(shows).collect();
        if shown.iter().flatten().all(|&shown| shown) {
            return Ok(());
        }
        let again = recoded(task, node, &shown)?;
        let suppressed = |partition: &Partition| {
            let parts = partition.assignments.iter().filter(|part| part.class.is_none());
            parts.map(|part| part.tuple).collect::<Vec<u32>>()
        };
        if suppressed(&again) == suppressed(partition) {
            return Ok(());
        }
        let id = policy.method.method.id();
        Err(Error::policy(format!("no recipe tells which rows are suppressed in a release of `{id}`"))
            .detail("ranges that it does not show decided which other rows were suppressed")
            .detail("nothing was published")
            .hint("use `intervals` in place of `quantiles`, or `reference = \"table\"` with t-closeness; or leave out --recipe"))
    }

    /// The values of a table as the rules of its columns read them.
    pub(super) fn readable(&self, policy: &Policy, table: &CountedTable) -> Result<Vec<Readable<'_>>> {
        let columns = self.columns.iter().zip(policy.with_role(Role::QuasiIdentifier)).zip(&table.quasi);
        let readable = |((rule, column), quasi): ((_, &ColumnPolicy), &QuasiColumn)| {
            Readable::new(rule, column.hierarchy.as_ref(), &quasi.dictionary, &policy.folder)
        };
        columns.map(readable).collect()
    }
}

/// A table at a node, without the rows that have a label which is not shown.
fn recoded(task: &Task<'_>, node: &Node, shown: &[Vec<bool>]) -> Result<Partition> {
    let (table, mut grouping) = (task.table, Grouping::new(task.table.quasi.len()));
    for tuple in 0..table.base.classes() {
        let label = |(column, &level): (usize, &u8)| {
            let code = table.base.code(tuple, column);
            let node = table.quasi[column].hierarchy.level(usize::from(level)).node_of(code);
            shown[column][node as usize].then_some(Label::Node { level, node })
        };
        let labels: Option<Vec<Label>> = node.levels().iter().enumerate().map(label).collect();
        let class = labels.map(|labels| grouping.class(labels));
        let (sensitive, counts) = table.base.entries(tuple);
        for (place, (&shows, &count)) in sensitive.iter().zip(counts).enumerate() {
            grouping.assign(Assignment { tuple: (table.base.first_entry(tuple) + place) as u32, class, shows, count });
        }
    }
    grouping.settle(&Task { max_suppressed: Ratio::from(1), ..*task })
}

/// Refuses releases that show what no rule about single rows could give.
fn refuse_what_no_rule_gives(policy: &Policy, partition: &Partition) -> Result<()> {
    if let Some(column) = policy.with_noise().next() {
        return Err(Error::policy(format!("no recipe carries the noise of `{}`", column.name))
            .detail("nothing was published")
            .hint("leave out --recipe, or `noise`"));
    }
    let id = policy.method.method.id();
    let stands_for_others = |label: &Label| matches!(label, Label::Number { .. } | Label::Value { .. });
    let columns = 0..partition.classes.columns();
    let reason = if partition.is_separated {
        "its classes are made of these very records, and nothing a new row shows says which it would be in"
    } else if !partition.generalized_sensitive().is_empty() {
        "it generalizes the sensitive values of some records and not of others"
    } else if columns.into_iter().any(|column| partition.classes.labels(column).iter().any(stands_for_others)) {
        "a class shows one value for many, and the release does not say which"
    } else {
        return Ok(());
    };
    Err(Error::policy(format!("there is no recipe for a release of `{id}`"))
        .detail(reason)
        .detail("nothing was published")
        .hint("use `full-domain`, or `mondrian` with `refine = false`; or leave out --recipe"))
}

fn shown_at(level: u8, column: &QuasiColumn, policy: &ColumnPolicy, partition: &Partition, place: usize) -> Shown {
    if level == 0 {
        return Shown::AsItIs;
    }
    if usize::from(level) == column.hierarchy.height() {
        return Shown::Nothing;
    }
    if !matches!(policy.hierarchy, Some(HierarchySpec::Quantiles(_))) {
        return Shown::Level(level);
    }
    // Only what the release shows: a range that holds suppressed rows alone would tell of them.
    let classes = 0..partition.classes.len() as u32;
    let mut labels: Vec<String> =
        classes.map(|class| partition.classes.label(class, place).text(column).into_owned()).collect();
    labels.sort_unstable();
    labels.dedup();
    Shown::Labels(labels)
}

/// What a class shows.
fn texts(table: &CountedTable, partition: &Partition, class: u32) -> Vec<String> {
    (0..table.quasi.len()).map(|column| partition.classes.text(table, class, column).into_owned()).collect()
}

/// The classes of a release, those that cover least first: an order that the release itself tells.
fn narrow_first(task: &Task<'_>, partition: &Partition) -> ClassRules {
    let covers = task.covers();
    let covered = |column: usize, cover: &Cover<'_>| -> Vec<u64> {
        partition.classes.labels(column).iter().map(|label| cover.covered(label).leaves).collect()
    };
    let leaves: Vec<Vec<u64>> = covers.iter().enumerate().map(|(column, cover)| covered(column, cover)).collect();
    let width = |class: u32| {
        let of_column = |(column, leaves): (usize, &Vec<u64>)| leaves[partition.classes.place(class, column) as usize];
        leaves.iter().enumerate().map(of_column).fold(1_u128, |width, leaves| width.saturating_mul(leaves.into()))
    };
    let mut classes: Vec<(u128, Vec<String>)> =
        (0..partition.classes.len() as u32).map(|class| (width(class), texts(task.table, partition, class))).collect();
    classes.sort_unstable();
    ClassRules { classes: classes.into_iter().map(|(_, texts)| texts).collect() }
}

/// The policy as JSON, without the paths of its tables, and with whatever hierarchies take from the data fixed.
fn fixed_policy(policy: &Policy, table: &CountedTable) -> Result<Map<String, Value>> {
    let broken =
        |error: &dyn std::fmt::Display| Error::policy(format!("the policy cannot be written as JSON: {error}"));
    let written: toml::Table = toml::from_str(&policy.text).map_err(|error| broken(&error))?;
    let Ok(Value::Object(mut sections)) = serde_json::to_value(written) else { return Err(broken(&"it is no table")) };
    files::without_places(&mut sections);
    let types = table.quasi.iter().map(|column| column.dictionary.column_type());
    let types = types.chain(table.sensitive.iter().map(SensitiveColumn::column_type));
    let columns = policy.with_role(Role::QuasiIdentifier).chain(policy.with_role(Role::Sensitive));
    for (column, column_type) in columns.zip(types) {
        // Another table may have too few dates to tell the day from the month.
        if let Some(order) = column_type.date_order() {
            sections["columns"][&column.name]["dates"] = order.name().into();
        }
    }
    for (column, quasi) in policy.with_role(Role::QuasiIdentifier).zip(&table.quasi) {
        let Some(spec) = &column.hierarchy else { continue };
        let fixed: toml::Table = toml::from_str(&format!("hierarchy = {}", spec.fixed(&quasi.dictionary)))
            .map_err(|error| broken(&error))?;
        let fixed = serde_json::to_value(&fixed["hierarchy"]).map_err(|error| broken(&error))?;
        sections["columns"][&column.name]["hierarchy"] = fixed;
    }
    Ok(sections)
}
