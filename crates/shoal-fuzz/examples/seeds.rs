//! Which files does fuzzing begin with? Writes them to `fuzz/corpus/`: `cargo run -p shoal-fuzz --example seeds`.
#![allow(clippy::unwrap_used, missing_docs, reason = "whoever makes seeds sees at once what is wrong")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, LargeStringArray, RecordBatch,
    StringArray,
};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use rusqlite::Connection;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook};
use shoal::key::Signer;
use shoal::policy::Policy;
use shoal::run::anonymize;
use shoal::source::LocalSource;
use shoal::study::Writing;
use shoal_core::watch::Unwatched;
use shoal_report::{Certificate, Hash, Hashes};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const ROWS: &str = "age,zip,disease,note\n21,13053,flu,\n24,13068,flu,\"a, \"\"b\"\"\"\n28,13053,gout,x\n29,13053,cold,\n\
                    31,14853,flu,\n35,14853,cold,é\n";

fn corpus(target: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

fn write(target: &str, name: &str, bytes: impl AsRef<[u8]>) {
    std::fs::write(corpus(target).join(name), bytes).unwrap();
}

fn main() {
    csv();
    json_lines();
    parquet();
    workbook();
    sqlite();
    small_files();
    made_by_runs();
}

fn csv() {
    write("csv", "plain.csv", ROWS);
    write("csv", "semicolons.csv", "age;zip;born\r\n21;01053;1.2.2001\r\n24;01068;13.2.2001\r\n21;01053;1.2.2001\r\n");
    write("csv", "escapes.csv", "a\u{1b}[2J,b\u{202e},\"c\nd\"\n=1+1,@x,+2\n-5,'=1,\t\n=1+1,@x,+2\n");
    let utf_16: Vec<u8> = "\u{feff}a;b\r\n1;ü\r\n1;ü\r\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    write("csv", "utf-16.csv", utf_16);
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(ROWS.as_bytes()).unwrap();
    write("csv", "packed.csv.gz", packed.finish().unwrap());
    write(
        "csv",
        "wide.csv",
        format!("{}\n{}\n", (0..300).map(|at| format!("c{at},")).collect::<String>() + "z", ",".repeat(300)),
    );
    write("csv", "no-header.csv", "1,2\n3,4\n1,2\n");
}

fn json_lines() {
    write(
        "json_lines",
        "plain.jsonl",
        "{\"age\":21,\"zip\":\"13053\",\"ill\":\"flu\"}\n{\"zip\":\"13068\",\"age\":24,\"ill\":null}\n",
    );
    write(
        "json_lines",
        "kinds.jsonl",
        "{\"a\":1.0,\"b\":true,\"c\":\"x\\u00e4\\n\"}\n\n {\"a\":-1e9}\n{\"b\":\"\",\"c\":\"\\ud83d\\ude00\"}\n",
    );
    write("json_lines", "nested.jsonl", format!("{{\"a\":{}1{}}}\n", "[".repeat(300), "]".repeat(300)));
}

fn parquet() {
    let texts = |values: &[&str]| Arc::new(StringArray::from(values.to_vec())) as ArrayRef;
    let people = vec![
        ("age", Arc::new(Int32Array::from(vec![Some(21), Some(24), None, Some(21)])) as ArrayRef),
        ("zip", texts(&["13053", "13068", "13053", "13053"])),
        ("disease", texts(&["flu", "gout", "flu", "cold"])),
        ("born", Arc::new(Date32Array::from(vec![0, 10_000, -5, 19_000])) as ArrayRef),
        ("weight", Arc::new(Float64Array::from(vec![1.5, f64::NAN, -0.0, 1e300])) as ArrayRef),
        ("smokes", Arc::new(BooleanArray::from(vec![true, false, true, true])) as ArrayRef),
    ];
    let batch = RecordBatch::try_from_iter(people).unwrap();
    let (gzip, zstandard) = (Compression::GZIP(GzipLevel::default()), Compression::ZSTD(ZstdLevel::default()));
    for (name, compression, dictionary, version) in [
        ("plain.parquet", Compression::UNCOMPRESSED, false, WriterVersion::PARQUET_1_0),
        ("dictionary.parquet", Compression::UNCOMPRESSED, true, WriterVersion::PARQUET_1_0),
        ("snappy.parquet", Compression::SNAPPY, true, WriterVersion::PARQUET_1_0),
        ("gzip.parquet", gzip, true, WriterVersion::PARQUET_1_0),
        ("second-version.parquet", zstandard, true, WriterVersion::PARQUET_2_0),
        ("differences.parquet", Compression::UNCOMPRESSED, false, WriterVersion::PARQUET_2_0),
    ] {
        let properties = WriterProperties::builder().set_compression(compression).set_dictionary_enabled(dictionary);
        write_parquet(name, &batch, properties.set_writer_version(version));
    }
    // Long texts that take little space: many rows refer to one, or begin like the one before.
    let text: ArrayRef = Arc::new(LargeStringArray::from(vec!["x".repeat(1 << 17)]));
    let shared: ArrayRef = Arc::new(DictionaryArray::new(Int32Array::from(vec![0; 300]), text));
    let shared = RecordBatch::try_from_iter([("a", shared.clone()), ("b", shared)]).unwrap();
    let properties = || WriterProperties::builder().set_compression(zstandard);
    write_parquet("shared-text.parquet", &shared, properties());
    let differences = properties().set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BYTE_ARRAY);
    write_parquet("same-beginning.parquet", &shared, differences);
}

fn write_parquet(name: &str, batch: &RecordBatch, properties: WriterPropertiesBuilder) {
    let file = std::fs::File::create(corpus("parquet").join(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

fn workbook() {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    for (row, line) in ROWS.lines().enumerate() {
        for (column, cell) in line.splitn(4, ',').enumerate() {
            sheet.write(row as u32, column as u16, cell).unwrap();
        }
    }
    let day = Format::new().set_num_format("yyyy-mm-dd");
    sheet.write_with_format(8, 0, ExcelDateTime::parse_from_str("1994-02-28").unwrap(), &day).unwrap();
    sheet.write(9, 1, 2.5).unwrap();
    book.save(corpus("workbook").join("plain.xlsx")).unwrap();

    let mut far = Workbook::new();
    let sheet = far.add_worksheet();
    for (row, column) in [(0, 0), (1, 0), (1_048_575, 16_383)] {
        sheet.write(row, column, "x").unwrap();
    }
    far.save(corpus("workbook").join("far.xlsx")).unwrap();

    write(
        "workbook",
        "plain.ods",
        ods("<table:table-row><table:table-cell office:value-type=\"string\" \
        table:number-columns-repeated=\"2\"><text:p>a</text:p></table:table-cell></table:table-row>"),
    );
    write(
        "workbook",
        "repeated.ods",
        ods("<table:table-row table:number-rows-repeated=\"1048576\"><table:table-cell \
        office:value-type=\"float\" office:value=\"1\" table:number-columns-repeated=\"16384\"/></table:table-row>"),
    );
    let long = "x".repeat(1 << 16);
    write(
        "workbook",
        "repeated-text.ods",
        ods(&format!(
            "<table:table-row table:number-rows-repeated=\"500\"><table:table-cell office:value-type=\"string\" \
             table:number-columns-repeated=\"2\"><text:p>{long}<text:s text:c=\"9\"/></text:p></table:table-cell></table:table-row>"
        )),
    );
    let cells: String = (2..500).map(|row| format!("<row r=\"{row}\"><c t=\"s\"><v>1</v></c></row>")).collect();
    write(
        "workbook",
        "shared-text.xlsx",
        xlsx(
            &format!("<sst><si><t>a</t></si><si><t>{long}</t></si></sst>"),
            &format!("<row r=\"1\"><c t=\"s\"><v>0</v></c></row>{cells}"),
        ),
    );
    write(
        "workbook",
        "in-pieces.xlsx",
        xlsx(
            "<sst/>",
            "<row><c t=\"inlineStr\"><is><r><t>a</t></r><r><t>b</t></r></is></c></row><row><c><v>1</v></c></row>",
        ),
    );
    write("workbook", "plain.xlsb", xlsb());
    write("workbook", "plain.xls", xls());
    write(
        "workbook",
        "strings.xlsx",
        xlsx(
            "<sst uniqueCount=\"99999999999\"><si><t>a</t></si></sst>",
            "<row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c></row>",
        ),
    );
}

fn xlsx(strings: &str, rows: &str) -> Vec<u8> {
    let relation = |kind: &str, target: &str| {
        let place = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        format!("<Relationships><Relationship Id=\"r1\" Type=\"{place}/{kind}\" Target=\"{target}\"/></Relationships>")
    };
    packed(&[
        ("_rels/.rels", relation("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", "<workbook><sheets><sheet name=\"a\" r:id=\"r1\"/></sheets></workbook>".to_owned()),
        ("xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")),
        ("xl/sharedStrings.xml", strings.to_owned()),
        ("xl/worksheets/sheet1.xml", format!("<worksheet><sheetData>{rows}</sheetData></worksheet>")),
    ])
}

fn packed<T: AsRef<[u8]>>(parts: &[(&str, T)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in parts {
        archive.start_file(*name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_ref()).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

fn ods(rows: &str) -> Vec<u8> {
    let header = "<table:table-row><table:table-cell office:value-type=\"string\"><text:p>x</text:p></table:table-cell>\
                  <table:table-cell office:value-type=\"string\"><text:p>y</text:p></table:table-cell></table:table-row>";
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table table:name=\"t\">{header}{rows}</table:table>\
         </office:spreadsheet></office:body></office:document-content>"
    );
    packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        ("META-INF/manifest.xml", "<manifest:manifest/>"),
        ("content.xml", &content),
    ])
}

fn xlsb() -> Vec<u8> {
    let record = |kind: &[u8], data: &[u8]| [kind, &[data.len() as u8], data].concat();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let named = |text: &str| [&(text.len() as u32).to_le_bytes()[..], &wide(text)].concat();
    let bound = [&[0, 0, 0, 0, 1, 0, 0, 0][..], &named("r1"), &named("s")].concat();
    let workbook = [record(&[0x9c, 1], &bound), record(&[0x90, 1], &[]), record(&[0x9d, 1], &[])].concat();
    let text = |text: &str| record(&[0x13], &[&[0][..], &named(text)].concat());
    let strings = [record(&[0x9f, 1], &[3, 0, 0, 0, 3, 0, 0, 0]), text("a"), text("b"), text("a longer one")].concat();
    let cell = |column: u8, text: u8| record(&[7], &[column, 0, 0, 0, 0, 0, 0, 0, text, 0, 0, 0]);
    let sheet = [
        record(&[0x81, 1], &[]),
        record(&[0x94, 1], &[0; 16]),
        record(&[0x91, 1], &[]),
        [record(&[0], &[0; 4]), cell(0, 0), cell(1, 1), record(&[0], &[1, 0, 0, 0]), cell(0, 2), cell(1, 2)].concat(),
        record(&[0x92, 1], &[]),
    ];
    let relations = "<Relationships><Relationship Id=\"r1\" Target=\"worksheets/sheet1.bin\"/></Relationships>";
    packed(&[
        ("xl/workbook.bin", workbook),
        ("xl/_rels/workbook.bin.rels", relations.into()),
        ("xl/sharedStrings.bin", strings),
        ("xl/worksheets/sheet1.bin", sheet.concat()),
    ])
}

fn xls() -> Vec<u8> {
    let record = |kind: u16, data: &[u8]| [&kind.to_le_bytes(), &(data.len() as u16).to_le_bytes(), data].concat();
    let begin = |kind: u8| record(0x809, &[0, 6, kind, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    let strings = record(0xfc, &[2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, b'a', 3, 0, 1, b'b', 0, b'c', 0, b'd', 0]);
    let bound = |place: u32| record(0x85, &[&place.to_le_bytes()[..], &[0, 0, 1, 0, b's']].concat());
    let globals = begin(5).len() + strings.len() + bound(0).len() + 4;
    let cell = |row: u8, column: u8, string: u8| record(0xfd, &[row, 0, column, 0, 0, 0, string, 0, 0, 0]);
    let number = record(0x203, &[&[1, 0, 1, 0, 0, 0], &2.5_f64.to_le_bytes()[..]].concat());
    let stream = [
        begin(5),
        strings,
        bound(globals as u32),
        record(0x0a, &[]),
        begin(0x10),
        cell(0, 0, 0),
        cell(0, 1, 1),
        cell(1, 0, 1),
        number,
        record(0x0a, &[]),
    ]
    .concat();
    let mut compound =
        cfb::CompoundFile::create_with_version(cfb::Version::V3, std::io::Cursor::new(Vec::new())).unwrap();
    compound.create_stream("Workbook").unwrap().write_all(&stream).unwrap();
    compound.flush().unwrap();
    compound.into_inner().into_inner()
}

fn sqlite() {
    let database = |name: &str, statements: &str| {
        let path = corpus("sqlite").join(name);
        let _ = std::fs::remove_file(&path);
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(&format!("PRAGMA page_size = 512; VACUUM; {statements}")).unwrap();
    };
    database(
        "plain.sqlite",
        "CREATE TABLE p (age INTEGER, zip TEXT, ill TEXT); \
         INSERT INTO p VALUES (21,'13053','flu'),(24,'13068','gout'),(21,'13053',NULL),(2.5,'x','flu');",
    );
    database("view.sqlite", "CREATE VIEW v AS SELECT 1 AS a, 'x' AS b UNION ALL SELECT 1, 'x';");
    database("long.sqlite", "CREATE VIEW v AS SELECT hex(zeroblob(900000000)) AS a;");
    let mut broken = std::fs::read(corpus("sqlite").join("plain.sqlite")).unwrap();
    let name = broken.windows(3).position(|three| three == b"zip").unwrap();
    broken[name] = 0xff;
    write("sqlite", "name-is-no-text.sqlite", broken);
}

fn small_files() {
    write("hierarchy_file", "jobs.csv", "clerk;office;*\nsmith;field;*\nfarmer;field;*\n");
    write("hierarchy_file", "commas.csv", "\u{feff}1,a,x,*\n2,a,x,*\n3,b,x,*\n3,b,x,*\n");
    write("hierarchy_file", "escapes.csv", "\"\u{1b}[2J\";\"a\nb\";*\n=1;=;*\n");
    write("hierarchy_file", "deep.csv", format!("{}*\n", "a;".repeat(400)));
    let know = "[[know]]\nwhere = { age = 31 }\ncolumn = \"disease\"\ntimes = { flu = 2 }\notherwise = 1\n";
    write("knowledge", "one.toml", know);
    write(
        "knowledge",
        "several.toml",
        "[[know]]\ntimes = { gout = 0 }\n[[know]]\nwhere = { zip = \"14853\", age = 40 }\ntimes = { flu = 1e300, cold = 0.1 }\n",
    );
    write(
        "knowledge",
        "extremes.toml",
        "[[know]]\ntimes = { flu = 1e308, cold = 1e308, gout = inf }\n[[know]]\ntimes = { flu = nan }\n",
    );
}

const COLUMNS: &str = "[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = { widths = [10, 20], origin = 0, bottom = 20, \
    top = 50 } }\n[columns.zip]\nrole = \"quasi-identifier\"\nhierarchy = { mask = { from = \"right\" } }\n[columns.job]\n\
    role = \"quasi-identifier\"\nhierarchy = { file = \"job.csv\" }\n[columns.disease]\nrole = \"sensitive\"\n";
const REQUIRE: &str = "[[require]]\nmodel = \"k-anonymity\"\nk = 2\n[[require]]\nmodel = \"entropy-l-diversity\"\ncolumn = \"disease\"\nl = 1.5\n";

fn policies() -> Vec<(&'static str, String)> {
    let method = |text: &str| {
        format!("[input]\nmissing = [\"\", \"?\"]\n{COLUMNS}{REQUIRE}[method]\n{text}\nmax-suppressed = 0.3\n")
    };
    let tree = "[input]\nother-columns = \"drop\"\n[output]\nformulas = \"escape\"\nsuppressed = \"keep\"\n[columns.job]\nrole = \"quasi-identifier\"\n\
        hierarchy = { tree = { office = [\"clerk\"], field = [\"farmer\", { crafts = [\"smith\", \"mason\"] }] } }\nmin-level = 1\n\
        [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { quantiles = [4, 2] }\nweight = 0.5\n[columns.disease]\nrole = \"sensitive\"\n\
        [[require]]\nmodel = \"t-closeness\"\nt = 0.6\n[[require]]\nmodel = \"recursive-cl-diversity\"\nc = 4\nl = 2\n";
    vec![
        ("full-domain.toml", method("name = \"full-domain\"\nobjective = \"precision\"")),
        ("mondrian.toml", method("name = \"mondrian\"")),
        ("anatomy.toml", method("name = \"anatomy\"")),
        ("two-tables.toml", TWO_TABLES.to_owned()),
        ("tree.toml", tree.to_owned()),
        ("deep.toml", format!("a = {}1{}\n", "[".repeat(500), "]".repeat(500))),
        ("long-mask.toml", method("").replace("from = \"right\"", "length = 1000000000")),
    ]
}

/// A release in two tables: `anatomy.toml` asks for what no such release has.
const TWO_TABLES: &str = "[input]\nmissing = [\"\", \"?\"]\nother-columns = \"drop\"\n[columns.age]\nrole = \"quasi-identifier\"\n[columns.zip]\n\
    role = \"quasi-identifier\"\n[columns.disease]\nrole = \"sensitive\"\n[[require]]\nmodel = \"distinct-l-diversity\"\ncolumn = \"disease\"\nl = 2\n\
    [method]\nname = \"anatomy\"\n";

/// The private key of RFC 8410, section 10.3, which is nobody's secret.
const KEY: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n-----END PRIVATE KEY-----\n";

fn signer(folder: &Path) -> Signer {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("key.pem");
    std::fs::write(&path, KEY).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    Signer::read(&path).unwrap()
}

/// Recipes and certificates of runs on the table that fuzzing uses.
fn made_by_runs() {
    for (name, text) in policies() {
        write("policy", name, text);
    }
    let place = tempfile::tempdir().unwrap();
    let table = place.path().join("table.csv");
    std::fs::write(&table, TABLE).unwrap();
    std::fs::write(place.path().join("job.csv"), "clerk;office;*\nsmith;field;*\nfarmer;field;*\nmason;field;*\n")
        .unwrap();
    let quasi_alone = "[input]\nother-columns = \"drop\"\n[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { quantiles = [4, 2] }\n\
                       [[require]]\nmodel = \"k-anonymity\"\nk = 3\n[method]\nmax-suppressed = 0.3\n";
    let cutting = "[input]\nother-columns = \"drop\"\n[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10, 30] }\n\
                   [columns.disease]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 3\n\
                   [method]\nname = \"mondrian\"\nrefine = false\ncategories = \"sets\"\n";
    let full = policies().swap_remove(0).1;
    for (name, text) in [
        ("full-domain.json", full.as_str()),
        ("quantiles.json", quasi_alone),
        ("classes.json", cutting),
        ("two-tables.json", TWO_TABLES),
    ] {
        let policy = Policy::parse(text, "policy.toml", place.path()).unwrap();
        let output = place.path().join("release.csv");
        let source = LocalSource::new(&policy, Some(&table), Some(&output)).unwrap();
        let release = anonymize(source, &policy, Writing::new().overwriting(true), &Unwatched).unwrap();
        // There is none of a release in two tables.
        if let Ok(recipe) = release.candidate.recipe() {
            write("recipe", name, recipe.to_text());
        }
        let sensitive = release.published.sensitive_hash.clone();
        let hashes = Hashes { release: Some(Hash::of_file(&output).unwrap()), sensitive, ..Hashes::default() };
        let certificate = Certificate::new(&release, &hashes).unwrap();
        write("certificate", name, certificate.to_text());
        if name == "classes.json" {
            write("certificate", "signed.json", certificate.signed(&signer(place.path())));
        }
    }
}

const TABLE: &str = "age,zip,job,disease\n\
    21,13053,clerk,flu\n24,13068,smith,flu\n28,13053,clerk,gout\n29,13053,farmer,cold\n\
    31,14853,smith,flu\n35,14853,clerk,cold\n37,14850,farmer,gout\n40,14850,clerk,flu\n\
    47,13053,mason,cold\n48,13067,mason,gout\n52,13068,clerk,flu\n,13067,smith,?\n";
