//! Which CSV files are refused, and with which words?

use std::io::Write;

use super::records::LONGEST_ROW;
use crate::sample_files::{SampleFile, read};
use crate::{InputFormat, open};

const QUOTE_HINT: &str =
    "hint: close the quote; if it belongs to the text, double it or set `quote` to another character";

fn refusal(bytes: impl AsRef<[u8]>) -> String {
    SampleFile::with("a.csv", bytes).refusal()
}

/// The first line of a refusal.
fn sentence(bytes: impl AsRef<[u8]>) -> String {
    refusal(bytes).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_ragged_row_is_counted() {
    assert_eq!(sentence("a,b\n1,2\n3\n"), "FILE, row 2 (line 3): 1 cell where the header has 2");
    assert_eq!(
        sentence("a,b\r\n\"1\r\n1\",2\r\n\r\n3,4,5\r\n"),
        "FILE, row 2 (line 5): 3 cells where the header has 2"
    );
    assert_eq!(sentence("1,2\n3,4\n5,6,7"), "FILE, row 3 (line 3): 3 cells where the first row has 2");
    let wide = "x,".repeat(500);
    assert_eq!(sentence(format!("a,b\n1,2\n1,2\n{wide}\n")), "FILE, row 3 (line 4): 501 cells where the header has 2");
}

#[test]
fn bytes_that_are_not_utf_8_are_placed_and_not_shown() {
    assert_eq!(
        refusal(b"id,name\n1,ann\n2,M\xfcller\n"),
        "FILE, row 2, column `name`: the bytes are not valid utf-8\n\
         hint: say its encoding, for example `encoding = \"windows-1252\"` in [input], or `--encoding windows-1252`"
    );
    assert_eq!(sentence(b"id,n\xfcme\n1,ann\n"), "FILE, header, cell 2: the bytes are not valid utf-8");
    // Halves of a character in neighbouring cells do not make one.
    assert_eq!(sentence(b"a,b\n\xc3,\xbc\n"), "FILE, row 1, column `a`: the bytes are not valid utf-8");
}

#[test]
fn bytes_that_are_not_of_the_given_encoding_are_placed() {
    let file = SampleFile::with("a.csv", b"id,name\n1,ann\n2,x\x81\x20\n");
    let error = read(&InputFormat { encoding: Some("shift_jis".to_owned()), ..file.input() }).expect_err("malformed");
    let text = file.shorten(&error);
    assert!(text.starts_with("FILE, row 2 (line 3), column `name`: the bytes are not valid shift_jis\n"), "{text}");
    let utf_16 = SampleFile::with("a.csv", b"\xff\xfea\0\n\0\x00\xd8x\0\n\0");
    assert!(utf_16.refusal().starts_with("FILE, row 1 (line 2), column `a`: the bytes are not valid utf-16le"));
}

#[test]
fn an_unclosed_quote_is_placed_where_it_opened() {
    let opened = format!("FILE, row 2 (line 3): a quote opens here that is never closed\n{QUOTE_HINT}");
    assert_eq!(refusal("a,b\n1,2\n3,\"4\n5,6\n7,8\n"), opened);
    assert_eq!(refusal("a,b\n1,2\n3,\""), opened);
    assert_eq!(refusal("a,b\n1,2\n3,\"\n\n\n"), opened);
    assert_eq!(sentence("\"a,b\n1,2\n"), "FILE, header (line 1): a quote opens here that is never closed");
    assert!(SampleFile::with("a.csv", "a,b\n1,2\n3,\"4\n\"").read().is_ok(), "closed at the very end");
}

#[test]
fn text_after_a_closing_quote_is_placed() {
    let text = "FILE, row 2 (line 3), column `b`: text follows a closing quote\n\
                hint: double a quote that belongs to the text, with no backslash before it";
    assert_eq!(refusal("a,b\n1,2\n3,\"4\"5\n"), text);
    assert_eq!(refusal("a,b\n1,2\n3,\"4 \\\"5\\\" 6\"\n"), text);
}

#[test]
fn a_quote_that_takes_in_a_large_file_is_given_up_early() {
    let rest = "5,6\n".repeat(LONGEST_ROW / 4 + 1);
    let text = refusal(format!("a,b\n1,2\n3,\"4\n{rest}"));
    assert_eq!(
        text,
        format!(
            "FILE, row 2 (line 3): the row is longer than 64 MiB\n  it may hold a quote that is never closed\n{QUOTE_HINT}"
        )
    );
}

#[test]
fn a_row_of_more_cells_than_a_table_has_columns_is_given_up_early() {
    let hint = "hint: one row is one record; check `delimiter`, and how the lines of the file end";
    let wide = ",".repeat(1 << 23);
    assert_eq!(refusal(&wide), format!("FILE, header (line 1): the row has more than 65536 cells\n{hint}"));
    let text = refusal(format!("a,b\n1,2\n{wide}\n"));
    assert_eq!(text, format!("FILE, row 2 (line 3): the row has more than 65536 cells\n{hint}"));
}

#[test]
fn a_table_needs_names_and_rows() {
    let empty =
        "FILE is empty\nhint: a table has names of columns and a row for each record; was the file written to its end?";
    assert_eq!(refusal(""), empty);
    assert_eq!(refusal("\n\r\n"), empty);
    assert_eq!(refusal("\u{feff}"), empty);
    let header = "if the first row is data, say `header = false` in [input], or `--header false`";
    let hint = format!("hint: {header}");
    assert_eq!(refusal("a,b\n"), format!("FILE has a header but no rows\n{hint}"));
    let hint = format!("hint: let every column have a name of its own in the file; {header}");
    assert_eq!(refusal("a,b,a\n1,2,x\n"), format!("FILE: columns 1 and 3 are both named `a`\n{hint}"));
    assert_eq!(refusal("column2,,b\n1,2,x\n"), format!("FILE: columns 1 and 2 are both named `column2`\n{hint}"));
}

#[test]
fn a_file_that_is_no_text_is_called_what_it_is() {
    // What to do follows from the entry of the format, and differs with the build.
    for (bytes, expected) in [
        (
            b"PK\x03\x04\x14\0\x06\0".as_slice(),
            "FILE is a workbook or another zip archive, not text\nhint: if it is a workbook, let its name end in .xlsx, .xlsm, .xlsb or \
             .ods, as it was made; otherwise unpack it",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
            "FILE is an old workbook or another old Office document, not text\nhint: if it is a workbook, let its name end in .xls, as \
             it was made; otherwise save its table as CSV",
        ),
        (
            b"SQLite format 3\0\x10\0",
            "FILE is an SQLite database, not text\nhint: let its name end in .sqlite, .sqlite3 or .db",
        ),
    ] {
        assert!(refusal(bytes).starts_with(expected), "{}", refusal(bytes));
    }
    assert_eq!(refusal(gzip(b"a,b\n1,2\n")), "FILE is compressed with gzip, not text\nhint: let its name end in .gz");
    assert_eq!(
        sentence(b"a,b\n1,2\n3,\x00\n"),
        "FILE, row 2 (line 3), column `b`: a zero byte: this is not a text file"
    );
    let utf_16: Vec<u8> = "a,b\n1,2\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(refusal(&utf_16).ends_with("set `encoding = \"utf-16le\"`"));
    let file = SampleFile::with("a.csv", utf_16);
    assert!(read(&InputFormat { encoding: Some("utf-16".to_owned()), ..file.input() }).is_ok());
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn a_compressed_file_that_is_cut_short_or_damaged_is_refused() {
    // Numbers that do not compress well, so that the cut is far behind the first buffer.
    let text: String = (0..200_000_u64).map(|n| format!("{},x\n", n.wrapping_mul(0x9E37_79B9_7F4A_7C15))).collect();
    let text = format!("a,b\n{text}");
    let packed =
        [("a.csv.gz", gzip(text.as_bytes())), ("a.csv.zst", zstd::encode_all(text.as_bytes(), 3).expect("memory"))];
    for (name, bytes) in packed {
        let whole = SampleFile::with(name, &bytes);
        assert_eq!(whole.read().expect("whole").1.len(), 200_000);
        for end in [bytes.len() - 1, bytes.len() / 2, 12] {
            let text = SampleFile::with(name, &bytes[..end]).refusal();
            assert!(text.contains("the compressed file is cut short"), "{name} cut to {end}: {text}");
        }
        let half = SampleFile::with(name, &bytes[..bytes.len() / 2]).refusal();
        assert!(half.starts_with("FILE, row "), "{half}");
        let plain = SampleFile::with(name, "a,b\n1,2\n3,4\n5,6\n").refusal();
        assert!(plain.contains("the compressed data is damaged"), "{name}: {plain}");
    }
}

#[test]
fn compressed_parts_one_after_the_other_are_one_text() {
    let parts: [&[u8]; 2] = [b"a,b\n1,2\n", b"3,4\n"];
    let gzipped = parts.map(gzip).concat();
    let zstandard = parts.map(|part| zstd::encode_all(part, 3).expect("memory")).concat();
    for (name, bytes) in [("a.csv.gz", gzipped), ("a.csv.zst", zstandard)] {
        assert_eq!(SampleFile::with(name, bytes).read().expect("a table").1.len(), 2, "{name}");
    }
}

#[test]
fn a_misspelled_encoding_is_refused() {
    let file = SampleFile::with("a.csv", "a\n1\n");
    let error =
        open(&InputFormat { encoding: Some("windows1253".to_owned()), ..file.input() }).err().expect("no label");
    assert_eq!(error.to_string(), "there is no encoding `windows1253`\nhint: did you mean `windows-1253`?");
}
