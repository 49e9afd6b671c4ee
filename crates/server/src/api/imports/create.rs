//! `POST /imports`

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_core::error::Error;
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use purser_store::audit::Actor;
use purser_store::imports;

use super::body::{Content, ContentLimits, Received, receive};
use super::form::{UploadForm, UploadJson};
use super::view::Detail;
use crate::api::error::{ApiError, ApiResult};
use crate::api::openapi::{
    BodyErrors, CommonErrors, ConflictError, IdempotencyParams, UploadErrors,
};
use crate::blocking::blocking;
use crate::edge::auth::Writer;
use crate::edge::body::Unread;
use crate::edge::idempotency::{Begun, Guard, IdempotencyKey, begin};
use crate::imports::reading::Ground;
use crate::imports::request::Request;
use crate::imports::upload::{Upload, Uploaded};
use crate::limits::{UPLOAD_OVERHEAD_BYTES, UPLOAD_OVERHEAD_FACTOR};
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
    let content_bytes_max = app.imports.max_csv_bytes;
    let limits = ContentLimits {
        content_bytes_max,
        body_bytes_max: content_bytes_max * UPLOAD_OVERHEAD_FACTOR + UPLOAD_OVERHEAD_BYTES,
    };
    let received = receive(body, &app, caller.family, limits).await?;
    let (upload, publish) = read(&app, &caller, received).await?;
    let upload = Arc::new(upload);
    let fingerprint = upload.fingerprint();
    let guard = match begin(&app, &caller, "POST /imports", &key, fingerprint).await {
        Ok(Begun::Proceed(guard)) => guard,
        answered => {
            upload.discard(caller.family, &app.files);
            return answered.and_then(|begun| match begun {
                Begun::Answer(response) => Ok(response),
                Begun::Proceed(_) => Err(ApiError::internal("a key was claimed twice")),
            });
        }
    };
    if let Some(subject) = guard.subject() {
        upload.discard(caller.family, &app.files);
        return go_on(&app, &caller, ImportId(subject), publish, guard).await;
    }
    let stored = store(&app, &caller, upload, publish, guard.clone()).await?;
    match stored {
        Stored::Answered(response) => Ok(response),
        Stored::ToPublish(id) => {
            super::publish::queue(&app, &caller, id, StatusCode::CREATED, guard).await
        }
    }
}

/// Reads what is asked for, and the content.
async fn read(app: &AppState, caller: &Writer, received: Received) -> ApiResult<(Upload, bool)> {
    let family = caller.family;
    let stored = received.content.as_ref().map(|content| content.stored);
    let prepared = prepare(app, caller, &received).await;
    let (request, ground) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => {
            if let Some(stored) = stored {
                let files = app.files.clone();
                blocking(move || files.delete(family, stored.id)).await?;
            }
            return Err(error);
        }
    };
    let publish = request.publish;
    let content = received.content.map(|Content { stored, name }| (stored, name));
    let (store, files) = (app.store.clone(), app.files.clone());
    let upload = blocking(move || Upload::read(request, content, &ground, &store, &files)).await?;
    Ok((upload, publish))
}

async fn prepare(
    app: &AppState,
    caller: &Writer,
    received: &Received,
) -> ApiResult<(Request, Ground)> {
    let request = Request::read(&received.fields)?;
    let not_allowed = match (caller.accounts(), request.account) {
        (None, _) => None,
        (Some(_), None) => Some("This key needs an account_id"),
        (Some(accounts), Some(id)) if accounts.contains(&id) => None,
        (Some(_), Some(_)) => Some("account_id is not an account of this family"),
    };
    if let Some(why) = not_allowed {
        return Err(Error::invalid(why).into());
    }
    let (family, account) = (caller.family, request.account);
    let ground = app.store.read(move |tx| Ground::of_upload(tx, family, account)).await?;
    Ok((request, ground))
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
    guard: Guard,
) -> ApiResult<Stored> {
    let family = caller.family;
    let actor = Actor::Key(caller.key.id);
    let (storing, saving) = (upload.clone(), guard.clone());
    let committed = app
        .store
        .write(family, move |tx| {
            let uploaded = storing.store(tx, family, actor)?;
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
                upload.discard(family, &app.files);
            }
            return Err(error.into());
        }
    };
    if uploaded.taken_up_again {
        upload.discard(family, &app.files);
    }
    Ok(match answer {
        Some((status, body)) => {
            guard.committed();
            Stored::Answered(crate::api::json_bytes(status, body))
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
    let Some(rejection) = uploaded.rejection()? else { return Ok(None) };
    let error = super::rejected(rejection, uploaded.import.id);
    Ok(Some((error.status(), error.body())))
}

/// An earlier request with the same idempotency key stored the upload and did not finish: its retry
/// goes on from there.
async fn go_on(
    app: &AppState,
    caller: &Writer,
    id: ImportId,
    publish: bool,
    guard: Guard,
) -> ApiResult<Response> {
    let family = caller.family;
    let import = app.store.read(move |tx| imports::get(tx, family, id)).await?;
    if publish && import.status == ImportStatus::Pending {
        return super::publish::queue(app, caller, id, StatusCode::CREATED, guard).await;
    }
    let saving = guard.clone();
    let body = app
        .store
        .write(family, move |tx| {
            let import = imports::get(tx, family, id)?;
            let detail = Detail::new(&import, &imports::mappings(tx, family, id)?)?;
            let body = serde_json::to_string(&detail).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::api::json_bytes(StatusCode::CREATED, body))
}
