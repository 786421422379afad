//! What if a method does worse with rows suppressed than without, or finds nothing at all?

use super::{Acceptance, Partition, Task};
use crate::Result;
use crate::error::Kind;
use crate::exact::Ratio;
use crate::objective::order::Least;

/// A way to make a release of a task. It may depend on `max_suppressed` only through the rows that it leaves out: where it
/// leaves out none, it gives the same without suppression.
pub(super) type Way<'a> = &'a dyn Fn(&Task<'_>) -> Result<Partition>;

/// What the first of these ways gives that finds a release, with the suppression that a task allows or without any, whichever
/// loses less. Where no way leads to a release, one class of all rows is one, if it satisfies.
pub(super) fn best_of(task: &Task<'_>, ways: &[Way<'_>]) -> Result<Partition> {
    let (first, others) = ways.split_first().expect("a method has a way to make a release");
    let found = first(task);
    if would_be_the_same(&found) {
        return found;
    }
    // That another way leaves out nobody does not tell what the first one does without suppression.
    let found = found.or_else(|error| others.iter().find_map(|way| way(task).ok()).ok_or(error));
    if task.rows_to_spare() == 0 {
        return found.or_else(|error| one_class(task).map_err(|_| error));
    }
    let complete = best_of(&Task { max_suppressed: Ratio::ZERO, ..*task }, ways);
    better_of(task, found, complete)
}

/// What a single way gives with the suppression that a task allows or without any, whichever loses less: rows that are left out
/// cost something, and t-closeness then compares with another distribution.
pub(super) fn with_or_without_suppression(task: &Task<'_>, way: Way<'_>) -> Result<Partition> {
    let found = way(task);
    if would_be_the_same(&found) || task.rows_to_spare() == 0 {
        return found;
    }
    let complete = way(&Task { max_suppressed: Ratio::ZERO, ..*task });
    better_of(task, found, complete)
}

/// Would a way give the same without suppression?
fn would_be_the_same(found: &Result<Partition>) -> bool {
    match found {
        Ok(partition) => partition.suppressed() == 0,
        Err(error) => error.kind() != Kind::NoRelease,
    }
}

/// The better of two results, or the only one that there is.
pub(super) fn better_of(task: &Task<'_>, found: Result<Partition>, complete: Result<Partition>) -> Result<Partition> {
    match (found, complete) {
        (Ok(found), Ok(complete)) => Ok(better(task, found, complete)),
        (Ok(partition), Err(_)) | (Err(_), Ok(partition)) => Ok(partition),
        (Err(error), Err(_)) => Err(error),
    }
}

/// The one of two releases that has lost less; of equals, the one that suppresses fewer rows, else the first.
pub(super) fn better(task: &Task<'_>, one: Partition, other: Partition) -> Partition {
    let place = |partition: &Partition, turn: usize| (partition.lost(task.objective), (partition.suppressed(), turn));
    let least: Least<(u64, usize)> = [place(&one, 0), place(&other, 1)].into_iter().collect();
    if least.winner().is_some_and(|(_, turn)| *turn == 1) { other } else { one }
}

/// One class of all rows.
fn one_class(task: &Task<'_>) -> Result<Partition> {
    let acceptance = Acceptance::new(task);
    acceptance.group(&[acceptance.everybody()], &task.covers()).settle(task)
}
