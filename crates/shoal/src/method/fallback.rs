//! What if a method does worse with rows suppressed than without, or finds nothing at all?

use super::{Acceptance, Partition, Task};
use crate::Result;
use crate::error::ErrorKind;
use crate::exact::Ratio;
use crate::objective::order::Least;

/// The better of what `form` makes with the suppression that a task allows and without any, which may be better: rows that
/// are left out cost something, and t-closeness then compares with another distribution. Where neither is a release, one
/// class of all rows is, if it satisfies.
///
/// What `form` gives may depend on `max_suppressed` only through the rows that it leaves out. Where it leaves out none, it
/// gives the same without suppression, and is not asked again.
pub(super) fn best_of(task: &Task<'_>, form: &dyn Fn(&Task<'_>) -> Result<Partition>) -> Result<Partition> {
    let formed = form(task);
    let is_decided = match &formed {
        Ok(partition) => partition.suppressed() == 0,
        Err(error) => error.kind() != ErrorKind::AnswerIsNo,
    };
    if is_decided {
        return formed;
    }
    if task.rows_to_spare() == 0 {
        return formed.or_else(|error| one_class(task).map_err(|_| error));
    }
    let complete = best_of(&Task { max_suppressed: Ratio::ZERO, ..*task }, form);
    match (formed, complete) {
        (Ok(formed), Ok(complete)) => Ok(better(task, formed, complete)),
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
