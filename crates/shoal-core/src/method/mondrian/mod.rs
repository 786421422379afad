//! How far can the space of quasi-identifiers be cut into cells of their own?

mod cell;
mod groups;
mod neighbours;
mod refine;
mod span;

use std::sync::Mutex;

use rayon::Scope;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fallback::best_of;
use super::{Acceptance, Member, Method, Partition, Task, eligible_range};
use crate::Result;
use crate::watch::Watch;
use cell::Cutter;
use refine::refine;
use span::Ruler;

/// # mondrian
///
/// **Definition.** The table is cut into ever smaller cells, one column at a time, as long as every part satisfies every
/// requirement. Numbers and dates are cut at a round number or date, other columns between the children of the lowest node of
/// their hierarchy that covers the cell (with `categories = "sets"`, between any values). Children that could not stand alone
/// stay together.
/// Each class then shows the smallest label that covers its values: a range, a node or a set. At last, neighbouring classes
/// exchange records, are given up, and are cut again, wherever that loses less (`refine`).
/// **Ends of ranges.** `[20, 30)` holds 20 and not 30. Between two neighbouring values that occur a range can end at the
/// roundest number there (a multiple of the largest of the steps 1, 2, 5, 10, 20, ..), or at the first day of a decade, year,
/// quarter or month, or at a day: with no more digits than the spread of the column supports, which is no finer than a tenth
/// of the mean distance of the values around. Values that only a finer number would separate are not cut apart. Where the
/// roundest is the next value itself, the next finer step is asked for a number that nobody has: 1081 between 1080 and 1082. So
/// an end is nobody's own value merely because a range had to end there; some have it where values are coarse themselves, as ages
/// are, or much rounder than all numbers beside them. A class in which all have the same value shows that value. Ends are written
/// as the table writes numbers; where that is with decimal commas, a semicolon separates them: `[1,5; 2,5)`.
/// **Numbers or categories.** Numbers and dates with `intervals`, `quantiles`, `dates` or no hierarchy are cut by their order.
/// Those with `file`, `tree`, `mask` or `suppress` are categories, unless the column says `type = "number"`; a column that
/// says `type = "category"` is never put in order. The same holds in every method.
/// **Use it** as the first choice among the local methods: far less is lost than with one level for all rows, and ten
/// million rows take seconds.
/// **Weakness.** Labels of different classes overlap, so a column has no single set of categories. Cuts are greedy, and a
/// cut that a model refuses is not looked behind: two cuts at once might have been allowed, most of all for models that
/// promise nothing about merging classes. Nothing is suppressed, however rare a record is.
/// **Parameters.** `cuts`: `strict` (the default: equal tuples stay together) or `relaxed` (those at the median may be
/// divided between both sides). `choose`: `objective` (the default: the cut that gains most in the policy's `objective`; for
/// objectives that do not look at labels, in `loss`) or `width` (the column in which the cell is widest, at its median).
/// `refine` (`true` by default): without it, and with `choose = "width"`, this is the algorithm of the paper. `numbers`
/// (`ranges`, the default, or `hierarchy`), `categories` (`hierarchy`, the default, or `sets`) and `ends` say how labels look:
/// with `ends = "exact"` instead of `rounded`, a range shows the smallest and the largest value of its class, `[21, 28]`, which
/// are somebody's own.
/// **Models.** All of them, as the condition of a cut. The whole table must satisfy them, since nothing is suppressed.
/// A `max-level` below the root cannot be kept.
/// **Example.** Ages 20, 21, 34, 36 with k = 2: the cut between 21 and 34 is at 30 and gives [20, 30) and [30, 40).
/// **Reference.** LeFevre, DeWitt and Ramakrishnan 2006.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Mondrian {
    /// May equal tuples be divided?
    pub cuts: Cuts,
    /// Which cut comes next.
    pub choose: Choose,
    /// Do neighbouring classes exchange records at last, wherever that loses less?
    pub refine: bool,
}

/// May equal tuples be divided?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Cuts {
    /// They stay together.
    #[default]
    Strict,
    /// Those at the median may be divided.
    Relaxed,
}

/// Which cut comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Choose {
    /// The one that gains most.
    #[default]
    Objective,
    /// The one in the widest column.
    Width,
}

impl Default for Mondrian {
    fn default() -> Self {
        Self { cuts: Cuts::default(), choose: Choose::default(), refine: true }
    }
}

/// What is cut and refined at one go: so many members, at most. Searching neighbours is quadratic in it, so that it is less
/// for large tables, whose tuples have near neighbours anyway.
const BLOCK: usize = 1_024;
const SMALL_BLOCK: usize = 256;
/// Tables of more tuples than this are large.
const LARGE: usize = 100_000;

impl Method for Mondrian {
    fn id(&self) -> &'static str {
        "mondrian"
    }

    fn samples() -> Vec<Self> {
        let relaxed = Self { cuts: Cuts::Relaxed, ..Self::default() };
        let widest_unrefined = Self { choose: Choose::Width, refine: false, ..Self::default() };
        vec![Self::default(), relaxed, widest_unrefined]
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        eligible_range(task).refuse_the_impossible(task)?;
        task.refuse_max_level(self.id())?;
        task.refuse_all_rows(self.id())?;
        let covers = task.covers();
        let rulers = Ruler::of(task, &covers);
        let acceptance = Acceptance::new(task);
        let (cuts, choose) = (self.cuts, self.choose);
        let cutter = Cutter { table: task.table, acceptance: &acceptance, rulers: &rulers, cuts, choose };
        watch.begin("cutting", Some(task.table.rows));
        let block = if task.table.base.tuples() > LARGE { SMALL_BLOCK } else { BLOCK };
        let work = Work { cutter: &cutter, refine: self.refine, block, classes: Mutex::default(), watch };
        rayon::scope(|scope| work.divide(acceptance.everybody(), scope));
        let mut classes = work.classes.into_inner().unwrap_or_default();
        // Threads finish in any order.
        classes.sort_unstable();
        watch.end();
        watch.proceed()?;
        best_of(task, &[&|task| acceptance.group(&classes, &covers).settle(task)])
    }
}

/// What all threads share.
struct Work<'a> {
    cutter: &'a Cutter<'a>,
    refine: bool,
    block: usize,
    classes: Mutex<Vec<Vec<Member>>>,
    watch: &'a dyn Watch,
}

impl Work<'_> {
    /// Cuts a cell until its parts are small enough to be finished at one go; each part is work for any thread.
    fn divide<'s>(&'s self, cell: Vec<Member>, scope: &Scope<'s>) {
        if self.watch.is_stopped() {
            return;
        }
        if cell.len() <= self.block {
            return self.finish(cell);
        }
        match self.cutter.cut(&cell) {
            None => self.keep(vec![cell]),
            Some(parts) => {
                drop(cell);
                parts.into_iter().for_each(|part| scope.spawn(move |scope| self.divide(part, scope)));
            }
        }
    }

    fn finish(&self, cell: Vec<Member>) {
        let mut classes = Vec::new();
        self.cutter.cut_completely(cell, &mut classes);
        self.keep(if self.refine { refine(self.cutter, classes) } else { classes });
    }

    fn keep(&self, mut classes: Vec<Vec<Member>>) {
        classes.iter_mut().for_each(|members| members.sort_unstable());
        self.watch.advance(classes.iter().flatten().map(|member| member.count).sum());
        self.classes.lock().expect("no thread panics while it holds the lock").append(&mut classes);
    }
}
