//! How are the few requests that we make written in the protocol of Spark Connect?

use std::collections::HashMap;

use spark_connect_proto::command::CommandType;
use spark_connect_proto::plan::OpType;
use spark_connect_proto::read::{DataSource, NamedTable, ReadType};
use spark_connect_proto::relation::RelType;
use spark_connect_proto::write_operation::save_table::TableSaveMethod;
use spark_connect_proto::write_operation::{SaveMode, SaveTable, SaveType};
use spark_connect_proto::{
    Command, CreateDataFrameViewCommand, LocalRelation, Plan, Read, Relation, Sql, SqlCommand, WriteOperation,
};

fn relation(of: RelType) -> Relation {
    Relation { rel_type: Some(of), ..Default::default() }
}

/// What a query gives.
pub(super) fn query(sql: &str) -> Relation {
    relation(RelType::Sql(Sql { query: sql.to_owned(), ..Default::default() }))
}

/// A table or view by its name.
pub(super) fn table(name: &str) -> Relation {
    let named = NamedTable { unparsed_identifier: name.to_owned(), ..Default::default() };
    relation(RelType::Read(Read { read_type: Some(ReadType::NamedTable(named)), ..Default::default() }))
}

/// Files in a format.
pub(super) fn files(path: &str, format: &str, options: &[(&str, &str)]) -> Relation {
    let source = DataSource {
        format: Some(format.to_owned()),
        options: owned(options),
        paths: vec![path.to_owned()],
        ..Default::default()
    };
    relation(RelType::Read(Read { read_type: Some(ReadType::DataSource(source)), ..Default::default() }))
}

/// Rows that are sent along, as a stream of Arrow.
pub(super) fn local(arrow: Vec<u8>) -> Relation {
    relation(RelType::LocalRelation(LocalRelation { data: Some(arrow.into()), ..Default::default() }))
}

/// The rows of a relation.
pub(super) fn rows(relation: Relation) -> Plan {
    Plan { op_type: Some(OpType::Root(relation)) }
}

fn command(of: CommandType) -> Plan {
    Plan { op_type: Some(OpType::Command(Command { command_type: Some(of) })) }
}

/// A statement that does something.
pub(super) fn statement(sql: &str) -> Plan {
    command(CommandType::SqlCommand(SqlCommand { input: Some(query(sql)), ..Default::default() }))
}

/// A view that lives as long as the session.
pub(super) fn view(name: &str, input: Relation) -> Plan {
    let view =
        CreateDataFrameViewCommand { input: Some(input), name: name.to_owned(), is_global: false, replace: true };
    command(CommandType::CreateDataframeView(view))
}

/// Writes a relation to a table that must not exist yet, in whichever format the cluster prefers.
pub(super) fn write_table(input: Relation, name: &str) -> Plan {
    let table = SaveTable { table_name: name.to_owned(), save_method: TableSaveMethod::SaveAsTable.into() };
    command(CommandType::WriteOperation(WriteOperation {
        input: Some(input),
        mode: SaveMode::ErrorIfExists.into(),
        save_type: Some(SaveType::Table(table)),
        ..Default::default()
    }))
}

/// Writes a relation to a folder, which must not exist yet unless it may be overwritten.
pub(super) fn write_files(
    input: Relation,
    path: &str,
    format: &str,
    options: &[(&str, &str)],
    overwrite: bool,
) -> Plan {
    let mode = if overwrite { SaveMode::Overwrite } else { SaveMode::ErrorIfExists };
    command(CommandType::WriteOperation(WriteOperation {
        input: Some(input),
        source: Some(format.to_owned()),
        mode: mode.into(),
        options: owned(options),
        save_type: Some(SaveType::Path(path.to_owned())),
        ..Default::default()
    }))
}

fn owned(options: &[(&str, &str)]) -> HashMap<String, String> {
    options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect()
}
