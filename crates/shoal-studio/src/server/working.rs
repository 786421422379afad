//! How is work begun, looked at and stopped?

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Serialize;
use shoal::Result;
use tokio::task::spawn_blocking;

use super::{SentBody, Shared, asking, refusal};
use crate::room;
use crate::studio::Studio;
use crate::wire::{Around, Explore, Publish, WorkKind};
use crate::work::{Run, Slot, to_its_end};

/// Every kind of work: begun by sending to it, looked at by asking for it, and stopped.
pub(super) fn routes() -> Router<Shared> {
    type In = State<Shared>;
    Router::new()
        .route("/work/open", get(|State(studio): In| looking(studio, |studio| &studio.opening)))
        .route("/work/explore", get(|State(studio): In| looking(studio, |studio| &studio.explore)).post(explore))
        .route("/work/advise", get(|State(studio): In| looking(studio, |studio| &studio.advise)).post(advise))
        .route("/work/solutions", get(|State(studio): In| looking(studio, |studio| &studio.solutions)).post(solutions))
        .route("/work/around", get(|State(studio): In| looking(studio, |studio| &studio.around)).post(around))
        .route("/work/candidate", get(candidate_so_far).post(candidate))
        .route("/work/publish", get(|State(studio): In| looking(studio, |studio| &studio.publish)).post(publish))
        .route("/stop/explore", post(|State(studio): In| stopping(studio, WorkKind::Explore, |it| it.explore.stop())))
        .route("/stop/advise", post(|State(studio): In| stopping(studio, WorkKind::Advise, |it| it.advise.stop())))
        .route(
            "/stop/solutions",
            post(|State(studio): In| stopping(studio, WorkKind::Solutions, |it| it.solutions.stop())),
        )
        .route("/stop/around", post(|State(studio): In| stopping(studio, WorkKind::Around, |it| it.around.stop())))
        .route(
            "/stop/candidate",
            post(|State(studio): In| stopping(studio, WorkKind::Candidate, |it| it.candidate.stop())),
        )
        .route("/stop/publish", post(|State(studio): In| stopping(studio, WorkKind::Publish, |it| it.publish.stop())))
}

/// How work stands.
async fn looking<T: Clone + Serialize + Send + 'static>(
    studio: Shared,
    slot: impl FnOnce(&Studio) -> &Slot<T> + Send + 'static,
) -> Response {
    asking(move || Ok(slot(&studio).view(&studio.about(), T::clone))).await
}

async fn stopping(studio: Shared, kind: WorkKind, stop: impl FnOnce(&Studio) + Send + 'static) -> Response {
    stop(&studio);
    studio.tell_work(kind);
    Json(()).into_response()
}

/// Begins work in the background, and says so at once.
fn working<T: Clone + Send + 'static>(
    studio: &Shared,
    kind: WorkKind,
    slot: fn(&Studio) -> &Slot<T>,
    work: impl FnOnce(&Studio, &Run<'_, T>) -> Result<T> + Send + 'static,
) -> Response {
    let studio = Arc::clone(studio);
    let ticket = slot(&studio).begin(&studio.about());
    std::thread::spawn(move || {
        let run = slot(&studio).run(ticket);
        studio.tell_work(kind);
        let ended = to_its_end("the work", || work(&studio, &run));
        run.end(ended);
        studio.tell_work(kind);
    });
    Json(()).into_response()
}

async fn explore(State(studio): State<Shared>, sent: SentBody<Explore>) -> Response {
    match sent {
        Ok(Json(wanted)) => working(
            &studio,
            WorkKind::Explore,
            |studio| &studio.explore,
            move |studio, run| room::explore(studio, &wanted, run),
        ),
        Err(rejection) => refusal(rejection.status(), "this is nothing to explore"),
    }
}

async fn advise(State(studio): State<Shared>) -> Response {
    working(
        &studio,
        WorkKind::Advise,
        |studio| &studio.advise,
        |studio, run| room::advise(studio, run.progress.as_ref()),
    )
}

async fn solutions(State(studio): State<Shared>) -> Response {
    working(
        &studio,
        WorkKind::Solutions,
        |studio| &studio.solutions,
        |studio, run| room::solutions(studio, run.progress.as_ref()),
    )
}

async fn around(State(studio): State<Shared>, sent: SentBody<Around>) -> Response {
    match sent {
        Ok(Json(wanted)) => working(
            &studio,
            WorkKind::Around,
            |studio| &studio.around,
            move |studio, run| room::around(studio, &wanted, run),
        ),
        Err(rejection) => refusal(rejection.status(), "these are no levels to look around"),
    }
}

async fn candidate(State(studio): State<Shared>) -> Response {
    let find = |studio: &Studio, run: &Run<'_, _>| room::candidate(studio, run.progress.as_ref()).map(Arc::new);
    working(&studio, WorkKind::Candidate, |studio| &studio.candidate, find)
}

async fn candidate_so_far(State(studio): State<Shared>) -> Response {
    asking(move || Ok(studio.candidate.view(&studio.about(), |found| found.shown.clone()))).await
}

async fn publish(State(studio): State<Shared>, sent: SentBody<Publish>) -> Response {
    match sent {
        Ok(Json(wanted)) => {
            // What others wrote in the last moment is no less than what they wrote before.
            let shared = Arc::clone(&studio);
            _ = spawn_blocking(move || shared.look_at_disk()).await;
            let write = move |studio: &Studio, run: &Run<'_, _>| room::publish(studio, &wanted, run.progress.as_ref());
            working(&studio, WorkKind::Publish, |studio| &studio.publish, write)
        }
        Err(rejection) => refusal(rejection.status(), "this is nothing to publish"),
    }
}
