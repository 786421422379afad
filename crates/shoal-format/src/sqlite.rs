//! How is a table read from an SQLite database?

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use arrow_array::builder::StringBuilder;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use super::guard::{guarded, quietly};
use super::{Batch, Cells, InputFormat, TableReader, column_names, open_file, room};
use shoal_core::error::nearest;
use shoal_core::{Error, Result};

/// Reads a table, a view or the result of a query, batch by batch.
pub(super) struct SqliteReader {
    columns: Vec<String>,
    /// What the thread that runs the query has read. A query cannot be kept beside the connection it borrows.
    batches: Receiver<Result<Option<Batch>>>,
    /// Was the last one taken? Several threads find that out, each for itself.
    is_read: bool,
}

/// Batches that wait to be taken: enough to keep both sides busy.
const AHEAD: usize = 4;

impl SqliteReader {
    /// Opens a database for reading and begins to read.
    pub(super) fn open(input: &InputFormat) -> Result<Self> {
        let path = input.path.clone();
        let connection = connect(&path)?;
        let query = match (&input.query, &input.table) {
            (Some(query), _) => query.clone(),
            (None, table) => format!("SELECT * FROM {}", quoted(&table_name(&connection, table.as_deref(), &path)?)),
        };
        let columns = columns_of(&connection, &query, &path)?;
        column_names::check(&columns).map_err(|error| error.at(path.display()))?;
        let (sender, batches) = sync_channel(AHEAD);
        let names = columns.clone();
        std::thread::spawn(move || {
            let end =
                guarded(&path, || Query { connection, text: query, columns: names, path: path.clone() }.read(&sender));
            // Nobody listens any more if the reader is gone.
            let _ = sender.send(end.map(|()| None));
        });
        Ok(Self { columns, batches, is_read: false })
    }
}

fn connect(path: &Path) -> Result<Connection> {
    drop(open_file(path)?);
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY);
    // A file is looked into only when it is asked something.
    let known = connection.and_then(|connection| {
        protect(&connection)?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(())).map(|()| connection)
    });
    known.map_err(|_| {
        Error::table(format!("{} is not an SQLite database, or it is damaged or locked", path.display()))
            .hint("close the program that writes to it, or copy it again")
    })
}

/// The most bytes of a row, as of a row of CSV, and so of a cell.
const LONGEST_ROW: i32 = 1 << 26;
/// What SQLite may take to compute rows: a view can make a long text in each of two thousand columns.
const MOST_BYTES: i64 = 1 << 30;
/// A batch ends early when its cells take this much, so that long texts do not add up.
const BATCH_BYTES: usize = 1 << 25;

/// A file from somebody else may hold views that ask for functions with side effects, or for texts without end.
fn protect(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_ROW)?;
    connection.pragma_update(None, "hard_heap_limit", MOST_BYTES)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// The table that is asked for, or the only one.
fn table_name(connection: &Connection, wanted: Option<&str>, path: &Path) -> Result<String> {
    const TABLES: &str = "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' \
                          ESCAPE '\\' ORDER BY name";
    let names = connection.prepare(TABLES).and_then(|mut tables| {
        let names = tables.query_map([], |row| row.get::<_, String>(0))?;
        names.collect::<std::result::Result<Vec<String>, _>>()
    });
    let names = names.map_err(|error| failed(&error).at(path.display()))?;
    let list = || names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    match (wanted, names.as_slice()) {
        (Some(wanted), _) if names.iter().any(|name| name.eq_ignore_ascii_case(wanted)) => Ok(wanted.to_owned()),
        (Some(wanted), _) => {
            let near = nearest(wanted, names.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
            Err(Error::table(format!("{} has no table `{wanted}`", path.display()))
                .hint(near.unwrap_or_else(|| format!("it has {}", list()))))
        }
        (None, []) => Err(Error::table(format!("{} has no tables", path.display()))),
        (None, [name]) => Ok(name.clone()),
        (None, _) => Err(Error::table(format!("{} has several tables: {}", path.display(), list()))
            .hint("name one: `table` in [input] of a policy, or FILE#TABLE on the command line")),
    }
}

fn columns_of(connection: &Connection, query: &str, path: &Path) -> Result<Vec<String>> {
    let statement = connection.prepare(query).map_err(|error| failed(&error).at(path.display()))?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err(Error::table(format!("{}: the query does not give a table", path.display()))
            .hint("`query` in [input] is one SELECT"));
    }
    // The library panics on a name that is no text, and gives no other way to ask for it.
    let names = quietly(|| statement.column_names().map(str::to_owned).collect());
    names.map_err(|_| {
        Error::table(format!("{}: the name of a column is not UTF-8", path.display()))
            .hint("rename the column, or name the others with `query` in [input]")
    })
}

/// SQLite's own words, which name tables and columns but no values.
fn failed(error: &rusqlite::Error) -> Error {
    Error::table(format!("SQLite says: {error}"))
}

/// A query that runs on a thread of its own.
struct Query {
    connection: Connection,
    text: String,
    columns: Vec<String>,
    path: PathBuf,
}

impl Query {
    fn read(&self, sender: &SyncSender<Result<Option<Batch>>>) -> Result<()> {
        let failed = |error: rusqlite::Error| failed(&error).at(self.path.display());
        let mut statement = self.connection.prepare(&self.text).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let new = || -> Vec<StringBuilder> { self.columns.iter().map(|_| StringBuilder::new()).collect() };
        let (mut columns, mut first_row, mut filled, mut bytes) = (new(), 1, 0, 0);
        let most = room(self.columns.len());
        loop {
            let row = rows.next().map_err(failed)?;
            let is_last = row.is_none();
            if let Some(row) = row {
                bytes += self.append(row, first_row + filled as u64, &mut columns)?;
                filled += 1;
            }
            if filled == most || bytes > BATCH_BYTES || (is_last && filled > 0) {
                let cells = std::mem::replace(&mut columns, new());
                let columns = cells.into_iter().map(|mut cells| Cells::Text(cells.finish())).collect();
                if sender.send(Ok(Some(Batch { first_row, columns }))).is_err() {
                    return Ok(());
                }
                first_row += filled as u64;
                (filled, bytes) = (0, 0);
            }
            match is_last {
                false => {}
                true if first_row > 1 => return Ok(()),
                true => return Err(Error::table("the table has no rows").at(self.path.display())),
            }
        }
    }

    /// Appends the cells of a row; how many bytes they take.
    fn append(&self, row: &rusqlite::Row<'_>, number: u64, columns: &mut [StringBuilder]) -> Result<usize> {
        let mut bytes = 0;
        for (at, cells) in columns.iter_mut().enumerate() {
            let place = || format!("{}, row {number}, column `{}`", self.path.display(), self.columns[at]);
            let value = row.get_ref(at).map_err(|error| failed(&error).at(place()))?;
            bytes += if let ValueRef::Text(text) = value { text.len() } else { 0 };
            if bytes > LONGEST_ROW as usize {
                return Err(Error::table("the row takes more than 64 MiB")
                    .at(format!("{}, row {number}", self.path.display()))
                    .hint("leave the longest columns out with `query` in [input]"));
            }
            append(cells, value).map_err(|error| error.at(place()))?;
        }
        Ok(bytes)
    }
}

fn append(cells: &mut StringBuilder, value: ValueRef<'_>) -> Result<()> {
    match value {
        ValueRef::Null => cells.append_null(),
        ValueRef::Integer(number) => cells.append_value(number.to_string()),
        ValueRef::Real(number) => cells.append_value(format!("{number:?}")),
        ValueRef::Text(bytes) => {
            cells.append_value(std::str::from_utf8(bytes).map_err(|_| Error::table("a text that is not UTF-8"))?);
        }
        ValueRef::Blob(_) => {
            return Err(Error::table("bytes that are no text").hint("leave the column out with `query` in [input]"));
        }
    }
    Ok(())
}

impl TableReader for SqliteReader {
    fn columns(&self) -> &[String] {
        &self.columns
    }

    fn next_batch(&mut self) -> Result<Option<Batch>> {
        if self.is_read {
            return Ok(None);
        }
        let batch = self
            .batches
            .recv()
            .unwrap_or_else(|_| Err(Error::table("reading the database ended before the table did")));
        self.is_read = matches!(batch, Ok(None));
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_files::{SampleFile, read};

    fn database(statements: &str) -> SampleFile {
        let file = SampleFile::named("a.sqlite");
        Connection::open(&file.path).expect("a database").execute_batch(statements).expect("statements");
        file
    }

    fn text(file: &SampleFile, input: &InputFormat) -> String {
        match read(input) {
            Ok((columns, rows)) => {
                let row = |row: Vec<Option<String>>| row.into_iter().map(|cell| cell.unwrap_or("-".into())).collect();
                let rows: Vec<Vec<String>> = rows.into_iter().map(row).collect();
                std::iter::once(columns).chain(rows).map(|row| row.join(",")).collect::<Vec<_>>().join("\n")
            }
            Err(error) => file.shorten(&error),
        }
    }

    #[test]
    fn the_only_table_is_read_with_values_of_every_kind() {
        let file = database(
            "CREATE TABLE \"the people\" (age INTEGER, pay REAL, name TEXT);
             INSERT INTO \"the people\" VALUES (30, 2.5, 'Zoë'), (NULL, 3, ''), (-1, 1e300, NULL);",
        );
        assert_eq!(text(&file, &file.input()), "age,pay,name\n30,2.5,Zoë\n-,3.0,\n-1,1e300,-");
    }

    #[test]
    fn of_several_tables_one_has_to_be_named() {
        let file = database("CREATE TABLE a (x); CREATE VIEW b AS SELECT 1 AS y; INSERT INTO a VALUES (7);");
        let with = |table: Option<&str>, query: Option<&str>| {
            let input =
                InputFormat { table: table.map(str::to_owned), query: query.map(str::to_owned), ..file.input() };
            text(&file, &input)
        };
        assert!(with(None, None).starts_with("FILE has several tables: `a`, `b`\nhint: name one"));
        assert_eq!(with(Some("b"), None), "y\n1");
        assert_eq!(with(None, Some("SELECT x + 1 AS z FROM a")), "z\n8");
        assert_eq!(with(Some("c"), None), "FILE has no table `c`\nhint: it has `a`, `b`");
        assert!(with(None, Some("DELETE FROM a")).contains("the query does not give a table"));
        assert!(with(None, Some("SELECT nothing FROM a")).contains("SQLite says"));
        assert_eq!(with(Some("a"), Some("SELECT 1")), "FILE: `table` names it already\nhint: leave `query` out");
    }

    #[test]
    fn what_is_no_table_of_text_is_refused() {
        assert!(SampleFile::with("a.db", "age,zip\n1,2\n").refusal().starts_with("FILE is not an SQLite database"));
        assert_eq!(database("CREATE TABLE a (x)").refusal(), "FILE: the table has no rows");
        let bytes = database("CREATE TABLE a (x); INSERT INTO a VALUES (1), (x'00ff');");
        assert!(bytes.refusal().starts_with("FILE, row 2, column `x`: bytes that are no text"), "{}", bytes.refusal());
    }

    #[test]
    fn a_column_whose_name_is_no_text_is_refused() {
        let file = database("CREATE TABLE a (xxxx, b); INSERT INTO a VALUES (1, 2);");
        let mut bytes = std::fs::read(&file.path).expect("a file");
        let place = bytes.windows(4).position(|four| four == b"xxxx").expect("the name");
        bytes[place..place + 4].copy_from_slice(b"\xff\xfe\xff\xfe");
        std::fs::write(&file.path, bytes).expect("written");
        assert!(file.refusal().starts_with("FILE: the name of a column is not UTF-8\nhint: "), "{}", file.refusal());
        let input = InputFormat { query: Some("SELECT b FROM a".to_owned()), ..file.input() };
        assert_eq!(text(&file, &input), "b\n2");
    }

    #[test]
    fn a_cell_without_end_is_refused() {
        let file = database("CREATE VIEW a AS SELECT hex(zeroblob(900000000)) AS x;");
        assert!(file.refusal().contains("SQLite says: "), "{}", file.refusal());
    }

    #[test]
    fn a_row_of_long_cells_is_refused() {
        let columns = |count: usize| {
            let column = |place| format!("hex(zeroblob(10000000)) AS c{place}");
            let columns: Vec<String> = (0..count).map(column).collect();
            database(&format!("CREATE VIEW a AS SELECT {};", columns.join(", "))).refusal()
        };
        assert!(columns(4).starts_with("FILE, row 1: the row takes more than 64 MiB"), "{}", columns(4));
        let text = columns(1000);
        assert!(text.starts_with("FILE: SQLite says: out of memory"), "{text}");
    }

    #[test]
    fn many_rows_come_in_batches() {
        let file = database(
            "CREATE TABLE a (x); WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
             INSERT INTO a SELECT i FROM n;",
        );
        let (_, rows) = file.read().expect("a table");
        let mut reader = crate::open(&file.input()).expect("a table");
        while reader.next_batch().expect("a batch").is_some() {}
        assert!(reader.next_batch().expect("the end is the end").is_none());
        assert_eq!(rows.len(), 40_001);
        assert!(rows.iter().enumerate().all(|(at, row)| row[0] == Some(at.to_string())));
    }
}
