//! `POST /api/v1/valuations`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::valuations;
use purser_core::error::Error;
use utoipa::ToSchema;

use super::input;
use super::shape::ValuationBody;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::FieldsBody;
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{
    BodyErrors, CommonErrors, ConflictError, IdempotencyParams, NotFoundError,
};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /valuations";

/// The value of an account on a day. The fields may also stand outside of `valuation`.
#[derive(Debug, ToSchema)]
#[schema(as = NewValuation)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The valuation.
    valuation: RequestFields,
    /// Answer 200 instead of 201 if the day had a valuation before. Changes nothing else. Wins over
    /// the one inside.
    #[schema(default = false)]
    upsert: Option<bool>,
}

/// The fields of a valuation.
#[derive(Debug, ToSchema)]
#[schema(as = NewValuationFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Whose value.
    account_id: uuid::Uuid,
    /// A number, or a plain decimal as text; read exactly. Positive debt for liabilities.
    #[schema(value_type = AmountSchema, example = 770_639.10)]
    amount: (),
    /// The end of this day: from 1900 to a year from today.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// Free text. Left alone when missing, cleared by null.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
    /// As `upsert` outside, if that one is missing.
    upsert: Option<bool>,
}

/// A number, or a plain decimal as text.
#[derive(Debug, ToSchema)]
#[schema(as = AmountInput)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes what the handler reads")]
pub(in crate::api) enum AmountSchema {
    /// A number.
    #[schema(value_type = f64, format = "decimal")]
    Number(()),
    /// A plain decimal.
    Text(String),
}

/// Record a valuation
///
/// There is one valuation per account and day: one that exists is replaced in place and keeps its
/// id and kind. The account's balances are right when the answer arrives.
#[utoipa::path(
    post,
    path = "/valuations",
    operation_id = "record_valuation",
    tag = "valuations",
    params(IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = ValuationBody),
        (
            status = 200,
            body = ValuationBody,
            description = "With `upsert`: the day had a valuation before"
        ),
        NotFoundError,
        BodyErrors,
        ConflictError,
        CommonErrors
    )
)]
pub(crate) async fn create(
    State(app): State<AppState>,
    caller: Writer,
    key: IdempotencyKey,
    body: Unread,
) -> ApiResult<Response> {
    let FieldsBody { fields, fingerprint } = FieldsBody::read(body).await?;
    let wanted = input::new_valuation(&fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let (status, body) = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let (valuation, existed) =
                valuations::set(tx, caller.family, accounts, actor, &wanted.input)?;
            let replaced = existed && wanted.upsert;
            let status = if replaced { StatusCode::OK } else { StatusCode::CREATED };
            let body = ValuationBody::from(valuation);
            let body = serde_json::to_string(&body).map_err(Error::internal)?;
            saving.save(tx, status, &body)?;
            Ok((status, body))
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(status, body))
}
