//! Server-sent events of one import, for the API and for pages.
//!
//! `progress` at once and with every change, then `done`, after which the client should close.

use std::convert::Infallible;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::Stream;
use futures_util::stream::unfold;
use http::{HeaderName, HeaderValue, StatusCode, header};
use purser_app::imports::events::{Slot, Update, Watch};
use purser_app::imports::progress::State;
use purser_app::limits::EVENT_STREAMS_MAX;
use purser_core::import::status::ImportStatus;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::http::error::{ApiError, ApiResult};
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
    /// `pending`, `importing`, `complete`, `failed`, `reverting` or `revert_failed`.
    #[serde(serialize_with = "status_text")]
    #[schema(value_type = String, example = "importing")]
    status: ImportStatus,
    /// Rows that are done. Starts again from 0 if the job does.
    #[schema(minimum = 0)]
    rows_done: u64,
    /// Rows of the file; while the import is undone, the transactions that it created.
    #[schema(minimum = 0)]
    rows_total: u64,
}

impl From<State> for ProgressBody {
    fn from(state: State) -> Self {
        let State { status, rows_done, rows_total } = state;
        Self { status, rows_done, rows_total }
    }
}

fn status_text<S: serde::Serializer>(
    status: &ImportStatus,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(status.as_str())
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
pub(crate) fn answer(watch: Watch) -> Response {
    let events = Sse::new(stream(watch)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE_INTERVAL));
    let mut response = events.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
    response
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
