//! `DELETE /imports/{id}`

use axum::extract::State;
use http::StatusCode;
use purser_app::imports;
use purser_core::ids::ImportId;

use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, ConflictError, NotFoundError};
use crate::http::path::Id;
use crate::state::AppState;

/// Delete an import
///
/// Its record and its file go; the transactions that it created stay. It can't be undone after
/// that. Refused with 409 `import_in_progress` while it is published or undone.
#[utoipa::path(
    delete,
    path = "/imports/{id}",
    operation_id = "delete_import",
    tag = "imports",
    params(("id" = uuid::Uuid, Path, description = "The import")),
    responses(
        (status = 204, description = "It is gone"),
        NotFoundError, ConflictError, CommonErrors
    )
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(id): Id<ImportId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            super::visible(tx, &caller, id)?;
            imports::remove(tx, id)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
