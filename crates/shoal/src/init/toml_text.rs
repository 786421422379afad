//! How are names, values and comments written so that TOML reads them back?

use super::for_people::on_one_line;
use shoal_core::printable::{self, is_unprintable};

/// The width of comments, as in the rest of the policies.
const WIDTH: usize = 118;

/// A value: text with quotes and escapes.
pub(super) fn text(value: &str) -> String {
    // A text of several lines would be written as such, which is harder to read than `\n`; and what a terminal would obey
    // must not reach it.
    match value.contains(is_unprintable) {
        true => printable::toml(&serde_json::Value::from(value).to_string()).into_owned(),
        false => toml::Value::String(value.to_owned()).to_string(),
    }
}

/// A list of texts.
pub(super) fn list(values: &[String]) -> String {
    format!("[{}]", values.iter().map(|value| text(value)).collect::<Vec<_>>().join(", "))
}

/// The heading `[columns.NAME]`.
pub(super) fn column_heading(name: &str) -> String {
    if name.contains(is_unprintable) {
        return format!("[columns.{}]", text(name));
    }
    let inner: toml::Table = [(name.to_owned(), toml::Table::new().into())].into_iter().collect();
    let outer: toml::Table = [("columns".to_owned(), inner.into())].into_iter().collect();
    outer.to_string().trim_end().to_owned()
}

/// A comment, wrapped, with a line ending after each of its lines.
pub(super) fn comment(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    let plain = on_one_line(text);
    for word in plain.split_whitespace() {
        let length = word.chars().count();
        match width {
            0 => lines.push('#'),
            _ if width + 1 + length > WIDTH => {
                lines.push_str("\n#");
                width = 0;
            }
            _ => {}
        }
        lines.push(' ');
        lines.push_str(word);
        width = width.max(1) + 1 + length;
    }
    lines.push('\n');
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_are_quoted_only_where_they_must_be() {
        assert_eq!(column_heading("age"), "[columns.age]");
        assert_eq!(column_heading("zip code"), "[columns.\"zip code\"]");
        assert_eq!(text("a.csv"), "\"a.csv\"");
        assert_eq!(list(&[String::new(), "?".to_owned()]), "[\"\", \"?\"]");
        assert_eq!(text("a\nb"), "\"a\\nb\"");
    }

    #[test]
    fn comments_are_wrapped() {
        let wrapped = comment(&"word ".repeat(50));
        assert_eq!(wrapped.lines().count(), 3);
        assert!(wrapped.lines().all(|line| line.starts_with("# word") && line.len() <= 120), "{wrapped}");
        assert_eq!(comment("a\nrole = 1"), "# a role = 1\n");
    }

    proptest! {
        #[test]
        fn whatever_is_written_is_read_back(name in any::<String>(), value in any::<String>(), said in any::<String>()) {
            let written = format!("{}{}\nx = {}\n", comment(&said), column_heading(&name), text(&value));
            let read: toml::Table = written.parse().expect("TOML");
            prop_assert_eq!(read["columns"][&name]["x"].as_str(), Some(value.as_str()));
        }
    }
}
