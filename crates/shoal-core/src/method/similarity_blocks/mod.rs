//! Which records of alike and of unlike sensitive values are near enough to be one class?

mod assembly;
mod balance;
mod closing;
#[cfg(test)]
mod exact;
mod leftovers;
mod points;
mod space;
mod tree;

use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Deserialize;

use super::fallback::best_of;
use super::{Assignment, Grouping, Method, Partition, Task, eligible_range, refuse_max_level};
use crate::frequency::CountedTable;
use crate::model::{AlikeValues, Complaint};
use crate::watch::Watch;
use crate::{Error, Result};
use assembly::{Assembly, Nearness};
use points::{Find, Neighbours, Points};
use space::Space;
use tree::Tree;

/// # similarity-blocks
///
/// **Definition.** The clustering of (a,d)-diversity. Within each group of alike sensitive values, a record and the nearest
/// ones with other values of the group make a block of `a`; a block and the nearest ones of other groups make a class of
/// `d` blocks. Distances are weighted sums over the quasi-identifiers: numbers and dates by their difference over the
/// column's range, other values by the steps up the hierarchy until they meet. Each class shows numbers as ranges, other
/// values as their lowest common ancestor.
/// **Use it** where `a-d-diversity` is required: most classes hold each of their values once, so that none stands out.
/// **Weakness.** Only the seeds of blocks are compared, so that a class can be wider than it need be. A value that is more
/// frequent than all others of its group together has to stand in classes several times; the summary tells how far the
/// shares of values are from equal.
/// **Parameters.** `effort`, the number of tuples that a search for the nearest looks at before it takes the best so far
/// (2000; a very large number finds the very nearest); `a`, `d` and the groups are those of the first `a-d-diversity` that is
/// required. `weight` of each column weighs its distance. `objective` decides nothing.
/// **Models.** Needs `a-d-diversity` (without `among`). All others are taken: a class that fails one joins the nearest
/// class until it no longer does.
/// **Steps.** A seed has the value of which most records are left and of those the smallest tuple; as many blocks, and of
/// them as many classes, are made as possible. Blocks that are left over join the nearest class, records the nearest that
/// has a block of their group, none taking more than its share. Only records of a group with fewer than `a` values are
/// suppressed.
/// **Example.** {influenza, pneumonia} and {gastritis, dyspepsia} are two blocks of a (2,2)-diverse class.
/// **Reference.** Wang and Shi, (a,d)-diversity, section 4, with its pseudo-code mended: members differ in their values,
/// and a class begins with the block it is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SimilarityBlocks {
    /// How many tuples a search for the nearest looks at before it takes the best so far.
    #[schemars(range(min = 1))]
    pub effort: u64,
}

impl Default for SimilarityBlocks {
    fn default() -> Self {
        Self { effort: 2000 }
    }
}

impl Method for SimilarityBlocks {
    fn id(&self) -> &'static str {
        "similarity-blocks"
    }

    fn check(&self) -> Result<(), Complaint> {
        if self.effort == 0 {
            return Err(Complaint::new("effort", "`effort` must be at least 1"));
        }
        Ok(())
    }

    fn partition(&self, task: &Task<'_>, watch: &dyn Watch) -> Result<Partition> {
        task.refuse_people(self.id())?;
        refuse_max_level(task)?;
        let alike = task.requirements.iter().find_map(|requirement| requirement.model.alike());
        let alike = alike.ok_or_else(needs_groups)?;
        eligible_range(task).refuse_the_impossible(task)?;
        let space = Space::new(task.table);
        let mut clusters = Clusters::form(task, &space, alike, self, watch)?;
        closing::close(task, &space, &mut clusters, self, watch);
        watch.proceed()?;
        let partition = best_of(task, &[&|task| clusters.settle(task)])?;
        let remark = balance::remark(task.table, &partition, alike.column, &clusters);
        Ok(Partition { remark: Some(remark), ..partition })
    }
}

impl Find for SimilarityBlocks {
    fn among<'p>(&self, space: &'p Space, points: &'p Points) -> Box<dyn Neighbours + 'p> {
        Box::new(Tree::new(space, points, self.effort))
    }
}

fn needs_groups() -> Error {
    Error::policy("`similarity-blocks` needs to know which sensitive values are alike").hint(
        "require `a-d-diversity` (without `among`), which says so in `groups`; or take another `name` in [method]",
    )
}

/// Records with a tuple, by its place among all entries of the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Member {
    entry: u32,
    count: u64,
}

/// `a` records of different values of one group.
#[derive(Debug)]
struct Block {
    group: u32,
    /// The seed first.
    members: Vec<u32>,
}

/// The classes as they come into being.
#[derive(Debug)]
struct Clusters {
    /// The entry of each class from which distances are measured.
    seeds: Vec<u32>,
    /// Who is in each class; nobody, once it has joined another.
    classes: Vec<Vec<Member>>,
    /// Who is in none and cannot be.
    hopeless: Vec<Member>,
    nearness: Nearness,
    leftover_records: u64,
    leftover_blocks: u64,
}

/// The entries of the base: which class (quasi-identifier tuple) each is of, and its value in the column that matters.
struct Entries<'a> {
    table: &'a CountedTable,
    space: &'a Space,
    base_of: Vec<u32>,
}

impl<'a> Entries<'a> {
    fn new(table: &'a CountedTable, space: &'a Space) -> Self {
        let mut base_of = Vec::with_capacity(table.base.tuples());
        for class in 0..table.base.classes() {
            base_of.extend(table.base.entries(class).0.iter().map(|_| class as u32));
        }
        Self { table, space, base_of }
    }

    fn ranks(&self, entry: u32) -> impl Iterator<Item = u32> + '_ {
        let base = self.base_of[entry as usize] as usize;
        (0..self.space.columns()).map(move |column| self.space.rank(column, self.table.base.code(base, column)))
    }

    fn shows(&self, entry: u32) -> u32 {
        let base = self.base_of[entry as usize] as usize;
        self.table.base.entries(base).0[entry as usize - self.table.base.first_entry(base)]
    }
}

impl Clusters {
    fn form(
        task: &Task<'_>,
        space: &Space,
        alike: AlikeValues<'_>,
        find: &dyn Find,
        watch: &dyn Watch,
    ) -> Result<Self> {
        let entries = Entries::new(task.table, space);
        watch.begin("forming blocks", Some(task.table.rows));
        let groups = alike.group_of.iter().max().map_or(0, |&last| last as usize + 1);
        let of_groups = entries_of_groups(task.table, alike, groups);
        let blocks_of_groups: Vec<(Points, Assembly)> = of_groups
            .par_iter()
            .map(|of_group| {
                let mut points = Points::new(space.columns());
                of_group.iter().for_each(|&(entry, kind, count)| points.push(entries.ranks(entry), kind, count));
                let mut neighbours = find.among(space, &points);
                let assembly =
                    Assembly::new(&points, alike.a, neighbours.as_mut(), watch);
                drop(neighbours);
                (points, assembly)
            })
            .collect();
        watch.end();
        watch.proceed()?;
        let mut blocks = Vec::new();
        let mut nearness = Nearness::default();
        for (group, (of_group, (_, assembly))) in of_groups.iter().zip(&blocks_of_groups).enumerate() {
            nearness = nearness.joined(assembly.nearness);
            let entry = |&point: &u32| of_group[point as usize].0;
            let block = |set: &[u32]| Block { group: group as u32, members: set.iter().map(entry).collect() };
            blocks.extend(assembly.sets().map(block));
        }
        // Stable: blocks with equal seeds stay in the order of their groups.
        blocks.sort_by_key(|block| block.members[0]);

        watch.begin("joining blocks", Some(blocks.len() as u64));
        let mut points = Points::new(space.columns());
        blocks.iter().for_each(|block| points.push(entries.ranks(block.members[0]), block.group, 1));
        let mut neighbours = find.among(space, &points);
        let classes = Assembly::new(&points, alike.d, neighbours.as_mut(), watch);
        drop(neighbours);
        watch.end();
        watch.proceed()?;
        let leftovers = blocks_of_groups.iter().zip(&of_groups).map(|((points, assembly), of_group)| {
            let leftover = |&(point, count): &(u32, u64)| (of_group[point as usize].0, points.kinds[point as usize], count);
            assembly.leftovers.iter().map(leftover).collect()
        });
        Ok(leftovers::join(&entries, &blocks, &points, &classes, leftovers.collect(), find, nearness))
    }

    fn settle(&self, task: &Task<'_>) -> Result<Partition> {
        let table = task.table;
        let entries = Entries::new(table, &Space::new(table)).base_of;
        let covers = task.covers();
        let mut grouping = Grouping::new(covers.len());
        let shows = |entry: u32| {
            let base = entries[entry as usize] as usize;
            table.base.entries(base).0[entry as usize - table.base.first_entry(base)]
        };
        for members in self.classes.iter().filter(|members| !members.is_empty()) {
            let labels = covers.iter().enumerate().map(|(column, cover)| {
                cover.label(members.iter().map(|member| table.base.code(entries[member.entry as usize] as usize, column)))
            });
            let class = grouping.class(labels);
            for &Member { entry, count } in members {
                grouping.assign(Assignment { tuple: entry, class: Some(class), shows: shows(entry), count });
            }
        }
        for &Member { entry, count } in &self.hopeless {
            grouping.assign(Assignment { tuple: entry, class: None, shows: shows(entry), count });
        }
        grouping.settle(task)
    }
}

/// The entries of each group: the entry, its value as the kind within the group, and how many records it has.
fn entries_of_groups(table: &CountedTable, alike: AlikeValues<'_>, groups: usize) -> Vec<Vec<(u32, u32, u64)>> {
    let mut next_kind = vec![0; groups];
    let kind_of: Vec<u32> = alike
        .group_of
        .iter()
        .map(|&group| {
            let next = &mut next_kind[group as usize];
            *next += 1;
            *next - 1
        })
        .collect();
    let mut of_groups = vec![Vec::new(); groups];
    let mut entry = 0;
    for class in 0..table.base.classes() {
        let (tuples, counts) = table.base.entries(class);
        for (&tuple, &count) in tuples.iter().zip(counts) {
            let value = table.base.sensitive().tuple(tuple)[alike.column] as usize;
            of_groups[alike.group_of[value] as usize].push((entry, kind_of[value], count));
            entry += 1;
        }
    }
    of_groups
}
