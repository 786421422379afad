//! Which engine holds the table, where is it, and what is to be read there?

use std::fmt;

use super::engines::EngineEntry;

/// `[input]` of a table that lives in an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineInput {
    /// Where the engine is.
    pub address: EngineAddress,
    /// What is read there.
    pub rows: EngineRows,
    /// What else `[input]` says with the engine's own keys.
    pub options: Vec<(&'static str, String)>,
}

impl EngineInput {
    /// The text of one of the engine's own keys.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(name, _)| *name == key).map(|(_, text)| text.as_str())
    }
}

/// The address of an engine. It may hold a password or a token, so it prints without them, whoever prints it.
#[derive(Clone)]
pub struct EngineAddress {
    engine: &'static EngineEntry,
    url: String,
}

impl EngineAddress {
    /// This address of an engine.
    pub fn new(engine: &'static EngineEntry, url: impl Into<String>) -> Self {
        Self { engine, url: url.into() }
    }

    /// What kind of engine is there.
    pub fn engine(&self) -> &'static EngineEntry {
        self.engine
    }

    /// The whole address, secrets and all: to connect with, never to show.
    pub fn secret_url(&self) -> &str {
        &self.url
    }
}

impl PartialEq for EngineAddress {
    fn eq(&self, other: &Self) -> bool {
        self.engine.address.name == other.engine.address.name && self.url == other.url
    }
}

impl Eq for EngineAddress {}

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
    /// Files that the engine reads by itself, as it calls their place.
    Path(String),
}

#[cfg(test)]
mod tests {
    use super::super::engines::EngineKey;
    use super::*;

    static ENGINE: EngineEntry = EngineEntry {
        name: "a database",
        address: EngineKey { name: "base", description: "An address.", example: "base://localhost" },
        schemes: &["base://"],
        more_keys: &[],
        reads_files: false,
        check: |_| Ok(()),
        next_step: |_| String::new(),
    };

    #[test]
    fn an_address_is_shown_without_secrets() {
        let shown = |url: &str| EngineAddress::new(&ENGINE, url).to_string();
        assert_eq!(
            shown("postgres://ann:secret@db.example:5433/clinic?sslmode=require"),
            "postgres://ann@db.example:5433/clinic"
        );
        assert_eq!(shown("postgres://ann:se@cr/et@db.example/clinic"), "postgres://ann@db.example/clinic");
        assert_eq!(shown("postgres://db.example?password=secret"), "postgres://db.example");
        assert_eq!(shown("sc://spark.example:15002/;token=secret"), "sc://spark.example:15002");
        let address = EngineAddress::new(&ENGINE, "postgres://ann:secret@db.example/clinic");
        assert!(!format!("{address:?}").contains("secret"));
        assert!(address.secret_url().contains("secret"));
    }
}
