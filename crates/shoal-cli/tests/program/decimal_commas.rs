//! Are the labels of a table with decimal commas written as its numbers are, and does whoever reads labels read them?

use std::fmt::Write;

use serde_json::Value;

use crate::workbench::Workbench;

/// How numbers are written, and what separates cells.
#[derive(Clone, Copy)]
struct Style {
    comma: bool,
}

const COMMAS: Style = Style { comma: true };
const POINTS: Style = Style { comma: false };

impl Style {
    /// A text with decimal points as this style has it.
    fn written(self, text: &str) -> String {
        if self.comma { text.replace(", ", "; ").replace('.', ",") } else { text.to_owned() }
    }

    fn delimiter(self) -> char {
        if self.comma { ';' } else { ',' }
    }

    /// Doses and ages of forty people, from a place on.
    fn table(self, from: u32) -> String {
        let mut text = ["dose", "age", "ill\n"].join(&self.delimiter().to_string());
        for row in from..from + 40 {
            let dose = self.written(&format!("{}.{}", row * 7 % 5, row * row * 37 % 90 + 10));
            let ill = ["flu", "cold", "gout"][row as usize * 5 % 3];
            let d = self.delimiter();
            writeln!(text, "{dose}{d}{}{d}{ill}", 20 + row * 11 % 40).unwrap();
        }
        text
    }

    fn policy(self, dose: &str, method: &str) -> String {
        let decimal = if self.comma { "decimal = \",\"\n" } else { "" };
        format!(
            "[input]\npath = \"table.csv\"\n{decimal}[output]\npath = \"release.csv\"\n[columns.dose]\nrole = \"quasi-identifier\"\n{dose}\n\
             [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = {{ intervals = [5, 10, 20] }}\n[columns.ill]\nrole = \"sensitive\"\n\
             [[require]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\n{method}\n"
        )
    }

    fn bench(self, dose: &str, method: &str) -> Workbench {
        Workbench::with(&[("table.csv", &self.table(0)), ("policy.toml", &self.policy(dose, method))])
    }

    /// The rows of a release, sorted.
    fn rows(self, text: &str) -> Vec<Vec<String>> {
        let mut reader = csv::ReaderBuilder::new().delimiter(self.delimiter() as u8).from_reader(text.as_bytes());
        let cells = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
        let mut rows: Vec<Vec<String>> = reader.records().map(|record| cells(record.unwrap())).collect();
        rows.sort();
        rows
    }
}

/// The rows of a release with decimal points as they would be with commas.
fn expected(points: &str) -> Vec<Vec<String>> {
    let mut rows = POINTS.rows(points);
    rows.iter_mut().for_each(|row| row[0] = COMMAS.written(&row[0]));
    // A mean of whole numbers may have a fraction; a range of them has none.
    rows.iter_mut().for_each(|row| row[1] = row[1].replace('.', ","));
    rows.sort();
    rows
}

const WAYS: &[(&str, &str)] = &[
    ("", "name = \"mondrian\""),
    ("", "name = \"mondrian\"\nends = \"exact\""),
    ("", "name = \"one-dimensional\""),
    ("", "name = \"microaggregation\""),
    ("hierarchy = { intervals = [0.5, 2.5] }", ""),
    ("hierarchy = { intervals = { widths = [0.5], bottom = 0.5, top = 3.5 } }\nmin-level = 1", ""),
    ("hierarchy = { quantiles = [8, 2] }\nmin-level = 1", ""),
    ("hierarchy = { intervals = [0.5, 2.5] }", "name = \"mondrian\"\nnumbers = \"hierarchy\""),
];

const AUDIT: &[&str] = &["audit", "release.csv", "--policy", "policy.toml", "--original", "table.csv", "--json"];

#[test]
fn labels_are_written_as_the_numbers_of_the_table_are() {
    for (dose, method) in WAYS {
        let [commas, points] = [COMMAS, POINTS].map(|style| {
            let bench = style.bench(dose, method);
            bench.must(&["anonymize", "policy.toml"]);
            bench
        });
        let released = commas.text("release.csv");
        assert_eq!(COMMAS.rows(&released), expected(&points.text("release.csv")), "{dose} {method}");
        assert!(!released.contains('.'), "{released}");
    }
    let bench = COMMAS.bench("", "name = \"mondrian\"");
    bench.must(&["anonymize", "policy.toml"]);
    let released = bench.text("release.csv");
    assert!(released.lines().skip(1).any(|line| line.starts_with("\"[1,5; ")), "{released}");
}

/// What an audit says but for texts: whom it finds, and what was lost.
fn figures(audit: &Value) -> Value {
    let of_attack =
        |found: &Value| (found["attack"].clone(), found["exposed_records"].clone(), found["figures"].clone());
    let attacks: Vec<_> = audit["attacks"].as_array().unwrap().iter().map(of_attack).collect();
    let tried = audit["not_tried"].as_array().unwrap().iter().map(|untried| untried["attack"].clone());
    serde_json::json!([attacks, tried.collect::<Vec<_>>(), audit["utility"]["objectives"], audit["utility"]["queries"]])
}

#[test]
fn audits_read_them_as_they_read_others() {
    for (dose, method) in WAYS {
        let audited = |style: Style| {
            let bench = style.bench(dose, method);
            let made = bench.json(&["anonymize", "policy.toml", "--json"]);
            bench.write("other.toml", bench.text("policy.toml").replace("k = 3", "k = 4"));
            bench.must(&["anonymize", "other.toml", "--output", "other.csv"]);
            let audit = bench.json(&[AUDIT, &["--with", "other.csv"]].concat());
            (made["objectives"].clone(), figures(&audit))
        };
        assert_eq!(audited(COMMAS), audited(POINTS), "{dose} {method}");
    }
}

#[test]
fn recipes_put_them_on_other_tables() {
    for (dose, method) in WAYS.iter().filter(|(_, method)| !method.contains("name")) {
        let applied = |style: Style| {
            let bench = style.bench(dose, method);
            bench.must(&["anonymize", "policy.toml", "--recipe", "r.json"]);
            bench.write("next.csv", style.table(7));
            bench.must(&["apply", "r.json", "next.csv", "-o", "again.csv", "--suppress-unknown"]);
            bench.text("again.csv")
        };
        assert_eq!(COMMAS.rows(&applied(COMMAS)), expected(&applied(POINTS)), "{dose} {method}");
    }
}
