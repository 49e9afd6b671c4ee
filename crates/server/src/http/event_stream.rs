//! Server-sent events of one import, for the API and for pages.
//!
//! `progress` at once and with every change, then `done`, after which the client should close.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use http::{HeaderName, HeaderValue, StatusCode, header};
use purser_app::imports::events::{Slot, Update, Watch};
use purser_app::imports::progress::State;
use purser_app::limits::EVENT_STREAMS_MAX;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa::openapi::Content;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use uuid::Uuid;

use crate::http::describe::{Description, Output};
use crate::http::error::{ApiError, ApiResult};
use crate::http::headers;
use crate::http::named::ImportStatusName;
use crate::http::openapi::StreamErrors;
use crate::limits::KEEP_ALIVE_INTERVAL;
use crate::state::AppState;

/// Asks proxies not to buffer the answer.
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
/// How soon a browser should come back.
const RECONNECT: std::time::Duration = std::time::Duration::from_secs(1);

/// How far a publish or an undo is.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ImportProgress)]
pub(crate) struct ProgressBody {
    /// The status of the import.
    status: ImportStatusName,
    /// The number of rows that are done. It starts again from 0 if the job does.
    #[schema(minimum = 0)]
    rows_done: u64,
    /// The number of rows of the file; while the import is undone, that of the transactions that it
    /// created.
    #[schema(minimum = 0)]
    rows_total: u64,
}

impl From<State> for ProgressBody {
    fn from(state: State) -> Self {
        let State { status, rows_done, rows_total } = state;
        Self { status: status.into(), rows_done, rows_total }
    }
}

/// A slot for one more stream, unless the holder has too many.
pub(crate) fn admit(app: &AppState, holder: Uuid) -> ApiResult<Slot> {
    app.event_streams.admit(holder).ok_or_else(|| {
        let message = format!("There are {EVENT_STREAMS_MAX} open streams already; close one");
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many_streams", message)
            .with_header(header::RETRY_AFTER, HeaderValue::from_static("5"))
    })
}

/// The stream of an import that the caller may see.
pub(crate) struct ProgressStream(pub(crate) Watch);

impl IntoResponse for ProgressStream {
    fn into_response(self) -> Response {
        let keep_alive = KeepAlive::new().interval(KEEP_ALIVE_INTERVAL);
        let mut response = Sse::new(stream(self.0)).keep_alive(keep_alive).into_response();
        let headers = response.headers_mut();
        // Such a stream sets another word by itself.
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
        response
    }
}

impl Output for ProgressStream {
    fn describe(operation: &mut Description<'_>) {
        // What a body of this media type holds is no JSON: only the data of its events is.
        let data = operation.components.schema::<ProgressBody>();
        let data = serde_json::to_value(data).unwrap_or_default();
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Events, each with an `ImportProgress` as its data."))
            .extensions(Some(Extensions::from_iter([("x-event-data", data)])));
        operation.response(200, "Events `progress`, and at the end `done`.", |response| {
            let (name, buffering) = headers::own(&ACCEL_BUFFERING, "Proxies pass each event on.");
            response.header(name, buffering).content("text/event-stream", Content::new(Some(text)))
        });
        operation.errors::<StreamErrors>();
    }
}

fn stream(watch: Watch) -> impl Stream<Item = Result<Event, Infallible>> {
    unfold((Some(watch), true), |(watch, is_first)| async move {
        let mut watch = watch?;
        let (name, state, is_last) = match watch.next().await? {
            Update::Progress(state) => ("progress", state, false),
            Update::Done(state) => ("done", state, true),
        };
        let mut event = Event::default().event(name);
        if is_first {
            event = event.retry(RECONNECT);
        }
        let event = event.json_data(ProgressBody::from(state)).ok()?;
        Some((Ok(event), ((!is_last).then_some(watch), false)))
    })
}
