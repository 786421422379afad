//! What is a file, if it is not the text its name promises?

/// How files that are no text begin, and what to do with one.
const SIGNATURES: [(&[u8], &str, &str); 9] = [
    (
        b"PK\x03\x04",
        "a zip archive, or a workbook",
        "unpack it; let the name of a workbook end in .xlsx, .xlsb or .ods, as it was made",
    ),
    (b"\xd0\xcf\x11\xe0", "an old Office document", "let the name of a workbook end in .xls"),
    (b"\x1f\x8b", "compressed with gzip", "let its name end in .gz"),
    (b"\x28\xb5\x2f\xfd", "compressed with Zstandard", "let its name end in .zst"),
    (b"PAR1", "a Parquet file", "let its name end in .parquet"),
    (b"BZh", "compressed with bzip2", "decompress it first"),
    (b"\xfd7zXZ", "compressed with xz", "decompress it first"),
    (b"%PDF", "a PDF document", "export the table as CSV"),
    (b"SQLite format 3\0", "an SQLite database", "let its name end in .sqlite"),
];

/// What a file that begins like this is, and what to do with it; `None` if it may be text.
///
/// A column may well be named `PAR1`: letters alone are believed only if bytes follow that no text has.
pub(super) fn of(head: &[u8]) -> Option<(&'static str, &'static str)> {
    let no_text = head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace());
    let found = SIGNATURES.iter().find(|(signature, ..)| head.starts_with(signature));
    found.filter(|(signature, ..)| no_text || !signature.is_ascii()).map(|&(_, what, hint)| (what, hint))
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
        assert_eq!(of(b"PAR1,PAR2\r\n1,2\r\n"), None);
        assert_eq!(of(b"a,b\n\x01,2\n"), None);
    }

    #[test]
    fn utf_16_shows_by_its_zeros() {
        assert_eq!(utf_16_without_mark(b"a\0,\0b\0"), Some("utf-16le"));
        assert_eq!(utf_16_without_mark(b"\0a\0,\0b"), Some("utf-16be"));
        assert_eq!(utf_16_without_mark(b"a,b\n1,\0\n"), None);
        assert_eq!(utf_16_without_mark(b"a,b\n"), None);
    }
}
