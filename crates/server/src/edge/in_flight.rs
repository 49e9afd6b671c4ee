//! Counts the memory of requests and of answers that are not sent yet: in [`hold`] as soon as an
//! answer is made, before it is compressed, and in [`layer`] what goes out.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::Method;
use purser_app::shares::Shares;

use super::full_body;
use crate::http::in_flight::InFlight;

/// The outer middleware: gives each request its [`InFlight`], and its share to the answer.
pub(super) async fn layer(
    State(bytes): State<Arc<Shares>>,
    mut request: Request,
    next: Next,
) -> Response {
    let in_flight = InFlight::new(bytes);
    request.extensions_mut().insert(in_flight.clone());
    let response = next.run(request).await;
    match full_body::take(response).await {
        Ok((parts, bytes)) => Response::from_parts(parts, Body::from(in_flight.send(bytes))),
        Err(stream) => {
            in_flight.end();
            stream
        }
    }
}

/// The inner middleware: makes the share as large as the answer, or refuses it.
pub(super) async fn hold(request: Request, next: Next) -> Response {
    let Some(in_flight) = request.extensions().get::<InFlight>().cloned() else {
        return next.run(request).await;
    };
    let must_arrive = !matches!(*request.method(), Method::GET | Method::HEAD);
    let response = next.run(request).await;
    match full_body::take(response).await {
        Ok((parts, bytes)) => match in_flight.hold(&bytes, must_arrive) {
            Ok(()) => Response::from_parts(parts, Body::from(bytes)),
            Err(busy) => busy.into_response(),
        },
        Err(stream) => stream,
    }
}
