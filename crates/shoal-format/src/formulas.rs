//! Which cells of a CSV file would a spreadsheet program take for formulas, and what is done about them?

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What becomes of cells that begin like a formula when they are written, and whether one was written as it is. All writers of a
/// release share it.
#[derive(Debug, Clone, Default)]
pub struct Formulas {
    escapes: bool,
    kept: Arc<AtomicBool>,
}

/// Files are written alike if they treat formulas alike, whatever was found in them.
impl PartialEq for Formulas {
    fn eq(&self, other: &Self) -> bool {
        self.escapes == other.escapes
    }
}

impl Eq for Formulas {}

impl Formulas {
    /// Formulas that get an apostrophe before them, or are written as they are and noticed.
    pub fn new(escapes: bool) -> Self {
        Self { escapes, kept: Arc::default() }
    }

    /// Do they get an apostrophe?
    pub fn are_escaped(&self) -> bool {
        self.escapes
    }

    /// Was a cell written that a spreadsheet program would take for a formula?
    pub fn were_kept(&self) -> bool {
        self.kept.load(Ordering::Relaxed)
    }

    /// What stands before a cell that is written.
    #[inline]
    pub(super) fn before(&self, cell: &[u8]) -> &'static [u8] {
        // Almost every cell begins with a letter, a digit or a bracket.
        match cell.first() {
            Some(b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | b'\n' | b'\'' | 0xef) => self.before_suspicious(cell),
            _ => b"",
        }
    }

    fn before_suspicious(&self, cell: &[u8]) -> &'static [u8] {
        if self.escapes {
            return if is_or_was_formula(cell) { b"'" } else { b"" };
        }
        self.note(cell);
        b""
    }

    /// Notices a cell that stays as it is.
    pub(super) fn note(&self, cell: &[u8]) {
        if is_formula(cell) {
            self.kept.store(true, Ordering::Relaxed);
        }
    }
}

/// How many bytes of a cell are the apostrophe that was put before it.
#[inline]
pub(super) fn escape_of(cell: &[u8]) -> usize {
    usize::from(cell.first() == Some(&b'\'') && is_or_was_formula(cell))
}

/// Would a spreadsheet program run some cell of a CSV that is written as it is?
pub fn has_formulas(csv: &str) -> bool {
    let mut cells = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(csv.as_bytes());
    cells.byte_records().any(|row| row.is_ok_and(|row| row.iter().any(is_formula)))
}

/// Is this a formula, perhaps with apostrophes before it? One more apostrophe keeps texts apart that differ.
fn is_or_was_formula(cell: &[u8]) -> bool {
    let apostrophes = cell.iter().take_while(|&&byte| byte == b'\'').count();
    is_formula(&cell[apostrophes..])
}

/// Would a spreadsheet program compute something? A signed number is one, and a lone sign is nothing.
fn is_formula(cell: &[u8]) -> bool {
    match cell {
        [b'=' | b'@' | b'\t' | b'\r' | b'\n', ..] => true,
        [b'+' | b'-', rest @ ..] => {
            !is_number(rest) && rest.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
        }
        // The same signs in their wide form.
        [0xef, 0xbc, 0x9d | 0x8b | 0x8d | 0xa0, ..] => true,
        _ => false,
    }
}

/// Digits with points or commas, perhaps an exponent, perhaps a percent sign.
fn is_number(text: &[u8]) -> bool {
    let text = text.strip_suffix(b"%").unwrap_or(text);
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b',')).count();
    let (mantissa, rest) = text.split_at(digits);
    let exponent = match rest {
        [] => return mantissa.iter().any(u8::is_ascii_digit),
        [b'e' | b'E', b'+' | b'-', exponent @ ..] | [b'e' | b'E', exponent @ ..] => exponent,
        _ => return false,
    };
    mantissa.iter().any(u8::is_ascii_digit) && !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn signed_numbers_are_no_formulas() {
        let formulas = ["=1", "=", "@sum", "+a", "-a1", "-1+1", "+49 30 1", "-2e", "\tx", "\rx", "＝1", "-ä", "-1e+x"];
        for text in formulas {
            assert!(is_formula(text.as_bytes()), "{text}");
        }
        for text in ["", "-5", "+5", "-0.5", "-1,5", "-1e-5", "+2E5", "-5%", "-", "--", "a=1", "[-5, 5)", "'", "*", "ﬁ"]
        {
            assert!(!is_formula(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn only_what_is_kept_is_noticed() {
        let (kept, escaped) = (Formulas::new(false), Formulas::new(true));
        for text in ["a", "-5", "=1", "@x"] {
            assert_eq!(kept.were_kept(), text == "@x", "before {text}");
            assert_eq!(kept.before(text.as_bytes()), b"");
            escaped.before(text.as_bytes());
        }
        assert!(kept.were_kept() && !escaped.were_kept());
        assert_eq!(escaped.before(b"=1"), b"'");
        assert_eq!(escaped.before(b"'=1"), b"'");
        assert_eq!(escaped.before(b"'a"), b"");
    }

    proptest! {
        #[test]
        fn an_escaped_cell_is_no_formula_and_reads_back(text in "'{0,2}[=+@\t\r-]?[a1.,e+%-]{0,4}") {
            let written = [Formulas::new(true).before(text.as_bytes()), text.as_bytes()].concat();
            prop_assert!(!is_formula(&written));
            prop_assert_eq!(&written[escape_of(&written)..], text.as_bytes());
        }
    }
}
