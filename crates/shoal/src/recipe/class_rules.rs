//! Which class of a recipe does a row belong to, where each class shows labels of its own?

use serde::{Deserialize, Serialize};

use super::column_rule::Readable;
use crate::linking::Linker;
use shoal_core::frequency::FrequencySet;

/// What each class shows, a label for each quasi-identifier. A row belongs to the first class that covers it; narrow classes
/// come first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct ClassRules {
    pub classes: Vec<Vec<String>>,
}

impl ClassRules {
    /// For each combination of quasi-identifiers of a table, the first class that covers it.
    pub fn first_covering(&self, columns: &[Readable<'_>], base: &FrequencySet) -> Vec<Option<u32>> {
        let mut keys: Vec<Vec<u32>> = vec![Vec::with_capacity(columns.len()); self.classes.len()];
        let mut covering: Vec<Vec<Vec<u32>>> = Vec::with_capacity(columns.len());
        for (place, column) in columns.iter().enumerate() {
            let mut labels: Vec<String> = self.classes.iter().map(|class| class[place].clone()).collect();
            labels.sort_unstable();
            labels.dedup();
            for (key, class) in keys.iter_mut().zip(&self.classes) {
                let label = labels.binary_search(&class[place]).expect("every label of a class is among the labels");
                key.push(label as u32);
            }
            covering.push(column.covering(&labels));
        }
        let linker = Linker::of_keys(columns.len(), keys.into_iter().map(|key| (key, 1)));
        let first = |tuple: usize| {
            let labels: Vec<&[u32]> = covering
                .iter()
                .enumerate()
                .map(|(column, covering)| covering[base.code(tuple, column) as usize].as_slice())
                .collect();
            let candidates = linker.candidates(&labels);
            candidates.into_iter().flat_map(|group| linker.groups()[group as usize].classes.iter().copied()).min()
        };
        (0..base.classes()).map(first).collect()
    }
}
