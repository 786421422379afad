//! Do all dependencies come from where they should, under licences that go with ours, and each only once?
//!
//! Everything is asked of `cargo metadata`, for the machine that runs the test. A list that names what is no longer there fails,
//! too, so that no exception outlives its reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use shoal_format::FORMATS;

/// Licences that ask for no more than a notice.
const LICENCES: [&str; 8] = [
    "MIT",
    "Apache-2.0",
    // What builds pyo3 has it; the exception asks for less than the licence.
    "Apache-2.0 WITH LLVM-exception",
    "BSD-3-Clause",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "CC0-1.0",
];

/// Where dependencies come from.
const SOURCE: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// What is there in several versions, and who needs the older one.
const SEVERAL_VERSIONS: &[(&str, &str)] = &[
    ("base64", "postgres and tonic are behind arrow"),
    ("const-oid", "the certificates of rustls are behind digest"),
    ("fallible-iterator", "postgres is behind rusqlite"),
    ("foldhash", "petgraph, which builds the protocol of Spark, uses an older hashbrown"),
    ("getrandom", "ring is behind"),
    ("hashbrown", "petgraph, which builds the protocol of Spark, is behind"),
    ("rand", "rust_decimal names older ones for features that are off here; they are not built"),
    ("rand_chacha", "as rand"),
    ("rand_core", "as rand"),
    ("syn", "prost and others are behind serde"),
    ("typed-path", "rust_xlsxwriter, in tests alone, uses an older zip"),
    ("zip", "rust_xlsxwriter, in tests alone, is behind calamine"),
];

fn metadata() -> Value {
    let rustc = Command::new("rustc").arg("-vV").output().expect("rustc");
    let version = String::from_utf8(rustc.stdout).unwrap();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).expect("rustc knows its host");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--all-features", "--filter-platform", host])
        .arg("--manifest-path")
        .arg(manifest)
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The packages that are built, ours left out.
fn dependencies(metadata: &Value) -> Vec<&Value> {
    let resolved = metadata["resolve"]["nodes"].as_array().unwrap();
    let resolved: BTreeSet<&str> = resolved.iter().map(|node| node["id"].as_str().unwrap()).collect();
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages
        .filter(|package| resolved.contains(package["id"].as_str().unwrap()))
        .filter(|package| {
            let manifest = package["manifest_path"].as_str().unwrap();
            !Path::new(manifest).starts_with(metadata["workspace_root"].as_str().unwrap())
        })
        .collect()
}

fn named(package: &Value) -> String {
    format!("{} {}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap())
}

#[test]
fn all_dependencies_come_from_crates_io() {
    let metadata = metadata();
    for package in dependencies(&metadata) {
        assert_eq!(package["source"].as_str(), Some(SOURCE), "{}", named(package));
    }
}

#[test]
fn licences_go_with_ours() {
    let metadata = metadata();
    let packages = dependencies(&metadata);
    let fits = |package: &&Value, allowed: &[&str]| {
        package["license"].as_str().is_some_and(|text| Expression::parse(text).is_satisfied(allowed))
    };
    let refused: Vec<String> = packages
        .iter()
        .filter(|package| !fits(package, &LICENCES))
        .map(|package| format!("{}: {}", named(package), package["license"]))
        .collect();
    assert!(refused.is_empty(), "licences that are not in the list:\n{}", refused.join("\n"));
    for licence in LICENCES {
        let others: Vec<&str> = LICENCES.into_iter().filter(|other| *other != licence).collect();
        let is_needed = packages.iter().any(|package| !fits(package, &others));
        assert!(is_needed, "nothing needs {licence} any more: take it from the list");
    }
}

#[test]
fn what_is_there_twice_has_a_reason() {
    let metadata = metadata();
    let mut versions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for package in dependencies(&metadata) {
        versions.entry(package["name"].as_str().unwrap()).or_default().insert(package["version"].as_str().unwrap());
    }
    let found: BTreeSet<&str> = versions.iter().filter(|(_, all)| all.len() > 1).map(|(name, _)| *name).collect();
    let listed: BTreeSet<&str> = SEVERAL_VERSIONS.iter().map(|(name, _)| *name).collect();
    let new: Vec<_> = found.difference(&listed).map(|name| (name, &versions[name])).collect();
    assert!(new.is_empty(), "in several versions without a reason: {new:?}");
    let stale: Vec<_> = listed.difference(&found).collect();
    assert!(stale.is_empty(), "no longer in several versions: {stale:?}");
}

/// The packages that a crate is built of; what only its tests need is left out.
fn needed_by<'a>(metadata: &'a Value, name: &str) -> BTreeSet<&'a str> {
    let packages = metadata["packages"].as_array().unwrap().iter();
    let names: BTreeMap<&str, &str> =
        packages.map(|package| (package["id"].as_str().unwrap(), package["name"].as_str().unwrap())).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap().iter();
    let nodes: BTreeMap<&str, &Value> = nodes.map(|node| (node["id"].as_str().unwrap(), node)).collect();
    let is_built = |dependency: &&Value| {
        dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].as_str() != Some("dev"))
    };
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&str> = nodes.keys().copied().filter(|id| names[id] == name).collect();
    assert_eq!(waiting.len(), 1, "there is one crate {name}");
    while let Some(id) = waiting.pop() {
        if found.insert(names[id]) {
            let needed = nodes[id]["deps"].as_array().unwrap().iter().filter(is_built);
            waiting.extend(needed.map(|dependency| dependency["pkg"].as_str().unwrap()));
        }
    }
    found
}

#[test]
fn what_decides_knows_no_file_format() {
    let metadata = metadata();
    let core = needed_by(&metadata, "shoal-core");
    let formats = ["arrow", "parquet", "calamine", "zip", "rusqlite", "shoal-format"];
    let known: Vec<&&str> = core.iter().filter(|name| formats.iter().any(|format| name.starts_with(format))).collect();
    assert!(known.is_empty(), "shoal-core is built with {known:?}");
    assert!(core.contains("csv") && needed_by(&metadata, "shoal-format").contains("parquet"), "the graph was read");
}

#[test]
fn a_first_build_has_none_of_what_takes_minutes() {
    // The graph of `cargo metadata` is that of all crates at once; a tree is of what one of them is built of.
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "-p", "shoal-cli", "--edges", "normal,build", "--prefix", "none"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .output()
        .expect("cargo");
    let tree = String::from_utf8(output.stdout).unwrap();
    let program: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    for heavy in
        ["parquet", "arrow-cast", "arrow-ord", "arrow-select", "arrow-ipc", "rusqlite", "calamine", "zip", "tokio"]
    {
        assert!(!program.contains(heavy), "{heavy} is built before anything can be tried");
    }
    assert!(program.contains("arrow-array") && program.contains("shoal-core"), "the graph was read");
}

#[test]
fn the_features_of_formats_are_passed_on() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut features: Vec<&str> = FORMATS.iter().filter_map(|format| format.feature).collect();
    features.sort_unstable();
    for (name, below) in [("shoal-format", None), ("shoal", Some("shoal-format")), ("shoal-cli", Some("shoal"))] {
        let manifest = std::fs::read_to_string(crates.join(name).join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let listed = |feature: &str| -> Vec<&str> {
            manifest["features"][feature].as_array().unwrap().iter().map(|part| part.as_str().unwrap()).collect()
        };
        // What people install has the studio, too, which is no format.
        let (studio, formats): (Vec<&str>, Vec<&str>) =
            listed("full").into_iter().partition(|feature| *feature == "studio");
        assert_eq!(formats, features, "{name}");
        assert_eq!(studio.len(), usize::from(name == "shoal-cli"), "{name}");
        for feature in &features {
            let is_passed_on = |below| listed(feature) == [format!("{below}/{feature}")];
            assert!(below.is_none_or(is_passed_on), "{name} does not pass `{feature}` on");
        }
    }
}

#[test]
fn no_profile_ends_the_program_at_a_panic() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let manifest: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
    let profiles = manifest["profile"].as_table().unwrap();
    // A library that panics on a damaged file must leave us the chance to say so.
    assert!(profiles.values().all(|profile| profile.get("panic").is_none()), "{profiles:?}");
}

/// Advisories are looked up where their database is at hand; nothing is fetched.
#[test]
#[cfg_attr(not(advisories), ignore = "no `cargo audit`, or no database of advisories in CARGO_HOME")]
fn no_dependency_has_a_known_hole() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let output =
        Command::new(env!("CARGO")).args(["audit", "--no-fetch", "--stale"]).current_dir(root).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// A licence expression of SPDX.
#[derive(Debug, PartialEq)]
enum Expression {
    Licence(String),
    Any(Vec<Expression>),
    All(Vec<Expression>),
}

impl Expression {
    /// Older manifests write `/` for OR.
    fn parse(text: &str) -> Self {
        let text = text.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut rest = &words[..];
        let parsed = Self::any(&mut rest);
        assert!(rest.is_empty(), "{text}: {rest:?} is left over");
        parsed
    }

    fn any(words: &mut &[&str]) -> Self {
        Self::joined(words, "OR", Self::all, Self::Any)
    }

    fn all(words: &mut &[&str]) -> Self {
        Self::joined(words, "AND", Self::one, Self::All)
    }

    fn joined(words: &mut &[&str], between: &str, part: fn(&mut &[&str]) -> Self, join: fn(Vec<Self>) -> Self) -> Self {
        let mut parts = vec![part(words)];
        while words.first() == Some(&between) {
            *words = &words[1..];
            parts.push(part(words));
        }
        if parts.len() == 1 { parts.remove(0) } else { join(parts) }
    }

    fn one(words: &mut &[&str]) -> Self {
        let (first, rest) = words.split_first().expect("an expression goes on");
        *words = rest;
        if *first == "(" {
            let inner = Self::any(words);
            assert_eq!(words.first(), Some(&")"));
            *words = &words[1..];
            return inner;
        }
        let mut licence = (*first).to_owned();
        if let [with @ "WITH", exception, rest @ ..] = words {
            licence += &format!(" {with} {exception}");
            *words = rest;
        }
        Self::Licence(licence)
    }

    fn is_satisfied(&self, allowed: &[&str]) -> bool {
        match self {
            Self::Licence(licence) => allowed.contains(&licence.as_str()),
            Self::Any(parts) => parts.iter().any(|part| part.is_satisfied(allowed)),
            Self::All(parts) => parts.iter().all(|part| part.is_satisfied(allowed)),
        }
    }
}

#[test]
fn expressions_are_read_as_spdx_means_them() {
    let satisfied = |text: &str| Expression::parse(text).is_satisfied(&["MIT", "ISC"]);
    assert!(satisfied("MIT") && satisfied("GPL-3.0 OR MIT") && satisfied("MIT/Apache-2.0") && satisfied("MIT AND ISC"));
    assert!(satisfied("(GPL-3.0 OR MIT) AND ISC") && satisfied("GPL-3.0 AND BSD-3-Clause OR MIT"));
    assert!(!satisfied("GPL-3.0") && !satisfied("MIT AND GPL-3.0") && !satisfied("MIT WITH an-exception"));
    assert!(!satisfied("GPL-3.0 AND (MIT OR ISC)"));
}
