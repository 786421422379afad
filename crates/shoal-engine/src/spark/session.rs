//! How is a server asked for something?

use std::io::Cursor;
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use shoal::policy::EngineAddress;
use shoal_core::{Error, Result};
use spark_connect_core::channel::ChannelBuilder;
use spark_connect_core::client::SparkConnectClient;
use spark_connect_core::error::SparkError;
use spark_connect_core::retries::RetryPolicy;
use spark_connect_core::runtime::block_on;
use spark_connect_proto::analyze_plan_request::{Analyze, Schema};
use spark_connect_proto::analyze_plan_response;
use spark_connect_proto::execute_plan_response::{ArrowBatch, ResponseType};
use spark_connect_proto::{AnalyzePlanRequest, DataType, Plan, Relation};

use super::error::explained;
use super::protocol;
use super::responses::{Responses, user};

/// How long a host may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a server may take to open a session; a cluster that has just been started is slow.
const PATIENCE_WITH_SESSION: Duration = Duration::from_secs(60);

/// How long a server that has much to do may take until it knows of a plan.
const PATIENCE_WITH_PLAN: Duration = Duration::from_secs(20);

/// What a run relies on. Times are in UTC, decimals are written in full, an overflow is an error; and mapping tables, which are
/// small beside any table worth a cluster, go to each worker rather than all rows to where the mapping table is.
const SETTINGS: [(&str, &str); 4] = [
    ("spark.sql.session.timeZone", "UTC"),
    ("spark.sql.ansi.enabled", "true"),
    ("spark.sql.autoBroadcastJoinThreshold", "268435456"),
    ("spark.sql.legacy.timeParserPolicy", "CORRECTED"),
];

/// A session of a Spark Connect server.
#[derive(Clone)]
pub(super) struct Session {
    client: Arc<SparkConnectClient>,
    /// How many plans were sent and not answered yet.
    busy: Arc<AtomicUsize>,
}

impl Session {
    /// Opens a session, or says within seconds that there is nobody to open it.
    pub(super) fn open(address: &EngineAddress) -> Result<Self> {
        // What the library says of a bad address may quote a token.
        let channel = ChannelBuilder::parse(address.secret_url()).map_err(|_| {
            Error::place(format!("{address} is no address of a Spark Connect server"))
                .hint("it is written sc://host:15002, and parameters as in sc://host:15002/;use_ssl=true;user_id=ann")
        })?;
        // The library itself would wait for a long time.
        knock(&channel, address)?;
        let mut client = block_on(SparkConnectClient::connect(&channel)).map_err(|_| {
            Error::place(format!("cannot connect to {address}"))
                .hint("a token needs an encrypted connection: add use_ssl=true to the address")
        })?;
        client.set_retry_policy(RetryPolicy {
            max_retries: Some(4),
            initial_backoff_ms: 250,
            ..RetryPolicy::default()
        });
        let session = Self { client: Arc::new(client), busy: Arc::default() };
        session.configure().map_err(|error| error.at(address))?;
        Ok(session)
    }

    fn configure(&self) -> Result<()> {
        block_on(async {
            let settings = async {
                for (key, value) in SETTINGS {
                    self.client.set_config(key, value).await?;
                }
                Ok::<_, SparkError>(())
            };
            match tokio::time::timeout(PATIENCE_WITH_SESSION, settings).await {
                Ok(set) => set.map_err(|error| explained(&error, "no session can be opened")),
                Err(_) => Err(Error::place("whatever listens there does not open a Spark Connect session")
                    .hint("the port of a Connect server is 15002 unless told otherwise; 7077 is that of a master")),
            }
        })
    }

    /// Enough of the session's name to tell it from others.
    pub(super) fn short_id(&self) -> &str {
        self.client.session_id().get(..8).unwrap_or("session")
    }

    /// Runs a plan that gives no rows.
    pub(super) fn run(&self, plan: Plan) -> Result<(), SparkError> {
        self.busily(|| Responses::of(&self.client, plan)?.finish())
    }

    fn busily<T>(&self, act: impl FnOnce() -> T) -> T {
        self.busy.fetch_add(1, Ordering::SeqCst);
        let result = act();
        self.busy.fetch_sub(1, Ordering::SeqCst);
        result
    }

    /// Runs a query and passes on its rows as they come, a batch at a time. `cannot` is what failed if it fails.
    pub(super) fn query(
        &self,
        sql: &str,
        cannot: &str,
        mut each: impl FnMut(&RecordBatch) -> Result<()>,
    ) -> Result<()> {
        let failed = |error: SparkError| explained(&error, cannot);
        self.busily(|| {
            let mut responses = Responses::of(&self.client, protocol::rows(protocol::query(sql))).map_err(failed)?;
            let mut rows = 0;
            while let Some(message) = responses.next().map_err(failed)? {
                if let ResponseType::ArrowBatch(batch) = message {
                    // If nobody is going to read the rest, the cluster need not go on.
                    take(&batch, &mut rows, &mut each).inspect_err(|_| self.interrupt())?;
                }
            }
            Ok(())
        })
    }

    /// The columns of a relation.
    pub(super) fn schema(&self, relation: Relation) -> Result<DataType, SparkError> {
        let schema = Schema { plan: Some(protocol::rows(relation)) };
        let request = AnalyzePlanRequest {
            session_id: self.client.session_id().to_owned(),
            user_context: Some(user(&self.client)),
            analyze: Some(Analyze::Schema(schema)),
            ..Default::default()
        };
        match block_on(self.client.analyze_plan(request))?.result {
            Some(analyze_plan_response::Result::Schema(schema)) => Ok(schema.schema.unwrap_or_default()),
            _ => Err(SparkError::connect_msg("the server does not tell the columns")),
        }
    }

    /// Ends whatever the session is doing on the cluster. A plan that was sent just now may not be known there yet: it is asked for again,
    /// since it would go on for as long as it takes.
    pub(super) fn interrupt(&self) {
        let begin = Instant::now();
        loop {
            let is_reached = block_on(self.client.interrupt_all()).is_ok_and(|ended| !ended.is_empty());
            if is_reached || self.busy.load(Ordering::SeqCst) == 0 || begin.elapsed() > PATIENCE_WITH_PLAN {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// Ends the session, and its views with it.
    pub(super) fn close(&self) {
        let _ = block_on(self.client.release_session());
    }
}

/// Is anybody there?
fn knock(channel: &ChannelBuilder, address: &EngineAddress) -> Result<()> {
    let host = channel.host().trim_matches(['[', ']']);
    let addresses = (host, channel.port()).to_socket_addrs().map_err(|_| {
        Error::place(format!("cannot connect to {address}: there is no host `{host}`"))
            .hint("check the name in `spark`")
    })?;
    let mut refused = None;
    for socket in addresses {
        match TcpStream::connect_timeout(&socket, PATIENCE) {
            Ok(_) => return Ok(()),
            Err(error) => refused = Some(error),
        }
    }
    let why = match refused.map(|error| error.kind()) {
        Some(std::io::ErrorKind::ConnectionRefused) => "nobody listens there".to_owned(),
        _ => format!("no answer within {} seconds", PATIENCE.as_secs()),
    };
    Err(Error::place(format!("cannot connect to {address}: {why}"))
        .hint("start a Connect server on the cluster (`sbin/start-connect-server.sh`), or check host and port"))
}

/// Passes on the rows of a batch, which must follow those that came before.
fn take(batch: &ArrowBatch, rows: &mut i64, each: &mut impl FnMut(&RecordBatch) -> Result<()>) -> Result<()> {
    let garbled = |what: &str| Error::place(format!("the server's answer is not whole: {what}")).hint("run it again");
    if batch.start_offset.is_some_and(|offset| offset != *rows) {
        return Err(garbled("rows are missing"));
    }
    let reader = StreamReader::try_new(Cursor::new(&batch.data[..]), None).map_err(|_| garbled("no Arrow"))?;
    let before = *rows;
    for decoded in reader {
        let decoded = decoded.map_err(|_| garbled("no Arrow"))?;
        *rows += decoded.num_rows() as i64;
        each(&decoded)?;
    }
    if *rows - before == batch.row_count { Ok(()) } else { Err(garbled("a batch has not the rows it should have")) }
}
