//! Whose is each row of a staged release?

use std::fs::File;
use std::io::{BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use shoal_core::{Error, Result};

use crate::outsider::AboutRows;

/// The bytes of the number of a person, behind each row while rows are put in order.
pub(super) const TAG: usize = size_of::<u32>();

/// The number of the person of each row, in the order of the rows, as it is written.
pub(super) enum PeopleFile {
    /// In a nameless file, which is gone however the run ends.
    Spooled(BufWriter<File>, PathBuf),
    /// In memory, where the rows are.
    Held(Vec<u32>),
}

impl PeopleFile {
    /// A nameless file in a folder; memory where there is none.
    pub(super) fn new(folder: Option<&Path>) -> Result<Self> {
        let Some(folder) = folder else { return Ok(Self::Held(Vec::new())) };
        let file = tempfile::tempfile_in(folder).map_err(|error| failed(folder, &error))?;
        Ok(Self::Spooled(BufWriter::new(file), folder.to_owned()))
    }

    /// The next rows are about these people.
    pub(super) fn push(&mut self, people: &[u32]) -> Result<()> {
        match self {
            Self::Held(all) => all.extend_from_slice(people),
            Self::Spooled(file, folder) => {
                for person in people {
                    file.write_all(&person.to_le_bytes()).map_err(|error| failed(folder, &error))?;
                }
            }
        }
        Ok(())
    }

    /// No rows come any more.
    pub(super) fn finish(self) -> Result<RowPeople> {
        match self {
            Self::Held(all) => Ok(RowPeople::Held(all)),
            Self::Spooled(file, folder) => {
                let file = file.into_inner().map_err(|error| failed(&folder, error.error()))?;
                Ok(RowPeople::Spooled(Mutex::new(file), folder))
            }
        }
    }
}

/// The number of the person of each row, to be read.
#[derive(Debug)]
pub enum RowPeople {
    /// In a nameless file.
    Spooled(Mutex<File>, PathBuf),
    /// In memory.
    Held(Vec<u32>),
}

impl AboutRows for RowPeople {
    fn people(&self, first: u64, rows: usize) -> Result<Vec<u32>> {
        let missing = || Error::bug("it is not known of every row whose it is");
        match self {
            Self::Held(all) => {
                let people = all.get(first as usize..).and_then(|rest| rest.get(..rows));
                people.map(<[u32]>::to_vec).ok_or_else(missing)
            }
            Self::Spooled(file, folder) => {
                let mut bytes = vec![0; rows * TAG];
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(first * TAG as u64)).map_err(|error| failed(folder, &error))?;
                file.read_exact(&mut bytes).map_err(|_| missing())?;
                Ok(bytes.as_chunks().0.iter().map(|tag| u32::from_le_bytes(*tag)).collect())
            }
        }
    }
}

fn failed(folder: &Path, error: &std::io::Error) -> Error {
    Error::io("write temporary files to", folder, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_found_again_by_row_wherever_they_wait() {
        let folder = tempfile::tempdir().unwrap();
        for folder in [None, Some(folder.path())] {
            let mut file = PeopleFile::new(folder).unwrap();
            file.push(&[7, 8, 9]).unwrap();
            file.push(&[1 << 31]).unwrap();
            let people = file.finish().unwrap();
            assert_eq!(people.people(1, 3).unwrap(), [8, 9, 1 << 31]);
            assert_eq!(people.people(0, 1).unwrap(), [7]);
            assert!(people.people(2, 3).is_err(), "a row that nobody was told of");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "its file has no name");
    }
}
