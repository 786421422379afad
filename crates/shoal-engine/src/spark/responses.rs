//! What does the server answer, however often the connection to it ends in between?
//!
//! A server ends a long or large answer now and then, without an error, and expects to be asked for the rest. The client
//! library takes this for the end of the answer, so that part of a frequency set would be missing; hence this file. An answer
//! is whole when the server says that it is, and not before.

use std::time::Duration;

use spark_connect_core::client::SparkConnectClient;
use spark_connect_core::error::SparkError;
use spark_connect_core::retries::RetryPolicy;
use spark_connect_core::runtime::block_on;
use spark_connect_proto::execute_plan_request::{RequestOption, request_option};
use spark_connect_proto::execute_plan_response::ResponseType;
use spark_connect_proto::release_execute_request::{Release, ReleaseAll};
use spark_connect_proto::{
    ExecutePlanRequest, ExecutePlanResponse, Plan, ReattachExecuteRequest, ReattachOptions, ReleaseExecuteRequest,
    UserContext,
};
use tonic::Streaming;

/// A connection that was lost is taken up again so many times in a row.
const ATTEMPTS: u32 = 5;

/// The answer to one request, message by message.
pub(super) struct Responses<'a> {
    client: &'a SparkConnectClient,
    operation: String,
    stream: Streaming<ExecutePlanResponse>,
    last_response: Option<String>,
    is_complete: bool,
    attempts: u32,
}

impl<'a> Responses<'a> {
    /// Sends a plan.
    pub(super) fn of(client: &'a SparkConnectClient, plan: Plan) -> Result<Self, SparkError> {
        let operation = uuid::Uuid::new_v4().to_string();
        let reattach = request_option::RequestOption::ReattachOptions(ReattachOptions { reattachable: true });
        let request = ExecutePlanRequest {
            session_id: client.session_id().to_owned(),
            user_context: Some(user(client)),
            operation_id: Some(operation.clone()),
            plan: Some(plan),
            request_options: vec![RequestOption { request_option: Some(reattach) }],
            ..Default::default()
        };
        let stream = block_on(client.execute_plan(request))?;
        Ok(Self { client, operation, stream, last_response: None, is_complete: false, attempts: 0 })
    }

    /// The next message; none once the answer is complete.
    pub(super) fn next(&mut self) -> Result<Option<ResponseType>, SparkError> {
        loop {
            match block_on(self.stream.message()) {
                Ok(Some(response)) => {
                    self.attempts = 0;
                    self.last_response = Some(response.response_id).filter(|id| !id.is_empty());
                    match response.response_type {
                        Some(ResponseType::ResultComplete(_)) => self.is_complete = true,
                        Some(message) => return Ok(Some(message)),
                        None => {}
                    }
                }
                Ok(None) if self.is_complete => {
                    self.release();
                    return Ok(None);
                }
                Ok(None) => self.stream = block_on(self.client.reattach_execute(self.rest()))?,
                Err(status) if self.attempts < ATTEMPTS && RetryPolicy::default().can_retry(&status) => {
                    self.attempts += 1;
                    std::thread::sleep(Duration::from_millis(200 << self.attempts));
                    if let Ok(stream) = block_on(self.client.reattach_execute(self.rest())) {
                        self.stream = stream;
                    }
                }
                Err(status) => return Err(SparkError::from_grpc_status(status)),
            }
        }
    }

    /// Waits for the end of an answer that has nothing to say.
    pub(super) fn finish(mut self) -> Result<(), SparkError> {
        while self.next()?.is_some() {}
        Ok(())
    }

    fn rest(&self) -> ReattachExecuteRequest {
        ReattachExecuteRequest {
            session_id: self.client.session_id().to_owned(),
            user_context: Some(user(self.client)),
            operation_id: self.operation.clone(),
            last_response_id: self.last_response.clone(),
            ..Default::default()
        }
    }

    /// The server may forget the answer; if it does not hear of it, it forgets it later.
    fn release(&self) {
        let _ = block_on(self.client.release_execute(ReleaseExecuteRequest {
            session_id: self.client.session_id().to_owned(),
            user_context: Some(user(self.client)),
            operation_id: self.operation.clone(),
            release: Some(Release::ReleaseAll(ReleaseAll {})),
            ..Default::default()
        }));
    }
}

/// Who asks; it is part of the name of the session.
pub(super) fn user(client: &SparkConnectClient) -> UserContext {
    UserContext { user_id: client.user_id().unwrap_or_default().to_owned(), ..Default::default() }
}
