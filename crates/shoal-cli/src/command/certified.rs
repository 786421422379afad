//! Is a table still what its certificate says?

use std::path::Path;

use shoal::audit::Audit;
use shoal::key::PublicKey;
use shoal::policy::Policy;
use shoal_core::{Error, Result, text_file};
use shoal_format as format;
use shoal_report::{Certificate, Checked, Found, Hashes, SealedCertificate, SignatureState, check};

use crate::command::held::HeldTables;

/// A certificate, and who vouches for it.
pub struct Certified {
    certificate: Certificate,
    signature: SignatureState,
}

impl Certified {
    /// Reads a certificate; where somebody's public key is given, it must be signed by them.
    pub fn open(path: &Path, signer: Option<&Path>) -> Result<Self> {
        let signer = signer.map(PublicKey::read).transpose()?;
        let bytes = text_file::bytes("read", path)?;
        let sealed = SealedCertificate::parse(bytes, &path.display().to_string())?;
        let (certificate, signature) = sealed.open(signer.as_ref())?;
        Ok(Self { certificate, signature })
    }

    /// The certificate.
    pub fn certificate(&self) -> &Certificate {
        &self.certificate
    }

    /// Why a release could not be audited by a policy: a file that was changed may no longer be a table at all, or not one with the columns
    /// that are asked for.
    pub fn reason(&self, error: Error, policy: &Policy, release: &Path, hashes: &Hashes) -> Error {
        match self.what_changed(policy, release, hashes) {
            None => error,
            Some(what) => Error::not_met(what).detail(error.message()),
        }
    }

    /// How the files differ from those that were certified, as far as that can be seen without counting rows.
    fn what_changed(&self, policy: &Policy, release: &Path, hashes: &Hashes) -> Option<String> {
        // Read as the audit reads it: otherwise what did not change would seem to have other columns.
        let columns = || {
            let reader = format::open(&policy.input_format(release).of_release()).ok()?;
            Some(reader.columns().to_vec())
        };
        let of_columns = || self.certificate.different_columns(&columns()?).into_iter().next();
        self.certificate.different_files(hashes).into_iter().next().or_else(of_columns)
    }

    /// Compares it with what was counted anew of these tables. The policy is one that was given beside the certificate.
    pub fn check(&self, audit: &Audit, policy: Option<&Policy>, held: &HeldTables, hashes: &Hashes) -> Result<Checked> {
        let sensitive_columns = held.sensitive_columns()?;
        let sensitive_columns = sensitive_columns.as_deref();
        Ok(check(&self.certificate, &Found { hashes, audit, policy, sensitive_columns, signature: self.signature }))
    }
}
