//! Which hierarchy stands in a file?

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;

use super::rows::Rows;
use super::{ColumnValues, Hierarchy};
use crate::{Error, Result};

/// A file with a row for each leaf, its columns from leaf to root, no header: the layout of ARX.
///
/// The columns are separated by `;`, or by `,` or a tab where the file says so; cells may be quoted.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct File {
    path: PathBuf,
}

/// In order of preference, where more than one gives rows of equal length.
const DELIMITERS: [u8; 3] = [b';', b',', b'\t'];

impl File {
    /// The hierarchy in the file at `path`.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }

    /// The path as it was written.
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn check(&self) -> Result<()> {
        if self.path.as_os_str().is_empty() {
            return Err(Error::policy("the `file` of a hierarchy has no name"));
        }
        Ok(())
    }

    pub(super) fn build(&self, column: &ColumnValues<'_>, folder: &Path) -> Result<Hierarchy> {
        self.read(folder)?.build(column)
    }

    /// The rows as they stand in the file, right or wrong.
    pub(super) fn read(&self, folder: &Path) -> Result<Rows> {
        let path = folder.join(&self.path);
        let bytes = crate::text_file::bytes("read the hierarchy", &path)?;
        let origin = format!("the hierarchy {}", path.display());
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
            Error::policy(format!("{origin} is not UTF-8 text in row {line}")).hint("save it with the encoding UTF-8")
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        // The first reading in which all rows are equally long and have several columns, else the one with the most columns:
        // its defects are the most telling.
        let mut best = Rows::of_lines(origin.clone());
        for delimiter in DELIMITERS {
            let no_csv = |error| Error::policy(format!("{origin} is no CSV: {error}"));
            let rows = split(text, delimiter, Rows::of_lines(origin.clone())).map_err(no_csv)?;
            if rows.is_even() {
                return Ok(rows);
            }
            if rows.columns() > best.columns() {
                best = rows;
            }
        }
        Ok(best)
    }

    pub(super) fn to_toml(&self) -> toml::Value {
        self.path.display().to_string().into()
    }
}

/// The rows of a text with their line numbers; blank lines are none.
fn split(text: &str, delimiter: u8, mut rows: Rows) -> Result<Rows, csv::Error> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record)? {
        rows.push_line(record.position().map_or(0, csv::Position::line), &record);
    }
    Ok(rows)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{dictionary, leaves, path};
    use super::*;

    fn build_from(bytes: &[u8], values: &[&str], missing: Option<&str>) -> Result<Hierarchy> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("h.csv"), bytes).unwrap();
        let dictionary = dictionary(values, missing);
        let counts = vec![1; dictionary.len()];
        let column = ColumnValues { name: "job", dictionary: &dictionary, counts: &counts, may_print: true };
        File::new("h.csv").build(&column, folder.path())
    }

    fn error_from(text: &str, values: &[&str]) -> String {
        build_from(text.as_bytes(), values, None).unwrap_err().to_string()
    }

    const JOBS: &str = "smith;crafts;*\nmason;crafts;*\nclerk;office;*\n";

    #[test]
    fn leaves_are_the_codes_then_the_other_rows() {
        let hierarchy = build_from(JOBS.as_bytes(), &["smith", "clerk"], None).unwrap();
        assert_eq!(hierarchy.level(0).labels(), ["clerk", "smith", "mason"]);
        assert_eq!(path(&hierarchy, 1), ["smith", "crafts", "*"]);
        assert_eq!(leaves(&hierarchy, 1), [1, 2, 3]);
        assert_eq!(leaves(&hierarchy, 0), [1, 1, 3]);
    }

    #[test]
    fn a_missing_value_is_one_more_leaf_unless_it_is_listed() {
        let hierarchy = build_from(JOBS.as_bytes(), &["clerk"], Some("?")).unwrap();
        assert_eq!(path(&hierarchy, 1), ["?", "?", "*"]);
        assert_eq!(leaves(&hierarchy, 1), [1, 1, 4]);
        let listed = format!("{JOBS}?;office;*\n");
        let hierarchy = build_from(listed.as_bytes(), &["clerk"], Some("?")).unwrap();
        assert_eq!(path(&hierarchy, 1), ["?", "office", "*"]);
        assert_eq!(leaves(&hierarchy, 1), [1, 2, 4]);
        let empty = format!("{JOBS};office;*\n");
        let hierarchy = build_from(empty.as_bytes(), &["clerk"], Some("")).unwrap();
        assert_eq!(path(&hierarchy, 1), ["", "office", "*"]);
        let error = build_from(JOBS.as_bytes(), &["clerk"], Some("office")).unwrap_err().to_string();
        assert!(error.contains("has a label `office`, and so is a missing value"), "{error}");
    }

    #[test]
    fn a_value_that_looks_like_the_marker_is_the_same_leaf() {
        let text = format!("{JOBS}?;office;*\n");
        let hierarchy = build_from(text.as_bytes(), &["clerk", "?"], Some("?")).unwrap();
        assert_eq!(hierarchy.level(0).nodes_of_leaves()[..3], [0, 1, 0], "codes `?`, `clerk`, missing");
        assert_eq!(leaves(&hierarchy, 2), [1, 2, 4]);
    }

    #[test]
    fn other_delimiters_quotes_bom_and_crlf_are_read() {
        let text = "\u{feff}\"a;1\",\"x, y\",*\r\n\r\nb,\"x, y\",*\r\n";
        let hierarchy = build_from(text.as_bytes(), &["a;1", "b"], None).unwrap();
        assert_eq!(path(&hierarchy, 0), ["a;1", "x, y", "*"]);
        let hierarchy = build_from(b"21;[20, 25);*\n22;[20, 25);*", &["21", "22"], None).unwrap();
        assert_eq!(path(&hierarchy, 0), ["21", "[20, 25)", "*"]);
        assert_eq!(build_from(b"a\tx\t*\n", &["a"], None).unwrap().height(), 2);
    }

    #[test]
    fn a_value_without_a_leaf_is_named() {
        let error = error_from(JOBS, &["clerk", "cook", "farmer"]);
        assert!(error.contains("h.csv lacks 2 of the 3 values of column `job`"), "{error}");
        assert!(error.contains("the first is `cook`"), "{error}");
    }

    #[test]
    fn a_sensitive_value_is_not_named() {
        let dictionary = dictionary(&["cook"], None);
        let column = ColumnValues { name: "job", dictionary: &dictionary, counts: &[1], may_print: false };
        let rows = Rows::new("the tree", vec![vec!["clerk".to_owned(), "*".to_owned()]]);
        let error = rows.build(&column).unwrap_err().to_string();
        assert!(error.contains("lacks 1 of the 1 values") && !error.contains("cook"), "{error}");
    }

    /// A short branch repeats its leaf, so that a label can be a value.
    #[test]
    fn a_sensitive_label_is_not_quoted_either() {
        let dictionary = dictionary(&["flu"], None);
        let column = ColumnValues { name: "illness", dictionary: &dictionary, counts: &[1], may_print: false };
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("flu;flu;lungs;*\nasthma;flu;all;*\n", "is not nested: a label on level 1 has two parents"),
            ("flu;lungs;*\nflu;flu;*\n", "has a leaf twice"),
            ("*;flu\n", "ends in another label instead of `*`"),
            ("*;lungs;flu\nasthma;lungs;*\n", "ends in another label in row 1, in `*` elsewhere"),
        ];
        for (text, says) in files {
            std::fs::write(folder.path().join("h.csv"), text).unwrap();
            let error = File::new("h.csv").build(&column, folder.path()).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
            assert!(!["flu", "lungs", "asthma"].iter().any(|label| error.contains(label)), "{error}");
        }
        for text in ["tree = { a = ['x', { flu = [] }] }", "tree = { a = [{ flu = ['x'] }], b = [{ flu = ['y'] }] }"] {
            let error = super::super::testing::spec(text).check_showing(false).unwrap_err().to_string();
            assert!(!error.contains("flu"), "{error}");
        }
    }

    #[test]
    fn a_label_with_two_parents_is_shown_with_both_rows() {
        let error = error_from("a;x;p;*\nb;y;p;*\nc;x;q;*\n", &["a"]);
        assert!(error.contains("is not nested: `x` on level 1 has two parents"), "{error}");
        assert!(error.contains("`p` in row 1, `q` in row 3"), "{error}");
    }

    #[test]
    fn a_leaf_may_stand_twice_only_with_the_same_generalizations() {
        assert_eq!(build_from(b"a;x;*\nb;x;*\na;x;*\n", &["a"], None).unwrap().domain_size(), 2);
        let error = error_from("a;x;*\n\nb;x;*\na;y;*\n", &["a"]);
        assert!(error.contains("has a leaf twice with different generalizations"), "{error}");
        assert!(error.contains("`x` in row 1, `y` in row 4"), "{error}");
    }

    #[test]
    fn there_is_one_root_and_it_is_a_star() {
        let error = error_from("a;x\nb;y\n", &["a"]);
        assert!(error.contains("has 2 roots: it does not end in `*` in row 1"), "{error}");
        assert!(error_from("a;any\nb;any\n", &["a"]).contains("ends in `any` instead of `*`"));
        assert!(error_from("job;group\na;*\nb;*\n", &["a"]).contains("hint: a hierarchy file has no header row"));
    }

    #[test]
    fn rows_are_whole() {
        assert!(error_from("a;x;*\nb;*\n", &["a"]).contains("3 columns in row 1, 2 in row 2"));
        assert!(error_from("a;;*\n", &["a"]).contains("an empty label on level 1 in row 1"));
        assert!(error_from("", &["a"]).contains("has no rows"));
        assert!(error_from("a\nb\n", &["a"]).contains("one column only"));
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let error = build_from(b"a;*\nM\xfcller;*\n", &["a"], None).unwrap_err().to_string();
        assert!(error.contains("is not UTF-8 text in row 2"), "{error}");
        let error = File::new("none.csv").read(Path::new("nowhere")).err().unwrap().to_string();
        assert_eq!(
            error.replace('\\', "/"),
            "cannot read the hierarchy nowhere/none.csv: there is no such file or folder\nhint: there is no folder nowhere either"
        );
        assert!(File::new("").check().is_err());
    }
}
