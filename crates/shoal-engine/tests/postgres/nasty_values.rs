//! Do values come out as they do from a file, whatever PostgreSQL makes of them?

use tempfile::TempDir;

use crate::database::{Database, address};
use crate::run::{Rest, locally, on_server};

const TABLE: &str = "name text, born date, seen timestamp, paid numeric(8,2), ratio float8, smoker boolean, place text, \
    code char(4), visits int, free numeric, note text";

/// Missing values of both kinds, umlauts, capitals, numbers as text, tabs and quotes.
const CSV: &str = "name,born,seen,paid,ratio,smoker,place,code,visits,free,note
a,1980-01-31,2024-03-01T10:00:00,12.50,0.1,true,Zürich,ab,1,1.5,x
b,1980-01-31,2024-03-01T10:00:00,12.50,0.1,true,Zürich,ab,1,1.5,\"tab\there\"
c,1980-02-01,2024-03-01T10:00:00.500,12.00,1.0,false,zürich,ab,10,2,\"say \"\"so\"\"\"
d,1980-02-01,2024-03-01T10:00:00.500,12.00,1.0,false,zürich,ab,10,2,\\N
e,1999-12-31,2023-12-31T23:59:59,-0.05,1e-7,true,?,cd,9,0.1,back\\slash
f,1999-12-31,2023-12-31T23:59:59,-0.05,1e-7,true,?,cd,9,0.1,
g,,,,,,,cd,,,y
h,,,,,,,cd,,,y
i,2000-06-15,2024-01-01T00:00:00,100.00,-3.25,true,007,ef,100,10,z
j,2000-06-15,2024-01-01T00:00:00,100.00,-3.25,true,007,ef,100,10,z
";

fn policy(columns: &str, levels: &str) -> String {
    let quasi = |name: &str| format!("[columns.{name}]\nrole = \"quasi-identifier\"\n{levels}\n");
    let quasi: String = columns.split(' ').map(quasi).collect();
    format!("{quasi}[columns.name]\nrole = \"identifier\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n")
}

fn check(name: &str, quasi: &str, levels: &str, input: &str, output: &str) {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("in.csv"), CSV).unwrap();
    let mut database = Database::new(name);
    database.load("nasty", TABLE, CSV.as_bytes());
    let columns = policy(quasi, levels);
    let input = format!("missing = [\"\", \"?\"]\nother-columns = \"insensitive\"\n{input}");
    let rest = Rest { input: &input, output, columns: &columns };
    let (local_summary, local) = locally(folder.path(), rest);
    let schema = database.schema.clone();
    let (from, to) = (format!("table = \"{schema}.nasty\""), format!("{schema}.release"));
    let summary =
        on_server(folder.path(), &address(), &from, &to, rest, false).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary, local_summary);
    // As Shoal writes them: PostgreSQL has its own ideas of times and of numbers.
    let shown = "born::text, replace(replace(seen::text, ' ', 'T'), '00.5', '00.500'), paid::text, \
        CASE WHEN ratio::text = '1' THEN '1.0' WHEN ratio::text = '1e-07' THEN '1e-7' ELSE ratio::text END, smoker::text, \
        place::text, code::text, visits::text, free::text, nullif(note, '')";
    assert_eq!(database.rows(&format!("SELECT {shown} FROM {to}")), local);
}

#[test]
fn untouched_values_stay_and_missing_ones_become_one() {
    check("nasty", "born seen paid ratio smoker place code visits free", "", "", "");
}

#[test]
fn all_levels_of_all_columns_are_the_same() {
    check("nasty_up", "born seen paid ratio smoker place code visits free", "min-level = 1", "", "");
}

#[test]
fn rows_with_a_missing_value_are_dropped_alike() {
    check("nasty_drop", "born seen paid smoker visits", "", "rows-with-missing = \"drop\"", "");
}

#[test]
fn untouched_columns_keep_their_type_and_the_order_of_the_table() {
    let folder = TempDir::new().unwrap();
    let mut database = Database::new("types");
    database.load("nasty", TABLE, CSV.as_bytes());
    let columns = policy("born seen paid ratio smoker place code visits", "")
        + "[columns.free]\nrole = \"quasi-identifier\"\nmin-level = 1\n";
    let rest = Rest { input: "other-columns = \"insensitive\"", output: "", columns: &columns };
    let schema = database.schema.clone();
    let (from, to) = (format!("table = \"{schema}.nasty\""), format!("{schema}.release"));
    on_server(folder.path(), &address(), &from, &to, rest, false).unwrap_or_else(|error| panic!("{error}"));
    let query = format!(
        "SELECT a.attname || ' ' || format_type(a.atttypid, a.atttypmod) FROM pg_attribute a \
         WHERE a.attrelid = '{to}'::regclass AND a.attnum > 0 ORDER BY a.attnum"
    );
    let columns: Vec<String> = database.rows_in_order(&query).into_iter().flatten().flatten().collect();
    assert_eq!(
        columns,
        [
            "born date",
            "seen timestamp without time zone",
            "paid numeric(8,2)",
            "ratio double precision",
            "smoker boolean",
            "place text",
            "code character(4)",
            "visits integer",
            "free text",
            "note text"
        ]
    );
}

#[test]
fn what_the_server_takes_for_equal_is_told_apart_by_its_text() {
    let folder = TempDir::new().unwrap();
    let mut database = Database::new("collations");
    let schema = database.schema.clone();
    database.run(&format!(
        "CREATE COLLATION {schema}.blind (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
         CREATE TYPE {schema}.mood AS ENUM ('sad', 'Happy');
         CREATE TABLE {schema}.people (town text COLLATE {schema}.blind, mood {schema}.mood, amount numeric);
         INSERT INTO {schema}.people SELECT unnest(ARRAY['Ulm', 'ULM', 'ulm']), 'Happy', 1.0 FROM generate_series(1, 2);
         INSERT INTO {schema}.people SELECT unnest(ARRAY['Ulm', 'ULM', 'ulm']), 'sad', 1.00 FROM generate_series(1, 2)"
    ));
    let columns = "[columns.town]\nrole = \"quasi-identifier\"\n[columns.mood]\nrole = \"sensitive\"\n\
                   [columns.amount]\nrole = \"quasi-identifier\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let rest = Rest { input: "", output: "", columns };
    let (from, to) = (format!("table = \"{schema}.people\""), format!("{schema}.release"));
    let summary =
        on_server(folder.path(), &address(), &from, &to, rest, false).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(summary["classes"], 3, "three spellings: {summary}");
    let amounts = database.rows(&format!("SELECT DISTINCT amount::text FROM {to}"));
    assert_eq!(amounts, [[Some("1".to_owned())]], "1.0 and 1.00 are one value, and nobody can tell which it was");
}
