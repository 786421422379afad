//! How is a file to be opened of which nobody has said how it is written?

use shoal_core::table::{NumberMarks, Thousands};
use shoal_core::{Error, Result};
use shoal_format::{InputFormat, guessed_encoding, lines_before_table};

/// How a table is written, and what of that somebody has said. The rest is found out; what was said is kept, even where it is what is usual.
#[derive(Debug, Clone, Default)]
pub struct AsSaid {
    /// The table, with what is usual where nothing was said.
    pub input: InputFormat,
    /// How many lines stand before it.
    pub skip: Option<u64>,
    /// Are decimals written with a comma?
    pub decimal_comma: Option<bool>,
    /// What stands between thousands.
    pub thousands: Option<Thousands>,
}

impl From<InputFormat> for AsSaid {
    /// What is not as usual was said.
    fn from(input: InputFormat) -> Self {
        let marks = input.marks;
        Self {
            skip: (input.skip > 0).then_some(input.skip),
            decimal_comma: (marks != NumberMarks::default()).then_some(marks.decimal_comma),
            thousands: marks.thousands,
            input,
        }
    }
}

impl AsSaid {
    /// The same of a table that is read from elsewhere.
    pub(super) fn of(self, input: impl FnOnce(InputFormat) -> InputFormat) -> Self {
        Self { input: input(self.input), ..self }
    }

    /// Do these marks agree with what was said?
    pub(super) fn allows(&self, marks: NumberMarks) -> bool {
        self.decimal_comma.is_none_or(|comma| comma == marks.decimal_comma)
            && self.thousands.is_none_or(|mark| marks.thousands == Some(mark))
    }

    /// The same with the lines before the table left out, where nobody has said how many there are.
    pub(super) fn without_titles(self) -> Self {
        match self.skip {
            // Whatever is wrong with the file, opening it will say so.
            None => self.of(|input| InputFormat { skip: lines_before_table(&input).unwrap_or(0), ..input }),
            Some(_) => self,
        }
    }

    /// The same in another encoding, after a file could not be read because it is not UTF-8.
    pub(super) fn in_another_encoding(self, error: Error) -> Result<Self> {
        let input = &self.input;
        if input.encoding.is_some() || input.path.as_os_str().is_empty() {
            return Err(error);
        }
        match guessed_encoding(input) {
            Ok(Some(encoding)) => Ok(self.of(|input| InputFormat { encoding: Some(encoding), ..input })),
            _ => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_is_kept_even_where_it_is_usual() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.csv");
        std::fs::write(&path, "A title\n\na,b\n1,2\n3,4\n").expect("a file");
        let said = |skip| AsSaid { skip, ..InputFormat::new(&path).into() };
        assert!(said(None).without_titles().input.skip > 0);
        assert_eq!(said(Some(0)).without_titles().input.skip, 0);
    }

    #[test]
    fn marks_have_to_agree_with_what_was_said() {
        let marks = |decimal_comma, thousands| NumberMarks { decimal_comma, thousands };
        let said = AsSaid { decimal_comma: Some(false), ..AsSaid::default() };
        assert!(said.allows(marks(false, None)) && said.allows(marks(false, Some(Thousands::Comma))));
        assert!(!said.allows(marks(true, None)));
        let said = AsSaid { thousands: Some(Thousands::Blank), ..AsSaid::default() };
        assert!(said.allows(marks(true, Some(Thousands::Blank))) && !said.allows(marks(true, None)));
        assert!(AsSaid::default().allows(marks(true, Some(Thousands::Point))));
    }
}
