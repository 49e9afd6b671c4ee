//! `GET` and `POST /imports/{id}/revert`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports;
use purser_app::imports::publish::Queued;
use purser_app::imports::revert;
use purser_core::error::Error;
use purser_core::ids::ImportId;
use tracing::Instrument as _;

use super::revert_view::{Preview, RevertPreview};
use super::view::Detail;
use crate::http::caller::{Reader, Writer};
use crate::http::error::{ApiError, ApiResult};
use crate::http::idempotency::{ClaimOutcome, Fingerprint, Guard, IdempotencyKey, begin};
use crate::http::openapi::{
    CommonErrors, ConflictError, IdempotencyParams, InvalidError, NotFoundError, RevertErrors,
};
use crate::http::path::Id;
use crate::state::AppState;

/// Preview an undo
///
/// What `POST` would do now: which transactions go, what stays and why, and what else depends on
/// it. 422 `not_revertable` for an import that is not published.
#[utoipa::path(
    get,
    path = "/imports/{id}/revert",
    operation_id = "preview_revert",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import")),
    responses((status = 200, body = Preview), NotFoundError, InvalidError, CommonErrors)
)]
pub(crate) async fn preview(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<ImportId>,
) -> ApiResult<Response> {
    let preview = app
        .store
        .read(caller.access(), move |tx| {
            let import = super::visible(tx, &caller, id)?;
            revert::preview(tx, &import)
        })
        .await?;
    let preview = preview
        .map_err(|refused| ApiError::from(Error::invalid_code(refused.code, refused.message)))?;
    let preview = Preview { data: RevertPreview::of(id, preview) };
    Ok(crate::http::json(StatusCode::OK, &preview))
}

/// Undo an import
///
/// Queues it: the answer says `reverting`, and the import becomes `pending` or `revert_failed`.
/// What it created goes, but for transactions that were changed since; publishing it again works.
#[utoipa::path(
    post,
    path = "/imports/{id}/revert",
    operation_id = "revert_import",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import"), IdempotencyParams),
    responses(
        (status = 202, body = Detail),
        NotFoundError, ConflictError, CommonErrors, RevertErrors
    )
)]
pub(crate) async fn revert(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<ImportId>,
    key: ApiResult<IdempotencyKey>,
) -> ApiResult<Response> {
    let look = caller.clone();
    app.store.read(look.access(), move |tx| super::visible(tx, &look, id).map(drop)).await?;
    // A wrong id comes before a wrong header.
    let key = key?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(id.0.as_bytes());
    let route = "POST /imports/{id}/revert";
    let guard = match begin(&app, &caller, route, &key, fingerprint.finish()).await? {
        ClaimOutcome::Proceed(guard) => guard,
        ClaimOutcome::Answer(response) => return Ok(response),
    };
    // A client that goes away doesn't break off what was begun.
    let queued = tokio::spawn(queue(app, caller, id, guard).in_current_span());
    queued.await.map_err(ApiError::internal)?
}

async fn queue(app: AppState, caller: Writer, id: ImportId, guard: Guard) -> ApiResult<Response> {
    let (saving, looking) = (guard.clone(), caller.clone());
    let queued = app
        .store
        .write(caller.access(), move |tx| {
            // The import may have been moved to another account since it was looked at.
            super::visible(tx, &looking, id)?;
            let import = match revert::queue(tx, id)? {
                Queued::Yes(import) => import,
                Queued::No(rejection) => return Ok(Err(rejection)),
            };
            let detail = Detail::new(&import, &imports::mappings(tx, id)?)?;
            let body = serde_json::to_string(&detail).map_err(Error::internal)?;
            saving.save(tx, StatusCode::ACCEPTED, &body)?;
            Ok(Ok(body))
        })
        .await;
    match queued {
        Ok(Ok(body)) => {
            guard.committed();
            Ok(crate::http::json_bytes(StatusCode::ACCEPTED, body))
        }
        Ok(Err(rejection)) => Err(super::rejected(rejection, id)),
        Err(error @ Error::Internal { .. }) => Err(ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "revert_not_queued",
            "The undo could not be queued; nothing was changed. Try again.",
        )
        .with_import_id(id)
        .with_cause(error)),
        Err(error) => Err(error.into()),
    }
}
