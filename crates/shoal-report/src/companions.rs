//! What is published beside a release: a page that explains it, a certificate of what it promises.

use std::path::{Path, PathBuf};
use std::time::Instant;

use shoal::key::Signer;
use shoal::publish::{Hash, OutputKind};
use shoal::study::{Companion, Release, Verified};
use shoal_core::Result;
use shoal_core::watch::Watch;

use crate::{Certificate, Hashes, HtmlReport, Run};

/// A page that explains a release.
#[derive(Debug)]
pub struct ReportFile {
    /// Where it goes.
    pub path: PathBuf,
}

impl Companion for ReportFile {
    fn what(&self) -> &'static str {
        "the report"
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn kind(&self) -> OutputKind {
        OutputKind::Report
    }

    fn text(&self, verified: &Verified<'_>, watch: &dyn Watch) -> Result<String> {
        let (begin, release) = (Instant::now(), verified.release);
        let audit = verified.audit(watch)?;
        let audit_seconds = begin.elapsed().as_secs_f64();
        let satisfying = release.candidate.alternatives(watch);
        let run = Run { release, satisfying: satisfying.as_deref(), audit_seconds };
        let place = Path::new(&release.published.release);
        let name = place.file_name().map_or_else(|| place.display().to_string(), |name| name.to_string_lossy().into());
        let (policy, hashes) = (Some(release.policy()), &hashes_of(release));
        Ok(HtmlReport { name, audit: &audit, policy, run: Some(run), hashes }.to_html())
    }
}

/// A certificate of what a release promises.
#[derive(Debug)]
pub struct CertificateFile {
    /// Where it goes.
    pub path: PathBuf,
    /// Who signs it.
    pub signer: Option<Signer>,
}

impl Companion for CertificateFile {
    fn what(&self) -> &'static str {
        "the certificate"
    }

    fn path(&self) -> &Path {
        &self.path
    }

    fn kind(&self) -> OutputKind {
        OutputKind::Certificate
    }

    fn text(&self, verified: &Verified<'_>, _: &dyn Watch) -> Result<String> {
        let certificate = Certificate::new(verified.release, &hashes_of(verified.release))?;
        Ok(self.signer.as_ref().map_or_else(|| certificate.to_text(), |signer| certificate.signed(signer)))
    }
}

/// The hashes of what was read and written.
fn hashes_of(release: &Release) -> Hashes {
    let published = &release.published;
    Hashes {
        policy: Some(Hash::of(release.policy().text.as_bytes())),
        release: published.release_hash.clone(),
        sensitive: published.sensitive_hash.clone(),
    }
}
