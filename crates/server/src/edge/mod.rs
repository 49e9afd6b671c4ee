//! The request edge: everything between the socket and a handler.
//!
//! From the outside in: connection caps and time limits ([`listener`]), request id, log and panics
//! (`trace`), headers for browsers (`security`, `cors`), memory (`in_flight`), compression,
//! conditional reads (`etag`), then the router; inside `/api/v1` the key and its rate limit
//! ([`auth`]).

pub(crate) mod auth;
mod compression;
pub(crate) mod connections;
mod cors;
mod etag;
mod full_body;
mod in_flight;
pub(crate) mod last_used;
pub(crate) mod listener;
pub(crate) mod panics;
pub(crate) mod peer;
pub(crate) mod rate_limit;
mod request_body;
mod security;
mod stall;
mod trace;
pub(crate) mod untrusted_proxy;

use std::sync::Arc;

use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use purser_app::shares::Shares;

/// Puts the edge around the routes. The last layer is the outermost.
pub(crate) fn around(routes: Router, bytes_in_flight: Arc<Shares>) -> Router {
    routes
        .layer(from_fn(in_flight::hold))
        .layer(from_fn(etag::layer))
        .layer(from_fn(compression::layer))
        .layer(from_fn_with_state(bytes_in_flight, in_flight::layer))
        .layer(from_fn(cors::layer))
        .layer(from_fn(security::layer))
        .layer(from_fn(trace::layer))
}

#[cfg(test)]
mod handler_tests;
