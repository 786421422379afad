//! Who takes a release that gets no name?

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::HeldFile;
use shoal_core::Result;

/// What is done with a release.
type HandOn = dyn Fn(&HeldFile) -> Result<()> + Send + Sync;

/// An open file for a release, and what hands it on once it is verified, before anything is published that is said about it.
#[derive(Clone)]
pub struct Handover {
    file: HeldFile,
    hand_on: Arc<HandOn>,
}

impl Handover {
    /// A file without a name, called so in messages: its ending says what is written.
    pub fn of_nameless(
        name: impl AsRef<Path>,
        hand_on: impl Fn(&HeldFile) -> Result<()> + Send + Sync + 'static,
    ) -> Result<Self> {
        Ok(Self { file: HeldFile::nameless(name)?, hand_on: Arc::new(hand_on) })
    }

    pub(super) fn file(&self) -> &HeldFile {
        &self.file
    }

    pub(super) fn hand_on(&self) -> Result<()> {
        (self.hand_on)(&self.file)
    }
}

impl fmt::Debug for Handover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handover").field("file", &self.file).finish_non_exhaustive()
    }
}
