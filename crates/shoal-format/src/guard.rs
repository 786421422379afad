//! What becomes of a panic inside a library that reads files?

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;

use arrow_schema::DataType;

use super::{Batch, Block, Dialect, InputFormat, TableReader};
use shoal_core::{Error, Result};

thread_local! {
    /// Is this thread inside a library whose panics are answers, and not defects of this program?
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Reads with a library that may panic on a damaged file; its panic becomes an error with the file's name, and is not
/// printed. Libraries are told to return errors, and most of the time they do.
pub(super) fn guarded<T>(path: &Path, read: impl FnOnce() -> Result<T>) -> Result<T> {
    quietly(read).unwrap_or_else(|_| Err(broken(path)))
}

/// What a panic in a library means to whoever has the file. What it said speaks of the inside of the file, and is left out.
pub(super) fn broken(path: &Path) -> Error {
    Error::table(format!("{} cannot be read: it is damaged", path.display()))
        .hint("copy or download it again, or write it anew")
}

/// Runs something whose panic is caught and not printed.
pub(super) fn quietly<T>(act: impl FnOnce() -> T) -> Result<T, Box<dyn Any + Send>> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            if !IS_GUARDED.get() {
                usual(panic);
            }
        }));
    });
    let was_guarded = IS_GUARDED.replace(true);
    // Whatever the panic left half done is dropped or never used again: see `GuardedReader`.
    let result = panic::catch_unwind(AssertUnwindSafe(act));
    IS_GUARDED.set(was_guarded);
    result
}

/// Opens a file with a library that may panic.
pub(super) fn opened<R: TableReader + 'static>(
    input: &InputFormat,
    open: impl FnOnce(&InputFormat) -> Result<R>,
) -> Result<Box<dyn TableReader>> {
    let reader = Box::new(guarded(&input.path, || open(input))?);
    Ok(Box::new(GuardedReader { path: input.path.clone(), reader, is_broken: false }))
}

/// A reader made of a library that may panic. After a panic it is not asked again.
pub(super) struct GuardedReader {
    path: PathBuf,
    reader: Box<dyn TableReader>,
    is_broken: bool,
}

impl GuardedReader {
    fn guard<T>(&mut self, read: impl FnOnce(&mut dyn TableReader) -> Result<T>) -> Result<T> {
        if self.is_broken {
            return Err(broken(&self.path));
        }
        let Self { path, reader, is_broken } = self;
        quietly(|| read(reader.as_mut())).unwrap_or_else(|_| {
            *is_broken = true;
            Err(broken(path))
        })
    }
}

impl TableReader for GuardedReader {
    fn columns(&self) -> &[String] {
        self.reader.columns()
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        self.guard(|reader| reader.next_batch())
    }

    fn next_block(&mut self, block: &mut Block) -> Result<bool> {
        self.guard(|reader| reader.next_block(block))
    }

    fn explain(&self, error: Error) -> Error {
        quietly(|| self.reader.explain(error)).unwrap_or_else(|_| broken(&self.path))
    }

    fn data_type(&self, column: usize) -> Option<DataType> {
        self.reader.data_type(column)
    }

    fn dialect(&self) -> Dialect {
        self.reader.dialect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Panicking(Vec<String>);

    impl TableReader for Panicking {
        fn columns(&self) -> &[String] {
            &self.0
        }

        fn next_batch(&mut self) -> Result<Option<Batch>> {
            panic!("a secret of the file")
        }
    }

    #[test]
    fn a_panic_is_an_error_that_names_the_file_and_not_its_inside() {
        let input = InputFormat::new("a.parquet");
        let mut reader = opened(&input, |_| Ok(Panicking(vec!["age".to_owned()]))).expect("opened");
        for _ in 0..2 {
            let error = reader.next_batch().expect_err("it panics").to_string();
            assert!(error.starts_with("a.parquet cannot be read: it is damaged\nhint: "), "{error}");
        }
        let at_once = opened(&input, |_| -> Result<Panicking> { panic!("at once") });
        assert!(at_once.is_err());
        assert!(!IS_GUARDED.get(), "other panics are printed as ever");
    }
}
