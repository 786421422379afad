//! What does each section and each key of a policy mean, in plain words?

use serde_json::Value;

use super::{Key, keys, schema};
use shoal_core::method::METHODS;
use shoal_core::model::DEFINITIONS;
use shoal_core::page::{Page, page};

/// The pages of `shoal explain` about policies: what one is, and each of its sections.
pub fn pages() -> Vec<(&'static str, Page)> {
    let (keys, schema) = (keys(), schema());
    let models = DEFINITIONS.iter().map(|model| (model.id, model.page().summary()));
    let methods = METHODS.iter().map(|method| (method.id(), method.page().summary()));
    let about = |section: &'static str| about(section, &schema);
    let table = |section| of_table(&about(section), &here(&keys, section));
    vec![
        ("policy", introduction()),
        ("input", titled("[input]", table("input"))),
        ("output", titled("[output]", table("output"))),
        ("columns", titled("[columns.NAME]", table("columns"))),
        ("hierarchy", titled("hierarchy", of_hierarchies(&about("hierarchy"), &here(&keys, "hierarchy")))),
        ("require", titled("[[require]]", of_forms(&about("require"), models.collect(), &here(&keys, "require")))),
        ("method", titled("[method]", of_forms(&about("method"), methods.collect(), &here(&keys, "method")))),
    ]
}

/// A page for each key, by its path: `input.missing`.
pub fn key_pages() -> Vec<(String, Page)> {
    let mut pages: Vec<(String, Page)> = Vec::new();
    for key in keys() {
        let (path, text) = (key.path(), paragraph(&key));
        match pages.iter_mut().find(|(known, _)| *known == path) {
            Some((_, page)) => page.text += &format!("\n{text}"),
            None => pages.push((path.clone(), Page { title: path, text })),
        }
    }
    pages
}

/// What a policy is.
pub(super) fn introduction() -> Page {
    page(include_str!("../mod.rs"))
}

/// What a section is about.
pub(super) fn about(section: &str, schema: &Value) -> String {
    let sections = &schema["properties"];
    let said = |schema: &Value| schema["description"].as_str().unwrap_or_default().to_owned();
    match section {
        "columns" => said(&sections["columns"]["additionalProperties"]),
        "hierarchy" => {
            "How the values of a column are generalized, level by level: `hierarchy` in `[columns.NAME]` is a table \
                        with one of these keys, which names the way."
                .to_owned()
        }
        "require" => said(&sections["require"]) + " Each model has parameters of its own.",
        section => said(&sections[section]),
    }
}

/// The keys of a section.
pub(super) fn here<'a>(keys: &'a [Key], section: &str) -> Vec<&'a Key> {
    keys.iter().filter(|key| key.section == section).collect()
}

fn titled(title: &str, paragraphs: Vec<String>) -> Page {
    Page { title: title.to_owned(), text: paragraphs.join("\n") }
}

fn of_table(about: &str, keys: &[&Key]) -> Vec<String> {
    std::iter::once(about.to_owned()).chain(keys.iter().map(|key| paragraph(key))).collect()
}

/// Each way to make a hierarchy, with the keys of its table.
fn of_hierarchies(about: &str, keys: &[&Key]) -> Vec<String> {
    let is_way = |key: &Key| !key.name.contains('.');
    let line = |key: &&Key| if is_way(key) { paragraph(key) } else { bullet(key) };
    std::iter::once(about.to_owned()).chain(keys.iter().map(line)).collect()
}

/// What all forms of a section share, and then each form with its own keys.
fn of_forms(about: &str, forms: Vec<(&str, String)>, keys: &[&Key]) -> Vec<String> {
    let mut paragraphs = vec![about.to_owned()];
    for key in keys.iter().filter(|key| key.of.is_none()) {
        paragraphs.push(match key.name.as_str() {
            // Which they are is said below.
            "model" | "name" => format!("**{}** (one of those below{}). {}", key.name, needed(key), key.meaning()),
            _ => paragraph(key),
        });
    }
    for (id, summary) in forms {
        paragraphs.push(format!("**{id}.** {summary}."));
        paragraphs.extend(keys.iter().filter(|key| key.of.as_deref() == Some(id)).map(|key| bullet(key)));
    }
    paragraphs
}

/// A key with all that there is to say about it.
fn paragraph(key: &Key) -> String {
    let of = key.of.as_ref().map(|of| format!(" of `{of}`")).unwrap_or_default();
    let mut lines = vec![format!("**{}**{of} ({}{}). {}", key.name, key.kind(), needed(key), key.meaning())];
    lines.extend(key.words().iter().map(|(word, meaning)| format!("- `\"{word}\"`: {meaning}")));
    lines.extend(key.example().map(|example| format!("    {example}")));
    lines.join("\n")
}

/// A key in a list below what it belongs to.
fn bullet(key: &Key) -> String {
    let words: Vec<String> = key.words().iter().map(|(word, meaning)| format!(" `\"{word}\"`: {meaning}")).collect();
    format!("- `{}` ({}{}): {}{}", key.last_name(), key.kind(), needed(key), key.meaning(), words.concat())
}

fn needed(key: &Key) -> String {
    match key.default() {
        Some(default) => format!("; by default `{default}`"),
        None if key.is_required => "; required".to_owned(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_section_and_key_has_a_page() {
        let ids: Vec<&str> = pages().iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, ["policy", "input", "output", "columns", "hierarchy", "require", "method"]);
        for (id, page) in pages() {
            assert!(!page.title.is_empty() && page.summary().len() > 20, "{id}: {}", page.summary());
        }
        let all = key_pages();
        let text = |id: &str| all.iter().find(|(path, _)| path == id).unwrap_or_else(|| panic!("{id}")).1.text.clone();
        assert_eq!(
            text("input.missing"),
            "**missing** (a list of texts; by default `[\"\"]`). What stands for a missing value. All are one value, written \
             back as the first of them.\n    missing = [\"\", \"?\"]"
        );
        assert!(text("output.suppressed").contains("\n- `\"keep\"`: They stay, every cell a `*`."));
        assert!(text("require.k").contains("**k** of `k-anonymity` (a whole number of at least 2; required)."));
        assert!(text("hierarchy.intervals").contains("\n    hierarchy = { intervals = [5, 10, 20] }"));
    }

    #[test]
    fn what_a_model_takes_stands_below_it() {
        let (_, page) = pages().into_iter().find(|(id, _)| *id == "require").unwrap();
        let model = page.text.split("\n**").find(|text| text.starts_with("k-anonymity.**")).unwrap();
        assert!(
            model.ends_with(
                "\n- `k` (a whole number of at least 2; required): How many records a class holds at least."
            )
        );
    }
}
