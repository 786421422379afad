//! Does every entry of the list say what is true of its format, and nothing that another entry says?

use std::collections::HashSet;
use std::path::Path;

use super::{Code, FORMATS, Format, Holds, Signature, joined};
use crate::compression::Compression;
use crate::sample_files::{SampleFile, text_columns};
use crate::{Cells, Dialect, check_written, create, file_kind, open};

const DOCUMENTATION: &str = include_str!("../../../../docs/files.md");

fn built_in() -> impl Iterator<Item = &'static Format> {
    FORMATS.into_iter().filter(|format| format.is_built_in())
}

/// The ends of the names that files of a format may have, with those of compressions.
fn endings(format: &Format) -> Vec<String> {
    with_compressions(format, format.extensions)
}

/// Those of files that are written.
fn written(format: &Format) -> Vec<String> {
    with_compressions(format, format.written)
}

fn with_compressions(format: &Format, extensions: &[&str]) -> Vec<String> {
    let packed: &[_] = if format.is_text { &Compression::ENDINGS } else { &[] };
    let packed = || packed.iter().map(|(ending, _)| *ending);
    let each = |extension: &&str| -> Vec<String> {
        std::iter::once("").chain(packed()).map(|ending| format!("{extension}{ending}")).collect()
    };
    extensions.iter().flat_map(each).collect()
}

#[test]
fn no_two_formats_share_a_name_or_an_extension() {
    let mut seen = HashSet::new();
    for format in FORMATS {
        assert!(seen.insert(format.name), "{} is there twice", format.name);
        for extension in format.extensions {
            assert!(seen.insert(extension), ".{extension} is there twice");
            assert!(extension.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()), ".{extension}");
            assert!(Compression::ENDINGS.iter().all(|(ending, _)| ending[1..] != **extension), ".{extension}");
            let (found, _) = file_kind::of(Path::new(&format!("a.{extension}"))).expect("a known name");
            assert_eq!(found.name, format.name);
        }
    }
}

#[test]
fn no_two_formats_begin_alike_and_what_begins_so_is_refused_as_text() {
    let all: Vec<(&Format, &Signature)> =
        FORMATS.into_iter().flat_map(|format| format.signatures.iter().map(move |found| (format, found))).collect();
    for (at, (format, signature)) in all.iter().enumerate() {
        assert!(!format.is_text, "{} is text, which begins as it likes", format.name);
        assert!(signature.extensions.iter().all(|extension| format.extensions.contains(extension)), "{}", format.name);
        for (_, other) in &all[at + 1..] {
            assert!(!other.bytes.starts_with(signature.bytes) && !signature.bytes.starts_with(other.bytes));
        }
        let said = SampleFile::with("a.csv", [signature.bytes, b"\0"].concat()).refusal();
        assert!(said.starts_with(&format!("FILE is {}, not text", signature.what)), "{said}");
        assert!(signature.extensions.iter().all(|extension| said.contains(&format!(".{extension}"))), "{said}");
        assert_eq!(said.contains("--features"), !format.is_built_in(), "{said}");
    }
    let first_of = |format: &&Format| format.is_text || !format.signatures.is_empty();
    assert!(FORMATS.iter().all(first_of), "what is no text can be recognized");
}

#[test]
fn what_is_written_reads_back_and_begins_as_the_entry_says() {
    let columns = text_columns(&["age", "job, or \"none\""]);
    let rows = [["30", "clerk"], ["41", "a \"smith\", é漢"]];
    let cells: Vec<Cells> =
        (0..2).map(|column| Cells::Text(rows.iter().map(|row| Some(row[column])).collect())).collect();
    for format in built_in() {
        for ending in written(format) {
            let file = SampleFile::written(&format!("a.{ending}"), &columns, &cells, &Dialect::default());
            let (names, read) = file.read().expect("a table");
            assert!(names.iter().eq(columns.iter().map(|column| &column.name)), "{ending}: {names:?}");
            let expected: Vec<Vec<Option<String>>> =
                rows.iter().map(|row| row.iter().map(|cell| Some((*cell).to_owned())).collect()).collect();
            assert_eq!(read, expected, "{ending}");
            let begins = |signature: &Signature| file.bytes().starts_with(signature.bytes);
            assert!(format.is_text || format.signatures.iter().any(begins), "{ending}");
        }
    }
}

#[test]
fn what_is_not_written_is_refused_before_anything_is_done() {
    for format in FORMATS {
        assert!(format.code.is_none_or(|code| code.create.is_some() != format.written.is_empty()), "{}", format.name);
        for ending in endings(format) {
            let path = format!("a.{ending}");
            let refusal = check_written(Path::new(&path)).err().map(|error| error.to_string());
            match (written(format).contains(&ending), format.is_built_in()) {
                (true, true) => assert_eq!(refusal, None),
                (true, false) => assert!(refusal.is_some_and(|said| said.contains("was built without"))),
                (false, _) => {
                    let said = refusal.expect("a format that is only read");
                    assert!(said.starts_with(&format!("a release cannot be written as {path}")), "{said}");
                    assert!(said.contains("written are .csv, .tsv, .txt, .jsonl and .ndjson, each also"), "{said}");
                }
            }
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_called_so() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let columns = text_columns(&["a"]);
    for ending in built_in().flat_map(written) {
        let path = format!("a.{ending}");
        let written = create(Path::new(&path), full(), &columns, &Dialect::default(), "").and_then(|mut writer| {
            writer.write(&[Cells::Text(vec!["x"; 100].into())])?;
            writer.finish()
        });
        let error = written.expect_err("nothing can be written there");
        assert_eq!(error.message(), format!("cannot write {path}: the disk is full"));
    }
}

#[test]
fn what_is_asked_of_a_file_must_be_in_it() {
    for format in FORMATS {
        let input = |table: bool, query: bool| crate::InputFormat {
            table: table.then(|| "t".to_owned()),
            query: query.then(|| "SELECT 1".to_owned()),
            ..crate::InputFormat::new(format!("a.{}", format.extensions[0]))
        };
        let is_right = |table, query| format.check_table(&input(table, query)).is_ok();
        let has_tables = format.holds != Holds::Table;
        let is_database = format.holds == Holds::Database;
        assert!(is_right(false, false) && !is_right(true, true), "{}", format.name);
        assert_eq!((is_right(true, false), is_right(false, true)), (has_tables, is_database), "{}", format.name);
    }
}

#[test]
fn every_extension_is_documented() {
    for format in FORMATS {
        for extension in format.extensions {
            assert!(DOCUMENTATION.contains(&format!("`.{extension}`")), ".{extension} is not in docs/files.md");
        }
        let feature = format.feature.map(|feature| format!("`{feature}`"));
        assert!(feature.is_none_or(|feature| DOCUMENTATION.contains(&feature)), "{}", format.name);
    }
}

#[test]
fn a_format_that_is_not_built_in_is_refused_with_the_build_that_has_it() {
    static ABSENT: Format = Format {
        name: "Shoals",
        one_file: "a shoal",
        extensions: &["shoal"],
        is_text: false,
        signatures: &[],
        holds: Holds::Table,
        numbers: super::NumberForm::Text,
        written: &["shoal"],
        feature: Some("shoals"),
        code: None,
    };
    let error = ABSENT.code("write", Path::new("a.shoal")).map(|_: Code| ()).expect_err("it is not there");
    assert_eq!(error.message(), "cannot write a.shoal: this shoal was built without Shoals");
    let hint = error.hint_text().expect("a hint");
    assert!(hint.starts_with("`cargo install --path crates/shoal-cli --features "), "{hint}");
    // Who follows it must not lose what this build has.
    let built_in: Vec<&str> = built_in().filter_map(|format| format.feature).chain(["shoals"]).collect();
    assert!(hint.contains(&format!("--features {}`", built_in.join(","))), "{hint}");
}

/// Only a build without some format has such an entry in the list.
#[cfg(not(all(feature = "parquet", feature = "workbook", feature = "sqlite")))]
#[test]
fn files_of_absent_formats_are_refused_by_name() {
    for format in FORMATS.iter().filter(|format| !format.is_built_in()) {
        for extension in format.extensions {
            let file = SampleFile::with(&format!("a.{extension}"), "x");
            let error = open(&file.input()).err().expect("no code for it");
            let message = format!("cannot read FILE: this shoal was built without {}", format.name);
            assert!(file.shorten(&error).starts_with(&message), "{error}");
            assert!(error.hint_text().is_some_and(|hint| hint.contains(format.feature.expect("it can be left out"))));
        }
        assert!(super::read().contains(format.name) && super::read().contains("this shoal was built without"));
    }
}

#[cfg(all(feature = "parquet", feature = "workbook", feature = "sqlite"))]
#[test]
fn lists_of_extensions_are_made_of_the_entries() {
    assert_eq!(
        super::read(),
        "read are .csv, .tsv, .txt, .jsonl and .ndjson, each also with .gz or .zst, .parquet, .xlsx, .xlsm, .xlsb, .xls, .ods, \
         .sqlite, .sqlite3 and .db, and folders of such files"
    );
    assert_eq!(
        super::written(),
        "written are .csv, .tsv, .txt, .jsonl and .ndjson, each also with .gz or .zst, .parquet and .xlsx"
    );
    assert!(open(&crate::InputFormat::new("a.docx")).is_err_and(|error| error.to_string().contains(&super::read())));
}

#[test]
fn lists_read_as_sentences() {
    assert_eq!(joined(&["a"], "or"), "a");
    assert_eq!(joined(&["a", "b"], "or"), "a or b");
    assert_eq!(joined(&["a", "b", "c"], "and"), "a, b and c");
}
