//! How do tests reach PostgreSQL, each in a schema of its own?

use std::io::Write;

use postgres::{Client, NoTls, SimpleQueryMessage};

/// A schema that belongs to one test.
pub struct Database {
    pub client: Client,
    pub schema: String,
}

/// The server that `./test` has started.
pub fn address() -> String {
    environment("SHOAL_TEST_POSTGRES")
}

pub fn environment(name: &str) -> String {
    std::env::var(name).unwrap_or_else(|_| {
        panic!(
            "{name} is not set: these tests need a PostgreSQL server. Start one for them with\n  \
             services/run postgres -- cargo test -p shoal-engine --features services --test postgres"
        )
    })
}

/// The address with its password left out.
pub fn without_password(url: &str) -> (String, String) {
    let (login, place) = url.strip_prefix("postgres://").unwrap().split_once('@').unwrap();
    let (user, password) = login.split_once(':').unwrap();
    (format!("postgres://{user}@{place}"), password.to_owned())
}

impl Database {
    pub fn new(schema: &str) -> Self {
        let schema = format!("test_{schema}");
        let mut client = Client::connect(&address(), NoTls).unwrap();
        client
            .batch_execute(&format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"))
            .unwrap_or_else(|error| panic!("{schema}: {error:?}"));
        Self { client, schema }
    }

    /// Makes a table of this schema with these columns and the rows of a CSV file with a header; empty cells are null.
    pub fn load(&mut self, table: &str, columns: &str, csv: &[u8]) {
        let table = format!("{}.{table}", self.schema);
        self.client.batch_execute(&format!("CREATE TABLE {table} ({columns})")).unwrap();
        let mut writer = self.client.copy_in(&format!("COPY {table} FROM STDIN (FORMAT csv, HEADER)")).unwrap();
        writer.write_all(csv).unwrap();
        writer.finish().unwrap();
    }

    pub fn run(&mut self, statements: &str) {
        self.client.batch_execute(statements).unwrap_or_else(|error| panic!("{statements}: {error:?}"));
    }

    /// The rows of a query as text, sorted.
    pub fn rows(&mut self, query: &str) -> Vec<Vec<Option<String>>> {
        let mut rows = self.rows_in_order(query);
        rows.sort();
        rows
    }

    pub fn rows_in_order(&mut self, query: &str) -> Vec<Vec<Option<String>>> {
        let messages = self.client.simple_query(query).unwrap_or_else(|error| panic!("{query}: {error:?}"));
        let row = |message| match message {
            SimpleQueryMessage::Row(row) => {
                Some((0..row.len()).map(|at| row.get(at).map(str::to_owned)).collect::<Vec<_>>())
            }
            _ => None,
        };
        messages.into_iter().filter_map(row).collect()
    }

    /// The tables of this schema.
    pub fn tables(&mut self) -> Vec<String> {
        let query = format!("SELECT tablename FROM pg_tables WHERE schemaname = '{}'", self.schema);
        self.rows(&query).into_iter().flatten().flatten().collect()
    }
}
