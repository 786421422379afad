//! What does Shoal know of a table once it has been read and counted?

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::{FrequencySet, HeldByPeople, SensitiveColumn, TableProfile};
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
    /// Whose they are, where people are counted.
    pub people: Option<TablePeople>,
}

/// The people of a table: whose records they are, the last code of a sensitive tuple says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TablePeople {
    /// How many there are.
    pub count: u64,
    /// All their codes are below this.
    pub codes: usize,
    /// For each quasi-identifier, does everybody have one value in all of their records? It belongs to the person then, and otherwise to the record.
    pub constant: Vec<bool>,
}

impl TablePeople {
    /// The people of a frequency set, if it tells them.
    pub fn of(base: &FrequencySet) -> Option<Self> {
        let tuples = base.sensitive();
        let place = tuples.person_place()?;
        let columns = base.layout().columns();
        let mut first_class: Vec<u32> = Vec::new();
        let (mut count, mut constant) = (0, vec![true; columns]);
        for class in 0..base.classes() {
            for &tuple in base.entries(class).0 {
                let person = tuples.tuple(tuple)[place] as usize;
                if first_class.len() <= person {
                    first_class.resize(person + 1, NOBODY);
                }
                let first = &mut first_class[person];
                if *first == NOBODY {
                    (*first, count) = (class as u32, count + 1);
                } else if *first != class as u32 {
                    let same = |column: usize| base.code(class, column) == base.code(*first as usize, column);
                    constant.iter_mut().enumerate().for_each(|(column, constant)| *constant &= same(column));
                }
            }
        }
        Some(Self { count, codes: first_class.len(), constant })
    }

    /// Has each of them the same quasi-identifiers in all of their records, so that nobody is ever in two classes?
    pub fn stay_together(&self) -> bool {
        self.constant.iter().all(|&constant| constant)
    }
}

/// No class of anybody is known yet.
const NOBODY: u32 = u32::MAX;

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
    /// A table of so many records; whose they are, where people are counted, follows from the frequency set.
    pub fn new(
        quasi: Vec<QuasiColumn>,
        sensitive: Vec<SensitiveColumn>,
        sensitive_weights: Vec<f64>,
        base: Arc<FrequencySet>,
        rows: u64,
    ) -> Self {
        let people = TablePeople::of(&base);
        // Of some records of a table it is known already, since its columns stay those of the whole.
        let held = |(place, column): (usize, SensitiveColumn)| match column.held_by_people() {
            Some(_) => column,
            None => {
                let induction = column.induction(&column.default_weights());
                match HeldByPeople::of_tuples(base.sensitive(), place, &induction) {
                    Some(held) => column.held_like_this(held),
                    None => column,
                }
            }
        };
        let sensitive = sensitive.into_iter().enumerate().map(held).collect();
        Self { quasi, sensitive, sensitive_weights, base, rows, people }
    }

    /// The table of some of its records. Its sensitive columns are those of the whole: that is what releases are compared with.
    pub fn with_base(&self, base: FrequencySet) -> Self {
        let quasi = |(column, quasi): (usize, &QuasiColumn)| {
            let mut counts = vec![0; quasi.counts.len()];
            for (class, &size) in base.sizes().iter().enumerate() {
                counts[base.code(class, column) as usize] += size;
            }
            QuasiColumn { counts, ..quasi.clone() }
        };
        let quasi = self.quasi.iter().enumerate().map(quasi).collect();
        let rows = base.rows();
        Self::new(quasi, self.sensitive.clone(), self.sensitive_weights.clone(), Arc::new(base), rows)
    }

    /// The table without some of its people, and the place that each entry of its base has among those of this one.
    pub fn without(&self, gone: &[bool]) -> (Self, Vec<u32>) {
        let (base, places) = self.base.without(gone);
        (self.with_base(base), places)
    }

    /// How sensitive values are distributed in it. Of some records of a table these alone are released, and the input is the whole.
    pub fn profile(&self) -> TableProfile {
        let input = TableProfile::of_input(&self.sensitive, self.rows);
        let is_part = |column: &SensitiveColumn| column.input_counts().iter().sum::<u64>() > self.rows;
        match self.sensitive.first().is_some_and(is_part) {
            true => input.with_released(&self.sensitive, &self.base, &vec![true; self.base.classes()]),
            false => input,
        }
    }

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

    /// How many codes a tuple has.
    pub fn tuple_width(&self) -> usize {
        self.quasi.len() + self.sensitive.len() + usize::from(self.people.is_some())
    }

    /// The codes of every tuple of some classes of the base, quasi-identifiers first, then sensitive columns and the person where people are
    /// counted, and how often it occurs.
    pub fn each_tuple(&self, classes: Range<usize>, mut act: impl FnMut(&[u32], u64)) {
        let quasi = self.quasi.len();
        let mut codes = vec![0; self.tuple_width()];
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
