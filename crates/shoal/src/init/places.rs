//! Which columns say where people are, judging by their values?

use super::column::Examined;
use super::column_text::ColumnText;
use super::findings::Sure;
use crate::meaning::{SAMPLE, coordinates};
use crate::policy::Role;

/// Says so of columns in doubt that stand side by side and could be coordinates.
pub(super) fn recognise(columns: &mut [Examined], texts: &[ColumnText<'_>]) {
    let values = |place: usize| texts[place].distinct().take(SAMPLE);
    let is_in_doubt = |column: &Examined| {
        column.findings.role == Role::QuasiIdentifier && column.findings.sure == Sure::InDoubt && !column.must_hide
    };
    for place in 1..columns.len() {
        let pair = place - 1..=place;
        if columns[pair.clone()].iter().all(is_in_doubt) && coordinates::could_be(values(place - 1), values(place)) {
            for column in &mut columns[pair] {
                column.findings.reason =
                    "its values and those of the column beside it could be coordinates, which may lead to a single \
                                          house"
                        .to_owned();
            }
        }
    }
}
