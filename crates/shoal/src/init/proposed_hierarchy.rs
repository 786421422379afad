//! What may the values of a quasi-identifier become, to begin with?

use std::convert::Infallible;
use std::path::Path;

use super::column_text::ColumnText;
use super::findings::ProposedHierarchy;
use crate::meaning::codes::are_codes;
use shoal_core::hierarchy::{ColumnValues, HierarchySpec, Mask, Profiles, Suggestion, Suppress, alike, suggest};
use shoal_core::table::{Dictionary, Reading, ValueKind};

/// A hierarchy that suits the values of a column and can be built over them, where so many rows have to look the same.
pub(super) fn of(
    text: &ColumnText<'_>,
    missing_marker: &str,
    reading: Reading,
    told: &dyn Fn(&Dictionary) -> Profiles,
    k: u64,
) -> ProposedHierarchy {
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
    let Ok(proposed) = suiting(&column, k, || Ok::<_, Infallible>(told(&dictionary)));
    proposed
}

/// What suits a column; `told` is asked for what other columns tell only where nothing is known of such values.
pub(super) fn suiting<E>(
    column: &ColumnValues<'_>,
    k: u64,
    told: impl FnOnce() -> Result<Profiles, E>,
) -> Result<ProposedHierarchy, E> {
    let builds = |suggestion: &Suggestion| suggestion.spec.build(column, Path::new(""));
    let (mut suggestion, is_category) = by_its_values(column);
    if suggestion.is_last_resort
        && let Some(better) = alike(column, &told()?, k).filter(|better| builds(better).is_ok())
    {
        suggestion = better;
    }
    Ok(match builds(&suggestion) {
        Ok(hierarchy) => {
            ProposedHierarchy { suggestion, levels: hierarchy.height() + 1, is_category, is_hidden: false }
        }
        Err(_) => suppress("nothing else suits all values"),
    })
}

/// What its own values speak for, and whether these are codes in spite of their digits.
fn by_its_values(column: &ColumnValues<'_>) -> (Suggestion, bool) {
    let suggestion = suggest(column);
    let is_of_numbers = matches!(suggestion.spec, HierarchySpec::Intervals(_) | HierarchySpec::Quantiles(_));
    let is_whole = column.dictionary.column_type().kind() == ValueKind::Integer;
    match is_of_numbers && is_whole && are_codes(column.name) {
        true => (of_codes(column.dictionary.present()), true),
        false => (suggestion, false),
    }
}

/// Codes lose one digit after the other where all have as many: what begins alike is often alike. Otherwise only other columns can tell.
fn of_codes(values: &[String]) -> Suggestion {
    let length = values.first().map_or(0, String::len);
    match length > 1 && values.iter().all(|value| value.len() == length) {
        true => Suggestion::new(
            HierarchySpec::Mask(Mask::default()),
            "by its name these are codes, and all have as many digits",
        ),
        false => Suggestion {
            is_last_resort: true,
            ..Suggestion::new(
                HierarchySpec::Suppress(Suppress {}),
                "by its name these are codes, so that no range of them means anything; a tree or a file would keep more",
            )
        },
    }
}

fn suppress(reason: &str) -> ProposedHierarchy {
    let suggestion = Suggestion::new(HierarchySpec::Suppress(Suppress {}), reason);
    ProposedHierarchy { suggestion, levels: 2, is_category: false, is_hidden: false }
}
