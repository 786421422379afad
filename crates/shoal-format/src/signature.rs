//! What is a file, if it is not the text its name promises?

use super::formats::{self, FORMATS, Format, Signature};

/// How files begin that are neither text nor tables, and what to do with one.
const OTHERS: [(&[u8], &str, &str); 5] = [
    (b"\x1f\x8b", "compressed with gzip", "let its name end in .gz"),
    (b"\x28\xb5\x2f\xfd", "compressed with Zstandard", "let its name end in .zst"),
    (b"BZh", "compressed with bzip2", "decompress it first"),
    (b"\xfd7zXZ", "compressed with xz", "decompress it first"),
    (b"%PDF", "a PDF document", "export the table as CSV"),
];

/// What a file that begins like this is, and what to do with it; `None` if it may be text.
///
/// A column may well be named `PAR1`: letters alone are believed only if bytes follow that no text has.
pub(super) fn of(head: &[u8]) -> Option<(&'static str, String)> {
    let no_text = head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let is_it = |bytes: &[u8]| head.starts_with(bytes) && (no_text || !bytes.is_ascii());
    let of_formats = FORMATS.iter().flat_map(|format| format.signatures.iter().map(move |found| (*format, found)));
    let mut known = of_formats.filter(|(_, signature)| is_it(signature.bytes));
    if let Some((format, signature)) = known.next() {
        return Some((signature.what, hint(format, signature)));
    }
    OTHERS.iter().find(|(bytes, ..)| is_it(bytes)).map(|&(_, what, hint)| (what, hint.to_owned()))
}

fn hint(format: &Format, signature: &Signature) -> String {
    let endings: Vec<String> = signature.extensions.iter().map(|extension| format!(".{extension}")).collect();
    let mut hint = match signature.otherwise {
        None => format!("let its name end in {}", formats::joined(&endings, "or")),
        Some(otherwise) => {
            let endings = formats::joined(&endings, "or");
            format!(
                "if it is {}, let its name end in {endings}, as it was made; otherwise {otherwise}",
                format.one_file
            )
        }
    };
    hint += &formats::how_to_have(format).map(|how| format!("; {how}")).unwrap_or_default();
    hint
}

/// Which UTF-16 this looks like: mostly Latin text, every other byte is zero.
pub(super) fn utf_16_without_mark(head: &[u8]) -> Option<&'static str> {
    let zeros = |parity: usize| head.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), head.len() / 2);
    match () {
        () if odd > 0 && odd >= pairs * 3 / 4 && even == 0 => Some("utf-16le"),
        () if even > 0 && even >= pairs * 3 / 4 && odd == 0 => Some("utf-16be"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_no_signatures() {
        assert_eq!(of(b"PAR1\x15\x04").map(|(what, _)| what), Some("a Parquet file"));
        assert_eq!(of(b"PK\x03\x04..").map(|(what, _)| what), Some("a workbook or another zip archive"));
        assert_eq!(of(b"PAR1,PAR2\r\n1,2\r\n"), None);
        assert_eq!(of(b"a,b\n\x01,2\n"), None);
    }

    #[test]
    fn what_to_do_follows_from_the_entry() {
        let hint = |head: &[u8]| of(head).expect("no text").1;
        let is_hint = |head: &[u8], expected: &str| assert!(hint(head).starts_with(expected), "{}", hint(head));
        is_hint(b"PAR1\x15", "let its name end in .parquet");
        is_hint(b"SQLite format 3\0", "let its name end in .sqlite, .sqlite3 or .db");
        is_hint(
            b"PK\x03\x04",
            "if it is a workbook, let its name end in .xlsx, .xlsm, .xlsb or .ods, as it was made; otherwise unpack it",
        );
        is_hint(
            b"\xd0\xcf\x11\xe0",
            "if it is a workbook, let its name end in .xls, as it was made; otherwise save its table as CSV",
        );
        is_hint(b"\x1f\x8b", "let its name end in .gz");
        assert_eq!(hint(b"PAR1\x15").contains("--features"), !cfg!(feature = "parquet"));
    }

    #[test]
    fn utf_16_shows_by_its_zeros() {
        assert_eq!(utf_16_without_mark(b"a\0,\0b\0"), Some("utf-16le"));
        assert_eq!(utf_16_without_mark(b"\0a\0,\0b"), Some("utf-16be"));
        assert_eq!(utf_16_without_mark(b"a,b\n1,\0\n"), None);
        assert_eq!(utf_16_without_mark(b"a,b\n"), None);
    }
}
