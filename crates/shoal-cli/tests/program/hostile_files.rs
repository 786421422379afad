//! Files that ask for all memory there is, or that libraries panic at: exit code 2, the file's name, and soon.

use std::io::Write;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use rust_xlsxwriter::Workbook;

use crate::workbench::{Ran, Workbench};

const POLICY: &str = "[input]\nother-columns = \"drop\"\n[output]\npath = \"release.csv\"\n[columns.a]\nrole = \"quasi-identifier\"\n\
                      hierarchy = { suppress = {} }\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";

/// Every command that reads a table refuses this one; what the last of them said.
fn refused(bench: &Workbench, table: &str) -> Ran {
    bench.write("policy.toml", POLICY);
    let commands: [&[&str]; 4] = [
        &["init", table],
        &["audit", table, "--quasi", "a"],
        &["hierarchy", "suggest", table, "--column", "a"],
        &["anonymize", "policy.toml", "--input", table],
    ];
    let mut last = None;
    for command in commands {
        let begin = Instant::now();
        let ran = bench.run(command);
        assert_eq!(ran.code, 2, "{command:?}\n{ran}");
        assert!(ran.stderr.contains(table) && !ran.stderr.contains("panicked"), "{command:?}\n{ran}");
        assert!(begin.elapsed() < Duration::from_secs(30), "{command:?} took {:?}", begin.elapsed());
        last = Some(ran);
    }
    last.unwrap()
}

#[test]
fn one_cell_in_the_last_corner_of_a_sheet() {
    let bench = Workbench::new();
    let mut workbook = Workbook::new();
    let sheet = workbook.add_worksheet();
    for (row, column) in [(0, 0), (1, 0), (1_048_575, 16_383)] {
        sheet.write(row, column, "a").unwrap();
    }
    workbook.save(bench.path("table.xlsx")).unwrap();
    assert!(bench.bytes("table.xlsx").len() < 10_000);
    let ran = refused(&bench, "table.xlsx");
    assert!(
        ran.stderr.contains("table.xlsx, sheet `Sheet1`, row 1048576: a cell stands 1048573 blank rows below"),
        "{ran}"
    );
}

#[test]
fn a_column_whose_name_is_no_text() {
    let bench = Workbench::new();
    let database = Connection::open(bench.path("table.sqlite")).unwrap();
    database.execute_batch("CREATE TABLE t (a, xxxx); INSERT INTO t VALUES (1, 2), (1, 2);").unwrap();
    drop(database);
    let mut bytes = bench.bytes("table.sqlite");
    let place = bytes.windows(4).position(|four| four == b"xxxx").unwrap();
    bytes[place] = 0xff;
    bench.write("table.sqlite", bytes);
    let ran = refused(&bench, "table.sqlite");
    assert!(ran.stderr.contains("the name of a column is not UTF-8"), "{ran}");
}

#[test]
fn a_damaged_parquet_file_never_ends_in_a_panic() {
    let bench = Workbench::new();
    bench.write("rows.csv", "a,b\n1,x\n1,x\n2,y\n2,y\n");
    let policy = POLICY.replace("drop", "insensitive").replace("release.csv", "table.parquet");
    bench.write("make.toml", policy);
    bench.must(&["anonymize", "make.toml", "--input", "rows.csv"]);
    let sound = bench.bytes("table.parquet");
    bench.write("policy.toml", POLICY);
    // Each byte of the file in turn is another one.
    for place in (0..sound.len()).step_by(7) {
        let mut bytes = sound.clone();
        bytes[place] ^= 0xff;
        bench.write("broken.parquet", bytes);
        let ran = bench.run(&["anonymize", "policy.toml", "--input", "broken.parquet", "--quiet", "--threads", "2"]);
        assert!(!ran.stderr.contains("panicked") && (0..=2).contains(&ran.code), "byte {place}\n{ran}");
        assert!(
            ran.code != 2 || ran.stderr.contains("broken.parquet") || ran.stderr.contains("has no column"),
            "{ran}"
        );
    }
}

#[test]
fn a_packed_file_that_unpacks_to_one_endless_row() {
    let bench = Workbench::new();
    let mut packed = flate2_file(&bench, "table.csv.gz");
    packed.write_all(b"a\n").unwrap();
    let zeros = vec![b'0'; 1 << 20];
    (0..200).for_each(|_| packed.write_all(&zeros).unwrap());
    packed.finish().unwrap();
    let ran = refused(&bench, "table.csv.gz");
    assert!(ran.stderr.contains("row 1 (line 2): the row is longer than 64 MiB"), "{ran}");
}

fn flate2_file(bench: &Workbench, name: &str) -> flate2::write::GzEncoder<std::fs::File> {
    flate2::write::GzEncoder::new(std::fs::File::create(bench.path(name)).unwrap(), flate2::Compression::fast())
}

#[test]
fn a_row_of_a_hundred_million_cells() {
    let bench = Workbench::new();
    bench.write("table.csv", ",".repeat(60 << 20));
    let ran = refused(&bench, "table.csv");
    assert!(ran.stderr.contains("table.csv, header (line 1): the row has more than 65536 cells"), "{ran}");
}

#[test]
fn parameters_that_ask_for_everything_are_refused_with_their_line() {
    let bench = Workbench::with(&[("table.csv", "a\n12345\n12345\n67890\n67890\n")]);
    let with = |hierarchy: &str| {
        bench.write("policy.toml", POLICY.replace("{ suppress = {} }", hierarchy));
        bench.run(&["anonymize", "policy.toml", "--input", "table.csv"])
    };
    for (hierarchy, said) in [
        ("{ mask = { length = 1000000000 } }", "policy.toml, line 7: a mask cannot be 1000000000 long"),
        (
            "{ quantiles = [1000000000, 2] }",
            "policy.toml, line 7: a level of `quantiles` cannot have 1000000000 groups",
        ),
    ] {
        let ran = with(hierarchy);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{ran}");
    }
    let widths: Vec<String> = (0..300).map(|at| format!("{}", 10_i64.pow(at % 18))).collect();
    assert_eq!(with(&format!("{{ intervals = [{}] }}", widths.join(", "))).code, 2);
    let deep = format!("{{ tree = {{ a = {}\"x\"{} }} }}", "[{ b = ".repeat(5000), "}]".repeat(5000));
    assert_eq!(with(&deep).code, 2);
    bench.write("policy.toml", POLICY.replace("k = 2", "k = 18446744073709551615"));
    assert!([1, 2].contains(&bench.run(&["anonymize", "policy.toml", "--input", "table.csv"]).code));
    let ran = bench.run(&[
        "audit",
        "table.csv",
        "--quasi",
        "a",
        "--suda-size",
        "1000000000",
        "--few",
        "18446744073709551615",
    ]);
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(bench.run(&["explain", "--threads", "1000000000"]).code, 2);
}

#[test]
fn a_device_without_end_is_no_policy() {
    let bench = Workbench::new();
    let ran = bench.run(&["anonymize", "/dev/zero"]);
    assert!(ran.code == 2 && ran.stderr.contains("it is larger than 256 MiB"), "{ran}");
}

#[test]
fn a_device_without_end_is_no_certificate() {
    let bench = Workbench::with(&[("table.csv", "a\n1\n1\n")]);
    let ran = bench.run(&["audit", "table.csv", "--certificate", "/dev/zero"]);
    assert!(ran.code == 2 && ran.stderr.contains("it is larger than 256 MiB"), "{ran}");
}

/// A zip archive of some parts.
fn packed(bench: &Workbench, name: &str, parts: &[(&str, String)]) {
    let mut archive = zip::ZipWriter::new(std::fs::File::create(bench.path(name)).unwrap());
    for (part, text) in parts {
        archive.start_file(*part, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

/// Looks at a table with no more than this much memory.
fn init_within(bench: &Workbench, table: &str, mebibytes: u32) -> Ran {
    let script =
        format!("ulimit -v {}; exec $SHOAL init {table} -o policy.toml --overwrite --threads 2", mebibytes << 10);
    let ran = bench.run_in_shell(&script);
    assert!([0, 2].contains(&ran.code) && !ran.stderr.contains("panicked"), "{ran}");
    ran
}

/// Cells that are repeated by a number: three gigabytes of text, and then two in every row.
#[test]
fn repeated_cells_of_a_sheet_are_not_held_at_once() {
    let bench = Workbench::new();
    let document = |name: &str, columns: u32, text: &str, rows: u32| {
        let cell = |text: &str, repeats: u32| {
            format!(
                "<table:table-cell office:value-type=\"string\" table:number-columns-repeated=\"{repeats}\"><text:p>{text}\
                 </text:p></table:table-cell>"
            )
        };
        let names: String = (0..columns).map(|column| cell(&format!("c{column}"), 1)).collect();
        let content = format!(
            "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"t\"><table:table-row>{names}\
             </table:table-row><table:table-row table:number-rows-repeated=\"{rows}\">{}</table:table-row></table:table>\
             </office:spreadsheet></office:body></office:document-content>",
            cell(text, columns)
        );
        let kind = "application/vnd.oasis.opendocument.spreadsheet".to_owned();
        packed(&bench, name, &[("mimetype", kind), ("content.xml", content)]);
        assert!(bench.bytes(name).len() < 200_000);
    };
    document("long.ods", 2, &"x".repeat(1 << 17), 10_000);
    let ran = init_within(&bench, "long.ods", 1500);
    assert_eq!(ran.code, 0, "{ran}");
    document("wide.ods", 16_000, &"x".repeat(1 << 17), 1_000_000);
    let ran = init_within(&bench, "wide.ods", 1500);
    assert!(ran.code == 2 && ran.stderr.contains("row 2: the row takes more than 64 MiB"), "{ran}");
}
