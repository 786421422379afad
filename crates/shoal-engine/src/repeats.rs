//! Does a row of an engine's table stand for a person? One more GROUP BY for each column that could tell.

use shoal::meaning::repeats::{Repeats, Watched};
use shoal::policy::{Policy, RowsWithMissing};
use shoal_core::Result;
use shoal_core::frequency::Repetition;

use crate::column::EngineColumn;
use crate::count::{EngineColumns, has_value};
use crate::dialect::SqlDialect;
use crate::engine::Engine;

/// The columns of a table that tell that rows may not be people.
pub fn repeats(engine: &mut dyn Engine, policy: &Policy, columns: &EngineColumns) -> Result<Vec<Repeats>> {
    // Where people are counted, nobody takes rows for people.
    if policy.input.person.is_some() {
        return Ok(Vec::new());
    }
    let countable = || columns.all.iter().filter(|column| column.kind.is_some());
    let watched = Watched::among(countable().map(|column| column.name.as_str()), |name| policy.role_of(name));
    let mut found = Vec::new();
    for watched in watched {
        let Some(column) = countable().find(|column| column.name == watched.column) else { continue };
        let query = query(
            engine.dialect(),
            &engine.input(),
            column,
            &rows_that_count(policy, columns, column, engine.dialect()),
        );
        let mut repetition = None;
        engine.groups(&query, 0, &mut |_, counts| {
            if let [values, rows, largest] = *counts {
                repetition = Some(Repetition { rows, halvings: 0, values, rows_of_values: rows, largest });
            }
            Ok(())
        })?;
        found.extend(repetition.and_then(|repetition| watched.judge(repetition)));
    }
    Ok(found)
}

/// The condition of rows that have a value in a column and are not left out of the run.
fn rows_that_count(
    policy: &Policy,
    columns: &EngineColumns,
    column: &EngineColumn,
    dialect: &dyn SqlDialect,
) -> String {
    let has_value =
        |column: &EngineColumn| has_value(dialect, &format!("s.{}", dialect.name(&column.name)), &policy.input.missing);
    match policy.input.rows_with_missing {
        RowsWithMissing::Keep => has_value(column),
        RowsWithMissing::Drop => columns.all.iter().map(has_value).collect::<Vec<_>>().join(" AND "),
    }
}

/// The query for how many values a column has, in how many rows, and how many rows have the most frequent one.
fn query(dialect: &dyn SqlDialect, relation: &str, column: &EngineColumn, condition: &str) -> String {
    let key = dialect.key(column, &format!("s.{}", dialect.name(&column.name)));
    let whole = |expression: &str| format!("CAST(coalesce({expression}, 0) AS bigint)");
    format!(
        "SELECT {}, {}, {} FROM (SELECT {key} AS k, count(*) AS n FROM {relation} AS s WHERE {condition} GROUP BY {key}) AS g",
        whole("count(g.n)"),
        whole("sum(g.n)"),
        whole("max(g.n)")
    )
}
