//! How do several threads work on one table at the same time?

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Block, Cells, Rows, TableReader, Wanted};
use shoal_core::{Error, Result};

/// Reads a table block by block, each worker on a thread of its own: whoever is free takes the next block. `work` gets the
/// rows of the block and its turn, for what must happen in the order of the table.
///
/// Of several errors the one of the first block counts, as if the table had been read in order. The result is how long
/// reading took, shared among the threads.
pub fn rows_side_by_side<W: Send>(
    reader: &mut dyn TableReader,
    wanted: &Wanted,
    workers: &mut [W],
    work: impl Fn(&mut W, &Rows<'_>, &Turn<'_>) -> Result<()> + Sync,
) -> Result<Duration> {
    run(reader, workers, &|worker, block, turn| {
        let begin = Instant::now();
        let rows = block.rows(wanted).map_err(Failure::Reading)?;
        let taking_apart = begin.elapsed();
        work(worker, &rows, turn).map_err(Failure::Work).map(|()| taking_apart)
    })
}

/// The same for work on columns in the form of their format.
pub fn columns_side_by_side<W: Send>(
    reader: &mut dyn TableReader,
    workers: &mut [W],
    work: impl Fn(&mut W, Vec<Cells>, &Turn<'_>) -> Result<()> + Sync,
) -> Result<Duration> {
    let total = reader.columns().len();
    run(reader, workers, &|worker, block, turn| {
        let begin = Instant::now();
        let columns = block.columns(total).map_err(Failure::Reading)?;
        let taking_apart = begin.elapsed();
        work(worker, columns, turn).map_err(Failure::Work).map(|()| taking_apart)
    })
}

/// A worker for each thread that may be used.
pub fn workers<W>(new: impl Fn() -> W) -> Vec<W> {
    (0..rayon::current_num_threads()).map(|_| new()).collect()
}

/// What a thread can fail at: reading is for the reader to explain. A panic is told to all others, who would wait for its turn
/// for ever, and goes on when they have stopped.
enum Failure {
    Reading(Error),
    Work(Error),
    Panic(Box<dyn Any + Send>),
}

/// The turn of one block: those of the blocks before it come first.
pub struct Turn<'a> {
    number: u64,
    order: &'a Order,
}

impl Turn<'_> {
    /// Acts when the turn has come, and passes it on; once for every block, or for none. Where another block has failed
    /// nothing is done any more.
    pub fn take(&self, act: impl FnOnce() -> Result<()>) -> Result<()> {
        self.take_of(|state| &mut state.turn, act)
    }

    /// The same for something short that must happen in order before: there are two turns, and what lies between them
    /// happens side by side again.
    pub fn take_early(&self, act: impl FnOnce() -> Result<()>) -> Result<()> {
        self.take_of(|state| &mut state.early_turn, act)
    }

    fn take_of(&self, turn: impl Fn(&mut State) -> &mut u64, act: impl FnOnce() -> Result<()>) -> Result<()> {
        let is_early = |state: &mut State| state.failure.is_none() && *turn(state) < self.number;
        let state = self.order.changed.wait_while(self.order.state(), is_early);
        if state.unwrap_or_else(PoisonError::into_inner).failure.is_some() {
            return Ok(());
        }
        act()?;
        *turn(&mut self.order.state()) += 1;
        self.order.changed.notify_all();
        Ok(())
    }
}

/// Who comes next, and what went wrong first.
#[derive(Default)]
struct Order {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    turn: u64,
    early_turn: u64,
    failure: Option<(u64, Failure)>,
}

impl Order {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fail(&self, number: u64, failure: Failure) {
        let mut state = self.state();
        if state.failure.as_ref().is_none_or(|(first, _)| number < *first) {
            state.failure = Some((number, failure));
        }
        self.changed.notify_all();
    }
}

/// The reader, and how many blocks were taken.
struct Blocks<'a> {
    reader: &'a mut dyn TableReader,
    taken: u64,
}

fn run<W: Send>(
    reader: &mut dyn TableReader,
    workers: &mut [W],
    work: &(impl Fn(&mut W, &mut Block, &Turn<'_>) -> std::result::Result<Duration, Failure> + Sync),
) -> Result<Duration> {
    let threads = u32::try_from(workers.len()).unwrap_or(u32::MAX);
    let reading = Mutex::new(Duration::ZERO);
    let order = Order::default();
    let blocks = Mutex::new(Blocks { reader, taken: 0 });
    let until_done = |worker: &mut W| {
        let (mut block, mut time_read) = (Block::default(), Duration::ZERO);
        // Blocks are taken in order, so all that come before a failed one are in work already.
        while order.state().failure.is_none() {
            let mut number = 0;
            let mut next = || {
                let (read, fetching) = {
                    let mut blocks = blocks.lock().unwrap_or_else(PoisonError::into_inner);
                    number = blocks.taken;
                    blocks.taken += 1;
                    let begin = Instant::now();
                    (blocks.reader.next_block(&mut block).map_err(Failure::Reading)?, begin.elapsed())
                };
                match read {
                    false => Ok(None),
                    true => work(worker, &mut block, &Turn { number, order: &order }).map(|time| Some(fetching + time)),
                }
            };
            // Nothing that a panic left half done is looked at again: the table is not read on.
            match catch_unwind(AssertUnwindSafe(&mut next)).unwrap_or_else(|panic| Err(Failure::Panic(panic))) {
                Ok(None) => break,
                Ok(Some(time)) => time_read += time,
                Err(failure) => order.fail(number, failure),
            }
        }
        *reading.lock().unwrap_or_else(PoisonError::into_inner) += time_read;
    };
    std::thread::scope(|scope| {
        let Some((first, others)) = workers.split_first_mut() else { return };
        for worker in others {
            scope.spawn(|| until_done(worker));
        }
        until_done(first);
    });
    let failure = order.state().failure.take();
    match failure {
        None => Ok(*reading.lock().unwrap_or_else(PoisonError::into_inner) / threads.max(1)),
        Some((_, Failure::Work(error))) => Err(error),
        Some((_, Failure::Panic(panic))) => resume_unwind(panic),
        Some((_, Failure::Reading(error))) => {
            Err(blocks.into_inner().unwrap_or_else(PoisonError::into_inner).reader.explain(error))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::quietly;
    use crate::open;
    use crate::sample_files::SampleFile;

    #[test]
    fn a_panic_on_one_thread_ends_the_others_and_goes_on() {
        let rows: String = (0..200_000).map(|row| format!("{row},x\n")).collect();
        let file = SampleFile::with("a.csv", format!("n,t\n{rows}"));
        let mut reader = open(&file.input()).expect("a table");
        let panic = quietly(|| {
            let mut workers = vec![(); 4];
            columns_side_by_side(reader.as_mut(), &mut workers, |(), _, turn| {
                assert!(turn.number != 1, "the second block");
                turn.take(|| Ok(()))
            })
        });
        assert!(panic.is_err());
    }
}
