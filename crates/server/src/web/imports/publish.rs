//! Publishing from the page, leaving out what can't be read, and throwing an import away.

use std::collections::BTreeMap;

use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::imports;
use purser_app::imports::change::Change;
use purser_app::imports::edit::ImportEdit;
use purser_app::imports::publish::{self, PublishOrigin, Queued};
use purser_app::imports::revision;
use purser_core::error::Error;

use super::review::{self, Refusal};
use super::rows_position::RowsPosition;
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::{WebError, WebResult};
use crate::web::form::Posted;
use crate::web::notice;

/// Answers `POST /imports/{id}/publish`: queues the publish.
pub(super) async fn publish(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let queued = app
        .store
        .write(who.access(), move |tx| publish::queue(tx, id, PublishOrigin::Caller))
        .await?;
    match queued {
        Queued::Yes(_) => Ok(answer::see_other(&format!("/imports/{id}"))),
        Queued::No(rejection) => {
            let import = app.store.read(who.access(), move |tx| imports::get(tx, id)).await?;
            if !import.status.may_become(purser_core::import::status::ImportStatus::Importing) {
                // Another request was faster; the page shows the present state.
                return Ok(answer::see_other(&format!("/imports/{id}")));
            }
            if rejection.code == "not_configured" {
                // The page of the settings asks what is open, in words of the pages.
                return Ok(answer::see_other(&format!("/imports/{id}/mapping")));
            }
            let mut sentences = vec![rejection.message];
            sentences.extend(purser_core::error::texts(&rejection.errors));
            let refusal = Refusal { sentences, ..Refusal::default() };
            review::show(&app, &who, import, &QueryParams::default(), refusal).await
        }
    }
}

/// `GET` of an address that is only written to, as after a refusal that stays in the address bar:
/// the import.
pub(super) async fn show(Path(id): Path<String>) -> WebResult<Response> {
    Ok(answer::see_other(&format!("/imports/{}", super::import_id(&id)?)))
}

/// `POST /imports/{id}/skip`: whether rows that can't be read are left out.
pub(super) async fn skip(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, form }: Posted,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let answered = form.is_on("balance_check").then(|| form.text("balance_check").to_owned());
    let change = match answered {
        Some(answer) => Change {
            settings: BTreeMap::from([("balance_check".to_owned(), Some(answer))]),
            ..Change::default()
        },
        None => {
            let skip_invalid = Some(form.text("skip_invalid") == "true");
            Change { skip_invalid, ..Change::default() }
        }
    };
    revision::apply_edit(&app, who.access(), id, ImportEdit::Configuration(change)).await?;
    Ok(answer::see_other(&RowsPosition::sent(&form).address(id)))
}

/// Answers `POST /imports/{id}/delete`: removes the import.
pub(super) async fn delete(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Posted { who, .. }: Posted,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let removed = app.store.write(who.access(), move |tx| imports::remove(tx, id)).await;
    match removed {
        Ok(()) => Ok(notice::done("/imports", "import-removed")),
        Err(error @ (Error::Invalid { .. } | Error::Conflict { .. })) => Err(WebError::from(error)),
        Err(error) => Err(error.into()),
    }
}
