//! Which questions, one after the other, tell a person's class best?

use hashbrown::HashMap;

use super::division::Division;
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
/// **Which rows are tested.** A third of the rows of the original, chosen by what stands in them, so that they are the same for every
/// release of a table. They are kept from the learner of the original, and what they have become is taken out of the release: no learner
/// is asked about a row that it has learned from. Where a release is in two tables, every row that is left has each sensitive value that is
/// left in its class, in parts. `compare` and the report of `anonymize` know what became of each row, whatever the method; an
/// audit of a file only where each row of the original can be in one class alone. Elsewhere no learner is asked, rather than
/// one that has seen the answers: such shares cannot be compared.
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
            Division::best(examples, &members, &weights)
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
        let gain = |feature| Division::of_feature(&mornings, &all, &[5.0, 9.0], feature).map(|division| division.gain);
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
