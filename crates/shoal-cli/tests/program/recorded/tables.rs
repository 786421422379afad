//! Which tables do cases read?
//!
//! Those that people write stand in `tests/recorded/tables/`; large ones are generated, and other formats are made of these.

use std::fs::{File, Permissions};
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::folder::copy;
use super::{home, typed_tables};

/// Generated tables: which, how many rows, which seed, and what the file is called.
const GENERATED: [(&str, &str, &str, &str); 6] = [
    ("census", "1200", "1", "census.csv"),
    ("census", "800", "2", "census-next.csv"),
    ("census", "250", "3", "census-small.csv"),
    ("census", "6000", "4", "census-large.csv"),
    ("sales", "600", "1", "sales.csv"),
    ("sales", "500", "2", "sales-next.csv"),
];

/// A secret that is none.
const KEY: &str = "c0ffee5e1f7a4d2b9083bd61aa52e7d49f16c38a7be05d4410fd92e6b8c3574e";

/// Puts `tables/`, `parts/` and `examples/` into a folder.
pub fn make(root: &Path) {
    copy(&home().join("tables"), &root.join("tables"));
    copy(&home().join("parts"), &root.join("parts"));
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), &root.join("examples"));
    let tables = root.join("tables");
    GENERATED.iter().for_each(|generated| generate(generated, &tables));
    packed(&tables);
    marked(&tables);
    parts(&tables);
    typed_tables::make(&tables);
    let key = tables.join("pseudonyms.key");
    std::fs::write(&key, KEY).unwrap();
    std::fs::set_permissions(&key, Permissions::from_mode(0o600)).unwrap();
}

fn generate((what, rows, seed, file): &(&str, &str, &str, &str), tables: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_shoal"));
    let status =
        command.args(["generate", what, "--rows", rows, "--seed", seed, "--output", file]).current_dir(tables).status();
    assert!(status.unwrap().success());
}

fn packed(tables: &Path) {
    let table = std::fs::read(tables.join("clinic.csv")).unwrap();
    let mut gzip = GzEncoder::new(File::create(tables.join("clinic.csv.gz")).unwrap(), Compression::default());
    gzip.write_all(&table).unwrap();
    gzip.finish().unwrap();
    std::fs::write(tables.join("clinic.csv.zst"), zstd::encode_all(table.as_slice(), 3).unwrap()).unwrap();
}

/// Texts whose first bytes tell how they are encoded.
fn marked(tables: &Path) {
    let clinic = std::fs::read_to_string(tables.join("clinic.csv")).unwrap();
    std::fs::write(tables.join("clinic-with-mark.csv"), format!("\u{feff}{clinic}")).unwrap();
    // All its characters are those of Latin-1, whose bytes are their numbers.
    let practice: String = std::fs::read(tables.join("praxis.csv")).unwrap().into_iter().map(char::from).collect();
    let wide = format!("\u{feff}{practice}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    std::fs::write(tables.join("praxis-utf-16.csv"), wide).unwrap();
}

/// A table in three files of one folder, beside one that is none of them.
fn parts(tables: &Path) {
    let clinic = std::fs::read_to_string(tables.join("clinic.csv")).unwrap();
    let (header, rows) = clinic.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    let folder = tables.join("clinic-parts");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("_SUCCESS"), "").unwrap();
    for (number, rows) in rows.chunks(40).enumerate() {
        std::fs::write(folder.join(format!("part-{number}.csv")), format!("{header}\n{}\n", rows.join("\n"))).unwrap();
    }
}
