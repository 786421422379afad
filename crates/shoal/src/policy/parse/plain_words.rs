//! What does a message of the TOML parser mean, for people who do not write Rust?

use super::Parser;
use shoal_core::Error;
use shoal_core::error::nearest;

impl Parser<'_> {
    pub(super) fn toml_error(&self, error: &toml::de::Error) -> Error {
        self.toml_error_among(error, &[])
    }

    /// The same where more keys are known than the parser could see.
    pub(super) fn toml_error_among(&self, error: &toml::de::Error, more_keys: &[&str]) -> Error {
        let span = error.span().unwrap_or(0..0);
        let text = self.text.get(span.clone()).unwrap_or_default();
        let before = self.text.get(..span.start).unwrap_or_default();
        let (message, hint) = in_plain_words(error.message(), text, before, more_keys);
        let error = self.error(span, message);
        match hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// A message of the parser without what stands in double quotes: a text of the policy may be a sensitive value.
fn without_text(message: &str) -> String {
    match (message.find(" \""), message.rfind('"')) {
        (Some(begin), Some(end)) if begin + 1 < end => format!("{}{}", &message[..begin], &message[end + 1..]),
        _ => message.to_owned(),
    }
}

/// Does a key stand where only Shoal's own words and names of columns do, given the policy up to it? In tables within a
/// section, such as `weights` and `tree`, keys can be sensitive values.
fn is_own_key(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or_default().trim();
    let is_section = |header: &str| match header.trim_matches(['[', ']', ' ']).strip_prefix("columns.") {
        // A name in quotes may have dots of its own.
        Some(name) => name.is_empty() || name.starts_with(['"', '\'']) || !name.contains('.'),
        None => !header.contains('.'),
    };
    let header = || before.lines().rev().map(str::trim).find(|line| line.starts_with('['));
    if line.is_empty() { header().is_none_or(is_section) } else { line.starts_with('[') && is_section(line) }
}

/// Is this a number that stands where values of a table do? It may be a sensitive one.
fn may_be_a_value(message: &str, before: &str) -> bool {
    let is_text = ["expected a string", "expected a value in quotes"].iter().any(|words| message.contains(words));
    is_text && before.trim_end().ends_with(['[', ',']) || message.contains("expected a list of values")
}

/// A message of the parser for people who do not write Rust, and what they may have meant; `before` is the policy up to
/// the `text` it is about.
fn in_plain_words(message: &str, text: &str, before: &str, more_keys: &[&str]) -> (String, Option<String>) {
    if message.starts_with("duplicate key") {
        let key = if is_own_key(before) { format!("`{}`", text.trim()) } else { "a key".to_owned() };
        return (format!("{key} is given twice"), Some("keep one of the two".to_owned()));
    }
    let message = message.lines().next().unwrap_or(message);
    let mut words = message.split('`').skip(1).step_by(2);
    if let Some(word) = words.next().filter(|_| message.starts_with("unknown ")) {
        let known: Vec<&str> = words.chain(more_keys.iter().copied()).collect();
        let what = if message.starts_with("unknown variant") { "value" } else { "key" };
        let hint = match nearest(word, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if known.is_empty() => "remove it".to_owned(),
            None => format!("expected one of {}", known.join(", ")),
        };
        return (format!("there is no {what} `{word}` here"), Some(hint));
    }
    let plain = [
        ("missing field", "missing key"),
        ("u64", "a whole number, not negative"),
        ("u32", "a whole number, not negative"),
        ("i32", "a whole number"),
        ("f64", "a number"),
        ("a sequence", "a list"),
        ("a map", "a table"),
        ("a string", "text"),
        ("path string", "text"),
        ("string", "text"),
        ("floating point", "the number"),
        ("invalid type: ", "found "),
        ("invalid value: ", "found "),
        ("integer", "the number"),
        ("a boolean", "true or false"),
    ];
    let mut message = without_text(message);
    let is_of_publish = before.lines().last().is_some_and(|line| line.trim_start().starts_with("publish"));
    let hint = (is_of_publish && message.starts_with("invalid type")).then(|| {
        "`publish = { round = 100 }` changes numbers before they are shown; `role = \"insensitive\"` publishes a column as it is".to_owned()
    });
    if let (true, Some(begin), Some(end)) = (may_be_a_value(&message, before), message.find(" `"), message.rfind('`')) {
        message.replace_range(begin..=end, "");
    }
    for (rust, words) in plain {
        message = message.replace(rust, words);
    }
    (message, hint)
}
