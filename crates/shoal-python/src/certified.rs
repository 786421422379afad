//! Is a table in a file still what its certificate says, as Python asks?

use std::path::{Path, PathBuf};

use shoal::{Audit, Policy};
use shoal_cli::{Certified, HeldTables};
use shoal_core::{Error, Result};
use shoal_report::{Checked, Hashes};

/// A certificate, and the files that it may be about.
pub struct CertifiedFiles {
    certified: Certified,
    release: PathBuf,
    /// The tables, held open.
    pub held: HeldTables,
    /// Of these files.
    pub hashes: Hashes,
}

impl CertifiedFiles {
    /// Reads a certificate and the files. `None` within `sensitive` is a second table that is in no file.
    pub fn open(
        certificate: &Path,
        signer: Option<&Path>,
        release: Option<PathBuf>,
        sensitive: Option<Option<PathBuf>>,
    ) -> Result<Self> {
        let release = release.ok_or_else(in_memory)?;
        let sensitive = sensitive.map(|file| file.ok_or_else(in_memory)).transpose()?;
        let certified = Certified::open(certificate, signer)?;
        let held = HeldTables::open(&release, sensitive.as_deref())?;
        let hashes = held.hashes()?;
        Ok(Self { certified, release, held, hashes })
    }

    /// The policy that the certificate says.
    pub fn policy(&self) -> Result<Policy> {
        self.certified.certificate().to_policy()
    }

    /// Why the release could not be audited by a policy.
    pub fn reason(&self, error: Error, policy: &Policy) -> Error {
        self.certified.reason(error, policy, &self.release, &self.hashes)
    }

    /// Compares it with what was counted anew, to which it adds what its readers should know.
    pub fn check(&self, audit: &mut Audit, policy: Option<&Policy>) -> Result<Checked> {
        self.held.refuse_changed(&self.hashes)?;
        audit.warnings.extend(self.certified.certificate().warnings());
        self.certified.check(audit, policy, &self.held, &self.hashes)
    }
}

fn in_memory() -> Error {
    Error::policy("a certificate is about files, and the table is in memory").hint("give the path of the release")
}
