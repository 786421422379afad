//! How can records be grouped by where they lie on a line through the space of all quasi-identifiers?

mod buckets;
mod curve;
mod hilbert;
mod runs;

use schemars::JsonSchema;
use serde::Deserialize;

use super::diversity::{Diversity, deciding_column};
use super::draft::{Draft, Part};
use super::fallback::best_of;
use super::grouping::too_much_suppressed;
use super::leaving_out::left_out;
use super::{Method, Partition, Task, eligible_range};
use crate::Result;
use crate::exact::Ratio;
use crate::watch::Watch;
use buckets::Buckets;
use curve::along_the_curve;

/// # one-dimensional
///
/// **Definition.** The space of all quasi-identifier tuples is laid out on one line by a Hilbert curve, on which neighbours
/// are alike; values without an order lie side by side where they share a node of their hierarchy. Then groups are taken
/// off the line. For diversity, records wait in buckets by sensitive value, and a group takes the first that wait, one of
/// each bucket before a second of any, until every requirement holds for it; if that left the others too uneven, it takes
/// from the fullest buckets instead. For k-anonymity alone the line is cut where least is lost, which dynamic programming
/// finds exactly.
/// **Use it** on large tables: beyond sorting, its time grows with the number of records.
/// **Weakness.** Neighbours in space may be far apart on the line. Sensitive values are never generalized: on skewed tables
/// there may be no release, or groups that reach far.
/// **Parameters.** None of its own; `numbers`, `ends` and `categories`: each class shows the smallest labels that cover its
/// records.
/// **Models.** All. The first (tau,l)-diversity, or else the first diversity model, says which column's values wait in
/// buckets; a group is closed if it satisfies every requirement. Without any, records are taken one after the other. The last
/// records, if they fail a requirement, are suppressed within `max-suppressed`, or the groups closed last join them: whichever
/// loses less. Where not even all records together satisfy a requirement, the fewest that can be found without whom the others
/// do are suppressed before.
/// **Example.** With 3-diversity, three neighbours with three different diseases are a class.
/// **Reference.** Ghinita et al. 2007, Fast data anonymization with low information loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct OneDimensional {}

impl Method for OneDimensional {
    fn id(&self) -> &'static str {
        "one-dimensional"
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        task.refuse_people(self.id())?;
        task.refuse_max_level(self.id())?;
        eligible_range(task).refuse_the_impossible(task)?;
        let diversity = Diversity::new(task, deciding_column(task));
        let line = along_the_curve(task.table);
        let mut draft = Draft::default();
        let rest = if diversity.column.is_none() {
            cut_by_size(task, &diversity, &line, &mut draft, watch)
        } else {
            watch.begin("grouping", Some(task.table.rows));
            let rest = in_buckets(parts(task, &line), &diversity, &mut draft, watch);
            watch.end();
            rest
        };
        watch.proceed()?;
        let close = |task: &Task<'_>| {
            let mut draft = draft.clone();
            draft.close_rest(rest.clone(), task, &diversity);
            draft.into_grouping(task, |part| part.shows).settle(task)
        };
        let without_some = |task: &Task<'_>| {
            let left_out = left_out(task, watch).ok_or_else(|| too_much_suppressed(task, task.table.rows))?;
            let (mut stay, mut draft) = (parts(task, &line), Draft::default());
            draft.leave_out(&mut stay, &left_out);
            let mut whole = draft.clone();
            whole.close(&stay);
            watch.begin("grouping the others", Some(stay.iter().map(|part| part.count).sum()));
            let rest = in_buckets(stay, &diversity, &mut draft, watch);
            watch.end();
            watch.proceed()?;
            // Some are left out already: nobody else is, unless no class takes them.
            draft.close_rest(rest, &Task { max_suppressed: Ratio::ZERO, ..*task }, &diversity);
            let settle = |draft: Draft| draft.into_grouping(task, |part| part.shows).settle(task);
            settle(draft).or_else(|_| settle(whole))
        };
        best_of(task, &[&close, &without_some])
    }
}

/// Groups records from buckets; those who wait in vain.
fn in_buckets(
    line: Vec<Part>,
    diversity: &Diversity<'_>,
    draft: &mut Draft,
    watch: &dyn Watch,
) -> Vec<Part> {
    Buckets::new(line, diversity).group(draft, watch)
}

/// Cuts the line where least is lost; the records that are in no run.
fn cut_by_size(
    task: &Task<'_>,
    diversity: &Diversity<'_>,
    line: &[u32],
    draft: &mut Draft,
    watch: &dyn Watch,
) -> Vec<Part> {
    let enough = |size: u64| size > 0 && diversity.accepts(&[0], &[size]);
    let Some(ends) = runs::cut(line, task.table, &task.covers(), enough, watch) else { return parts(task, line) };
    let mut begin = 0;
    for end in ends {
        draft.close(&parts(task, &line[begin..end]));
        begin = end;
    }
    Vec::new()
}

/// The records with these quasi-identifier tuples.
fn parts(task: &Task<'_>, line: &[u32]) -> Vec<Part> {
    let base = &task.table.base;
    let of_class = |&class: &u32| {
        let (tuples, counts) = base.entries(class as usize);
        let first = base.first_entry(class as usize) as u32;
        let entries = (first..).zip(tuples.iter().zip(counts));
        entries.map(move |(tuple, (&shows, &count))| Part { class, tuple, shows, count })
    };
    line.iter().flat_map(of_class).collect()
}
