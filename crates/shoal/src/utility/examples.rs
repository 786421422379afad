//! What does a learner get to see of a table?

/// Weighted examples: some features, by code, and a class to learn.
#[derive(Debug, Default, Clone)]
pub struct Examples {
    /// What the codes of each feature mean.
    pub features: Vec<Feature>,
    /// `[feature][example]`.
    pub codes: Vec<Vec<u32>>,
    /// The class of each example.
    pub classes: Vec<u32>,
    /// How many rows each example stands for; less than one where a generalized class is spread over several.
    pub weights: Vec<f64>,
    /// How many classes there are.
    pub class_count: usize,
}

/// A feature of examples.
#[derive(Debug, Default, Clone)]
pub struct Feature {
    /// How many codes there are.
    pub codes: usize,
    /// The number of each code, where they have an order.
    pub numbers: Option<Vec<f64>>,
    /// The values that each code stands for, in equal parts.
    pub covered: Vec<Vec<u32>>,
}

impl Examples {
    /// How many rows have each class.
    pub fn class_weights(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.class_count];
        self.classes.iter().zip(&self.weights).for_each(|(&class, weight)| weights[class as usize] += weight);
        weights
    }
}

/// The likeliest class, the first of several.
pub fn likeliest(weights: &[f64]) -> u32 {
    let better = |best: usize, next: usize| if weights[next] > weights[best] { next } else { best };
    (0..weights.len()).reduce(better).unwrap_or(0) as u32
}
