//! `GET` and `POST /imports/{id}/revert`

use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::imports::publish::Queued;
use purser_app::imports::{self, revert};
use purser_core::error::Error;
use purser_core::ids::ImportId;

use super::rejected;
use super::revert_view::{Preview, RevertPreview};
use super::view::Detail;
use crate::http::answer::{Accepted, Answer, Json, Or};
use crate::http::call::{AcceptedCall, Call, Opening, Show, commit};
use crate::http::caller::Writer;
use crate::http::error::{ApiError, ApiResult};
use crate::http::openapi::{InvalidError, RevertErrors};

pub(super) async fn preview(
    call: Show<ImportId>,
) -> ApiResult<Answer<Or<Json<Preview>, InvalidError>>> {
    call.read(|tx, sent| {
        let import = imports::get(tx, sent.id)?;
        let preview = revert::preview(tx, &import)?
            .map_err(|refused| Error::invalid_code(refused.code, refused.message))?;
        Ok(Json(Preview { data: RevertPreview::of(sent.id, preview) }).into())
    })
    .await
}

pub(super) async fn revert(
    call: Call<Writer, ImportId>,
) -> ApiResult<Answer<Or<Accepted<Detail>, RevertErrors>>> {
    let AcceptedCall { app, caller, sent, guard } = match call.open().await? {
        Opening::Proceed(opened) => opened,
        Opening::Answered(answer) => return Ok(answer),
    };
    let id = sent.id;
    let work = move |tx: &mut FamilyTx<'_>| {
        Ok(match revert::queue(tx, id)? {
            Queued::Yes(import) => Ok(Accepted(Detail::of(tx, &import)?).into()),
            Queued::No(rejection) => Err(rejected(rejection, id)),
        })
    };
    commit(&app, caller.access(), &guard, work).await.map_err(|error| match error {
        Error::Internal { .. } => ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "revert_not_queued",
            "The undo could not be queued, and nothing was changed: try again",
        )
        .with_import_id(id)
        .with_cause(error),
        error => error.into(),
    })?
}
