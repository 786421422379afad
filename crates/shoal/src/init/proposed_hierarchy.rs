//! What may the values of a quasi-identifier become, to begin with?

use std::path::Path;

use super::column::Examined;
use super::column_text::ColumnText;
use super::findings::{ProposedHierarchy, Sure};
use crate::meaning::codes::are_codes;
use shoal_core::hierarchy::{ColumnValues, HierarchySpec, Mask, Suggestion, Suppress, suggest};
use shoal_core::table::{Dictionary, Reading, ValueKind};

/// A lattice of so many nodes is searched in seconds.
const MOST_NODES: usize = 100_000;

/// A hierarchy that suits the values of a column and can be built over them.
pub(super) fn of(text: &ColumnText<'_>, missing_marker: &str, reading: Reading) -> ProposedHierarchy {
    if text.more_than.is_some() {
        return suppress("there are too many values to find a better one");
    }
    let missing = (text.nulls > 0).then_some(missing_marker);
    let dictionary = Dictionary::new(text.distinct().map(str::to_owned), missing, reading);
    let mut counts = vec![0; dictionary.len()];
    for (value, count) in &text.texts {
        if let Some(code) = dictionary.code(value) {
            counts[code as usize] = *count;
        }
    }
    if let Some(code) = dictionary.missing() {
        counts[code as usize] = text.nulls;
    }
    let column = ColumnValues { name: text.name, dictionary: &dictionary, counts: &counts, may_print: true };
    let suggestion = suggest(&column);
    let is_of_numbers = matches!(suggestion.spec, HierarchySpec::Intervals(_) | HierarchySpec::Quantiles(_));
    let is_category = is_of_numbers && dictionary.column_type().kind() == ValueKind::Integer && are_codes(text.name);
    let suggestion = if is_category { of_codes(dictionary.present()) } else { suggestion };
    match suggestion.spec.build(&column, Path::new("")) {
        Ok(hierarchy) => {
            ProposedHierarchy { suggestion, levels: hierarchy.height() + 1, is_category, is_hidden: false }
        }
        Err(_) => suppress("nothing else suits all values"),
    }
}

/// Codes lose one digit after the other where all have as many: what begins alike is often alike. Otherwise nobody can tell.
fn of_codes(values: &[String]) -> Suggestion {
    let length = values.first().map_or(0, String::len);
    match length > 1 && values.iter().all(|value| value.len() == length) {
        true => Suggestion {
            spec: HierarchySpec::Mask(Mask::default()),
            reason: "by its name these are codes, and all have as many digits".to_owned(),
        },
        false => Suggestion {
            spec: HierarchySpec::Suppress(Suppress {}),
            reason:
                "by its name these are codes, so that no range of them means anything; a tree or a file would keep more"
                    .to_owned(),
        },
    }
}

fn suppress(reason: &str) -> ProposedHierarchy {
    let suggestion = Suggestion { spec: HierarchySpec::Suppress(Suppress {}), reason: reason.to_owned() };
    ProposedHierarchy { suggestion, levels: 2, is_category: false, is_hidden: false }
}

/// Hides columns so that the lattice can be searched: those in doubt first, and among these those of many levels.
pub(super) fn bound_the_lattice(columns: &mut [Examined]) {
    let rank = |column: &Examined| match &column.findings.hierarchy {
        Some(proposed) if column.findings.sure == Sure::InDoubt => proposed.levels,
        _ => 0,
    };
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|&at| rank(&columns[at]));
    let mut nodes = 1;
    for at in order {
        let Some(proposed) = columns[at].findings.hierarchy.as_mut().filter(|proposed| !proposed.is_hidden) else {
            continue;
        };
        match usize::checked_mul(nodes, proposed.levels).filter(|&nodes| nodes <= MOST_NODES) {
            Some(more) => nodes = more,
            None => proposed.is_hidden = true,
        }
    }
}
