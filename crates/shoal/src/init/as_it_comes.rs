//! How is a file to be opened of which nobody has said how it is written?

use shoal_core::{Error, Result};
use shoal_format::{InputFormat, guessed_encoding, lines_before_table};

/// The same with the lines before the table left out, where nobody has said how many there are.
pub(super) fn without_titles(input: &InputFormat) -> InputFormat {
    match input.skip {
        // Whatever is wrong with the file, opening it will say so.
        0 => InputFormat { skip: lines_before_table(input).unwrap_or(0), ..input.clone() },
        _ => input.clone(),
    }
}

/// The same in another encoding, after a file could not be read because it is not UTF-8.
pub(super) fn in_another_encoding(input: &InputFormat, error: Error) -> Result<InputFormat> {
    if input.encoding.is_some() || input.path.as_os_str().is_empty() {
        return Err(error);
    }
    match guessed_encoding(input) {
        Ok(Some(encoding)) => Ok(InputFormat { encoding: Some(encoding), ..input.clone() }),
        _ => Err(error),
    }
}
