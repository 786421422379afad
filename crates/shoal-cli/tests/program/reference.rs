//! Do the documentation, the manual pages and the completions say what the program says?

use std::collections::BTreeMap;
use std::path::Path;

use crate::workbench::Workbench;

fn files(folder: &Path) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let named = |path: std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    files
        .map(|file| file.unwrap().path())
        .map(|path| (named(path.clone()), std::fs::read_to_string(path).unwrap()))
        .collect()
}

#[test]
fn the_reference_in_docs_is_up_to_date() {
    let bench = Workbench::new();
    bench.must(&["reference", "--out", "made"]);
    let made = files(&bench.path("made"));
    let kept = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference"));
    // What is said of policies includes what engines add to them.
    let depends = |name: &&String| name.starts_with("policy.") && cfg!(not(feature = "engines"));
    let differs = |name: &&String| made.get(*name) != kept.get(*name) && !depends(name);
    let stale: Vec<&String> = made.keys().chain(kept.keys()).filter(differs).collect();
    assert!(
        stale.is_empty(),
        "{stale:?} in docs/reference: renew with `cargo run --features engines -- reference --out docs/reference`"
    );
    // Whoever renews it is not asked whether what was made before may go.
    bench.must(&["reference", "--out", "made"]);
}

#[test]
fn the_schema_is_the_one_in_docs_and_knows_the_engines_of_this_build() {
    let printed = Workbench::new().must(&["schema"]).stdout;
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/policy.schema.json");
    let mut schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    if cfg!(not(feature = "engines")) {
        let input = schema["properties"]["input"]["properties"].as_object_mut().unwrap();
        for key in ["spark", "format", "postgres"] {
            assert!(input.shift_remove(key).is_some(), "{key}");
        }
    }
    assert_eq!(printed, format!("{schema:#}\n"));
}

#[test]
fn every_page_of_explain_is_in_the_reference() {
    let bench = Workbench::new();
    bench.must(&["reference", "--out", "made"]);
    let all: String = files(&bench.path("made")).into_values().collect();
    let list = bench.must(&["explain"]).stdout;
    let ids: Vec<&str> =
        list.lines().filter(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.len() > 40, "{list}");
    for id in ids {
        assert!(all.contains(&format!("<a id=\"{id}\"></a>")), "{id}");
    }
}

#[test]
fn there_is_a_manual_page_for_every_command() {
    let bench = Workbench::new();
    bench.must(&["man", "--out", "man"]);
    let pages = files(&bench.path("man"));
    for command in [
        "advise",
        "anonymize",
        "apply",
        "audit",
        "check",
        "compare",
        "completions",
        "explain",
        "generate",
        "hierarchy",
        "init",
    ] {
        let page =
            pages.get(&format!("shoal-{command}.1")).unwrap_or_else(|| panic!("{command} among {:?}", pages.keys()));
        assert!(page.contains(".SH OPTIONS"), "{command}");
    }
    assert!(pages["shoal-anonymize.1"].contains("\\-\\-recipe"));
}

#[test]
fn shells_complete_commands_and_options() {
    let bench = Workbench::new();
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = bench.must(&["completions", shell]).stdout;
        for word in ["anonymize", "suppress-unknown", "shoal"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    // A real shell takes the script and completes with it.
    let ran = bench.run_in_shell(
        "$SHOAL completions bash > shoal.bash && source shoal.bash && COMP_WORDS=(shoal anon) COMP_CWORD=1 \
         && _shoal shoal anon shoal && echo \"${COMPREPLY[@]}\"",
    );
    assert_eq!(ran.stdout, "anonymize\n", "{ran}");
}
