//! How do the levels that a rule generates become a hierarchy with values, root and missing value?

use std::collections::HashMap;

use super::{ColumnValues, Hierarchy, Level};
use crate::{Error, Result};

/// A level between the values and the root, as a rule makes it: for each value that is not missing, by code,
/// its label and the leaves of the domain under that label.
pub(super) struct InnerLevel {
    labels: Vec<String>,
    leaves: Vec<u64>,
}

impl InnerLevel {
    /// A level whose domain is the values that occur.
    pub fn of_values(labels: Vec<String>) -> Self {
        let mut counts: HashMap<&str, u64> = HashMap::new();
        for label in &labels {
            *counts.entry(label).or_default() += 1;
        }
        let leaves = labels.iter().map(|label| counts[label.as_str()]).collect();
        Self { labels, leaves }
    }

    /// A level whose domain is larger, from pairs of label and leaves.
    pub fn of_domain(labels_and_leaves: impl IntoIterator<Item = (String, u64)>) -> Self {
        let (labels, leaves) = labels_and_leaves.into_iter().unzip();
        Self { labels, leaves }
    }
}

/// Puts the values below and the root above generated levels; `domain` counts the leaves of the domain, the
/// missing value left out.
///
/// A missing value keeps its marker on every level below the root. Where the marker is also a value of the
/// column, an outsider cannot tell the two apart, so that value's labels are the marker's, too.
pub(super) fn assemble(column: &ColumnValues<'_>, inner: Vec<InnerLevel>, domain: u64) -> Result<Hierarchy> {
    let dictionary = column.dictionary;
    let marker = dictionary.missing().map(|code| dictionary.value(code));
    let twin = marker.and_then(|marker| dictionary.code(marker));
    let mut levels = vec![Level::of_values(dictionary.values())];
    for InnerLevel { mut labels, mut leaves } in inner {
        if let Some(marker) = marker {
            match twin {
                Some(twin) => {
                    labels.push(labels[twin as usize].clone());
                    leaves.push(leaves[twin as usize]);
                }
                None if labels.iter().any(|label| label == marker) => return Err(ambiguous_marker(column, marker)),
                None => {
                    labels.push(marker.to_owned());
                    leaves.push(1);
                }
            }
        }
        levels.push(Level::from_labels(labels.iter().map(String::as_str)).with_leaves(&leaves));
    }
    let extra = u64::from(marker.is_some() && twin.is_none());
    levels.push(Level::root(dictionary.len(), domain + extra));
    if levels.windows(2).any(|pair| pair[0].first_split(&pair[1]).is_some()) {
        return Err(Error::new(format!("the levels of column `{}` do not nest", column.name))
            .detail("some of its numbers have too many digits for exact arithmetic")
            .hint("list the levels in a file: `hierarchy = { file = \"..\" }`"));
    }
    Ok(Hierarchy::new(levels))
}

fn ambiguous_marker(column: &ColumnValues<'_>, marker: &str) -> Error {
    Error::new(format!("a missing value of column `{}` is written `{marker}`, which is also a label", column.name))
        .detail("in a release the two could not be told apart")
        .hint("let another marker be the first in `missing` of `[input]`")
}
