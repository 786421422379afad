//! Is the connection encrypted where the address asks for it, and does a password stay where it belongs?

use tempfile::TempDir;

use crate::database::{Database, address, environment, without_password};
use crate::run::{Rest, on_server, refusal};

const REST: Rest<'static> = Rest {
    input: "",
    output: "",
    columns: "[columns.age]\nrole = \"quasi-identifier\"\n[columns.ill]\nrole = \"sensitive\"\n\
              [[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
};

/// A query that tells whether this very connection is encrypted.
const QUERY: &str = "query = \"select n as age, (select ssl::text from pg_stat_ssl where pid = pg_backend_pid()) as ill \
                     from (values (1), (1)) as v (n)\"";

fn is_encrypted(database: &mut Database, url: &str) -> String {
    let folder = TempDir::new().unwrap();
    let to = format!("{}.release", database.schema);
    on_server(folder.path(), url, QUERY, &to, REST, true).unwrap_or_else(|error| panic!("{url}\n{error}"));
    database.rows(&format!("SELECT DISTINCT ill FROM {to}")).concat().concat_texts()
}

trait Texts {
    fn concat_texts(self) -> String;
}

impl Texts for Vec<Option<String>> {
    fn concat_texts(self) -> String {
        self.into_iter().flatten().collect()
    }
}

#[test]
fn the_address_decides_about_encryption() {
    let mut database = Database::new("encrypted");
    let certificate = environment("SHOAL_TEST_POSTGRES_CERTIFICATE");
    let url = address();
    assert_eq!(is_encrypted(&mut database, &format!("{url}?sslmode=disable")), "false");
    assert_eq!(is_encrypted(&mut database, &format!("{url}?sslmode=require")), "true");
    for mode in ["require", "verify-ca", "verify-full"] {
        let url = format!("{url}?sslmode={mode}&sslrootcert={certificate}");
        assert_eq!(is_encrypted(&mut database, &url), "true", "{mode}");
    }
}

#[test]
fn a_server_that_nobody_vouches_for_is_refused() {
    let folder = TempDir::new().unwrap();
    let url = format!("{}?sslmode=verify-full", address());
    let error = refusal(on_server(folder.path(), &url, QUERY, "r", REST, false)).to_string();
    assert!(error.contains("cannot reach PostgreSQL") && error.to_lowercase().contains("certificate"), "{error}");
}

#[test]
fn a_wrong_password_is_not_repeated() {
    let folder = TempDir::new().unwrap();
    let (url, _) = without_password(&address());
    let url = url.replacen("shoal@", "shoal:hush-hush@", 1);
    let error = refusal(on_server(folder.path(), &url, QUERY, "r", REST, false)).to_string();
    assert!(error.contains("does not let user `shoal` in") && error.contains("PGPASSWORD"), "{error}");
    assert!(!error.contains("hush"), "{error}");
}
