//! How do the levels that a rule generates become a hierarchy with values, root and missing value?

use super::{ColumnValues, Hierarchy, Level};
use crate::{Error, Result};

/// Puts the values below and the root above generated levels, each the labels of the values that are not missing, by code.
/// Whatever a rule could generate besides, a leaf is a value that occurs: `01***` is no better than nothing where all
/// codes begin with 01.
///
/// A missing value keeps its marker on every level below the root. Where the marker is also a value of the
/// column, an outsider cannot tell the two apart, so that value's labels are the marker's, too.
///
/// One level after the other, since all labels of all levels at once may be more than fits into memory.
pub(super) fn assemble(column: &ColumnValues<'_>, inner: impl IntoIterator<Item = Vec<String>>) -> Result<Hierarchy> {
    let dictionary = column.dictionary;
    let marker = dictionary.missing().map(|code| dictionary.value(code));
    let twin = marker.and_then(|marker| dictionary.code(marker));
    let mut levels = vec![Level::of_values(dictionary.values())];
    for mut labels in inner {
        if let Some(marker) = marker {
            match twin {
                Some(twin) => labels.push(labels[twin as usize].clone()),
                None if labels.iter().any(|label| label == marker) => return Err(ambiguous_marker(column, marker)),
                None => labels.push(marker.to_owned()),
            }
        }
        levels.push(Level::from_labels(labels.iter().map(String::as_str)));
    }
    levels.push(Level::root(dictionary.len()));
    if levels.windows(2).any(|pair| pair[0].first_split(&pair[1]).is_some()) {
        return Err(Error::table(format!("the levels of column `{}` do not nest", column.name))
            .detail("some of its numbers have too many digits for exact arithmetic")
            .hint("list the levels in a file: `hierarchy = { file = \"..\" }`"));
    }
    Ok(Hierarchy::new(levels))
}

fn ambiguous_marker(column: &ColumnValues<'_>, marker: &str) -> Error {
    Error::table(format!("a missing value of column `{}` is written `{marker}`, which is also a label", column.name))
        .detail("in a release the two could not be told apart")
        .hint("let another marker be the first in `missing` of `[input]`")
}
