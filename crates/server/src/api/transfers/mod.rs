//! `/api/v1/transfers`: pairs of transactions that move money between the family's own accounts.

pub(in crate::api) mod view;

use purser_app::transfers::{self, Listing, Scope, changes};
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{AccountId, EntryId, TransferId};
use purser_core::transfers::{TransferDecision, TransferStatus};
use serde::Serialize;
use utoipa::ToSchema;

use self::view::TransferBody;
use crate::http::answer::{Accepted, Answer, Created, Deleted, Json};
use crate::http::body::kinds::{self, OneOf};
use crate::http::body::presence::Required;
use crate::http::body::{Change, Checked, New, Nothing, body};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::permit::Unrestricted;
use crate::http::query::{Choice, Day, Id, Paged, query};
use crate::http::table::routes;

routes! { "transfers":
    /// List transfers
    ///
    /// The answer lists confirmed and proposed transfers between active and draft accounts, by the
    /// day of the outflow, newest first.
    GET "/transfers" => list as list_transfers;
    /// Create a transfer
    ///
    /// A transfer is created from two transactions in different accounts, at most 30 days apart,
    /// neither of them pending, with equal and opposite amounts of one currency, or with an outflow
    /// and an inflow in two currencies. It is confirmed at once, and replaces a proposal of the
    /// same pair. The request fails with 409 `already_in_transfer` if one of them is in a confirmed
    /// transfer.
    POST "/transfers" => create as create_transfer;
    /// Match transfers
    ///
    /// A matching over all days is queued; new transactions are matched automatically. The request
    /// fails with 409 `transfer_matching_off` if the family has switched the matching off. A key
    /// that is restricted to chosen accounts gets 403 `restricted_key`.
    POST "/transfers/match" => start_matching as match_transfers;
    /// Show a transfer
    ///
    /// An unknown transfer and one that the key may not see are answered with 404 `not_found`.
    GET "/transfers/{id}" => show as show_transfer;
    /// Confirm or reject a transfer
    ///
    /// Confirming a transfer removes other proposals with its transactions. Rejecting it deletes
    /// it, and the pair is not proposed again: see `/rejected_transfers`. Confirming fails with 409
    /// `already_in_transfer` if one of the transactions is in another confirmed transfer.
    PATCH PUT "/transfers/{id}" => update as update_transfer;
    /// Delete a transfer
    ///
    /// Its transactions stay, each by itself. The next matching may propose the pair again; to
    /// prevent that, reject the transfer.
    DELETE "/transfers/{id}" => delete as delete_transfer;
}

path_id!(TransferId, "Transfer", |tx: &mut purser_app::FamilyTx<'_>, id| {
    transfers::get(tx, id)
});

body! {
    /// The two sides of a transfer.
    struct PairFields as "Transfer" in ["transfer"] {
        /// The id of the transaction that takes the money out.
        outflow_transaction_id: Required<kinds::Id>,
        /// The id of the transaction that brings the money in.
        inflow_transaction_id: Required<kinds::Id>,
    }
}

impl Checked for PairFields {
    type Output = (EntryId, EntryId);

    fn check(self, mut problems: Problems) -> Result<(EntryId, EntryId)> {
        let mut read = |field: &str, side: &str, id: Option<String>| {
            let Some(id) = id else {
                problems.about(field, format!("{side} transaction ID is required"));
                return None;
            };
            let id = id.parse::<EntryId>().ok();
            if id.is_none() {
                // A malformed id is refused like an id that nothing has.
                problems.push(Problem::unknown(field, "transaction"));
            }
            id
        };
        let outflow = read("outflow_transaction_id", "Outflow", self.outflow_transaction_id);
        let inflow = read("inflow_transaction_id", "Inflow", self.inflow_transaction_id);
        problems.into_result()?;
        outflow.zip(inflow).ok_or_else(|| Error::internal("a pair without a side was accepted"))
    }
}

body! {
    /// The decision about a transfer.
    struct DecisionFields as "Transfer" in ["transfer"] {
        /// Whether the transfer is confirmed or rejected.
        status: Required<OneOf<TransferDecision>>,
    }
}

impl Checked for DecisionFields {
    type Output = TransferDecision;

    fn check(self, problems: Problems) -> Result<TransferDecision> {
        problems.into_result()?;
        self.status.ok_or_else(|| {
            Error::invalid(Problem::field("status", "must be confirmed or rejected"))
        })
    }
}

query! {
    /// The filter of a list of transfers.
    struct TransferFilter {
        /// Only transfers with this status; `pending` ones are proposals.
        status: Choice<TransferStatus>,
        /// Only transfers with this account on one side.
        account_id: Id<AccountId>,
        /// Only transfers with an outflow on this day or later.
        start_date: Day,
        /// Only transfers with an outflow on this day or earlier.
        end_date: Day,
    }
}

/// A page of transfers.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransferPage)]
struct Page {
    /// The transfers of the page, by the day of the outflow, newest first.
    transfers: Vec<TransferBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// A matching that was queued.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransferMatching)]
struct MatchingBody {
    /// The state of the matching. It is always `queued`.
    status: MatchingStatus,
    /// The state of the matching as a sentence.
    message: &'static str,
}

/// The state of a matching.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = TransferMatchingStatus)]
enum MatchingStatus {
    Queued,
}

async fn list(call: List<Paged<TransferFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing {
            status: filter.status,
            account: filter.account_id,
            start: filter.start_date,
            end: filter.end_date,
        };
        let (found, total) = transfers::list(tx, listing, page.limit(), page.offset())?;
        let transfers = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { transfers, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(call: Create<New<PairFields>>) -> ApiResult<Answer<Created<TransferBody>>> {
    call.write(|tx, sent| Ok(Created(changes::create(tx, sent.body)?.into()))).await
}

async fn start_matching(
    call: Create<Nothing, Unrestricted>,
) -> ApiResult<Answer<Accepted<MatchingBody>>> {
    call.write(|tx, _| {
        if !transfers::queue(tx, Scope::All)? {
            return Err(Error::Conflict {
                code: "transfer_matching_off",
                message: "The family has switched the matching of transfers off".to_owned(),
            });
        }
        let message = "The matching of transfers is queued.";
        Ok(Accepted(MatchingBody { status: MatchingStatus::Queued, message }))
    })
    .await
}

async fn show(call: Show<TransferId>) -> ApiResult<Answer<Json<TransferBody>>> {
    call.read(|tx, sent| Ok(Json(transfers::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<TransferId, Change<DecisionFields>>,
) -> ApiResult<Answer<Json<TransferBody>>> {
    call.write(|tx, sent| {
        Ok(Json(match sent.body {
            TransferDecision::Confirmed => changes::confirm(tx, sent.id)?.into(),
            TransferDecision::Rejected => TransferBody::rejected(changes::reject(tx, sent.id)?),
        }))
    })
    .await
}

async fn delete(call: Delete<TransferId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| changes::remove(tx, sent.id)).await
}
