//! `PATCH` and `PUT /api/v1/budgets/{id}`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::budgets;
use purser_app::labels::require_unrestricted;
use purser_core::ids::BudgetId;
use utoipa::ToSchema;

use super::input;
use super::shape::BudgetBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `budget`.
#[derive(Debug, ToSchema)]
#[schema(as = BudgetChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    budget: RequestFields,
}

/// The amounts of a budget; what is missing stays, null clears.
#[derive(Debug, ToSchema)]
#[schema(as = BudgetChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// What may be spent in all: a plain decimal as text or a number, read exactly.
    #[schema(example = "2000.00")]
    budgeted_spending: Option<String>,
    /// What should come in.
    #[schema(example = "3000.00")]
    expected_income: Option<String>,
}

/// Change a budget
///
/// Its month and its currency stay. Not with a key that is restricted to chosen accounts: 403
/// `restricted_key`.
#[utoipa::path(
    patch,
    path = "/budgets/{id}",
    operation_id = "update_budget",
    tag = "budgets",
    params(("id" = uuid::Uuid, Path, description = "The budget's id")),
    request_body = Request,
    responses((status = 200, body = BudgetBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    id: ApiResult<Id<BudgetId>>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before a wrong id.
    require_unrestricted(caller.accounts())?;
    let Id(id) = id?;
    // A wrong id comes before a wrong body.
    let family = caller.family;
    app.store.read(caller.access(), move |tx| budgets::get(tx, family, id)).await?;
    let input = input::read(&Fields::read(body).await?)?;
    let changed = app
        .store
        .write(caller.access(), move |tx| {
            budgets::revise(tx, caller.family, Actor::Key(caller.key.id), id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &BudgetBody::from(changed)))
}

/// Change a budget (as `PATCH`)
///
/// What is missing stays here too.
#[utoipa::path(
    put,
    path = "/budgets/{id}",
    operation_id = "put_budget",
    tag = "budgets",
    params(("id" = uuid::Uuid, Path, description = "The budget's id")),
    request_body = Request,
    responses((status = 200, body = BudgetBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: ApiResult<Id<BudgetId>>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
