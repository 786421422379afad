//! Shoal turns a table about people into one that can be published.
//!
//! A [`Policy`] says which columns could identify someone, which are sensitive, and what an attacker must not be able to learn.
//! [`anonymize`] makes a release of a table by it, proves on what it has written that every promise is kept, and publishes that:
//!
//! ```
//! # fn main() -> shoal::Result<()> {
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let file = |name: &str| folder.path().join(name);
//! # std::fs::write(file("patients.csv"), "age,sex,diagnosis\n31,f,flu\n34,m,gout\n38,f,flu\n39,m,flu\n").expect("a file");
//! use shoal::{LocalSource, Policy, Unwatched, Writing, hierarchy};
//!
//! let policy = Policy::builder()
//!     .in_folder(folder.path())
//!     .input("patients.csv")
//!     .output("release.csv")
//!     .quasi("age", hierarchy::intervals([5, 10]))
//!     .quasi("sex", hierarchy::suppress())
//!     .sensitive("diagnosis")
//!     .require("k-anonymity", [("k", 2)])
//!     .build()?;
//! let release = shoal::anonymize(LocalSource::new(&policy, None, None)?, &policy, Writing::new(), &Unwatched)?;
//! assert_eq!(release.measured.smallest, 2);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Study`] counts a table once and then answers any number of questions: which release is best, what other requirements would cost,
//! what an attacker could do to a [`Candidate`] before anything is written; [`compare`](fn@compare) sets several policies side by side, and an
//! [`AuditRequest`] judges any table. Rows may be in a file, in memory as Arrow record batches, or wherever
//! somebody opens them ([`Table`]); a database is a [`Source`] of its own. Whoever starts something long [`Watch`]es it, and can stop it.
//!
//! What is listed here is meant for others. The modules behind it are public for the other crates of Shoal only, and change without
//! notice.

#![cfg_attr(not(test), deny(clippy::print_stdout, clippy::print_stderr))]

#[doc(hidden)]
pub mod interruption;
#[doc(hidden)]
pub mod key;

// verify, write
#[doc(hidden)]
pub mod outsider;
#[doc(hidden)]
pub mod prepare;
#[doc(hidden)]
pub mod publish;
#[doc(hidden)]
pub mod source;
#[doc(hidden)]
pub mod verify;

// what is still possible
#[doc(hidden)]
pub mod attack;
#[doc(hidden)]
pub mod linking;
#[doc(hidden)]
pub mod meaning;
#[doc(hidden)]
pub mod risk;
#[doc(hidden)]
pub mod utility;

// the whole line
#[doc(hidden)]
pub mod advise;
#[doc(hidden)]
pub mod audit;
#[doc(hidden)]
pub mod compare;
#[doc(hidden)]
pub mod init;
#[doc(hidden)]
pub mod policy;
#[doc(hidden)]
pub mod recipe;
#[doc(hidden)]
pub mod run;
#[doc(hidden)]
pub mod study;

// tables to try things on
#[doc(hidden)]
pub mod generate;
#[doc(hidden)]
pub mod sample;

pub use advise::{Advice, AdviseOptions, Advised, Blocked, Change, ChangeKind, Effect, Prospect};
pub use attack::Options as AttackOptions;
pub use audit::{Audit, AuditRequest, Limit};
pub use compare::{Figures, Point, PrivacyAxis, Rival, UtilityAxis, compare, mark_frontier};
pub use outsider::Measured;
pub use policy::{Policy, PolicyBuilder, PolicyDocument, Role, Setting};
pub use recipe::{Application, Recipe};
pub use risk::Options as RiskOptions;
pub use run::anonymize;
pub use source::{Counted, LocalSource, OpenRows, Published, ReleaseInMemory, Source, Staged, Table};
pub use study::{
    Candidate, Claimed, Companion, Origin, RecipeFile, Release, Seconds, Study, Verified, WhyNot, Writing,
};

pub use shoal_core::error::{Error, Kind, Result};
pub use shoal_core::lattice::Node;
pub use shoal_core::warning::Warning;
pub use shoal_core::watch::{Go, Unwatched, Watch};
pub use shoal_format::{Batch, Cells, MemoryTable, TableReader};

/// The Arrow that tables in memory come in and go out as.
pub use arrow_array;

/// What the values of a column may become, as a policy says it: for [`PolicyBuilder::quasi`].
///
/// ```
/// use shoal::hierarchy;
///
/// assert_eq!(hierarchy::mask("right").to_string(), "{ mask = { from = \"right\" } }");
/// ```
pub mod hierarchy {
    pub use shoal_core::hierarchy::{dates, file, intervals, known, mask, quantiles, suppress, tree};
}
