//! What does an error of the server mean, and what can be done about it?

use shoal_core::Error;
use spark_connect_core::error::SparkError;

/// An error of the server in our words. `doing` is what could not be done.
pub(super) fn explained(error: &SparkError, doing: &str) -> Error {
    let condition = Condition::of(error);
    let explained = match said(error, &condition) {
        Some(said) => Error::place(format!("{doing}: {said}")),
        None => Error::place(format!("{doing}: Spark gave up")),
    };
    let explained = match condition.text() {
        Some(text) => explained.detail(text),
        None => explained,
    };
    match hint(&condition, error) {
        Some(hint) => explained.hint(hint),
        None => explained,
    }
}

/// Is there nothing at a path?
pub(super) fn is_path_not_found(error: &SparkError) -> bool {
    Condition::of(error).name == "PATH_NOT_FOUND"
}

/// Is there no such table?
pub(super) fn is_table_not_found(error: &SparkError) -> bool {
    ["TABLE_OR_VIEW_NOT_FOUND", "SCHEMA_NOT_FOUND"].contains(&Condition::of(error).name.as_str())
}

/// What Spark calls an error.
struct Condition {
    name: String,
    state: Option<String>,
}

impl Condition {
    fn of(error: &SparkError) -> Self {
        // Servers that do not send the condition by itself begin their message with it.
        let in_message = || {
            let (_, after) = error.message.split_once('[')?;
            let (name, _) = after.split_once(']')?;
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_uppercase() || "_.".contains(c));
            is_name.then(|| name.to_owned())
        };
        let is_condition = |name: &&String| !name.is_empty() && !name.contains("org.apache") && !name.contains("java.");
        let name = Some(&error.error_class).filter(is_condition).cloned().or_else(in_message).unwrap_or_default();
        let in_text = || {
            let (_, after) = error.message.split_once("SQLSTATE: ")?;
            Some(after.chars().take_while(char::is_ascii_alphanumeric).collect())
        };
        Self { name, state: error.sql_state.clone().or_else(in_text) }
    }

    /// Was the request at fault, rather than a row that it met?
    fn is_of_request(&self) -> bool {
        self.state.as_ref().is_some_and(|state| state.starts_with("42"))
    }

    fn text(&self) -> Option<String> {
        match (self.name.as_str(), &self.state) {
            ("", None) => None,
            ("", Some(state)) => Some(format!("SQLSTATE {state}")),
            (name, None) => Some(name.to_owned()),
            (name, Some(state)) => Some(format!("{name}, SQLSTATE {state}")),
        }
    }
}

/// What the server said, if it is about the request. What it says of rows may quote their values: that stays in its log.
fn said(error: &SparkError, condition: &Condition) -> Option<String> {
    if is_denied(error) {
        return Some("permission denied".to_owned());
    }
    if was_lost(error) {
        return Some("the connection to Spark was lost".to_owned());
    }
    if !condition.is_of_request() {
        return None;
    }
    let message = error.message.split_once("] ").map_or(error.message.as_str(), |(_, message)| message);
    let message = message.split(" SQLSTATE:").next().unwrap_or(message);
    let line = message.lines().next().unwrap_or_default().trim().trim_end_matches(['.', ';']);
    (!line.is_empty()).then(|| lower_first(line))
}

fn lower_first(line: &str) -> String {
    let mut characters = line.chars();
    characters.next().map(|first| first.to_lowercase().chain(characters).collect()).unwrap_or_default()
}

fn is_denied(error: &SparkError) -> bool {
    let signs = ["Permission denied", "AccessControlException", "AccessDenied", "Mkdirs failed", "Forbidden"];
    error.grpc_code == Some(7) || signs.iter().any(|sign| error.message.contains(sign))
}

fn was_lost(error: &SparkError) -> bool {
    // What gRPC calls UNAVAILABLE.
    error.grpc_code == Some(14)
}

fn hint(condition: &Condition, error: &SparkError) -> Option<&'static str> {
    if is_denied(error) {
        return Some(
            "the cluster's workers read and write as a user of their own: give that user the right, or another place",
        );
    }
    if was_lost(error) || condition.name.starts_with("INVALID_HANDLE") {
        return Some("is the Connect server still running? nothing was published: run it again");
    }
    if error.message.contains("maxResultSize") {
        return Some(
            "the driver passes on no more than `spark.driver.maxResultSize`: raise it, or make values coarser in a `query`",
        );
    }
    Some(match condition.name.as_str() {
        "PATH_NOT_FOUND" => "the cluster looks for it, not this machine: the path must be one that all its workers see",
        "TABLE_OR_VIEW_NOT_FOUND" | "SCHEMA_NOT_FOUND" => {
            "write it as `catalog.schema.table`; `SHOW TABLES` lists them"
        }
        "UNABLE_TO_INFER_SCHEMA" => "the folder has no files of this format: set `format` in [input]",
        "DATA_SOURCE_NOT_FOUND" => "the cluster does not read this `format`",
        "PARSE_SYNTAX_ERROR" => "check `query` in [input], and the names of tables",
        "OPERATION_CANCELED" => "somebody interrupted it; nothing was published",
        _ if !condition.is_of_request() => {
            "the log of the Connect server has the reason; it is not shown since it may quote values"
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(condition: &str, state: Option<&str>, message: &str) -> SparkError {
        let mut error = SparkError::connect_msg(message);
        error.error_class = condition.to_owned();
        error.sql_state = state.map(str::to_owned);
        error
    }

    #[test]
    fn an_error_of_the_request_is_passed_on_in_our_form() {
        let message =
            "[PATH_NOT_FOUND] Path does not exist: file:/data/nope. SQLSTATE: 42K03\n\nJVM stacktrace:\nat org";
        for error in [error("PATH_NOT_FOUND", Some("42K03"), message), error("", None, message)] {
            assert_eq!(
                explained(&error, "cannot read /data/nope").to_string(),
                "cannot read /data/nope: path does not exist: file:/data/nope\n  PATH_NOT_FOUND, SQLSTATE 42K03\n\
                 hint: the cluster looks for it, not this machine: the path must be one that all its workers see"
            );
        }
    }

    #[test]
    fn what_may_quote_a_value_is_not_shown() {
        let error = error(
            "CAST_INVALID_INPUT",
            Some("22018"),
            "[CAST_INVALID_INPUT] The value 'leukaemia' of the type \"STRING\" cannot be cast to \"INT\". SQLSTATE: 22018",
        );
        let text = explained(&error, "cannot count the rows of t").to_string();
        assert!(
            text.starts_with("cannot count the rows of t: Spark gave up\n  CAST_INVALID_INPUT, SQLSTATE 22018\nhint: ")
        );
        assert!(!text.contains("leukaemia"), "{text}");
    }

    #[test]
    fn a_lost_connection_and_a_missing_right_are_told_apart() {
        let mut lost = error("", None, "[Unavailable] tcp connect error");
        lost.grpc_code = Some(14);
        assert!(
            explained(&lost, "x").to_string().starts_with("x: the connection to Spark was lost\nhint: is the Connect")
        );
        let denied = error("", None, "java.io.IOException: Mkdirs failed to create file:/proc/release");
        assert!(explained(&denied, "x").to_string().starts_with("x: permission denied\nhint: the cluster's workers"));
    }
}
