//! What must be kept of a class, so that every model that reads it can decide?

/// What a model reads of a class beside its size. Each of these can be kept of two classes and put together to what would have
/// been kept of both as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reads {
    /// How many distinct values of a sensitive column it holds, as far as there are no more than so many.
    Distinct {
        /// The place of the column.
        column: usize,
        /// More values than this change nothing.
        most: u64,
    },
    /// How often each value of a sensitive column occurs.
    Counts {
        /// The place of the column.
        column: usize,
    },
    /// Which people have which values of a sensitive column.
    People {
        /// The place of the column.
        column: usize,
    },
    /// How often each combination of sensitive values occurs.
    Tuples,
}

/// The smallest list that serves all of these: tuples tell everything, counts of a column how many values it has, and more
/// distinct values fewer of them.
pub(super) fn smallest(reads: impl IntoIterator<Item = Reads>) -> Vec<Reads> {
    let mut kept: Vec<Reads> = Vec::new();
    for read in reads {
        if kept.iter().any(|known| serves(*known, read)) {
            continue;
        }
        kept.retain(|known| !serves(read, *known));
        kept.push(read);
    }
    kept
}

/// Can whoever reads `wanted` do with `kept`?
fn serves(kept: Reads, wanted: Reads) -> bool {
    match (kept, wanted) {
        (Reads::Tuples, _) => true,
        (Reads::Counts { column }, Reads::Counts { column: of } | Reads::Distinct { column: of, .. }) => column == of,
        (Reads::People { column }, Reads::People { column: of }) => column == of,
        (Reads::Distinct { column, most }, Reads::Distinct { column: of, most: wanted }) => {
            column == of && most >= wanted
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_more_replaces_what_tells_less() {
        let distinct = |column, most| Reads::Distinct { column, most };
        let counts = |column| Reads::Counts { column };
        assert_eq!(smallest([distinct(0, 3), distinct(0, 5), distinct(0, 2)]), [distinct(0, 5)]);
        assert_eq!(smallest([distinct(0, 3), counts(1), counts(0)]), [counts(1), counts(0)]);
        assert_eq!(smallest([counts(0), distinct(0, 3), distinct(1, 2)]), [counts(0), distinct(1, 2)]);
        assert_eq!(smallest([counts(0), Reads::Tuples, distinct(1, 2)]), [Reads::Tuples]);
        assert_eq!(smallest([]), []);
    }
}
