//! The basics of HTTP that the API, the web pages and the request edge share: errors and how they
//! are rendered, JSON bodies and answers, ids in paths, query parameters, pages of lists,
//! idempotency keys. Nothing here knows a route.

pub(crate) mod answer;
pub(crate) mod body;
pub(crate) mod call;
pub(crate) mod caller;
pub(crate) mod unwrapped_list;

pub(crate) mod content;
pub(crate) mod describe;
pub(crate) mod error;
pub(crate) mod event_stream;
pub(crate) mod fields;
pub(crate) mod file_answer;
pub(crate) mod filters;
pub(crate) mod headers;
pub(crate) mod idempotency;
pub(crate) mod in_flight;
pub(crate) mod money;
pub(crate) mod money_body;
pub(crate) mod named;
pub(crate) mod openapi;
pub(crate) mod pagination;
pub(crate) mod path;
pub(crate) mod permit;
pub(crate) mod query;
pub(crate) mod request_id;
pub(crate) mod table;
pub(crate) mod time;
pub(crate) mod unread;
pub(crate) mod upload;

use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use error::ApiError;

/// An answer in JSON, of known length.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    match serde_json::to_vec(body) {
        Ok(bytes) => json_bytes(status, bytes),
        // Only maps with odd keys can't be written, and no answer has one.
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// An answer in JSON that is written already.
pub(crate) fn json_bytes(status: StatusCode, body: impl Into<axum::body::Body>) -> Response {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let media_type = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    response
}
