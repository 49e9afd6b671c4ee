//! `POST /api/v1/trades`

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use purser_app::accounts::Restriction;
use purser_app::audit::Actor;
use purser_app::trades::{self, CashInput};
use purser_app::transactions as changes;
use purser_app::{FamilyId, FamilyTx};
use purser_core::error::Error;
use purser_core::ledger::new_trade::TradeInput;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::cash::cash;
use super::input;
use super::shape::TradeBody;
use crate::api::transactions::shape::TransactionBody;
use crate::api::valuations::create::AmountSchema;
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::fields::{Fields, FieldsBody};
use crate::http::idempotency::{self, Begun, IdempotencyKey};
use crate::http::openapi::{BodyErrors, CommonErrors, ConflictError, IdempotencyParams};
use crate::http::unread::Unread;
use crate::state::AppState;

const ROUTE: &str = "POST /trades";

/// A new trade. The fields may also stand outside of `trade`.
#[derive(Debug, ToSchema)]
#[schema(as = NewTrade)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct Request {
    /// The trade.
    trade: RequestFields,
}

/// The fields of a trade. Which are needed depends on the type; quantities and amounts have no
/// sign.
#[derive(Debug, ToSchema)]
#[schema(as = NewTradeFields)]
#[expect(dead_code, reason = "describes what the handler reads")]
struct RequestFields {
    /// An account of type `investment` or `crypto`.
    account_id: Uuid,
    /// `buy` and `sell` (`qty`, `price`, perhaps `fee`), `reinvestment` (the same, but no money
    /// moves), `dividend` and `interest` (`amount`, perhaps `fee`), `fee` (`amount`), `split`
    /// (`split_to`, `split_from`), `transfer_in` (`qty`, perhaps `cost` and `price`),
    /// `transfer_out` (`qty`, perhaps `price` and `to_account_id`). Money without a security
    /// (`amount`, perhaps `category_id`) becomes a transaction and is answered as one: `deposit`,
    /// `withdrawal` (both perhaps with `transfer_account_id`), and `interest` and `fee` where no
    /// security is named.
    #[schema(rename = "type", example = "buy")]
    r#type: String,
    /// Which day.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// A security of the family; else `ticker` (or `manual_ticker`) names one.
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
    /// How many shares: a number, or a plain decimal as text.
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
    /// Of `transfer_in`: what the shares cost; unknown when missing.
    #[schema(value_type = Option<AmountSchema>, example = "1000.00")]
    cost: (),
    /// Of price, fee, amount and cost; that of the account when missing. A split and a move between
    /// accounts of the family have no other.
    #[schema(example = "EUR")]
    currency: Option<String>,
    /// What one unit of the currency is worth in the account's; of a move, in that of the account
    /// that the shares come to. When missing it is looked up, and again whenever a better one is
    /// stated; while none is known, amounts are booked as zero and the account is incomplete.
    #[schema(value_type = Option<AmountSchema>, example = "1.0943")]
    exchange_rate: (),
    /// Of a split: so many for every `split_from`.
    #[schema(minimum = 1, maximum = 1_000_000)]
    split_to: Option<u32>,
    /// Of a split: every so many become `split_to`.
    #[schema(minimum = 1, maximum = 1_000_000)]
    split_from: Option<u32>,
    /// Of `transfer_out`: the account of the family that the shares move to, with their cost. Both
    /// sides are made.
    to_account_id: Option<Uuid>,
    /// Of money without a security: its category.
    category_id: Option<Uuid>,
    /// Of a deposit or withdrawal: the account of the family that the money comes from or goes to.
    /// Its transaction is made too, and both are a confirmed transfer.
    transfer_account_id: Option<Uuid>,
    /// Checked if sent: it follows from the type.
    #[schema(example = "Buy")]
    investment_activity_label: Option<String>,
    /// What it is called; else it says what it is. Of a move this side only.
    #[schema(max_length = 500)]
    name: Option<String>,
    /// Free text. Of a move on this side only.
    #[schema(max_length = 10_000)]
    notes: Option<String>,
    /// The id of whoever sends it: the same one in the same account is the same trade.
    #[schema(max_length = 200)]
    external_id: Option<String>,
    /// Whose id that is; `api` when missing.
    #[schema(max_length = 200)]
    source: Option<String>,
    /// Make it even if a person deleted the one with this `external_id`; else that is refused with
    /// 409 `deleted_before`.
    restore: Option<bool>,
}

/// What was made.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum Made {
    Trade(Box<TradeBody>),
    Transaction(Box<TransactionBody>),
}

/// What is wanted.
#[derive(Debug, Clone)]
enum Wanted {
    Trade(Box<TradeInput>),
    Cash(Box<CashInput>),
}

impl Wanted {
    fn read(body: Fields) -> Result<Self, Error> {
        let fields = input::unwrapped(body)?;
        if let Some(cash) = cash(&fields) {
            return Ok(Self::Cash(Box::new(cash)));
        }
        Ok(Self::Trade(Box::new(input::trade(&fields))))
    }

    /// Makes it, and says whether it was there before.
    fn create(
        &self,
        tx: &mut FamilyTx<'_>,
        family: FamilyId,
        restriction: Restriction<'_>,
        actor: Actor,
    ) -> Result<(Made, bool), Error> {
        match self {
            Self::Trade(wanted) => {
                let (trade, existed) = trades::create(tx, family, restriction, actor, wanted)?;
                Ok((Made::Trade(Box::new(trade.into())), existed))
            }
            Self::Cash(wanted) => {
                let (made, existed) = changes::create_cash(tx, family, restriction, actor, wanted)?;
                Ok((Made::Transaction(Box::new(made.into())), existed))
            }
        }
    }
}

/// Make a trade
///
/// Positions, balances and gains are right when the answer arrives. With an `external_id` that the
/// account has from the same source, the trade that is there is answered with 200, and nothing
/// changes.
#[utoipa::path(
    post,
    path = "/trades",
    operation_id = "create_trade",
    tag = "trades",
    params(IdempotencyParams),
    request_body = Request,
    responses(
        (status = 201, body = Made),
        (status = 200, body = Made, description = "The external id was there before"),
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
    let wanted = Wanted::read(fields)?;
    let guard = match idempotency::begin(&app, &caller, ROUTE, &key, fingerprint).await? {
        Begun::Proceed(guard) => guard,
        Begun::Answer(response) => return Ok(response),
    };
    let saving = guard.clone();
    let (status, body) = app
        .store
        .write(caller.access(), move |tx| {
            let (actor, accounts) = (Actor::Key(caller.key.id), caller.accounts());
            let (made, existed) = wanted.create(tx, caller.family, accounts, actor)?;
            let status = if existed { StatusCode::OK } else { StatusCode::CREATED };
            let body = serde_json::to_string(&made).map_err(Error::internal)?;
            saving.save(tx, status, &body)?;
            Ok((status, body))
        })
        .await?;
    guard.committed();
    Ok(crate::http::json_bytes(status, body))
}
