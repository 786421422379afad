//! Which refusals are said to happen, and why are they right?

/// A refusal that is no flaw: what the message holds, and why it may be.
pub struct Refusal {
    pub words: &'static str,
    pub reason: &'static str,
}

/// Requests that the documentation says are refused with exit code 2.
pub const REFUSALS: &[Refusal] = &[];

/// The known refusal that a message is.
pub fn known(message: &str) -> Option<&'static Refusal> {
    REFUSALS.iter().find(|refusal| message.contains(refusal.words))
}
