//! What do values of the columns look like that are not counted? One look at some rows.

use std::collections::BTreeSet;

use shoal::meaning::SAMPLE;
use shoal::policy::{Policy, Role};
use shoal_core::Result;
use shoal_core::table::MissingMarkers;

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::engine::Engine;

/// So many rows are looked at, whichever the engine gives first.
const ROWS: usize = 20_000;

/// So many columns can be grouped by at once, each by itself.
const COLUMNS: usize = 60;

/// Different values of each insensitive column, from some rows. No other column is published without having been counted.
pub fn some_values(engine: &mut dyn Engine, policy: &Policy) -> Result<Vec<(String, Vec<String>)>> {
    let relation = engine.input();
    // What has no kind has no text that everybody agrees on.
    let is_looked_at =
        |column: &EngineColumn| column.kind.is_some() && policy.role_of(&column.name) == Some(Role::Insensitive);
    let columns: Vec<EngineColumn> = engine.columns(&relation)?.into_iter().filter(is_looked_at).collect();
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let mut found = Vec::new();
    for columns in columns.chunks(COLUMNS) {
        let mut values = vec![BTreeSet::new(); columns.len()];
        let query = query(engine.dialect(), &relation, columns);
        engine.groups(&query, columns.len(), &mut |texts, _| {
            for (values, text) in values.iter_mut().zip(texts) {
                values.extend(text.filter(|text| !markers.contain(text)).map(str::to_owned));
            }
            Ok(())
        })?;
        let spread = |values: BTreeSet<String>| {
            let step = values.len().div_ceil(SAMPLE).max(1);
            values.into_iter().step_by(step).collect()
        };
        found.extend(columns.iter().map(|column| column.name.clone()).zip(values.into_iter().map(spread)));
    }
    Ok(found)
}

/// The query for different values of each column in some rows: in each row that it gives, one column has a value. Nothing is read but these columns, and
/// what of them belongs to one person stays where it is.
fn query(dialect: &dyn SqlDialect, relation: &str, columns: &[EngineColumn]) -> String {
    let each = |part: &dyn Fn(usize, &EngineColumn) -> String| {
        let parts: Vec<String> = columns.iter().enumerate().map(|(at, column)| part(at, column)).collect();
        parts.join(", ")
    };
    let (named, keys) = (
        each(&|_, column| format!("r.{}", dialect.name(&column.name))),
        each(&|at, column| {
            let key = dialect.key(column, &format!("s.{}", dialect.name(&column.name)));
            format!("{key} AS k{at}")
        }),
    );
    let (written, sets) =
        (each(&|at, column| dialect.written(column, &format!("g.k{at}"))), each(&|at, _| format!("(v.k{at})")));
    let grouped = each(&|at, _| format!("v.k{at}"));
    format!(
        "SELECT {written} FROM (SELECT {grouped} FROM (SELECT {keys} FROM (SELECT {named} FROM {relation} AS r LIMIT {ROWS}) AS s) \
         AS v GROUP BY GROUPING SETS ({sets})) AS g"
    )
}
