//! How does a release become a table of Spark's catalog?

use arrow_array::StringArray;
use shoal_core::{Error, Result};

use super::error::{explained, is_table_not_found};
use super::protocol;
use super::session::Session;
use super::table_name::TableName;
use super::target::Target;

/// What stands behind the name of an earlier table while another one takes its place.
const PUT_ASIDE: &str = "_shoal_replaced_";

/// What stands behind it once that is done, until it is dropped: nobody gives it its name back.
const GONE: &str = "_shoal_gone_";

/// A table. It is written under another name in the same schema and then renamed.
pub(super) struct TableTarget {
    /// Its name as the policy has it, for messages.
    shown: String,
    place: TableName,
    /// Names as they stand in queries.
    name: String,
    staging: String,
    /// Where the release is taken to, if more than that was staged.
    alone: String,
    aside: String,
    gone: String,
    overwrite: bool,
}

impl TableTarget {
    /// The table with this name. `run` tells the names of this run from those of others.
    pub(super) fn new(name: &str, run: &str, overwrite: bool) -> Result<Self> {
        let shown = name.to_owned();
        let place = TableName::parse(name)?;
        let beside = |what: &str| place.beside(&format!("{what}{run}")).quoted();
        let (staging, alone) = (beside("_shoal_staging_"), beside("_shoal_staging_release_"));
        let (aside, gone) = (beside(PUT_ASIDE), beside(GONE));
        Ok(Self { shown, name: place.quoted(), place, staging, alone, aside, gone, overwrite })
    }

    fn exists(&self, session: &Session) -> Result<bool> {
        match session.schema(protocol::table(&self.name)) {
            Ok(_) => Ok(true),
            Err(error) if is_table_not_found(&error) => Ok(false),
            Err(error) => Err(explained(&error, &format!("cannot look at table {}", self.shown))),
        }
    }

    fn write(&self, session: &Session, query: &str, name: &str) -> Result<()> {
        let write = protocol::write_table(protocol::query(query), name);
        session.run(write).map_err(|error| explained(&error, &format!("cannot write table {}", self.shown)))
    }

    fn rename(&self, session: &Session, from: &str, to: &str) -> Result<()> {
        let rename = protocol::statement(&format!("ALTER TABLE {from} RENAME TO {to}"));
        session.run(rename).map_err(|error| explained(&error, &format!("cannot rename table {from} to {to}")))
    }

    /// Gives its name back to an earlier table that a run had put aside which was killed before the new one was in its place; is there one?
    fn restore(&self, session: &Session) -> Result<bool> {
        match self.put_aside(session) {
            None => Ok(false),
            Some(aside) => self.rename(session, &aside.quoted(), &self.name).map(|()| true),
        }
    }

    /// The table that was put aside. Of several it cannot be told which was the last, and where tables cannot be listed, there is none.
    fn put_aside(&self, session: &Session) -> Option<TableName> {
        let schema = self.place.schema().map(|schema| format!(" IN {}", schema.quoted())).unwrap_or_default();
        let mut found = Vec::new();
        let listed = session.query(&format!("SHOW TABLES{schema}"), "cannot list tables", |batch| {
            let names =
                batch.column_by_name("tableName").and_then(|names| names.as_any().downcast_ref::<StringArray>());
            let names = names.into_iter().flatten().flatten();
            found.extend(names.filter_map(|name| self.place.sibling(name, PUT_ASIDE)));
            Ok(())
        });
        listed.ok().and_then(|()| found.pop()).filter(|_| found.is_empty())
    }

    /// Is there a table of this name, if only since it got it back?
    fn is_taken(&self, session: &Session) -> Result<bool> {
        Ok(self.exists(session)? || self.restore(session)?)
    }

    /// Puts the release into the place of an earlier one, which stays if that fails.
    fn replace(&self, session: &Session, release: &str) -> Result<()> {
        self.rename(session, &self.name, &self.aside)?;
        self.rename(session, release, &self.name).map_err(|error| {
            match self.rename(session, &self.aside, &self.name) {
                Ok(()) => error,
                Err(_) => error.detail(format!("the earlier table is now called {}", self.aside)),
            }
        })?;
        let is_gone = self.rename(session, &self.aside, &self.gone).is_ok();
        drop_table(session, if is_gone { &self.gone } else { &self.aside });
        Ok(())
    }
}

fn drop_table(session: &Session, name: &str) {
    let _ = session.run(protocol::statement(&format!("DROP TABLE IF EXISTS {name}")));
}

impl Target for TableTarget {
    fn check(&self, session: &Session) -> Result<()> {
        // Whoever replaces it may be about to write nothing at all.
        if !self.overwrite && self.is_taken(session)? {
            return Err(Error::place(format!("table {} exists already", self.shown))
                .hint("choose another name in [output], or replace it with `--overwrite`"));
        }
        Ok(())
    }

    fn stage(&self, session: &Session, query: &str) -> Result<()> {
        // What was put aside is replaced as any earlier release is.
        self.is_taken(session)?;
        self.write(session, query, &self.staging)
    }

    fn staged(&self) -> String {
        self.staging.clone()
    }

    fn publish(&self, session: &Session, release: Option<&str>) -> Result<()> {
        let verified = match release {
            None => &self.staging,
            Some(query) => {
                self.write(session, query, &self.alone)?;
                &self.alone
            }
        };
        if self.overwrite && self.exists(session)? {
            self.replace(session, verified)?;
        } else {
            self.rename(session, verified, &self.name)?;
        }
        if release.is_some() {
            drop_table(session, &self.staging);
        }
        Ok(())
    }

    fn release(&self) -> String {
        self.shown.clone()
    }

    fn discard(&self, session: &Session) {
        drop_table(session, &self.staging);
        drop_table(session, &self.alone);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_staged_stands_beside_the_release() {
        let staging = |name: &str| TableTarget::new(name, "1f", false).unwrap().staging;
        assert_eq!(staging("db.release"), "`db`.`release_shoal_staging_1f`");
        assert_eq!(staging("db.`my release`"), "`db`.`my release_shoal_staging_1f`");
    }

    #[test]
    fn what_was_put_aside_is_known_by_its_name() {
        let target = TableTarget::new("db.Release", "1f", false).unwrap();
        assert_eq!(target.aside, "`db`.`Release_shoal_replaced_1f`");
        let aside = |name: &str| target.place.sibling(name, PUT_ASIDE).map(|name| name.quoted());
        assert_eq!(aside("release_shoal_replaced_0a"), Some("`db`.`release_shoal_replaced_0a`".to_owned()));
        assert_eq!(aside("release_shoal_staging_0a"), None);
        assert_eq!(aside("other_release_shoal_replaced_0a"), None);
        assert_eq!(target.place.schema().map(|schema| schema.quoted()), Some("`db`".to_owned()));
        assert_eq!(TableName::parse("release").unwrap().schema(), None);
    }
}
