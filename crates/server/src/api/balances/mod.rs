//! `/api/v1/balances`: the balance of each account at the end of each day.

mod view;

use purser_app::FamilyTx;
use purser_app::balances::daily::{self, BalanceListing};
use purser_core::ids::AccountId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::view::BalanceBody;
use crate::http::answer::{Answer, Json};
use crate::http::call::{List, Show};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{CurrencyCode, Day, Id, Paged, query};
use crate::http::table::routes;

routes! { "balances":
    /// List daily balances
    ///
    /// There is one for every visible account and every day from its first day to the family's
    /// today, newest day first. A change is visible from the next request on.
    GET "/balances" => list as list_balances;
    /// Show the balance of an account on a day
    GET "/balances/{id}" => show as show_balance;
}

/// The id of a daily balance, which follows from its account and its day.
#[derive(Debug, Clone, Copy)]
struct BalanceId(Uuid);

impl From<Uuid> for BalanceId {
    fn from(id: Uuid) -> Self {
        Self(id)
    }
}

path_id!(BalanceId, "Balance", |tx: &mut FamilyTx<'_>, id: BalanceId| { daily::get(tx, id.0) });

query! {
    /// The filter of a list of daily balances.
    struct BalanceFilter {
        /// Only balances of this account.
        account_id: Id<AccountId>,
        /// Only balances of accounts in this currency.
        currency: CurrencyCode,
        /// Only balances of this day and later ones.
        start_date: Day,
        /// Only balances of this day and earlier ones.
        end_date: Day,
    }
}

/// A page of daily balances.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BalancePage)]
struct Page {
    /// The balances of the page, newest day first, then by account.
    balances: Vec<BalanceBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<BalanceFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.compute(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = BalanceListing {
            account: filter.account_id,
            currency: filter.currency,
            start: filter.start_date,
            end: filter.end_date,
        };
        let (found, total) = daily::list(tx, listing, page.limit(), page.offset())?;
        let balances = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { balances, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn show(call: Show<BalanceId>) -> ApiResult<Answer<Json<BalanceBody>>> {
    call.read(|tx, sent| Ok(Json(daily::get(tx, sent.id.0)?.into()))).await
}
