//! Why can a workbook not be read?

use std::path::Path;

use shoal_core::Error;

/// What is wrong with a workbook. What libraries say about it is left out: it speaks of the inside of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// It is none, or it is damaged or locked.
    Damaged,
    /// It would take more memory than any table in it is worth.
    TooLarge(String),
}

impl Unreadable {
    /// Too large, for this reason.
    pub(super) fn too_large(reason: impl Into<String>) -> Self {
        Self::TooLarge(reason.into())
    }

    /// What whoever has the file is told.
    pub(super) fn at(&self, path: &Path) -> Error {
        let path = path.display();
        match self {
            Self::Damaged => Error::table(format!("{path} is not a workbook, or it is damaged or locked"))
                .hint("save it anew as .xlsx without a password, or as .csv"),
            Self::TooLarge(reason) => Error::table(format!("{path} is too large to be read: {reason}"))
                .hint("save the sheet as .csv, which is read row by row; a small file that unpacks to so much may be malicious"),
        }
    }
}
