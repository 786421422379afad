//! What of a text or a file is the same in every run, on every machine and in every version?

use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// Measured, not decided.
const MEASURED: [&str; 3] = ["seconds", "peak_memory_bytes", "checked"];

/// Values that fit into so many characters stand on one line.
const WIDTH: usize = 140;

/// What the program printed: JSON laid out again without what was measured, anything else as it is.
pub fn json_or_text(printed: &str) -> String {
    match serde_json::from_str::<Value>(printed) {
        Ok(mut json) => {
            forget_measured(&mut json);
            laid_out(&json, 0) + "\n"
        }
        Err(_) => printed.to_owned(),
    }
}

/// A text without the folder it was made in and the version of the program.
pub fn text(text: &str, root: &Path) -> String {
    without_version(&text.replace(root.to_str().unwrap(), "ROOT"))
}

/// What is in a file: unpacked, since how well it is packed is a matter of libraries and processors, and without version and times.
pub fn contents(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).unwrap();
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("gz") => {
            let mut unpacked = Vec::new();
            MultiGzDecoder::new(bytes.as_slice()).read_to_end(&mut unpacked).unwrap();
            unpacked
        }
        Some("zst") => zstd::decode_all(bytes.as_slice()).unwrap(),
        Some("html" | "json") => {
            let text = String::from_utf8(bytes).unwrap();
            let lines = text.lines().map(|line| without_time(line) + "\n");
            without_version(&lines.collect::<String>()).into_bytes()
        }
        _ => bytes,
    }
}

fn without_version(text: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    ["Shoal ", "version ", "\"shoal\": \""]
        .iter()
        .fold(text.to_owned(), |text, before| text.replace(&format!("{before}{version}"), &format!("{before}VERSION")))
}

/// A row of a report about how long a step took.
fn without_time(line: &str) -> String {
    let time = line.strip_suffix(" s</td></tr>").and_then(|line| line.rsplit_once("<td>"));
    match time.filter(|(_, seconds)| seconds.parse::<f64>().is_ok()) {
        Some((before, _)) => format!("{before}<td>TIME</td></tr>"),
        None => line.to_owned(),
    }
}

fn forget_measured(json: &mut Value) {
    match json {
        Value::Object(object) => {
            object.retain(|key, _| !MEASURED.contains(&key.as_str()));
            object.values_mut().for_each(forget_measured);
        }
        Value::Array(array) => array.iter_mut().for_each(forget_measured),
        _ => {}
    }
}

/// JSON in lines that are neither long nor many.
fn laid_out(json: &Value, indent: usize) -> String {
    let line = json.to_string();
    if indent + line.chars().count() <= WIDTH {
        return line;
    }
    let inner = indent + 2;
    let (open, parts, close) = match json {
        Value::Array(array) => ("[", array.iter().map(|part| laid_out(part, inner)).collect::<Vec<_>>(), "]"),
        Value::Object(object) => {
            let part =
                |(key, part): (&String, &Value)| format!("{}: {}", Value::from(key.as_str()), laid_out(part, inner));
            ("{", object.iter().map(part).collect(), "}")
        }
        _ => return line,
    };
    let margin = format!("\n{}", " ".repeat(inner));
    format!("{open}{margin}{}\n{}{close}", parts.join(&format!(",{margin}")), " ".repeat(indent))
}

#[test]
fn json_is_laid_out_without_what_was_measured() {
    let long = "x".repeat(WIDTH);
    let json = format!(
        r#"{{"rows": 3, "lattice": {{"nodes": 4, "checked": 2}}, "seconds": {{"total": 1}}, "long": ["{long}", 0.1]}}"#
    );
    let expected = format!(
        "{{\n  \"rows\": 3,\n  \"lattice\": {{\"nodes\":4}},\n  \"long\": [\n    \"{long}\",\n    0.1\n  ]\n}}\n"
    );
    assert_eq!(json_or_text(&json), expected);
    assert_eq!(json_or_text("words: {}\n"), "words: {}\n");
}

#[test]
fn neither_times_nor_versions_are_recorded() {
    assert_eq!(without_time("<th>Searching</th><td>0.02 s</td></tr>"), "<th>Searching</th><td>TIME</td></tr>");
    assert_eq!(without_time("<th>What</th><td>all rows</td></tr>"), "<th>What</th><td>all rows</td></tr>");
    let by = format!("by Shoal {}, 2.0", env!("CARGO_PKG_VERSION"));
    assert_eq!(text(&format!("/tmp/x/a.csv {by}"), Path::new("/tmp/x")), "ROOT/a.csv by Shoal VERSION, 2.0");
}
