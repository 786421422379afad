//! What does a case look like with other names, in which nothing else changes?

use std::collections::{BTreeMap, BTreeSet};

use crate::case::Case;
use crate::dice::Dice;
use crate::hierarchy::{Branch, Hierarchy};
use crate::policy::{Column, Meaning, Role};
use crate::requirement::{Groups, Model, Weights};

/// The case with other names of columns.
pub fn columns(case: &Case) -> Case {
    let mut renamed = case.clone();
    let name = |old: &str| format!("column {}", case.policy.columns.iter().position(|c| c.name == old).unwrap_or(99));
    renamed.table.names.iter_mut().for_each(|old| *old = name(old));
    renamed.policy.columns.iter_mut().for_each(|column| column.name = name(&column.name));
    for requirement in &mut renamed.policy.requirements {
        requirement.column = requirement.column.as_deref().map(name);
    }
    if let Some(people) = &mut renamed.policy.people {
        people.column = name(&people.column);
        people.told_by = people.told_by.as_deref().map(name);
    }
    renamed
}

/// The case in which everybody who has a name has another one. Of several that are equally good, a method that looks for its classes step by step
/// may take one or another by the order of their people: only where it looks at all of them, names may stand in any order.
pub fn people(case: &Case, dice: &mut Dice) -> Option<Case> {
    let mut renamed = case.clone();
    let place = case.table.place(&case.policy.people.as_ref()?.column)?;
    let is_name = |name: &&String| !case.policy.missing.contains(name);
    let names: BTreeSet<&String> = case.table.rows.iter().map(|row| &row[place]).filter(is_name).collect();
    let mut others: Vec<String> = (0..names.len()).map(|other| format!("n{other:04}")).collect();
    if case.policy.method.is_optimal() {
        dice.shuffle(&mut others);
    }
    let other: BTreeMap<&String, String> = names.into_iter().zip(others).collect();
    for row in &mut renamed.table.rows {
        if let Some(name) = other.get(&row[place]) {
            row[place].clone_from(name);
        }
    }
    Some(renamed)
}

/// Stands before every value and label that is renamed: their order stays.
const BEFORE: &str = "k";

/// The case with other values in every column of categories; none where labels look like ranges or sets, which are more than
/// names.
pub fn values(case: &Case) -> Option<Case> {
    let mut renamed = case.clone();
    let is_marker = |text: &str| case.policy.missing.iter().any(|marker| marker == text);
    let rename = |text: &mut String| {
        if !is_marker(text) && text != "*" {
            text.insert_str(0, BEFORE);
        }
    };
    for column in &mut renamed.policy.columns {
        if !is_renamed(column) {
            continue;
        }
        let place = renamed.table.place(&column.name)?;
        if renamed.table.rows.iter().any(|row| row[place].starts_with(['{', '['])) {
            return None;
        }
        renamed.table.rows.iter_mut().for_each(|row| rename(&mut row[place]));
        match &mut column.hierarchy {
            Some(Hierarchy::File { rows, .. }) => rows.iter_mut().flatten().for_each(rename),
            Some(Hierarchy::Tree(branches)) => branches.iter_mut().for_each(|branch| rename_branch(branch, &rename)),
            _ => {}
        }
    }
    for requirement in &mut renamed.policy.requirements {
        let Some(column) = requirement.column.as_deref().and_then(|name| case.policy.column(name)) else { continue };
        if is_renamed(column) {
            rename_model(&mut requirement.model, &rename);
        }
    }
    Some(renamed)
}

fn is_renamed(column: &Column) -> bool {
    let by_characters = matches!(column.hierarchy, Some(Hierarchy::Mask { .. }));
    column.meaning == Meaning::Category && !by_characters && matches!(column.role, Role::Quasi | Role::Sensitive)
}

fn rename_branch(branch: &mut Branch, rename: &dyn Fn(&mut String)) {
    match branch {
        Branch::Leaf(leaf) => rename(leaf),
        Branch::Group(label, branches) => {
            rename(label);
            branches.iter_mut().for_each(|branch| rename_branch(branch, rename));
        }
    }
}

fn rename_model(model: &mut Model, rename: &dyn Fn(&mut String)) {
    let lists: Vec<&mut Vec<String>> = match model {
        Model::PdRecursiveCl { disclosable, .. } => vec![disclosable],
        Model::NpdRecursiveCl { disclosable, guarded, .. } => vec![disclosable, guarded],
        Model::AlphaK { values: Some(values), .. } => vec![values],
        Model::ADDiversity { groups: Groups::Listed(groups), .. } => {
            groups.iter_mut().map(|(_, values)| values).collect()
        }
        Model::TauL { weights: Some(Weights::ByValue(weights)), .. } => {
            weights.iter_mut().for_each(|(value, _)| rename(value));
            Vec::new()
        }
        _ => Vec::new(),
    };
    lists.into_iter().flatten().for_each(rename);
}
