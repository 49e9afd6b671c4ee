//! `GET /api/v1/family_settings`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::families;

use super::shape::FamilyBody;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::CommonErrors;
use crate::state::AppState;

/// Show the family's settings
#[utoipa::path(
    get,
    path = "/family_settings",
    operation_id = "show_family_settings",
    tag = "family_settings",
    responses((status = 200, body = FamilyBody), CommonErrors)
)]
pub(crate) async fn show(State(app): State<AppState>, caller: Reader) -> ApiResult<Response> {
    let body = app
        .store
        .read(caller.access(), move |tx| {
            let family = families::get(tx, caller.family)?;
            FamilyBody::read(tx, family, caller.accounts())
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &body))
}
