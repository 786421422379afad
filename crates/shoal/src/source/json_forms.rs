//! In which forms does a JSON column write its values?

use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::StringArray;

/// Which kinds of JSON cells a counted column has.
#[derive(Debug, Default)]
pub(super) struct JsonForms {
    bare: AtomicBool,
    quoted_literal: AtomicBool,
}

impl JsonForms {
    /// Could one value be written in two ways, `5` and `"5"`?
    pub(super) fn may_clash(&self) -> bool {
        self.bare.load(Ordering::Relaxed) && self.quoted_literal.load(Ordering::Relaxed)
    }

    /// Are there numbers or truth values without quotes?
    pub(super) fn has_bare(&self) -> bool {
        self.bare.load(Ordering::Relaxed)
    }

    /// Every text in one form: strings with the escapes they need and no others, all else as it is.
    pub(super) fn unify(&self, raw: &StringArray) -> StringArray {
        let one = |cell: &str| {
            let Ok(text) = serde_json::from_str::<String>(cell) else {
                self.bare.store(true, Ordering::Relaxed);
                return cell.to_owned();
            };
            if serde_json::from_str::<serde_json::Number>(&text).is_ok() || text == "true" || text == "false" {
                self.quoted_literal.store(true, Ordering::Relaxed);
            }
            serde_json::to_string(&text).expect("a string is valid JSON")
        };
        raw.iter().map(|cell| cell.filter(|cell| *cell != "null").map(one)).collect()
    }
}
