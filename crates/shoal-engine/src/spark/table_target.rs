//! How does a release become a table of Spark's catalog?

use shoal_core::{Error, Result};

use super::error::{explained, is_table_not_found};
use super::protocol;
use super::session::Session;
use super::table_name::TableName;
use super::target::Target;

/// A table. It is written under another name in the same schema and then renamed.
pub(super) struct TableTarget {
    /// Its name as the policy has it, for messages.
    shown: String,
    /// Names as they stand in queries.
    name: String,
    staging: String,
    /// Where the release is taken to, if more than that was staged.
    alone: String,
    aside: String,
    overwrite: bool,
}

impl TableTarget {
    /// The table with this name. `run` tells the names of this run from those of others.
    pub(super) fn new(name: &str, run: &str, overwrite: bool) -> Result<Self> {
        let shown = name.to_owned();
        let name = TableName::parse(name)?;
        let beside = |what: &str| name.beside(&format!("_shoal_{what}_{run}")).quoted();
        let (staging, alone, aside) = (beside("staging"), beside("staging_release"), beside("replaced"));
        Ok(Self { shown, name: name.quoted(), staging, alone, aside, overwrite })
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

    /// Puts the release into the place of an earlier one, which stays if that fails.
    fn replace(&self, session: &Session, release: &str) -> Result<()> {
        self.rename(session, &self.name, &self.aside)?;
        self.rename(session, release, &self.name).map_err(|error| {
            match self.rename(session, &self.aside, &self.name) {
                Ok(()) => error,
                Err(_) => error.detail(format!("the earlier table is now called {}", self.aside)),
            }
        })?;
        drop_table(session, &self.aside);
        Ok(())
    }
}

fn drop_table(session: &Session, name: &str) {
    let _ = session.run(protocol::statement(&format!("DROP TABLE IF EXISTS {name}")));
}

impl Target for TableTarget {
    fn check(&self, session: &Session) -> Result<()> {
        if !self.overwrite && self.exists(session)? {
            return Err(Error::place(format!("table {} exists already", self.shown))
                .hint("choose another name in [output], or replace it with `--overwrite`"));
        }
        Ok(())
    }

    fn stage(&self, session: &Session, query: &str) -> Result<()> {
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
}
