//! How far is the server to be trusted, and how is that checked?

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use shoal_core::{Error, Result};
use tokio_postgres_rustls::MakeRustlsConnect;

/// What `sslmode` asks for, in PostgreSQL's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// Whoever answers (`prefer`, `require`): nobody can listen, but somebody could pretend to be the server.
    Anybody,
    /// Somebody with a certificate from an authority we know (`verify-ca`).
    Known,
    /// The host of the address, with such a certificate (`verify-full`).
    Named,
}

/// What is needed to make connections with TLS. `authorities` is a file of certificates in place of the system's.
pub(super) fn connector(trust: Trust, authorities: Option<&str>) -> Result<MakeRustlsConnect> {
    let provider = Arc::new(ring::default_provider());
    let roots = match (trust, authorities) {
        (Trust::Anybody, _) => Vec::new(),
        (_, Some(path)) => read(path)?,
        (_, None) => rustls_native_certs::load_native_certs().certs,
    };
    let verifier = Verifier { trust, inner: inner(&roots, &provider), roots, provider: Arc::clone(&provider) };
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Error::place(format!("cannot prepare TLS: {error}")))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}

fn read(path: &str) -> Result<Vec<CertificateDer<'static>>> {
    let unreadable = || {
        Error::place(format!("cannot read certificates from {path}"))
            .hint("`sslrootcert` must name a PEM file with the certificate of the server's authority")
    };
    let certificates = CertificateDer::pem_file_iter(path).map_err(|_| unreadable())?;
    let certificates: Vec<_> = certificates.collect::<Result<_, _>>().map_err(|_| unreadable())?;
    if certificates.is_empty() { Err(unreadable()) } else { Ok(certificates) }
}

fn inner(roots: &[CertificateDer<'static>], provider: &Arc<CryptoProvider>) -> Option<Arc<WebPkiServerVerifier>> {
    let mut store = RootCertStore::empty();
    store.add_parsable_certificates(roots.iter().cloned());
    WebPkiServerVerifier::builder_with_provider(Arc::new(store), Arc::clone(provider)).build().ok()
}

/// Checks certificates as far as asked for, and signatures always.
#[derive(Debug)]
struct Verifier {
    trust: Trust,
    roots: Vec<CertificateDer<'static>>,
    /// Nothing where no authority is known.
    inner: Option<Arc<WebPkiServerVerifier>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.trust == Trust::Anybody {
            return Ok(ServerCertVerified::assertion());
        }
        if self.roots.iter().any(|root| root == certificate) {
            // A server that signed its own certificate, which is the very one that we were told to trust.
            if self.trust == Trust::Named {
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        let unknown = || rustls::Error::InvalidCertificate(CertificateError::UnknownIssuer);
        let inner = self.inner.as_ref().ok_or_else(unknown)?;
        match inner.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            Err(rustls::Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if self.trust == Trust::Known => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
