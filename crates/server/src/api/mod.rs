//! JSON over HTTP: one folder per noun, one file per verb. [`routes`] is the whole table.

pub(crate) mod accounts;
pub(crate) mod error;
pub(crate) mod fields;
pub(crate) mod filters;
mod health;
mod holdings;
mod imports;
pub(crate) mod money;
pub(crate) mod openapi;
pub(crate) mod pagination;
pub(crate) mod path;
mod provider_connections;
mod routes;
pub(crate) mod time;
mod transactions;
mod usage;
mod valuations;

use axum::Router;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::state::AppState;
use error::ApiError;

/// Every route, with the request edge around it.
pub(crate) fn router(app: AppState) -> Router {
    let (routes, description) = routes::all(&app).split_for_parts();
    let routes = routes
        .merge(openapi::routes(description))
        .merge(health::routes())
        // Set after the routes have their key check: an address that doesn't know a method says so
        // before anybody asks for a key.
        .method_not_allowed_fallback(async || ApiError::method_not_allowed())
        .fallback(async || ApiError::route_not_found())
        .with_state(app);
    crate::edge::around(routes)
}

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

#[cfg(test)]
mod router_tests;
