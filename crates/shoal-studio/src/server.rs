//! How do requests become answers?

mod upload;
mod working;

use std::convert::Infallible;
use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{DefaultBodyLimit, Query, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::sse::{Event as Sent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream::{Stream, unfold};
use serde::Serialize;
use shoal::{Error, Result};
use tokio::net::TcpListener;
use tokio::sync::broadcast::error::RecvError;

use crate::guard::{Guard, Verdict, protect};
use crate::jail::Jail;
use crate::page;
use crate::room;
use crate::studio::Studio;
use crate::wire::{self, Edit, Event, Open};

/// A policy that is longer than this was not written by anybody.
const LONGEST_BODY: usize = 4 << 20;

/// How often work tells how far it is, and the file of the policy is looked at.
const TICK: Duration = Duration::from_millis(250);

/// How a studio is started.
#[derive(Debug, Default)]
pub struct Options {
    /// The folder that files may be in.
    pub folder: PathBuf,
    /// The table or policy to open.
    pub open: Option<PathBuf>,
    /// The port; any that is free, if there is none.
    pub port: Option<u16>,
}

/// Where a studio can be found.
#[derive(Debug)]
pub struct Addresses {
    /// For whoever started it.
    pub printed: String,
    /// For a browser that is opened; it works once.
    pub once: String,
}

type Shared = Arc<Studio>;

/// Opens what was asked for, and answers until the program ends. `ready` is told where.
pub fn serve(options: &Options, ready: impl FnOnce(&Addresses)) -> Result<()> {
    let jail = Jail::new(&options.folder, options.open.as_deref())?;
    let studio = Arc::new(Studio::new(jail));
    if let Some(path) = &options.open {
        studio.open(path)?;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.map_err(failed)?.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port.unwrap_or(0))).await.map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        let guard = Arc::new(Guard::new(port).map_err(failed)?);
        ready(&Addresses { printed: guard.address(), once: guard.address_for_once() });
        tokio::spawn(tick(Arc::clone(&studio)));
        axum::serve(listener, router(studio, guard)).await.map_err(failed)
    })
}

fn failed(error: std::io::Error) -> Error {
    Error::place(format!("cannot serve the studio: {error}"))
}

/// Tells how far work is, and notices what other programs write.
async fn tick(studio: Shared) {
    loop {
        tokio::time::sleep(TICK).await;
        studio.running().into_iter().for_each(|kind| studio.tell_work(kind));
        let studio = Arc::clone(&studio);
        _ = tokio::task::spawn_blocking(move || studio.look_at_disk()).await;
    }
}

/// All routes, behind the guard.
pub fn router(studio: Shared, guard: Arc<Guard>) -> Router {
    let api = Router::new()
        .route("/desk", get(|State(studio): State<Shared>| asking(move || Ok(room::desk(&studio)))))
        .route("/files", get(|State(studio): State<Shared>| asking(move || Ok(room::files(&studio)))))
        .route("/open", post(open))
        .route("/upload", post(upload::upload))
        .route("/edit", post(edit))
        .route(
            "/undo",
            post(|State(studio): State<Shared>| changing(studio, |studio| studio.change(|desk| desk.undo()))),
        )
        .route(
            "/redo",
            post(|State(studio): State<Shared>| changing(studio, |studio| studio.change(|desk| desk.redo()))),
        )
        .route("/rows", get(rows))
        .route(
            "/singling-out",
            get(|State(studio): State<Shared>| asking(move || room::singled_out(&studio, &studio.question()))),
        )
        .route("/column", get(column))
        .route("/definitions", get(|| asking(|| Ok(room::definitions()))))
        .route("/explain", get(explain))
        .route(
            "/promises",
            get(|State(studio): State<Shared>| asking(move || room::promises(&studio, &studio.question()))),
        )
        .route("/hierarchy", get(hierarchy))
        .route(
            "/lattice",
            get(|State(studio): State<Shared>| asking(move || room::lattice(&studio, &studio.question()))),
        )
        .route("/levels", get(levels))
        .route("/classes", get(classes))
        .route("/pairs", get(pairs))
        .route("/plan", get(|State(studio): State<Shared>| asking(move || room::plan(&studio))))
        .merge(working::routes())
        .route("/events", get(events))
        .fallback(|| async { refusal(StatusCode::NOT_FOUND, "there is nothing here") });
    Router::new()
        .route(&format!("{}/", guard.place()), get(|| async { asset("/") }))
        .nest(
            guard.place(),
            Router::new().nest("/api", api).fallback(|request: Request| async move { asset(request.uri().path()) }),
        )
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(guard, watch_the_door))
        .with_state(studio)
}

/// Answers only whom the guard lets in.
async fn watch_the_door(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let response = match guard.judge(&request) {
        Verdict::Welcome => next.run(request).await,
        Verdict::Refuse(status, why) => refusal(status, why),
        Verdict::GiveCookie => {
            let mut response =
                (StatusCode::SEE_OTHER, [(header::LOCATION, format!("{}/", guard.place()))]).into_response();
            if let Ok(cookie) = HeaderValue::from_str(&guard.cookie()) {
                response.headers_mut().insert(header::SET_COOKIE, cookie);
            }
            response
        }
    };
    protect(response)
}

fn asset(path: &str) -> Response {
    match page::asset(path) {
        Some(asset) => ([(header::CONTENT_TYPE, asset.content_type)], Body::from(asset.bytes)).into_response(),
        None => refusal(StatusCode::NOT_FOUND, "there is nothing here"),
    }
}

fn refusal(status: StatusCode, why: &str) -> Response {
    let problem = wire::Problem { kind: "request".to_owned(), text: why.to_owned(), details: Vec::new(), hint: None };
    (status, Json(problem)).into_response()
}

/// What went wrong, as an answer: the page shows it where it was asked.
fn problem(error: &Error) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, Json(wire::Problem::from(error))).into_response()
}

type Asked<T> = std::result::Result<Query<T>, QueryRejection>;
type SentBody<T> = std::result::Result<Json<T>, JsonRejection>;

/// Answers a question, away from the threads that take requests.
async fn asking<T: Serialize + Send + 'static>(answer: impl FnOnce() -> Result<T> + Send + 'static) -> Response {
    match tokio::task::spawn_blocking(answer).await {
        Ok(Ok(answer)) => Json(answer).into_response(),
        Ok(Err(error)) => problem(&error),
        Err(_) => problem(&Error::bug("the answer could not be worked out")),
    }
}

/// Changes something, and answers with the desk as it is then.
async fn changing(studio: Shared, change: impl FnOnce(&Shared) -> Result<()> + Send + 'static) -> Response {
    asking(move || change(&studio).map(|()| room::desk(&studio))).await
}

async fn open(State(studio): State<Shared>, sent: SentBody<Open>) -> Response {
    match sent {
        Ok(Json(open)) => changing(studio, move |studio| studio.open(open.path.as_ref())).await,
        Err(rejection) => refusal(rejection.status(), "this is no file to open"),
    }
}

async fn edit(State(studio): State<Shared>, sent: SentBody<Edit>) -> Response {
    match sent {
        Ok(Json(edit)) => changing(studio, move |studio| studio.edit(&edit)).await,
        Err(rejection) => refusal(rejection.status(), "this is no change of a policy"),
    }
}

/// A question with words after the `?`.
macro_rules! question {
    ($name:ident, $wanted:ty, |$studio:ident, $asked:ident| $answer:expr) => {
        async fn $name(State($studio): State<Shared>, asked: Asked<$wanted>) -> Response {
            match asked {
                Ok(Query($asked)) => asking(move || $answer).await,
                Err(rejection) => refusal(rejection.status(), "this is no question that can be answered"),
            }
        }
    };
}

question!(rows, wire::RowsWanted, |studio, wanted| room::rows(&studio, &wanted));
question!(column, wire::ColumnWanted, |studio, wanted| room::distribution(&studio, &wanted));
question!(explain, wire::PageWanted, |_studio, wanted| room::explain(&wanted));
question!(hierarchy, wire::ColumnWanted, |studio, wanted| room::hierarchy(&studio, &wanted, &studio.question()));
question!(levels, wire::LevelsWanted, |studio, wanted| room::levels(&studio, &wanted, &studio.question()));
question!(pairs, wire::ClassesWanted, |studio, wanted| room::pairs(&studio, &wanted));
question!(classes, wire::ClassesWanted, |studio, wanted| room::classes(&studio, &wanted));

/// What happens, as it happens.
async fn events(State(studio): State<Shared>) -> Sse<impl Stream<Item = std::result::Result<Sent, Infallible>>> {
    let revision = studio.with_desk(|desk| desk.revision);
    let listener = studio.listen();
    let first = Some(Event::Desk { revision });
    let stream = unfold((listener, first), |(mut listener, first)| async move {
        let event = match first {
            Some(event) => event,
            None => match listener.recv().await {
                Ok(event) => event,
                // A page that was slow looks at everything.
                Err(RecvError::Lagged(_)) => Event::Missed,
                Err(RecvError::Closed) => return None,
            },
        };
        let sent = Sent::default().json_data(&event).unwrap_or_default();
        Some((Ok(sent), (listener, None)))
    });
    Sse::new(stream).keep_alive(KeepAlive::default())
}

#[cfg(test)]
mod tests;
