//! `GET /imports`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::imports::{self, Listing};
use purser_core::error::{Problem, Problems, Result};
use purser_core::import::import_type::ImportType;
use purser_core::import::status::ImportStatus;
use utoipa::IntoParams;

use super::view::ImportListItem;
use crate::http::caller::Reader;
use crate::http::error::ApiResult;
use crate::http::openapi::{CommonErrors, InvalidError};
use crate::http::pagination::{DataPage, Meta, PageParams, PageRequest, QueryParams};
use crate::state::AppState;

/// The filters, for the description of the interface.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Filters {
    /// Only imports of this status: `pending`, `complete`, `importing`, `reverting`,
    /// `revert_failed` or `failed`.
    status: Option<String>,
    /// Only imports of this type. `SureImport` means `NativeImport`.
    #[param(rename = "type")]
    import_type: Option<String>,
}

/// List imports
///
/// Newest first.
#[utoipa::path(
    get,
    path = "/imports",
    operation_id = "list_imports",
    tag = "imports",
    params(PageParams, Filters),
    responses((status = 200, body = DataPage<ImportListItem>), InvalidError, CommonErrors)
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    query: QueryParams,
) -> ApiResult<Response> {
    let page = PageRequest::from_query(&query)?;
    let mut listing = listing(&query)?;
    listing.accounts = caller.accounts().map(<[_]>::to_vec);
    let (limit, offset) = (page.limit().unsigned_abs(), page.offset().unsigned_abs());
    let (found, total) = app
        .store
        .read(caller.access(), move |tx| imports::list(tx, &listing, limit, offset))
        .await?;
    let data = found.into_iter().map(ImportListItem::from).collect();
    Ok(crate::http::json(StatusCode::OK, &DataPage { data, meta: Meta::new(page, total) }))
}

/// The filters; a blank one is none.
fn listing(query: &QueryParams) -> Result<Listing> {
    let mut problems = Problems::new();
    let mut read =
        |name: &str, allowed: &mut dyn FnMut(&str) -> Option<Problem>| match query.one(name) {
            Ok(None | Some("")) => {}
            Ok(Some(value)) => problems.extend(allowed(value)),
            Err(error) => problems.extend(error.into_problems()),
        };
    let mut listing = Listing::default();
    read("status", &mut |value| {
        listing.status = ImportStatus::parse(value);
        let allowed = ImportStatus::ALL.iter().map(|one| one.as_str());
        listing.status.is_none().then(|| must_be_one_of("status", allowed))
    });
    read("type", &mut |value| {
        listing.import_type = ImportType::parse_alias(value);
        let allowed = ImportType::ALL.iter().map(|one| one.as_str());
        listing.import_type.is_none().then(|| must_be_one_of("type", allowed))
    });
    problems.into_result().map(|()| listing)
}

fn must_be_one_of<'a>(name: &str, allowed: impl Iterator<Item = &'a str>) -> Problem {
    Problem::field(name, format!("must be one of {}", allowed.collect::<Vec<_>>().join(", ")))
}
