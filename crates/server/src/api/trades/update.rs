//! `PATCH` and `PUT /api/v1/trades/{id}`: both change what is sent and leave the rest.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::audit::Actor;
use purser_app::trades;
use utoipa::ToSchema;
use uuid::Uuid;

use super::shape::TradeBody;
use super::{TradeId, input};
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::Fields;
use crate::http::openapi::{BodyErrors, CommonErrors, NotFoundError};
use crate::http::path::Id;
use crate::http::unread::Unread;
use crate::state::AppState;

/// What changes. The fields may also stand outside of `trade`.
#[derive(Debug, ToSchema)]
#[schema(as = TradeChange)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The fields that change.
    trade: RequestFields,
}

/// The fields of a trade, as in a new one; what is missing stays.
#[derive(Debug, ToSchema)]
#[schema(as = TradeChangeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// Another type, with the fields that it needs.
    #[schema(rename = "type", example = "buy")]
    r#type: Option<String>,
    /// Which day.
    #[schema(format = Date, example = "2026-01-15")]
    date: Option<String>,
    /// Another security of the family; else `ticker` names one.
    security_id: Option<Uuid>,
    /// What it is traded as; it is made if the family doesn't have it.
    #[schema(max_length = 40, example = "VTI")]
    ticker: Option<String>,
    /// The market's code, with `ticker`.
    #[schema(example = "XNAS")]
    exchange_operating_mic: Option<String>,
    /// What a security is called that isn't named yet, with `ticker`. A key for chosen accounts
    /// names new ones only.
    #[schema(max_length = 200)]
    security_name: Option<String>,
    /// How many shares.
    #[schema(value_type = Option<AmountSchema>, example = "10.0")]
    qty: (),
    /// Of one share.
    #[schema(value_type = Option<AmountSchema>, example = "187.1234")]
    price: (),
    /// What the trade cost beside.
    #[schema(value_type = Option<AmountSchema>, example = "1.50")]
    fee: (),
    /// Of income or a fee; of income before `fee`.
    #[schema(value_type = Option<AmountSchema>, example = "24.50")]
    amount: (),
    /// Of `transfer_in` from elsewhere: what the shares cost; null when nobody knows.
    #[schema(value_type = Option<AmountSchema>, example = "1000.00")]
    cost: (),
    /// Another rate that is given with it; null has the best known one looked up. The currency
    /// itself stays.
    #[schema(value_type = Option<AmountSchema>, example = "1.0943")]
    exchange_rate: (),
    /// Of a split: so many for every `split_from`.
    #[schema(minimum = 1, maximum = 1_000_000)]
    split_to: Option<u32>,
    /// Of a split: every so many become `split_to`.
    #[schema(minimum = 1, maximum = 1_000_000)]
    split_from: Option<u32>,
    /// What it is called; null lets it say what it is.
    #[schema(max_length = 500)]
    name: Option<String>,
    /// Free text. Left alone when missing, cleared by null.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
}

/// Change a trade
///
/// Its account stays. Of a move between accounts both sides get the new day, shares and price; a
/// key that may not see the other side is refused with 403 `restricted_key`.
#[utoipa::path(
    patch,
    path = "/trades/{id}",
    operation_id = "update_trade",
    tag = "trades",
    params(("id" = Uuid, Path, description = "The trade's id")),
    request_body = Request,
    responses((status = 200, body = TradeBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn update(
    State(app): State<AppState>,
    caller: Writer,
    Id(TradeId(id)): Id<TradeId>,
    body: Unread,
) -> ApiResult<Response> {
    // A wrong id comes before a wrong body.
    let reader = caller.clone();
    app.store
        .read(reader.access(), move |tx| trades::get(tx, reader.family, reader.accounts(), id))
        .await?;
    let input = input::trade(&input::unwrapped(Fields::read(body).await?)?);
    let trade = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            trades::revise(tx, caller.family, accounts, actor, id, &input)
        })
        .await?;
    Ok(crate::http::json(StatusCode::OK, &TradeBody::from(trade)))
}

/// Change a trade
///
/// The same as `PATCH`: fields that are not sent stay as they are.
#[utoipa::path(
    put,
    path = "/trades/{id}",
    operation_id = "put_trade",
    tag = "trades",
    params(("id" = Uuid, Path, description = "The trade's id")),
    request_body = Request,
    responses((status = 200, body = TradeBody), NotFoundError, BodyErrors, CommonErrors)
)]
pub(crate) async fn put(
    app: State<AppState>,
    caller: Writer,
    id: Id<TradeId>,
    body: Unread,
) -> ApiResult<Response> {
    update(app, caller, id, body).await
}
