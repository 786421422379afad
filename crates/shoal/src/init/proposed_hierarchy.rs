//! What may the values of a quasi-identifier become, to begin with?

use std::path::Path;

use super::column_text::ColumnText;
use super::findings::ProposedHierarchy;
use shoal_core::hierarchy::{ColumnValues, HierarchySpec, Profiles, Suggestion, Suppress, alike, suggest};
use shoal_core::table::{Dictionary, Reading};

/// A hierarchy that suits the values of a column and can be built over them.
///
/// Text without a hierarchy that is known gets groups by what other columns tell of it.
pub(super) fn of(
    text: &ColumnText<'_>,
    missing_marker: &str,
    reading: Reading,
    told: &dyn Fn(&Dictionary) -> Profiles,
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
    let mut suggestion = suggest(&column);
    if suggestion.is_last_resort
        && let Some(better) =
            alike(&column, &told(&dictionary)).filter(|better| better.spec.build(&column, Path::new("")).is_ok())
    {
        suggestion = better;
    }
    match suggestion.spec.build(&column, Path::new("")) {
        Ok(hierarchy) => ProposedHierarchy { suggestion, levels: hierarchy.height() + 1, is_hidden: false },
        Err(_) => suppress("nothing else suits all values"),
    }
}

fn suppress(reason: &str) -> ProposedHierarchy {
    let suggestion = Suggestion::new(HierarchySpec::Suppress(Suppress {}), reason);
    ProposedHierarchy { suggestion, levels: 2, is_hidden: false }
}
