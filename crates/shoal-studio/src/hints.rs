//! How is a hint about the command line followed in a browser?

/// What the page has in place of options of the command line: words of the library, and what to do instead.
const IN_THE_PAGE: &[(&str, &str)] = &[
    (
        "give another name, or --overwrite to replace it",
        "tick \"Replace files of these names\", or write another name into `path` of [output] in the text of the policy",
    ),
    ("set `path` in [input], or give --input FILE", "open a table, or set `path` in [input]"),
    ("; `shoal advise` says what each costs", "; \"What costs most?\" in Explore says what each costs"),
    ("; or leave out --recipe", "; or untick the recipe"),
    ("leave out --recipe, or", "untick the recipe, or leave out"),
    (", or `--header false`", ""),
    (", and ask `shoal audit --household` about a table that shows people and households", ""),
];

/// The hint as the page says it; none where only the command line could follow it.
pub fn in_the_page(hint: &str) -> Option<String> {
    let mut said = hint.to_owned();
    for (words, instead) in IN_THE_PAGE {
        said = said.replace(words, instead);
    }
    // Which encoding it is stands between the words, and so do settings.
    if let Some(at) = said.find(", or `--encoding ") {
        said.truncate(at);
    }
    while let Some(at) = said.find(" (--set ") {
        let end = said[at..].find(");").map_or(said.len(), |end| at + end + 1);
        said.replace_range(at..end, "");
    }
    // What has to be installed is, in a terminal.
    (said.contains("cargo install") || !has_option(&said)).then_some(said)
}

/// Does a text name an option of the command line?
fn has_option(text: &str) -> bool {
    text.split(|c: char| c.is_whitespace() || "`'\"(".contains(c))
        .any(|word| word.strip_prefix("--").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_option_of_the_command_line_is_hinted_at() {
        let replaced = in_the_page("give another name, or --overwrite to replace it").unwrap();
        assert!(replaced.starts_with("tick \"Replace files of these names\""), "{replaced}");
        let encoding = "say its encoding, for example `encoding = \"latin1\"` in [input], or `--encoding latin1`";
        assert_eq!(in_the_page(encoding).unwrap(), "say its encoding, for example `encoding = \"latin1\"` in [input]");
        let tried = "tried, and enough: k of 3 (--set k=3 --set 'columns.a b.type=x (y)'); or more (--set max-suppressed=0.1); `shoal advise` says what each costs";
        let said = "tried, and enough: k of 3; or more; \"What costs most?\" in Explore says what each costs";
        assert_eq!(in_the_page(tried).unwrap(), said);
        let install = "run `cargo install --path crates/shoal-cli --features parquet`";
        assert_eq!(in_the_page(install).unwrap(), install);
        assert_eq!(in_the_page("name what somebody could know with --quasi"), None);
        assert_eq!(in_the_page("raise `max-suppressed` to 0.031").unwrap(), "raise `max-suppressed` to 0.031");
        assert!(!has_option("a -- b, --- and `a--b`") && has_option("see (`--levels a=1`)"));
    }

    /// What the page says instead is about words that the library still has.
    #[test]
    fn every_replacement_is_of_a_hint_that_there_is() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut sources = String::new();
        let mut folders: Vec<_> =
            ["shoal/src", "shoal-core/src", "shoal-format/src"].map(|folder| crates.join(folder)).into();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => sources.push_str(&std::fs::read_to_string(path).unwrap_or_default()),
                }
            }
        }
        for (words, _) in IN_THE_PAGE {
            assert!(sources.contains(words), "no hint says {words}");
        }
    }
}
