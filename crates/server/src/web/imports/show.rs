//! `GET /imports/{id}`: whatever there is to see or to do now.

use axum::extract::{Path, State};
use axum::response::Response;
use purser_app::imports;
use purser_core::import::status::ImportStatus;

use super::review::Refusal;
use super::{result, review, running};
use crate::http::pagination::QueryParams;
use crate::state::AppState;
use crate::web::answer;
use crate::web::error::WebResult;
use crate::web::session::SignedIn;

pub(super) async fn show(
    State(app): State<AppState>,
    who: SignedIn,
    Path(id): Path<String>,
    query: QueryParams,
) -> WebResult<Response> {
    let id = super::import_id(&id)?;
    let import = app.store.read(who.access(), move |tx| imports::get(tx, id)).await?;
    match import.status {
        ImportStatus::Pending | ImportStatus::Failed => {
            let condition = import.condition();
            // What a person must choose is on the page of the settings. Whoever asks for rows gets
            // them all the same: a row that needs a choice can also be left out.
            let is_open = import.status == ImportStatus::Pending
                && condition.unassigned_mappings > 0
                && matches!(query.one("show"), Ok(None));
            if condition.detail().configured && !is_open {
                review::show(&app, &who, import, &query, Refusal::default()).await
            } else {
                Ok(answer::see_other(&format!("/imports/{id}/mapping")))
            }
        }
        ImportStatus::Importing | ImportStatus::Reverting => {
            running::show(&app, &who, import).await
        }
        ImportStatus::Complete => result::show(&app, &who, import, &query).await,
        // What the address confirms hasn't come about.
        ImportStatus::RevertFailed => {
            result::show(&app, &who, import, &QueryParams::default()).await
        }
    }
}
