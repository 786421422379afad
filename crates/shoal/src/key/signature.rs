//! Who vouches for some bytes, and is it true?

use std::fmt;
use std::path::{Path, PathBuf};

use ed25519_dalek::{SigningKey, VerifyingKey};
use pem_rfc7468::LineEnding;

use super::file::{self, MODE_HINT, Readers, refuse_existing};
use super::{from_hex, random_bytes, to_hex};
use shoal_core::{Error, Result};

/// What a private key has before its 32 bytes, and a public one before its own (RFC 8410, sections 4, 7 and 10): all of the
/// DER but the key itself is the same for every key.
const PRIVATE: (&str, &[u8]) = ("PRIVATE KEY", b"\x30\x2e\x02\x01\x00\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20");
const PUBLIC: (&str, &[u8]) = ("PUBLIC KEY", b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00");

const HOW_TO_MAKE_ONE: &str = "`shoal keys signature -o KEY.pem` makes a private key, and the public one beside it";

/// A private Ed25519 key.
pub struct Signer(SigningKey);

/// A public one: what signatures are checked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

/// A signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature([u8; 64]);

/// A private key is shown nowhere.
impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Signer({})", self.public())
    }
}

impl Signer {
    /// One that nobody can guess.
    pub fn fresh() -> Result<Self> {
        Ok(Self(SigningKey::from_bytes(&random_bytes()?)))
    }

    /// Reads a private key; an error if others can read it, too.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, is_open) = file::read(path).map_err(|error| error.hint(HOW_TO_MAKE_ONE))?;
        let bytes = key_in(&text, PRIVATE).map_err(|what| refused(path, &what, "private"))?;
        if is_open {
            let name = path.display();
            return Err(Error::policy(format!("{name}: others than its owner can read or write this private key"))
                .detail("whoever has it can sign in your name")
                .hint(format!("{MODE_HINT} {name}; if somebody may have read it, make another one")));
        }
        Ok(Self(SigningKey::from_bytes(&bytes)))
    }

    /// Writes it to a new file that nobody else can read, and the public key beside it; where that is.
    pub fn write(&self, path: &Path) -> Result<PathBuf> {
        let public = path.with_extension("pub.pem");
        if public.exists() {
            return Err(refuse_existing(&public));
        }
        file::create(path, &to_pem(PRIVATE, self.0.as_bytes()), Readers::Owner)?;
        file::create(&public, &self.public().to_pem(), Readers::Everybody).inspect_err(|_| {
            // The one without the other is of no use; it was made just now, and nobody has used it.
            let _ = std::fs::remove_file(path);
        })?;
        Ok(public)
    }

    /// What its signatures are checked with.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs these bytes.
    pub fn sign(&self, bytes: &[u8]) -> Signature {
        use ed25519_dalek::Signer as _;
        Signature(self.0.sign(bytes).to_bytes())
    }
}

impl PublicKey {
    /// Reads a public key.
    pub fn read(path: &Path) -> Result<Self> {
        let (text, _) = file::read(path).map_err(|error| error.hint(HOW_TO_MAKE_ONE))?;
        let bytes = key_in(&text, PUBLIC).map_err(|what| refused(path, &what, "public"))?;
        Self::new(&bytes)
            .ok_or_else(|| refused(path, "it is no point of the curve, or one that anybody can sign for", "public"))
    }

    /// A key that anybody could sign for is none.
    fn new(bytes: &[u8; 32]) -> Option<Self> {
        VerifyingKey::from_bytes(bytes).ok().filter(|key| !key.is_weak()).map(Self)
    }

    /// The key with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::new(&from_hex(text)?)
    }

    /// Was this signed with the private key of this one?
    pub fn has_signed(&self, bytes: &[u8], signature: &Signature) -> bool {
        self.0.verify_strict(bytes, &ed25519_dalek::Signature::from_bytes(&signature.0)).is_ok()
    }

    fn to_pem(self) -> String {
        to_pem(PUBLIC, self.0.as_bytes())
    }
}

/// Its 32 bytes in hexadecimal digits.
impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(self.0.as_bytes()))
    }
}

impl Signature {
    /// The signature that is written so.
    pub fn parse(text: &str) -> Option<Self> {
        from_hex(text).map(Self)
    }
}

/// Its 64 bytes in hexadecimal digits.
impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&to_hex(&self.0))
    }
}

fn to_pem((label, before): (&str, &[u8]), key: &[u8; 32]) -> String {
    let der = [before, key].concat();
    pem_rfc7468::encode_string(label, LineEnding::LF, &der).expect("a short key fits into memory")
}

/// The key in a file, or why there is none. A secret is in no message.
fn key_in(text: &str, (label, before): (&str, &[u8])) -> Result<[u8; 32], String> {
    let (found, der) =
        pem_rfc7468::decode_vec(text.as_bytes()).map_err(|_| "it is no key in the form of PEM".to_owned())?;
    if found != label {
        return Err(match found {
            "PRIVATE KEY" => "it is a private key".to_owned(),
            "PUBLIC KEY" => "it is a public key".to_owned(),
            "ENCRYPTED PRIVATE KEY" => "it is encrypted, and Shoal asks for no password".to_owned(),
            _ => "it is another kind of key".to_owned(),
        });
    }
    let key = der.strip_prefix(before).and_then(|key| key.try_into().ok());
    key.ok_or_else(|| "it is no Ed25519 key".to_owned())
}

fn refused(path: &Path, what: &str, kind: &str) -> Error {
    Error::policy(format!("{} is not the {kind} key that is needed: {what}", path.display())).hint(HOW_TO_MAKE_ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 8032, section 7.1, test 2; and the private key of RFC 8410, section 10.3, with the public one of section 10.1.
    #[test]
    fn signatures_and_files_are_those_of_the_standards() {
        let seed = from_hex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb").unwrap();
        let signer = Signer(SigningKey::from_bytes(&seed));
        assert_eq!(signer.public().to_string(), "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
        let expected = "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                        085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
        assert_eq!(signer.sign(&[0x72]).to_string(), expected);
        let private = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
                       -----END PRIVATE KEY-----\n";
        let public = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
                      -----END PUBLIC KEY-----\n";
        let key = key_in(private, PRIVATE).unwrap();
        assert_eq!(to_pem(PRIVATE, &key), private);
        assert_eq!(Signer(SigningKey::from_bytes(&key)).public().to_pem(), public);
        assert_eq!(
            PublicKey::new(&key_in(public, PUBLIC).unwrap()),
            Some(Signer(SigningKey::from_bytes(&key)).public())
        );
    }

    #[test]
    fn every_flipped_bit_of_text_and_signature_is_noticed() {
        let signer = Signer::fresh().unwrap();
        let (text, public) = (*b"a certificate", signer.public());
        let signature = signer.sign(&text);
        assert!(public.has_signed(&text, &signature));
        assert!(!Signer::fresh().unwrap().public().has_signed(&text, &signature));
        for bit in 0..text.len() * 8 {
            let mut changed = text;
            changed[bit / 8] ^= 1 << (bit % 8);
            assert!(!public.has_signed(&changed, &signature));
        }
        for bit in 0..512 {
            let mut changed = signature;
            changed.0[bit / 8] ^= 1 << (bit % 8);
            assert!(!public.has_signed(&text, &changed));
        }
    }

    #[test]
    fn the_wrong_file_is_named_and_its_secret_is_not() {
        let signer = Signer::fresh().unwrap();
        let private = to_pem(PRIVATE, signer.0.as_bytes());
        assert_eq!(key_in(&private, PUBLIC).unwrap_err(), "it is a private key");
        assert_eq!(key_in(&signer.public().to_pem(), PRIVATE).unwrap_err(), "it is a public key");
        assert_eq!(key_in("secret", PRIVATE).unwrap_err(), "it is no key in the form of PEM");
        let other = pem_rfc7468::encode_string("PUBLIC KEY", LineEnding::LF, &[1, 2, 3]).unwrap();
        assert_eq!(key_in(&other, PUBLIC).unwrap_err(), "it is no Ed25519 key");
        // The neutral element: everybody can make a signature that it accepts.
        let mut weak = [0; 32];
        weak[0] = 1;
        assert_eq!(PublicKey::new(&weak), None);
        assert!(!format!("{signer:?}").contains(&to_hex(signer.0.as_bytes())));
    }
}
