//! What does a definition, objective or method mean, in plain words?
//!
//! The words are the doc comment of the type that implements it, so that there is one text for readers of the
//! code and users of `shoal explain`.

/// What all sentences about people rest on, wherever rows are counted.
pub const EACH_ROW_IS_ONE_PERSON: &str = "Each row is taken for one person.";

/// The same for pages, which speak of people, too.
pub const ROWS_AND_PEOPLE: &str = "Records are rows, and each is taken for one person: where people have several, what is said here of a person is \
     true of a row only.";

/// What models and attacks make of missing values.
pub const MISSING_VALUES: &str =
    "A missing value is a value like any other: a class with one sensitive value and some missing ones has two.";

/// A page of `shoal explain`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What it is called.
    pub title: String,
    /// Paragraphs in Markdown, each beginning with its bold heading.
    pub text: String,
}

/// The page in a source file: its doc comment that begins with `# `.
///
/// # Panics
/// If the file has none; a test asks for every page.
pub fn page(source: &str) -> Page {
    let mut lines = source.lines().skip_while(|line| !line.starts_with("/// # "));
    let title = lines.next().expect("the file has a page").trim_start_matches("/// # ").to_owned();
    let body = lines.map_while(|line| line.strip_prefix("///")).map(|line| line.strip_prefix(' ').unwrap_or(line));
    Page { title, text: indent_examples(body).join("\n").trim().to_owned() }
}

/// Examples of files stand between fences, so that nothing takes them for Rust; readers see them indented.
fn indent_examples<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<String> {
    let (mut text, mut inside) = (Vec::new(), false);
    for line in lines {
        match line.starts_with("```") {
            true => inside = !inside,
            false => text.push(if inside { format!("    {line}") } else { line.to_owned() }),
        }
    }
    text
}

impl Page {
    /// The first sentence of the definition, for lists.
    pub fn summary(&self) -> String {
        let definition = self.text.split("\n**").next().unwrap_or_default().replace('\n', " ");
        let plain = definition.trim_start_matches("**Definition.**").trim();
        plain.split_once(". ").map_or(plain, |(first, _)| first).trim_end_matches('.').to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_the_doc_comment_that_begins_with_a_title() {
        let source = "//! file\n\n/// not this\nstruct A;\n\n/// # Title\n///\n/// **Definition.** One thing. And\n/// more.\n/// **Example.** x\n#[derive(Debug)]\nstruct B;\n";
        let page = page(source);
        assert_eq!(page.title, "Title");
        assert_eq!(page.text, "**Definition.** One thing. And\nmore.\n**Example.** x");
        assert_eq!(page.summary(), "One thing");
    }

    #[test]
    fn an_example_is_indented() {
        let source = "/// # Title\n///\n/// before\n/// ```toml\n/// a = 1\n/// ```\n/// after\n";
        assert_eq!(page(source).text, "before\n    a = 1\nafter");
    }
}
