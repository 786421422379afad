//! Where does a release go, and how is it kept from being taken for one before it is?

use shoal_core::Result;

use super::session::Session;

/// A place for a release. What is staged has a name of its own beside it, until it is published.
pub(super) trait Target: Send + Sync {
    /// Refuses a place that is taken, before any work is done.
    fn check(&self, session: &Session) -> Result<()>;
    /// Lets the workers write what a query gives.
    fn stage(&self, session: &Session, query: &str) -> Result<()>;
    /// What was staged, as it stands after FROM.
    fn staged(&self) -> String;
    /// Gives what was staged its name, all of it at once; where it has more than the release, what this query takes out of it.
    fn publish(&self, session: &Session, release: Option<&str>) -> Result<()>;
    /// What the release is called once it is published.
    fn release(&self) -> String;
    /// Removes what was staged, if anything was.
    fn discard(&self, session: &Session);
}
