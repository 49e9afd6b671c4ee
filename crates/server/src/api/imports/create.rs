//! `POST /imports` and `POST /imports/preflight`

use std::sync::Arc;

use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::imports;
use purser_app::imports::publish::PublishOrigin;
use purser_app::imports::upload::{Retry, Upload, Uploaded};
use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::status::ImportStatus;
use tracing::Instrument as _;

use super::preview_view::PreviewAnswer;
use super::publish::{Publish, queue};
use super::rejected;
use super::upload::{NewImport, discard};
use super::view::Detail;
use crate::http::answer::{Answer, Created, Json, Or, Reply as _};
use crate::http::call::{AcceptedCall, Create, Opening, commit};
use crate::http::caller::Reader;
use crate::http::error::{ApiError, ApiResult};
use crate::http::openapi::{StorageError, UploadErrors};

/// The answer to an upload.
type Reply = Or<Created<Detail>, UploadErrors>;

/// An upload that was read, and for which the idempotency key is claimed.
type Claimed = AcceptedCall<(), (), Arc<Upload>>;

pub(super) async fn preflight(
    call: Create<NewImport, Reader>,
) -> ApiResult<Answer<Or<Json<PreviewAnswer>, StorageError>>> {
    let (app, caller, sent) = call.judged().await?;
    let upload = sent.body.clone();
    let preview = app.store.read(caller.access(), move |tx| upload.preview(tx)).await;
    discard(sent.body).await?;
    Ok(Answer::new(&Json(PreviewAnswer::from(preview?)).into())?)
}

pub(super) async fn create(call: Create<NewImport>) -> ApiResult<Answer<Reply>> {
    let opened = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    // A client that goes away doesn't break off what was begun.
    let stored = tokio::spawn(store_and_publish(opened).in_current_span());
    stored.await.map_err(ApiError::internal)?
}

/// Executes both commits and what follows from them.
async fn store_and_publish(opened: Claimed) -> ApiResult<Answer<Reply>> {
    let AcceptedCall { app, caller, sent, guard } = &opened;
    let under_way = app.retries.enter(sent.body.hash(caller.family));
    let id = match guard.subject() {
        Some(subject) => ImportId(subject),
        None => {
            // Another node may be between the commits of an equal upload, which nothing here knows.
            let alone = under_way.alone && app.store.is_sqlite();
            match store(&opened, Retry { alone, failed: under_way.failed }).await? {
                Stored::Answered(answer) => return Ok(answer),
                Stored::ToPublish(id) => id,
            }
        }
    };
    if sent.body.wants_publish() {
        let publish =
            Publish { id, origin: PublishOrigin::Upload, reply: |detail| Created(detail).into() };
        return queue(app, caller, guard, publish, Some(under_way)).await;
    }
    // An earlier request with the same idempotency key stored the upload and did not finish: its
    // retry answers for it.
    let answer = move |tx: &mut FamilyTx<'_>| {
        let import = imports::get(tx, id)?;
        Ok(Ok(Created(Detail::of(tx, &import)?).into()))
    };
    commit(app, caller.access(), guard, answer).await?
}

/// The outcome of the first commit.
enum Stored {
    /// The request is answered.
    Answered(Answer<Reply>),
    /// The publish is still to be queued.
    ToPublish(ImportId),
}

/// The first commit. An answer that is final is stored with it for retries.
async fn store(opened: &Claimed, retry: Retry) -> ApiResult<Stored> {
    let AcceptedCall { app, caller, sent, guard } = opened;
    let (upload, saving) = (sent.body.clone(), guard.clone());
    let work = move |tx: &mut FamilyTx<'_>| {
        let uploaded = upload.store(tx, retry)?;
        saving.bind(tx, uploaded.import.id.0)?;
        let answer = match upload.wants_publish() {
            true => refusal(&uploaded)?,
            false => Some(accepted(&uploaded)?),
        };
        if let Some((status, body)) = &answer {
            saving.save(tx, *status, body)?;
        }
        Ok((uploaded, answer))
    };
    let committed = app.store.write(caller.access(), work).await;
    if committed.as_ref().is_err_and(Error::is_refusal) {
        guard.rolled_back();
        discard(sent.body.clone()).await?;
    }
    let (uploaded, answer) = committed?;
    if uploaded.taken_up_again {
        discard(sent.body.clone()).await?;
    }
    Ok(match answer {
        Some((status, body)) => {
            guard.committed();
            Stored::Answered(Answer::written(status, Some(body)))
        }
        None => Stored::ToPublish(uploaded.import.id),
    })
}

fn accepted(uploaded: &Uploaded) -> Result<(StatusCode, String)> {
    let reply = Created(Detail::new(&uploaded.import, &uploaded.relations)?);
    Ok((reply.status(), reply.body()?.unwrap_or_default()))
}

/// The final answer to an upload that can't be published as it is.
fn refusal(uploaded: &Uploaded) -> Result<Option<(StatusCode, String)>> {
    if matches!(uploaded.import.status, ImportStatus::Importing | ImportStatus::Complete) {
        // An earlier request stored it and queued its publish, but did not get to answer.
        return Ok(None);
    }
    let Some(rejection) = uploaded.rejection()? else { return Ok(None) };
    let error = rejected(rejection, uploaded.import.id);
    Ok(Some((error.status(), error.body())))
}
