//! What does the page see before it asks for anything?

use shoal::Policy;
use shoal::init::{ColumnFindings, ColumnNow};
use shoal::policy::Role;

use super::role_id;
use crate::desk::{Desk, Opened};
use crate::studio::Studio;
use crate::wire::{self, Problem};

/// The desk as the page sees it.
pub fn desk(studio: &Studio) -> wire::Desk {
    studio.with_desk(|desk| {
        let policy = desk.policy(&studio.jail);
        let said = said(desk);
        let table = desk.table.as_deref();
        let columns = table.map(|table| columns(table, &said)).unwrap_or_default();
        wire::Desk {
            revision: desk.revision,
            folder: studio.jail.folder().display().to_string(),
            file: desk.file().map(|file| studio.jail.shown(file)),
            text: desk.text().to_owned(),
            problem: problem(desk, &policy),
            notice: desk.notice.clone(),
            dropped: desk.dropped.clone(),
            can_undo: desk.history().can_undo(),
            can_redo: desk.history().can_redo(),
            table: table.map(|table| table_info(studio, desk, table, &said)),
            table_problem: desk.table_problem.as_ref().map(Problem::from),
            columns,
            requirements: requirements(&said),
            method: policy.as_ref().ok().map(method),
            warnings: policy
                .as_ref()
                .map(|policy| policy.warnings.iter().map(ToString::to_string).collect())
                .unwrap_or_default(),
            outline: policy.as_ref().map(outline).unwrap_or_default(),
        }
    })
}

/// What is wrong with the policy; without one, nothing is.
fn problem(desk: &Desk, policy: &shoal::Result<Policy>) -> Option<Problem> {
    desk.file()?;
    let error = match (policy, &desk.table) {
        (Err(error), _) => error.clone(),
        (Ok(policy), Some(table)) => {
            let names: Vec<String> = table.findings.columns.iter().map(|column| column.name.clone()).collect();
            policy.check_columns(&names, &"the table").err()?
        }
        (Ok(_), None) => return None,
    };
    Some(Problem::from(&error))
}

fn table_info(studio: &Studio, desk: &Desk, table: &Opened, said: &toml::Table) -> wire::TableInfo {
    let findings = &table.findings;
    let columns: Vec<ColumnNow> = findings.columns.iter().map(|column| now(column, said)).collect();
    wire::TableInfo {
        path: studio.jail.shown(&table.path),
        rows: findings.rows,
        rows_at_hand: table.sheet.rows() as u64,
        reading: desk.reading,
        warnings: findings.warnings_under(&columns, person_of(said)),
    }
}

/// What the policy says of a column.
fn now(found: &ColumnFindings, said: &toml::Table) -> ColumnNow {
    let role = role(said, &found.name);
    let roles = [Role::Identifier, Role::QuasiIdentifier, Role::Sensitive, Role::Insensitive];
    let lowest = of_column(said, &found.name, "min-level").and_then(toml::Value::as_integer);
    let top = found.hierarchy.as_ref().map(|proposed| proposed.levels as i64 - 1);
    ColumnNow {
        name: found.name.clone(),
        role: roles.into_iter().find(|known| role.as_deref() == Some(role_id(*known))),
        is_hidden: role.as_deref() == Some("quasi-identifier")
            && lowest.zip(top).is_some_and(|(lowest, top)| lowest >= top),
    }
}

/// The column that people are counted by.
fn person_of(said: &toml::Table) -> Option<&str> {
    said.get("input")?.get("person")?.as_str()
}

/// The column that people are counted by.
pub(super) fn person(studio: &Studio) -> Option<String> {
    person_of(&studio.with_desk(said)).map(str::to_owned)
}

/// What the policy says, whatever else may be wrong with it; nothing, as long as it is no TOML. It is read once: with many columns, a look for
/// each of their keys takes longer than a search.
fn said(desk: &Desk) -> toml::Table {
    toml::from_str(desk.text()).unwrap_or_default()
}

/// The roles of some columns; none where the policy says none.
pub(super) fn roles<'a>(studio: &Studio, columns: impl IntoIterator<Item = &'a str>) -> Vec<Option<String>> {
    let said = studio.with_desk(said);
    columns.into_iter().map(|name| role(&said, name)).collect()
}

fn of_column<'a>(said: &'a toml::Table, name: &str, key: &str) -> Option<&'a toml::Value> {
    said.get("columns")?.get(name)?.get(key)
}

fn role(said: &toml::Table, name: &str) -> Option<String> {
    // ARX's words mean the same.
    of_column(said, name, "role").and_then(toml::Value::as_str).map(|role| match role {
        "identifying" => "identifier".to_owned(),
        "quasi-identifying" => "quasi-identifier".to_owned(),
        role => role.to_owned(),
    })
}

fn columns(table: &Opened, said: &toml::Table) -> Vec<wire::ColumnInfo> {
    table.findings.columns.iter().map(|found| column(found, said)).collect()
}

fn column(found: &ColumnFindings, said: &toml::Table) -> wire::ColumnInfo {
    let of_column = |key: &str| of_column(said, &found.name, key);
    let number = |key: &str| of_column(key).and_then(toml::Value::as_integer).and_then(|number| number.try_into().ok());
    let person = person_of(said);
    let hierarchy = of_column("hierarchy");
    wire::ColumnInfo {
        name: found.name.clone(),
        kind: found.kind.name().to_owned(),
        distinct: found.distinct.to_string(),
        distinct_at_least: found.distinct.at_least(),
        missing: found.missing,
        alone: found.alone,
        range: found.range.clone().map(|(low, high)| [low, high]),
        proposed: role_id(found.role).to_owned(),
        reason: found.why(),
        role: role(said, &found.name),
        is_person: person == Some(found.name.as_str()),
        hierarchy: hierarchy.map(ToString::to_string),
        hierarchy_json: hierarchy
            .filter(|hierarchy| hierarchy.get("tree").is_none())
            .and_then(|hierarchy| serde_json::to_string(hierarchy).ok()),
        min_level: number("min-level"),
        max_level: number("max-level"),
    }
}

/// The requirements as they are written.
fn requirements(said: &toml::Table) -> Vec<wire::RequirementInfo> {
    let written = said.get("require").and_then(toml::Value::as_array).into_iter().flatten();
    let tables = written.filter_map(toml::Value::as_table);
    let word = |table: &toml::Table, key: &str| table.get(key).and_then(toml::Value::as_str).map(str::to_owned);
    let info = |table: &toml::Table| wire::RequirementInfo {
        model: word(table, "model").unwrap_or_default(),
        column: word(table, "column"),
        parameters: table
            .iter()
            .filter(|(key, _)| !["model", "column"].contains(&key.as_str()))
            .map(|(key, value)| wire::SettingWords {
                key: key.clone(),
                value: value.as_str().map_or_else(|| value.to_string(), str::to_owned),
            })
            .collect(),
    };
    tables.map(info).collect()
}

fn method(policy: &Policy) -> wire::MethodInfo {
    wire::MethodInfo {
        name: policy.method.method.id().to_owned(),
        objective: policy.method.objective.id().to_owned(),
        max_suppressed: policy.method.max_suppressed.to_f64(),
    }
}

fn outline(policy: &Policy) -> Vec<[String; 2]> {
    policy.outline().into_iter().map(|(verb, what)| [verb.to_owned(), what]).collect()
}
