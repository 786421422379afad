//! What does each section and each key of a policy mean, in plain words?

use serde_json::Value;

use super::keys::{Key, keys};
use super::schema;
use super::type_words::{type_words, words};
use crate::method::METHODS;
use crate::model::DEFINITIONS;
use crate::page::{Page, page};

/// The pages of `shoal explain` about policies: what one is, and each of its sections.
pub fn pages() -> Vec<(&'static str, Page)> {
    let (keys, schema) = (keys(), schema());
    let sections = &schema["properties"];
    let column = &sections["columns"]["additionalProperties"];
    let about = |section: &Value| section["description"].as_str().unwrap_or_default().to_owned();
    let hierarchy = "How the values of a column are generalized, level by level: `hierarchy` in `[columns.NAME]` is a table \
                     with one of these keys, which names the way.";
    let models = DEFINITIONS.iter().map(|model| (model.id, model.page().summary()));
    let methods = METHODS.iter().map(|method| (method.id(), method.page().summary()));
    let require = format!("{} Each model has parameters of its own.", about(&sections["require"]));
    vec![
        ("policy", page(include_str!("../mod.rs"))),
        ("input", section("[input]", &about(&sections["input"]), "input", &keys)),
        ("output", section("[output]", &about(&sections["output"]), "output", &keys)),
        ("columns", section("[columns.NAME]", &about(column), "columns", &keys)),
        ("hierarchy", hierarchies(hierarchy, &keys)),
        ("require", variants("[[require]]", &require, "require", models.collect(), &keys)),
        ("method", variants("[method]", &about(&sections["method"]), "method", methods.collect(), &keys)),
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

fn section(title: &str, about: &str, name: &str, keys: &[Key]) -> Page {
    let paragraphs = keys.iter().filter(|key| key.section == name).map(paragraph);
    Page { title: title.to_owned(), text: joined(about, paragraphs) }
}

/// Each way to make a hierarchy, with the keys of its table.
fn hierarchies(about: &str, keys: &[Key]) -> Page {
    let mut paragraphs: Vec<String> = Vec::new();
    for key in keys.iter().filter(|key| key.section == "hierarchy") {
        match paragraphs.last_mut() {
            Some(way) if key.name.contains('.') => *way += &format!("\n{}", bullet(key)),
            _ => paragraphs.push(paragraph(key)),
        }
    }
    Page { title: "hierarchy".to_owned(), text: joined(about, paragraphs.into_iter()) }
}

/// What all forms of a section share, and then each form with its own keys.
fn variants(title: &str, about: &str, name: &str, forms: Vec<(&str, String)>, keys: &[Key]) -> Page {
    let here = || keys.iter().filter(|key| key.section == name);
    let shared = here().filter(|key| key.of.is_none()).map(|key| match key.schema.get("oneOf") {
        // Which they are is said below.
        Some(_) if key.name == "model" || key.name == "name" => one_of_the_forms(key),
        _ => paragraph(key),
    });
    let form = |(id, summary): (&str, String)| {
        let own = here().filter(|key| key.of.as_deref() == Some(id)).map(|key| format!("\n{}", bullet(key)));
        wrapped(&format!("**{id}.** {summary}."), "") + &own.collect::<String>()
    };
    Page { title: title.to_owned(), text: joined(about, shared.chain(forms.into_iter().map(form))) }
}

fn joined(about: &str, paragraphs: impl Iterator<Item = String>) -> String {
    std::iter::once(wrapped(about, "")).chain(paragraphs).collect::<Vec<_>>().join("\n")
}

fn one_of_the_forms(key: &Key) -> String {
    let default = default(key).map(|default| format!("; by default {default}")).unwrap_or_default();
    wrapped(&format!("**{}** (one of those below{default}). {}", key.name, key.description()), "")
}

/// A key with all that there is to say about it.
fn paragraph(key: &Key) -> String {
    let meanings: Vec<(String, String)> = words(&key.schema).unwrap_or_default();
    let has_meanings = meanings.len() > 1 && meanings.iter().any(|(_, meaning)| !meaning.is_empty());
    let kind = if has_meanings { "one of these words".to_owned() } else { type_words(&key.schema) };
    let of = key.of.as_ref().map(|of| format!(" of `{of}`")).unwrap_or_default();
    let mut text = format!("**{}**{of} ({kind}{}). {}", key.name, needed(key), key.description());
    if let Some(example) = example(key) {
        text += &format!(" For example `{example}`.");
    }
    let mut text = wrapped(&text, "");
    for (word, meaning) in meanings.iter().filter(|_| has_meanings) {
        text += &format!("\n{}", wrapped(&format!("- `\"{word}\"`: {meaning}"), "  "));
    }
    text
}

/// A key in a list below what it belongs to.
fn bullet(key: &Key) -> String {
    let name = key.name.rsplit('.').next().unwrap_or_default();
    wrapped(&format!("- `{name}` ({}{}): {}", type_words(&key.schema), needed(key), key.description()), "  ")
}

fn needed(key: &Key) -> String {
    match default(key) {
        Some(default) => format!("; by default {default}"),
        None if key.is_required => "; required".to_owned(),
        None => String::new(),
    }
}

fn default(key: &Key) -> Option<String> {
    toml_text(key.schema.get("default")?).map(|text| format!("`{text}`"))
}

/// The key as a line of a policy.
fn example(key: &Key) -> Option<String> {
    let value = toml_text(key.schema.get("examples")?.get(0)?)?;
    Some(match (key.section, key.name.rsplit('.').next()?) {
        ("hierarchy", name) if name == key.name => format!("hierarchy = {{ {name} = {value} }}"),
        (_, name) => format!("{name} = {value}"),
    })
}

fn toml_text(value: &Value) -> Option<String> {
    toml::Value::try_from(value).ok().map(|value| value.to_string())
}

/// Lines that fit on a screen; those after the first begin with `indent`.
fn wrapped(text: &str, indent: &str) -> String {
    const WIDTH: usize = 116;
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split_whitespace() {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line += word;
    }
    lines.push(line);
    lines.join("\n")
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
            assert!(page.text.lines().all(|line| line.chars().count() <= 120), "{id}");
        }
        let all = key_pages();
        let text = |id: &str| all.iter().find(|(path, _)| path == id).unwrap_or_else(|| panic!("{id}")).1.text.clone();
        assert_eq!(
            text("input.missing"),
            "**missing** (a list of texts; by default `[\"\"]`). What stands for a missing value. All are one value, written back as\n\
             the first of them. For example `missing = [\"\", \"?\"]`."
        );
        assert!(text("output.suppressed").contains("\n- `\"keep\"`: They stay, every cell a `*`."));
        assert!(text("require.k").contains("**k** of `k-anonymity` (a whole number of at least 2; required)."));
        assert!(text("hierarchy.intervals").contains("For example `hierarchy = { intervals = [5, 10, 20] }`."));
    }

    #[test]
    fn words_with_spaces_in_quotes_stay_apart_by_one() {
        assert_eq!(wrapped("a  b\nc", ""), "a b c");
        let long = "word ".repeat(40);
        assert!(wrapped(&long, "  ").lines().skip(1).all(|line| line.starts_with("  word")));
    }
}
