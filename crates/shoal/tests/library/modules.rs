//! Does the code keep to the shape that ARCHITECTURE.md promises?

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use shoal::{attack, risk, utility};
use shoal_core::{method, model, objective};

/// The modules of each crate, in the order of ARCHITECTURE.md, and which of those before it each may use. Between crates, the compiler
/// holds the seam.
const CRATES: &[(&str, Modules)] = &[
    (
        "shoal-core",
        &[
            ("printable", &[]),
            ("error", &["printable"]),
            ("exact", &[]),
            ("page", &[]),
            ("listed", &["page"]),
            ("watch", &["error"]),
            ("schema", &[]),
            ("warning", &["printable"]),
            ("text_file", &["error"]),
            ("spill", &["error"]),
            ("table", &["error"]),
            ("hierarchy", &["error", "listed", "schema", "printable", "text_file", "table"]),
            ("lattice", &[]),
            ("words", &["lattice"]),
            ("frequency", &["error", "exact", "spill", "table", "hierarchy", "lattice"]),
            ("distance", &["exact", "hierarchy", "frequency"]),
            ("model", &["error", "exact", "listed", "schema", "text_file", "hierarchy", "frequency", "distance"]),
            ("objective", &["listed", "hierarchy", "lattice", "frequency"]),
            (
                "method",
                &[
                    "error",
                    "exact",
                    "listed",
                    "watch",
                    "table",
                    "hierarchy",
                    "lattice",
                    "frequency",
                    "model",
                    "objective",
                    "warning",
                    "words",
                ],
            ),
            ("recode", &["error", "table", "frequency", "method"]),
        ],
    ),
    (
        "shoal",
        &[
            ("interruption", &[]),
            ("key", &[]),
            ("publish", &["interruption"]),
            ("outsider", &[]),
            ("policy", &["key"]),
            ("meaning", &["policy"]),
            ("source", &["outsider", "policy", "meaning", "publish"]),
            ("prepare", &["policy", "source"]),
            ("verify", &["outsider", "policy"]),
            ("linking", &["outsider"]),
            ("attack", &["outsider", "linking"]),
            ("risk", &["outsider", "linking", "attack", "meaning"]),
            ("utility", &["outsider", "linking", "attack"]),
            ("recipe", &["policy", "source", "linking", "prepare"]),
            ("audit", &["outsider", "policy", "linking", "attack", "risk", "utility", "meaning", "source", "prepare"]),
            (
                "study",
                &["audit", "meaning", "outsider", "policy", "prepare", "publish", "recipe", "risk", "source", "verify"],
            ),
            ("run", &["policy", "source", "study"]),
            ("advise", &["policy", "study"]),
            ("compare", &["outsider", "policy", "source", "attack", "utility", "meaning", "study", "advise"]),
            ("init", &["policy", "source", "meaning", "risk", "study"]),
            ("generate", &[]),
            ("sample", &["policy"]),
        ],
    ),
];

type Modules = &'static [(&'static str, &'static [&'static str])];

fn sources(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src")
}

/// All crates whose files are read by people.
const ALL: [&str; 10] = [
    "shoal-core",
    "shoal-format",
    "shoal",
    "shoal-report",
    "shoal-cli",
    "shoal-engine",
    "shoal-python",
    "shoal-studio",
    "shoal-torture",
    "shoal-fuzz",
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The module of its crate that a file belongs to; none for `lib.rs`.
fn module_of(file: &Path, sources: &Path) -> Option<String> {
    let first = file.strip_prefix(sources).unwrap().components().next().unwrap();
    let name = first.as_os_str().to_str().unwrap().trim_end_matches(".rs");
    (name != "lib").then(|| name.to_owned())
}

/// The code of a file without comments and tests, and the names of modules that are for tests only.
fn code(text: &str) -> (String, Vec<String>) {
    let (mut code, mut test_modules) = (String::new(), Vec::new());
    let mut lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            code += line;
            code.push('\n');
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let ends = |line: &&str| {
            let at_level = line.len() - line.trim_start().len() == indent;
            at_level && (line.trim_start().starts_with('}') || line.ends_with(';'))
        };
        if let Some(name) = lines.find(ends).and_then(|last| last.trim().strip_prefix("mod ")) {
            test_modules.push(name.trim_end_matches(';').to_owned());
        }
    }
    (code, test_modules)
}

/// The first names after `crate::` in a file's code; the re-exports `Error` and `Result` are of `error`.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, path) in code.match_indices("crate::") {
        let rest = &code[at + path.len()..];
        let names: Vec<&str> = match rest.strip_prefix('{') {
            Some(group) => first_names(group),
            None => vec![rest],
        };
        for name in names {
            let name: String = name.trim_start().chars().take_while(|&c| c.is_alphanumeric() || c == '_').collect();
            found.insert(if name == "Error" || name == "Result" { "error".to_owned() } else { name });
        }
    }
    found
}

/// The parts of `a::{b, c}, d}` between commas at its own depth.
fn first_names(group: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => {
                parts.push(&group[begin..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&group[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.into_iter().filter(|part| !part.trim().is_empty()).collect()
}

/// What each module of a crate uses of the others.
fn used(sources: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let files: Vec<(PathBuf, String, Vec<String>)> = rust_files(sources)
        .into_iter()
        .map(|file| {
            let (code, test_modules) = code(&fs::read_to_string(&file).unwrap());
            (file, code, test_modules)
        })
        .collect();
    let for_tests: HashSet<PathBuf> = files
        .iter()
        .flat_map(|(file, _, modules)| modules.iter().map(|name| file.with_file_name(format!("{name}.rs"))))
        .collect();
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, code, _) in files.iter().filter(|(file, ..)| !for_tests.contains(file)) {
        if let Some(module) = module_of(file, sources) {
            let others = imports(code).into_iter().filter(|name| *name != module);
            used.entry(module.clone()).or_default().extend(others);
        }
    }
    used
}

#[test]
fn imports_are_found_wherever_they_stand() {
    let text = "use crate::a::B;\nuse crate::{Error, c::{D, e}, f};\n// crate::comment\nfn g() { crate::h::i() }\n\
                #[cfg(test)]\nmod laws;\n#[cfg(test)]\nmod tests {\n    use crate::j;\n}\nuse crate::k::L;\n";
    let (code, test_modules) = code(text);
    assert_eq!(imports(&code).into_iter().collect::<Vec<_>>(), ["a", "c", "error", "f", "h", "k"]);
    assert_eq!(test_modules[0], "laws");
}

#[test]
fn every_module_is_listed() {
    for (name, modules) in CRATES {
        let listed: Vec<&str> = modules.iter().map(|(name, _)| *name).collect();
        for module in used(&sources(name)).keys() {
            assert!(listed.contains(&module.as_str()), "say where `{module}` of {name} stands and what it may use");
        }
    }
}

#[test]
fn no_module_is_listed_that_is_gone() {
    for (name, modules) in CRATES {
        let there = used(&sources(name));
        let gone: Vec<&str> =
            modules.iter().map(|(module, _)| *module).filter(|module| !there.contains_key(*module)).collect();
        assert!(gone.is_empty(), "{gone:?} of {name}");
    }
}

/// What whoever builds on the library finds: the names that `lib.rs` shows, each with the path it comes from.
fn shown_names() -> Vec<(PathBuf, String)> {
    let text = fs::read_to_string(sources("shoal").join("lib.rs")).unwrap();
    let (code, _) = code(&text);
    let mut shown = Vec::new();
    for line in code.replace(",\n", ", ").split(';') {
        let Some((_, path)) = line.split_once("pub use ") else { continue };
        let Some((module, names)) = path.rsplit_once("::") else { continue };
        let (of, module) = match module.split_once("::").unwrap_or((module, "")) {
            (of @ ("shoal_core" | "shoal_format"), module) => (of.replace('_', "-"), module),
            _ => ("shoal".to_owned(), module),
        };
        let names = names.trim_matches(['{', '}', ' ', '\n']).split(',');
        let names =
            names.map(|name| name.split(" as ").next().unwrap().trim().to_owned()).filter(|name| !name.is_empty());
        shown.extend(names.map(|name| (sources(&of).join(module), name)));
    }
    shown
}

/// Is there an example above the definition of this name, in a module or its file?
fn has_example(module: &Path, name: &str) -> bool {
    let file = module.with_extension("rs");
    let files = if file.is_file() { vec![file] } else { rust_files(module) };
    files.iter().any(|file| {
        let text = fs::read_to_string(file).unwrap();
        let kinds = ["struct", "enum", "trait", "fn", "type"].map(|kind| format!("\npub {kind} {name}"));
        kinds.iter().flat_map(|kind| text.match_indices(kind)).any(|(at, kind)| {
            let is_whole = !text[at + kind.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
            let mut above =
                text[..at].lines().rev().take_while(|line| line.starts_with("///") || line.starts_with("#["));
            is_whole && above.any(|line| line.starts_with("/// ```"))
        })
    })
}

#[test]
fn whatever_others_build_on_has_an_example() {
    let shown = shown_names();
    assert!(shown.len() > 50, "{shown:?}");
    let without = shown.iter().filter(|(path, name)| !has_example(path, name));
    let without: Vec<String> = without.map(|(path, name)| format!("{name} of {}", path.display())).collect();
    assert!(without.is_empty(), "without an example: {without:?}");
}

#[test]
fn no_module_uses_what_it_may_not() {
    for (name, modules) in CRATES {
        for (module, others) in used(&sources(name)) {
            let allowed = modules.iter().find(|(name, _)| *name == module).map_or(&[][..], |(_, allowed)| *allowed);
            for other in others {
                assert!(allowed.contains(&other.as_str()), "`{module}` uses `{other}`, which the list does not allow");
            }
        }
    }
}

#[test]
fn the_list_goes_from_left_to_right() {
    for (_, modules) in CRATES {
        for (place, (module, allowed)) in modules.iter().enumerate() {
            let before: Vec<&str> = modules[..place].iter().map(|(name, _)| *name).collect();
            for other in *allowed {
                assert!(before.contains(other), "`{other}` does not stand before `{module}`");
            }
        }
    }
}

#[test]
fn the_list_is_in_the_order_of_the_architecture() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md")).unwrap();
    let place = |module: &str| {
        let heading = text.lines().position(|line| {
            let title = line.split(" — ").next().unwrap_or_default();
            line.starts_with("**`") && title.replace("/`", "`").contains(&format!("`{module}`"))
        });
        heading.unwrap_or_else(|| panic!("ARCHITECTURE.md says nothing about `{module}`"))
    };
    let modules = CRATES.iter().flat_map(|(_, modules)| modules.iter());
    let places: Vec<usize> = modules.map(|(name, _)| place(name)).collect();
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn every_file_opens_with_the_question_it_answers() {
    for file in ALL.iter().flat_map(|name| rust_files(&sources(name))) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! "), "{} does not open with `//!`", file.display());
    }
}

#[test]
fn every_model_page_has_the_same_headings() {
    let expected = [
        "Definition.",
        "Protects against",
        "Does not protect against",
        "Parameters.",
        "Monotonicity.",
        "Example.",
        "People.",
        "Reference.",
    ];
    for definition in model::DEFINITIONS {
        let page = definition.page();
        let headings: Vec<&str> =
            page.text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("**").map(|pair| pair.0)).collect();
        assert_eq!(headings, expected, "{}", definition.id);
        assert!(!page.title.is_empty() && !page.summary().is_empty(), "{}", definition.id);
    }
}

#[test]
fn every_attack_page_has_the_same_headings() {
    let expected = ["Definition.", "What is learned.", "Prevented by.", "Options.", "Example.", "Reference."];
    for entry in attack::ATTACKS {
        let page = entry.page();
        let headings: Vec<&str> =
            page.text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("**").map(|pair| pair.0)).collect();
        assert_eq!(headings, expected, "{}", entry.item.id());
        assert!(!page.title.is_empty() && !page.summary().is_empty(), "{}", entry.item.id());
    }
}

#[test]
fn every_risk_page_has_the_same_headings() {
    let expected = ["Definition.", "What it means.", "Lowered by.", "Options.", "Example.", "Reference."];
    for entry in risk::RISKS {
        let page = entry.page();
        let headings: Vec<&str> =
            page.text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("**").map(|pair| pair.0)).collect();
        assert_eq!(headings, expected, "{}", entry.id());
    }
}

#[test]
fn every_measure_page_says_what_it_is_and_where_it_comes_from() {
    for entry in utility::MEASURES {
        let page = entry.page();
        let headings: Vec<&str> =
            page.text.lines().filter_map(|line| line.strip_prefix("**")?.split_once("**").map(|pair| pair.0)).collect();
        assert_eq!(headings[..2], ["Definition.", "How a release is read."].map(|heading| heading), "{}", entry.id());
        assert!(headings.ends_with(&["Example.", "Reference."]), "{}", entry.id());
        assert!(!page.title.is_empty() && !page.summary().is_empty(), "{}", entry.id());
    }
}

#[test]
fn ids_are_kebab_case_and_unique() {
    let models = model::DEFINITIONS.iter().map(|definition| definition.id);
    let objectives = objective::OBJECTIVES.iter().map(|entry| entry.item.id());
    let methods = method::METHODS.iter().map(|entry| entry.id());
    let mut seen = HashSet::new();
    let attacks = attack::ATTACKS.iter().map(|entry| entry.item.id());
    let risks = risk::RISKS.iter().map(|entry| entry.id());
    let measures = utility::MEASURES.iter().map(|entry| entry.id());
    for id in models.chain(objectives).chain(methods).chain(attacks).chain(risks).chain(measures) {
        let is_word =
            |word: &str| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
        assert!(id.split('-').all(is_word), "`{id}` is not kebab-case");
        assert!(seen.insert(id), "`{id}` stands for two things");
    }
}
