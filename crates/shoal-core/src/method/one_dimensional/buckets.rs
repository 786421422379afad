//! How are records on a line grouped so that each group has enough different sensitive values?

use std::collections::BTreeSet;

use super::super::diversity::Diversity;
use super::super::draft::{Draft, Part, TupleCounts};
use crate::watch::Watch;

/// The linear heuristic of Ghinita et al. 2007: records wait in buckets by sensitive value, each in the order of the line.
/// A group takes the first of those that wait, one from each bucket before a second from any, until it is good enough. If
/// what is left would then be too uneven ever to be grouped, the group takes from the fullest buckets instead.
#[derive(Debug)]
pub(super) struct Buckets<'a> {
    diversity: &'a Diversity<'a>,
    /// All records in the order of the line; counts are those that still wait.
    line: Vec<Part>,
    buckets: Vec<Bucket>,
    /// The sensitive code of each bucket, sorted; one bucket for all where no requirement is about diversity.
    codes: Vec<u32>,
    /// For each bucket that may be taken from, where its first record stands, and which it is.
    heads: BTreeSet<(u32, u32)>,
}

#[derive(Debug, Default)]
struct Bucket {
    /// Places on the line, in order.
    places: Vec<u32>,
    /// The first of them at which a record still waits.
    next: usize,
    waiting: u64,
}

/// Records that were taken: the place on the line and the bucket of each.
type Taken = Vec<(u32, u32)>;

impl<'a> Buckets<'a> {
    pub(super) fn new(line: Vec<Part>, diversity: &'a Diversity<'a>) -> Self {
        let code = |part: &Part| if diversity.has_deciding() { diversity.code(part.shows) } else { 0 };
        let mut codes: Vec<u32> = line.iter().map(code).collect();
        let by_place = codes.clone();
        codes.sort_unstable();
        codes.dedup();
        let mut buckets: Vec<Bucket> = codes.iter().map(|_| Bucket::default()).collect();
        for (place, code) in by_place.iter().enumerate() {
            let bucket = &mut buckets[codes.partition_point(|known| known < code)];
            bucket.places.push(place as u32);
            bucket.waiting += line[place].count;
        }
        let heads = buckets.iter().zip(0..).map(|(bucket, number)| (bucket.places[0], number)).collect();
        Self { diversity, line, buckets, codes, heads }
    }

    /// Groups all records; those that wait in vain at the end.
    pub(super) fn group(mut self, draft: &mut Draft, watch: &dyn Watch) -> Vec<Part> {
        let mut counts = TupleCounts::new(self.diversity.tuples.len());
        while !self.heads.is_empty() && !watch.is_stopped() {
            let group = self.first_waiting(&mut counts).or_else(|| self.take_from_the_fullest(&mut counts));
            let Some(group) = group else { break };
            let parts = self.repeated(&group);
            watch.advance(parts.iter().map(|part| part.count).sum());
            draft.close(&parts);
        }
        self.line.retain(|part| part.count > 0);
        self.line
    }

    /// The first of those that wait, one of each bucket before a second of any. Nothing, and nothing is taken, if no group is
    /// good enough or what is left is not.
    fn first_waiting(&mut self, counts: &mut TupleCounts) -> Option<Taken> {
        counts.clear();
        let (mut taken, mut of_bucket) = (Taken::new(), vec![0; self.buckets.len()]);
        let mut used = Vec::new();
        let mut is_group = false;
        while !is_group {
            let Some((_, bucket)) = self.heads.pop_first() else {
                if used.is_empty() {
                    break;
                }
                self.put_back(&mut used);
                continue;
            };
            used.push(bucket);
            self.take(bucket, counts, &mut of_bucket, &mut taken);
            is_group = self.diversity.is_diverse(&self.codes, &of_bucket) && counts.are_accepted(self.diversity);
        }
        self.put_back(&mut used);
        if is_group && self.rest_is_diverse() {
            return Some(taken);
        }
        self.undo(&taken);
        None
    }

    /// From the fullest buckets, until the group is good enough and so is what is left. Nothing, and nothing is taken, if
    /// that never happens.
    fn take_from_the_fullest(&mut self, counts: &mut TupleCounts) -> Option<Taken> {
        counts.clear();
        let (mut taken, mut of_bucket) = (Taken::new(), vec![0; self.buckets.len()]);
        let mut fullest: BTreeSet<(std::cmp::Reverse<u64>, u32)> = self
            .buckets
            .iter()
            .zip(0..)
            .filter(|(bucket, _)| bucket.waiting > 0)
            .map(|(bucket, number)| (std::cmp::Reverse(bucket.waiting), number))
            .collect();
        while let Some((_, bucket)) = fullest.pop_first() {
            self.heads.remove(&(self.head(bucket), bucket));
            self.take(bucket, counts, &mut of_bucket, &mut taken);
            self.put_back(&mut vec![bucket]);
            let waiting = self.buckets[bucket as usize].waiting;
            if waiting > 0 {
                fullest.insert((std::cmp::Reverse(waiting), bucket));
            }
            if self.diversity.is_diverse(&self.codes, &of_bucket)
                && self.rest_is_diverse()
                && counts.are_accepted(self.diversity)
            {
                return Some(taken);
            }
        }
        self.undo(&taken);
        None
    }

    /// The group as parts, as many times as the same group would be taken again: groups of equal records are one class.
    fn repeated(&mut self, taken: &Taken) -> Vec<Part> {
        let mut places = taken.clone();
        places.sort_unstable();
        let each: Vec<(u32, u32, u64)> =
            places.chunk_by(|a, b| a == b).map(|same| (same[0].0, same[0].1, same.len() as u64)).collect();
        let mut more = each.iter().map(|&(place, _, count)| self.line[place as usize].count / count).min().unwrap_or(0);
        let add = |buckets: &mut Self, times: u64, give_back: bool| {
            for &(place, bucket, count) in &each {
                let records = count * times;
                let (part, bucket) = (&mut buckets.line[place as usize], &mut buckets.buckets[bucket as usize]);
                if give_back {
                    (part.count, bucket.waiting) = (part.count + records, bucket.waiting + records);
                } else {
                    (part.count, bucket.waiting) = (part.count - records, bucket.waiting - records);
                }
            }
        };
        while more > 0 {
            add(self, more, false);
            if self.rest_is_diverse() {
                break;
            }
            add(self, more, true);
            more /= 2;
        }
        for &(_, bucket, _) in &each {
            self.advance(bucket);
        }
        let part = |&(place, _, count): &(u32, u32, u64)| Part { count: count * (more + 1), ..self.line[place as usize] };
        each.iter().map(part).collect()
    }

    fn rest_is_diverse(&self) -> bool {
        let waiting: Vec<u64> = self.buckets.iter().map(|bucket| bucket.waiting).collect();
        waiting.iter().all(|&waiting| waiting == 0) || self.diversity.is_diverse(&self.codes, &waiting)
    }

    fn head(&self, bucket: u32) -> u32 {
        let bucket = &self.buckets[bucket as usize];
        bucket.places[bucket.next]
    }

    /// Takes the first record of a bucket that is not among the heads.
    fn take(&mut self, number: u32, counts: &mut TupleCounts, of_bucket: &mut [u64], taken: &mut Taken) {
        let place = self.head(number);
        taken.push((place, number));
        let (part, bucket) = (&mut self.line[place as usize], &mut self.buckets[number as usize]);
        counts.add_records(part.shows, 1);
        of_bucket[number as usize] += 1;
        part.count -= 1;
        bucket.waiting -= 1;
        if part.count == 0 {
            bucket.next += 1;
        }
    }

    /// Puts buckets among the heads again, if anybody waits in them.
    fn put_back(&mut self, used: &mut Vec<u32>) {
        for bucket in used.drain(..) {
            if self.buckets[bucket as usize].waiting > 0 {
                self.heads.insert((self.head(bucket), bucket));
            }
        }
    }

    /// Moves the head of a bucket on to where somebody waits.
    fn advance(&mut self, number: u32) {
        let bucket = &mut self.buckets[number as usize];
        let before = bucket.places.get(bucket.next).copied();
        while bucket.places.get(bucket.next).is_some_and(|&place| self.line[place as usize].count == 0) {
            bucket.next += 1;
        }
        if let Some(before) = before.filter(|_| before != bucket.places.get(bucket.next).copied()) {
            self.heads.remove(&(before, number));
            self.put_back(&mut vec![number]);
        }
    }

    /// Nobody was taken.
    fn undo(&mut self, taken: &Taken) {
        for &(place, number) in taken.iter().rev() {
            let bucket = &mut self.buckets[number as usize];
            if let Some(&head) = bucket.places.get(bucket.next) {
                self.heads.remove(&(head, number));
            }
            self.line[place as usize].count += 1;
            bucket.waiting += 1;
            bucket.next = bucket.places.partition_point(|&known| known < place);
            self.heads.insert((place, number));
        }
    }
}
