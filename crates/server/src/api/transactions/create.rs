//! `POST /api/v1/transactions`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transactions as changes;
use purser_core::error::Error;
use utoipa::ToSchema;
use uuid::Uuid;

use super::input;
use super::shape::TransactionBody;
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /transactions";

/// A new transaction. The fields may also stand outside of `transaction`.
#[derive(Debug, ToSchema)]
#[schema(as = NewTransaction)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The transaction.
    transaction: RequestFields,
}

/// The fields of a new transaction.
#[derive(Debug, ToSchema)]
#[schema(as = NewTransactionFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// An account in sight.
    account_id: Uuid,
    /// Which day.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// A number, or a plain decimal as text; read exactly. Positive for money out, unless `nature`
    /// is sent.
    #[schema(value_type = AmountSchema, example = "12.50")]
    amount: (),
    /// `income` or `expense`: decides the direction, whatever the sign of the amount.
    #[schema(example = "expense")]
    nature: Option<String>,
    /// The code of the amount's currency; the account's if missing.
    #[schema(example = "EUR")]
    currency: Option<String>,
    /// What one unit of that currency is worth in the account's; without it the best rate that is
    /// known for the day.
    #[schema(example = "1.0943")]
    exchange_rate: Option<String>,
    /// What it is called; `description` is understood too.
    #[schema(min_length = 1, max_length = 500)]
    name: String,
    /// Free text.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
    /// A category.
    category_id: Option<Uuid>,
    /// A merchant.
    merchant_id: Option<Uuid>,
    /// Its tags.
    #[schema(max_items = 50)]
    tag_ids: Option<Vec<Uuid>>,
    /// Whether reports and budgets leave it out.
    excluded: Option<bool>,
    /// Your own id of it, unique in the account and for your `source`: sent again it makes nothing
    /// new, and the answer is 200 with what is there.
    #[schema(max_length = 200)]
    external_id: Option<String>,
    /// Who you are, together with `external_id`; `api` if missing.
    #[schema(max_length = 200)]
    source: Option<String>,
    /// Create it even if a person deleted the one with this `external_id`; else that is refused
    /// with 409 `deleted_before`.
    restore: Option<bool>,
}

/// Create a transaction
#[utoipa::path(
    post,
    path = "/transactions",
    operation_id = "create_transaction",
    tag = "transactions",
    params(IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = TransactionBody, description = "Created"),
        (status = 200, body = TransactionBody,
            description = "One with this external_id and source is there already"),
        BodyErrors,
        ConflictError,
        CommonErrors
    )
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    let key = key?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let new = input::new_transaction(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let (status, body) = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let (transaction, existed) = changes::create(tx, caller.family, accounts, actor, &new)?;
            let status = if existed { StatusCode::OK } else { StatusCode::CREATED };
            let body = serde_json::to_string(&TransactionBody::from(transaction))
                .map_err(Error::internal)?;
            saving.save(tx, status, &body)?;
            Ok((status, body))
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(status, body))
}
