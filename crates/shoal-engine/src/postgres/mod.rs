//! How does PostgreSQL do what an engine has to do? All of it in one transaction, so that it sees one state of the table, and
//! others see a release that is whole and verified, or none.

mod address;
mod copy_text;
mod dialect;
mod entry;
mod failure;
mod passwords;
mod tls;
mod types;

pub(crate) use entry::ENTRY;

use std::borrow::Cow;
use std::io::{BufRead, BufWriter, Write};

use postgres::{Client, Statement};
use shoal::interruption::Undo;
use shoal::policy::{EngineRows, Policy};
use shoal_core::{Error, Result};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::engine::{EachGroup, Engine};
use crate::mapping::{MappingCells, MappingTable};
use crate::{input_of, interrupt};
use address::Address;
use dialect::{PostgresDialect, key_type};
use failure::Server;

/// A connection to a database, in one transaction from counting to publishing, unless it rests between them. When it is dropped, or
/// rests, the transaction is rolled back, unless it was published.
pub struct Postgres {
    client: Client,
    tls: MakeRustlsConnect,
    server: Server,
    /// The input as it stands after FROM, and in messages.
    input: String,
    place: String,
    output: Output,
    /// What was staged, and how many rows it has.
    staged: String,
    staged_rows: Option<u64>,
    /// Is a transaction open?
    is_awake: bool,
    _stop: Undo,
}

/// Where the release goes.
struct Output {
    /// Schema and name, in quotes.
    schema: String,
    name: String,
    /// The name it has until it is published.
    staging: String,
    replaces: bool,
}

/// What the transaction needs to be: one state of all tables; text forms that do not depend on who connects; no end while the
/// client searches; joins in the order in which they are written, the rows first and the small tables after them.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ;
    SET LOCAL TimeZone = 'UTC';
    SET LOCAL DateStyle = 'ISO';
    SET LOCAL extra_float_digits = 1;
    SET LOCAL standard_conforming_strings = on;
    SET LOCAL statement_timeout = 0;
    SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL join_collapse_limit = 1;
    SET LOCAL client_min_messages = warning";

/// Bytes that are sent at a time.
const WRITE_BUFFER: usize = 1 << 16;

impl Postgres {
    /// Connects, and checks what can be checked before anything is counted.
    pub fn connect(policy: &Policy, overwrite: bool) -> Result<Self> {
        let input = input_of(policy)?;
        let Address { config, tls, server } = Address::new(&input.address)?;
        let mut client = config.connect(tls.clone()).map_err(|error| server.unreachable(&error))?;
        let (token, stop_tls) = (client.cancel_token(), tls.clone());
        let stop = interrupt::on_interrupt(move || _ = token.cancel_query(stop_tls));
        let (relation, place) = match &input.rows {
            EngineRows::Table(table) => {
                let name = qualified(&mut client, &server, table)?;
                (name.join("."), format!("table {}", shown(&name)))
            }
            EngineRows::Query(query) => (format!("({query}\n)"), "the query".to_owned()),
            EngineRows::Path(_) => return Err(Error::place("PostgreSQL reads no files for Shoal")),
        };
        let wanted = policy.output.table.as_deref().unwrap_or_default();
        let output = Output::check(&mut client, &server, wanted, &relation, overwrite)?;
        let staged = output.staged();
        let mut postgres = Self {
            client,
            tls,
            server,
            input: relation,
            place,
            output,
            staged,
            staged_rows: None,
            is_awake: false,
            _stop: stop,
        };
        if postgres.output.replaces {
            // Before any work, as far as the words of a query tell; what it really reads is known before the release is published.
            postgres.wake()?;
            postgres.prepared(&postgres.input.clone())?;
            postgres.refuse_own_input()?;
            postgres.rest()?;
        }
        Ok(postgres)
    }

    /// Refuses to replace what this transaction has read, through whichever queries, views and functions: until its end it has a lock on that.
    /// With a table, its partitions would go as well.
    fn refuse_own_input(&mut self) -> Result<()> {
        const IS_READ: &str = "WITH RECURSIVE replaced AS (SELECT to_regclass($1)::oid AS relation UNION ALL \
                               SELECT i.inhrelid FROM pg_inherits i JOIN replaced r ON i.inhparent = r.relation) \
                               SELECT EXISTS (SELECT FROM pg_locks JOIN replaced USING (relation) WHERE pid = pg_backend_pid())";
        let published = self.output.published();
        let row = self.client.query_one(IS_READ, &[&published]);
        let row = row.map_err(|error| self.server.failed(&format!("look for table {published}"), &error))?;
        match row.get(0) {
            true => Err(own_input(&published)),
            false => Ok(()),
        }
    }

    fn run(&mut self, doing: &str, statement: &str) -> Result<()> {
        self.client.batch_execute(statement).map_err(|error| self.server.failed(doing, &error))
    }

    /// Creates a table of what a query gives; how many rows it has.
    fn create(&mut self, table: &str) -> Result<u64> {
        let rows = self.client.execute(&format!("CREATE {table}"), &[]);
        rows.map_err(|error| self.server.failed("write the release", &error))
    }

    fn prepared(&mut self, relation: &str) -> Result<Statement> {
        let doing = format!("read {}", self.place);
        let prepared = self.client.prepare(&format!("SELECT * FROM {relation} AS s LIMIT 0"));
        prepared.map_err(|error| self.server.failed(&doing, &error))
    }
}

fn own_input(output: &str) -> Error {
    Error::place(format!("the release would replace its own input, {output}"))
        .hint("give `table` in [output] another name")
}

/// A name as somebody would write it: with quotes where they are needed.
fn shown(quoted: &[String]) -> String {
    let is_plain = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(|first| first.is_ascii_lowercase() || first == '_')
            && letters.all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_')
    };
    let part = |quoted: &String| match quoted.trim_matches('"') {
        plain if is_plain(plain) => plain.to_owned(),
        _ => quoted.clone(),
    };
    quoted.iter().map(part).collect::<Vec<_>>().join(".")
}

/// The parts of a name in quotes, as PostgreSQL itself reads it.
fn qualified(client: &mut Client, server: &Server, name: &str) -> Result<Vec<String>> {
    let row = client.query_one("SELECT parse_ident($1)", &[&name]).map_err(|error| match error.as_db_error() {
        Some(_) => Error::place(format!("`{name}` is not the name of a table"))
            .hint("write it as in SQL: `schema.table`, with double quotes around what is no plain word"),
        None => server.failed(&format!("read the name `{name}`"), &error),
    })?;
    let parts: Vec<String> = row.get(0);
    let quoted: Vec<String> = parts.iter().map(|part| PostgresDialect.name(part)).collect();
    if quoted.len() > 2 {
        return Err(Error::place(format!("`{name}` has too many parts for a table of this database"))
            .hint("write it as `schema.table`"));
    }
    Ok(quoted)
}

impl Output {
    /// Refuses a release that could not be published, before any work is done for it.
    fn check(client: &mut Client, server: &Server, wanted: &str, input: &str, overwrite: bool) -> Result<Self> {
        let parts = qualified(client, server, wanted)?;
        let full = parts.join(".");
        let failed = |error: postgres::Error| server.failed(&format!("look for table {wanted}"), &error);
        let read = Some(input).filter(|input| !input.starts_with('('));
        let query = "SELECT to_regclass($1)::oid, to_regclass($2)::oid, current_schema()::text, pg_backend_pid()";
        let row = client.query_one(query, &[&full, &read]).map_err(failed)?;
        let (there, read): (Option<u32>, Option<u32>) = (row.get(0), row.get(1));
        let staging = PostgresDialect.name(&format!("shoal_staging_{}", row.get::<_, i32>(3)));
        let (schema, name) = match parts.as_slice() {
            [schema, name] => (schema.clone(), name.clone()),
            _ => {
                let current: Option<String> = row.get(2);
                let current = current.ok_or_else(|| {
                    Error::place(format!("no schema is set for table {wanted}")).hint("write it as `schema.table`")
                })?;
                (PostgresDialect.name(&current), full)
            }
        };
        if there.is_some() && there == read {
            return Err(own_input(wanted));
        }
        if there.is_some() && !overwrite {
            return Err(Error::place(format!("table {wanted} exists already, and a release replaces nothing unasked"))
                .hint("choose another name for `table` in [output], or give --overwrite"));
        }
        let may = "SELECT has_schema_privilege(n.oid, 'CREATE'), has_database_privilege(current_database(), 'TEMP') \
                   FROM pg_namespace n WHERE n.nspname = $1";
        let plain = schema[1..schema.len() - 1].replace("\"\"", "\"");
        let Some(row) = client.query_opt(may, &[&plain]).map_err(failed)? else {
            return Err(Error::place(format!("there is no schema `{plain}` for table {wanted}"))
                .hint("create it, or choose another name for `table` in [output]"));
        };
        let lacking = |what: &str, grant: String| {
            Error::place(format!("user `{}` has no right to create {what}", server.user))
                .hint(format!("grant it: {grant}"))
        };
        if !row.get::<_, bool>(0) {
            let grant = format!("GRANT CREATE ON SCHEMA {schema} TO {}", PostgresDialect.name(&server.user));
            return Err(lacking(&format!("tables in schema {plain}"), grant));
        }
        if !row.get::<_, bool>(1) {
            let grant = format!("GRANT TEMPORARY ON DATABASE .. TO {}", PostgresDialect.name(&server.user));
            return Err(lacking("temporary tables, which recoding needs", grant));
        }
        Ok(Self { schema, name, staging, replaces: there.is_some() })
    }

    fn staged(&self) -> String {
        format!("{}.{}", self.schema, self.staging)
    }

    fn published(&self) -> String {
        format!("{}.{}", self.schema, self.name)
    }
}

impl Engine for Postgres {
    fn dialect(&self) -> &dyn SqlDialect {
        &PostgresDialect
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn input(&self) -> String {
        self.input.clone()
    }

    fn columns(&mut self, relation: &str) -> Result<Vec<EngineColumn>> {
        Ok(self.prepared(relation)?.columns().iter().map(types::engine_column).collect())
    }

    fn groups(&mut self, query: &str, keys: usize, each: EachGroup<'_>) -> Result<()> {
        let doing = format!("count {}", self.place);
        let token = self.client.cancel_token();
        let copy = format!("COPY ({query}) TO STDOUT");
        let mut reader = self.client.copy_out(copy.as_str()).map_err(|error| self.server.failed(&doing, &error))?;
        let mut line = String::new();
        let outcome = loop {
            line.clear();
            match reader.read_line(&mut line) {
                Ok(0) => break Ok(()),
                Ok(_) => {}
                Err(error) => break Err(error),
            }
            let cells: Vec<Option<Cow<'_, str>>> = copy_text::fields(line.trim_end_matches('\n')).collect();
            let texts: Vec<Option<&str>> = cells[..keys].iter().map(Option::as_deref).collect();
            let number = |cell: &Option<Cow<'_, str>>| cell.as_ref().and_then(|text| text.parse::<u64>().ok());
            let counts: Vec<u64> = cells[keys..].iter().map(|cell| number(cell).unwrap_or_default()).collect();
            if let Err(error) = each(&texts, &counts) {
                // Nobody is going to read the rest.
                let _ = token.cancel_query(self.tls.clone());
                return Err(error);
            }
        };
        drop(reader);
        match outcome {
            Err(error) => Err(self.server.interrupted(&doing, &error)),
            Ok(()) => Ok(()),
        }
    }

    fn send(&mut self, mapping: &MappingTable) -> Result<()> {
        let doing = "send a mapping table";
        let name = &mapping.name;
        let columns: Vec<String> = mapping
            .columns
            .iter()
            .map(|column| {
                let kind = match &column.cells {
                    MappingCells::Keys { column, .. } => key_type(column),
                    MappingCells::Texts(_) => "text COLLATE \"C\"",
                    MappingCells::Codes(_) => "integer",
                    MappingCells::Counts(_) => "bigint",
                };
                format!("{} {kind}", column.name)
            })
            .collect();
        self.run(doing, &format!("CREATE TEMPORARY TABLE {name} ({}) ON COMMIT DROP", columns.join(", ")))?;
        let copy = format!("COPY pg_temp.{name} FROM STDIN");
        let Self { client, server, .. } = self;
        let writer = client.copy_in(copy.as_str()).map_err(|error| server.failed(doing, &error))?;
        let mut writer = BufWriter::with_capacity(WRITE_BUFFER, writer);
        let written = (0..mapping.rows()).try_for_each(|row| write_row(&mut writer, mapping, row));
        let finished = written.and_then(|()| writer.into_inner().map_err(std::io::IntoInnerError::into_error));
        let writer = finished.map_err(|error| server.interrupted(doing, &error))?;
        writer.finish().map_err(|error| server.failed(doing, &error))?;
        self.run(doing, &format!("ANALYZE pg_temp.{name}"))
    }

    fn keep(&mut self, name: &str, query: &str) -> Result<()> {
        let keep = format!(
            "DROP TABLE IF EXISTS pg_temp.{name}; CREATE TEMPORARY TABLE {name} ON COMMIT DROP AS {query}; \
             ANALYZE pg_temp.{name}"
        );
        self.run(&format!("count {}", self.place), &keep)
    }

    fn stage(&mut self, query: &str, has_people: bool) -> Result<()> {
        // A column that is dropped stays in the pages of its table. So whose rows they are is only ever written to a temporary one, and the release
        // is taken out of that.
        let (staged, create) = match has_people {
            true => (format!("pg_temp.{}", self.output.staging), "TEMPORARY TABLE"),
            false => (self.output.staged(), "TABLE"),
        };
        let on_commit = if has_people { " ON COMMIT DROP" } else { "" };
        self.staged_rows = Some(self.create(&format!("{create} {staged}{on_commit} AS {query}"))?);
        self.staged = staged;
        Ok(())
    }

    fn staged_rows(&self) -> Option<u64> {
        self.staged_rows
    }

    fn staged(&self) -> String {
        self.staged.clone()
    }

    fn publish(&mut self, release: Option<&str>) -> Result<()> {
        if let Some(release) = release {
            let rows = self.create(&format!("TABLE {} AS {release}", self.output.staged()))?;
            if self.staged_rows.is_some_and(|staged| staged != rows) {
                return Err(Error::bug("the release has other rows than were verified"));
            }
        }
        if self.output.replaces {
            self.refuse_own_input()?;
        }
        let Output { name, replaces, .. } = &self.output;
        let (staged, published) = (self.output.staged(), self.output.published());
        let mut statements = String::new();
        if *replaces {
            // The earlier release is locked from here to the next line but one, and not for the whole run.
            statements += &format!("DROP TABLE {published};");
        }
        statements += &format!("ALTER TABLE {staged} RENAME TO {name}; COMMIT");
        let published = self.client.batch_execute(&statements);
        published.map_err(|error| self.server.publishing(&self.release(), &error))?;
        self.is_awake = false;
        Ok(())
    }

    fn release(&self) -> String {
        shown(&[self.output.schema.clone(), self.output.name.clone()])
    }

    fn sees_one_state(&self) -> bool {
        true
    }

    fn wake(&mut self) -> Result<()> {
        if !self.is_awake {
            self.run("begin a transaction", BEGIN)?;
            self.is_awake = true;
        }
        Ok(())
    }

    fn rest(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.is_awake, false) {
            self.run("end a transaction", "ROLLBACK")?;
        }
        Ok(())
    }

    fn discard(&mut self) {
        self.staged_rows = None;
        // Where even that fails, the server ends the transaction with the connection.
        _ = self.rest();
    }

    fn stopper(&self) -> Box<dyn Fn() + Send + Sync> {
        let (token, tls) = (self.client.cancel_token(), self.tls.clone());
        Box::new(move || _ = token.cancel_query(tls.clone()))
    }
}

fn write_row(writer: &mut impl Write, mapping: &MappingTable, row: usize) -> std::io::Result<()> {
    for (at, column) in mapping.columns.iter().enumerate() {
        if at > 0 {
            writer.write_all(b"\t")?;
        }
        match &column.cells {
            MappingCells::Keys { written, .. } => copy_text::write_field(writer, Some(&written[row]))?,
            MappingCells::Texts(texts) => copy_text::write_field(writer, texts[row].as_deref())?,
            MappingCells::Codes(codes) => write!(writer, "{}", codes[row])?,
            MappingCells::Counts(counts) => write!(writer, "{}", counts[row])?,
        }
    }
    writer.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_with_quotes_where_they_need_them() {
        let name = |parts: &[&str]| shown(&parts.iter().map(|part| PostgresDialect.name(part)).collect::<Vec<_>>());
        assert_eq!(name(&["public", "release_1"]), "public.release_1");
        assert_eq!(name(&["public", "My release"]), "public.\"My release\"");
        assert_eq!(name(&["a\".\"b"]), "\"a\"\".\"\"b\"");
        assert_eq!(name(&["1a"]), "\"1a\"");
    }
}
