//! `POST /imports`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::blocking::blocking;
use purser_app::imports;
use purser_app::imports::publish::PublishOrigin;
use purser_app::imports::request::Request;
use purser_app::imports::upload::{Retry, Upload, Uploaded};
use purser_core::error::Error;
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use tracing::Instrument as _;

use super::form::{UploadForm, UploadJson};
use super::publish::{Publish, queue};
use super::view::Detail;
use crate::http::caller::Writer;
use crate::http::content::{Content, ContentLimits, Received, receive};
use crate::http::error::{ApiError, ApiResult};
use crate::http::idempotency::{ClaimOutcome, Guard, IdempotencyKey, begin};
use crate::http::openapi::{
    BodyErrors, CommonErrors, ConflictError, IdempotencyParams, UploadErrors,
};
use crate::http::unread::Unread;
use crate::state::AppState;

/// Create an import
///
/// Stores the content, reads it, and answers what was found. With `publish` it is queued at once
/// if nothing stands in the way.
#[utoipa::path(
    post,
    path = "/imports",
    operation_id = "create_import",
    tag = "imports",
    params(IdempotencyParams),
    request_body(
        content(
            (UploadJson = "application/json"),
            (UploadForm = "multipart/form-data")
        )
    ),
    responses(
        (status = 201, body = Detail),
        BodyErrors, ConflictError, CommonErrors, UploadErrors
    )
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    let limits = ContentLimits::new(app.imports.max_csv_bytes);
    let received = receive(body, &app, caller.family, limits).await?;
    let (upload, publish) = read(&app, &caller, received).await?;
    let upload = Arc::new(upload);
    let fingerprint = upload.fingerprint();
    let guard = match begin(&app, &caller, "POST /imports", &key, fingerprint).await {
        Ok(ClaimOutcome::Proceed(guard)) => guard,
        Ok(ClaimOutcome::Answer(response)) => {
            discard(upload).await?;
            return Ok(response);
        }
        Err(error) => {
            discard(upload).await?;
            return Err(error);
        }
    };
    // A client that goes away doesn't break off what was begun.
    let committed = tokio::spawn(commit(app, caller, upload, publish, guard).in_current_span());
    committed.await.map_err(ApiError::internal)?
}

/// Both commits, and what becomes of them.
async fn commit(
    app: AppState,
    caller: Writer,
    upload: Arc<Upload>,
    publish: bool,
    guard: Guard,
) -> ApiResult<Response> {
    let under_way = app.retries.enter(upload.hash(caller.family));
    let import = match guard.subject() {
        Some(subject) => {
            discard(upload).await?;
            ImportId(subject)
        }
        None => {
            // Another node may be between the commits of an equal upload, which nothing here knows.
            let alone = under_way.alone && app.store.is_sqlite();
            let retry = Retry { alone, failed: under_way.failed };
            match store(&app, &caller, upload, publish, retry, guard.clone()).await? {
                Stored::Answered(response) => return Ok(response),
                Stored::ToPublish(id) => id,
            }
        }
    };
    if !publish {
        return go_on(&app, &caller, import, guard).await;
    }
    let publish =
        Publish { id: import, status: StatusCode::CREATED, origin: PublishOrigin::Upload };
    queue(app, caller, publish, guard, Some(under_way)).await
}

/// Files of an upload that was surely not stored.
pub(super) async fn discard(upload: Arc<Upload>) -> ApiResult<()> {
    let discarded = blocking(move || {
        upload.discard();
        Ok(())
    });
    Ok(discarded.await?)
}

/// Reads what is asked for, and the content.
pub(super) async fn read(
    app: &AppState,
    caller: &Writer,
    received: Received,
) -> ApiResult<(Upload, bool)> {
    let request = Request::read(&received.fields)?;
    let publish = request.publish;
    let content = received.content.map(|Content { stored, name }| (stored, name));
    Ok((Upload::receive(app, caller.access(), request, content).await?, publish))
}

/// What the first commit came to.
enum Stored {
    /// Everything is said.
    Answered(Response),
    /// The publish is still to be queued.
    ToPublish(ImportId),
}

/// The first commit. An answer that is final is stored with it for retries.
async fn store(
    app: &AppState,
    caller: &Writer,
    upload: Arc<Upload>,
    publish: bool,
    retry: Retry,
    guard: Guard,
) -> ApiResult<Stored> {
    let (storing, saving) = (upload.clone(), guard.clone());
    let committed = app
        .store
        .write(caller.access(), move |tx| {
            let uploaded = storing.store(tx, retry)?;
            saving.bind(tx, uploaded.import.id.0)?;
            let answer = if publish { refusal(&uploaded)? } else { accepted(&uploaded)? };
            if let Some((status, body)) = &answer {
                saving.save(tx, *status, body)?;
            }
            Ok((uploaded, answer))
        })
        .await;
    let (uploaded, answer) = match committed {
        Ok(committed) => committed,
        Err(error) => {
            if matches!(error, Error::Invalid { .. } | Error::NotFound { .. }) {
                guard.rolled_back();
                discard(upload).await?;
            }
            return Err(error.into());
        }
    };
    if uploaded.taken_up_again {
        discard(upload).await?;
    }
    Ok(match answer {
        Some((status, body)) => {
            guard.committed();
            Stored::Answered(crate::http::json_bytes(status, body))
        }
        None => Stored::ToPublish(uploaded.import.id),
    })
}

fn accepted(uploaded: &Uploaded) -> Result<Option<(StatusCode, String)>, Error> {
    let detail = Detail::new(&uploaded.import, &uploaded.mappings)?;
    let body = serde_json::to_string(&detail).map_err(Error::internal)?;
    Ok(Some((StatusCode::CREATED, body)))
}

fn refusal(uploaded: &Uploaded) -> Result<Option<(StatusCode, String)>, Error> {
    if matches!(uploaded.import.status, ImportStatus::Importing | ImportStatus::Complete) {
        // Taken up again, and its publish was queued although nobody got to know.
        return Ok(None);
    }
    let Some(rejection) = uploaded.rejection()? else { return Ok(None) };
    let error = super::rejected(rejection, uploaded.import.id);
    Ok(Some((error.status(), error.body())))
}

/// An earlier request with the same idempotency key stored the upload and did not finish: its retry
/// answers for it.
async fn go_on(app: &AppState, caller: &Writer, id: ImportId, guard: Guard) -> ApiResult<Response> {
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let import = imports::get(tx, id)?;
            let detail = Detail::new(&import, &imports::mappings(tx, id)?)?;
            let body = serde_json::to_string(&detail).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
