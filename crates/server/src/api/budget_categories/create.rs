//! `POST /api/v1/budget_categories`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::budgets::lines;
use purser_app::labels::require_unrestricted;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::input;
use super::shape::LineBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /budget_categories";

/// What a budget says of a category. The fields may also stand outside of `budget_category`.
#[derive(Debug, ToSchema)]
#[schema(as = NewBudgetCategory)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The line.
    budget_category: RequestFields,
}

/// The fields of a new line.
#[derive(Debug, ToSchema)]
#[schema(as = NewBudgetCategoryFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// The budget.
    budget_id: uuid::Uuid,
    /// The category, of either level.
    category_id: uuid::Uuid,
    /// What it may cost, with what is below it: a plain decimal as text or a number, read exactly.
    #[schema(example = "400.00")]
    budgeted_spending: String,
}

/// Add a category to a budget
///
/// A budget has each category once: 409 `budget_category_exists`. Not with a key that is restricted
/// to chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/budget_categories",
    operation_id = "create_budget_category",
    tag = "budget_categories",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = LineBody), BodyErrors, ConflictError, CommonErrors)
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // What the key may not do comes before what is wrong with the request.
    require_unrestricted(caller.accounts())?;
    let key = key?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let input = input::read(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let made = lines::create(tx, caller.family, Actor::Key(caller.key.id), &input)?;
            let body = serde_json::to_string(&LineBody::from(made)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
