//! Which classes become one when their keys are generalized?

use std::cell::RefCell;

use super::layout::{Change, NodeLayout, Step};

/// The packed keys of classes: in 32 bits where they fit.
#[derive(Debug)]
pub(super) enum Keys {
    Narrow(Vec<u32>),
    Words(Vec<u64>),
}

/// The keys of what is merged.
#[derive(Debug, Clone, Copy)]
pub(super) enum KeysOf<'a> {
    Narrow(&'a [u32]),
    Words(&'a [u64], usize),
}

impl Keys {
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Narrow(keys) => 4 * keys.len(),
            Self::Words(keys) => 8 * keys.len(),
        }
    }

    pub(super) fn of(&self, words: usize) -> KeysOf<'_> {
        match self {
            Self::Narrow(keys) => KeysOf::Narrow(keys),
            Self::Words(keys) => KeysOf::Words(keys, words),
        }
    }
}

/// The merged classes, in the order in which they come up.
#[derive(Debug)]
pub(super) struct Merged {
    pub(super) keys: Keys,
    pub(super) sizes: Vec<u64>,
    /// For each class that was merged, the one it became part of; nothing if nobody asked.
    pub(super) class_of: Vec<u32>,
}

/// Keys are made so many at a time: they stay in the processor's nearest cache until they are looked up.
const BLOCK: usize = 1024;

/// Keys of no more bits find their class in an array, since that stays in a cache of the processor's; those of more only where there are enough
/// keys for a place of it to be used now and then, and never those of more than [`MOST_DIRECT_BITS`].
const DIRECT_BITS: u32 = 16;

/// An array has no more than so many places for each key.
const PLACES_OF_KEY: usize = 8;

const MOST_DIRECT_BITS: u32 = 21;

/// Have keys of so many bits a place each in an array, where so many are merged?
fn is_direct(bits: u32, keys: usize) -> bool {
    bits <= DIRECT_BITS || (bits <= MOST_DIRECT_BITS && 1 << bits <= PLACES_OF_KEY * keys)
}

/// A table in which keys are looked up has from the beginning as many bits as it may need, but no more than these.
const HASHED_BITS: std::ops::RangeInclusive<u32> = 12..=18;

thread_local! {
    /// One more than the class of each key; all zeros between two merges.
    static PLACES: RefCell<Vec<u32>> = const { RefCell::new(Vec::new()) };
}

/// Merges classes with these keys and sizes.
pub(super) fn merge(old: KeysOf<'_>, sizes: &[u64], steps: &[Step<'_>], layout: &NodeLayout, tell: bool) -> Merged {
    let merging = Merging { old, sizes, steps, words: layout.words };
    match (layout.words, layout.bits) {
        (1, bits) if is_direct(bits, sizes.len()) && tell => merging.direct::<true>(bits),
        (1, bits) if is_direct(bits, sizes.len()) => merging.direct::<false>(bits),
        (1, ..=u32::BITS) => merging.hashed(Narrow { keys: Vec::new() }, tell),
        (1, _) => merging.hashed(Single { keys: Vec::new() }, tell),
        (words, _) => merging.hashed(Several { words, keys: Vec::new() }, tell),
    }
}

struct Merging<'a> {
    old: KeysOf<'a>,
    sizes: &'a [u64],
    steps: &'a [Step<'a>],
    words: usize,
}

impl Merging<'_> {
    /// The new keys of some classes, word by word: those of word `w` begin at `w * BLOCK`.
    fn new_keys(&self, from: usize, block: &mut [u64]) {
        let count = BLOCK.min(self.sizes.len() - from);
        block.fill(0);
        for Step { from: old, word, change } in self.steps {
            let new = &mut block[word * BLOCK..][..count];
            match self.old {
                KeysOf::Narrow(keys) => {
                    put(new, keys[from..].iter().map(|&key| u64::from(key) >> old.shift & old.mask), change)
                }
                KeysOf::Words(keys, 1) => put(new, keys[from..].iter().map(|key| key >> old.shift & old.mask), change),
                KeysOf::Words(keys, words) => {
                    put(
                        new,
                        keys[from * words..].chunks_exact(words).map(|key| key[old.word] >> old.shift & old.mask),
                        change,
                    );
                }
            }
        }
    }

    /// Where there are few keys, each has a place of its own.
    fn direct<const TELL: bool>(&self, bits: u32) -> Merged {
        PLACES.with_borrow_mut(|places| {
            let all = 1usize << bits;
            if places.len() < all {
                places.resize(all, 0);
            }
            let places = &mut places[..all];
            // One more, which is written before it is known whether a class is new.
            let most = self.sizes.len().min(all) + 1;
            let (mut keys, mut sizes, mut classes) = (vec![0u32; most], vec![0u64; most], 0);
            let mut class_of = vec![0u32; if TELL { self.sizes.len() } else { 0 }];
            let mut block = [0; BLOCK];
            for from in (0..self.sizes.len()).step_by(BLOCK) {
                self.new_keys(from, &mut block);
                for (at, (&key, &size)) in block.iter().zip(&self.sizes[from..]).enumerate() {
                    let place = &mut places[key as usize & (all - 1)];
                    let is_new = *place == 0;
                    let class = if is_new { classes } else { *place as usize - 1 };
                    *place = class as u32 + 1;
                    keys[classes] = key as u32;
                    classes += usize::from(is_new);
                    sizes[class] += size;
                    if TELL {
                        class_of[from + at] = class as u32;
                    }
                }
            }
            keys.truncate(classes);
            sizes.truncate(classes);
            keys.iter().for_each(|&key| places[key as usize] = 0);
            keys.shrink_to_fit();
            sizes.shrink_to_fit();
            Merged { keys: Keys::Narrow(keys), sizes, class_of }
        })
    }

    /// Open addressing with linear probing, at most half full. A key that fits stands in the table itself, beside its class.
    fn hashed<K: Known>(&self, mut known: K, tell: bool) -> Merged {
        let mut bits =
            (2 * self.sizes.len()).next_power_of_two().ilog2().clamp(*HASHED_BITS.start(), *HASHED_BITS.end());
        let mut places = vec![0u64; 1 << bits];
        let mut sizes: Vec<u64> = Vec::new();
        let mut class_of = Vec::with_capacity(if tell { self.sizes.len() } else { 0 });
        let mut block = vec![0; BLOCK * self.words];
        for from in (0..self.sizes.len()).step_by(BLOCK) {
            self.new_keys(from, &mut block);
            if 2 * (sizes.len() + BLOCK) > places.len() {
                bits += 2;
                places = vec![0u64; 1 << bits];
                (0..sizes.len()).for_each(|class| settle(&mut places, bits, known.hash_of(class), class));
            }
            let mask = places.len() - 1;
            for (at, &size) in self.sizes[from..].iter().take(BLOCK).enumerate() {
                let hash = known.hash(&block, at);
                let tag = hash << u32::BITS;
                let mut place = (hash >> (u64::BITS - bits)) as usize;
                let class = loop {
                    match places[place & mask] {
                        0 => {
                            known.push(&block, at);
                            sizes.push(0);
                            places[place & mask] = tag | sizes.len() as u64;
                            break sizes.len() - 1;
                        }
                        found => {
                            let class = found as u32 as usize - 1;
                            if found & !u64::from(u32::MAX) == tag && (K::TAG_IS_KEY || known.is(class, &block, at)) {
                                break class;
                            }
                            place += 1;
                        }
                    }
                };
                sizes[class] += size;
                if tell {
                    class_of.push(class as u32);
                }
            }
        }
        sizes.shrink_to_fit();
        Merged { keys: known.into_keys(), sizes, class_of }
    }
}

/// Puts what becomes of old codes into new keys.
#[inline(always)]
fn put(new: &mut [u64], old: impl Iterator<Item = u64>, change: &Change<'_>) {
    let pairs = new.iter_mut().zip(old);
    match change {
        Change::Stays(shift) => pairs.for_each(|(new, old)| *new |= old << shift),
        Change::Known(table, shift) => pairs.for_each(|(new, old)| *new |= u64::from(table[old as usize]) << shift),
        Change::Made(table) => pairs.for_each(|(new, old)| *new |= table[old as usize]),
    }
}

fn settle(places: &mut [u64], bits: u32, hash: u64, class: usize) {
    let mask = places.len() - 1;
    let mut place = (hash >> (u64::BITS - bits)) as usize & mask;
    while places[place] != 0 {
        place = (place + 1) & mask;
    }
    places[place] = hash << u32::BITS | (class as u64 + 1);
}

/// The keys that have come up, by class; `block` holds new ones word by word.
trait Known {
    /// Do two keys have the same lower half of their hash only if they are the same?
    const TAG_IS_KEY: bool;
    fn hash(&self, block: &[u64], at: usize) -> u64;
    fn hash_of(&self, class: usize) -> u64;
    fn is(&self, class: usize, block: &[u64], at: usize) -> bool;
    fn push(&mut self, block: &[u64], at: usize);
    fn into_keys(self) -> Keys;
}

/// Keys of 32 bits. Multiplication by an odd number permutes the numbers below 2^32, so the lower half of the product is as
/// good as the key, and its upper half is spread by all of its bits.
struct Narrow {
    keys: Vec<u32>,
}

impl Known for Narrow {
    const TAG_IS_KEY: bool = true;

    #[inline]
    fn hash(&self, block: &[u64], at: usize) -> u64 {
        block[at].wrapping_mul(GOLDEN)
    }

    fn hash_of(&self, class: usize) -> u64 {
        u64::from(self.keys[class]).wrapping_mul(GOLDEN)
    }

    fn is(&self, class: usize, block: &[u64], at: usize) -> bool {
        u64::from(self.keys[class]) == block[at]
    }

    fn push(&mut self, block: &[u64], at: usize) {
        self.keys.push(block[at] as u32);
    }

    fn into_keys(mut self) -> Keys {
        self.keys.shrink_to_fit();
        Keys::Narrow(self.keys)
    }
}

/// 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplication by an odd constant spreads every bit upwards; the upper bits are used.
#[inline]
fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(29) ^ word ^ (word >> 32)).wrapping_mul(GOLDEN)
}

/// Keys of one word.
struct Single {
    keys: Vec<u64>,
}

impl Known for Single {
    const TAG_IS_KEY: bool = false;

    #[inline]
    fn hash(&self, block: &[u64], at: usize) -> u64 {
        mix(0, block[at])
    }

    fn hash_of(&self, class: usize) -> u64 {
        mix(0, self.keys[class])
    }

    #[inline]
    fn is(&self, class: usize, block: &[u64], at: usize) -> bool {
        self.keys[class] == block[at]
    }

    fn push(&mut self, block: &[u64], at: usize) {
        self.keys.push(block[at]);
    }

    fn into_keys(mut self) -> Keys {
        self.keys.shrink_to_fit();
        Keys::Words(self.keys)
    }
}

/// Keys of several words.
struct Several {
    words: usize,
    keys: Vec<u64>,
}

impl Known for Several {
    const TAG_IS_KEY: bool = false;

    fn hash(&self, block: &[u64], at: usize) -> u64 {
        (0..self.words).fold(0, |hash, word| mix(hash, block[word * BLOCK + at]))
    }

    fn hash_of(&self, class: usize) -> u64 {
        self.keys[class * self.words..][..self.words].iter().fold(0, |hash, &word| mix(hash, word))
    }

    fn is(&self, class: usize, block: &[u64], at: usize) -> bool {
        let key = &self.keys[class * self.words..][..self.words];
        key.iter().enumerate().all(|(word, &part)| part == block[word * BLOCK + at])
    }

    fn push(&mut self, block: &[u64], at: usize) {
        self.keys.extend((0..self.words).map(|word| block[word * BLOCK + at]));
    }

    fn into_keys(mut self) -> Keys {
        self.keys.shrink_to_fit();
        Keys::Words(self.keys)
    }
}
