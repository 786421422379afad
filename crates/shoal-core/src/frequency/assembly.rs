//! How do sorted tuples become a frequency set, as they come?

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::{FrequencySet, KeyLayout, SensitiveTuples};

/// A frequency set that grows by one tuple at a time. Nothing is held besides what it will hold, but the distinct
/// sensitive tuples: they are numbered as they appear, and by their order at the end.
pub(super) struct Assembly {
    set: FrequencySet,
    quasi: usize,
    /// The key of the last tuple and of the one before.
    key: Vec<u64>,
    previous: Option<Vec<u64>>,
    sensitive: Vec<u32>,
    numbers: HashTable<u32>,
    hasher: FixedState,
}

impl Assembly {
    /// A set of tuples with these numbers of codes; the first `quasi` columns are the quasi-identifiers.
    pub(super) fn new(quasi: usize, domain_sizes: &[usize]) -> Self {
        let layout = KeyLayout::new(&domain_sizes[..quasi]);
        let key = vec![0; layout.words()];
        let tuples = SensitiveTuples::new(domain_sizes.len() - quasi, Vec::new());
        Self {
            set: FrequencySet::empty(Arc::new(layout), Arc::new(tuples)),
            quasi,
            key,
            previous: None,
            sensitive: Vec::new(),
            numbers: HashTable::new(),
            hasher: FixedState::default(),
        }
    }

    /// Adds a tuple that is larger than all before it.
    pub(super) fn push(&mut self, codes: &[u32], count: u64) {
        let (quasi, sensitive) = codes.split_at(self.quasi);
        self.key.fill(0);
        for (column, &code) in quasi.iter().enumerate() {
            self.set.layout().put(&mut self.key, column, code);
        }
        if self.previous.as_ref() != Some(&self.key) {
            self.set.begin_class(&self.key);
            self.previous.get_or_insert_with(|| self.key.clone()).copy_from_slice(&self.key);
        }
        let number = self.number(sensitive);
        self.set.push(number, count);
    }

    fn number(&mut self, tuple: &[u32]) -> u32 {
        let Self { sensitive, numbers, hasher, .. } = self;
        if tuple.is_empty() {
            return 0;
        }
        let at = |number: u32| &sensitive[number as usize * tuple.len()..][..tuple.len()];
        let hash = hasher.hash_one(tuple);
        if let Some(&number) = numbers.find(hash, |&number| at(number) == tuple) {
            return number;
        }
        let number = (sensitive.len() / tuple.len()) as u32;
        numbers.insert_unique(hash, number, |&number| hasher.hash_one(at(number)));
        sensitive.extend_from_slice(tuple);
        number
    }

    /// How much memory it takes, near enough.
    pub(super) fn bytes(&self) -> usize {
        self.set.bytes() + 4 * self.sensitive.len() + 5 * self.numbers.capacity()
    }

    /// How many tuples it has so far.
    pub(super) fn tuples(&self) -> usize {
        self.set.tuples()
    }

    pub(super) fn finish(mut self) -> FrequencySet {
        let columns = self.set.sensitive().columns();
        if columns > 0 {
            let tuples: Vec<&[u32]> = self.sensitive.chunks_exact(columns).collect();
            let mut order: Vec<u32> = (0..tuples.len() as u32).collect();
            order.sort_unstable_by_key(|&number| tuples[number as usize]);
            let sorted = order.iter().flat_map(|&number| tuples[number as usize]).copied().collect();
            let mut renumbered = vec![0; order.len()];
            (0..).zip(&order).for_each(|(place, &number)| renumbered[number as usize] = place);
            self.set.renumber(SensitiveTuples::new(columns, sorted), &renumbered);
        }
        self.set.finish();
        self.set
    }
}
