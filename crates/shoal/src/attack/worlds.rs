//! How likely is each way in which the sensitive values of a class can be spread over its parts?

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Up to so many ways are looked at one by one; beyond, some are drawn at random, the same in every run.
const MOST_WAYS: u64 = 20_000;
/// How many ways are drawn, unless the class is so large that fewer must do.
const DRAWS: u64 = 1_000;
const DRAWN_RECORDS: u64 = 1_000_000;

/// What is known of the ways in which no part of a class fails.
#[derive(Debug, Clone, PartialEq)]
pub struct Worlds {
    /// The probability that no part fails.
    pub all_good: f64,
    /// For each part and each value, the probability that somebody in the part has the value and no part fails.
    pub has_and_good: Vec<Vec<f64>>,
    /// From how many drawn ways these were estimated; none if they are exact.
    pub draws: Option<u64>,
}

/// The worlds of a class whose values occur so often and whose parts have these sizes: every assignment of the values to the
/// records is equally likely. `accepts` judges how often each value occurs in a part.
pub fn worlds(counts: &[u64], parts: &[u64], accepts: &dyn Fn(&[u64]) -> bool) -> Worlds {
    let mut walk =
        Walk { parts, accepts, left: counts.to_vec(), chosen: Vec::new(), ways: 0, found: empty(counts, parts) };
    if walk.part(0, 1.0) {
        return walk.found;
    }
    draw(counts, parts, accepts)
}

fn empty(counts: &[u64], parts: &[u64]) -> Worlds {
    Worlds { all_good: 0.0, has_and_good: vec![vec![0.0; counts.len()]; parts.len()], draws: None }
}

impl Worlds {
    fn add(&mut self, parts: &[u64], chosen: &[Vec<u64>], probability: f64) {
        self.all_good += probability;
        for ((part, &size), counts) in self.has_and_good.iter_mut().zip(parts).zip(chosen) {
            for (has, &count) in part.iter_mut().zip(counts) {
                *has += probability * count as f64 / size as f64;
            }
        }
    }
}

struct Walk<'a> {
    parts: &'a [u64],
    accepts: &'a dyn Fn(&[u64]) -> bool,
    left: Vec<u64>,
    chosen: Vec<Vec<u64>>,
    ways: u64,
    found: Worlds,
}

impl Walk<'_> {
    /// Fills the parts from this one on; false if there are too many ways.
    fn part(&mut self, part: usize, probability: f64) -> bool {
        if part == self.parts.len() {
            self.found.add(self.parts, &self.chosen, probability);
            return true;
        }
        self.chosen.push(vec![0; self.left.len()]);
        let total: u64 = self.left.iter().sum();
        let complete = self.value(part, 0, self.parts[part], probability / binomial(total, self.parts[part]));
        self.chosen.pop();
        complete
    }

    /// Decides how many of this value and the following ones go into a part with so much room.
    fn value(&mut self, part: usize, value: usize, room: u64, probability: f64) -> bool {
        if value == self.left.len() {
            self.ways += 1;
            if self.ways > MOST_WAYS {
                return false;
            }
            return !(self.accepts)(&self.chosen[part]) || self.part(part + 1, probability);
        }
        let after: u64 = self.left[value + 1..].iter().sum();
        let available = self.left[value];
        for count in room.saturating_sub(after)..=available.min(room) {
            self.left[value] = available - count;
            self.chosen[part][value] = count;
            let complete = self.value(part, value + 1, room - count, probability * binomial(available, count));
            self.left[value] = available;
            if !complete {
                return false;
            }
        }
        self.chosen[part][value] = 0;
        true
    }
}

fn binomial(n: u64, k: u64) -> f64 {
    (0..k.min(n - k)).fold(1.0, |product, i| product * (n - i) as f64 / (i + 1) as f64)
}

fn draw(counts: &[u64], parts: &[u64], accepts: &dyn Fn(&[u64]) -> bool) -> Worlds {
    let mut found = empty(counts, parts);
    let mut records: Vec<usize> =
        counts.iter().enumerate().flat_map(|(value, &count)| std::iter::repeat_n(value, count as usize)).collect();
    let draws = (DRAWN_RECORDS / records.len().max(1) as u64).clamp(20, DRAWS);
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut chosen = vec![vec![0u64; counts.len()]; parts.len()];
    for _ in 0..draws {
        records.shuffle(&mut random);
        let mut rest = records.as_slice();
        let is_good = parts.iter().zip(&mut chosen).all(|(&size, chosen)| {
            let (here, others) = rest.split_at(size as usize);
            rest = others;
            chosen.fill(0);
            here.iter().for_each(|&value| chosen[value] += 1);
            accepts(chosen)
        });
        if is_good {
            found.add(parts, &chosen, 1.0 / draws as f64);
        }
    }
    found.draws = Some(draws);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    /// Two of six have h; a part of two fails if both of them do: one of fifteen ways.
    #[test]
    fn ways_are_counted_exactly() {
        let accepts = |counts: &[u64]| counts[0] * 2 <= counts.iter().sum::<u64>();
        let worlds = worlds(&[2, 4], &[2, 4], &accepts);
        assert_eq!(worlds.draws, None);
        assert!(near(worlds.all_good, 14.0 / 15.0), "{worlds:?}");
        // 8 of 15 ways put one h into the first part.
        assert!(near(worlds.has_and_good[0][0], 8.0 / 15.0 * 0.5), "{worlds:?}");
        assert!(near(worlds.has_and_good[0][0] + worlds.has_and_good[0][1], 14.0 / 15.0));
        let all = super::worlds(&[2, 4], &[2, 4], &|_: &[u64]| true);
        assert!(near(all.all_good, 1.0) && near(all.has_and_good[1][0], 1.0 / 3.0));
    }

    #[test]
    fn many_ways_are_drawn_the_same_each_time() {
        let accepts = |counts: &[u64]| counts.iter().all(|&count| count <= 40);
        let (counts, parts) = ([100, 100, 100, 100], [100, 100, 100, 100]);
        let drawn = worlds(&counts, &parts, &accepts);
        assert_eq!(drawn, worlds(&counts, &parts, &accepts));
        assert_eq!(drawn.draws, Some(1_000));
        assert!(drawn.all_good > 0.9 && (drawn.has_and_good[0][0] / drawn.all_good - 0.25).abs() < 0.01);
    }
}
