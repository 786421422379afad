//! `shoal keys`: keys that nobody can guess, in files that nobody else can read.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use shoal::key::{PseudonymKey, Signer};
use shoal_core::{Error, Result};

use crate::Context;
use crate::exit::ExitCode;
use crate::output::{say_text, word};

#[derive(Args)]
pub struct Keys {
    #[command(subcommand)]
    kind: KeyKind,
}

#[derive(Subcommand)]
enum KeyKind {
    /// Make a key that pseudonyms are made with
    ///
    /// Name it in the policy: `key-file = "KEY"` beside `replace = "pseudonym"`. The same key gives the same pseudonyms, so that
    /// releases can be joined, and equal values the same one in every column, unless a `domain` beside it separates them. Whoever has the
    /// key can tell whose pseudonyms are whose: keep it secret, and keep it.
    Pseudonym(Output),
    /// Make a pair of keys: a private one that signs certificates, a public one that checks them
    ///
    /// `shoal anonymize POLICY --certificate C.json --sign KEY.pem` signs; `shoal audit RELEASE --certificate C.json --signer
    /// KEY.pub.pem` checks. Publish the public key where others know that it is yours: a signature proves that whoever has the private
    /// key has signed, and the public key alone does not say who that is. The keys are Ed25519, in PEM (PKCS#8 and SPKI).
    Signature(Output),
}

#[derive(Args)]
struct Output {
    /// Write the key to this new file; the public one of a pair goes beside it, as NAME.pub.pem
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

impl Keys {
    pub fn run(&self, context: &Context) -> Result<ExitCode> {
        let (KeyKind::Pseudonym(Output { output }) | KeyKind::Signature(Output { output })) = &self.kind;
        refuse_stdout(output)?;
        let said = match &self.kind {
            KeyKind::Pseudonym(_) => {
                PseudonymKey::fresh()?.write(output)?;
                format!(
                    "{}: a key for pseudonyms; keep it secret, and keep it\nnext: in the policy, `key-file` beside \
                     `replace = \"pseudonym\"`",
                    word(output)
                )
            }
            KeyKind::Signature(_) => {
                let public = Signer::fresh()?.write(output)?;
                let (private, public) = (word(output), word(public));
                format!(
                    "{private}: the private key; keep it secret\n{public}: the public key; publish it where others know that it is \
                     yours\nnext: shoal anonymize POLICY --certificate C.json --sign {private}"
                )
            }
        };
        if !context.quiet {
            say_text(&said);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What goes to stdout ends up in files that others can read, and on screens.
fn refuse_stdout(path: &Path) -> Result<()> {
    match path == Path::new("-") {
        true => Err(Error::policy("a key is written to a file, not to stdout").hint("name one: -o KEY")),
        false => Ok(()),
    }
}
