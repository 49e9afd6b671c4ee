//! A panic in a handler is a defect of one request: it becomes a 500 with the request id, and the
//! connection and the server go on.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;

use crate::http::error::ApiError;

/// The answer of a handler, or of its panic.
///
/// Unwind safety: handlers share the database, where the transaction is rolled back, and counters
/// under locks that no panic can leave half-changed.
pub(super) async fn catch(answer: impl Future<Output = Response>) -> Response {
    caught(answer).await.unwrap_or_else(IntoResponse::into_response)
}

/// As [`catch`], for who renders the error.
pub(crate) async fn caught(answer: impl Future<Output = Response>) -> Result<Response, ApiError> {
    AssertUnwindSafe(answer)
        .catch_unwind()
        .await
        .map_err(|panic| ApiError::internal(format!("panic: {}", text(&*panic))))
}

fn text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_becomes_a_500_that_hides_its_message() {
        let response = catch(async { panic!("canary {}", 1) }).await;
        assert_eq!(response.status(), 500);
        let body = axum::body::to_bytes(response.into_body(), 1000).await.unwrap();
        let body = std::str::from_utf8(&body).unwrap();
        assert!(body.contains("internal_server_error") && !body.contains("canary"), "{body}");
    }
}
