//! In which order do quasi-identifier tuples lie on one line, so that neighbours are alike?

use rayon::prelude::*;

use super::hilbert::hilbert_place;
use crate::frequency::{CountedTable, QuasiColumn};

/// How many bits a place on the curve has.
const BITS: u32 = u128::BITS;

/// The quasi-identifier tuples of a table in the order of the Hilbert curve through the space of all tuples. Every column
/// is stretched to the same length.
pub(super) fn along_the_curve(table: &CountedTable) -> Vec<u32> {
    // A column with one value has no extent; of more columns than there are bits the last are left out.
    let columns: Vec<usize> = (0..table.quasi.len()).filter(|&column| table.quasi[column].counts.len() > 1).collect();
    let columns = &columns[..columns.len().min(BITS as usize)];
    let longest = columns.iter().map(|&column| table.quasi[column].counts.len()).max().unwrap_or(2);
    let bits = (usize::BITS - (longest - 1).leading_zeros()).min(BITS / columns.len().max(1) as u32).clamp(1, 32);
    let coordinates: Vec<Vec<u32>> = columns.iter().map(|&column| coordinates(&table.quasi[column], bits)).collect();
    let place = |class: u32| {
        let codes = columns.iter().map(|&column| table.base.code(class as usize, column) as usize);
        let mut point: Vec<u32> = codes.zip(&coordinates).map(|(code, coordinates)| coordinates[code]).collect();
        if point.is_empty() { 0 } else { hilbert_place(&mut point, bits) }
    };
    let mut places: Vec<(u128, u32)> =
        (0..table.base.classes() as u32).into_par_iter().map(|class| (place(class), class)).collect();
    // Tuples at one place, where bits are too few to tell them apart, keep the order of the table's keys.
    places.par_sort_unstable();
    places.into_iter().map(|(_, class)| class).collect()
}

/// Where each value of a column lies: numbers and dates by their order, others side by side with those that share a node of
/// the hierarchy.
fn coordinates(column: &QuasiColumn, bits: u32) -> Vec<u32> {
    let values = column.counts.len() as u32;
    let mut order: Vec<u32> = (0..values).collect();
    if !column.ordered {
        let path = |code: &u32| -> Vec<u32> {
            column.hierarchy.levels().iter().rev().map(|level| level.node_of(*code)).collect()
        };
        order.sort_by_cached_key(path);
    }
    let mut coordinates = vec![0; values as usize];
    for (place, code) in order.into_iter().enumerate() {
        coordinates[code as usize] = (((place as u64) << bits) / u64::from(values)) as u32;
    }
    coordinates
}
