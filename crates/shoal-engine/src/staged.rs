//! Does what an engine has staged look as it should, counted by the engine anew?

use shoal::interruption;
use shoal::outsider::{OutsiderGroups, OutsiderTable, SUPPRESSED_CELL};
use shoal::policy::{Policy, Role, Suppressed};
use shoal::publish::Outputs;
use shoal::source::{Published, ReleaseInMemory, Staged, counted_columns};
use shoal_core::spill::MemoryLimit;
use shoal_core::table::MissingMarkers;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use crate::column::EngineColumn;
use crate::count::group_query;
use crate::engine::Engine;
use crate::interrupt::stoppable;
use crate::people::NumberedPeople;
use crate::source::{SharedEngine, changed, locked};
use crate::value_text::value_text;

/// A release that an engine has written but not published.
pub(crate) struct StagedTable<E: Engine> {
    pub(crate) engine: SharedEngine<E>,
    /// How many rows it should have.
    pub(crate) rows: u64,
    /// Whose they are, where that was staged beside them.
    pub(crate) people: Option<NumberedPeople>,
    pub(crate) write_seconds: f64,
    pub(crate) is_published: bool,
}

impl<E: Engine> StagedTable<E> {
    /// The columns of the release, and the one beside them that says whose each row is.
    fn columns(&self, engine: &mut E) -> Result<(Vec<EngineColumn>, Option<EngineColumn>)> {
        let staged = engine.staged();
        let mut columns = engine.columns(&staged)?;
        let Some(people) = &self.people else { return Ok((columns, None)) };
        let place = columns.iter().position(|column| column.name == people.number.name);
        let place = place.ok_or_else(|| Error::bug("what was staged does not tell whose rows it has"))?;
        let person = columns.remove(place);
        Ok((columns, Some(person)))
    }

    /// The query that gives the release alone, where more was staged.
    fn release(&self, engine: &mut E) -> Result<Option<String>> {
        if self.people.is_none() {
            return Ok(None);
        }
        let (columns, _) = self.columns(engine)?;
        let (dialect, staged) = (engine.dialect(), engine.staged());
        let names: Vec<String> = columns.iter().map(|column| format!("o.{}", dialect.name(&column.name))).collect();
        Ok(Some(format!("SELECT {} FROM {staged} AS o", names.join(", "))))
    }
}

impl<E: Engine> Drop for StagedTable<E> {
    fn drop(&mut self) {
        if !self.is_published {
            locked(&self.engine).discard();
        }
    }
}

impl<E: Engine> Staged for StagedTable<E> {
    fn count(&self, policy: &Policy, watch: &dyn Watch) -> Result<OutsiderTable> {
        let mut engine = locked(&self.engine);
        let staged = engine.staged();
        let (columns, person) = self.columns(&mut engine)?;
        let named =
            |name: &str| columns.iter().find(|column| column.name == name).expect("every counted column is staged");
        let counted: Vec<&EngineColumn> = counted_columns(policy).map(|column| named(&column.name)).collect();
        let quasi = policy.with_role(Role::QuasiIdentifier).count();
        let names = columns.iter().map(|column| column.name.clone()).collect();
        let markers = MissingMarkers::new(policy.input.missing.clone()).written();
        let limit = policy.input.memory_limit.map(|bytes| MemoryLimit::new(bytes, std::env::temp_dir()));
        let groups = OutsiderGroups::new(names, (quasi, counted.len() - quasi), markers, limit);
        let mut groups = if person.is_some() { groups.of_people() } else { groups };
        let keys: Vec<&EngineColumn> = counted.iter().copied().chain(&person).collect();
        let is_shown = (policy.output.suppressed == Suppressed::Keep).then(|| is_shown(&*engine, &columns));
        let query = group_query(engine.dialect(), &staged, &keys, is_shown.as_deref());
        let (stop, place) = (engine.stopper(), engine.place());
        let mut each = |written: &[Option<&str>], counts: &[u64]| {
            let texts: Vec<_> = written.iter().zip(&counted).map(|(cell, column)| text(*cell, column)).collect();
            let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            groups.add_exempt(counts.get(1).map_or(0, |whole| whole - counts[0]));
            if counts[0] > 0 {
                groups.add_of(&texts, written.get(counted.len()).copied().flatten(), counts[0])?;
            }
            watch.advance(counts[counts.len() - 1]);
            Ok(())
        };
        stoppable(watch, stop.as_ref(), || engine.groups(&query, keys.len(), &mut each))?;
        let table = groups.finish()?;
        if table.rows + table.exempt_rows != self.rows {
            return Err(changed(&place));
        }
        Ok(table)
    }

    fn write_seconds(&self) -> f64 {
        self.write_seconds
    }

    fn place(&self) -> Published {
        Published { release: locked(&self.engine).release(), ..Published::default() }
    }

    /// What is said about the release follows it: no journal reaches into an engine.
    fn publish(mut self: Box<Self>, outputs: Outputs) -> Result<Option<ReleaseInMemory>> {
        {
            let mut engine = locked(&self.engine);
            let release = self.release(&mut engine)?;
            interruption::shielded(|| engine.publish(release.as_deref()))?;
        }
        self.is_published = true;
        outputs.publish().map_err(|error| error.detail("the release itself is published"))?;
        Ok(None)
    }
}

fn text<'a>(written: Option<&'a str>, column: &EngineColumn) -> Option<std::borrow::Cow<'a, str>> {
    let kind = column.kind.expect("a counted column has values that can be counted");
    written.map(|written| value_text(kind, written))
}

/// The condition that a row is not all `*`. Where such rows are exempt every column is text; a column that is not has none.
fn is_shown<E: Engine>(engine: &E, columns: &[EngineColumn]) -> String {
    let dialect = engine.dialect();
    let star = dialect.text(SUPPRESSED_CELL);
    let differs = |column: &EngineColumn| {
        let cell = dialect.as_text(&format!("s.{}", dialect.name(&column.name)));
        format!("{cell} IS NULL OR {cell} <> {star}")
    };
    columns.iter().map(differs).collect::<Vec<_>>().join(" OR ")
}
