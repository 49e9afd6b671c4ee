//! `GET /imports/{id}/events`

use axum::extract::State;
use axum::response::Response;
use purser_app::imports;
use purser_app::imports::events::Watch;
use purser_core::ids::ImportId;

use crate::http::caller::Reader;
use crate::http::error::{ApiResult, ErrorBody};
use crate::http::event_stream::{self, ProgressBody};
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Watch an import
///
/// Server-sent events. At once an event `progress` with the state as it is now, then one for every
/// change, and when neither a publish nor an undo is running (any more) an event `done` with the
/// last state; after that the stream ends, and the client should not come back. A stream that ends
/// without `done` was broken off: come back, and the state is sent again. Comments keep the
/// connection alive. The schema is that of the `data` of both events.
#[utoipa::path(
    get,
    path = "/imports/{id}/events",
    operation_id = "watch_import",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import")),
    responses(
        (status = 200, description = "Events `progress`, and at the end `done`",
            body = ProgressBody, content_type = "text/event-stream"),
        NotFoundError,
        CommonErrors,
        (status = 429, body = ErrorBody, content_type = "application/json",
            description = "`rate_limit_exceeded`: see `details` and `Retry-After`. Or \
            `too_many_streams`: this key has too many open streams"),
    )
)]
pub(crate) async fn watch(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<ImportId>,
) -> ApiResult<Response> {
    let (access, key) = (caller.access(), caller.key.id);
    let slot = event_stream::admit(&app, key.0)?;
    let read = move |tx: &mut purser_app::FamilyTx<'_>| {
        super::visible(tx, &caller, id)?;
        imports::progress(tx, id)
    };
    let now = app.store.read(access.clone(), read).await?;
    Ok(event_stream::answer(Watch::new(app.app.clone(), access, id, now, slot)))
}
