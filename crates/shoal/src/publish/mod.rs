//! How do the outputs of a run get their names, all of them or none?
//!
//! An [`Intent`] is told every file that a run reads and every file that it will write, and refuses what would destroy
//! anything. [`Intent::claim`] locks the outputs, settles what an earlier run left behind, and gives [`Outputs`]: files that
//! are staged beside their targets, readable by their owner alone. [`Outputs::publish`] names them all:
//!
//! 1. a journal that lists them is written and synced: from here on a run that is killed is completed by the next one;
//! 2. earlier companions (report, certificate, the second table) are put aside, the release takes its name, then the new
//!    companions take theirs: at no moment does a release stand beside what was said about another one;
//! 3. the journal becomes a list of what is done; what was put aside is removed, and then the list.
//!
//! If a step fails, the journal becomes an undo list and everything is as it was before. What somebody else has put in the place
//! of an output meanwhile, or changed there, is never touched: whoever comes next is asked to move it. All names beside an output begin
//! with `.shoal-`; whoever holds the lock of an output owns the files beside it.

mod commit;
#[cfg(test)]
mod faults;
mod hash;
mod identity;
mod intent;
mod journal;
mod leftovers;
mod lock;
mod names;
mod ordinary;
mod output_kind;
mod outputs;
mod seal;
mod staged_file;
mod steps;

pub use hash::Hash;
pub use identity::is_same_file;
pub use intent::Intent;
pub use output_kind::{Columns, MANUAL_MARK, OutputKind, PLOT_MARK, REFERENCE_MARK, REPORT_MARK};
pub use outputs::Outputs;
pub use staged_file::StagedFile;

use std::path::{Path, PathBuf};

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_path_buf(),
        _ => PathBuf::from("."),
    }
}
