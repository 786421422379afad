//! What went wrong in PostgreSQL, in our words?

use postgres::error::{DbError, Severity, SqlState};
use shoal_core::Error;

/// Whom an error is about.
#[derive(Debug, Clone)]
pub(super) struct Server {
    /// The address without secrets.
    pub(super) shown: String,
    /// The user that connects.
    pub(super) user: String,
}

const PASSWORD: &str = "give the password in PGPASSWORD, or in ~/.pgpass as host:port:database:user:password";

impl Server {
    /// No connection could be made.
    pub(super) fn unreachable(&self, error: &postgres::Error) -> Error {
        let Some(db) = error.as_db_error() else { return self.unanswered(&causes(error)) };
        let refused = |what: String| Error::place(what).detail(format!("PostgreSQL says: {}", db.message()));
        match *db.code() {
            SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION => {
                refused(format!("{} does not let user `{}` in", self.shown, self.user)).hint(PASSWORD)
            }
            SqlState::INVALID_CATALOG_NAME => refused(format!("there is no database at {}", self.shown))
                .hint("the database stands after the `/` of the address; `psql -l` lists them"),
            _ => self.failed("connect", error),
        }
    }

    /// Nobody answered, or not in a way that we accept.
    fn unanswered(&self, reason: &str) -> Error {
        if reason.contains("password missing") {
            return Error::place(format!("{} asks for the password of user `{}`", self.shown, self.user))
                .hint(PASSWORD);
        }
        let error = Error::place(format!("cannot reach PostgreSQL at {}: {reason}", self.shown));
        error.hint(if reason.contains("certificate") {
            "`sslrootcert=FILE` in the address names the certificate of its authority; `sslmode=require` encrypts without \
             checking who answers"
        } else {
            "is it running, and are host and port right?"
        })
    }

    /// A statement failed; `doing` says what it was for.
    pub(super) fn failed(&self, doing: &str, error: &postgres::Error) -> Error {
        let Some(db) = error.as_db_error() else {
            return Error::place(format!("cannot {doing}: the connection to {} broke: {}", self.shown, causes(error)))
                .detail("nothing was published");
        };
        let code = db.code().code();
        // What is wrong with a value is told with the value itself: it may be a sensitive one.
        let message = match &code[..2] {
            "22" | "23" => "the reason is in the log of the server, since it may quote a value".to_owned(),
            _ => db.message().to_owned(),
        };
        let error = Error::place(format!("cannot {doing}: {message} (SQLSTATE {code})"));
        match *db.code() {
            SqlState::UNDEFINED_TABLE => error.hint(
                "names are as in SQL: unquoted ones are read in lower case; \"schema.\\\"Name\\\"\" keeps capitals",
            ),
            SqlState::INSUFFICIENT_PRIVILEGE => error.hint(format!(
                "ask for the right to do so to be granted to `{}`, or connect as another user",
                self.user
            )),
            SqlState::DUPLICATE_TABLE => error.hint("choose another name, or give --overwrite to replace it"),
            SqlState::DEPENDENT_OBJECTS_STILL_EXIST => {
                error.hint("views or keys refer to the earlier release: drop them first, or choose another name")
            }
            SqlState::DISK_FULL => error.hint("make room on the server; nothing was published"),
            SqlState::READ_ONLY_SQL_TRANSACTION => error.hint("this is a standby or read-only: connect to the primary"),
            _ => error,
        }
    }

    /// Publishing failed. Only where the server says that a statement of it did, it is known that nothing was published: a connection may break
    /// on the way to the commit, or on the way back.
    pub(super) fn publishing(&self, release: &str, error: &postgres::Error) -> Error {
        match error.as_db_error().map(DbError::parsed_severity) {
            Some(Some(Severity::Error)) => self.failed("publish the release", error),
            _ => Error::place(format!(
                "the connection to {} broke while the release was published: {}",
                self.shown,
                causes(error)
            ))
            .hint(format!("look at {release}: the release was published as a whole, or not at all")),
        }
    }

    /// Reading or writing rows failed; what PostgreSQL said of it is inside.
    pub(super) fn interrupted(&self, doing: &str, error: &std::io::Error) -> Error {
        match error.get_ref().and_then(|inner| inner.downcast_ref::<postgres::Error>()) {
            Some(error) => self.failed(doing, error),
            None => Error::place(format!("cannot {doing}: the connection to {} broke: {error}", self.shown)),
        }
    }
}

/// An error and what caused it, in one line.
fn causes(error: &dyn std::error::Error) -> String {
    let (mut text, mut next) = (error.to_string(), error.source());
    while let Some(cause) = next {
        let more = cause.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        next = cause.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whether_a_release_is_there_is_not_claimed_where_nobody_knows() {
        let server = Server { shown: "postgres://ann@db.example/clinic".to_owned(), user: "ann".to_owned() };
        let nobody = postgres::Config::new().host("127.0.0.1").port(1).user("ann").connect(postgres::NoTls);
        let broken = nobody.err().unwrap();
        assert!(server.failed("count", &broken).to_string().contains("nothing was published"));
        let said = server.publishing("public.release", &broken).to_string();
        assert!(!said.contains("nothing was published"), "{said}");
        assert!(
            said.contains("broke while the release was published") && said.contains("look at public.release"),
            "{said}"
        );
    }
}
