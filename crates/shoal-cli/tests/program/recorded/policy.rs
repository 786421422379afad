//! How is a policy put together from parts?

/// The sections of all texts, in their order; one that an earlier text has, too, takes its place.
pub fn of_parts(texts: &[String]) -> String {
    let mut all: Vec<(&str, String)> = Vec::new();
    for (header, section) in texts.iter().flat_map(|text| sections(text)) {
        // Of requirements there may be several.
        let is_one = header.starts_with('[') && !header.starts_with("[[");
        match all.iter_mut().find(|(other, _)| is_one && *other == header) {
            Some(earlier) => earlier.1 = section,
            None => all.push((header, section)),
        }
    }
    all.into_iter().map(|(_, section)| section).collect()
}

/// Each section with its header; what stands before the first has none.
fn sections(text: &str) -> Vec<(&str, String)> {
    let mut sections = vec![("", String::new())];
    for line in text.lines() {
        if line.starts_with('[') {
            sections.push((line, String::new()));
        }
        if let Some((_, section)) = sections.last_mut() {
            section.push_str(line);
            section.push('\n');
        }
    }
    sections
}

#[test]
fn a_section_takes_the_place_of_an_earlier_one_and_requirements_add_up() {
    let part = "# about\n[input]\npath = \"a\"\n[columns.age]\nrole = \"sensitive\"\n[[require]]\nk = 2\n".to_owned();
    let own = "# why\n[input]\npath = \"b\"\n[[require]]\nk = 3\n".to_owned();
    assert_eq!(
        of_parts(&[part, own]),
        "# about\n[input]\npath = \"b\"\n[columns.age]\nrole = \"sensitive\"\n[[require]]\nk = 2\n# why\n[[require]]\nk = 3\n"
    );
}
