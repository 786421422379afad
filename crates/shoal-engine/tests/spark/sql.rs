//! What a test asks a server by itself, without Shoal.

use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::StreamReader;
use shoal_format::Cells;
use spark_connect_core::channel::ChannelBuilder;
use spark_connect_core::client::SparkConnectClient;
use spark_connect_core::runtime::block_on;
use spark_connect_proto::execute_plan_response::ResponseType;
use spark_connect_proto::{
    Command, ExecutePlanRequest, Plan, Relation, Sql, SqlCommand, UserContext, command, plan, relation,
};

/// Runs a statement in a session of its own.
pub fn run(server: &str, statement: &str) {
    let command = SqlCommand { input: Some(query(statement)), ..Default::default() };
    let command = Command { command_type: Some(command::CommandType::SqlCommand(command)) };
    ask(server, plan::OpType::Command(command));
}

/// All rows that a query gives, as text, sorted; a missing value is a `NULL`.
pub fn rows(server: &str, sql: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for batch in ask(server, plan::OpType::Root(query(sql))) {
        let cells: Vec<Cells> = batch.columns().iter().map(|column| Cells::Typed(column.clone())).collect();
        let texts: Vec<_> = cells.iter().map(|cells| cells.text().unwrap()).collect();
        for row in 0..batch.num_rows() {
            let cell =
                |at: usize| if texts[at].is_valid(row) { texts[at].value(row).to_owned() } else { "NULL".into() };
            rows.push((0..texts.len()).map(cell).collect());
        }
    }
    rows.sort();
    rows
}

fn query(sql: &str) -> Relation {
    let sql = Sql { query: sql.to_owned(), ..Default::default() };
    Relation { rel_type: Some(relation::RelType::Sql(sql)), ..Default::default() }
}

fn ask(server: &str, plan: plan::OpType) -> Vec<RecordBatch> {
    block_on(async {
        let client = SparkConnectClient::connect(&ChannelBuilder::parse(server).unwrap()).await.unwrap();
        client.set_config("spark.sql.session.timeZone", "UTC").await.unwrap();
        let request = ExecutePlanRequest {
            session_id: client.session_id().to_owned(),
            user_context: Some(UserContext::default()),
            plan: Some(Plan { op_type: Some(plan) }),
            ..Default::default()
        };
        let mut answer = client.execute_plan(request).await.unwrap_or_else(|error| panic!("{error}"));
        let mut batches = Vec::new();
        while let Some(message) = answer.message().await.unwrap() {
            if let Some(ResponseType::ArrowBatch(batch)) = message.response_type {
                batches.extend(StreamReader::try_new(&batch.data[..], None).unwrap().map(|batch| batch.unwrap()));
            }
        }
        batches
    })
}
