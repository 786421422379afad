//! Where do blocks and records go that found no partners?

use super::assembly::{Assembly, Nearness};
use super::points::{Find, Points, Wanted};
use super::{Block, Clusters, Entries, Member};

/// The classes with everything that can be in one: a whole block may join any class, a record any class that has a block
/// of its group. Each goes to the nearest, but none takes more than an equal share of the blocks, or of the records with
/// one value: that keeps the shares of values near each other (equation 3 of (a,d)-diversity).
///
/// `records` are the leftovers of each group: entry, kind of its value, and how many.
pub(super) fn join(
    entries: &Entries<'_>,
    blocks: &[Block],
    points: &Points,
    assembly: &Assembly,
    records: Vec<Vec<(u32, u32, u64)>>,
    find: &dyn Find,
    nearness: Nearness,
) -> Clusters {
    let mut clusters = Clusters {
        seeds: Vec::new(),
        classes: Vec::new(),
        hopeless: Vec::new(),
        nearness: nearness.joined(assembly.nearness),
        leftover_records: records.iter().flatten().map(|leftover| leftover.2).sum(),
        leftover_blocks: assembly.leftovers.len() as u64,
    };
    let mut class_of_block: Vec<Option<u32>> = vec![None; blocks.len()];
    for (class, set) in assembly.sets().enumerate() {
        clusters.seeds.push(blocks[set[0] as usize].members[0]);
        set.iter().for_each(|&block| class_of_block[block as usize] = Some(class as u32));
    }
    join_blocks(entries, points, assembly, find, &mut class_of_block);
    clusters.classes = vec![Vec::new(); clusters.seeds.len()];
    for (block, class) in blocks.iter().zip(&class_of_block) {
        let members = block.members.iter().map(|&entry| Member { entry, count: 1 });
        match class {
            Some(class) => clusters.classes[*class as usize].extend(members),
            None => clusters.hopeless.extend(members),
        }
    }
    for (group, records) in records.into_iter().enumerate() {
        join_records(entries, blocks, &class_of_block, group as u32, &records, find, &mut clusters);
    }
    clusters.classes.iter_mut().for_each(combine);
    clusters
}

/// Each leftover block joins the nearest class, by the seed of its first block.
fn join_blocks(entries: &Entries<'_>, points: &Points, assembly: &Assembly, find: &dyn Find, class_of_block: &mut [Option<u32>]) {
    let classes = assembly.sets().count();
    if classes == 0 || assembly.leftovers.is_empty() {
        return;
    }
    let share = assembly.leftovers.len().div_ceil(classes) as u64;
    let mut targets = Points::new(entries.space.columns());
    assembly.sets().for_each(|set| targets.push(points.ranks(set[0]).iter().copied(), 0, share));
    let mut neighbours = find.among(entries.space, &targets);
    for &(block, _) in &assembly.leftovers {
        let found = neighbours.nearest(points.ranks(block), Wanted::Except(&[])).expect("the shares are enough for all");
        neighbours.take(found.point);
        class_of_block[block as usize] = Some(found.point);
    }
}

/// Each leftover record joins the nearest class that has a block of its group; there may be none.
fn join_records(
    entries: &Entries<'_>,
    blocks: &[Block],
    class_of_block: &[Option<u32>],
    group: u32,
    records: &[(u32, u32, u64)],
    find: &dyn Find,
    clusters: &mut Clusters,
) {
    let of_group = blocks.iter().zip(class_of_block).filter(|(block, _)| block.group == group);
    let targets: Vec<(u32, u32)> =
        of_group.filter_map(|(block, class)| class.map(|class| (block.members[0], class))).collect();
    if targets.is_empty() {
        clusters.hopeless.extend(records.iter().map(|&(entry, _, count)| Member { entry, count }));
        return;
    }
    let mut by_kind: Vec<(u32, u32, u64)> = records.to_vec();
    by_kind.sort_by_key(|&(entry, kind, _)| (kind, entry));
    for of_kind in by_kind.chunk_by(|a, b| a.1 == b.1) {
        let total: u64 = of_kind.iter().map(|record| record.2).sum();
        let share = total.div_ceil(targets.len() as u64);
        let mut points = Points::new(entries.space.columns());
        targets.iter().for_each(|&(seed, _)| points.push(entries.ranks(seed), 0, share));
        let mut neighbours = find.among(entries.space, &points);
        for &(entry, _, count) in of_kind {
            let ranks: Vec<u32> = entries.ranks(entry).collect();
            for _ in 0..count {
                let found = neighbours.nearest(&ranks, Wanted::Except(&[])).expect("the shares are enough for all");
                neighbours.take(found.point);
                let class = targets[found.point as usize].1;
                clusters.classes[class as usize].push(Member { entry, count: 1 });
            }
        }
    }
}

/// One member for each entry.
pub(super) fn combine(members: &mut Vec<Member>) {
    members.sort_unstable();
    members.dedup_by(|next, kept| {
        let same = next.entry == kept.entry;
        kept.count += if same { next.count } else { 0 };
        same
    });
}
