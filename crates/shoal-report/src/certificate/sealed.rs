//! Who vouches for a certificate?
//!
//! A signed certificate is the unsigned one, byte for byte, with the signature as its last key. What is signed is the whole text of the
//! unsigned one: without the last key, and with the end that it would have.

use super::Certificate;
use super::check::SignatureState;
use shoal::key::{PublicKey, Signature, Signer};
use shoal_core::{Error, Result};

/// A certificate as it stands in a file, signed or not.
#[derive(Debug)]
pub struct SealedCertificate {
    name: String,
    /// The text without the signature.
    body: String,
    seal: Option<(PublicKey, Signature)>,
}

/// How every certificate ends.
const END: &str = "\n}\n";

const PUBLIC_KEY: &str = ",\n  \"signature\": {\n    \"public_key\": \"";
const ED25519: &str = "\",\n    \"ed25519\": \"";
const END_OF_SEAL: &str = "\"\n  }\n}\n";
const KEY_DIGITS: usize = 64;
const SIGNATURE_DIGITS: usize = 128;

impl Certificate {
    /// As it is written with a signature.
    pub fn signed(&self, signer: &Signer) -> String {
        let body = self.to_text();
        let signature = signer.sign(body.as_bytes());
        let open = body.strip_suffix(END).expect("an object with keys ends in a brace on a line of its own");
        format!("{open}{PUBLIC_KEY}{}{ED25519}{signature}{END_OF_SEAL}", signer.public())
    }
}

impl SealedCertificate {
    /// Takes a file apart; nothing is checked yet.
    pub fn parse(bytes: Vec<u8>, name: &str) -> Result<Self> {
        let text =
            String::from_utf8(bytes).map_err(|_| Error::policy(format!("{name} is no certificate: it is no text")))?;
        let Some((open, key, signature)) = split(&text) else {
            return Ok(Self { name: name.to_owned(), body: text, seal: None });
        };
        let seal = PublicKey::parse(key).zip(Signature::parse(signature));
        let seal = seal.ok_or_else(|| Error::policy(format!("{name}: what stands as its signature is none")))?;
        Ok(Self { name: name.to_owned(), body: format!("{open}{END}"), seal: Some(seal) })
    }

    /// The certificate, if its signature fits. With the public key of somebody, it must be signed by them.
    pub fn open(&self, signer: Option<&PublicKey>) -> Result<(Certificate, SignatureState)> {
        let no = |what: &str| Error::not_met(format!("{} {what}", self.name));
        let state = match (&self.seal, signer) {
            (None, None) => SignatureState::Absent,
            (None, Some(_)) => {
                return Err(no("is not signed")
                    .hint("ask for a signed one: `shoal anonymize .. --certificate FILE --sign KEY`"));
            }
            (Some((key, signature)), signer) => {
                if signer.is_some_and(|signer| signer != key) {
                    return Err(no("is signed with another key than that of --signer"));
                }
                if !key.has_signed(self.body.as_bytes(), signature) {
                    return Err(no("was changed after it was signed: its signature does not fit"));
                }
                if signer.is_some() { SignatureState::Valid } else { SignatureState::OfSomebody }
            }
        };
        Ok((Certificate::parse(&self.body, &self.name)?, state))
    }
}

/// What stands before the signature, the public key and the signature, if a text ends as signed ones do.
fn split(text: &str) -> Option<(&str, &str, &str)> {
    let rest = text.strip_suffix(END_OF_SEAL)?;
    let (rest, signature) = rest.split_at_checked(rest.len().checked_sub(SIGNATURE_DIGITS)?)?;
    let rest = rest.strip_suffix(ED25519)?;
    let (rest, key) = rest.split_at_checked(rest.len().checked_sub(KEY_DIGITS)?)?;
    Some((rest.strip_suffix(PUBLIC_KEY)?, key, signature))
}
