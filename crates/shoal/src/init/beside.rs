//! What do the other columns of a table tell of the values of one?

use super::codes::Codes;
use shoal_core::hierarchy::Profiles;
use shoal_core::table::{ColumnType, Dictionary};

/// So many rows tell enough.
const ROWS: usize = 50_000;

/// The values of another column are put into so many groups.
const GROUPS: usize = 8;

/// A column, row by row, and the group that each of its values is in.
pub(super) struct Grouped<'a> {
    pub(super) codes: &'a Codes,
    /// By code.
    groups: Vec<u8>,
}

impl<'a> Grouped<'a> {
    /// Groups the values of a column: numbers and dates by their order, others by how frequent they are; rows without a value are a
    /// group of their own. `values` has the text and the number of rows of each code.
    pub(super) fn new(codes: &'a Codes, values: &[(Option<&str>, u64)], column_type: &ColumnType) -> Self {
        let mut order: Vec<usize> = (0..values.len()).filter(|&code| values[code].0.is_some()).collect();
        let text = |code: usize| values[code].0.unwrap_or_default();
        if column_type.is_ordered() {
            order.sort_by(|&a, &b| column_type.compare(text(a), text(b)));
        } else {
            order.sort_by_key(|&code| (std::cmp::Reverse(values[code].1), code));
        }
        let rows: u64 = order.iter().map(|&code| values[code].1).sum();
        let mut groups = vec![GROUPS as u8; values.len()];
        let mut before = 0;
        for (place, &code) in order.iter().enumerate() {
            let by_order = before * GROUPS as u64 / rows.max(1);
            let group = if column_type.is_ordered() { by_order as usize } else { place };
            groups[code] = group.min(GROUPS - 1) as u8;
            before += values[code].1;
        }
        Self { codes, groups }
    }
}

/// What other columns tell of the values of a column, which are the codes of a dictionary; `texts` are the values by their codes here.
pub(super) fn profiles(
    codes: &Codes,
    texts: &[Option<&str>],
    dictionary: &Dictionary,
    others: &[&Grouped<'_>],
) -> Profiles {
    let places: Vec<Option<u32>> = texts.iter().map(|text| text.and_then(|text| dictionary.code(text))).collect();
    let values = dictionary.present().len();
    let step = codes.len().div_ceil(ROWS).max(1);
    let mut profiles = Profiles::default();
    for other in others {
        let mut counts = vec![0; values * (GROUPS + 1)];
        for row in (0..codes.len()).step_by(step) {
            let place = places[codes.get(row) as usize].map(|place| place as usize).filter(|&place| place < values);
            if let Some(place) = place {
                counts[place * (GROUPS + 1) + usize::from(other.groups[other.codes.get(row) as usize])] += 1;
            }
        }
        profiles.add(GROUPS + 1, counts);
    }
    profiles
}
