//! How does a file come in that was dropped onto the page?

use axum::body::Bytes;
use axum::extract::{Query, Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use futures_util::StreamExt;
use futures_util::future::join;
use shoal::Error;
use tokio::sync::mpsc;

use super::{Asked, Shared, asking, refusal};
use crate::room::{self, Receiving};
use crate::wire::Upload;

/// So many pieces wait for the disk.
const WAITING: usize = 8;

/// A piece of the file, or that it is whole: a page that is closed meanwhile does not say so.
enum Piece {
    Bytes(Bytes),
    End,
}

/// Writes what comes into the folder, piece by piece, and opens it.
pub(super) async fn upload(State(studio): State<Shared>, asked: Asked<Upload>, request: Request) -> Response {
    let Ok(Query(Upload { name })) = asked else {
        return refusal(StatusCode::BAD_REQUEST, "the file has no name");
    };
    // What a form of another page can send is never of this type.
    let kind = request.headers().get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_vec());
    if kind.as_deref() != Some(b"application/octet-stream") {
        return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, "this is no file");
    }
    let (sender, mut pieces) = mpsc::channel(WAITING);
    let written = asking(move || {
        let mut receiving = Receiving::begin(&studio, &name)?;
        loop {
            match pieces.blocking_recv() {
                Some(Piece::Bytes(bytes)) => receiving.take(&bytes)?,
                Some(Piece::End) => break,
                None => return Err(Error::place("the file did not come whole")),
            }
        }
        studio.open(&receiving.end()?)?;
        Ok(room::desk(&studio))
    });
    let read = async move {
        let mut body = request.into_body().into_data_stream();
        let mut is_wanted = true;
        // Also what nobody wants is read to its end: a browser hears no answer before it has sent everything.
        while let Some(piece) = body.next().await {
            let Ok(bytes) = piece else { return };
            is_wanted = is_wanted && sender.send(Piece::Bytes(bytes)).await.is_ok();
        }
        _ = sender.send(Piece::End).await;
    };
    join(written, read).await.0
}
