//! Which refusals are said to happen, and why are they right?

/// A refusal that is no flaw: what the message holds, and why it may be.
pub struct Refusal {
    pub words: &'static str,
    pub reason: &'static str,
}

/// Requests that the documentation says are refused with exit code 2.
pub const REFUSALS: &[Refusal] = &[
    Refusal { words: "is not nested", reason: "a label of a hierarchy has two parents" },
    Refusal { words: "which is also a label", reason: "a missing value could not be told from a label" },
    Refusal { words: "and so is a missing value", reason: "a missing value could not be told from a label" },
    Refusal { words: "do not nest", reason: "numbers with too many digits for exact arithmetic" },
    Refusal { words: "of `guarded` does not occur", reason: "a guarded value must occur (Definition 4.4)" },
    Refusal { words: "is not a value of column", reason: "the policy names a value that is not there" },
    Refusal { words: "`weights` leaves out", reason: "a weight of 0 would call a value impossible that somebody has" },
    Refusal { words: "`groups` leaves out", reason: "every value that occurs must be in a group" },
    Refusal { words: "would show `*` in every cell", reason: "kept suppressed rows could not be told from others" },
    Refusal {
        words: "no recipe tells which class",
        reason: "classes overlap, so that rules about single rows do not give them",
    },
    Refusal {
        words: "no recipe tells which rows are suppressed",
        reason: "with t-closeness, leaving out a row decides about others",
    },
    Refusal { words: "there is no recipe for a release", reason: "the release is more than rules about single rows" },
    Refusal { words: "cannot judge column", reason: "the model does not say what a generalized sensitive value means" },
    Refusal {
        words: "is for ranges that end before a number",
        reason: "two columns of numbers could not tell whether the second is part of the range",
    },
    Refusal { words: "`sweep` cannot count people", reason: "it takes rows one by one for somebody else's" },
    Refusal { words: "`one-dimensional` cannot count people", reason: "it takes rows one by one for somebody else's" },
    Refusal {
        words: "`similarity-blocks` cannot count people",
        reason: "it takes rows one by one for somebody else's",
    },
    Refusal { words: "`anatomy` cannot count people", reason: "it takes rows one by one for somebody else's" },
    Refusal { words: "`mondrian` does not make all rows of a person", reason: "it puts each row where it fits best" },
    Refusal {
        words: "`microaggregation` does not make all rows of a person",
        reason: "it puts each row where it fits best",
    },
    Refusal {
        words: "alone take more than `memory-limit` allows",
        reason: "what every row asks for must be in memory",
    },
    Refusal {
        words: "its policy releases people as a whole, and a recipe knows only rows",
        reason: "the release is more than rules about single rows",
    },
];

/// The known refusal that a message is.
pub fn known(message: &str) -> Option<&'static Refusal> {
    REFUSALS.iter().find(|refusal| message.contains(refusal.words))
}
