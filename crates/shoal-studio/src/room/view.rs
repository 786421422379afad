//! What does the page see before it asks for anything?

use shoal::Policy;
use shoal::init::ColumnFindings;
use shoal::policy::{PolicyDocument, column_key};

use super::role_id;
use crate::desk::{Desk, Opened};
use crate::edit::counts_people_by;
use crate::studio::Studio;
use crate::wire::{self, Problem};

/// The desk as the page sees it.
pub fn desk(studio: &Studio) -> wire::Desk {
    studio.with_desk(|desk| {
        let policy = desk.policy(&studio.jail);
        let document = desk.document().ok();
        let table = desk.table.as_deref();
        let columns = table.map(|table| columns(table, document.as_ref())).unwrap_or_default();
        wire::Desk {
            revision: desk.revision,
            folder: studio.jail.folder().display().to_string(),
            file: desk.file().map(|file| studio.jail.shown(file)),
            text: desk.text().to_owned(),
            problem: problem(desk, &policy),
            notice: desk.notice.clone(),
            can_undo: desk.history().can_undo(),
            can_redo: desk.history().can_redo(),
            table: table.map(|table| table_info(studio, desk, table)),
            table_problem: desk.table_problem.as_ref().map(Problem::from),
            columns,
            requirements: requirements(desk.text()),
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

fn table_info(studio: &Studio, desk: &Desk, table: &Opened) -> wire::TableInfo {
    let findings = &table.findings;
    let singling = &findings.singling_out;
    let combinations = singling.worst.iter().chain(&singling.together);
    wire::TableInfo {
        path: studio.jail.shown(&table.path),
        rows: findings.rows,
        rows_at_hand: table.sheet.rows() as u64,
        reading: desk.reading,
        warnings: findings.all_warnings(),
        singling_out: combinations
            .map(|combination| wire::Combination {
                columns: combination.columns.clone(),
                alone: combination.grouping.alone,
                share: combination.grouping.alone as f64 / combination.grouping.rows.max(1) as f64,
            })
            .collect(),
    }
}

fn columns(table: &Opened, document: Option<&PolicyDocument>) -> Vec<wire::ColumnInfo> {
    table.findings.columns.iter().map(|found| column(found, document)).collect()
}

fn column(found: &ColumnFindings, document: Option<&PolicyDocument>) -> wire::ColumnInfo {
    let said = |key: &str| document.and_then(|document| document.get(&column_key(&found.name, key)).ok().flatten());
    let number =
        |key: &str| said(key).as_ref().and_then(toml::Value::as_integer).and_then(|number| number.try_into().ok());
    // ARX's words mean the same.
    let role = said("role").as_ref().and_then(toml::Value::as_str).map(|role| match role {
        "identifying" => "identifier".to_owned(),
        "quasi-identifying" => "quasi-identifier".to_owned(),
        role => role.to_owned(),
    });
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
        role,
        is_person: document.is_some_and(|document| counts_people_by(document, &found.name)),
        hierarchy: said("hierarchy").map(|hierarchy| hierarchy.to_string()),
        hierarchy_json: said("hierarchy")
            .filter(|hierarchy| hierarchy.get("tree").is_none())
            .and_then(|hierarchy| serde_json::to_string(&hierarchy).ok()),
        min_level: number("min-level"),
        max_level: number("max-level"),
    }
}

/// The requirements as they are written, whatever else may be wrong.
fn requirements(text: &str) -> Vec<wire::RequirementInfo> {
    let Ok(root) = toml::from_str::<toml::Table>(text) else { return Vec::new() };
    let written = root.get("require").and_then(toml::Value::as_array).into_iter().flatten();
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
