//! What must be known of the classes at a node, so that every model can decide about each?
//!
//! A search looks at thousands of nodes and publishes one. Of every class it keeps the smallest summary that the requirements read
//! and that can be merged: its size; up to so many distinct values of a column; how often each value of a column
//! occurs; the combinations of all sensitive values only where somebody reads those.

mod becoming;
mod counts;
mod distinct;
mod layout;
mod merge;
mod pairs;
mod part;
mod reads;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

pub use reads::Reads;

use super::{Counts, EquivalenceClass, FrequencySet, Generalization, QuasiColumn, SensitiveTuples};
use crate::lattice::Node;
use layout::{Groups, NodeLayout};
use merge::{Keys, KeysOf, Merged, merge};
use part::{Kept, Part};

/// Makes the summaries of a table at any node.
#[derive(Debug)]
pub struct Summaries<'a> {
    base: &'a FrequencySet,
    generalization: Generalization,
    groups: Arc<Groups>,
    kept: Vec<Kept>,
    completed_bytes: AtomicUsize,
}

/// The classes at a node, as far as models read them.
#[derive(Debug)]
pub struct Summary {
    node: Node,
    groups: Arc<Groups>,
    layout: NodeLayout,
    keys: Keys,
    sizes: Vec<u64>,
    /// What is kept of each class beside its size; made when somebody asks, since sizes alone often decide.
    parts: OnceLock<Vec<Part>>,
    /// What the parts are made of, as long as nobody has asked.
    origin: Mutex<Option<Origin>>,
    tuples: Arc<SensitiveTuples>,
}

/// Which classes were merged, those of the table or of a summary below, and what each of them became part of.
#[derive(Debug)]
struct Origin {
    below: Option<Arc<Summary>>,
    class_of: Vec<u32>,
}

impl<'a> Summaries<'a> {
    /// The summaries of a table with these quasi-identifiers that serve whoever reads this.
    pub fn new(base: &'a FrequencySet, quasi: &[QuasiColumn], reads: impl IntoIterator<Item = Reads>) -> Self {
        let generalization = Generalization::new(quasi.iter().map(|column| &column.hierarchy));
        let domains: Vec<usize> = quasi.iter().map(|column| column.counts.len()).collect();
        let groups = Groups::new(base.layout(), &domains, &generalization).into();
        let mut reads = reads::smallest(reads);
        // Whoever knows what people have knows how many they are.
        let people =
            base.sensitive().person_place().filter(|_| reads.iter().any(|read| matches!(read, Reads::People { .. })));
        reads.retain(|read| !matches!(read, Reads::Distinct { column, .. } if Some(*column) == people));
        let kept = reads.into_iter().map(|read| Kept::new(read, base)).collect();
        Self { base, generalization, groups, kept, completed_bytes: AtomicUsize::new(0) }
    }

    /// The summary at a node, straight from the table.
    pub fn at(&self, node: &Node) -> Summary {
        self.at_of(node, 0)
    }

    /// The same for whoever asks nothing of classes of fewer records than `least` but their size, and needs no summary above it.
    pub fn at_of(&self, node: &Node, least: u64) -> Summary {
        let (summary, class_of) = self.scan(node, !self.kept.is_empty());
        let parts = part::from_base(&self.kept, self.base, &class_of, &summary.sizes, least);
        Summary { parts: parts.into(), ..summary }
    }

    /// The same as [`at`](Self::at), and for each class of the table the class it became part of.
    pub fn at_and_tell(&self, node: &Node) -> (Summary, Vec<u32>) {
        let (summary, class_of) = self.scan(node, true);
        let parts = part::from_base(&self.kept, self.base, &class_of, &summary.sizes, 0);
        (Summary { parts: parts.into(), ..summary }, class_of)
    }

    /// The summary at a node at or above that of another.
    pub fn above(&self, set: &Arc<Summary>, node: &Node) -> Summary {
        let summary = self.sizes_above(set, node);
        self.complete(&summary);
        summary
    }

    /// The sizes of classes at a node, straight from the table; [`complete`](Self::complete) makes the rest.
    pub fn sizes_at(&self, node: &Node) -> Summary {
        let (summary, class_of) = self.scan(node, !self.kept.is_empty());
        self.with_origin(summary, None, class_of)
    }

    /// The same at a node at or above that of another summary.
    pub fn sizes_above(&self, set: &Arc<Summary>, node: &Node) -> Summary {
        debug_assert!(set.node.is_at_or_below(node));
        let layout = self.groups.layout(node);
        let steps =
            self.groups.steps_between(&self.generalization, (&set.node, &set.layout), (node, &layout), set.classes());
        let merged = merge(set.keys.of(set.layout.words), &set.sizes, &steps, &layout, !self.kept.is_empty());
        let (summary, class_of) = self.bare(node, layout, merged);
        self.with_origin(summary, Some(set.clone()), class_of)
    }

    /// Makes what models read of classes beside their sizes, if that is still to be made.
    pub fn complete(&self, summary: &Summary) {
        summary.parts.get_or_init(|| {
            let origin = summary.origin.lock().expect("no thread panics while it holds the lock").take();
            let Origin { below, class_of } = origin.expect("parts are there, or what they are made of");
            let parts = match below {
                None => part::from_base(&self.kept, self.base, &class_of, &summary.sizes, 0),
                Some(below) => {
                    self.complete(&below);
                    part::merged(&self.kept, below.parts(), &class_of, &summary.sizes)
                }
            };
            self.completed_bytes.fetch_add(parts.iter().map(Part::bytes).sum(), Ordering::Relaxed);
            parts
        });
    }

    /// How many bytes everything took that was made for those who asked for more than sizes.
    pub fn completed_bytes(&self) -> usize {
        self.completed_bytes.load(Ordering::Relaxed)
    }

    fn scan(&self, node: &Node, tell: bool) -> (Summary, Vec<u32>) {
        let layout = self.groups.layout(node);
        let steps = self.groups.steps_from_base(&self.generalization, node, &layout, self.base.classes());
        let keys = KeysOf::Words(self.base.keys(), self.base.layout().words());
        let merged = merge(keys, self.base.sizes(), &steps, &layout, tell);
        self.bare(node, layout, merged)
    }

    /// A summary without parts.
    fn bare(&self, node: &Node, layout: NodeLayout, merged: Merged) -> (Summary, Vec<u32>) {
        let Merged { keys, sizes, class_of } = merged;
        let (groups, tuples) = (self.groups.clone(), self.base.shared_sensitive().clone());
        let (parts, origin) = (OnceLock::new(), Mutex::new(None));
        (Summary { node: node.clone(), groups, layout, keys, sizes, parts, origin, tuples }, class_of)
    }

    fn with_origin(&self, summary: Summary, below: Option<Arc<Summary>>, class_of: Vec<u32>) -> Summary {
        if self.kept.is_empty() {
            return Summary { parts: Vec::new().into(), ..summary };
        }
        Summary { origin: Some(Origin { below, class_of }).into(), ..summary }
    }
}

impl Summary {
    /// The node whose classes these are.
    pub fn node(&self) -> &Node {
        &self.node
    }

    /// How many classes there are.
    pub fn classes(&self) -> usize {
        self.sizes.len()
    }

    /// The number of records of each class.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// A class as models see it: what they said they read, and no more.
    #[inline]
    pub fn class(&self, class: usize) -> EquivalenceClass<'_> {
        EquivalenceClass::of_summary(self, class)
    }

    /// The code of a quasi-identifier in a class.
    pub fn code(&self, class: usize, column: usize) -> u32 {
        match &self.keys {
            Keys::Narrow(keys) => self.groups.code(&self.layout, &self.node, &[keys[class].into()], column),
            Keys::Words(keys) => {
                let words = self.layout.words;
                self.groups.code(&self.layout, &self.node, &keys[class * words..][..words], column)
            }
        }
    }

    /// For each quasi-identifier, the number of records under each of its labels that occurs, in the classes that are wanted.
    pub fn rows_by_label(&self, wanted: impl Fn(usize) -> bool) -> Vec<Vec<u64>> {
        let classes: Vec<u32> = (0..self.classes() as u32).filter(|&class| wanted(class as usize)).collect();
        let mut of_groups = self.groups.zeros(&self.node);
        for (field, sums) in self.layout.fields.iter().zip(&mut of_groups) {
            for &class in &classes {
                let code = match &self.keys {
                    Keys::Narrow(keys) => u64::from(keys[class as usize]) >> field.shift & field.mask,
                    Keys::Words(keys) => {
                        keys[class as usize * self.layout.words + field.word] >> field.shift & field.mask
                    }
                };
                sums[code as usize] += self.sizes[class as usize];
            }
        }
        self.groups.by_column(&self.node, &of_groups)
    }

    /// Is it known whose records its classes have?
    pub fn tells_people(&self) -> bool {
        self.tuples.tell_people()
    }

    /// Who has which value of a column in the classes that are wanted, (value, person), as often as it comes; nothing where that is not kept.
    pub fn held_in_column(&self, column: usize, wanted: impl Fn(usize) -> bool) -> Option<Vec<(u32, u32)>> {
        let is_kept =
            |part: &Part| matches!(part, Part::People(of, ..) if *of == column) || matches!(part, Part::Tuples(_));
        if !self.parts().iter().any(is_kept) {
            return None;
        }
        let mut pairs = Vec::new();
        for class in (0..self.classes()).filter(|&class| wanted(class)) {
            pairs.extend_from_slice(self.class(class).people().with_values(column));
        }
        Some(pairs)
    }

    /// How often each value of a column occurs in the classes that are wanted, by code; nothing where that is not kept.
    pub fn counts_of_column(&self, column: usize, wanted: impl Fn(usize) -> bool) -> Option<Vec<u64>> {
        let has_counts =
            |part: &Part| matches!(part, Part::Counts(of, _) if *of == column) || matches!(part, Part::Tuples(_));
        if !self.parts().iter().any(has_counts) {
            return None;
        }
        let mut by_code: Vec<u64> = Vec::new();
        for class in (0..self.classes()).filter(|&class| wanted(class)) {
            for (code, count) in self.class(class).counts(column).iter() {
                if by_code.len() <= code as usize {
                    by_code.resize(code as usize + 1, 0);
                }
                by_code[code as usize] += count;
            }
        }
        Some(by_code)
    }

    fn parts(&self) -> &[Part] {
        self.parts.get().expect("whoever asks what classes hold has it made before")
    }

    /// What its parts are still to be made of: it is held until somebody asks for them.
    pub fn below(&self) -> Option<Arc<Summary>> {
        let origin = self.origin.lock().expect("no thread panics while it holds the lock");
        origin.as_ref().and_then(|origin| origin.below.clone())
    }

    /// How much memory it takes, near enough, without what it holds beside it.
    pub fn bytes(&self) -> usize {
        let parts = match self.parts.get() {
            Some(parts) => parts.iter().map(Part::bytes).sum(),
            None => {
                let origin = self.origin.lock().expect("no thread panics while it holds the lock");
                origin.as_ref().map_or(0, |origin| 4 * origin.class_of.len())
            }
        };
        size_of::<Self>() + self.keys.bytes() + 8 * self.sizes.len() + parts
    }

    /// The distinct sensitive tuples of the whole table.
    pub(super) fn tuples(&self) -> &SensitiveTuples {
        &self.tuples
    }

    /// The sensitive tuples of a class, where they are kept.
    #[inline]
    pub(super) fn tuples_of(&self, class: usize) -> Option<Counts<'_>> {
        self.parts().iter().find_map(|part| match part {
            Part::Tuples(counts) => Some(counts.of(class)),
            _ => None,
        })
    }

    /// The values of a sensitive column in a class, where they are counted.
    #[inline]
    pub(super) fn counts_of(&self, class: usize, column: usize) -> Option<Counts<'_>> {
        self.parts().iter().find_map(|part| match part {
            Part::Counts(of, counts) if *of == column => Some(counts.of(class)),
            _ => None,
        })
    }

    /// Who has which value of a sensitive column in a class, (value, person), sorted, where that is kept.
    pub(super) fn people_with_values(&self, class: usize, column: usize) -> Option<Vec<(u32, u32)>> {
        self.parts().iter().find_map(|part| match part {
            Part::People(of, of_classes, pairs) if *of == column => {
                Some(of_classes.of(class).iter().map(|&place| pairs.pair(place)).collect())
            }
            _ => None,
        })
    }

    /// How many people of a class have each value of a sensitive column, where that is kept.
    pub(super) fn people_having(&self, class: usize, column: usize) -> Option<(Vec<u32>, Vec<u64>)> {
        self.parts().iter().find_map(|part| match part {
            Part::People(of, of_classes, pairs) if *of == column => Some(pairs.having(of_classes.of(class))),
            _ => None,
        })
    }

    /// How many people a class has, where it is known of each of them what they have.
    pub(super) fn people_of(&self, class: usize) -> Option<u64> {
        self.parts().iter().find_map(|part| match part {
            Part::People(_, of_classes, _) => of_classes.people(class),
            _ => None,
        })
    }

    /// The distinct values of a sensitive column in a class, up to as many as are kept.
    #[inline]
    pub(super) fn distinct_of(&self, class: usize, column: usize) -> Option<&[u32]> {
        self.parts().iter().find_map(|part| match part {
            Part::Distinct(of, distinct) if *of == column => Some(distinct.of(class)),
            _ => None,
        })
    }
}
