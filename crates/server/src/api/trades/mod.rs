//! `/api/v1/trades`

mod fields;
mod view;

use purser_app::{FamilyTx, trades, transactions};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::trade::TradeType;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::fields::TradeFields;
use self::view::{CreatedTradeBody, TradeBody};
use crate::http::answer::{Answer, CreatedOrFound, Deleted, Json};
use crate::http::body::{Change, New};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{Choice, Day, Id, Ids, Paged, query};
use crate::http::table::routes;

routes! { "trades":
    /// List trades
    ///
    /// The answer lists trades of active and draft accounts by day, the newest first. Of one day,
    /// those that were added last come first.
    GET "/trades" => list as list_trades;
    /// Create a trade
    ///
    /// Positions, balances and gains are up to date when the answer arrives. With the `external_id`
    /// and `source` of a trade that the account has, the answer is 200 with that trade, and nothing
    /// changes. Money that belongs to no security becomes a transaction and is answered as one.
    POST "/trades" => create as create_trade;
    /// Show a trade
    ///
    /// The trade must be of an active or draft account.
    GET "/trades/{id}" => show as show_trade;
    /// Change a trade
    ///
    /// Members that are missing stay as they are, and the account can't change. Both sides of a
    /// move between accounts get the new day, quantity and price; a key that may not see the other
    /// side gets 403 `restricted_key`.
    PATCH PUT "/trades/{id}" => update as update_trade;
    /// Delete a trade
    ///
    /// Positions and balances follow from the remaining trades. Both sides of a move between
    /// accounts are deleted; a key that may not see the other side gets 403 `restricted_key`.
    DELETE "/trades/{id}" => delete as delete_trade;
}

/// The id of a ledger entry that is a trade.
#[derive(Debug, Clone, Copy)]
struct TradeId(EntryId);

impl From<Uuid> for TradeId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

path_id!(TradeId, "Trade", |tx: &mut FamilyTx<'_>, id: TradeId| trades::get(tx, id.0));

query! {
    /// The filter of a list of trades.
    struct TradeFilter {
        /// Only trades of this account.
        account_id: Ids<AccountId>,
        /// Only trades in this security.
        security_id: Id<SecurityId>,
        /// Only trades of this type.
        r#type: Choice<TradeType>,
        /// Only trades from this day on.
        start_date: Day,
        /// Only trades up to this day.
        end_date: Day,
    }
}

/// A page of trades.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TradePage)]
struct Page {
    /// The trades of the page, the newest first.
    trades: Vec<TradeBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<TradeFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let accounts = filter.account_id;
        let listing = trades::Listing {
            accounts: (!accounts.is_empty()).then_some(accounts.as_slice()),
            security: filter.security_id,
            trade_type: filter.r#type,
            start: filter.start_date,
            end: filter.end_date,
        };
        let (listed, total) = trades::list(tx, listing, page.limit(), page.offset())?;
        let trades = listed.into_iter().map(Into::into).collect();
        Ok(Json(Page { trades, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<TradeFields>>,
) -> ApiResult<Answer<CreatedOrFound<CreatedTradeBody>>> {
    call.write(|tx, sent| {
        if let Some(cash) = sent.body.cash() {
            let (transaction, existed) = transactions::create_cash(tx, &cash)?;
            let body = CreatedTradeBody::Transaction(Box::new(transaction.into()));
            return Ok(CreatedOrFound { body, existed });
        }
        let (trade, existed) = trades::create(tx, &sent.body.trade())?;
        let body = CreatedTradeBody::Trade(Box::new(trade.into()));
        Ok(CreatedOrFound { body, existed })
    })
    .await
}

async fn show(call: Show<TradeId>) -> ApiResult<Answer<Json<TradeBody>>> {
    call.read(|tx, sent| Ok(Json(trades::get(tx, sent.id.0)?.into()))).await
}

async fn update(call: Update<TradeId, Change<TradeFields>>) -> ApiResult<Answer<Json<TradeBody>>> {
    call.write(|tx, sent| Ok(Json(trades::revise(tx, sent.id.0, &sent.body.trade())?.into()))).await
}

async fn delete(call: Delete<TradeId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| trades::remove(tx, sent.id.0)).await
}
