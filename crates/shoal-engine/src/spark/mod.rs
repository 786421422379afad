//! A table on a Spark cluster: how is it read, recoded and written there?
//!
//! The cluster is spoken to through Spark Connect, in SQL; what this machine adds (mapping tables) goes along as Arrow, and what
//! comes back (groups) does, too.
#![allow(clippy::result_large_err, reason = "the error is that of the client library, and rare")]

mod columns;
mod dialect;
mod entry;
mod error;
mod files;
mod folder_target;
mod mapping;
mod protocol;
mod responses;
mod session;
mod table_name;
mod table_target;
mod target;

pub(crate) use entry::ENTRY;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use shoal::interruption::Undo;
use shoal::policy::{EngineInput, EngineRows, Policy};
use shoal_core::{Error, Result};
use shoal_format::Cells;
use spark_connect_proto::Relation;

use crate::column::EngineColumn;
use crate::dialect::SqlDialect;
use crate::engine::{EachGroup, Engine};
use crate::mapping::MappingTable;
use crate::{input_of, interrupt};
use dialect::SparkSql;
use entry::FORMAT;
use error::explained;
use folder_target::FolderTarget;
use session::Session;
use table_name::TableName;
use table_target::TableTarget;
use target::Target;

/// The view through which the table is read. Views belong to the session, so nobody else sees it.
const INPUT: &str = "shoal_input";

/// A table on a Spark cluster and the place of its release.
pub(crate) struct Spark {
    session: Session,
    place: String,
    /// The files that are read, where this machine might see them.
    files: Option<PathBuf>,
    target: Arc<dyn Target>,
    is_published: bool,
    /// An interruption reaches the cluster, and what was staged is gone.
    _stop: Undo,
}

impl fmt::Debug for Spark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spark").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Spark {
    /// Opens a session and looks at the table and at the place of its release.
    pub(crate) fn connect(policy: &Policy, overwrite: bool) -> Result<Self> {
        let input = input_of(policy)?;
        let session = Session::open(&input.address)?;
        let target = target(policy, &session, overwrite)?;
        refuse_own_input(policy, input, overwrite)?;
        let place = match &input.rows {
            EngineRows::Table(table) => table.clone(),
            EngineRows::Query(_) => "the query".to_owned(),
            EngineRows::Path(path) => files::place(path, policy),
        };
        let (stopped, discarded) = (session.clone(), Arc::clone(&target));
        let files = match &input.rows {
            EngineRows::Path(_) => files::local(&place),
            EngineRows::Table(_) | EngineRows::Query(_) => None,
        };
        let stop = interrupt::on_interrupt(move || {
            stopped.interrupt();
            discarded.discard(&stopped);
            stopped.close();
        });
        let spark = Self { session, place, files, target, is_published: false, _stop: stop };
        spark.create_input(input, policy)?;
        spark.target.check(&spark.session)?;
        Ok(spark)
    }

    fn create_input(&self, input: &EngineInput, policy: &Policy) -> Result<()> {
        let relation = match &input.rows {
            EngineRows::Table(table) => protocol::table(table),
            EngineRows::Query(query) => protocol::query(query),
            EngineRows::Path(path) => {
                let place = files::place(path, policy);
                let format = input.option(FORMAT.name).unwrap_or_else(|| files::format_of(&place));
                match format {
                    "csv" => self.csv(&place)?,
                    _ => protocol::files(&place, format, &[]),
                }
            }
        };
        self.create_view(INPUT, relation)
    }

    /// CSV has no nulls: a cell between two commas is an empty text, here as on any machine.
    fn csv(&self, place: &str) -> Result<Relation> {
        const CELLS: &str = "shoal_cells";
        self.create_view(CELLS, protocol::files(place, "csv", &files::READ_CSV))?;
        let cell = |column: &EngineColumn| {
            let name = SparkSql.name(&column.name);
            format!("coalesce({name}, '') AS {name}")
        };
        let cells: Vec<String> = self.columns_of(CELLS)?.iter().map(cell).collect();
        Ok(protocol::query(&format!("SELECT {} FROM {CELLS}", cells.join(", "))))
    }

    fn create_view(&self, name: &str, relation: Relation) -> Result<()> {
        let view = protocol::view(name, relation);
        self.session.run(view).map_err(|error| explained(&error, &format!("cannot read {}", self.place)))
    }

    fn columns_of(&self, relation: &str) -> Result<Vec<EngineColumn>> {
        let all = protocol::query(&format!("SELECT * FROM {relation}"));
        let schema = self.session.schema(all);
        schema.map(columns::columns).map_err(|error| explained(&error, &format!("cannot read {}", self.place)))
    }
}

fn target(policy: &Policy, session: &Session, overwrite: bool) -> Result<Arc<dyn Target>> {
    let run = session.short_id();
    if let Some(table) = &policy.output.table {
        return Ok(Arc::new(TableTarget::new(table, run, overwrite)?));
    }
    let path = policy.output.path.as_ref().ok_or_else(|| Error::place("[output] names neither a table nor a path"))?;
    let place = files::place(&path.display().to_string(), policy);
    let missing = policy.input.missing.first().map_or("", String::as_str);
    Ok(Arc::new(FolderTarget::new(place, missing, run, overwrite)?))
}

/// What is replaced must not be what is read, by whichever name. In a query, and in the name of a table, it is looked for as it stands there.
fn refuse_own_input(policy: &Policy, input: &EngineInput, overwrite: bool) -> Result<()> {
    // Otherwise nothing is replaced.
    if !overwrite {
        return Ok(());
    }
    let place_of = |path: &str| files::place(path, policy);
    let folder = policy.output.path.as_ref().map(|path| place_of(&path.display().to_string()));
    let table = policy.output.table.as_deref().map(TableName::parse).transpose()?;
    let could_be = match (&input.rows, table, folder) {
        // What is no name, Spark explains better.
        (EngineRows::Table(read), Some(table), _) => TableName::parse(read).is_ok_and(|read| read.may_be(&table)),
        (EngineRows::Query(query), Some(table), _) => table.is_in(query),
        (EngineRows::Path(read), None, Some(folder)) => files::may_overlap(&place_of(read), &folder),
        (EngineRows::Table(text) | EngineRows::Query(text), None, Some(folder)) => text.contains(&folder),
        _ => false,
    };
    match could_be {
        true => Err(Error::place("the release could take the place of its own input").hint(
            "choose another place in [output]; tables are told apart by schema and catalog where both names say them",
        )),
        false => Ok(()),
    }
}

impl Engine for Spark {
    fn dialect(&self) -> &dyn SqlDialect {
        &SparkSql
    }

    fn place(&self) -> String {
        self.place.clone()
    }

    fn local_input(&self) -> Option<PathBuf> {
        self.files.clone()
    }

    fn input(&self) -> String {
        INPUT.to_owned()
    }

    fn columns(&mut self, relation: &str) -> Result<Vec<EngineColumn>> {
        self.columns_of(relation)
    }

    fn groups(&mut self, query: &str, keys: usize, each: EachGroup<'_>) -> Result<()> {
        let cannot = format!("cannot count the rows of {}", self.place);
        self.session.query(query, &cannot, |batch| pass_on(batch, keys, each))
    }

    fn send(&mut self, mapping: &MappingTable) -> Result<()> {
        mapping::send(&self.session, mapping)
    }

    /// A view: every query that names it works it out anew, and gets the same where the table is the same.
    fn keep(&mut self, name: &str, query: &str) -> Result<()> {
        self.create_view(name, protocol::query(query))
    }

    fn stage(&mut self, query: &str, _: bool) -> Result<()> {
        self.target.stage(&self.session, query)
    }

    fn staged(&self) -> String {
        self.target.staged()
    }

    fn publish(&mut self, release: Option<&str>) -> Result<()> {
        self.target.publish(&self.session, release)?;
        self.is_published = true;
        Ok(())
    }

    fn release(&self) -> String {
        self.target.release()
    }

    fn sees_one_state(&self) -> bool {
        false
    }

    fn discard(&mut self) {
        self.target.discard(&self.session);
    }

    fn stopper(&self) -> Box<dyn Fn() + Send + Sync> {
        let session = self.session.clone();
        Box::new(move || session.interrupt())
    }
}

impl Drop for Spark {
    fn drop(&mut self) {
        if !self.is_published {
            self.target.discard(&self.session);
        }
        self.session.close();
    }
}

/// Passes on groups: so many texts, then counts.
fn pass_on(batch: &RecordBatch, keys: usize, each: EachGroup<'_>) -> Result<()> {
    let cells = batch.columns()[..keys].iter().map(|column| Cells::Typed(column.clone())).collect::<Vec<_>>();
    let texts = cells.iter().map(Cells::text).collect::<Result<Vec<_>>>()?;
    let unknown = || Error::place("the server counts in something else than whole numbers");
    let counts = batch.columns()[keys..].iter().map(|column| column.as_primitive_opt::<Int64Type>());
    let counts = counts.collect::<Option<Vec<_>>>().ok_or_else(unknown)?;
    let (mut group, mut numbers) = (Vec::with_capacity(keys), Vec::with_capacity(counts.len()));
    for row in 0..batch.num_rows() {
        group.clear();
        group.extend(texts.iter().map(|texts| texts.is_valid(row).then(|| texts.value(row))));
        numbers.clear();
        numbers.extend(counts.iter().map(|counts| counts.value(row).unsigned_abs()));
        each(&group, &numbers)?;
    }
    Ok(())
}
