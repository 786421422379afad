//! How is a table anonymized where it is? The verbs of a source, in terms of what an engine can do.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use shoal::policy::Policy;
use shoal::publish::Outputs;
use shoal::source::{Counted, Source, Staged};
use shoal_core::recode::Recoding;
use shoal_core::watch::Watch;
use shoal_core::{Error, Result};

use crate::count::{Columns, count, sum_of_rows};
use crate::engine::Engine;
use crate::interrupt::unless_interrupted;
use crate::natives::Natives;
use crate::plan::{CountedValues, Plan};
use crate::recode_query::RecodeQuery;
use crate::repeats::repeats;
use crate::staged::StagedTable;

/// A table of an engine, and what is known of it once it is counted.
#[derive(Debug)]
pub struct EngineSource<E> {
    engine: SharedEngine<E>,
    counted: Option<CountedTable>,
}

/// An engine that a source and what it has staged share.
pub(crate) type SharedEngine<E> = Arc<Mutex<E>>;

/// Lets one of them speak to it.
pub(crate) fn locked<E>(engine: &SharedEngine<E>) -> MutexGuard<'_, E> {
    engine.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct CountedTable {
    columns: Columns,
    natives: Vec<Natives>,
}

impl<E: Engine + 'static> EngineSource<E> {
    /// The table that an engine was opened for.
    pub fn new(engine: E) -> Self {
        Self { engine: Arc::new(Mutex::new(engine)), counted: None }
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
        let (relation, place) = (engine.input(), engine.place());
        let columns = Columns::new(policy, unless_interrupted(engine.columns(&relation))?, &place)?;
        let (mut counted, natives) = unless_interrupted(count(&mut *engine, policy, &columns, watch))?;
        counted.repeats = unless_interrupted(repeats(&mut *engine, policy, &columns))?;
        self.counted = Some(CountedTable { columns, natives });
        Ok(counted)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        recoding: &Recoding<'_>,
        _: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        let table = self.counted.as_ref().expect("a table is counted before it is recoded");
        let CountedTable { columns, natives } = table;
        let counted = CountedValues { columns, natives };
        let mut engine = locked(&self.engine);
        watch.begin("recoding", None);
        let plan = Plan::new(policy, recoding, counted);
        let query = {
            let (input, dialect) = (engine.input(), engine.dialect());
            RecodeQuery { policy, dialect, input, counted, recoding, plan: &plan }.text()
        };
        for mapping in &plan.tables {
            unless_interrupted(engine.send(mapping))?;
        }
        let begin = Instant::now();
        unless_interrupted(engine.stage(&query))?;
        let write_seconds = begin.elapsed().as_secs_f64();
        if engine.staged_rows().is_some_and(|rows| rows != recoding.rows()) {
            return Err(changed(&engine.place()));
        }
        if !engine.sees_one_state() {
            let dictionaries = recoding.dictionaries().iter();
            let missing: Vec<Option<u32>> = dictionaries.map(|dictionary| dictionary.missing()).collect();
            let sum = unless_interrupted(sum_of_rows(&mut *engine, policy, columns, natives, &missing))?;
            if sum != Some(recoding.sum_of_rows()) {
                return Err(changed(&engine.place()));
            }
        }
        watch.end();
        Ok(Box::new(StagedTable { engine: Arc::clone(&self.engine), rows: recoding.rows(), write_seconds }))
    }
}
