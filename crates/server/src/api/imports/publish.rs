//! `POST /imports/{id}/publish`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_core::error::Error;
use purser_core::ids::ImportId;
use purser_store::imports;

use super::view::Detail;
use crate::api::error::{ApiError, ApiResult};
use crate::api::openapi::{
    CommonErrors, ConflictError, IdempotencyParams, NotFoundError, PublishErrors,
};
use crate::api::path::Id;
use crate::edge::auth::Writer;
use crate::edge::idempotency::{Begun, Fingerprint, Guard, IdempotencyKey, begin};
use crate::imports::publish::{self, Queued};
use crate::state::AppState;

/// Publish an import
///
/// Queues it: the answer says `importing`, and the import becomes `complete` or `failed`.
#[utoipa::path(
    post,
    path = "/imports/{id}/publish",
    operation_id = "publish_import",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import"), IdempotencyParams),
    responses(
        (status = 202, body = Detail),
        NotFoundError, ConflictError, CommonErrors, PublishErrors
    )
)]
pub(crate) async fn publish(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<ImportId>,
    key: ApiResult<IdempotencyKey>,
) -> ApiResult<Response> {
    let look = caller.clone();
    app.store.read(move |tx| super::visible(tx, &look, id).map(drop)).await?;
    // A wrong id comes before a wrong header.
    let key = key?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(id.0.as_bytes());
    let route = "POST /imports/{id}/publish";
    let guard = match begin(&app, &caller, route, &key, fingerprint.finish()).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    queue(&app, &caller, id, StatusCode::ACCEPTED, guard).await
}

/// The second commit of a publish: status and job, and the answer for retries.
pub(super) async fn queue(
    app: &AppState,
    caller: &Writer,
    id: ImportId,
    status: StatusCode,
    guard: Guard,
) -> ApiResult<Response> {
    let family = caller.family;
    let (saving, failing) = (guard.clone(), guard.clone());
    let queued = app
        .store
        .write(family, move |tx| {
            let import = match publish::queue(tx, family, id)? {
                Queued::Yes(import) => import,
                Queued::No(rejection) => return Ok(Err(rejection)),
            };
            let detail = Detail::new(&import, &imports::mappings(tx, family, id)?)?;
            let body = serde_json::to_string(&detail).map_err(Error::internal)?;
            saving.save(tx, status, &body)?;
            Ok(Ok(body))
        })
        .await;
    match queued {
        Ok(Ok(body)) => {
            guard.committed();
            app.job_queued.notify_one();
            Ok(crate::api::json_bytes(status, body))
        }
        Ok(Err(rejection)) => Err(super::rejected(rejection, id)),
        Err(error) => Err(not_queued(app, caller, id, failing, error).await),
    }
}

/// The import stays as it was, and nobody wishes to publish it any more.
async fn not_queued(
    app: &AppState,
    caller: &Writer,
    id: ImportId,
    guard: Guard,
    error: Error,
) -> ApiError {
    let family = caller.family;
    let noted = app
        .store
        .write(family, move |tx| {
            guard.hand_over(tx)?;
            imports::fail_enqueue(tx, family, id)
        })
        .await;
    if let Err(cause) = noted {
        // The wish stands: the next start carries it out.
        tracing::error!(?cause, import = %id, "the failed publish can't be noted");
    }
    ApiError::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "publish_failed",
        "The upload is stored, but publishing it could not be queued. Try again.",
    )
    .with_import_id(id)
    .with_cause(error)
}
