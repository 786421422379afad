//! Does a release hold the same cells, whatever it was read from and written to?

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{Array, ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use shoal_format::{self as format, InputFormat};

use crate::workbench::{Workbench, rows};

const NAMES: [&str; 6] = ["csv", "csv.gz", "csv.zst", "tsv", "jsonl", "parquet"];

/// Passes everything through, so that it turns one format into another.
const COPY: &str = r#"[columns.group]
role = "quasi-identifier"
hierarchy = { suppress = {} }
max-level = 0
[columns.age]
role = "insensitive"
[columns.note]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[output]
shuffle = false
"#;

/// Generalizes the age to decades.
const POLICY: &str = r#"[columns.group]
role = "quasi-identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
min-level = 1
max-level = 1
[columns.note]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[output]
shuffle = false
"#;

const TABLE: &str = "\
group,age,note
a,31,\"plain, with a comma\"
a,35,\"a \"\"quote\"\"\"
b,42,ümläut
b,47,
a,38,007
";

const RELEASE: &str = "\
group,age,note
a,\"[30, 40)\",\"plain, with a comma\"
a,\"[30, 40)\",\"a \"\"quote\"\"\"
b,\"[40, 50)\",ümläut
b,\"[40, 50)\",
a,\"[30, 40)\",007
";

/// The cells of a table in any format, header first; a missing one is empty.
fn cells(path: &Path) -> Vec<Vec<String>> {
    let mut reader = format::open(&InputFormat { header: Some(true), ..InputFormat::new(path) }).unwrap();
    let mut rows = vec![reader.columns().to_vec()];
    while let Some(batch) = reader.next_batch().unwrap() {
        let texts: Vec<_> = batch.columns.iter().map(|column| column.text().unwrap()).collect();
        let cell =
            |texts: &StringArray, row| if texts.is_valid(row) { texts.value(row).to_owned() } else { String::new() };
        rows.extend((0..batch.rows()).map(|row| texts.iter().map(|texts| cell(texts, row)).collect()));
    }
    rows
}

#[test]
fn every_input_gives_the_same_cells_in_every_output() {
    let bench = Workbench::with(&[("copy.toml", COPY), ("policy.toml", POLICY), ("table.csv", TABLE)]);
    for input in NAMES {
        let (table, expected) = (format!("copy.{input}"), rows(RELEASE));
        bench.must(&["anonymize", "copy.toml", "--input", "table.csv", "--output", &table]);
        assert_eq!(cells(&bench.path(&table)), rows(TABLE), "csv to {input}");
        for output in NAMES {
            let release = format!("release-of-{input}.{output}");
            bench.must(&["anonymize", "policy.toml", "--input", &table, "--output", &release]);
            assert_eq!(cells(&bench.path(&release)), expected, "{input} to {output}");
            let audit = bench.json(&["audit", &release, "--policy", "policy.toml", "--json"]);
            assert_eq!((&audit["holds"], &audit["classes"]), (&json!(true), &json!(2)), "{input} to {output}");
        }
    }
    // What the names promise is what the files are.
    let begins_with = |name: &str, magic: &[u8]| assert!(bench.bytes(name).starts_with(magic), "{name}");
    begins_with("release-of-csv.csv", b"group,age,note\n");
    begins_with("release-of-csv.tsv", b"group\tage\tnote\n");
    begins_with("release-of-csv.csv.gz", &[0x1F, 0x8B]);
    begins_with("release-of-csv.csv.zst", &[0x28, 0xB5, 0x2F, 0xFD]);
    begins_with("release-of-csv.jsonl", b"{\"group\"");
    begins_with("release-of-csv.parquet", b"PAR1");
}

fn write_parquet(path: &Path, columns: Vec<(&str, ArrayRef)>) {
    let batch =
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true))).unwrap();
    let mut writer = ArrowWriter::try_new(File::create(path).unwrap(), batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

fn read_parquet(path: &Path) -> (Arc<Schema>, RecordBatch) {
    let builder = ParquetRecordBatchReaderBuilder::try_new(File::open(path).unwrap()).unwrap();
    let schema = builder.schema().clone();
    (schema, builder.build().unwrap().next().unwrap().unwrap())
}

#[test]
fn a_parquet_column_keeps_its_type_unless_it_is_generalized() {
    let bench = Workbench::new();
    let score: ArrayRef = Arc::new(Float64Array::from(vec![Some(0.1), Some(2.0), None, Some(1e-9)]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("age", Arc::new(Int64Array::from(vec![31, 35, 42, 47]))),
        ("group", Arc::new(Int64Array::from(vec![Some(1), Some(1), None, None]))),
        ("seen", Arc::new(Date32Array::from(vec![19_000, 19_001, 19_002, 19_003]))),
        ("score", score.clone()),
    ];
    write_parquet(&bench.path("table.parquet"), columns);
    let policy = POLICY.replace("[columns.note]", "[columns.seen]\nrole = \"insensitive\"\n[columns.score]");
    bench.write("policy.toml", policy);
    bench.must(&["anonymize", "policy.toml", "--input", "table.parquet"]);
    let (schema, release) = read_parquet(&bench.path("table.release.parquet"));
    let types: Vec<&DataType> = schema.fields().iter().map(|field| field.data_type()).collect();
    assert_eq!(types, [&DataType::Utf8, &DataType::Int64, &DataType::Date32, &DataType::Float64]);
    let ages = release.column(0).as_any().downcast_ref::<StringArray>().unwrap();
    assert_eq!(ages.iter().flatten().collect::<Vec<_>>(), ["[30, 40)", "[30, 40)", "[40, 50)", "[40, 50)"]);
    assert_eq!(release.column(1).null_count(), 2, "a missing value stays null");
    assert_eq!(release.column(3), &score);
}

#[test]
fn a_generalized_parquet_column_keeps_its_nulls() {
    let bench = Workbench::with(&[("policy.toml", POLICY)]);
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("group", Arc::new(Int64Array::from(vec![1, 1, 1, 1]))),
        ("age", Arc::new(Int64Array::from(vec![Some(31), Some(35), None, None]))),
        ("note", Arc::new(StringArray::from(vec!["x", "y", "x", "y"]))),
    ];
    write_parquet(&bench.path("table.parquet"), columns);
    bench.must(&["anonymize", "policy.toml", "--input", "table.parquet"]);
    let (_, release) = read_parquet(&bench.path("table.release.parquet"));
    let ages = release.column(1).as_any().downcast_ref::<StringArray>().unwrap();
    assert_eq!(ages.iter().collect::<Vec<_>>(), [Some("[30, 40)"), Some("[30, 40)"), None, None]);
}

#[test]
fn json_values_stay_what_they_are() {
    let lines = "\
{\"group\": 1, \"age\": 31, \"note\": 1.50}
{\"group\": 1, \"age\": 35, \"note\": true}
{\"group\": null, \"age\": 42, \"note\": null}
{\"group\": null, \"age\": 47, \"note\": \"none\"}
";
    let bench = Workbench::with(&[("policy.toml", POLICY), ("table.jsonl", lines)]);
    bench.must(&["anonymize", "policy.toml", "--input", "table.jsonl"]);
    let release = bench.text("table.release.jsonl");
    let values: Vec<Value> = release.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(values[0], json!({"group": 1, "age": "[30, 40)", "note": 1.50}));
    assert_eq!(values[1], json!({"group": 1, "age": "[30, 40)", "note": true}));
    assert_eq!(values[2], json!({"group": null, "age": "[40, 50)", "note": null}));
    assert_eq!(values[3], json!({"group": null, "age": "[40, 50)", "note": "none"}));
    assert!(release.contains("1.50,") || release.contains("1.50}"), "a number keeps its digits: {release}");
}
