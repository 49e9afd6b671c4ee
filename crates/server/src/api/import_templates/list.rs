//! `GET /import_templates`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports;

use super::ImportTemplate;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{DataPage, Meta, PageParams, PageRequest, QueryParams};
use crate::state::AppState;

/// List import templates
///
/// The last used first. A template is kept by itself when an import is published.
#[utoipa::path(
    get,
    path = "/import_templates",
    operation_id = "list_import_templates",
    tag = "imports",
    params(PageParams),
    responses((status = 200, body = DataPage<ImportTemplate>), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let (limit, offset) = (page.limit().unsigned_abs(), page.offset().unsigned_abs());
    let (found, total) =
        app.store.read(caller.access(), move |tx| imports::templates(tx, limit, offset)).await?;
    let data = found.into_iter().map(ImportTemplate::from).collect();
    Ok(crate::http::json(StatusCode::OK, &DataPage { data, meta: Meta::new(page, total) }))
}
