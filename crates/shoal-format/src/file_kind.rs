//! Which format and which compression does the name of a file promise?

use std::path::Path;

use super::compression::Compression;
use super::formats::{self, FORMATS, Format};
use shoal_core::{Error, Result};

/// Files of other programs: how their names end, the program, and how a table comes out of it, with its labels instead of codes where it has some.
const ELSEWHERE: [(&str, &str, &str); 7] = [
    ("sav", "SPSS", "in Python `pandas.read_spss(FILE).to_csv(..)`, in R `haven::as_factor(haven::read_sav(FILE))`"),
    ("zsav", "SPSS", "in Python `pandas.read_spss(FILE).to_csv(..)`, in R `haven::as_factor(haven::read_sav(FILE))`"),
    ("dta", "Stata", "in Stata `export delimited`, in Python `pandas.read_stata(FILE).to_csv(..)`"),
    ("sas7bdat", "SAS", "in SAS `proc export`, in Python `pandas.read_sas(FILE, encoding=\"infer\").to_csv(..)`"),
    ("xpt", "SAS", "in SAS `proc export`, in Python `pandas.read_sas(FILE, encoding=\"infer\").to_csv(..)`"),
    ("rds", "R", "in R `write.csv(readRDS(FILE), .., row.names = FALSE)`"),
    ("rdata", "R", "in R `load(FILE)` and `write.csv(.., row.names = FALSE)`"),
];

/// The format and compression of a file, by the end of its name.
pub(super) fn of(path: &Path) -> Result<(&'static Format, Compression)> {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let (stem, compression) = Compression::split(&name);
    let extension = stem.rsplit_once('.').map(|(_, extension)| extension).unwrap_or_default();
    let promised = |format: &&&Format| {
        format.extensions.contains(&extension) && (format.is_text || compression == Compression::None)
    };
    let Some(format) = FORMATS.iter().find(promised) else {
        if let Some((_, program, how)) = ELSEWHERE.iter().find(|(ending, ..)| *ending == extension) {
            let message = format!("{} is a file of {program}, and is not read here", path.display());
            return Err(Error::table(message).hint(format!("save the table as CSV or Parquet: {how}")));
        }
        let message = format!("cannot tell the format of {} from its name", path.display());
        return Err(Error::table(message).hint(formats::read()));
    };
    Ok((format, compression))
}

/// Does the name promise what can be written?
pub(super) fn is_written(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    let extension = Compression::split(&name).0.rsplit_once('.').map_or("", |(_, extension)| extension);
    FORMATS.iter().any(|format| format.written.contains(&extension))
}

/// Where the end of a name begins that says how a file is laid out and squeezed: at the dot of `.csv.gz`.
pub fn ending_at(name: &str) -> usize {
    let lower = name.to_lowercase();
    let (stem, _) = Compression::split(&lower);
    let end = stem.rfind('.').unwrap_or(stem.len());
    // Where lower case letters take more bytes, the name is no known one, and is refused elsewhere.
    if name.is_char_boundary(end) { end } else { name.len() }
}

/// Does the name promise cells separated by tabs?
pub(super) fn is_tab_separated(path: &Path) -> bool {
    let name = path.to_string_lossy().to_lowercase();
    Compression::split(&name).0.ends_with(".tsv")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_extensions_decide_and_case_does_not() {
        let kind = |name: &str| {
            let (format, compression) = of(Path::new(name)).expect(name);
            (format.name, compression)
        };
        assert_eq!(kind("a.csv"), ("CSV", Compression::None));
        assert_eq!(kind("d/a.b.TSV.GZ"), ("CSV", Compression::Gzip));
        assert_eq!(kind("a.txt.zst"), ("CSV", Compression::Zstd));
        assert_eq!(kind("a.ndjson.gz"), ("JSON lines", Compression::Gzip));
        assert_eq!(kind("a.Parquet"), ("Parquet", Compression::None));
        for name in ["a.sav", "d/A.DTA", "a.sas7bdat"] {
            let error = of(Path::new(name)).unwrap_err().to_string();
            assert!(
                error.contains(" is a file of S") && error.contains("hint: save the table as CSV or Parquet: in "),
                "{error}"
            );
        }
        assert_eq!(kind("a.XLSX"), ("workbooks", Compression::None));
        assert_eq!(kind("a.sqlite3"), ("SQLite", Compression::None));
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        for name in ["a.docx", "a", "csv", "a.parquet.gz", "a.gz", "a.", ".."] {
            let error = of(Path::new(name)).expect_err(name);
            assert!(error.message().contains("cannot tell the format"), "{error}");
            assert!(
                error.hint_text().is_some_and(|hint| hint.contains(".ndjson, each also with .gz or .zst")),
                "{error}"
            );
        }
    }

    #[test]
    fn the_end_of_a_name_begins_at_a_dot() {
        for (name, end) in [("a.b.csv", ".csv"), ("a.CSV.gz", ".CSV.gz"), ("a.parquet", ".parquet"), ("a", "")] {
            assert_eq!(&name[ending_at(name)..], end);
        }
    }

    #[test]
    fn tabs_are_promised_by_tsv() {
        assert!(is_tab_separated(Path::new("a.TSV")));
        assert!(is_tab_separated(Path::new("a.tsv.zst")));
        assert!(!is_tab_separated(Path::new("a.tsv.csv")));
    }
}
