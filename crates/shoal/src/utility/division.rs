//! Which column divides some rows best, and where?

use hashbrown::HashMap;
use rayon::prelude::*;

use super::examples::Examples;

/// A way to divide a part, and what it gains.
#[derive(Debug)]
pub struct Division {
    /// The entropy gain in bits, less what chance alone would gain.
    pub gain: f64,
    /// The feature that is asked about.
    pub feature: usize,
    /// Where its numbers are divided; none where each label is a part.
    pub threshold: Option<f64>,
}

impl Division {
    /// The division that gains most, if one gains anything: the first of several.
    pub fn best(examples: &Examples, members: &[u32], weights: &[f64]) -> Option<Self> {
        let of_feature = |feature: usize| Self::of_feature(examples, members, weights, feature);
        let features = 0..examples.features.len();
        // Small parts are divided sooner than threads are called.
        let divisions: Vec<Option<Self>> = if members.len() < 4096 {
            features.map(of_feature).collect()
        } else {
            features.into_par_iter().map(of_feature).collect()
        };
        let better = |best: Self, next: Self| if next.gain > best.gain { next } else { best };
        divisions.into_iter().flatten().reduce(better)
    }

    /// By one feature, if that gains anything.
    pub fn of_feature(examples: &Examples, members: &[u32], weights: &[f64], feature: usize) -> Option<Self> {
        let groups = Groups::new(examples, members, feature);
        let rows: f64 = weights.iter().sum();
        let classes = weights.iter().filter(|&&weight| weight > 0.0).count();
        let by_chance = |parts: usize| ((parts - 1) * (classes - 1)) as f64 / (2.0 * rows * std::f64::consts::LN_2);
        let whole = bits(weights);
        let positive = |gain: f64| (gain > 1e-9).then_some(gain);
        let Some(numbers) = &examples.features[feature].numbers else {
            let parts = groups.codes.len();
            let within: f64 = groups.weights.chunks(weights.len()).map(bits).sum();
            let gain = positive((whole - within) / rows - by_chance(parts.max(1)))?;
            return (parts > 1).then_some(Self { gain, feature, threshold: None });
        };
        let mut order: Vec<usize> = (0..groups.codes.len()).collect();
        let number = |group: usize| numbers[groups.codes[group] as usize];
        order.sort_by(|&a, &b| number(a).total_cmp(&number(b)));
        let (mut below, mut above) = (vec![0.0; weights.len()], weights.to_vec());
        let mut best: Option<(f64, f64)> = None;
        for two in order.windows(2) {
            for (class, weight) in groups.weights[two[0] * weights.len()..][..weights.len()].iter().enumerate() {
                below[class] += weight;
                above[class] = (above[class] - weight).max(0.0);
            }
            if number(two[0]) == number(two[1]) {
                continue;
            }
            let gain = (whole - bits(&below) - bits(&above)) / rows;
            if best.is_none_or(|(most, _)| gain > most + 1e-12) {
                best = Some((gain, threshold(number(two[0]), number(two[1]))));
            }
        }
        let (gain, at) = best?;
        Some(Self { gain: positive(gain - by_chance(2))?, feature, threshold: Some(at) })
    }
}

/// Halfway, unless the larger is a missing number, which counts as larger than all.
fn threshold(below: f64, above: f64) -> f64 {
    if above.is_finite() { f64::midpoint(below, above) } else { below }
}

/// The entropy of a part, times its rows.
fn bits(weights: &[f64]) -> f64 {
    let total: f64 = weights.iter().sum();
    let log = |n: f64| if n > 0.0 { n * n.log2() } else { 0.0 };
    log(total) - weights.iter().map(|&weight| log(weight)).sum::<f64>()
}

/// The rows of each class with each code that occurs in a part.
struct Groups {
    codes: Vec<u32>,
    weights: Vec<f64>,
}

impl Groups {
    fn new(examples: &Examples, members: &[u32], feature: usize) -> Self {
        let (codes, classes) = (&examples.codes[feature], examples.class_count);
        let size = examples.features[feature].codes;
        let mut groups = Self { codes: Vec::new(), weights: Vec::new() };
        let mut place_of: Vec<u32> = Vec::new();
        let mut few: HashMap<u32, u32> = HashMap::new();
        // An array of all codes is faster, unless it takes longer to clear than to use.
        let is_dense = size <= members.len().saturating_mul(4);
        if is_dense {
            place_of.resize(size, u32::MAX);
        }
        for &member in members {
            let code = codes[member as usize];
            let next = groups.codes.len() as u32;
            let place = if is_dense { &mut place_of[code as usize] } else { few.entry(code).or_insert(u32::MAX) };
            if *place == u32::MAX {
                *place = next;
                groups.codes.push(code);
                groups.weights.resize(groups.weights.len() + classes, 0.0);
            }
            let at = *place as usize * classes + examples.classes[member as usize] as usize;
            groups.weights[at] += examples.weights[member as usize];
        }
        groups
    }
}
