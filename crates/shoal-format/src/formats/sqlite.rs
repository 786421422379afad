//! What is known about SQLite databases, of which one table or the result of one query is the table?

use super::{Code, Format, Holds, NumberForm, Signature};

pub(super) static FORMAT: Format = Format {
    name: "SQLite",
    one_file: "an SQLite database",
    extensions: &["sqlite", "sqlite3", "db"],
    is_text: false,
    signatures: &[Signature {
        bytes: b"SQLite format 3\0",
        what: "an SQLite database",
        extensions: &["sqlite", "sqlite3", "db"],
        otherwise: None,
    }],
    holds: Holds::Database,
    numbers: NumberForm::Text,
    written: &[],
    feature: Some("sqlite"),
    code: CODE,
};

#[cfg(feature = "sqlite")]
const CODE: Option<Code> = Some(Code {
    open: |input, _| crate::guard::opened(input, crate::sqlite::SqliteReader::open),
    create: None,
    titles: None,
});
#[cfg(not(feature = "sqlite"))]
const CODE: Option<Code> = None;
