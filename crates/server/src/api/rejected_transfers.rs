//! `/api/v1/rejected_transfers`: pairs of transactions that are not proposed as transfers again.

use purser_app::transfers::rejected::{self, Listing};
use purser_core::ids::{AccountId, RejectedTransferId};
use serde::Serialize;
use utoipa::ToSchema;

use super::transfers::view::RejectedBody;
use crate::http::answer::{Answer, Deleted, Json};
use crate::http::call::{Delete, List, Show};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{Day, Id, Paged, query};
use crate::http::table::routes;

routes! { "transfers":
    /// List rejected transfers
    ///
    /// The answer lists pairs that are not proposed again, the latest rejection first. Pairs with a
    /// transaction that is deleted or hidden are left out.
    GET "/rejected_transfers" => list as list_rejected_transfers;
    /// Show a rejected transfer
    GET "/rejected_transfers/{id}" => show as show_rejected_transfer;
    /// Delete a rejection
    ///
    /// The next matching may propose the pair again.
    DELETE "/rejected_transfers/{id}" => delete as delete_rejected_transfer;
}

path_id!(RejectedTransferId, "Rejected transfer", |tx: &mut purser_app::FamilyTx<'_>, id| {
    rejected::get(tx, id)
});

query! {
    /// The filter of a list of rejected transfers.
    struct RejectedFilter {
        /// Only pairs with this account on one side.
        account_id: Id<AccountId>,
        /// Only pairs with an outflow on this day or later.
        start_date: Day,
        /// Only pairs with an outflow on this day or earlier.
        end_date: Day,
    }
}

/// A page of rejected transfers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RejectedTransferPage)]
struct Page {
    /// The pairs of the page, the latest rejection first.
    rejected_transfers: Vec<RejectedBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

async fn list(call: List<Paged<RejectedFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing =
            Listing { account: filter.account_id, start: filter.start_date, end: filter.end_date };
        let (found, total) = rejected::list(tx, listing, page.limit(), page.offset())?;
        let rejected_transfers = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { rejected_transfers, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn show(call: Show<RejectedTransferId>) -> ApiResult<Answer<Json<RejectedBody>>> {
    call.read(|tx, sent| Ok(Json(rejected::get(tx, sent.id)?.into()))).await
}

async fn delete(call: Delete<RejectedTransferId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| rejected::remove(tx, sent.id)).await
}
