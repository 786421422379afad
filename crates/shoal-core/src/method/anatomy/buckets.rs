//! How are records put into small classes of different values each?

use std::collections::BinaryHeap;

use super::Records;
use crate::frequency::TableProfile;
use crate::method::Task;
use crate::method::separated::{Counting, Separation, UNPLACED};

/// The algorithm of Anatomy: while `l` buckets (records by their value of `column`) are not empty, a class takes a record of
/// each of the `l` largest; what is left joins classes that lack its value, or else, where every class has it, classes that
/// can stand one more.
pub(super) fn form(task: &Task<'_>, records: &Records, profile: &TableProfile, column: usize, l: u64) -> Separation {
    let mut buckets = Buckets::new(task, records, column);
    let mut separation = Separation { class_of: vec![UNPLACED; records.len()], classes: 0 };
    let l = usize::try_from(l).unwrap_or(usize::MAX);
    // The largest bucket first; of equals that of the smallest value.
    let mut largest: BinaryHeap<(usize, std::cmp::Reverse<u32>)> =
        (0..buckets.left.len()).map(|value| (buckets.left[value].len(), std::cmp::Reverse(value as u32))).collect();
    largest.retain(|bucket| bucket.0 > 0);
    let mut taken = Vec::with_capacity(l.min(largest.len()));
    while largest.len() >= l {
        for _ in 0..l {
            let Some((size, value)) = largest.pop() else { break };
            let record = buckets.left[value.0 as usize].pop().expect("the bucket is as large as the heap says");
            separation.class_of[record as usize] = separation.classes;
            taken.push((size - 1, value));
        }
        largest.extend(taken.drain(..).filter(|bucket| bucket.0 > 0));
        separation.classes += 1;
    }
    place_the_rest(task, records, profile, &buckets, &mut separation);
    separation
}

/// The records of each value that are not in a class yet.
struct Buckets {
    value_of_tuple: Vec<u32>,
    left: Vec<Vec<u32>>,
}

impl Buckets {
    fn new(task: &Task<'_>, records: &Records, column: usize) -> Self {
        let tuples = task.table.base.sensitive();
        let value_of_tuple: Vec<u32> = (0..tuples.len() as u32).map(|tuple| tuples.tuple(tuple)[column]).collect();
        let values = value_of_tuple.iter().max().map_or(0, |&last| last as usize + 1);
        let mut left = vec![Vec::new(); values];
        for (record, &shows) in records.shows.iter().enumerate() {
            left[value_of_tuple[shows as usize] as usize].push(record as u32);
        }
        if tuples.columns() > 1 {
            // Each tuple is in a random order by itself; a bucket of several must be, too.
            use rand::{SeedableRng, seq::SliceRandom};
            let mut random = rand_chacha::ChaCha20Rng::from_seed(records.key);
            left.iter_mut().for_each(|bucket| bucket.shuffle(&mut random));
        }
        Self { value_of_tuple, left }
    }
}

/// Puts each record that is left into a class that is still accepted with it: one that lacks its value if there is one.
fn place_the_rest(
    task: &Task<'_>,
    records: &Records,
    profile: &TableProfile,
    buckets: &Buckets,
    separation: &mut Separation,
) {
    let rest: Vec<(u32, &Vec<u32>)> = (0..).zip(&buckets.left).filter(|(_, bucket)| !bucket.is_empty()).collect();
    if rest.is_empty() || separation.classes == 0 {
        return;
    }
    let mut counting = Counting::new(task, records, separation, profile);
    for (value, bucket) in rest {
        let mut has_value = vec![false; separation.classes as usize];
        for (record, &class) in separation.class_of.iter().enumerate().filter(|(_, class)| **class != UNPLACED) {
            has_value[class as usize] |= buckets.value_of_tuple[records.shows[record] as usize] == value;
        }
        let lacking = (0..separation.classes).filter(|&class| !has_value[class as usize]);
        let mut waiting = bucket.iter().copied().peekable();
        let mut classes: Vec<u32> = lacking.collect();
        // Then all classes, again and again, as long as that places a record.
        let mut placed = 1;
        while waiting.peek().is_some() && placed > 0 {
            placed = 0;
            for &class in &classes {
                let Some(&record) = waiting.peek() else { break };
                if counting.accepts_with(class, records.shows[record as usize]) {
                    counting.add(class, records.shows[record as usize]);
                    separation.class_of[record as usize] = class;
                    waiting.next();
                    placed += 1;
                }
            }
            let tried_all = classes.len() == separation.classes as usize;
            if !tried_all {
                (classes, placed) = ((0..separation.classes).collect(), 1);
            }
        }
    }
}
