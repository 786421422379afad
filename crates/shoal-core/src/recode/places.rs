//! Where does a row go, when rows with the same values always go to the same place?

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::Place;
use crate::frequency::{CountedTable, KeyLayout};
use crate::method::{Label, Partition};

/// The place of each tuple. Nothing changes when a row takes one, so that all threads can look at once.
#[derive(Debug)]
pub struct Places<'a> {
    /// What the code of each column becomes before it is looked up; `None` if it stays.
    generalized: Vec<Option<&'a [u32]>>,
    layout: KeyLayout,
    keys: Vec<u64>,
    places: Vec<Place>,
    found: HashTable<u32>,
    hasher: FixedState,
    absent: Place,
}

impl<'a> Places<'a> {
    /// `None` if some tuple has several places.
    pub(super) fn new(table: &'a CountedTable, partition: &Partition) -> Option<Self> {
        let one_each = partition.assignments.iter().enumerate().all(|(at, assigned)| assigned.tuple as usize == at);
        if !one_each {
            return None;
        }
        Some(Self::by_node(table, partition).unwrap_or_else(|| Self::by_tuple(table, partition)))
    }

    /// With one level for each column, what a row becomes says which class it is in; there are far fewer classes than
    /// tuples. What is in no class is suppressed.
    fn by_node(table: &'a CountedTable, partition: &Partition) -> Option<Self> {
        let node = partition.node.as_ref()?;
        let levels = table.quasi.iter().zip(node.levels());
        let levels: Vec<_> = levels.map(|(column, &level)| column.hierarchy.level(usize::from(level))).collect();
        let sizes: Vec<usize> = levels.iter().map(|level| level.len()).collect();
        let generalized = levels.iter().map(|level| Some(level.nodes_of_leaves())).collect();
        let mut places = Self::empty(generalized, KeyLayout::new(&sizes), Place::Suppressed);
        for class in 0..partition.classes.len() as u32 {
            let code = |column: usize| match partition.classes.label(class, column) {
                Label::Node { node, .. } => Some(*node),
                _ => None,
            };
            let codes: Vec<u32> = (0..levels.len()).map(code).collect::<Option<_>>()?;
            places.insert(&codes, Place::Class { class, shows: 0 });
        }
        Some(places)
    }

    fn by_tuple(table: &'a CountedTable, partition: &Partition) -> Self {
        let quasi = table.quasi.iter().map(|column| column.dictionary.len());
        let sensitive = table.sensitive.iter().map(|column| column.codes());
        let people = table.people.iter().map(|people| people.codes);
        let sizes: Vec<usize> = quasi.chain(sensitive).chain(people).collect();
        let mut places = Self::empty(vec![None; sizes.len()], KeyLayout::new(&sizes), Place::Nowhere);
        let mut assignments = partition.assignments.iter();
        table.each_tuple(0..table.base.classes(), |codes, _| {
            places.insert(codes, assignments.next().map_or(Place::Nowhere, Place::of));
        });
        places
    }

    fn empty(generalized: Vec<Option<&'a [u32]>>, layout: KeyLayout, absent: Place) -> Self {
        let (keys, places) = (Vec::new(), Vec::new());
        Self { generalized, layout, keys, places, found: HashTable::new(), hasher: FixedState::default(), absent }
    }

    fn insert(&mut self, codes: &[u32], place: Place) {
        let words = self.layout.words();
        let mut key = vec![0; words];
        codes.iter().enumerate().for_each(|(column, &code)| self.layout.put(&mut key, column, code));
        let at = self.places.len() as u32;
        let hash = self.hasher.hash_one(key.as_slice());
        self.keys.extend(key);
        self.places.push(place);
        let (keys, hasher) = (&self.keys, &self.hasher);
        self.found.insert_unique(hash, at, |&at| hasher.hash_one(&keys[at as usize * words..][..words]));
    }

    /// The place of a row with these codes; `key` is memory to work in.
    #[inline]
    pub fn place(&self, codes: &[u32], key: &mut Vec<u64>) -> Place {
        let words = self.layout.words();
        key.clear();
        key.resize(words, 0);
        for (column, (&code, generalized)) in codes.iter().zip(&self.generalized).enumerate() {
            self.layout.put(key, column, generalized.map_or(code, |nodes| nodes[code as usize]));
        }
        let hash = self.hasher.hash_one(key.as_slice());
        let is_it = |&at: &u32| self.keys[at as usize * words..][..words] == **key;
        self.found.find(hash, is_it).map_or(self.absent, |&at| self.places[at as usize])
    }
}
