//! `/api/v1/transactions/{id}/split`: the parts of a transaction.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::transactions;
use purser_app::transactions as changes;
use purser_core::error::Error;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::TransactionBody;
use super::{TransactionId, input};
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::{Reader, Writer};
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, Fingerprint, IdempotencyKey};
use crate::http::openapi::{
    BodyErrors, CommonErrors, ConflictError, IdempotencyParams, NotFoundError,
};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /transactions/{id}/split";

/// A transaction and its parts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Split)]
struct Split {
    /// The whole.
    transaction: TransactionBody,
    /// Its parts, in the order in which they were named; empty when it is not split.
    parts: Vec<TransactionBody>,
}

/// The parts of a transaction. The field may also stand inside of `split`.
#[derive(Debug, ToSchema)]
#[schema(as = NewSplit)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// They add up to the transaction exactly.
    #[schema(min_items = 2, max_items = 100)]
    parts: Vec<RequestPart>,
}

/// A part of a transaction.
#[derive(Debug, ToSchema)]
#[schema(as = NewSplitPart)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestPart {
    /// A number, or a plain decimal as text; read exactly. Positive for money out.
    #[schema(value_type = AmountSchema, example = "12.50")]
    amount: (),
    /// What it is called; as the transaction if missing.
    #[schema(min_length = 1, max_length = 500)]
    name: Option<String>,
    /// Free text.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
    /// A category.
    category_id: Option<Uuid>,
    /// A merchant; the transaction's if missing.
    merchant_id: Option<Uuid>,
    /// Its tags.
    #[schema(max_items = 50)]
    tag_ids: Option<Vec<Uuid>>,
    /// Whether reports and budgets leave it out.
    excluded: Option<bool>,
}

/// Show a transaction's parts
#[utoipa::path(
    get,
    path = "/transactions/{id}/split",
    operation_id = "show_split",
    tag = "transactions",
    params(("id" = Uuid, Path, description = "The transaction's id")),
    responses((status = 200, body = Split), NotFoundError, CommonErrors)
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    caller: Reader,
    Id(TransactionId(id)): Id<TransactionId>,
) -> ApiResult<Response> {
    let split = app
        .store
        .read(caller.access(), move |tx| read(tx, caller.family, caller.accounts(), id))
        .await?;
    Ok(crate::http::json(StatusCode::OK, &split))
}

/// Split a transaction
///
/// Lists and reports show the parts in its place. One that is split already is split anew. A part
/// is changed like a transaction, but for its day and amount.
#[utoipa::path(
    post,
    path = "/transactions/{id}/split",
    operation_id = "split_transaction",
    tag = "transactions",
    params(("id" = Uuid, Path, description = "The transaction's id"), IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = Split),
        NotFoundError,
        BodyErrors,
        ConflictError,
        CommonErrors
    )
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    Id(TransactionId(id)): Id<TransactionId>,
    key: ApiResult<IdempotencyKey>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| {
            transactions::get(tx, reader.family, reader.accounts(), id)
        })
        .await?;
    let key = key?;
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let parts = input::parts(&fields)?;
    let mut whole = Fingerprint::default();
    whole.add(id.0.as_bytes());
    whole.add(&fingerprint);
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, whole.finish()).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let body = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::split(tx, caller.family, accounts, actor, id, &parts)?;
            let split = read(tx, caller.family, caller.accounts(), id)?;
            let body = serde_json::to_string(&split).map_err(Error::internal)?;
            saving.save(tx, StatusCode::CREATED, &body)?;
            Ok(body)
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(StatusCode::CREATED, body))
}

/// Put a transaction together again
#[utoipa::path(
    delete,
    path = "/transactions/{id}/split",
    operation_id = "unsplit_transaction",
    tag = "transactions",
    params(("id" = Uuid, Path, description = "The transaction's id")),
    responses((status = 204, description = "It is whole"), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn remove(
    State(app): State<AppState>,
    caller: Writer,
    Id(TransactionId(id)): Id<TransactionId>,
) -> ApiResult<StatusCode> {
    app.store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            changes::unsplit(tx, caller.family, accounts, actor, id).map(drop)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

fn read(
    tx: &mut purser_app::FamilyTx<'_>,
    family: purser_app::FamilyId,
    accounts: purser_app::accounts::Restriction<'_>,
    id: purser_core::ids::EntryId,
) -> Result<Split, Error> {
    let transaction = transactions::get(tx, family, accounts, id)?;
    let parts = transactions::parts(tx, family, accounts, id)?;
    Ok(Split {
        transaction: transaction.into(),
        parts: parts.into_iter().map(Into::into).collect(),
    })
}
