//! What does the address of a PostgreSQL database say, and what does the environment add to it?

use std::time::Duration;

use postgres::Config;
use postgres::config::{Host, SslMode};
use shoal::policy::EngineAddress;
use shoal_core::{Error, Result};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::failure::Server;
use super::passwords::{self, Login};
use super::tls::{self, Trust};

/// All that is needed to connect.
pub(super) struct Address {
    pub(super) config: Config,
    pub(super) tls: MakeRustlsConnect,
    pub(super) server: Server,
}

/// A host that does not answer is given up after this, unless the address says otherwise.
const PATIENCE: Duration = Duration::from_secs(5);

impl Address {
    pub(super) fn new(address: &EngineAddress) -> Result<Self> {
        let (url, own) = without_own_parameters(address.secret_url());
        let mode = own.mode.as_deref().unwrap_or("prefer");
        let (ssl_mode, trust) = match mode {
            "disable" => (SslMode::Disable, Trust::Anybody),
            "allow" | "prefer" => (SslMode::Prefer, Trust::Anybody),
            // As PostgreSQL's own programs have it: whoever names an authority wants it checked.
            "require" if own.authorities.is_none() => (SslMode::Require, Trust::Anybody),
            "require" | "verify-ca" => (SslMode::Require, Trust::Known),
            "verify-full" => (SslMode::Require, Trust::Named),
            _ => {
                return Err(Error::place(format!("{address} has an `sslmode` that does not exist"))
                    .hint("it is one of disable, prefer, require, verify-ca and verify-full"));
            }
        };
        // The reason is left out: it may quote a part of the address.
        let mut config: Config = url.parse().map_err(|_| {
            Error::place(format!("{address} is not an address of a PostgreSQL database"))
                .hint("for example \"postgres://user@host:5432/database\"; special characters are written as %40")
        })?;
        config.ssl_mode(ssl_mode);
        config.application_name("shoal");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(PATIENCE);
        }
        if config.get_hosts().is_empty() {
            config.host("localhost");
        }
        if config.get_user().is_none() {
            let user = ["PGUSER", "USER"].iter().find_map(|name| std::env::var(name).ok()).unwrap_or_default();
            config.user(&user);
        }
        let server = Server { shown: address.to_string(), user: config.get_user().unwrap_or_default().to_owned() };
        if config.get_password().is_none()
            && let Some(password) = password(&config)
        {
            config.password(password);
        }
        Ok(Self { config, tls: tls::connector(trust, own.authorities.as_deref())?, server })
    }
}

/// The password that the environment has for a connection.
fn password(config: &Config) -> Option<String> {
    if let Ok(password) = std::env::var("PGPASSWORD") {
        return Some(password);
    }
    let text = std::fs::read_to_string(passwords::file()?).ok()?;
    let host = match config.get_hosts().first()? {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(_) => "localhost".to_owned(),
    };
    let user = config.get_user()?;
    let login = Login {
        host: &host,
        port: config.get_ports().first().copied().unwrap_or(5432),
        database: config.get_dbname().unwrap_or(user),
        user,
    };
    passwords::password(&text, login)
}

/// What the address says of TLS.
#[derive(Debug, Default, PartialEq, Eq)]
struct OwnParameters {
    mode: Option<String>,
    authorities: Option<String>,
}

/// The address without the parameters that the client library does not know as PostgreSQL's own programs do.
fn without_own_parameters(url: &str) -> (String, OwnParameters) {
    let Some((base, parameters)) = url.split_once('?') else {
        return (url.to_owned(), OwnParameters::from_environment());
    };
    let mut own = OwnParameters::from_environment();
    let mut others = Vec::new();
    for parameter in parameters.split('&') {
        match parameter.split_once('=') {
            Some(("sslmode", mode)) => own.mode = Some(mode.to_owned()),
            Some(("sslrootcert", path)) => own.authorities = Some(decoded(path)),
            _ => others.push(parameter),
        }
    }
    let url = if others.is_empty() { base.to_owned() } else { format!("{base}?{}", others.join("&")) };
    (url, own)
}

impl OwnParameters {
    fn from_environment() -> Self {
        Self { mode: std::env::var("PGSSLMODE").ok(), authorities: std::env::var("PGSSLROOTCERT").ok() }
    }
}

/// A part of an address without its percent signs.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let hexadecimal = after.get(..2).filter(|_| byte == b'%').and_then(|two| std::str::from_utf8(two).ok());
        match hexadecimal.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(value) => {
                bytes.push(value);
                rest = &after[2..];
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::super::ENTRY;
    use super::*;

    fn address(url: &str) -> Result<Address> {
        Address::new(&EngineAddress::new(&ENTRY, url))
    }

    #[test]
    fn parameters_of_tls_are_taken_out() {
        let (url, own) =
            without_own_parameters("postgres://h/d?sslmode=verify-full&connect_timeout=3&sslrootcert=a%20b.pem");
        assert_eq!(url, "postgres://h/d?connect_timeout=3");
        assert_eq!((own.mode.as_deref(), own.authorities.as_deref()), (Some("verify-full"), Some("a b.pem")));
    }

    #[test]
    fn what_is_wrong_with_an_address_is_said_without_it() {
        for url in ["postgres://ann:secret@host:port/db", "postgres://ann:secret@host/db?sslmode=yes"] {
            let error = address(url).err().expect("it is wrong").to_string();
            assert!(!error.contains("secret"), "{error}");
            assert!(error.contains("postgres://ann@host"), "{error}");
        }
    }

    #[test]
    fn silence_has_an_end() {
        assert_eq!(address("postgres://host/db").unwrap().config.get_connect_timeout(), Some(&PATIENCE));
    }
}
