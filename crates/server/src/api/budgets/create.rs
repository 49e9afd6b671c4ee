//! `POST /api/v1/budgets`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::budgets;
use purser_app::labels::require_unrestricted;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::input;
use super::shape::BudgetBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /budgets";

/// A new budget. The fields may also stand outside of `budget`.
#[derive(Debug, ToSchema)]
#[schema(as = NewBudget)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The budget.
    budget: RequestFields,
}

/// The fields of a new budget. Either `start_date` or `month` must be there.
#[derive(Debug, ToSchema)]
#[schema(as = NewBudgetFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Any day of its month.
    #[schema(format = Date, example = "2026-01-01")]
    start_date: Option<String>,
    /// Its month. It begins on the family's `month_start_day`.
    #[schema(example = "2026-01")]
    month: Option<String>,
    /// A currency's code; that of the budget that is copied, else the family's, if missing.
    #[schema(example = "USD")]
    currency: Option<String>,
    /// What may be spent in all: a plain decimal as text or a number, read exactly.
    #[schema(example = "2000.00")]
    budgeted_spending: Option<String>,
    /// What should come in.
    #[schema(example = "3000.00")]
    expected_income: Option<String>,
    /// A budget whose categories are taken over, and its amounts if they are not sent.
    copy_from: Option<uuid::Uuid>,
}

/// Create a budget
///
/// A family has at most one for any day: 409 `budget_exists`. Not with a key that is restricted to
/// chosen accounts: 403 `restricted_key`.
#[utoipa::path(
    post,
    path = "/budgets",
    operation_id = "create_budget",
    tag = "budgets",
    params(IdempotencyParams),
    request_body = Request,
    responses((status = 201, body = BudgetBody), BodyErrors, ConflictError, CommonErrors)
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
            let made = budgets::create(tx, caller.family, Actor::Key(caller.key.id), &input)?;
            let body = serde_json::to_string(&BudgetBody::from(made)).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}
