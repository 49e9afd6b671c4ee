//! `PATCH` and `PUT /api/v1/budget_categories/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::budgets::lines;
use purser_app::labels::require_unrestricted;
use purser_core::ids::BudgetCategoryId;
use utoipa::ToSchema;

use super::input;
use super::shape::LineBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `budget_category`.
#[derive(Debug, ToSchema)]
#[schema(as = BudgetCategoryChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    budget_category: RequestFields,
}

/// The amount; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = BudgetCategoryChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// What the category may cost: a plain decimal as text or a number, read exactly.
    #[schema(example = "400.00")]
    budgeted_spending: Option<String>,
}

/// Change a category of a budget
///
/// Its budget and its category stay. Not with a key that is restricted to chosen accounts: 403
/// `restricted_key`.
#[utoipa::path(
    patch,
    path = "/budget_categories/{id}",
    operation_id = "update_budget_category",
    tag = "budget_categories",
    params(("id" = uuid::Uuid, Path, description = "The line's id")),
    request_body = Request,
    responses((status = 200, body = LineBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<BudgetCategoryId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let family = caller.family;
    app.store.read(caller.access(), move |tx| lines::get(tx, family, id)).await?;
    let input = input::read(&Fields::read(body).await?)?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            lines::revise(tx, caller.family, Actor::Key(caller.key.id), id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &LineBody::from(changed)))
}

/// Change a category of a budget (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/budget_categories/{id}",
    operation_id = "put_budget_category",
    tag = "budget_categories",
    params(("id" = uuid::Uuid, Path, description = "The line's id")),
    request_body = Request,
    responses((status = 200, body = LineBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<BudgetCategoryId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
