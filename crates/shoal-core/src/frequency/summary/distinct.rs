//! Which distinct values of a column does each class hold, up to a number that is enough?

use std::sync::Arc;

/// The values of a class, in the order in which they came up. A class that holds more than `most` has that many of them: whether a
/// class merged with others reaches `most` can be told from what is kept of each, since a class that lacks values
/// has all that it holds.
#[derive(Debug)]
pub(super) struct Distinct {
    most: u64,
    /// Where the places of each class begin; one more at the end. A class has no more values than records, so that columns of
    /// which equally many are enough share this.
    starts: Arc<[u32]>,
    codes: Vec<u32>,
}

/// No value is at this place.
const EMPTY: u32 = u32::MAX;

impl Distinct {
    /// The places of classes of these sizes, all empty.
    pub(super) fn new<'o>(most: u64, sizes: &[u64], mut others: impl Iterator<Item = &'o Self>) -> Self {
        let known = others.find(|other| other.most == most).map(|other| other.starts.clone());
        let starts = known.unwrap_or_else(|| {
            let mut start = 0;
            let places = sizes.iter().map(|size| (*size).min(most) as u32);
            let ends = places.map(|places| {
                start += places;
                start
            });
            std::iter::once(0).chain(ends).collect()
        });
        let places = starts.last().map_or(0, |&end| end as usize);
        Self { most, starts, codes: vec![EMPTY; places] }
    }

    /// Adds values to those of a class.
    #[inline]
    pub(super) fn add(&mut self, class: usize, values: impl IntoIterator<Item = u32>) {
        let places = &mut self.codes[self.starts[class] as usize..self.starts[class + 1] as usize];
        if places.last().is_some_and(|&last| last != EMPTY) {
            return;
        }
        for value in values {
            if let Some(place) = places.iter_mut().find(|known| **known == value || **known == EMPTY) {
                *place = value;
            }
        }
    }

    /// The values of a class.
    #[inline]
    pub(super) fn of(&self, class: usize) -> &[u32] {
        let places = &self.codes[self.starts[class] as usize..self.starts[class + 1] as usize];
        let held = places.iter().position(|&code| code == EMPTY).unwrap_or(places.len());
        &places[..held]
    }

    /// How many values of a class are enough.
    pub(super) fn most(&self) -> u64 {
        self.most
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (self.starts.len() + self.codes.len())
    }
}
