//! What does the reference say about policies?

use serde_json::Value;

use super::pages::{about, here, introduction};
use super::{Key, keys, schema};
use shoal_core::method::METHODS;
use shoal_core::model::DEFINITIONS;

/// The chapter of the reference about policies, as Markdown: a section for each table of a policy, and in it a row for each key.
pub fn chapter() -> String {
    let (keys, schema) = (keys(), schema());
    let mut text = format!("# Policy\n\n<a id=\"policy\"></a>\n\n{}\n", markdown(&introduction().text));
    for (id, title) in [("input", "[input]"), ("output", "[output]"), ("columns", "[columns.NAME]")] {
        text += &heading(id, title, &schema);
        text += &table(&here(&keys, id));
    }
    text += &heading("hierarchy", "hierarchy", &schema);
    text += &hierarchies(&here(&keys, "hierarchy"));
    text += &heading("require", "[[require]]", &schema);
    let models = DEFINITIONS.iter().map(|model| (model.id, model.page().summary()));
    text += &forms(models, "privacy-models.md", &here(&keys, "require"));
    text += &heading("method", "[method]", &schema);
    let methods = METHODS.iter().map(|method| (method.id(), method.page().summary()));
    text + &forms(methods, "methods.md", &here(&keys, "method"))
}

fn heading(id: &str, title: &str, schema: &Value) -> String {
    format!("\n<a id=\"{id}\"></a>\n\n## `{title}`\n\n{}\n", about(id, schema))
}

/// The page with an empty line before each paragraph, and around its example.
fn markdown(page: &str) -> String {
    let mut text = String::new();
    let mut was_example = false;
    for line in page.lines() {
        let is_example = line.starts_with("    ");
        let fence = match (was_example, is_example) {
            (false, true) => "\n```toml\n",
            (true, false) => "```\n\n",
            (false, false) if line.starts_with("**") => "\n",
            _ => "",
        };
        text += &format!("{fence}{}\n", line.strip_prefix("    ").unwrap_or(line).trim_end());
        was_example = is_example;
    }
    text.trim_end().to_owned()
}

/// What all forms of a section share, and then each form with its own keys.
fn forms<'a>(forms: impl Iterator<Item = (&'a str, String)>, explained_in: &str, keys: &[&Key]) -> String {
    let shared: Vec<&Key> = keys.iter().copied().filter(|key| key.of.is_none()).collect();
    let mut text = table(&shared);
    for (id, summary) in forms {
        let own: Vec<&Key> = keys.iter().copied().filter(|key| key.of.as_deref() == Some(id)).collect();
        text += &format!("\n### `{id}`\n\n{summary}. [More]({explained_in}#{id})\n");
        text += &if own.is_empty() { "\nIt has no keys of its own.\n".to_owned() } else { table(&own) };
    }
    text
}

/// Each way to make a hierarchy, with the keys of its table.
fn hierarchies(keys: &[&Key]) -> String {
    let mut text = String::new();
    for way in keys.iter().filter(|key| key.name == key.last_name()) {
        let inside = format!("{}.", way.name);
        let own: Vec<&Key> = keys.iter().copied().filter(|key| key.name.starts_with(&inside)).collect();
        text += &format!("\n### `{}`\n\n{} Its value is {}.\n", way.name, way.meaning(), way.kind());
        text += &way.example().map(|example| format!("\n```toml\n{example}\n```\n")).unwrap_or_default();
        text += &if own.is_empty() { String::new() } else { table(&own) };
    }
    text
}

/// A row for each key: what may stand there, what it means, an example.
fn table(keys: &[&Key]) -> String {
    let rows = keys.iter().map(|key| {
        let default = key.default().map(|default| code(&default));
        let default = default.unwrap_or_else(|| if key.is_required { "*required*".to_owned() } else { String::new() });
        let example = key.example().map(|example| code(&example)).unwrap_or_default();
        let cells = [code(key.last_name()), kind(key), default, meaning(key), example];
        format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "))
    });
    format!("\n| key | value | default | meaning | example |\n|---|---|---|---|---|\n{}", rows.collect::<String>())
}

fn kind(key: &Key) -> String {
    if names_a_form(key) { "one of those below".to_owned() } else { key.kind() }
}

fn meaning(key: &Key) -> String {
    let words = key.words().into_iter().filter(|_| !names_a_form(key));
    let words = words.map(|(word, meaning)| format!("<br>`\"{word}\"`: {meaning}"));
    key.meaning().to_owned() + &words.collect::<String>()
}

/// Is this the key that says which model or method it is? They follow below.
fn names_a_form(key: &Key) -> bool {
    ["require.model", "method.name"].contains(&key.path().as_str())
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_row_below_the_heading_of_its_section() {
        let chapter = chapter();
        for key in keys().iter().filter(|key| key.section != "hierarchy") {
            let title = match key.section {
                "columns" => "## `[columns.NAME]`".to_owned(),
                "require" => "## `[[require]]`".to_owned(),
                section => format!("## `[{section}]`"),
            };
            let (_, section) = chapter.split_once(&title).unwrap_or_else(|| panic!("{title}"));
            let section = section.split("\n## ").next().unwrap_or_default();
            let form = key.of.as_ref().map_or(section, |of| section.split_once(&format!("### `{of}`")).unwrap().1);
            let row = form.lines().find(|line| line.starts_with(&format!("| `{}` |", key.name)));
            assert!(row.is_some_and(|row| row.contains(key.meaning())), "{}: {row:?}", key.path());
        }
        let row = "| `missing` | a list of texts | `[\"\"]` | What stands for a missing value. All are one value, written back as the \
                   first of them. | `missing = [\"\", \"?\"]` |";
        assert!(chapter.lines().any(|line| line == row), "{chapter}");
        assert!(chapter.contains("### `k-anonymity`\n\n") && chapter.contains("[More](privacy-models.md#k-anonymity)"));
    }

    #[test]
    fn rows_have_five_cells() {
        for row in chapter().lines().filter(|line| line.starts_with('|')) {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 6, "{row}");
        }
    }
}
