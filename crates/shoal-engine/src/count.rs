//! Which tuples does an engine's table hold, and how often each? One GROUP BY where the rows are.

use std::sync::Arc;
use std::time::Instant;

use shoal::policy::{Policy, Role, RowsWithMissing};
use shoal::source::{Counted, GroupCounter};
use shoal_core::recode::{Layout, RowSum};
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::engine::Engine;
use crate::natives::Natives;

/// The columns of a table, as an engine knows them, and what becomes of each.
#[derive(Debug)]
pub struct EngineColumns {
    /// All columns, in the order of the table.
    pub all: Vec<EngineColumn>,
    /// What becomes of them.
    pub layout: Layout,
}

impl EngineColumns {
    /// Matches the columns of a table with a policy's, and refuses what cannot be counted.
    pub fn new(policy: &Policy, all: Vec<EngineColumn>, place: &str) -> Result<Self> {
        if let Some(person) = &policy.input.person {
            return Err(Error::policy(format!("`person` cannot be counted in {place}"))
                .at(&person.place)
                .detail("what is verified there is the release, which does not tell whose rows are whose")
                .hint("write the table to a file, such as Parquet, and name that as `path`"));
        }
        let names: Vec<String> = all.iter().map(|column| column.name.clone()).collect();
        policy.check_columns(&names, &place)?;
        let layout = policy.layout(&names);
        if let Some(column) = layout.counted.iter().map(|&at| &all[at]).find(|column| column.kind.is_none()) {
            let name = &column.name;
            let role = match policy.role_of(name) {
                Some(Role::Sensitive) => "a sensitive column",
                _ => "a quasi-identifier",
            };
            return Err(Error::place(format!("column `{name}` of {place} cannot be {role}"))
                .detail(format!("it has the type {}, whose values are no plain values", column.type_name))
                .hint("give it another role, or take what matters out of it in a `query`"));
        }
        Ok(Self { all, layout })
    }

    /// The condition that no column has a missing value, the counted ones left out: of those, the values are known.
    pub fn others_are_complete(&self, policy: &Policy, dialect: &dyn SqlDialect) -> Option<String> {
        if policy.input.rows_with_missing == RowsWithMissing::Keep {
            return None;
        }
        let markers: Vec<String> = policy.input.missing.iter().map(|marker| dialect.text(marker)).collect();
        let markers = markers.join(", ");
        let others = self.all.iter().enumerate().filter(|(at, _)| !self.layout.counted.contains(at));
        let is_complete = |(_, column): (usize, &EngineColumn)| {
            let expression = format!("s.{}", dialect.name(&column.name));
            format!("{expression} IS NOT NULL AND {} NOT IN ({markers})", dialect.as_text(&expression))
        };
        let conditions: Vec<String> = others.map(is_complete).collect();
        (!conditions.is_empty()).then(|| conditions.join(" AND "))
    }
}

/// The query that counts what stands after FROM as `s` by the keys of some of its columns. `complete` is the condition of
/// rows that count; how many there are without it is the last number then.
pub fn group_query(
    dialect: &dyn SqlDialect,
    relation: &str,
    columns: &[&EngineColumn],
    complete: Option<&str>,
) -> String {
    let keys: Vec<String> =
        columns.iter().map(|column| dialect.key(column, &format!("s.{}", dialect.name(&column.name)))).collect();
    let named: Vec<String> = keys.iter().enumerate().map(|(at, key)| format!("{key} AS k{at}")).collect();
    let written: Vec<String> =
        columns.iter().enumerate().map(|(at, column)| dialect.written(column, &format!("g.k{at}"))).collect();
    let (counts, outer) = match complete {
        None => ("count(*) AS n".to_owned(), "g.n"),
        Some(complete) => (format!("count(CASE WHEN {complete} THEN 1 END) AS n, count(*) AS whole"), "g.n, g.whole"),
    };
    format!(
        "SELECT {}, {outer} FROM (SELECT {}, {counts} FROM {relation} AS s GROUP BY {}) AS g",
        written.join(", "),
        named.join(", "),
        keys.join(", ")
    )
}

/// Counts the table of an engine.
pub fn count(
    engine: &mut dyn Engine,
    policy: &Policy,
    columns: &EngineColumns,
    watch: &dyn Watch,
) -> Result<(Counted, Vec<Natives>)> {
    let begin = Instant::now();
    let complete = columns.others_are_complete(policy, engine.dialect());
    let counted: Vec<&EngineColumn> = columns.layout.counted.iter().map(|&at| &columns.all[at]).collect();
    let query = group_query(engine.dialect(), &engine.input(), &counted, complete.as_deref());
    let mut natives: Vec<Natives> = counted.into_iter().cloned().map(Natives::new).collect();
    let mut counter = GroupCounter::new(policy);
    let mut codes = vec![0; natives.len()];
    watch.begin("counting", None);
    engine.groups(&query, natives.len(), &mut |written, counts| {
        for (place, (code, native)) in codes.iter_mut().zip(&mut natives).enumerate() {
            *code = native.code(place, written[place], &mut counter);
        }
        let rows = counts[0];
        counter.drop_rows(counts.get(1).map_or(0, |whole| whole - rows));
        if rows > 0 {
            counter.add(&codes, rows)?;
        }
        watch.advance(1);
        Ok(())
    })?;
    watch.end();
    let reading = begin.elapsed().as_secs_f64();
    let (counted, renamed) = counter.finish(columns.layout.clone(), reading)?;
    natives.iter_mut().zip(renamed).for_each(|(native, renamed)| native.rename(&renamed));
    Ok((counted, natives))
}

/// The sum of the rows of a table that was counted before; `None` if it has a value now that it had not then.
pub fn sum_of_rows(
    engine: &mut dyn Engine,
    policy: &Policy,
    columns: &EngineColumns,
    natives: &[Arc<Natives>],
    missing: &[Option<u32>],
) -> Result<Option<RowSum>> {
    let complete = columns.others_are_complete(policy, engine.dialect());
    let counted: Vec<&EngineColumn> = columns.layout.counted.iter().map(|&at| &columns.all[at]).collect();
    let query = group_query(engine.dialect(), &engine.input(), &counted, complete.as_deref());
    let drops = policy.input.rows_with_missing == RowsWithMissing::Drop;
    let (mut sum, mut codes) = (Some(RowSum::default()), Vec::with_capacity(natives.len()));
    engine.groups(&query, natives.len(), &mut |written, counts| {
        codes.clear();
        codes.extend(natives.iter().zip(written).map_while(|(native, written)| native.known(*written)));
        let is_dropped = drops && codes.iter().zip(missing).any(|(&code, &missing)| Some(code) == missing);
        match &mut sum {
            _ if codes.len() < natives.len() => sum = None,
            Some(sum) if counts[0] > 0 && !is_dropped => sum.add(&codes, counts[0]),
            _ => {}
        }
        Ok(())
    })?;
    Ok(sum)
}
