//! `/api/v1/duplicates`: pairs of transactions that a sync was not certain about.

use purser_app::FamilyTx;
use purser_app::sync::duplicates::{self, Duplicate, DuplicateSide};
use purser_core::ids::{AccountId, DuplicateId};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::transactions::view::TransactionBody;
use crate::http::answer::{Answer, Deleted, Json};
use crate::http::body::Nothing;
use crate::http::call::{Call, Delete, List, Show};
use crate::http::caller::Writer;
use crate::http::error::ApiResult;
use crate::http::money::Amount;
use crate::http::named::DoubtName;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{Id, Paged, query};
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "syncs":
    /// List possible duplicates
    ///
    /// Pairs of transactions that may be one: a sync was not certain, and both stay until a person
    /// decides. The newest come first. Pairs with a transaction that is deleted or hidden are left
    /// out.
    GET "/duplicates" => list as list_duplicates;
    /// Show a possible duplicate
    GET "/duplicates/{id}" => show as show_duplicate;
    /// Merge a duplicate
    ///
    /// The two are one transaction: `transaction` stays with everything that people made of it, and
    /// is what the bank reports of `duplicate` from now on; `duplicate` goes. The answer is the
    /// transaction that stays.
    POST "/duplicates/{id}/merge" => merge as merge_duplicate;
    /// Dismiss a possible duplicate
    ///
    /// The two are different transactions. Both stay, and the pair isn't listed any more.
    DELETE "/duplicates/{id}" => dismiss as dismiss_duplicate;
}

path_id!(DuplicateId, "Duplicate", |tx: &mut FamilyTx<'_>, id| duplicates::get(tx, id));

query! {
    /// The filter of a list of possible duplicates.
    struct DuplicateFilter {
        /// Only pairs with a transaction in this account.
        account_id: Id<AccountId>,
    }
}

/// A pair of transactions that may be one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Duplicate)]
struct DuplicateBody {
    /// The id of the pair.
    id: Uuid,
    /// The id of the account that was synced. `duplicate` is in it, and mostly both are.
    account_id: Uuid,
    /// Why it isn't certain.
    reason: DoubtName,
    /// A fixed sentence for each reason.
    message: &'static str,
    /// The transaction that was there.
    transaction: SideBody,
    /// The transaction that the sync added.
    duplicate: SideBody,
    /// The time at which the sync noticed it.
    created_at: Time,
}

/// One of two transactions that may be one.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DuplicateSide)]
struct SideBody {
    /// The id of the transaction.
    id: Uuid,
    /// The id of the account that it is in.
    account_id: Uuid,
    /// The day of the transaction.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$12.34")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "12.34")]
    amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The name that people see.
    #[schema(example = "Corner Bakery")]
    name: String,
    /// Whether the bank has authorised it but not posted it yet.
    pending: bool,
    /// The source that it came from; null if none is known.
    #[schema(required)]
    source: Option<String>,
}

/// A page of possible duplicates.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = DuplicatePage)]
struct Page {
    /// The pairs of the page, the newest first.
    duplicates: Vec<DuplicateBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

impl From<DuplicateSide> for SideBody {
    fn from(side: DuplicateSide) -> Self {
        let amount = Amount::new(side.amount, side.currency);
        Self {
            id: side.id.0,
            account_id: side.account.0,
            date: side.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: side.currency.code(),
            name: side.name,
            pending: side.pending,
            source: side.source,
        }
    }
}

impl From<Duplicate> for DuplicateBody {
    fn from(pair: Duplicate) -> Self {
        Self {
            id: pair.id.0,
            account_id: pair.account.0,
            reason: pair.doubt.into(),
            message: pair.doubt.sentence(),
            transaction: pair.entry.into(),
            duplicate: pair.other.into(),
            created_at: pair.created_at.into(),
        }
    }
}

async fn list(call: List<Paged<DuplicateFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let found = duplicates::list(tx, filter.account_id)?;
        let total = found.len() as u64;
        let skipped = usize::try_from(page.offset()).unwrap_or(usize::MAX);
        let taken = usize::try_from(page.limit()).unwrap_or(usize::MAX);
        let duplicates = found.into_iter().skip(skipped).take(taken).map(Into::into).collect();
        Ok(Json(Page { duplicates, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn show(call: Show<DuplicateId>) -> ApiResult<Answer<Json<DuplicateBody>>> {
    call.read(|tx, sent| Ok(Json(duplicates::get(tx, sent.id)?.into()))).await
}

async fn merge(
    call: Call<Writer, DuplicateId, (), Nothing>,
) -> ApiResult<Answer<Json<TransactionBody>>> {
    call.write(|tx, sent| Ok(Json(duplicates::merge(tx, sent.id)?.into()))).await
}

async fn dismiss(call: Delete<DuplicateId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| duplicates::dismiss(tx, sent.id)).await
}
