//! How are records put into classes that are all nearly the table in small?

use rayon::prelude::*;

use super::Records;
use crate::frequency::{EquivalenceClass, TableProfile};
use crate::method::Task;
use crate::method::separated::Separation;
use crate::model::accepts_all;

/// Deals out the records in the order of their sensitive tuples, one to each class in turn: a class gets each value as
/// often as any other does, or once more. As many classes as are found to satisfy every requirement; none if even one class
/// of everything does not.
pub(super) fn deal(task: &Task<'_>, records: &Records, profile: &TableProfile) -> Option<Separation> {
    let rows = records.len();
    let accepted = |classes: usize| {
        (0..classes).into_par_iter().all(|class| {
            let (mut codes, mut counts): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
            for record in (class..rows).step_by(classes) {
                match counts.last_mut() {
                    Some(last) if codes.last() == Some(&records.shows[record]) => *last += 1,
                    _ => {
                        codes.push(records.shows[record]);
                        counts.push(1);
                    }
                }
            }
            let class = EquivalenceClass::new(task.table.base.sensitive(), &codes, &counts);
            accepts_all(task.requirements, &class, profile)
        })
    };
    if !accepted(1) {
        return None;
    }
    let ceilings = task.requirements.iter().filter_map(|requirement| requirement.model.most_classes(profile));
    let most = ceilings.min().map_or(rows, |most| usize::try_from(most).unwrap_or(rows).min(rows));
    // More classes are nearly always harder to satisfy; where they are not, this may miss some.
    let (mut classes, mut too_many) = (1, most.max(1) + 1);
    while classes + 1 < too_many {
        let middle = usize::midpoint(classes, too_many);
        if accepted(middle) { classes = middle } else { too_many = middle }
    }
    let class_of = (0..rows).map(|record| (record % classes) as u32).collect();
    Some(Separation { class_of, classes: classes as u32 })
}
