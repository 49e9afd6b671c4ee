//! `POST /imports/{id}/publish`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::imports::publish::{self, PublishOrigin, Queued};
use purser_app::imports::retries::UnderWay;
use purser_app::imports::{self, Import};
use purser_core::error::Error;
use purser_core::ids::ImportId;
use tracing::Instrument as _;

use super::view::Detail;
use crate::http::caller::Writer;
use crate::http::error::{ApiError, ApiResult};
use crate::http::idempotency::{ClaimOutcome, Fingerprint, Guard, IdempotencyKey, begin};
use crate::http::openapi::{
    CommonErrors, ConflictError, IdempotencyParams, NotFoundError, PublishErrors,
};
use crate::http::path::Id;
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
    app.store.read(look.access(), move |tx| super::visible(tx, &look, id).map(drop)).await?;
    // A wrong id comes before a wrong header.
    let key = key?;
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(id.0.as_bytes());
    let route = "POST /imports/{id}/publish";
    let guard = match begin(&app, &caller, route, &key, fingerprint.finish()).await? {
        ClaimOutcome::Proceed(guard) => guard,
        ClaimOutcome::Answer(response) => return Ok(response),
    };
    let publish = Publish { id, status: StatusCode::ACCEPTED, origin: PublishOrigin::Caller };
    // A client that goes away doesn't break off what was begun.
    let queued = tokio::spawn(queue(app, caller, publish, guard, None).in_current_span());
    queued.await.map_err(ApiError::internal)?
}

/// A publish that is to be queued.
#[derive(Debug, Clone, Copy)]
pub(super) struct Publish {
    /// The import.
    pub(super) id: ImportId,
    /// The status of the answer when it is queued.
    pub(super) status: StatusCode,
    /// Who asks.
    pub(super) origin: PublishOrigin,
}

/// The second commit of a publish: status and job, and the answer for retries. `upload` is the
/// upload that asks, if it is one.
pub(super) async fn queue(
    app: AppState,
    caller: Writer,
    publish: Publish,
    guard: Guard,
    upload: Option<UnderWay>,
) -> ApiResult<Response> {
    let Publish { id, status, origin } = publish;
    let (saving, failing, looking) = (guard.clone(), guard.clone(), caller.clone());
    let queued = app
        .store
        .write(caller.access(), move |tx| {
            // The import may have been moved to another account since it was looked at.
            super::visible(tx, &looking, id)?;
            let import = match publish::queue(tx, id, origin)? {
                Queued::Yes(import) => import,
                Queued::No(rejection) => return Ok(Err(rejection)),
            };
            let body = body_of(tx, &import)?;
            saving.save(tx, status, &body)?;
            Ok(Ok(body))
        })
        .await;
    match queued {
        Ok(Ok(body)) => {
            guard.committed();
            if let Some(upload) = upload {
                upload.succeeded();
            }
            Ok(crate::http::json_bytes(status, body))
        }
        Ok(Err(rejection)) => Err(super::rejected(rejection, id)),
        Err(error @ Error::NotFound { .. }) => Err(error.into()),
        Err(error) => not_queued(&app, &caller, publish, failing, upload, error).await,
    }
}

fn body_of(tx: &mut FamilyTx<'_>, import: &Import) -> Result<String, Error> {
    let detail = Detail::new(import, &imports::mappings(tx, import.id)?)?;
    serde_json::to_string(&detail).map_err(Error::internal)
}

/// The import stays as it was, and nobody wishes to publish it any more. But if the commit went
/// through although its answer was lost, the publish is queued, and that is the answer.
async fn not_queued(
    app: &AppState,
    caller: &Writer,
    publish: Publish,
    guard: Guard,
    upload: Option<UnderWay>,
    error: Error,
) -> ApiResult<Response> {
    let Publish { id, status, .. } = publish;
    let noted = app
        .store
        .write(caller.access(), move |tx| match publish::not_queued(tx, id)? {
            Some(import) => body_of(tx, &import).map(Some),
            None => guard.hand_over(tx).map(|()| None),
        })
        .await;
    match noted {
        Ok(Some(body)) => return Ok(crate::http::json_bytes(status, body)),
        Ok(None) => {}
        // Nobody knows whether it is queued. A later look carries the wish out if it stands, and an
        // equal upload takes this import up whatever became of it.
        Err(cause) => {
            if let Some(upload) = upload {
                upload.failed_as(id);
            }
            tracing::error!(?cause, import = %id, "the failed publish can't be noted");
        }
    }
    Err(ApiError::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "publish_failed",
        "The upload is stored, but publishing it could not be queued. Try again.",
    )
    .with_import_id(id)
    .with_cause(error))
}
