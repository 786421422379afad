//! What must an engine be able to do?

use std::path::PathBuf;

use shoal_core::Result;

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::mapping::MappingTable;

/// Told about each group: the texts of its keys, `None` where there is no value, and the counts that follow them.
pub type EachGroup<'a> = &'a mut dyn FnMut(&[Option<&str>], &[u64]) -> Result<()>;

/// A database or a cluster that holds a table and takes its release.
///
/// The order of calls is that of the trait. An engine that is dropped before it was told to publish leaves nothing behind.
pub trait Engine: Send {
    /// How its queries are written.
    fn dialect(&self) -> &dyn SqlDialect;
    /// What the table is called in messages.
    fn place(&self) -> String;
    /// The file or folder that is read, if it is one that this machine might see.
    fn local_input(&self) -> Option<PathBuf> {
        None
    }
    /// The table or query that is read, as it stands after FROM, without an alias.
    fn input(&self) -> String;
    /// The columns of what stands after FROM.
    fn columns(&mut self, relation: &str) -> Result<Vec<EngineColumn>>;
    /// Runs a query that gives `keys` columns of text and then whole numbers, and passes its rows on as they come.
    fn groups(&mut self, query: &str, keys: usize, each: EachGroup<'_>) -> Result<()>;
    /// Sends a mapping table, which following queries know by its name.
    fn send(&mut self, mapping: &MappingTable) -> Result<()>;
    /// Keeps what a query gives, which following queries know by this name until it rests.
    fn keep(&mut self, name: &str, query: &str) -> Result<()>;
    /// Writes what a query gives where nobody takes it for a release yet. `has_people` where it tells more than a release may.
    fn stage(&mut self, query: &str, has_people: bool) -> Result<()>;
    /// How many rows were staged, where the engine has told.
    fn staged_rows(&self) -> Option<u64> {
        None
    }
    /// What was staged, as it stands after FROM, without an alias.
    fn staged(&self) -> String;
    /// Publishes what was staged: all of it, at once. Where that tells more than a release may, `release` is the query that leaves it out.
    fn publish(&mut self, release: Option<&str>) -> Result<()>;
    /// What the release is called once it is published.
    fn release(&self) -> String;
    /// Does it see one state of the table until it rests? If not, the table is counted once more after staging.
    fn sees_one_state(&self) -> bool;
    /// Begins to look at the table, if it does not do so already.
    fn wake(&mut self) -> Result<()> {
        Ok(())
    }
    /// Holds nothing open that others may wait for.
    fn rest(&mut self) -> Result<()> {
        Ok(())
    }
    /// Removes what was staged and not published.
    fn discard(&mut self);
    /// Ends what it is doing, from another thread; that fails then.
    fn stopper(&self) -> Box<dyn Fn() + Send + Sync>;
}
