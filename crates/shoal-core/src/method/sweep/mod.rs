//! How can records be swept, class by class, to ever more general ones until every class is diverse?

mod close;
mod generalize;
mod order;
mod remaining;
mod thin;
mod values;

use std::cell::OnceCell;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

use super::diversity::{Diversity, deciding_column};
use super::draft::{Draft, Part, TupleCounts};
use super::fallback::{best_of, better_of};
use super::grouping::too_much_suppressed;
use super::leaving_out::left_out;
use super::{GeneralizedSensitive, Method, Partition, Task, eligible_range};
use crate::frequency::Induction;
use crate::watch::Watch;
use crate::{Error, Result};
use close::{Judge, Verdict};
use remaining::Remaining;
use thin::Thinning;
use values::Generalizable;

/// # sweep
///
/// **Definition.** The Sequential Sweep of (tau,l)-diversity. All combinations of levels are visited, those that keep most
/// information first. At each, records that share their values at these levels form a class; records with its most
/// frequent sensitive value leave it one by one until it is diverse. What is left of it is closed, and who left goes on to
/// the next combination. If all rows together are not diverse, some *sensitive values are generalized* before, and so
/// again in the last class: `hepatitis` may become `hemal disease`, and then counts for every value below that.
/// **Use it** where sensitive values are so skewed that other methods find no release, or one in which much is lost.
/// **Weakness.** Sensitive values may be shown generalized, and only those of the most frequent value are: whoever knows that
/// takes them for that value, and finds more than `tau` (3/4 in the paper's Figure 2(a), where `tau` is 0.5; the attack
/// `minimality` of `shoal audit` says how much). Every combination of levels is visited: with many
/// quasi-identifiers of many levels that takes long. Who left a class loses more than others.
/// **Parameters.** `generalize-sensitive` (true by default): may sensitive values be generalized? `numbers`, `ends`
/// and `categories`: each class shows the smallest labels that cover its records. The order of the columns in the policy is
/// their importance where two combinations of levels keep as much.
/// **Models.** All. The first (tau,l)-diversity, or else the first diversity model, says of which column's most frequent
/// value records leave; a class is closed if it satisfies every requirement. Sensitive values are generalized if the column
/// has a hierarchy and every requirement can judge such values: k-anonymity, (tau,l)-diversity and t-closeness can. Records of
/// the last class that fail a requirement are suppressed within `max-suppressed`; where that is too little, or loses more,
/// the classes closed last join them.
/// **Example.** With `tau = 0.5` and `l = 3`, hepatitis makes up 3/5 of a class of twice hemal disease (hepatitis or
/// anemia), twice hepatitis, and phthisis. Once a record of hepatitis has left, it makes up half, and the class is closed.
/// **Reference.** Tian and Zhang, Extending l-diversity, section III.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Sweep {
    /// May sensitive values be generalized?
    pub generalize_sensitive: bool,
}

impl Default for Sweep {
    fn default() -> Self {
        Self { generalize_sensitive: true }
    }
}

/// More combinations of levels than this nobody waits for.
const MOST_COMBINATIONS: u128 = 1 << 20;

impl Method for Sweep {
    fn id(&self) -> &'static str {
        "sweep"
    }

    fn samples() -> Vec<Self> {
        [true, false].map(|generalize_sensitive| Self { generalize_sensitive }).into()
    }

    fn generalizes_dominant(&self) -> bool {
        self.generalize_sensitive
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        task.refuse_people(self.id())?;
        task.refuse_max_level(self.id())?;
        let combinations = task.table.lattice().size();
        if combinations > MOST_COMBINATIONS {
            let combinations = crate::words::combinations(combinations);
            return Err(Error::policy(format!("`sweep` would have to visit {combinations} combinations of levels"))
                .hint("give the hierarchies fewer levels or a `min-level`, or use another method"));
        }
        let column = deciding_column(task);
        let generalizable = match column {
            Some(_) if !self.generalize_sensitive => Err("`generalize-sensitive` is false".to_owned()),
            Some(column) => Generalizable::new(task, column),
            None => Err("no requirement is about one".to_owned()),
        };
        let result = match &generalizable {
            Err(_) => Sweeping::new(task, column, None).release(watch),
            Ok(values) => {
                let by_release = generalizing(task, column, values, false, watch);
                // No way is always the better one.
                match Sweeping::new(task, column, Some(values)).weights_are_released() {
                    true => better_of(task, by_release, generalizing(task, column, values, true, watch)),
                    false => by_release,
                }
            }
        };
        watch.proceed()?;
        match generalizable {
            Err(why) if column.is_some() => {
                result.map_err(|error| error.detail(format!("sensitive values were not generalized: {why}")))
            }
            _ => result,
        }
    }
}

/// A release in which sensitive values may be generalized.
///
/// Values that are generalized or suppressed at last change what the release shows, after classes were closed: the distribution
/// that t-closeness compares with, and what generalized values count for where the release tells that. Where classes then fail,
/// there may be a release without generalized values, one in which nothing more is generalized at last, or one class of all
/// rows, which is as good as can be. Where the release tells what generalized values count for, what is to be generalized may
/// be found by what it will tell, or as if the input told it (`by_input`), which is right only by chance, but may lose less.
fn generalizing(
    task: &Task<'_>,
    column: Option<usize>,
    values: &Generalizable,
    by_input: bool,
    watch: &dyn Watch,
) -> Result<Partition> {
    let (mut with, without) = (Sweeping::new(task, column, Some(values)), Sweeping::new(task, column, None));
    with.by_input = by_input;
    let generalized = with.generalized();
    let shows_generalized = |records: &&Vec<Part>| records.iter().any(|part| values.is_generalized(part.shows));
    if let Some(records) = generalized.as_ref().filter(shows_generalized) {
        if with.weights_are_released() && !by_input {
            with.induction = values.induction_of(&with.diversity.by_code(values.parents.len(), records));
        }
        with.diversity = with.diversity.comparing_with(records);
    }
    let swept_with = generalized.clone().map(|records| with.sweep_all(records, watch));
    let swept_without = OnceCell::new();
    let no_release = || with.no_release();
    let as_they_are = |task: &Task<'_>| {
        eligible_range(task).refuse_the_impossible(task)?;
        let swept = swept_without.get_or_init(|| without.sweep_all(without.everybody(), watch));
        without.finish(swept, task)
    };
    best_of(
        task,
        &[
            &|task| with.finish(swept_with.as_ref().ok_or_else(no_release)?, task),
            &as_they_are,
            &|task| with.finish_as_shown(swept_with.as_ref().ok_or_else(no_release)?, task),
            &|task| with.one_class(generalized.as_ref().ok_or_else(no_release)?, task),
            &|task| without.all_but_a_few(task, watch),
        ],
    )
}

/// Classes that were closed on the way, and who is left for the last one.
struct Swept {
    draft: Draft,
    last: Vec<Part>,
}

/// All that a sweep needs to know.
struct Sweeping<'a> {
    task: &'a Task<'a>,
    diversity: Diversity<'a>,
    induction: Induction,
    values: Option<&'a Generalizable>,
    /// Does the input say what generalized values count for while some are chosen, though the release is to?
    by_input: bool,
}

impl<'a> Sweeping<'a> {
    fn new(task: &'a Task<'a>, column: Option<usize>, values: Option<&'a Generalizable>) -> Self {
        let table = task.table;
        let mut diversity = Diversity::new(task, column);
        if let Some(Generalizable { requirements, columns, tuples, .. }) = values {
            diversity = diversity.with_generalized(requirements, columns, tuples, table.rows);
        }
        let columns = values.map_or(table.sensitive.as_slice(), |values| &values.columns);
        let induction = column.map_or_else(Induction::none, |column| {
            values::induction(&columns[column], diversity.weights())
        });
        Self { task, diversity, induction, values, by_input: false }
    }

    /// Does the release tell what generalized values count for?
    fn weights_are_released(&self) -> bool {
        self.values.is_some_and(|values| values.fixed_induction(self.diversity.weights()).is_none())
    }

    /// A release in which sensitive values stay as they are.
    fn release(&self, watch: &dyn Watch) -> Result<Partition> {
        eligible_range(self.task).refuse_the_impossible(self.task)?;
        let swept = self.sweep_all(self.everybody(), watch);
        best_of(self.task, &[&|task| self.finish(&swept, task), &|task| self.all_but_a_few(task, watch)])
    }

    /// All records as they are.
    fn everybody(&self) -> Vec<Part> {
        let shows = |tuple: u32| self.values.map_or(tuple, |values| values.of_table(tuple));
        Remaining::new(self.task.table, shows).parts
    }

    /// All records, with sensitive values generalized until they are diverse together; nothing if they never are. Steps 1 and
    /// 2 of Figure 4 of the paper.
    fn generalized(&self) -> Option<Vec<Part>> {
        let values = self.values?;
        let nobody = vec![0; values.parents.len()];
        generalize::generalize(&self.everybody(), values, &self.diversity, (!self.by_input).then_some(&nobody))
    }

    /// Steps 3 to 17.
    fn sweep_all(&self, records: Vec<Part>, watch: &dyn Watch) -> Swept {
        let mut remaining = Remaining::of_parts(records);
        let order = order::sweeping_order(self.task.table);
        let mut draft = Draft::default();
        watch.begin("sweeping", Some(order.len() as u64));
        for node in &order[..order.len() - 1] {
            if remaining.is_empty() || watch.is_stopped() {
                break;
            }
            remaining = self.sweep(remaining, node, &mut draft);
            watch.advance(1);
        }
        watch.end();
        Swept { draft, last: remaining.parts }
    }

    /// Steps 18 to 23.
    fn finish(&self, swept: &Swept, task: &Task<'_>) -> Result<Partition> {
        let mut draft = swept.draft.clone();
        self.close_last(swept.last.clone(), &mut draft, task);
        self.settle(draft, task)
    }

    /// The same, but no value is generalized at last: what the release shows is what classes were closed for.
    fn finish_as_shown(&self, swept: &Swept, task: &Task<'_>) -> Result<Partition> {
        let mut draft = swept.draft.clone();
        draft.close_rest(swept.last.clone(), task, &self.diversity);
        self.settle(draft, task)
    }

    /// These records as one class.
    fn one_class(&self, records: &[Part], task: &Task<'_>) -> Result<Partition> {
        let mut draft = Draft::default();
        draft.close(records);
        self.settle(draft, task)
    }

    /// All records but a few as one class, where the last of a sweep can neither be a class nor join one.
    fn all_but_a_few(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        let left_out = left_out(task, watch).ok_or_else(|| too_much_suppressed(task, task.table.rows))?;
        let (mut stay, mut draft) = (self.everybody(), Draft::default());
        draft.leave_out(&mut stay, &left_out);
        draft.close(&stay);
        self.settle(draft, task)
    }

    /// Closes what can be closed at a node; who is left.
    fn sweep(&self, mut remaining: Remaining, node: &crate::lattice::Node, draft: &mut Draft) -> Remaining {
        let groups = remaining.groups(self.task.table, node);
        let thinning = Thinning { diversity: &self.diversity, induction: &self.induction };
        let judged = (0..groups.len()).into_par_iter().with_min_len(64).map_init(
            || Judge::new(&thinning),
            |judge, group| {
                let members = groups.members(group).iter();
                judge.judge(members.flat_map(|&member| &remaining.parts[remaining.range(member)]))
            },
        );
        let verdicts: Vec<Verdict> = judged.collect();
        if verdicts.iter().all(|verdict| *verdict == Verdict::MoveOn) {
            return remaining;
        }
        for (group, verdict) in verdicts.into_iter().enumerate() {
            let places = groups.members(group).iter().flat_map(|&member| remaining.range(member)).collect::<Vec<_>>();
            let stays: Box<dyn Iterator<Item = u64>> = match verdict {
                Verdict::MoveOn => continue,
                Verdict::Close => Box::new(std::iter::repeat(u64::MAX)),
                Verdict::CloseWith(kept) => Box::new(kept.into_iter()),
            };
            for (place, stays) in places.into_iter().zip(stays) {
                let part = &mut remaining.parts[place];
                let count = part.count.min(stays);
                if count > 0 {
                    draft.parts.push(Part { count, ..*part });
                    part.count -= count;
                }
            }
            draft.end_class();
        }
        remaining.parts.retain(|part| part.count > 0);
        Remaining::of_parts(remaining.parts)
    }

    /// The last class, in which every quasi-identifier is at its root: as it is, or with sensitive values generalized.
    fn close_last(&self, last: Vec<Part>, draft: &mut Draft, task: &Task<'_>) {
        if let Some(values) = self.values.filter(|_| !last.is_empty()) {
            let beside = self.diversity.by_code(values.parents.len(), &draft.parts);
            let beside = (!self.by_input).then_some(beside.as_slice());
            let generalized = generalize::generalize(&last, values, &self.diversity, beside);
            let is_accepted = |parts: &Vec<Part>| {
                let mut counts = TupleCounts::new(self.diversity.tuples.len());
                counts.add(parts);
                let shows_generalized = parts.iter().chain(&draft.parts).any(|part| values.is_generalized(part.shows));
                match shows_generalized {
                    false => counts.are_accepted(&self.diversity),
                    true => counts.are_accepted(&self.diversity.clone().comparing_with(parts.iter().chain(&draft.parts))),
                }
            };
            if let Some(parts) = generalized.filter(is_accepted) {
                return draft.close(&parts);
            }
        }
        draft.close_rest(last, task, &self.diversity);
    }

    fn settle(&self, draft: Draft, task: &Task<'_>) -> Result<Partition> {
        let values = self.values.filter(|values| draft.parts.iter().any(|part| values.is_generalized(part.shows)));
        let base = &self.task.table.base;
        let shows = |part: &Part| {
            let place = part.tuple as usize - base.first_entry(part.class as usize);
            if values.is_some() { part.shows } else { base.entries(part.class as usize).0[place] }
        };
        let grouping = draft.into_grouping(task, shows);
        match values {
            None => grouping.settle(task),
            Some(values) => {
                let sensitive =
                    GeneralizedSensitive { columns: values.columns.clone(), tuples: values.tuples.clone() };
                grouping.settle_generalized(task, &values.requirements, Some(sensitive))
            }
        }
    }

    fn no_release(&self) -> Error {
        let names: Vec<String> = self.task.requirements.iter().map(|requirement| requirement.model.name()).collect();
        Error::no_release(format!("no release of this table can satisfy {}", names.join(" and ")))
            .detail("not even with every sensitive value generalized as far as it can be")
            .hint("ask for a smaller `l` or a larger `tau`")
    }
}
