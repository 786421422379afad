//! How does a release become a table of Spark's catalog?

use shoal::{Error, Result};

use super::error::{explained, is_table_not_found};
use super::protocol;
use super::session::Session;
use super::target::Target;

/// A table. It is written under another name in the same schema and then renamed.
pub(super) struct TableTarget {
    /// Its name as the policy has it.
    name: String,
    staging: String,
    aside: String,
    overwrite: bool,
}

impl TableTarget {
    /// The table with this name. `run` tells the names of this run from those of others.
    pub(super) fn new(name: &str, run: &str, overwrite: bool) -> Self {
        let beside = |what: &str| match name.strip_suffix('`') {
            Some(quoted) => format!("{quoted}_shoal_{what}_{run}`"),
            None => format!("{name}_shoal_{what}_{run}"),
        };
        Self { name: name.to_owned(), staging: beside("staging"), aside: beside("replaced"), overwrite }
    }

    fn exists(&self, session: &Session) -> Result<bool> {
        match session.schema(protocol::table(&self.name)) {
            Ok(_) => Ok(true),
            Err(error) if is_table_not_found(&error) => Ok(false),
            Err(error) => Err(explained(&error, &format!("cannot look at table {}", self.name))),
        }
    }

    fn rename(&self, session: &Session, from: &str, to: &str) -> Result<()> {
        let rename = protocol::statement(&format!("ALTER TABLE {from} RENAME TO {to}"));
        session.run(rename).map_err(|error| explained(&error, &format!("cannot rename table {from} to {to}")))
    }

    /// Puts the release into the place of an earlier one, which stays if that fails.
    fn replace(&self, session: &Session) -> Result<()> {
        self.rename(session, &self.name, &self.aside)?;
        self.rename(session, &self.staging, &self.name).map_err(|error| {
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
            return Err(Error::new(format!("table {} exists already", self.name))
                .hint("choose another name in [output], or replace it with `--overwrite`"));
        }
        Ok(())
    }

    fn stage(&self, session: &Session, query: &str) -> Result<()> {
        let write = protocol::write_table(protocol::query(query), &self.staging);
        session.run(write).map_err(|error| explained(&error, &format!("cannot write table {}", self.name)))
    }

    fn staged(&self) -> String {
        self.staging.clone()
    }

    fn publish(&self, session: &Session) -> Result<()> {
        if self.overwrite && self.exists(session)? {
            self.replace(session)
        } else {
            self.rename(session, &self.staging, &self.name)
        }
    }

    fn release(&self) -> String {
        self.name.clone()
    }

    fn discard(&self, session: &Session) {
        drop_table(session, &self.staging);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_staged_stands_beside_the_release() {
        assert_eq!(TableTarget::new("db.release", "1f", false).staging, "db.release_shoal_staging_1f");
        assert_eq!(TableTarget::new("db.`my release`", "1f", false).staging, "db.`my release_shoal_staging_1f`");
    }
}
