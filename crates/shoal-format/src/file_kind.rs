//! Which format and which compression does the name of a file promise?

use std::path::Path;

use super::compression::Compression;
use shoal_core::{Error, Result};

/// How a table is laid out in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// Rows of delimited text.
    Csv,
    /// One JSON object a line.
    JsonLines,
    /// Apache Parquet, which brings its own compression.
    Parquet,
    /// Excel or OpenDocument, of which one sheet is the table.
    Workbook,
    /// An SQLite database, of which one table or query is the table.
    Sqlite,
}

/// The formats that a table is written in.
pub(super) const WRITTEN: &str =
    ".csv, .tsv, .txt, .jsonl and .ndjson, each also with .gz or .zst, and .parquet are written";

const READ: &str = "read are .csv, .tsv, .txt, .jsonl and .ndjson, each also with .gz or .zst, .parquet, .xlsx, .xls, .xlsb, \
                    .ods, .sqlite, .sqlite3 and .db, and folders of such files";

/// The format and compression of a file, by the end of its name.
pub(super) fn of(path: &Path) -> Result<(Format, Compression)> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let (stem, compression) = match (name.strip_suffix(".gz"), name.strip_suffix(".zst")) {
        (Some(stem), _) => (stem, Compression::Gzip),
        (_, Some(stem)) => (stem, Compression::Zstd),
        _ => (name.as_str(), Compression::None),
    };
    let format = match stem.rsplit_once('.').map(|(_, extension)| extension) {
        Some("csv" | "tsv" | "txt") => Format::Csv,
        Some("jsonl" | "ndjson") => Format::JsonLines,
        Some("parquet") if compression == Compression::None => Format::Parquet,
        Some("xlsx" | "xlsm" | "xlsb" | "xls" | "ods") if compression == Compression::None => Format::Workbook,
        Some("sqlite" | "sqlite3" | "db") if compression == Compression::None => Format::Sqlite,
        _ => {
            let message = format!("cannot tell the format of {} from its name", path.display());
            return Err(Error::table(message).hint(READ));
        }
    };
    Ok((format, compression))
}

/// Does the name promise cells separated by tabs?
pub(super) fn is_tab_separated(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    name.trim_end_matches(".gz").trim_end_matches(".zst").ends_with(".tsv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_extensions_decide_and_case_does_not() {
        let kind = |name: &str| of(Path::new(name)).expect(name);
        assert_eq!(kind("a.csv"), (Format::Csv, Compression::None));
        assert_eq!(kind("d/a.b.TSV.GZ"), (Format::Csv, Compression::Gzip));
        assert_eq!(kind("a.txt.zst"), (Format::Csv, Compression::Zstd));
        assert_eq!(kind("a.ndjson.gz"), (Format::JsonLines, Compression::Gzip));
        assert_eq!(kind("a.Parquet"), (Format::Parquet, Compression::None));
        assert_eq!(kind("a.XLSX"), (Format::Workbook, Compression::None));
        assert_eq!(kind("a.sqlite3"), (Format::Sqlite, Compression::None));
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        for name in ["a.docx", "a", "csv", "a.parquet.gz", "a.gz", ".."] {
            let error = of(Path::new(name)).expect_err(name);
            assert!(error.message().contains("cannot tell the format"), "{error}");
            assert!(error.hint_text().is_some_and(|hint| hint.contains(".parquet")), "{error}");
        }
    }

    #[test]
    fn tabs_are_promised_by_tsv() {
        assert!(is_tab_separated(Path::new("a.TSV")));
        assert!(is_tab_separated(Path::new("a.tsv.zst")));
        assert!(!is_tab_separated(Path::new("a.tsv.csv")));
    }
}
