//! `POST /import_sessions/{id}/publish`

use std::sync::Arc;

use purser_app::FamilyTx;
use purser_app::blocking::blocking;
use purser_app::imports::sessions::publish::{self, PartsReading, SessionUpload};
use purser_core::ids::ImportSessionId;
use tracing::Instrument as _;

use super::super::{refused, rejected};
use super::chunk::is_surely_undone;
use super::view::SessionDetail;
use crate::http::answer::{Accepted, Answer, Or};
use crate::http::call::{AcceptedCall, Call, Opening, commit};
use crate::http::content::ContentLimits;
use crate::http::error::{ApiError, ApiResult};
use crate::http::openapi::SessionErrors;
use crate::http::permit::Unrestricted;

/// The answer to a publish.
type Reply = Or<Accepted<SessionDetail>, SessionErrors>;

pub(super) async fn publish(call: Call<Unrestricted, ImportSessionId>) -> ApiResult<Answer<Reply>> {
    let opened = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    // A client that goes away doesn't break off what was begun.
    tokio::spawn(execute(opened).in_current_span()).await.map_err(ApiError::internal)?
}

async fn execute(opened: AcceptedCall<ImportSessionId, (), ()>) -> ApiResult<Answer<Reply>> {
    let AcceptedCall { app, caller, sent, guard } = opened;
    let id = sent.id;
    let parts = app.store.read(caller.access(), move |tx| publish::parts(tx, id)).await?;
    let read = match parts {
        None => None,
        Some(parts) => {
            let limits = ContentLimits::new(app.imports.max_csv_bytes);
            limits.require_space(&app, parts.bytes()).await?;
            match parts.read(&app, caller.access()).await? {
                PartsReading::Publishable(read) => Some(read),
                PartsReading::Published => None,
                PartsReading::Refused(rejection) => return Err(refused(rejection)),
            }
        }
    };
    let upload = read.clone();
    let work = move |tx: &mut FamilyTx<'_>| {
        Ok(match publish::publish(tx, id, upload.as_deref())? {
            Ok(()) => Ok(Accepted(SessionDetail::of(tx, id)?).into()),
            Err((rejection, import)) => Err(rejected(rejection, import)),
        })
    };
    let done = commit(&app, caller.access(), &guard, work).await;
    let is_refused = is_surely_undone(&done);
    if let Some(read) = read {
        let_go(read, is_refused).await?;
    }
    done?
}

/// Lets an upload go, with its file if it was not stored.
async fn let_go(read: Arc<SessionUpload>, is_refused: bool) -> ApiResult<()> {
    let let_go = move || {
        if is_refused {
            read.discard();
        }
        drop(read);
        Ok(())
    };
    Ok(blocking(let_go).await?)
}
