//! What do values of the columns look like that are not counted? One look at some rows for each.

use shoal::meaning::SAMPLE;
use shoal::policy::{Policy, Role};
use shoal_core::Result;

use crate::column::EngineColumn;
use crate::count::has_value;
use crate::dialect::SqlDialect;
use crate::engine::Engine;

/// So many rows are looked at, whichever the engine gives first: a moment, however large the table is.
const ROWS: usize = 20_000;

/// Different values of each insensitive column, from some rows. No other column is published without having been counted.
pub fn some_values(engine: &mut dyn Engine, policy: &Policy) -> Result<Vec<(String, Vec<String>)>> {
    let relation = engine.input();
    let columns = engine.columns(&relation)?;
    let mut found = Vec::new();
    for column in columns {
        // What has no kind has no text that everybody agrees on.
        if column.kind.is_none() || policy.role_of(&column.name) != Some(Role::Insensitive) {
            continue;
        }
        let query = query(engine.dialect(), &relation, &column, &policy.input.missing);
        let mut values = Vec::new();
        engine.groups(&query, 1, &mut |keys, _| {
            values.extend(keys.iter().flatten().map(|text| (*text).to_owned()));
            Ok(())
        })?;
        values.sort_unstable();
        found.push((column.name, values));
    }
    Ok(found)
}

/// The query for different values of a column in some rows, and how many of these rows have each.
fn query(dialect: &dyn SqlDialect, relation: &str, column: &EngineColumn, missing: &[String]) -> String {
    let value = format!("s.{}", dialect.name(&column.name));
    let (key, condition) = (dialect.key(column, &value), has_value(dialect, &value, missing));
    format!(
        "SELECT {}, g.n FROM (SELECT {key} AS k, count(*) AS n FROM (SELECT * FROM {relation} AS r LIMIT {ROWS}) AS s \
         WHERE {condition} GROUP BY {key} LIMIT {SAMPLE}) AS g",
        dialect.written(column, "g.k")
    )
}
