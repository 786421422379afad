//! How do the rows of a table become those of its release, in whatever form they are written?

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use shoal_core::Result;
use shoal_core::recode::{Place, Recoding, RowBytes, RowOrder, RowSum};
use shoal_core::watch::Watch;
use shoal_format::{TableReader, TableWriter, Turn, workers};

use super::people_file::{PeopleFile, RowPeople};
use super::row_encoder::{RowEncoder, changed};
use super::shared_writer::SharedWriter;

/// The form in which rows travel: lines of text, or columns.
pub(super) trait Carrier: Sync {
    /// A block of the table, as it is read.
    type Block<'b>;
    /// Rows of the release, or rows that wait for their places.
    type Rows;
    /// What puts rows of this form into an order.
    type Order: Ordered<Rows = Self::Rows>;
    /// The memory of a thread.
    type Worker: Worker<Rows = Self::Rows> + Default;

    /// Has all blocks worked on, side by side.
    fn each_block<W: Send>(
        &self,
        reader: &mut dyn TableReader,
        workers: &mut [W],
        work: impl Fn(&mut W, Self::Block<'_>, &Turn<'_>) -> Result<()> + Sync,
    ) -> Result<Duration>;
    /// The first half of recoding a block: the codes of its rows, and the place of each, or that it waits for one.
    fn find_places(&self, block: &Self::Block<'_>, worker: &mut Self::Worker) -> Result<()>;
    /// The second half: the rows that have their places as the release shows them, and those that still wait, with their hashes.
    fn recode(&self, block: Self::Block<'_>, worker: &mut Self::Worker) -> Result<()>;
    /// Deals rows that have waited their places, one after the other, and hands them on as the release shows them.
    fn recode_waiting(&self, rows: &Self::Rows, hand_on: &(dyn Fn(&Self::Rows) -> Result<()> + Sync)) -> Result<()>;
    /// Puts rows of the release into an order.
    fn order(&self, order: RowOrder) -> Self::Order;
    /// Puts rows that wait into an order.
    fn order_of_waiting(&self, order: RowOrder) -> Self::Order;
    /// Writes rows of the release, and whose they are, where that is asked.
    fn write(&self, rows: &Self::Rows, writer: &mut dyn TableWriter, people: Option<&mut PeopleFile>) -> Result<()>;
}

/// What a thread knows of the block that it works on, and of all that it has seen.
pub(super) trait Worker: Send {
    /// The form of rows.
    type Rows;
    /// The sum of all rows that it has seen.
    fn sum(&self) -> RowSum;
    /// How many rows the block has.
    fn seen(&self) -> u64;
    /// The places of its rows.
    fn places(&mut self) -> impl Iterator<Item = &mut Place>;
    /// The rows that are ready.
    fn ready(&self) -> &Self::Rows;
    /// The rows that wait, and their hashes.
    fn waiting(&self) -> (&Self::Rows, &[u64]);
}

/// Rows that come into an order that tells nothing but what they show.
pub(super) trait Ordered: Sync + Sized {
    /// The form of rows.
    type Rows;
    /// Throws in rows.
    fn add(&self, rows: &Self::Rows) -> Result<()>;
    /// The same for rows that come into the order of these hashes instead of their own.
    fn add_by(&self, hashes: &[u64], rows: &Self::Rows) -> Result<()>;
    /// Hands out all rows in their order, many at a time.
    fn finish(self, write: impl FnMut(&Self::Rows) -> Result<()>) -> Result<()>;
}

impl Ordered for RowOrder {
    type Rows = RowBytes;

    fn add(&self, rows: &RowBytes) -> Result<()> {
        RowOrder::add(self, rows)
    }

    fn add_by(&self, hashes: &[u64], rows: &RowBytes) -> Result<()> {
        RowOrder::add_by(self, hashes, rows)
    }

    fn finish(self, write: impl FnMut(&RowBytes) -> Result<()>) -> Result<()> {
        RowOrder::finish(self, write)
    }
}

/// A pass over all rows of a table.
pub(super) struct Pass<'a> {
    /// What becomes of the rows.
    pub(super) recoding: &'a Recoding<'a>,
    /// Finds their places.
    pub(super) encoder: &'a RowEncoder<'a>,
    /// What the table is called.
    pub(super) table: &'a str,
    /// Makes an order for the rows, unless they stay in that of the table.
    pub(super) row_order: &'a dyn Fn() -> Option<RowOrder>,
    /// Where people may be put away, if it is to be told whose each row is.
    pub(super) people: Option<PeopleFile>,
    /// Whoever watches.
    pub(super) watch: &'a dyn Watch,
}

/// What a pass has come to.
pub(super) struct Passed {
    /// The time that writing took.
    pub(super) writing: Duration,
    /// Whose each row is, if that was asked.
    pub(super) people: Option<RowPeople>,
}

impl Pass<'_> {
    /// Recodes all rows and writes them.
    pub(super) fn run<C: Carrier>(
        mut self,
        carrier: &C,
        reader: &mut dyn TableReader,
        writer: Box<dyn TableWriter>,
    ) -> Result<Passed> {
        let order = (self.row_order)().map(|order| carrier.order(order));
        let waits = (self.row_order)().filter(|_| self.encoder.waits_for_all());
        let waiting = waits.map(|order| carrier.order_of_waiting(order));
        let writer = Mutex::new((SharedWriter::new(writer), self.people.take()));
        let mut workers = workers(C::Worker::default);
        carrier.each_block(reader, &mut workers, |worker, block, turn| {
            self.watch.proceed()?;
            carrier.find_places(&block, worker)?;
            self.encoder.deal_block(turn, worker.places())?;
            carrier.recode(block, worker)?;
            if let Some(waiting) = &waiting {
                let (rows, hashes) = worker.waiting();
                waiting.add_by(hashes, rows)?;
            }
            match &order {
                Some(order) => order.add(worker.ready())?,
                None => turn.take(|| {
                    let (writer, people) = &mut *writer.lock().unwrap_or_else(PoisonError::into_inner);
                    writer.write(|writer| carrier.write(worker.ready(), writer, people.as_mut()))
                })?,
            }
            self.watch.advance(worker.seen());
            Ok(())
        })?;
        self.watch.end();
        let sum = workers.iter().fold(RowSum::default(), |sum, worker| sum.joined(worker.sum()));
        if sum != self.recoding.sum_of_rows() {
            return Err(changed(self.table));
        }
        let begin = Instant::now();
        let (mut writer, mut people) = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
        let all_people = |people: Option<PeopleFile>| people.map(PeopleFile::finish).transpose();
        let Some(order) = order else {
            return Ok(Passed { writing: writer.finish(workers.len())?, people: all_people(people)? });
        };
        if let Some(waiting) = waiting {
            waiting.finish(|rows| {
                self.watch.proceed()?;
                carrier.recode_waiting(rows, &|rows| order.add(rows))
            })?;
        }
        order.finish(|rows| {
            self.watch.proceed()?;
            writer.write(|writer| carrier.write(rows, writer, people.as_mut()))
        })?;
        writer.finish(workers.len())?;
        Ok(Passed { writing: begin.elapsed(), people: all_people(people)? })
    }
}
