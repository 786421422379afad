//! What does a policy say about a table in PostgreSQL, and what to do with its release?

use shoal::policy::engines::{EngineEntry, EngineKey, Released};

/// PostgreSQL, as far as a policy is concerned.
pub(crate) static ENTRY: EngineEntry = EngineEntry {
    name: "PostgreSQL",
    address: EngineKey {
        name: "postgres",
        description: "The address of the PostgreSQL database that holds the table, as `psql` takes it. The password is better left \
                      out of it: PGPASSWORD or ~/.pgpass has it.",
        example: "postgres://user@localhost/database",
    },
    schemes: &["postgres://", "postgresql://"],
    more_keys: &[],
    reads_files: false,
    check: |_| Ok(()),
    next_step,
};

fn next_step(Released { address, release, judge, word }: &Released<'_>) -> String {
    let copy = word(&format!("\\copy {release} to release.csv csv header"));
    format!("psql {} -c {copy}\n      shoal audit release.csv {judge}", word(&address.to_string()))
}

#[cfg(test)]
mod tests {
    use shoal::policy::EngineAddress;

    use super::*;

    #[test]
    fn the_next_step_copies_the_release_without_showing_a_password() {
        let address = EngineAddress::new(&ENTRY, "postgres://ann:secret@db.example/clinic");
        let word = |text: &str| format!("<{text}>");
        let released = Released { address: &address, release: "r", judge: "--policy p.toml", word };
        assert_eq!(
            next_step(&released),
            "psql <postgres://ann@db.example/clinic> -c <\\copy r to release.csv csv header>\n      \
             shoal audit release.csv --policy p.toml"
        );
    }
}
