//! Answers with a body that is complete in memory, as opposed to streams such as server-sent
//! events.
//!
//! Compression and conditional reads work on these only. Taking the bytes out costs nothing: the
//! body is one buffer already.

use axum::body::{Body, Bytes};
use axum::response::Response;
use http::response::Parts;
use http_body::Body as _;

/// Takes a complete body out of its answer; a stream comes back untouched.
pub(super) async fn take(response: Response) -> Result<(Parts, Bytes), Response> {
    if response.body().size_hint().exact().is_none() {
        return Err(response);
    }
    let (parts, body) = response.into_parts();
    match axum::body::to_bytes(body, usize::MAX).await {
        Ok(bytes) => Ok((parts, bytes)),
        // A body of known length comes from memory, and memory doesn't fail; if it does, the
        // answer is cut short as it would have been without us.
        Err(error) => {
            tracing::error!(cause = ?error, "an answer's body can't be read");
            Err(Response::from_parts(parts, Body::empty()))
        }
    }
}
