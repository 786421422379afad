//! Which engine holds the table, where is it, and what is to be read there?

use std::fmt;

/// `[input]` of a table that lives in an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineInput {
    /// Where the engine is.
    pub address: EngineAddress,
    /// What is read there.
    pub rows: EngineRows,
}

/// What kind of engine it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineKind {
    /// A cluster that speaks Spark Connect.
    Spark,
    /// A PostgreSQL database.
    Postgres,
}

impl EngineKind {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Spark => "Spark",
            Self::Postgres => "PostgreSQL",
        }
    }

    /// The key of its address in a policy.
    pub fn key(self) -> &'static str {
        match self {
            Self::Spark => "spark",
            Self::Postgres => "postgres",
        }
    }

    /// How its addresses begin.
    pub(super) fn schemes(self) -> &'static [&'static str] {
        match self {
            Self::Spark => &["sc://"],
            Self::Postgres => &["postgres://", "postgresql://"],
        }
    }

    pub(super) fn example(self) -> &'static str {
        match self {
            Self::Spark => "sc://localhost:15002",
            Self::Postgres => "postgres://user@localhost/database",
        }
    }
}

/// The address of an engine. It may hold a password or a token, so it prints without them, whoever prints it.
#[derive(Clone, PartialEq, Eq)]
pub struct EngineAddress {
    kind: EngineKind,
    url: String,
}

impl EngineAddress {
    /// This address of an engine of this kind.
    pub fn new(kind: EngineKind, url: impl Into<String>) -> Self {
        Self { kind, url: url.into() }
    }

    /// What kind of engine is there.
    pub fn kind(&self) -> EngineKind {
        self.kind
    }

    /// The whole address, secrets and all: to connect with, never to show.
    pub fn secret_url(&self) -> &str {
        &self.url
    }
}

impl fmt::Display for EngineAddress {
    /// Scheme, user, host and database; neither password nor parameters, among which tokens may be.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.url.split_once("://").unwrap_or(("", &self.url));
        let rest = rest.split(['?', ';', '#']).next().unwrap_or_default();
        // A password may have an `@` or a `/` in it, though it should not: it ends at the last `@`.
        let shown = match rest.rsplit_once('@') {
            Some((login, place)) => format!("{}@{place}", login.split(':').next().unwrap_or_default()),
            None => rest.to_owned(),
        };
        write!(f, "{scheme}://{}", shown.trim_end_matches('/'))
    }
}

impl fmt::Debug for EngineAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// What is read of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EngineRows {
    /// A table or view, by its name there.
    Table(String),
    /// What a query gives.
    Query(String),
    /// Files that the engine reads by itself.
    Path {
        /// Where they are, as the engine calls it.
        path: String,
        /// Their format, where the engine has to be told.
        format: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_secrets() {
        let shown = |url: &str| EngineAddress::new(EngineKind::Postgres, url).to_string();
        assert_eq!(
            shown("postgres://ann:secret@db.example:5433/clinic?sslmode=require"),
            "postgres://ann@db.example:5433/clinic"
        );
        assert_eq!(shown("postgres://ann:se@cr/et@db.example/clinic"), "postgres://ann@db.example/clinic");
        assert_eq!(shown("postgres://db.example?password=secret"), "postgres://db.example");
        assert_eq!(shown("sc://spark.example:15002/;token=secret"), "sc://spark.example:15002");
        let address = EngineAddress::new(EngineKind::Postgres, "postgres://ann:secret@db.example/clinic");
        assert!(!format!("{address:?}").contains("secret"));
        assert!(address.secret_url().contains("secret"));
    }
}
