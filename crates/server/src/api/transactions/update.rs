//! `PATCH` and `PUT /api/v1/transactions/{id}`: both change what is sent and leave the rest.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transactions;
use purser_app::transactions as changes;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::TransactionBody;
use super::{TransactionId, input};
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `transaction`.
#[derive(Debug, ToSchema)]
#[schema(as = TransactionChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    transaction: RequestFields,
}

/// The fields of a transaction; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = TransactionChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Which day.
    #[schema(format = Date, example = "2026-01-12")]
    date: Option<String>,
    /// A number, or a plain decimal as text; read exactly, in the transaction's currency. Positive
    /// for money out, unless `nature` is sent.
    #[schema(value_type = Option<AmountSchema>, example = "12.50")]
    amount: (),
    /// `income` or `expense`: decides the direction, whatever the sign of the amount.
    #[schema(example = "expense")]
    nature: Option<String>,
    /// What one unit of the amount's currency is worth in the account's; with null the best rate
    /// that is known counts again.
    #[schema(example = "1.0943")]
    exchange_rate: Option<String>,
    /// What it is called; `description` is understood too.
    #[schema(min_length = 1, max_length = 500)]
    name: Option<String>,
    /// Free text. Left alone when missing, cleared by null.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
    /// A category. Left alone when missing, cleared by null.
    category_id: Option<Uuid>,
    /// A merchant. Left alone when missing, cleared by null.
    merchant_id: Option<Uuid>,
    /// Whether reports and budgets leave it out. Balances count it all the same.
    excluded: Option<bool>,
    /// All tags that it has from now on.
    #[schema(max_items = 50)]
    tag_ids: Option<Vec<Uuid>>,
    /// Fields that rules and imports may change again, as `locked_attributes` names them. Every
    /// field that is changed here is locked, unless it is named in this list.
    #[schema(max_items = 8, example = json!(["category"]))]
    unlock: Option<Vec<String>>,
}

/// Change a transaction
///
/// From then on an undo of its import leaves it alone. The same row of a later file is still
/// recognised: what the source said is kept.
#[utoipa::path(
    patch,
    path = "/transactions/{id}",
    operation_id = "update_transaction",
    tag = "transactions",
    params(("id" = uuid::Uuid, Path, description = "The transaction's id")),
    request_body = Request,
    responses((status = 200, body = TransactionBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(TransactionId(id)): Id<TransactionId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| {
            transactions::get(tx, reader.family, reader.accounts(), id)
        })
        .await?;
    let fields = Fields::read(body).await?;
    let values = input::changes(&fields)?;
    let transaction = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::revise(tx, caller.family, accounts, actor, id, &values)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TransactionBody::from(transaction)))
}

/// Change a transaction
///
/// The same as `PATCH`: fields that are not sent stay as they are.
#[utoipa::path(
    put,
    path = "/transactions/{id}",
    operation_id = "put_transaction",
    tag = "transactions",
    params(("id" = uuid::Uuid, Path, description = "The transaction's id")),
    request_body = Request,
    responses((status = 200, body = TransactionBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<TransactionId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
