//! Which engines are there, and what do they add to a policy?
//!
//! An engine holds tables that are in no file: a database, a cluster. This library knows none by name; whoever has some says so
//! once, before the first policy is read.

use std::sync::OnceLock;

use super::engine_input::{EngineAddress, EngineInput};
use shoal_core::Result;
use shoal_core::model::Complaint;

/// An engine, as far as a policy is concerned.
#[derive(Debug)]
pub struct EngineEntry {
    /// Its name for people.
    pub name: &'static str,
    /// The key of `[input]` with its address, which decides that the table is there.
    pub address: EngineKey,
    /// How addresses begin, the usual way first.
    pub schemes: &'static [&'static str],
    /// Further keys of `[input]`, all of them texts.
    pub more_keys: &'static [EngineKey],
    /// Does it read and write files by itself, named by `path`?
    pub reads_files: bool,
    /// What is wrong with what a policy says, besides its address.
    pub check: fn(&EngineInput) -> Result<(), Complaint>,
    /// What to do next with a release that is there.
    pub next_step: fn(&Released<'_>) -> String,
}

/// A key that an engine adds to `[input]`.
#[derive(Debug)]
pub struct EngineKey {
    /// As a policy writes it.
    pub name: &'static str,
    /// What it means, in sentences.
    pub description: &'static str,
    /// What may stand there.
    pub example: &'static str,
}

/// A release in an engine, and what a sentence about it needs.
#[derive(Debug, Clone, Copy)]
pub struct Released<'a> {
    /// Where it is.
    pub address: &'a EngineAddress,
    /// The name of the release there.
    pub release: &'a str,
    /// The options by which an audit judges it.
    pub judge: &'a str,
    /// A text as one word of a command.
    pub word: fn(&str) -> String,
}

/// An engine that this program could have, and does not.
#[derive(Debug)]
pub struct AbsentEngine {
    /// The key of `[input]` with its address.
    pub key: &'static str,
    /// Why a policy with that key is refused.
    pub refusal: &'static str,
    /// What can be done about it.
    pub hint: &'static str,
}

static KNOWN: OnceLock<Vec<&'static EngineEntry>> = OnceLock::new();
static ABSENT: OnceLock<Vec<AbsentEngine>> = OnceLock::new();

/// Says which engines there are. The first who does so decides; later calls change nothing.
///
/// ```
/// use shoal::policy::Policy;
/// use shoal::policy::engines::{EngineEntry, EngineKey, register};
///
/// static LAKE: EngineEntry = EngineEntry {
///     name: "the lake",
///     address: EngineKey { name: "lake", description: "The address of a lake.", example: "lake://localhost" },
///     schemes: &["lake://"],
///     more_keys: &[],
///     reads_files: false,
///     check: |_| Ok(()),
///     next_step: |released| format!("look at {}", released.release),
/// };
///
/// register([&LAKE]);
/// let text = "[input]\nlake = 'lake://localhost'\ntable = 'people'\n[output]\ntable = 'release'\n\
///             [columns.age]\nrole = 'quasi-identifier'\n[[require]]\nmodel = 'k-anonymity'\nk = 5\n";
/// let policy = Policy::parse(text, "policy.toml", "".as_ref())?;
/// assert_eq!(policy.input.engine.unwrap().address.engine().name, "the lake");
/// # Ok::<(), shoal::Error>(())
/// ```
pub fn register(engines: impl IntoIterator<Item = &'static EngineEntry>) {
    let _ = KNOWN.set(engines.into_iter().collect());
}

/// Says which engines another build of this program would have, so that a policy that names one is refused with a way out.
///
/// ```
/// use shoal::policy::Policy;
/// use shoal::policy::engines::{AbsentEngine, register_absent};
///
/// register_absent([AbsentEngine {
///     key: "pond",
///     refusal: "this program was built without ponds",
///     hint: "build it with them",
/// }]);
/// let error = Policy::parse("[input]\npond = 'pond://localhost'", "policy.toml", "".as_ref()).unwrap_err();
/// assert_eq!(error.message(), "policy.toml, line 2: this program was built without ponds");
/// ```
pub fn register_absent(engines: impl IntoIterator<Item = AbsentEngine>) {
    let _ = ABSENT.set(engines.into_iter().collect());
}

/// The engines that there are.
pub fn known() -> &'static [&'static EngineEntry] {
    KNOWN.get().map_or(&[], Vec::as_slice)
}

/// The engine that is missing here and has this key.
pub(super) fn absent(key: &str) -> Option<&'static AbsentEngine> {
    ABSENT.get()?.iter().find(|engine| engine.key == key)
}

/// Every key that an engine adds to `[input]`, each once, also those of engines that are missing.
pub fn keys() -> Vec<&'static str> {
    let of_known = known().iter().flat_map(|engine| engine.keys().map(|key| key.name));
    let of_absent = ABSENT.get().into_iter().flatten().map(|engine| engine.key);
    let mut keys: Vec<&'static str> = Vec::new();
    for key in of_known.chain(of_absent) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

impl EngineEntry {
    /// The keys that it adds to `[input]`, its address first.
    pub fn keys(&self) -> impl Iterator<Item = &EngineKey> {
        std::iter::once(&self.address).chain(self.more_keys)
    }
}
