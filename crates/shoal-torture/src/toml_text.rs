//! How does a value look in a policy?

/// A text in quotes.
pub fn text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            c if c.is_control() => quoted += &format!("\\u{:04X}", c as u32),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A list of these.
pub fn list(items: impl IntoIterator<Item = String>) -> String {
    format!("[{}]", items.into_iter().collect::<Vec<_>>().join(", "))
}

/// A list of texts.
pub fn texts(items: &[String]) -> String {
    list(items.iter().map(|item| text(item)))
}
