//! What becomes of classes that do not satisfy every requirement yet?

use super::leftovers::combine;
use super::points::{Find, Points, Wanted};
use super::space::Space;
use super::{Clusters, Entries, Member};
use crate::frequency::{EquivalenceClass, TableProfile};
use crate::method::Task;
use crate::model::accepts_all;
use crate::watch::Watch;

/// Lets each class that fails a requirement join the nearest other one, until none fails or only one is left.
pub(super) fn close(task: &Task<'_>, space: &Space, clusters: &mut Clusters, find: &dyn Find, watch: &dyn Watch) {
    let entries = Entries::new(task.table, space);
    let profile = profile(task, &entries, &clusters.hopeless);
    let accepts = |members: &[Member]| {
        let mut counts: Vec<(u32, u64)> =
            members.iter().map(|member| (entries.shows(member.entry), member.count)).collect();
        counts.sort_unstable();
        let (mut codes, mut sums): (Vec<u32>, Vec<u64>) = (Vec::new(), Vec::new());
        for same in counts.chunk_by(|a, b| a.0 == b.0) {
            codes.push(same[0].0);
            sums.push(same.iter().map(|pair| pair.1).sum());
        }
        accepts_all(task.requirements, &EquivalenceClass::new(task.table.base.sensitive(), &codes, &sums), &profile)
    };
    let failing = (0..clusters.classes.len() as u32).filter(|&class| !accepts(&clusters.classes[class as usize]));
    let mut failing: std::collections::VecDeque<u32> = failing.collect();
    if failing.is_empty() {
        return;
    }
    let mut points = Points::new(space.columns());
    clusters.seeds.iter().for_each(|&seed| points.push(entries.ranks(seed), 0, 1));
    let mut neighbours = find.among(space, &points);
    watch.begin("joining classes", None);
    while let Some(class) = failing.pop_front().filter(|_| !watch.is_stopped()) {
        if neighbours.left(class) == 0 || accepts(&clusters.classes[class as usize]) {
            continue;
        }
        neighbours.take(class);
        let Some(found) = neighbours.nearest(points.ranks(class), Wanted::Except(&[])) else { break };
        let joining = std::mem::take(&mut clusters.classes[class as usize]);
        let joined = &mut clusters.classes[found.point as usize];
        joined.extend(joining);
        combine(joined);
        failing.push_back(found.point);
        watch.advance(1);
    }
    watch.end();
}

/// The distribution of the records that can be released.
fn profile(task: &Task<'_>, entries: &Entries<'_>, hopeless: &[Member]) -> TableProfile {
    let table = task.table;
    let input = TableProfile::of_input(&table.sensitive, table.rows);
    if hopeless.is_empty() {
        return input;
    }
    let mut counts: Vec<Vec<u64>> = table.sensitive.iter().map(|column| column.input_counts().to_vec()).collect();
    for member in hopeless {
        let tuple = table.base.sensitive().tuple(entries.shows(member.entry));
        counts.iter_mut().zip(tuple).for_each(|(counts, &code)| counts[code as usize] -= member.count);
    }
    let rows = table.rows - hopeless.iter().map(|member| member.count).sum::<u64>();
    TableProfile::of_counts(&table.sensitive, &counts, rows, Some(&input))
}
