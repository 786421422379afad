//! Which equivalence classes does a table have at one node of the lattice?

use std::sync::Arc;

use super::{EquivalenceClass, KeyLayout, SensitiveTuples};

/// The distinct quasi-identifier tuples of a table, each with the sensitive tuples that occur with it.
#[derive(Debug, Clone)]
pub struct FrequencySet {
    layout: Arc<KeyLayout>,
    tuples: Arc<SensitiveTuples>,
    /// One packed key of `layout.words()` words for each class.
    keys: Vec<u64>,
    sizes: Vec<u64>,
    /// Where each class's sensitive tuples begin; one more at the end. Empty, as are the two below, where all
    /// records share one sensitive tuple: then sizes say everything.
    starts: Vec<usize>,
    codes: Vec<u32>,
    counts: Vec<u64>,
}

/// The one sensitive tuple of a class whose records all share it.
const ONLY_TUPLE: [u32; 1] = [0];

impl FrequencySet {
    /// From (quasi-identifier codes, sensitive tuple, count), sorted and distinct.
    pub fn from_sorted<'a>(
        layout: KeyLayout,
        tuples: SensitiveTuples,
        rows: impl Iterator<Item = (&'a [u32], u32, u64)>,
    ) -> Self {
        let mut set = Self::empty(Arc::new(layout), Arc::new(tuples));
        let mut key = vec![0; set.layout.words()];
        for (quasi, sensitive, count) in rows {
            key.fill(0);
            for (column, &code) in quasi.iter().enumerate() {
                set.layout.put(&mut key, column, code);
            }
            if set.sizes.is_empty() || set.key(set.classes() - 1) != key {
                set.begin_class(&key);
            }
            set.push(sensitive, count);
        }
        set.finish();
        set
    }

    /// The set of some of its classes, in this order.
    pub fn part(&self, classes: &[usize]) -> Self {
        let mut part = Self::empty(self.layout.clone(), self.tuples.clone());
        for &class in classes {
            part.begin_class(self.key(class));
            let (codes, counts) = self.entries(class);
            codes.iter().zip(counts).for_each(|(&code, &count)| part.push(code, count));
        }
        part.finish();
        part
    }

    /// The set without the records of some people, and the place that each of its entries has here.
    pub fn without(&self, gone: &[bool]) -> (Self, Vec<u32>) {
        let (mut rest, mut places) = (Self::empty(self.layout.clone(), self.tuples.clone()), Vec::new());
        for class in 0..self.classes() {
            let (tuples, counts) = self.entries(class);
            let mut has_begun = false;
            for (place, (&tuple, &count)) in tuples.iter().zip(counts).enumerate() {
                if gone[self.person(tuple)] {
                    continue;
                }
                if !std::mem::replace(&mut has_begun, true) {
                    rest.begin_class(self.key(class));
                }
                rest.push(tuple, count);
                places.push((self.first_entry(class) + place) as u32);
            }
        }
        rest.finish();
        (rest, places)
    }

    pub(super) fn empty(layout: Arc<KeyLayout>, tuples: Arc<SensitiveTuples>) -> Self {
        Self { layout, tuples, keys: vec![], sizes: vec![], starts: vec![], codes: vec![], counts: vec![] }
    }

    /// A set in which all records share one sensitive tuple.
    pub(super) fn of_sizes(&self, keys: Vec<u64>, sizes: Vec<u64>) -> Self {
        Self { keys, sizes, ..Self::empty(self.layout.clone(), self.tuples.clone()) }
    }

    /// Do all records share one sensitive tuple, so that sizes say everything?
    pub(super) fn has_sizes_only(&self) -> bool {
        self.tuples.len() == 1
    }

    pub(super) fn begin_class(&mut self, key: &[u64]) {
        self.keys.extend_from_slice(key);
        self.sizes.push(0);
        if !self.has_sizes_only() {
            self.starts.push(self.codes.len());
        }
    }

    /// Adds a sensitive tuple to the class that was begun last.
    pub(super) fn push(&mut self, tuple: u32, count: u64) {
        if !self.has_sizes_only() {
            self.codes.push(tuple);
            self.counts.push(count);
        }
        *self.sizes.last_mut().expect("a class was begun") += count;
    }

    /// Gives the sensitive tuples, which were pushed in their order, their final codes.
    pub(super) fn renumber(&mut self, tuples: SensitiveTuples, codes: &[u32]) {
        self.tuples = Arc::new(tuples);
        if self.has_sizes_only() {
            (self.starts, self.codes, self.counts) = (Vec::new(), Vec::new(), Vec::new());
        }
        self.codes.iter_mut().for_each(|code| *code = codes[*code as usize]);
    }

    /// The same set, in which the last column of sensitive tuples says whose records they are.
    #[must_use]
    pub fn of_people(self) -> Self {
        let tuples = Arc::unwrap_or_clone(self.tuples).of_people();
        Self { tuples: Arc::new(tuples), ..self }
    }

    /// The same set, in which nobody is told any more whose records they are.
    #[must_use]
    pub fn without_people(&self) -> Self {
        let columns = self.tuples.columns();
        // Without their last code, sorted tuples are still sorted: equal ones stand side by side.
        let (mut codes, mut renumbered): (Vec<u32>, Vec<u32>) = (Vec::new(), Vec::with_capacity(self.tuples.len()));
        let mut distinct = 0;
        for tuple in 0..self.tuples.len() as u32 {
            let values = &self.tuples.tuple(tuple)[..columns];
            if distinct == 0 || codes[codes.len() - columns..] != *values {
                codes.extend_from_slice(values);
                distinct += 1;
            }
            renumbered.push(distinct - 1);
        }
        let tuples = Arc::new(SensitiveTuples::new(columns, codes));
        let mut set = Self::empty(self.layout.clone(), tuples);
        for class in 0..self.classes() {
            set.begin_class(self.key(class));
            let (codes, counts) = self.entries(class);
            let entries = codes.iter().map(|&code| renumbered[code as usize]).zip(counts).collect::<Vec<_>>();
            for same in entries.chunk_by(|a, b| a.0 == b.0) {
                set.push(same[0].0, same.iter().map(|entry| entry.1).sum());
            }
        }
        set.finish();
        set
    }

    pub(super) fn finish(&mut self) {
        if !self.has_sizes_only() {
            self.starts.push(self.codes.len());
        }
        self.keys.shrink_to_fit();
        self.sizes.shrink_to_fit();
        self.starts.shrink_to_fit();
        self.codes.shrink_to_fit();
        self.counts.shrink_to_fit();
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// How many records the classes have together.
    pub fn rows(&self) -> u64 {
        self.sizes.iter().sum()
    }

    /// How many distinct (quasi-identifier, sensitive) tuples there are.
    pub fn tuples(&self) -> usize {
        if self.has_sizes_only() { self.sizes.len() } else { self.codes.len() }
    }

    /// The distinct sensitive tuples of the whole table.
    pub fn sensitive(&self) -> &SensitiveTuples {
        &self.tuples
    }

    pub(super) fn shared_sensitive(&self) -> &Arc<SensitiveTuples> {
        &self.tuples
    }

    /// How keys are packed.
    pub fn layout(&self) -> &Arc<KeyLayout> {
        &self.layout
    }

    /// The packed key of a class.
    pub fn key(&self, class: usize) -> &[u64] {
        let words = self.layout.words();
        &self.keys[class * words..][..words]
    }

    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// A quasi-identifier's code in a class.
    pub fn code(&self, class: usize, column: usize) -> u32 {
        self.layout.code(self.key(class), column)
    }

    /// The number of records of each class.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// The sensitive tuples of a class and their counts.
    pub fn entries(&self, class: usize) -> (&[u32], &[u64]) {
        if self.has_sizes_only() {
            return (&ONLY_TUPLE, &self.sizes[class..=class]);
        }
        let range = self.starts[class]..self.starts[class + 1];
        (&self.codes[range.clone()], &self.counts[range])
    }

    /// Where the entries of a class begin among all entries.
    pub fn first_entry(&self, class: usize) -> usize {
        if self.has_sizes_only() { class } else { self.starts[class] }
    }

    /// Every entry: its place among all, its sensitive tuple and how many records have it.
    pub fn each_entry(&self, mut act: impl FnMut(usize, u32, u64)) {
        for class in 0..self.classes() {
            let (tuples, counts) = self.entries(class);
            let first = self.first_entry(class);
            tuples
                .iter()
                .zip(counts)
                .enumerate()
                .for_each(|(place, (&tuple, &count))| act(first + place, tuple, count));
        }
    }

    /// The sensitive tuple of every entry.
    pub fn entry_tuples(&self) -> Vec<u32> {
        let mut tuples = vec![0; self.tuples()];
        self.each_entry(|entry, tuple, _| tuples[entry] = tuple);
        tuples
    }

    /// Whose records have a sensitive tuple, where that is known.
    ///
    /// # Panics
    /// Where it is not.
    pub fn person(&self, tuple: u32) -> usize {
        let place = self.tuples.person_place().expect("the table tells whose records are whose");
        self.tuples.tuple(tuple)[place] as usize
    }

    /// A class as models see it.
    pub fn class(&self, class: usize) -> EquivalenceClass<'_> {
        let (codes, counts) = self.entries(class);
        EquivalenceClass::with_size(&self.tuples, codes, counts, self.sizes[class])
    }

    /// How much memory it takes, near enough.
    pub fn bytes(&self) -> usize {
        8 * (self.keys.len() + self.sizes.len() + self.starts.len() + self.counts.len()) + 4 * self.codes.len()
    }
}
