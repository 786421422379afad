//! What does Shoal know of a table once it has been read and counted?

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::{FrequencySet, SensitiveColumn};
use crate::hierarchy::Hierarchy;
use crate::lattice::{Lattice, Node};
use crate::table::{Dictionary, RoundEnds};

/// A quasi-identifier: its values, what they may become, and how much that matters.
#[derive(Debug, Clone)]
pub struct QuasiColumn {
    /// Its name.
    pub name: String,
    /// Its values.
    pub dictionary: Arc<Dictionary>,
    /// What they may become.
    pub hierarchy: Hierarchy,
    /// The number of records with each value.
    pub counts: Vec<u64>,
    /// How much its loss weighs against that of the others.
    pub weight: f64,
    /// The lowest level it may have in a release.
    pub min_level: u8,
    /// The highest level it may have in a release.
    pub max_level: u8,
    /// Do its values have an order that a range can follow? Numbers and dates do, unless they are categories.
    pub ordered: bool,
    /// Where ranges may begin and end, once somebody has asked.
    pub round_ends: OnceLock<RoundEnds>,
}

impl QuasiColumn {
    /// Where ranges of its values may begin and end.
    pub fn round_ends(&self) -> &RoundEnds {
        self.round_ends.get_or_init(|| RoundEnds::new(&self.dictionary))
    }
}

/// A counted table: all that methods, models and objectives get to see.
#[derive(Debug)]
pub struct CountedTable {
    /// The quasi-identifiers, in policy order.
    pub quasi: Vec<QuasiColumn>,
    /// The sensitive columns, in policy order.
    pub sensitive: Vec<SensitiveColumn>,
    /// The weight of each sensitive column in the `information` objective.
    pub sensitive_weights: Vec<f64>,
    /// Every distinct tuple and how often it occurs.
    pub base: Arc<FrequencySet>,
    /// How many records there are.
    pub rows: u64,
}

/// The columns of a table, and how many records it has: what can be said of it without looking at any.
#[derive(Debug, Clone, Copy)]
pub struct TableColumns<'a> {
    /// The quasi-identifiers, in policy order.
    pub quasi: &'a [QuasiColumn],
    /// The weight of each sensitive column in the `information` objective.
    pub sensitive_weights: &'a [f64],
    /// How many records there are.
    pub rows: u64,
}

impl CountedTable {
    /// Its columns.
    pub fn columns(&self) -> TableColumns<'_> {
        TableColumns { quasi: &self.quasi, sensitive_weights: &self.sensitive_weights, rows: self.rows }
    }

    /// The combinations of levels that the policy allows.
    pub fn lattice(&self) -> Lattice {
        let bottom = self.quasi.iter().map(|column| column.min_level).collect();
        let top = self.quasi.iter().map(|column| column.max_level).collect();
        Lattice::new(Node::new(bottom), Node::new(top))
    }

    /// The node of the base frequency set: no column generalized.
    pub fn ungeneralized(&self) -> Node {
        Node::new(vec![0; self.quasi.len()])
    }

    /// The node at which every column says nothing.
    pub fn fully_generalized(&self) -> Node {
        Node::new(self.quasi.iter().map(|column| column.hierarchy.height() as u8).collect())
    }

    /// The codes of every tuple of some classes of the base, quasi-identifiers first, and how often it occurs.
    pub fn each_tuple(&self, classes: Range<usize>, mut act: impl FnMut(&[u32], u64)) {
        let quasi = self.quasi.len();
        let mut codes = vec![0; quasi + self.sensitive.len()];
        for class in classes {
            codes[..quasi].iter_mut().enumerate().for_each(|(column, code)| *code = self.base.code(class, column));
            let (tuples, counts) = self.base.entries(class);
            for (&tuple, &count) in tuples.iter().zip(counts) {
                codes[quasi..].copy_from_slice(self.base.sensitive().tuple(tuple));
                act(&codes, count);
            }
        }
    }

    /// Something that no outsider knows and that is the same in every run on the same data.
    pub fn fingerprint(&self, salt: u64) -> [u8; 32] {
        let mut bytes = [0; 32];
        bytes.par_chunks_exact_mut(8).enumerate().for_each(|(part, chunk)| {
            let mut hasher = FixedState::with_seed(salt ^ part as u64).build_hasher();
            self.each_tuple(0..self.base.classes(), |codes, count| {
                codes.iter().for_each(|&code| hasher.write_u32(code));
                hasher.write_u64(count);
            });
            hasher.write_usize(part);
            chunk.copy_from_slice(&hasher.finish().to_le_bytes());
        });
        bytes
    }
}
