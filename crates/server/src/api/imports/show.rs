//! `GET /imports/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports;
use purser_app::imports::replans;
use purser_core::ids::ImportId;

use super::view::Detail;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Show an import
///
/// Its status, its configuration and its counts.
#[utoipa::path(
    get,
    path = "/imports/{id}",
    operation_id = "show_import",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import")),
    responses((status = 200, body = Detail), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<ImportId>,
) -> ApiResult<Response> {
    let here = app.progress.rows_done(id);
    let access = caller.access();
    let (import, detail) = app
        .store
        .read(caller.access(), move |tx| {
            let import = super::visible(tx, &caller, id)?;
            let mappings = imports::mappings(tx, id)?;
            let progress = imports::progress(tx, id)?;
            let detail = Detail::new(&import, &mappings)?.with_progress(progress, here);
            Ok((import, detail))
        })
        .await?;
    replans::set_off(&app, access, &import);
    Ok(super::answer(StatusCode::OK, &detail))
}
