//! `/api/v1/transactions`

mod fields;
mod filter;
pub(in crate::api) mod view;

use purser_app::transfers::changes;
use purser_app::{FamilyTx, transactions};
use purser_core::error::Result;
use purser_core::ids::EntryId;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use self::fields::{LinkFields, NewTransaction, SplitFields, TransactionChange};
use self::filter::TransactionFilter;
use self::view::TransactionBody;
use crate::http::answer::{Answer, Created, CreatedOrFound, Deleted, Json};
use crate::http::body::{Change, New};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::Paged;
use crate::http::table::routes;

routes! { "transactions":
    /// List transactions
    ///
    /// The answer lists transactions of active and draft accounts by day, the newest first. Of one
    /// day, those that were added last come first.
    GET "/transactions" => list as list_transactions;
    /// Create a transaction
    ///
    /// With the `external_id` and `source` of a transaction that the account has, the answer is 200
    /// with that transaction, and nothing changes.
    POST "/transactions" => create as create_transaction;
    /// Show a transaction
    ///
    /// The transaction must be of an active or draft account.
    GET "/transactions/{id}" => show as show_transaction;
    /// Change a transaction
    ///
    /// Members that are missing stay as they are. Another `account_id` moves the transaction to
    /// that account, from its day on. Once it was changed, reverting its import leaves it alone.
    /// The same row of a later file is still recognised, because the values of the source are kept.
    PATCH PUT "/transactions/{id}" => update as update_transaction;
    /// Delete a transaction
    ///
    /// The transaction stays deleted: the same row of a later file doesn't bring it back.
    DELETE "/transactions/{id}" => delete as delete_transaction;
    /// Show the parts of a transaction
    GET "/transactions/{id}/split" => show_split as show_split;
    /// Split a transaction
    ///
    /// Lists and reports show the parts in its place. Parts that it has already are replaced. A
    /// part is changed like a transaction, except for its day and its amount.
    POST "/transactions/{id}/split" => split as split_transaction;
    /// Remove the parts of a transaction
    ///
    /// The transaction is shown as a whole again.
    DELETE "/transactions/{id}/split" => unsplit as unsplit_transaction;
    /// Link a transaction with its counterpart
    ///
    /// The two become a confirmed transfer, as with `POST /transfers`; which of them takes the
    /// money out follows from their amounts. Null for `other_transaction_id` deletes the confirmed
    /// transfer of the transaction. The request fails with 409 `already_in_transfer` if one of them
    /// is in a confirmed transfer with another transaction.
    PATCH PUT "/transactions/{id}/transfer" => link as link_counterpart;
}

/// The id of a ledger entry that is a transaction, or a part of one.
#[derive(Debug, Clone, Copy)]
struct TransactionId(EntryId);

impl From<Uuid> for TransactionId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

path_id!(TransactionId, "Transaction", |tx: &mut FamilyTx<'_>, id: TransactionId| {
    transactions::get(tx, id.0)
});

/// A page of transactions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionPage)]
struct Page {
    /// The transactions of the page, the newest first.
    transactions: Vec<TransactionBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// A transaction with its parts.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Split)]
struct SplitBody {
    /// The transaction with the parts.
    transaction: TransactionBody,
    /// The parts in the order in which they were sent; empty if it is not split.
    parts: Vec<TransactionBody>,
}

async fn list(call: List<Paged<TransactionFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let (listed, total) =
            transactions::list(tx, &filter.listing(), page.limit(), page.offset())?;
        let transactions = listed.into_iter().map(Into::into).collect();
        Ok(Json(Page { transactions, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(
    call: Create<New<NewTransaction>>,
) -> ApiResult<Answer<CreatedOrFound<TransactionBody>>> {
    call.write(|tx, sent| {
        let (transaction, existed) = transactions::create(tx, &sent.body)?;
        Ok(CreatedOrFound { body: transaction.into(), existed })
    })
    .await
}

async fn show(call: Show<TransactionId>) -> ApiResult<Answer<Json<TransactionBody>>> {
    call.read(|tx, sent| Ok(Json(transactions::get(tx, sent.id.0)?.into()))).await
}

async fn update(
    call: Update<TransactionId, Change<TransactionChange>>,
) -> ApiResult<Answer<Json<TransactionBody>>> {
    call.write(|tx, sent| Ok(Json(transactions::revise(tx, sent.id.0, &sent.body)?.into()))).await
}

async fn delete(call: Delete<TransactionId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| transactions::remove(tx, sent.id.0)).await
}

async fn link(
    call: Update<TransactionId, New<LinkFields>>,
) -> ApiResult<Answer<Json<TransactionBody>>> {
    call.write(|tx, sent| {
        match sent.body {
            Some(other) => drop(changes::link(tx, sent.id.0, other)?),
            None => changes::unlink(tx, sent.id.0)?,
        }
        Ok(Json(transactions::get(tx, sent.id.0)?.into()))
    })
    .await
}

async fn show_split(call: Show<TransactionId>) -> ApiResult<Answer<Json<SplitBody>>> {
    call.read(|tx, sent| Ok(Json(SplitBody::read(tx, sent.id.0)?))).await
}

async fn split(
    call: Update<TransactionId, New<SplitFields>>,
) -> ApiResult<Answer<Created<SplitBody>>> {
    call.write(|tx, sent| {
        transactions::split(tx, sent.id.0, &sent.body)?;
        Ok(Created(SplitBody::read(tx, sent.id.0)?))
    })
    .await
}

async fn unsplit(call: Delete<TransactionId>) -> ApiResult<Answer<Deleted>> {
    call.write(|tx, sent| transactions::unsplit(tx, sent.id.0).map(|_| Deleted("Split"))).await
}

impl SplitBody {
    fn read(tx: &mut FamilyTx<'_>, id: EntryId) -> Result<Self> {
        let transaction = transactions::get(tx, id)?.into();
        let parts = transactions::parts(tx, id)?.into_iter().map(Into::into).collect();
        Ok(Self { transaction, parts })
    }
}
