//! How do the codes of a quasi-identifier tuple fit into as few machine words as possible?

/// Where each column's code stands in a packed key. No code crosses a word, so that reading one is a shift
/// and a mask.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLayout {
    fields: Vec<Field>,
    words: usize,
}

/// Where a code stands in a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) word: usize,
    pub(super) shift: u32,
    pub(super) mask: u64,
}

impl Field {
    /// How many bits it has.
    pub(super) fn bits(self) -> u32 {
        self.mask.count_ones()
    }

    /// What stands there; its shift is less than a word.
    #[inline]
    pub(super) fn read(self, key: &[u64]) -> u64 {
        key[self.word] >> self.shift & self.mask
    }
}

impl KeyLayout {
    /// A layout for columns with this many distinct codes each.
    pub fn new(domain_sizes: &[usize]) -> Self {
        let (mut word, mut shift) = (0, 0);
        let mut place = |&size: &usize| {
            let bits = usize::BITS - size.saturating_sub(1).leading_zeros();
            if shift + bits > u64::BITS {
                (word, shift) = (word + 1, 0);
            }
            let field = Field { word, shift, mask: (1 << bits) - 1 };
            shift += bits;
            field
        };
        let fields = domain_sizes.iter().map(&mut place).collect();
        Self { fields, words: word + 1 }
    }

    /// What replaces the codes of some columns by others: a table for each column that changes.
    pub(super) fn replacement<'t>(&self, tables: &[Option<&'t [u32]>]) -> Replacement<'t> {
        let mut kept = vec![u64::MAX; self.words];
        let mut changes = Vec::new();
        for (field, table) in self.fields.iter().zip(tables) {
            // A field of no bits holds nothing that could change.
            if let Some(table) = table.filter(|_| field.mask > 0) {
                kept[field.word] &= !(field.mask << field.shift);
                changes.push(Change { field: *field, table });
            }
        }
        Replacement { kept, changes }
    }

    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// How many words a key takes.
    pub fn words(&self) -> usize {
        self.words
    }

    /// How many columns a key holds.
    pub fn columns(&self) -> usize {
        self.fields.len()
    }

    /// The code of a column in a key.
    #[inline]
    pub fn code(&self, key: &[u64], column: usize) -> u32 {
        let field = self.fields[column];
        // A key of no columns has a word, too, so the word always exists; a field of no bits reads as 0.
        (key[field.word].checked_shr(field.shift).unwrap_or(0) & field.mask) as u32
    }

    /// Puts a code into a key whose bits for that column are 0.
    #[inline]
    pub fn put(&self, key: &mut [u64], column: usize, code: u32) {
        let field = self.fields[column];
        debug_assert!(u64::from(code) <= field.mask, "the code fits its field");
        key[field.word] |= u64::from(code).checked_shl(field.shift).unwrap_or(0);
    }
}

/// Replaces the codes of some columns in keys, leaving the others where they are.
#[derive(Debug)]
pub(super) struct Replacement<'t> {
    kept: Vec<u64>,
    changes: Vec<Change<'t>>,
}

#[derive(Debug)]
struct Change<'t> {
    field: Field,
    table: &'t [u32],
}

impl Replacement<'_> {
    /// The key with its codes replaced.
    #[inline]
    pub(super) fn apply<const WORDS: usize>(&self, old: &[u64; WORDS]) -> [u64; WORDS] {
        let mut new = *old;
        new.iter_mut().zip(&self.kept).for_each(|(word, kept)| *word &= kept);
        for Change { field, table } in &self.changes {
            let code = (old[field.word] >> field.shift) & field.mask;
            new[field.word] |= u64::from(table[code as usize]) << field.shift;
        }
        new
    }

    /// The same for keys of any width.
    pub(super) fn apply_wide(&self, old: &[u64], new: &mut Vec<u64>) {
        new.clear();
        new.extend(old.iter().zip(&self.kept).map(|(word, kept)| word & kept));
        for Change { field, table } in &self.changes {
            let code = (old[field.word] >> field.shift) & field.mask;
            new[field.word] |= u64::from(table[code as usize]) << field.shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn small_domains_share_a_word() {
        assert_eq!(KeyLayout::new(&[72, 2, 5, 7, 16, 41, 7, 14, 2]).words(), 1);
        assert_eq!(KeyLayout::new(&[]).words(), 1);
        assert_eq!(KeyLayout::new(&[1 << 20; 7]).words(), 3);
        assert_eq!(KeyLayout::new(&[1 << 32, 1 << 32, 1]).words(), 1, "a column of one value needs no bit");
    }

    proptest! {
        #[test]
        fn what_is_put_is_read(columns in prop::collection::vec((1usize..100_000, any::<u32>()), 1..12)) {
            let layout = KeyLayout::new(&columns.iter().map(|column| column.0).collect::<Vec<_>>());
            let mut key = vec![0; layout.words()];
            for (column, &(size, code)) in columns.iter().enumerate() {
                layout.put(&mut key, column, code % size as u32);
            }
            for (column, &(size, code)) in columns.iter().enumerate() {
                prop_assert_eq!(layout.code(&key, column), code % size as u32);
            }
        }
    }
}
