//! How can quasi-identifiers stay as they are and still not tell who has which sensitive value?

mod buckets;
mod dealing;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha20Rng;
use schemars::JsonSchema;
use serde::Deserialize;

use super::fallback::with_or_without_suppression;
use super::grouping::too_much_suppressed;
use super::{Method, Partition, Task, eligible_range};
use crate::frequency::TableProfile;
use crate::model::Complaint;
use crate::watch::Watch;
use crate::{Error, Result};

/// # anatomy
///
/// **Definition.** The release is two tables. The first shows every quasi-identifier (and insensitive column) as it is, and
/// the number of the record's class; the second how often each sensitive value occurs in each class. Who has which value
/// of a class, nobody can tell.
/// **Use it** where the quasi-identifiers must stay exact, and where it may be known who is in the table: how two
/// quasi-identifiers belong together is lost in no way, how they belong to sensitive values only within classes.
/// **Weakness.** Everybody can see who is in the table and all their quasi-identifiers: it hides sensitive values, not
/// people. So it cannot give `k-anonymity`, and every objective that measures quasi-identifiers says 0.
/// **Parameters.** `class-column` ("class") and `count-column` ("count"), the names of the columns that are added; `seed` (0),
/// what the random choices depend on besides the data. Keep the policy to yourself where somebody may know all records
/// but one. `sensitive-path` in `[output]` names the second table: by default `release.sensitive.csv` beside `release.csv`.
/// **Models.** All diversity models (with `among`, too) and t-closeness. Not `k-anonymity`, `p-sensitive-k-anonymity`
/// and `alpha-k-anonymity`, nor a `min-level`.
/// **Steps.** Records are put into buckets by their value of the column that needs most values in a class, l; as long as l
/// buckets have records, a class takes a random one from each of the l largest; each of the rest joins a class that lacks
/// its value. Where classes then fail a requirement, the records are dealt out in the order of their values instead, to as
/// many classes as possible: each is then nearly the table in small. Where that fails, too, classes of l to l + 16 values are
/// tried, of the other sensitive columns as well (from two on where no model says how many), and rows that are in none that
/// satisfies are left out, as far as `max-suppressed` allows, unless less is lost with all rows in.
/// **Example.** Two tables: (27, male, class 1), (31, female, class 1); (class 1, flu, 1), (class 1, cancer, 1).
/// **Reference.** Xiao and Tao 2006 (Anatomy), section 5.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct Anatomy {
    /// The column of both tables that links them.
    #[schemars(length(min = 1))]
    pub class_column: String,
    /// The column of the second table that counts records.
    #[schemars(length(min = 1))]
    pub count_column: String,
    /// What the random choices depend on, besides the data.
    pub seed: u64,
}

impl Default for Anatomy {
    fn default() -> Self {
        Self { class_column: "class".to_owned(), count_column: "count".to_owned(), seed: 0 }
    }
}

impl Method for Anatomy {
    fn id(&self) -> &'static str {
        "anatomy"
    }

    fn is_comparable(&self) -> bool {
        false
    }

    fn check(&self) -> Result<(), Complaint> {
        for (key, name) in [("class-column", &self.class_column), ("count-column", &self.count_column)] {
            if name.is_empty() {
                return Err(Complaint::new(key, format!("`{key}` needs a name")));
            }
        }
        if self.class_column == self.count_column {
            return Err(Complaint::new("count-column", "`class-column` and `count-column` must differ"));
        }
        Ok(())
    }

    fn is_local(&self) -> bool {
        false
    }

    fn separates(&self) -> Option<LinkColumns<'_>> {
        Some(LinkColumns { class: &self.class_column, count: &self.count_column })
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        task.refuse_people(self.id())?;
        refuse_what_it_cannot_give(task)?;
        eligible_range(task).refuse_the_impossible(task)?;
        watch.begin("forming classes", None);
        let records = Records::shuffled(task, self.seed);
        let partition = with_or_without_suppression(task, &|task| separated(task, &records, watch));
        watch.end();
        partition
    }
}

/// The first of these that gives a release: classes of as many values as are asked for, if everybody is in one that satisfies;
/// the table in small; classes of as many values or more, without those who are in none that satisfies.
fn separated(task: &Task<'_>, records: &Records, watch: &dyn Watch) -> Result<Partition> {
    let profile = TableProfile::of_input(&task.table.sensitive, task.table.rows);
    let demand = most_demanding(task);
    let form = |column, values| buckets::form(task, records, &profile, column, values);
    if let Some(bucketed) = demand.map(|(column, l)| form(column, l))
        && bucketed.is_complete(task, records, &profile)
    {
        return bucketed.settle(task, records);
    }
    watch.proceed()?;
    if let Some(dealt) = dealing::deal(task, records, &profile) {
        return dealt.settle(task, records);
    }
    let mut refusal = None;
    for (column, l) in by_demand(task, demand) {
        let tried = (l..=l.saturating_add(MOST_MORE_VALUES)).map(|values| form(column, values));
        for separation in tried.take_while(|separation| separation.classes > 0) {
            watch.proceed()?;
            match separation.settle(task, records) {
                Ok(partition) => return Ok(partition),
                Err(error) => refusal = refusal.or(Some(error)),
            }
        }
    }
    Err(refusal.unwrap_or_else(|| too_much_suppressed(task, task.table.rows)))
}

/// More values in a class than are asked for, up to so many: they may satisfy one requirement where just as many as another asks
/// for do not.
const MOST_MORE_VALUES: u64 = 16;

/// The columns that a release in two tables has beside those of its input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkColumns<'a> {
    /// The number of the class, in both tables.
    pub class: &'a str,
    /// The number of records, in the table of sensitive values.
    pub count: &'a str,
}

fn refuse_what_it_cannot_give(task: &Task<'_>) -> Result<()> {
    if let Some(requirement) = task.requirements.iter().find(|requirement| requirement.model.hides_identity()) {
        let name = requirement.model.name();
        return Err(Error::policy(format!(
            "`anatomy` cannot give {name}: it shows every quasi-identifier as it is, and so who is who"
        ))
        .hint("require a diversity model or t-closeness instead, or take another `name` in [method]"));
    }
    match task.table.quasi.iter().find(|column| column.min_level > 0) {
        None => Ok(()),
        Some(column) => {
            Err(Error::policy(format!("`anatomy` cannot keep to the `min-level` of column `{}`", column.name))
                .detail("it shows every quasi-identifier as it is")
                .hint("remove it, or take another `name` in [method]"))
        }
    }
}

/// The sensitive column of which a class needs most values, and how many.
fn most_demanding(task: &Task<'_>) -> Option<(usize, u64)> {
    needed(task).filter(|&(_, values)| values > 1).reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// Every sensitive column, the most demanding first, and of how many values a class is made at least: as many as are asked for,
/// and two where nobody says, since one alone hides nothing.
fn by_demand(task: &Task<'_>, most: Option<(usize, u64)>) -> impl Iterator<Item = (usize, u64)> {
    let others = (0..task.table.sensitive.len()).filter(move |&column| most.is_none_or(|most| most.0 != column));
    let of_column = |column| needed(task).filter(move |needed| needed.0 == column).map(|needed| needed.1).max();
    most.into_iter().chain(others.map(move |column| (column, of_column(column).unwrap_or(2).max(2))))
}

/// The columns that requirements are about, and how many values of them they need in a class, where they say.
fn needed(task: &Task<'_>) -> impl Iterator<Item = (usize, u64)> {
    task.requirements.iter().filter_map(|requirement| requirement.model.fewest_values())
}

/// Every record of the table, by sensitive tuple; those with the same are in a random order, since which of them goes to
/// which class must not follow from anything that is published.
#[derive(Debug)]
pub(super) struct Records {
    /// The place of each record's tuple among all entries of the base.
    pub(super) entries: Vec<u32>,
    /// Its sensitive tuple.
    pub(super) shows: Vec<u32>,
    /// What random choices depend on.
    pub(super) key: [u8; 32],
}

impl Records {
    fn shuffled(task: &Task<'_>, seed: u64) -> Self {
        let table = task.table;
        let mut starts = vec![0; table.base.sensitive().len() + 1];
        let each_entry = |act: &mut dyn FnMut(u32, u32, u64)| {
            let mut entry = 0;
            for class in 0..table.base.classes() {
                let (tuples, counts) = table.base.entries(class);
                for (&tuple, &count) in tuples.iter().zip(counts) {
                    act(entry, tuple, count);
                    entry += 1;
                }
            }
        };
        each_entry(&mut |_, tuple, count| starts[tuple as usize + 1] += count as usize);
        for tuple in 1..starts.len() {
            starts[tuple] += starts[tuple - 1];
        }
        let rows = starts.last().copied().unwrap_or(0);
        let (mut entries, mut shows, mut next) = (vec![0; rows], vec![0; rows], starts.clone());
        each_entry(&mut |entry, tuple, count| {
            let at = &mut next[tuple as usize];
            entries[*at..*at + count as usize].fill(entry);
            shows[*at..*at + count as usize].fill(tuple);
            *at += count as usize;
        });
        let key = table.fingerprint(seed);
        let mut random = ChaCha20Rng::from_seed(key);
        starts.windows(2).for_each(|range| entries[range[0]..range[1]].shuffle(&mut random));
        Self { entries, shows, key }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }
}
