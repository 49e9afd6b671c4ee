//! `POST /imports/{id}/publish`

use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::imports::publish::{self, PublishOrigin, Queued};
use purser_app::imports::retries::UnderWay;
use purser_core::error::Error;
use purser_core::ids::ImportId;
use tracing::Instrument as _;

use super::rejected;
use super::view::Detail;
use crate::http::answer::{Accepted, Answer, Or, Reply};
use crate::http::call::{AcceptedCall, Call, Opening, commit};
use crate::http::caller::{Caller, Writer};
use crate::http::error::{ApiError, ApiResult};
use crate::http::idempotency::Guard;
use crate::http::openapi::PublishErrors;
use crate::state::AppState;

pub(super) async fn publish(
    call: Call<Writer, ImportId>,
) -> ApiResult<Answer<Or<Accepted<Detail>, PublishErrors>>> {
    let opened = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    let queue = async move {
        let AcceptedCall { app, caller, sent, guard } = opened;
        let reply = |detail| Accepted(detail).into();
        let publish = Publish { id: sent.id, origin: PublishOrigin::Caller, reply };
        queue(&app, &caller, &guard, publish, None).await
    };
    // A client that goes away doesn't break off what was begun.
    tokio::spawn(queue.in_current_span()).await.map_err(ApiError::internal)?
}

/// A publish that is to be queued.
#[derive(Debug)]
pub(super) struct Publish<R> {
    /// The id of the import.
    pub(super) id: ImportId,
    /// Who asked for the publish.
    pub(super) origin: PublishOrigin,
    /// Makes the answer when it is queued.
    pub(super) reply: fn(Detail) -> R,
}

/// The second commit of a publish: status and job, and the answer for retries. `upload` is the
/// upload that asks, if it is one.
pub(super) async fn queue<R: Reply>(
    app: &AppState,
    caller: &Caller,
    guard: &Guard,
    publish: Publish<R>,
    upload: Option<UnderWay>,
) -> ApiResult<Answer<R>> {
    let Publish { id, origin, reply } = publish;
    let work = move |tx: &mut FamilyTx<'_>| {
        Ok(match publish::queue(tx, id, origin)? {
            Queued::Yes(import) => Ok(reply(Detail::of(tx, &import)?)),
            Queued::No(rejection) => Err(rejected(rejection, id)),
        })
    };
    match commit(app, caller.access(), guard, work).await {
        Ok(Ok(answer)) => {
            if let Some(upload) = upload {
                upload.succeeded();
            }
            Ok(answer)
        }
        Ok(Err(refused)) => {
            if origin == PublishOrigin::Upload && refused.status() == StatusCode::UNAUTHORIZED {
                take_back(app, caller, guard, id).await;
            }
            Err(refused)
        }
        // The import may have been moved to a hidden account since it was uploaded.
        Err(error @ Error::NotFound { .. }) => Err(error.into()),
        Err(error) => not_queued(app, caller, guard, publish, upload, error).await,
    }
}

/// The key ended after its upload was stored: nothing publishes the import afterwards, and whoever
/// sends the upload again goes on from there.
async fn take_back(app: &AppState, caller: &Caller, guard: &Guard, id: ImportId) {
    let guard = guard.clone();
    let work = move |tx: &mut FamilyTx<'_>| match publish::not_queued(tx, id)? {
        Some(_) => Ok(()),
        None => guard.hand_over(tx),
    };
    if let Err(cause) = app.store.write(caller.access().of_system(), work).await {
        tracing::error!(?cause, import = %id, "the publish can't be taken back");
    }
}

/// The import stays as it was, and the request for its publish is taken back. But if the commit
/// went through although its answer was lost, the publish is queued, and that is the answer.
async fn not_queued<R: Reply>(
    app: &AppState,
    caller: &Caller,
    guard: &Guard,
    publish: Publish<R>,
    upload: Option<UnderWay>,
    error: Error,
) -> ApiResult<Answer<R>> {
    let Publish { id, reply, .. } = publish;
    let guard = guard.clone();
    let work = move |tx: &mut FamilyTx<'_>| match publish::not_queued(tx, id)? {
        Some(import) => Ok(Some(reply(Detail::of(tx, &import)?))),
        None => guard.hand_over(tx).map(|()| None),
    };
    match app.store.write(caller.access(), work).await {
        Ok(Some(reply)) => return Ok(Answer::new(&reply)?),
        Ok(None) => {}
        // Nobody knows whether it is queued. If the request is still stored, a later look at the
        // import executes it, and an equal upload takes this import up in any case.
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
        "The upload is stored, but publishing it could not be queued: try again",
    )
    .with_import_id(id)
    .with_cause(error))
}
