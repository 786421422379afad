//! What does a definition, objective or method mean, in plain words?
//!
//! The words are the doc comment of the type that implements it, so that there is one text for readers of the
//! code and users of `shoal explain`.

/// What all sentences about people rest on, wherever rows are counted.
pub const EACH_ROW_IS_ONE_PERSON: &str = "Each row is taken for one person.";

/// The same for pages, which speak of people, too.
pub const ROWS_AND_PEOPLE: &str = "Records are rows, and each is taken for one person: where people have several, what is said here of a person is \
     true of a row only.";

/// The same where `person` decides.
pub const ROWS_OR_PEOPLE: &str = "Records are rows. Without `person` in [input] each is taken for one person: where people have several, what is said here of \
     a person is true of a row only. With it people are counted, as each page says.";

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
    /// The text for a screen of so many columns: headings without their stars, paragraphs apart. Examples stay as they are.
    pub fn on_screen(&self, width: usize) -> String {
        let mut text = String::new();
        for block in blocks(&self.text) {
            let ends_apart = matches!(block, Block::Paragraph(_)) && !text.is_empty();
            text += if ends_apart { "\n" } else { "" };
            text += &match block {
                // Its heading is in bold; other stars are the text's own.
                Block::Paragraph(words) => wrapped(&words.replacen("**", "", 2), width, ""),
                Block::Item(words) => wrapped(&words, width, "  "),
                Block::Example(line) => line.to_owned(),
                Block::Break => continue,
            };
            text.push('\n');
        }
        text
    }

    /// The first sentence of the definition, for lists.
    pub fn summary(&self) -> String {
        let definition = self.text.split("\n**").next().unwrap_or_default().replace('\n', " ");
        first_sentence(definition.trim_start_matches("**Definition.**").trim()).to_owned()
    }
}

/// The first sentence of a text, without its full stop; two dots are none.
pub fn first_sentence(text: &str) -> &str {
    let ends = |(at, _): &(usize, &str)| !text[..*at].ends_with('.');
    let end = text.match_indices(". ").find(ends).map_or(text.len(), |(at, _)| at);
    text[..end].trim_end_matches('.')
}

/// What a page is made of.
enum Block<'a> {
    /// Words that may be broken into lines anywhere.
    Paragraph(String),
    /// The same, of a list.
    Item(String),
    /// A line of an example.
    Example(&'a str),
    /// What comes after it is a paragraph of its own.
    Break,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    for line in text.lines() {
        let begins = line.starts_with("**") || line.starts_with("- ");
        match blocks.last_mut() {
            _ if line.starts_with("    ") => blocks.push(Block::Example(line.trim_end())),
            _ if line.is_empty() => blocks.push(Block::Break),
            Some(Block::Paragraph(words) | Block::Item(words)) if !begins => {
                words.push(' ');
                words.push_str(line);
            }
            _ if line.starts_with("- ") => blocks.push(Block::Item(line.to_owned())),
            _ => blocks.push(Block::Paragraph(line.to_owned())),
        }
    }
    blocks
}

/// The words of a text in lines of at most `width` characters, those after the first behind `indent`; a word that is longer
/// has a line of its own. What stands between backticks stays in one line where there is room for it.
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in unbroken(text, width * 3 / 4) {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, indent.to_owned()));
        }
        if !line.trim().is_empty() {
            line.push(' ');
        }
        line += &word;
    }
    lines.push(line);
    lines.join("\n")
}

/// The words of a text; those between backticks are one word, unless that is longer than `most`.
fn unbroken(text: &str, most: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut parts = text.split_whitespace().peekable();
    while let Some(first) = parts.next() {
        let mut code = vec![first];
        let is_open = |code: &[&str]| code.iter().map(|part| part.matches('`').count()).sum::<usize>() % 2 == 1;
        while is_open(&code)
            && let Some(next) = parts.next()
        {
            code.push(next);
        }
        let joined = code.join(" ");
        match joined.chars().count() <= most {
            true => words.push(joined),
            false => words.extend(code.into_iter().map(str::to_owned)),
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_screen_lines_are_short_and_examples_as_they_are() {
        let text = "**First.** One two\nthree four.\n    a = 1\n    \n    b = 2\nAfter it.\n- an item that\n  goes on\n**Last.** 13** End\n\nThe end";
        let page = Page { title: "Title".to_owned(), text: text.to_owned() };
        let expected = "First. One\ntwo three\nfour.\n    a = 1\n\n    b = 2\n\nAfter it.\n- an item\n  that\n  goes on\n\nLast. 13**\nEnd\n\nThe end\n";
        assert_eq!(page.on_screen(10), expected);
    }

    #[test]
    fn words_are_one_space_apart() {
        assert_eq!(wrapped("a  b\nc", 80, ""), "a b c");
        let long = "word ".repeat(40);
        assert!(wrapped(&long, 60, "  ").lines().skip(1).all(|line| line.starts_with("  word") && line.len() <= 60));
        assert_eq!(wrapped("", 80, ""), "");
        assert_eq!(wrapped("one `a = 1`, two", 11, ""), "one\n`a = 1`,\ntwo", "code stays together");
        assert_eq!(wrapped("`a = 1, b = 2`", 12, ""), "`a = 1, b =\n2`", "where there is room for it");
        assert_eq!(wrapped("a ` b c d e f g", 12, ""), "a ` b c d e\nf g", "a backtick alone opens nothing");
    }

    #[test]
    fn a_page_is_the_doc_comment_that_begins_with_a_title() {
        let source = "//! file\n\n/// not this\nstruct A;\n\n/// # Title\n///\n/// **Definition.** One thing. And\n/// more.\n/// **Example.** x\n#[derive(Debug)]\nstruct B;\n";
        let page = page(source);
        assert_eq!(page.title, "Title");
        assert_eq!(page.text, "**Definition.** One thing. And\nmore.\n**Example.** x");
        assert_eq!(page.summary(), "One thing");
    }

    #[test]
    fn a_sentence_ends_at_its_full_stop() {
        assert_eq!(first_sentence("r1 < c (rl + .. + rm). More."), "r1 < c (rl + .. + rm)");
        assert_eq!(first_sentence("One 2.5 thing."), "One 2.5 thing");
        assert_eq!(first_sentence(""), "");
    }

    #[test]
    fn an_example_is_indented() {
        let source = "/// # Title\n///\n/// before\n/// ```toml\n/// a = 1\n/// ```\n/// after\n";
        assert_eq!(page(source).text, "before\n    a = 1\nafter");
    }
}
