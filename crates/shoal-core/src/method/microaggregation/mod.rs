//! Which records are so near each other that one of them can stand for all?

mod join;
mod mdav;
mod replace;
mod space;
mod spread;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fallback::best_of;
use super::grouping::too_much_suppressed;
use super::leaving_out::{left_out, without};
use super::{Acceptance, LabelStyle, Member, Method, Partition, Showing, StandIns, Task, eligible_range};
use crate::Result;
use crate::frequency::CountedTable;
use crate::model::Complaint;
use crate::watch::Watch;
use crate::warning::Warning;
use mdav::{Cluster, blocks, mdav};
use replace::Replacement;
use space::Space;
use spread::Ranked;

/// # microaggregation
///
/// **Definition.** Records that are near each other form clusters of at least k, by MDAV (maximum distance to average
/// vector): the record farthest from the centre of what is left and its k-1 nearest are a cluster, then the record
/// farthest from that one and its nearest, and so on. Within a cluster numbers and dates are replaced by their mean or median,
/// and categories by their lowest common ancestor or most frequent value. Numbers that have a `file`, `tree`,
/// `mask` or `suppress` for a hierarchy, or `type = "category"`, are categories (`shoal explain mondrian`).
/// **Distance.** Numbers are standardized; two categories are as far apart as the level of their lowest common ancestor
/// over the height (squared). A missing number is two standard deviations from any other.
/// **Large tables** are first halved along their principal direction until no part has more than `block` tuples; MDAV then
/// works inside the parts.
/// **Use it** where numbers must stay numbers: means, sums and regressions still work on the release.
/// **Weakness.** A mean is nobody's own value, unless by chance; a median is somebody's. Neither says how wide its
/// cluster is; `loss` counts the range that it stands for. A most frequent value hides the others; `loss` counts all values of
/// its cluster, as if it showed the set of them. What either stands for the text of a release does not tell, so that an audit leaves
/// such objectives out. Clusters that have the same text in every column become one.
/// **Parameters.** `numbers-by`: `mean` (the default) or `median`; `categories-by`: `ancestor` (the default) or `mode`;
/// `size`: the records of a cluster (the default: the largest `k` that the requirements name, else 3); `block`: 4096
/// tuples unless said otherwise. `categories = "sets"` shows sets for ancestors; `numbers` and `ends` have no effect,
/// except that columns with a `min-level` are shown by their hierarchy.
/// **Models.** All of them: clusters that fail are joined with near ones until they do not. For t-closeness, clusters are
/// also formed the other way round: records are ranked by their sensitive value and divided into as many strata as a
/// cluster has records, and each cluster gets one record of every stratum, near in the quasi-identifiers; the number of
/// strata grows until the clusters are close enough. Whichever way leaves the records nearer to their centres is taken.
/// Where not even all records together satisfy a requirement, the fewest that can be found without whom the others do are
/// suppressed within `max-suppressed`.
/// A `max-level` below the root cannot be kept.
/// **Example.** Ages 20, 22 and 27 with k = 3 become 23.
/// **Reference.** Domingo-Ferrer and Mateo-Sanz 2002; Domingo-Ferrer and Torra 2005; Soria-Comas et al. 2015.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Microaggregation {
    /// What stands for numbers.
    pub numbers_by: NumbersBy,
    /// What stands for categories.
    pub categories_by: CategoriesBy,
    /// How many records a cluster has at least; by default the largest `k` that the requirements name, or else 3.
    #[schemars(range(min = 2), example = 5)]
    pub size: Option<u64>,
    /// How many tuples are clustered at one go: the more, the nearer they are, and the longer it takes.
    #[schemars(range(min = 16))]
    pub block: usize,
}

/// What stands for numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum NumbersBy {
    /// Their mean.
    #[default]
    Mean,
    /// The one in the middle.
    Median,
}

/// What stands for categories.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CategoriesBy {
    /// The lowest node that covers them.
    #[default]
    Ancestor,
    /// The most frequent one.
    Mode,
}

impl Default for Microaggregation {
    fn default() -> Self {
        let (numbers_by, categories_by) = (NumbersBy::default(), CategoriesBy::default());
        Self { numbers_by, categories_by, size: None, block: 4_096 }
    }
}

/// The order of the space is that of parts this small.
const NEAR: usize = 16;
/// Strata are enough if no more than this part of the records is in clusters that still fail.
const FEW: f64 = 0.05;

impl Method for Microaggregation {
    fn id(&self) -> &'static str {
        "microaggregation"
    }

    fn samples() -> Vec<Self> {
        let others = Self { numbers_by: NumbersBy::Median, categories_by: CategoriesBy::Mode, ..Self::default() };
        vec![Self::default(), others]
    }

    fn check(&self) -> Result<(), Complaint> {
        if self.size.is_some_and(|size| size < 2) {
            return Err(Complaint::new("size", "`size` must be at least 2: one record cannot stand for others"));
        }
        if self.block < 16 {
            return Err(Complaint::new("block", "`block` must be at least 16")
                .hint("the more tuples are clustered at one go, the nearer they are, and the longer it takes"));
        }
        Ok(())
    }

    fn warning(&self) -> Option<Warning> {
        let text = "`numbers-by = \"median\"`: the number or date that a class shows is somebody's own value";
        (self.numbers_by == NumbersBy::Median).then(|| Warning::new("exact-values", text))
    }

    fn showing(&self, style: LabelStyle) -> Showing {
        let stand_ins = StandIns { numbers: true, categories: self.categories_by == CategoriesBy::Mode };
        Showing { stand_ins, ..Showing::labels(style) }
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        eligible_range(task).refuse_the_impossible(task)?;
        task.refuse_max_level(self.id())?;
        task.refuse_all_rows(self.id())?;
        let table = task.table;
        let acceptance = Acceptance::new(task);
        let space = Space::new(table);
        let members = acceptance.everybody();
        let asked = Asked { method: self, table, space: &space, acceptance: &acceptance, members: &members, watch };
        watch.begin("clustering", None);
        let mut classes = asked.nearest_first()?;
        for requirement in task.requirements.iter().filter(|one| one.model.compares_distributions()) {
            let named = |name: &String| table.sensitive.iter().position(|column| column.name() == name);
            let Some(column) = requirement.column.as_ref().and_then(named) else { continue };
            let others = asked.closeness_first(column)?;
            if squared_error(&space, &others) < squared_error(&space, &classes) {
                classes = others;
            }
        }
        watch.end();
        let covers = task.covers();
        let (numbers, categories) = (self.numbers_by, self.categories_by);
        let replacement = Replacement { table, covers: &covers, numbers, categories };
        let group = |classes: &[Vec<Member>], task: &Task<'_>| {
            acceptance.group_as(classes, |members| replacement.labels(members)).settle(task)
        };
        let without_some = |task: &Task<'_>| {
            let mut left_out = left_out(task, watch).ok_or_else(|| too_much_suppressed(task, table.rows))?;
            let suppressed = acceptance.some(&left_out);
            let clusters = asked.clusters()?;
            let clusters = clusters.into_iter().map(|block| without(block, &mut left_out)).collect();
            let classes = join::until_accepted(&space, &acceptance, clusters, watch)?;
            let mut grouping = acceptance.group_as(&classes, |members| replacement.labels(members));
            acceptance.leave_out(&mut grouping, &suppressed);
            grouping.settle(task)
        };
        let whole = [members.clone()];
        best_of(task, &[&|task| group(&classes, task), &|task| group(&whole, task), &without_some])
    }
}

/// What clusters are made of, and what they have to satisfy.
struct Asked<'a> {
    method: &'a Microaggregation,
    table: &'a CountedTable,
    space: &'a Space,
    acceptance: &'a Acceptance<'a>,
    members: &'a [Member],
    watch: &'a dyn Watch,
}

impl Asked<'_> {
    /// How many records a cluster is to have.
    fn size(&self) -> u64 {
        let least = self.acceptance.least_size();
        self.method.size.unwrap_or(if least > 1 { least } else { 3 })
    }

    fn points(&self) -> Vec<u32> {
        (0..self.table.base.classes() as u32).collect()
    }

    /// MDAV by the quasi-identifiers; what fails is joined.
    fn nearest_first(&self) -> Result<Vec<Vec<Member>>> {
        join::until_accepted(self.space, self.acceptance, self.clusters()?, self.watch)
    }

    /// MDAV by the quasi-identifiers, block by block.
    fn clusters(&self) -> Result<Vec<Vec<Vec<Member>>>> {
        let (mut points, size) = (self.points(), self.size());
        let blocks = blocks(self.space, &mut points, self.method.block);
        self.watch.proceed()?;
        let cluster = |points: &Vec<u32>| self.watch.proceed().map(|()| mdav(self.space, points, size));
        let clusters: Vec<Vec<Cluster>> = blocks.par_iter().map(cluster).collect::<Result<_>>()?;
        let mut dealer = RecordDealer::new(self.table, self.members);
        let mut deal = |clusters: Vec<Cluster>| clusters.iter().map(|cluster| dealer.deal(cluster)).collect();
        Ok(clusters.into_iter().map(&mut deal).collect())
    }

    /// Clusters whose sensitive values are spread like the table's; what fails still is joined.
    fn closeness_first(&self, column: usize) -> Result<Vec<Vec<Member>>> {
        let Self { method, table, space, acceptance, members, watch } = *self;
        let order = blocks(space, &mut self.points(), NEAR).concat();
        let ranked = Ranked::new(table, members, &order, column);
        let most = (table.rows / 2).max(1);
        let mut size = self.size().min(most);
        loop {
            let clusters = ranked.clusters(space, size as usize, watch)?;
            let fails = |cluster: &&Vec<Member>| !acceptance.accepts(cluster.iter().copied());
            let failing: u64 = clusters.iter().filter(fails).flatten().map(|member| member.count).sum();
            if failing as f64 <= FEW * table.rows as f64 || size >= most {
                let blocks = clusters.chunks(method.block).map(<[_]>::to_vec).collect();
                return join::until_accepted(space, acceptance, blocks, watch);
            }
            let step = if failing * 2 > table.rows { size.div_ceil(2) } else { size.div_ceil(6) };
            size = (size + step).min(most);
        }
    }
}

/// The sum of squared distances of all records from the centres of their classes.
fn squared_error(space: &Space, classes: &[Vec<Member>]) -> f64 {
    let points = |class: &Vec<Member>| -> Cluster { class.iter().map(|member| (member.base, member.count)).collect() };
    let errors: Vec<f64> = classes.par_iter().map(|class| space.squared_error(&points(class))).collect();
    errors.iter().sum()
}

/// The sum of squared distances of all released records from the centres of their classes, over that from the centre of the
/// table: 0 for the original, 1 if everybody is in one class.
pub fn relative_squared_error(table: &CountedTable, partition: &Partition) -> f64 {
    let space = Space::new(table);
    let mut classes: Vec<Vec<Member>> = vec![Vec::new(); partition.classes.len()];
    let mut base = 0;
    for part in &partition.assignments {
        while base + 1 < table.base.classes() && part.tuple as usize >= table.base.first_entry(base + 1) {
            base += 1;
        }
        if let Some(class) = part.class {
            classes[class as usize].push(Member { base: base as u32, tuple: part.tuple, count: part.count });
        }
    }
    let everybody: Vec<Member> = classes.iter().flatten().copied().collect();
    squared_error(&space, &classes) / squared_error(&space, &[everybody]).max(f64::MIN_POSITIVE)
}

/// Deals the records at each point out to clusters, tuple by tuple.
struct RecordDealer<'a> {
    table: &'a CountedTable,
    members: &'a [Member],
    /// For each point, the member that is being dealt and how many of its records are gone.
    next: Vec<(u32, u64)>,
}

impl<'a> RecordDealer<'a> {
    fn new(table: &'a CountedTable, members: &'a [Member]) -> Self {
        let next = (0..table.base.classes()).map(|point| (table.base.first_entry(point) as u32, 0)).collect();
        Self { table, members, next }
    }

    fn deal(&mut self, cluster: &Cluster) -> Vec<Member> {
        debug_assert_eq!(self.next.len(), self.table.base.classes());
        let mut dealt = Vec::with_capacity(cluster.len());
        for &(point, mut wanted) in cluster {
            while wanted > 0 {
                let (at, gone) = &mut self.next[point as usize];
                let member = self.members[*at as usize];
                let given = wanted.min(member.count - *gone);
                dealt.push(Member { count: given, ..member });
                wanted -= given;
                *gone += given;
                if *gone == member.count {
                    (*at, *gone) = (*at + 1, 0);
                }
            }
        }
        dealt
    }
}
