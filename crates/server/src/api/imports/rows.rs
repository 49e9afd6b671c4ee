//! `GET /imports/{id}/rows`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_core::ids::ImportId;
use purser_core::money::decimal::amount_text;
use purser_core::money::format::money_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::error::ApiResult;
use crate::api::openapi::{CommonErrors, InvalidError, NotFoundError};
use crate::api::pagination::{DataPage, Meta, PageParams, PageRequest, QueryParams};
use crate::api::path::Id;
use crate::edge::auth::Reader;
use crate::imports::rows::{self, Content, Named, Shown};
use crate::state::AppState;

/// A row of an import.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRow {
    /// 1-based over the rows; blank lines and totals have no number.
    row_number: u64,
    /// 1-based over the lines of the file.
    line: u64,
    /// Whether it can be imported as it is.
    valid: bool,
    /// Every reason why not.
    errors: Vec<String>,
    /// What the row says; null if it is not valid.
    fields: Option<ImportRowFields>,
    /// What its names stand for; null if it is not valid.
    mappings: Option<ImportRowMappings>,
}

/// What a row says.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowFields {
    #[schema(format = Date)]
    date: String,
    /// Positive = money out, as of transactions.
    #[schema(example = "$12.50")]
    amount: String,
    /// The same, exact.
    #[schema(example = "12.50")]
    amount_decimal: String,
    currency: &'static str,
    name: String,
    notes: Option<String>,
    account: Option<String>,
    category: Option<String>,
    tags: Vec<String>,
}

/// What the names of a row stand for.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowMappings {
    account: Option<ImportRowMapping>,
    category: Option<ImportRowMapping>,
    tags: Vec<ImportRowMapping>,
}

/// What a name stands for.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowMapping {
    /// As the file says it.
    key: String,
    /// What exists, or was created.
    id: Option<Uuid>,
    /// Will be created by the publish.
    create: bool,
    /// Why a person must choose.
    problem: Option<String>,
}

/// List the rows of an import
///
/// In the order of the file, each with what it says or why it can't be imported.
#[utoipa::path(
    get,
    path = "/imports/{id}/rows",
    operation_id = "list_import_rows",
    tag = "imports",
    params(("id" = Uuid, Path, description = "The import"), PageParams),
    responses(
        (status = 200, body = DataPage<ImportRow>),
        NotFoundError, InvalidError, CommonErrors
    )
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    caller: Reader,
    Id(id): Id<ImportId>,
    query: QueryParams,
) -> ApiResult<Response> {
    let look = caller.clone();
    app.store.read(move |tx| super::visible(tx, &look, id).map(drop)).await?;
    let page = PageRequest::from_query(&query)?;
    let (limit, offset) = (u64::from(page.per_page), page.offset().unsigned_abs());
    let files = app.files.clone();
    let (shown, total) =
        app.store.read(move |tx| rows::page(tx, &files, caller.family, id, limit, offset)).await?;
    let data = shown.into_iter().map(ImportRow::from).collect();
    Ok(crate::api::json(StatusCode::OK, &DataPage { data, meta: Meta::new(page, total) }))
}

impl From<Shown> for ImportRow {
    fn from(shown: Shown) -> Self {
        let (content, errors) = match shown.outcome {
            Ok(content) => (Some(content), Vec::new()),
            Err(errors) => (None, errors),
        };
        Self {
            row_number: shown.row,
            line: shown.line,
            valid: content.is_some(),
            errors,
            mappings: content.as_ref().map(ImportRowMappings::of),
            fields: content.map(ImportRowFields::from),
        }
    }
}

impl From<Content> for ImportRowFields {
    fn from(content: Content) -> Self {
        Self {
            date: content.date.to_string(),
            amount: money_text(content.amount),
            amount_decimal: amount_text(content.amount.amount, content.amount.currency),
            currency: content.amount.currency.code(),
            name: content.name,
            notes: content.notes,
            account: content.account.map(|named| named.name),
            category: content.category.map(|named| named.name),
            tags: content.tags.into_iter().map(|named| named.name).collect(),
        }
    }
}

impl ImportRowMappings {
    fn of(content: &Content) -> Self {
        Self {
            account: content.account.as_ref().map(ImportRowMapping::of),
            category: content.category.as_ref().map(ImportRowMapping::of),
            tags: content.tags.iter().map(ImportRowMapping::of).collect(),
        }
    }
}

impl ImportRowMapping {
    fn of(named: &Named) -> Self {
        let mapping = named.mapping.as_ref();
        Self {
            key: named.name.clone(),
            id: mapping.and_then(|mapping| mapping.target),
            create: mapping.is_some_and(|mapping| mapping.creates && mapping.target.is_none()),
            problem: mapping.and_then(|mapping| mapping.problem.clone()),
        }
    }
}
