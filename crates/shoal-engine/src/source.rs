//! How is a table anonymized where it is? The verbs of a source, in terms of what an engine can do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use shoal::policy::Policy;
use shoal::publish::{Intent, Outputs};
use shoal::source::{Counted, Source, Staged};
use shoal_core::recode::Recoding;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use crate::count::{EngineColumns, count, sum_of_rows};
use crate::engine::Engine;
use crate::interrupt::stoppable;
use crate::natives::Natives;
use crate::plan::{CountedValues, MappingPlan};
use crate::recode_query::RecodeQuery;
use crate::repeats::repeats;
use crate::some_values::some_values;
use crate::staged::StagedTable;

/// A table of an engine.
#[derive(Debug)]
pub struct EngineSource<E> {
    engine: SharedEngine<E>,
    /// Does the engine still see the state of the table that was counted last?
    sees_counted: bool,
}

/// An engine that a source and what it has staged share.
pub(crate) type SharedEngine<E> = Arc<Mutex<E>>;

/// Lets one of them speak to it.
pub(crate) fn locked<E>(engine: &SharedEngine<E>) -> MutexGuard<'_, E> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What is known of a table once it is counted.
#[derive(Debug)]
struct CountedColumns {
    columns: EngineColumns,
    natives: Vec<Arc<Natives>>,
}

impl CountedColumns {
    /// The same for a policy that counts some of its columns, in its own order.
    fn by(&self, policy: &Policy, place: &str) -> Result<Self> {
        let columns = EngineColumns::new(policy, self.columns.all.clone(), place)?;
        let native = |&at: &usize| {
            let name = &columns.all[at].name;
            let known = self.natives.iter().find(|native| native.column.name == *name);
            known.cloned().ok_or_else(|| Error::bug(format!("column `{name}` was not counted")))
        };
        let natives = columns.layout.values().iter().map(native).collect::<Result<_>>()?;
        Ok(Self { columns, natives })
    }
}

impl<E: Engine + 'static> EngineSource<E> {
    /// The table that an engine was opened for.
    pub fn new(engine: E) -> Self {
        Self { engine: Arc::new(Mutex::new(engine)), sees_counted: false }
    }
}

/// The table is not the one that was counted.
pub(crate) fn changed(place: &str) -> Error {
    Error::changed(format!("{place} changed while it was being anonymized; nothing was published"))
        .hint("run it again while nobody writes to it; a `query` must give the same rows each time it is run")
}

impl<E: Engine + 'static> Source for EngineSource<E> {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        let mut engine = locked(&self.engine);
        let stop = engine.stopper();
        let counted = stoppable(watch, stop.as_ref(), || {
            engine.wake()?;
            let (relation, place) = (engine.input(), engine.place());
            let columns = EngineColumns::new(policy, engine.columns(&relation)?, &place)?;
            let (mut counted, natives) = count(&mut *engine, policy, &columns, watch)?;
            counted.repeats = repeats(&mut *engine, policy, &columns)?;
            let natives = natives.into_iter().map(Arc::new).collect();
            counted.kept = Some(Arc::new(CountedColumns { columns, natives }));
            Ok(counted)
        });
        self.sees_counted = counted.is_ok() && engine.sees_one_state();
        if counted.is_err() {
            // Whatever was begun for it.
            _ = engine.rest();
        }
        counted
    }

    fn announce(&self, _: &Policy, intent: &mut Intent) -> Result<()> {
        if let Some(input) = locked(&self.engine).local_input() {
            intent.reads("its own input", input);
        }
        Ok(())
    }

    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Vec<(String, Vec<String>)>> {
        let mut engine = locked(&self.engine);
        let stop = engine.stopper();
        stoppable(watch, stop.as_ref(), || some_values(&mut *engine, policy))
    }

    fn rest(&mut self) -> Result<()> {
        self.sees_counted = false;
        locked(&self.engine).rest()
    }

    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding<'_>,
        _: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        let kept = counted.kept.as_ref().and_then(|kept| kept.downcast_ref::<CountedColumns>());
        let kept = kept.ok_or_else(|| Error::bug("the table was counted somewhere else"))?;
        let mut engine = locked(&self.engine);
        let stop = engine.stopper();
        // Whatever comes of it, the engine looks at the table anew afterwards.
        let counts_again = !std::mem::replace(&mut self.sees_counted, false);
        let table = kept.by(policy, &engine.place())?;
        watch.begin("recoding", None);
        let staged = stoppable(watch, stop.as_ref(), || {
            engine.wake()?;
            stage(&mut *engine, policy, &table, recoding, counts_again)
        });
        watch.end();
        let Ok(write_seconds) = staged else {
            engine.discard();
            return Err(staged.expect_err("it is no success"));
        };
        let (engine, rows, people) = (Arc::clone(&self.engine), recoding.rows(), table.columns.people);
        Ok(Box::new(StagedTable { engine, rows, people, write_seconds, is_published: false }))
    }
}

/// Writes the release; the seconds that took. `counts_again` where the table may have changed since it was counted.
fn stage(
    engine: &mut dyn Engine,
    policy: &Policy,
    CountedColumns { columns, natives }: &CountedColumns,
    recoding: &Recoding<'_>,
    counts_again: bool,
) -> Result<f64> {
    let counted = CountedValues { columns, natives };
    let plan = MappingPlan::new(recoding, counted);
    let query = {
        let (input, dialect) = (columns.relation(engine), engine.dialect());
        RecodeQuery { policy, dialect, input, counted, recoding, plan: &plan }.text()
    };
    if let Some(people) = columns.people.as_ref().filter(|_| counts_again) {
        let input = engine.input();
        people.send(engine, &input)?;
    }
    for mapping in &plan.tables {
        engine.send(mapping)?;
    }
    let begin = Instant::now();
    engine.stage(&query, columns.people.is_some())?;
    let write_seconds = begin.elapsed().as_secs_f64();
    if engine.staged_rows().is_some_and(|rows| rows != recoding.rows()) {
        return Err(changed(&engine.place()));
    }
    if counts_again {
        let sum = sum_of_rows(engine, policy, columns, natives, recoding)?;
        if sum != Some(recoding.sum_of_rows()) {
            return Err(changed(&engine.place()));
        }
    }
    Ok(write_seconds)
}
