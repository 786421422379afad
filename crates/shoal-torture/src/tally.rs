//! What was tried, and how often: so that nobody takes an idle run for a good one.

use std::collections::BTreeMap;

/// Counts by heading and word.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    counts: BTreeMap<&'static str, BTreeMap<String, u64>>,
    /// Objectives that a looser requirement raised under a heuristic, as ratios.
    pub raised: Vec<f64>,
}

impl Tally {
    pub fn add(&mut self, heading: &'static str, word: impl Into<String>) {
        *self.counts.entry(heading).or_default().entry(word.into()).or_default() += 1;
    }

    pub fn absorb(&mut self, other: Self) {
        for (heading, words) in other.counts {
            for (word, count) in words {
                *self.counts.entry(heading).or_default().entry(word).or_default() += count;
            }
        }
        self.raised.extend(other.raised);
    }

    pub fn print(&self) {
        for (heading, words) in &self.counts {
            println!("{heading}");
            let mut sorted: Vec<(&String, &u64)> = words.iter().collect();
            sorted.sort_by_key(|(word, count)| (std::cmp::Reverse(**count), (*word).clone()));
            for (word, count) in sorted {
                println!("  {count:>8}  {word}");
            }
        }
        if !self.raised.is_empty() {
            let most = self.raised.iter().copied().fold(0.0, f64::max);
            let mean = self.raised.iter().sum::<f64>() / self.raised.len() as f64;
            println!("a looser requirement lost more under a heuristic");
            println!(
                "  {:>8}  times, {:.1}% more on average, {:.1}% at most",
                self.raised.len(),
                mean * 100.0,
                most * 100.0
            );
        }
    }
}
