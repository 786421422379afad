//! Which questions, one after the other, tell a person's class best?

use hashbrown::HashMap;
use rayon::prelude::*;

use super::examples::{Examples, likeliest};

/// # Decision tree
///
/// **Definition.** ID3: rows are divided by the column whose entropy gain is largest, and again within each part, until nothing is
/// gained. It is grown from the release and from the original; both predict the target (`--target COLUMN`, by default each sensitive
/// column) from all other columns for rows of the original, and the shares of right answers are compared with each other and with always
/// saying what is most frequent (`majority`).
/// **How a release is read.** Labels are categories, one branch each. Numbers and dates are divided at a threshold; a generalized one
/// counts as halfway between the least and the largest value that it covers. A generalized target counts for all values that it covers, in
/// equal parts. A row of the original goes down every branch whose label covers its value, and the parts it reaches vote by their rows;
/// where no branch does, all rows at that point vote.
/// **Growth.** From the gain is taken what chance alone would gain: (parts - 1)(classes - 1) / (2 rows ln 2) bits. Parts of fewer than 20
/// rows, or a thousandth of all, are not divided further; no path is longer than 12 questions.
/// **Which rows are tested.** Where it is certain which class each row of the original is in (`held_out`: true), a third of the original is
/// kept from both trees, and taken out of the release: neither has seen the rows it is asked about. Elsewhere (`held_out`: false)
/// both learn from all rows and are asked about rows they have seen: compare the two, but do not take either for how well it would do
/// with new people.
/// **Example.** Ten rows of the old and ten of the young, ill and well: one question, and all answers are right.
/// **Reference.** Quinlan 1986; Tian and Zhang, Extending l-diversity, section IV.B; Miller 1955 for what chance gains.
#[derive(Debug)]
pub struct DecisionTree {
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    /// The rows of each class that came here.
    weights: Vec<f64>,
    question: Option<Question>,
}

#[derive(Debug, PartialEq)]
enum Question {
    /// At most this number, or above.
    Threshold { feature: usize, at: f64, below: usize, above: usize },
    /// Which label.
    Label { feature: usize, branches: HashMap<u32, usize> },
}

/// When a tree stops growing.
#[derive(Debug, Clone, Copy)]
pub struct Growth {
    /// Parts of fewer rows are not divided.
    pub fewest: f64,
    /// How many questions are asked in a row.
    pub deepest: usize,
}

/// What is known of somebody in a feature.
#[derive(Debug, Clone, Copy)]
pub enum Known<'a> {
    /// A number.
    Number(f64),
    /// The labels that cover the value.
    Labels(&'a [u32]),
}

/// A way to divide a part, and what it gains.
#[derive(Debug)]
struct Division {
    gain: f64,
    feature: usize,
    threshold: Option<f64>,
}

impl DecisionTree {
    /// Grows a tree.
    pub fn grow(examples: &Examples, growth: Growth) -> Self {
        let mut tree = Self { nodes: Vec::new() };
        let all: Vec<u32> = (0..examples.classes.len() as u32).collect();
        tree.grow_node(examples, all, growth, growth.deepest);
        tree
    }

    fn grow_node(&mut self, examples: &Examples, members: Vec<u32>, growth: Growth, depth: usize) -> usize {
        let mut weights = vec![0.0; examples.class_count];
        for &member in &members {
            weights[examples.classes[member as usize] as usize] += examples.weights[member as usize];
        }
        let place = self.nodes.len();
        let rows: f64 = weights.iter().sum();
        let is_pure = weights.iter().filter(|&&weight| weight > 0.0).count() < 2;
        let division = if is_pure || depth == 0 || rows < growth.fewest {
            None
        } else {
            best_division(examples, &members, &weights)
        };
        self.nodes.push(Node { weights, question: None });
        let Some(Division { feature, threshold, .. }) = division else { return place };
        let codes = &examples.codes[feature];
        let question = match (threshold, &examples.features[feature].numbers) {
            (Some(at), Some(numbers)) => {
                let is_below = |member: &u32| numbers[codes[*member as usize] as usize] <= at;
                let (below, above): (Vec<u32>, Vec<u32>) = members.into_iter().partition(is_below);
                let below = self.grow_node(examples, below, growth, depth - 1);
                let above = self.grow_node(examples, above, growth, depth - 1);
                Question::Threshold { feature, at, below, above }
            }
            _ => {
                let mut sorted = members;
                sorted.sort_by_key(|&member| codes[member as usize]);
                let mut branches = HashMap::new();
                for part in sorted.chunk_by(|a, b| codes[*a as usize] == codes[*b as usize]) {
                    let branch = self.grow_node(examples, part.to_vec(), growth, depth - 1);
                    branches.insert(codes[part[0] as usize], branch);
                }
                Question::Label { feature, branches }
            }
        };
        self.nodes[place].question = Some(question);
        place
    }

    /// The likeliest class of somebody of whom this is known.
    pub fn predict<'k>(&self, known: &dyn Fn(usize) -> Known<'k>) -> u32 {
        let mut votes = vec![0.0; self.nodes.first().map_or(0, |root| root.weights.len())];
        self.vote(0, known, &mut votes);
        likeliest(&votes)
    }

    fn vote<'k>(&self, node: usize, known: &dyn Fn(usize) -> Known<'k>, votes: &mut [f64]) {
        let node = &self.nodes[node];
        match &node.question {
            Some(Question::Threshold { feature, at, below, above }) => {
                if let Known::Number(number) = known(*feature) {
                    return self.vote(if number <= *at { *below } else { *above }, known, votes);
                }
            }
            Some(Question::Label { feature, branches }) => {
                let Known::Labels(labels) = known(*feature) else { return };
                let mut is_known = false;
                for branch in labels.iter().filter_map(|label| branches.get(label)) {
                    is_known = true;
                    self.vote(*branch, known, votes);
                }
                if is_known {
                    return;
                }
            }
            None => {}
        }
        votes.iter_mut().zip(&node.weights).for_each(|(votes, weight)| *votes += weight);
    }
}

/// The division that gains most, if one gains anything: the first of several.
fn best_division(examples: &Examples, members: &[u32], weights: &[f64]) -> Option<Division> {
    let of_feature = |feature: usize| divide(examples, members, weights, feature);
    let features = 0..examples.features.len();
    // Small parts are divided sooner than threads are called.
    let divisions: Vec<Option<Division>> = if members.len() < 4096 {
        features.map(of_feature).collect()
    } else {
        features.into_par_iter().map(of_feature).collect()
    };
    let better = |best: Division, next: Division| if next.gain > best.gain { next } else { best };
    divisions.into_iter().flatten().reduce(better)
}

fn divide(examples: &Examples, members: &[u32], weights: &[f64], feature: usize) -> Option<Division> {
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
        return (parts > 1).then_some(Division { gain, feature, threshold: None });
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
    Some(Division { gain: positive(gain - by_chance(2))?, feature, threshold: Some(at) })
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

#[cfg(test)]
mod tests {
    use super::super::examples::Feature;
    use super::*;

    const GROWTH: Growth = Growth { fewest: 2.0, deepest: 9 };

    fn examples(codes: &[&[u32]], classes: &[u32], numbers: &[Option<&[f64]>]) -> Examples {
        let feature = |(codes, numbers): (&&[u32], &Option<&[f64]>)| Feature {
            codes: codes.iter().max().map_or(0, |&most| most as usize + 1),
            numbers: numbers.map(<[f64]>::to_vec),
            covered: Vec::new(),
        };
        Examples {
            features: codes.iter().zip(numbers).map(feature).collect(),
            codes: codes.iter().map(|codes| codes.to_vec()).collect(),
            classes: classes.to_vec(),
            weights: vec![1.0; classes.len()],
            class_count: 2,
        }
    }

    /// Quinlan's Saturday mornings: outlook (sunny, overcast, rain), temperature, humidity (high, normal), windy.
    fn mornings() -> Examples {
        let outlook = [0, 0, 1, 2, 2, 2, 1, 0, 0, 2, 0, 1, 1, 2];
        let temperature = [0, 0, 0, 1, 2, 2, 2, 1, 2, 1, 1, 1, 0, 1];
        let humidity = [0, 0, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0];
        let windy = [0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1];
        let play = [0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0];
        examples(&[&outlook, &temperature, &humidity, &windy], &play, &[None; 4])
    }

    #[test]
    fn quinlan_s_tree_comes_out() {
        let mornings = mornings();
        let tree = DecisionTree::grow(&mornings, GROWTH);
        let feature = |node: usize| match &tree.nodes[node].question {
            Some(Question::Label { feature, branches }) => (*feature, branches.clone()),
            other => panic!("{other:?}"),
        };
        let (first, branches) = feature(0);
        assert_eq!(first, 0, "outlook");
        assert_eq!(feature(branches[&0]).0, 2, "humidity where it is sunny");
        assert!(tree.nodes[branches[&1]].question.is_none(), "overcast is always fine");
        assert_eq!(feature(branches[&2]).0, 3, "wind where it rains");
        assert_eq!(tree.nodes.len(), 8);
        for morning in 0..14 {
            let labels: Vec<[u32; 1]> = mornings.codes.iter().map(|codes| [codes[morning]]).collect();
            assert_eq!(tree.predict(&|feature| Known::Labels(&labels[feature])), mornings.classes[morning]);
        }
    }

    #[test]
    fn the_gain_is_quinlan_s_less_chance() {
        let mornings = mornings();
        let all: Vec<u32> = (0..14).collect();
        let gain = |feature| divide(&mornings, &all, &[5.0, 9.0], feature).map(|division| division.gain);
        let chance = |parts: f64| (parts - 1.0) / (28.0 * std::f64::consts::LN_2);
        assert!((gain(0).expect("outlook tells") - (0.246_749_8 - chance(3.0))).abs() < 1e-6);
        assert!((gain(2).expect("humidity tells") - (0.151_835_5 - chance(2.0))).abs() < 1e-6);
        assert_eq!(gain(1), None, "temperature gains 0.029, which chance would, too");
    }

    #[test]
    fn numbers_are_divided_at_a_threshold() {
        let codes: Vec<u32> = (0..20).collect();
        let numbers: Vec<f64> = (0..20).map(|year| f64::from(20 + 2 * year)).collect();
        let classes: Vec<u32> = (0..20).map(|year| u32::from(year >= 7)).collect();
        let tree = DecisionTree::grow(&examples(&[&codes], &classes, &[Some(&numbers)]), GROWTH);
        assert_eq!(
            tree.nodes[0].question,
            Some(Question::Threshold { feature: 0, at: 33.0, below: 1, above: 2 }),
            "between 32 and 34"
        );
        assert_eq!(tree.predict(&|_| Known::Number(33.5)), 1);
        assert_eq!(tree.predict(&|_| Known::Number(-1.0)), 0);
    }

    #[test]
    fn whoever_fits_several_labels_asks_all_of_them() {
        let codes = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2];
        let classes = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
        let tree = DecisionTree::grow(&examples(&[&codes], &classes, &[None]), GROWTH);
        assert_eq!(tree.predict(&|_| Known::Labels(&[0, 1])), 0, "six against four");
        assert_eq!(tree.predict(&|_| Known::Labels(&[1])), 1);
        assert_eq!(tree.predict(&|_| Known::Labels(&[])), 0, "a tie of all: the first");
    }
}
