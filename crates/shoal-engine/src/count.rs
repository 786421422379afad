//! Which tuples does an engine's table hold, and how often each? One GROUP BY where the rows are.

use std::sync::Arc;
use std::time::Instant;

use shoal::policy::{Policy, Role, RowsWithMissing};
use shoal::source::{Counted, GroupCounter};
use shoal_core::recode::{Layout, Recoding, RowSum};
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::engine::Engine;
use crate::natives::Natives;
use crate::people::NumberedPeople;
use crate::source::changed;

/// The columns of a table, as an engine knows them, and what becomes of each.
#[derive(Debug)]
pub struct EngineColumns {
    /// All columns, in the order of the table.
    pub all: Vec<EngineColumn>,
    /// What becomes of them.
    pub layout: Layout,
    /// Whose rows they are, where people are counted.
    pub people: Option<NumberedPeople>,
}

impl EngineColumns {
    /// Matches the columns of a table with a policy's, and refuses what cannot be counted.
    pub fn new(policy: &Policy, all: Vec<EngineColumn>, place: &str) -> Result<Self> {
        let names: Vec<String> = all.iter().map(|column| column.name.clone()).collect();
        policy.check_columns(&names, &place)?;
        let layout = policy.layout(&names);
        if let Some(column) = layout.counted.iter().map(|&at| &all[at]).find(|column| column.kind.is_none()) {
            let name = &column.name;
            let (role, advice) = match policy.role_of(name) {
                Some(Role::Sensitive) => ("a sensitive column", "give it another role"),
                Some(Role::Identifier) => ("`person`", "name another column"),
                _ => ("a quasi-identifier", "give it another role"),
            };
            return Err(Error::place(format!("column `{name}` of {place} cannot be {role}"))
                .detail(format!("it has the type {}, whose values are no plain values", column.type_name))
                .hint(format!("{advice}, or take what matters out of it in a `query`")));
        }
        let person = layout.counted.last().filter(|_| layout.person);
        let people = person.map(|&at| NumberedPeople::new(&all[at], &all, &policy.input.missing));
        Ok(Self { all, layout, people })
    }

    /// What is read, as it stands after FROM: with everybody's number, where people are counted.
    pub fn relation(&self, engine: &dyn Engine) -> String {
        let input = engine.input();
        self.people.as_ref().map_or_else(|| input.clone(), |people| people.numbered(engine.dialect(), &input))
    }

    /// What rows are grouped by: the columns that are counted, and whose they are behind them.
    fn keys(&self) -> Vec<&EngineColumn> {
        let values = self.layout.values().iter().map(|&at| &self.all[at]);
        values.chain(self.people.iter().map(|people| &people.number)).collect()
    }

    /// The condition that no column has a missing value, those left out that are counted for their values: these are known.
    pub fn others_are_complete(&self, policy: &Policy, dialect: &dyn SqlDialect) -> Option<String> {
        if policy.input.rows_with_missing == RowsWithMissing::Keep {
            return None;
        }
        let others = self.all.iter().enumerate().filter(|(at, _)| !self.layout.values().contains(at));
        let is_complete = |(_, column): (usize, &EngineColumn)| {
            has_value(dialect, &format!("s.{}", dialect.name(&column.name)), &policy.input.missing)
        };
        let conditions: Vec<String> = others.map(is_complete).collect();
        (!conditions.is_empty()).then(|| conditions.join(" AND "))
    }
}

/// The condition that an expression has a value, which none of the texts is that mark a missing one.
pub fn has_value(dialect: &dyn SqlDialect, expression: &str, missing: &[String]) -> String {
    let markers: Vec<String> = missing.iter().map(|marker| dialect.text(marker)).collect();
    match markers.is_empty() {
        true => format!("{expression} IS NOT NULL"),
        false => {
            format!("{expression} IS NOT NULL AND {} NOT IN ({})", dialect.as_text(expression), markers.join(", "))
        }
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
    let keys = columns.keys();
    let query = group_query(engine.dialect(), &columns.relation(engine), &keys, complete.as_deref());
    let values = columns.layout.values().iter().map(|&at| columns.all[at].clone());
    let mut natives: Vec<Natives> = values.map(Natives::new).collect();
    let mut counter = GroupCounter::new(policy);
    let mut codes = vec![0; keys.len()];
    watch.begin("counting", None);
    if let Some(people) = &columns.people {
        let input = engine.input();
        people.send(engine, &input)?;
    }
    let markers = MissingMarkers::new(policy.input.missing.clone());
    let drops = policy.input.rows_with_missing == RowsWithMissing::Drop;
    engine.groups(&query, keys.len(), &mut |written, counts| {
        let is_missing = |(native, written): (&mut Natives, &Option<&str>)| native.note(*written, &markers);
        let missing = natives.iter_mut().zip(written).map(is_missing).filter(|&is_missing| is_missing).count();
        let (rows, whole) = (counts[0], counts.last().copied().unwrap_or_default());
        // Everybody has a number, and their code is that.
        let person = columns.people.as_ref().map(|_| counter.person(written[natives.len()]));
        watch.advance(1);
        // Values of rows that are left out are none of the table.
        if rows == 0 || drops && missing > 0 {
            counter.drop_rows(whole);
            return Ok(());
        }
        counter.drop_rows(whole - rows);
        for (place, (code, native)) in codes.iter_mut().zip(&mut natives).enumerate() {
            *code = native.code(place, written[place], &mut counter);
        }
        codes.iter_mut().skip(natives.len()).zip(person).for_each(|(code, person)| *code = person);
        counter.add(&codes, rows)
    })?;
    watch.end();
    let reading = begin.elapsed().as_secs_f64();
    let (counted, renamed) = counter.finish(columns.layout.clone(), reading)?;
    natives.iter_mut().zip(renamed).for_each(|(native, renamed)| native.rename(&renamed));
    match columns.people.is_some() && !has_everybody(&counted) {
        true => Err(changed(&engine.place())),
        false => Ok((counted, natives)),
    }
}

/// Is the number of everybody their code? It is where everybody who has one was counted.
fn has_everybody(counted: &Counted) -> bool {
    let people = counted.dictionaries.last().map_or(&[][..], |people| people.present());
    people.iter().enumerate().all(|(code, number)| *number == code.to_string())
}

/// The sum of the rows of a table that was counted before, by what a recoding counts them by; `None` if it has a value now that it had not then.
pub fn sum_of_rows(
    engine: &mut dyn Engine,
    policy: &Policy,
    columns: &EngineColumns,
    natives: &[Arc<Natives>],
    recoding: &Recoding<'_>,
) -> Result<Option<RowSum>> {
    let complete = columns.others_are_complete(policy, engine.dialect());
    let keys = columns.keys();
    let query = group_query(engine.dialect(), &columns.relation(engine), &keys, complete.as_deref());
    let drops = policy.input.rows_with_missing == RowsWithMissing::Drop;
    let (mut sum, mut codes) = (Some(RowSum::default()), Vec::with_capacity(keys.len()));
    engine.groups(&query, keys.len(), &mut |written, counts| {
        let is_dropped = drops && natives.iter().zip(written).any(|(native, written)| native.is_missing(*written));
        if counts[0] == 0 || is_dropped {
            return Ok(());
        }
        codes.clear();
        codes.extend(natives.iter().zip(written).map_while(|(native, written)| native.known(*written)));
        if columns.people.is_some() && codes.len() == natives.len() {
            let nobody = recoding.dictionaries()[natives.len()].missing();
            codes.extend(written[natives.len()].map_or(nobody, |number| number.parse().ok()));
        }
        match &mut sum {
            _ if codes.len() < keys.len() => sum = None,
            Some(sum) => sum.add(&codes[..recoding.tuple_width()], counts[0]),
            None => {}
        }
        Ok(())
    })?;
    Ok(sum)
}
