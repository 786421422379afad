//! Can a class be closed, and if so, who must leave it first?

use super::super::draft::Part;
use super::thin::Thinning;

/// What becomes of a class.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is closed as it is.
    Close,
    /// It is closed with so many records of each of its parts; the others move on.
    CloseWith(Vec<u64>),
    /// All its records move on.
    MoveOn,
}

/// Decides about classes; it keeps memory to work in.
#[derive(Debug)]
pub(super) struct Judge<'a> {
    thinning: &'a Thinning<'a>,
    by_tuple: Vec<u64>,
    by_code: Vec<u64>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(thinning: &'a Thinning<'a>) -> Self {
        let diversity = thinning.diversity;
        let codes = (0..diversity.tuples.len() as u32).map(|tuple| diversity.code(tuple)).max().map_or(1, |code| code + 1);
        Self { thinning, by_tuple: vec![0; diversity.tuples.len()], by_code: vec![0; codes as usize] }
    }

    /// The verdict on these records: a class that is diverse must also satisfy everything else; from one that is not,
    /// records are taken until it is, the smallest quasi-identifier tuples first.
    pub(super) fn judge<'p>(&mut self, parts: impl Iterator<Item = &'p Part> + Clone) -> Verdict {
        let diversity = self.thinning.diversity;
        let (tuples, counts) = sums(&mut self.by_tuple, parts.clone().map(|part| (part.shows, part.count)));
        let by_tuple = tuples.iter().zip(&counts).map(|(&tuple, &count)| (diversity.code(tuple), count));
        let (codes, of_code) = sums(&mut self.by_code, by_tuple);
        if diversity.is_diverse(&codes, &of_code) {
            return if diversity.accepts(&tuples, &counts) { Verdict::Close } else { Verdict::MoveOn };
        }
        let Some(kept) = self.thinning.thin(&codes, &of_code) else { return Verdict::MoveOn };
        for (place, &code) in codes.iter().enumerate() {
            self.by_code[code as usize] = of_code[place] - kept[place];
        }
        let stays = |part: &Part| {
            let leave = &mut self.by_code[diversity.code(part.shows) as usize];
            let leaving = part.count.min(*leave);
            *leave -= leaving;
            part.count - leaving
        };
        let kept: Vec<u64> = parts.clone().map(stays).collect();
        let (tuples, counts) = sums(&mut self.by_tuple, parts.zip(&kept).map(|(part, &count)| (part.shows, count)));
        if diversity.accepts(&tuples, &counts) { Verdict::CloseWith(kept) } else { Verdict::MoveOn }
    }
}

/// Adds up counts by key; the keys that have any, sorted, and their counts. `by_key` is all 0 before and after.
fn sums(by_key: &mut [u64], counted: impl Iterator<Item = (u32, u64)>) -> (Vec<u32>, Vec<u64>) {
    let mut keys = Vec::new();
    for (key, count) in counted.filter(|&(_, count)| count > 0) {
        if by_key[key as usize] == 0 {
            keys.push(key);
        }
        by_key[key as usize] += count;
    }
    keys.sort_unstable();
    let counts = keys.iter().map(|&key| std::mem::take(&mut by_key[key as usize])).collect();
    (keys, counts)
}
