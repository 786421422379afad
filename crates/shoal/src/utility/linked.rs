//! In which class of the release is each tuple of the original, where that is certain?

use hashbrown::HashMap;

use super::{Compared, Tuples};
use crate::linking::People;

/// The class of every tuple of the original; none for a suppressed one.
///
/// Nothing, unless it is the truth: no tuple could be in two classes, and every class has exactly the sensitive values of
/// those that link to it. So it is for full-domain generalization and for cuts that do not overlap, in whatever order the
/// rows of the release are.
pub fn linked(original: &People, compared: &Compared) -> Option<Vec<Option<u32>>> {
    let mut of_entry: Vec<Option<u32>> = Vec::with_capacity(original.table.len());
    let groups = original.linker().groups();
    for entry in 0..original.table.len() {
        of_entry.push(match *original.candidates(entry) {
            [] => None,
            [group] => match groups[group as usize].classes.as_slice() {
                &[class] => Some(class),
                _ => return None,
            },
            _ => return None,
        });
    }
    let classes: Vec<Option<u32>> = compared.original.classes.iter().map(|&entry| of_entry[entry as usize]).collect();
    agrees(compared, &classes).then_some(classes)
}

/// Does every class have the sensitive values of those that link to it?
fn agrees(compared: &Compared, classes: &[Option<u32>]) -> bool {
    let key = |tuples: &Tuples, tuple: usize, class: u32| -> Vec<u32> {
        let sensitive = tuples.codes[compared.quasi..].iter().map(|codes| codes[tuple]);
        std::iter::once(class).chain(sensitive).collect()
    };
    let mut left: HashMap<Vec<u32>, i128> = HashMap::new();
    for (tuple, &count) in compared.original.counts.iter().enumerate() {
        if let Some(class) = classes[tuple] {
            *left.entry(key(&compared.original, tuple, class)).or_default() += i128::from(count);
        }
    }
    let release = &compared.release;
    for (tuple, &count) in release.counts.iter().enumerate() {
        *left.entry(key(release, tuple, release.classes[tuple])).or_default() -= i128::from(count);
    }
    left.values().all(|&left| left == 0)
}
