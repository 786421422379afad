//! Which policies are there to try the schema on?

use std::path::{Path, PathBuf};

use serde_json::Value;

/// A policy as the tree that a schema is about; nothing, if it is no TOML.
pub fn json_of(text: &str) -> Value {
    toml::from_str::<toml::Table>(text).ok().and_then(|table| serde_json::to_value(table).ok()).unwrap_or(Value::Null)
}

/// Policies in files, with their places, and some that say what those do not.
pub fn policies() -> Vec<(String, String)> {
    let files = ["examples", "fuzz/corpus/policy", "bench", "crates"]
        .iter()
        .flat_map(|folder| files(&root().join(folder), "toml"));
    let in_files = files.map(|file| (file.display().to_string(), std::fs::read_to_string(file).unwrap()));
    let in_files = in_files.filter(|(_, text)| text.contains("[[require]]"));
    in_files.chain(WRITTEN.iter().enumerate().map(|(at, text)| (format!("policy {at}"), (*text).to_owned()))).collect()
}

/// The policies of all recorded runs.
pub fn recorded() -> Vec<(String, String)> {
    let cases = super::book::cases(&root().join("crates/shoal-cli/tests/recorded"));
    let with_policy = cases.into_iter().filter(|case| !case.policy.trim().is_empty() && !case.commands.is_empty());
    with_policy.map(|case| (case.name, case.policy)).collect()
}

/// Texts in the code of tests that look like policies.
pub fn literals() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for file in files(&root().join("crates"), "rs") {
        let code = std::fs::read_to_string(&file).unwrap();
        let texts = texts_in(&code).into_iter().filter(|text| text.contains("[[require]]"));
        found.extend(texts.map(|text| (file.display().to_string(), text)));
    }
    found
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The string literals of Rust code, raw or not, near enough.
fn texts_in(code: &str) -> Vec<String> {
    let (mut texts, mut rest) = (Vec::new(), code);
    while let Some(at) = rest.find('"') {
        let hashes = rest[..at].bytes().rev().take_while(|byte| *byte == b'#').count();
        let is_raw = rest[..at - hashes].ends_with('r');
        rest = &rest[at + 1..];
        let end = if is_raw { rest.find(&format!("\"{}", "#".repeat(hashes))) } else { end_of(rest) };
        let Some(end) = end else { break };
        texts.push(if is_raw { rest[..end].to_owned() } else { unescaped(&rest[..end]) });
        rest = &rest[end + 1..];
    }
    texts
}

fn end_of(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices()
        .find(|(_, character)| {
            let ends = *character == '"' && !is_escaped;
            is_escaped = *character == '\\' && !is_escaped;
            ends
        })
        .map(|(at, _)| at)
}

fn unescaped(text: &str) -> String {
    let (mut plain, mut characters) = (String::new(), text.chars().peekable());
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('\n')) => while characters.next_if(|next| next.is_whitespace()).is_some() {},
            ('\\', Some(_)) => plain.push(match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                other => other.unwrap_or_default(),
            }),
            _ => plain.push(character),
        }
    }
    plain
}

const WRITTEN: &[&str] = &[
    r#"
        [input]
        path = "a.csv"
        delimiter = ";"
        quote = "'"
        header = true
        encoding = "utf-8"
        decimal = ","
        missing = ["", "?"]
        rows-with-missing = "drop"
        other-columns = "insensitive"
        memory-limit = "2GB"
        [output]
        path = "b.csv"
        report = "c.html"
        formulas = "escape"
        suppressed = "keep"
        shuffle = false
        seed = 3
        [columns.id]
        role = "identifying"
        replace = "pseudonym"
        key-file = "k"
        domain = "people"
        [columns.born]
        role = "quasi-identifying"
        hierarchy = { dates = { levels = ["month", "year"], format = "%d/%m/%Y" } }
        dates = "day-first"
        two-digit-years = 1930
        [columns.age]
        role = "quasi-identifier"
        hierarchy = { intervals = { widths = [0.5, "1.5"], origin = 1, bottom = 20, top = 80 } }
        min-level = 1
        max-level = 2
        weight = 0.5
        [columns.code]
        role = "quasi-identifier"
        type = "category"
        hierarchy = { mask = { from = "left", character = "x", length = 5 } }
        [columns.job]
        role = "quasi-identifier"
        hierarchy = { tree = { a = ["b", 3, { c = ["d"] }], e = { f = ["g"] } } }
        [columns.pay]
        role = "quasi-identifier"
        hierarchy = { quantiles = [8, 2] }
        [columns.ill]
        role = "sensitive"
        hierarchy = { file = "ill.csv" }
        [columns.note]
        role = "insensitive"
        [[require]]
        model = "k-anonymity"
        k = 5
        [[require]]
        model = "t-closeness"
        column = "ill"
        t = 0.3
        distance = "variational"
        reference = "table"
        [method]
        name = "full-domain"
        search = "optimal"
        objective = "precision"
        max-suppressed = 0.1
        budget = "30s"
        local = true
    "#,
    r#"
        [columns.a]
        role = "quasi-identifier"
        hierarchy = { suppress = {} }
        [columns.s]
        role = "sensitive"
        [[require]]
        model = "distinct-l-diversity"
        l = 2
        among = "all-sensitive"
        [[require]]
        model = "entropy-l-diversity"
        l = 1.5
        [[require]]
        model = "recursive-cl-diversity"
        c = 2
        l = 2
        [[require]]
        model = "pd-recursive-cl-diversity"
        c = 2.5
        l = 2
        disclosable = ["x"]
        [[require]]
        model = "npd-recursive-cl-diversity"
        c1 = 2
        c2 = 10
        l = 2
        guarded = ["y"]
        [[require]]
        model = "simple-l-diversity"
        l = 2
        [[require]]
        model = "p-sensitive-k-anonymity"
        k = 3
        p = 2
        [[require]]
        model = "alpha-k-anonymity"
        alpha = 0.5
        k = 3
        values = ["x"]
        [[require]]
        model = "tau-l-diversity"
        tau = 0.5
        l = 3
        weights = { x = 1, y = 2.5 }
        [[require]]
        model = "tau-l-diversity"
        tau = 0.5
        l = 3
        weights = "released"
        [[require]]
        model = "a-d-diversity"
        a = 1
        d = 2
        groups = { g = ["x"], h = ["y", "z"] }
        [[require]]
        model = "epsilon-m-anonymity"
        epsilon = 0.5
        m = 2
        relative = true
        [[require]]
        model = "bayes-optimal-privacy"
        rho1 = 0.1
        rho2 = 0.5
        [[require]]
        model = "bayes-optimal-privacy"
        difference = 0.3
        [method]
        name = "mondrian"
        cuts = "relaxed"
        choose = "width"
        refine = false
        numbers = "hierarchy"
        categories = "sets"
        ends = "exact"
    "#,
    r#"
        [columns.a]
        role = "quasi-identifier"
        [[require]]
        model = "k-anonymity"
        k = 2
        [method]
        name = "microaggregation"
        numbers-by = "median"
        categories-by = "mode"
        size = 3
        block = 64
    "#,
    r#"
        [columns.a]
        role = "quasi-identifier"
        [columns.s]
        role = "sensitive"
        [[require]]
        model = "simple-l-diversity"
        l = 2
        [method]
        name = "anatomy"
        class-column = "c"
        count-column = "n"
        seed = 4
    "#,
    r#"
        [columns.a]
        role = "quasi-identifier"
        [[require]]
        model = "a-d-diversity"
        a = 1
        d = 1
        groups = { level = 1 }
        [columns.s]
        role = "sensitive"
        [method]
        name = "similarity-blocks"
        effort = 10
    "#,
    r#"
        [columns.a]
        role = "quasi-identifier"
        [[require]]
        model = "k-anonymity"
        k = 2
        [method]
        name = "sweep"
        generalize-sensitive = false
    "#,
];
