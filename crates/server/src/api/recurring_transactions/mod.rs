//! `/api/v1/recurring_transactions`: transactions that come every month.

mod view;

use purser_app::recurring::{self, Listing, changes, detection, keeping};
use purser_core::error::{Problems, Result};
use purser_core::ids::{AccountId, RecurringId};
use purser_core::limits::NAME_CHARS_MAX;
use purser_core::named::Named as _;
use purser_core::recurring::input::{RecurringInput, RecurringStatus};
use serde::Serialize;
use utoipa::ToSchema;

use self::view::RecurringBody;
use crate::http::answer::{Answer, Created, Deleted, Json};
use crate::http::body::kinds::{self, CurrencyCode, Day, Decimal, Formed, OneOf, Text, Whole};
use crate::http::body::presence::{Nullable, Optional, Required};
use crate::http::body::{Change, Checked, New, Nothing, body};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::error::ApiResult;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{Choice, Id, Paged, query};
use crate::http::table::routes;

routes! { "recurring_transactions":
    /// List recurring transactions
    ///
    /// They are sorted by name. A key that is restricted to chosen accounts sees those of its
    /// accounts.
    GET "/recurring_transactions" => list as list_recurring_transactions;
    /// Create a recurring transaction
    ///
    /// There is at most one for each account, name, merchant and amount; otherwise the answer is
    /// 409 `conflict`.
    POST "/recurring_transactions" => create as create_recurring_transaction;
    /// Detect recurring transactions
    ///
    /// The detection looks at the last 400 days for transactions of one account and one merchant or
    /// name, with hardly differing amounts, at most four days off a day of the month, in at least
    /// three consecutive months up to now. Known ones, inactive ones included, are not detected
    /// again. If more than 500 are new, those that came most often and last are created;
    /// `remaining_count` is the number of the others. For a key that is restricted to chosen
    /// accounts, the detection looks at these accounts.
    POST "/recurring_transactions/detect" => detect as detect_recurring_transactions;
    /// Show a recurring transaction
    GET "/recurring_transactions/{id}" => show as show_recurring_transaction;
    /// Change a recurring transaction
    ///
    /// Members that are missing stay as they are. An inactive one isn't followed, and isn't
    /// detected again. There is at most one for each account, name, merchant and amount; otherwise
    /// the answer is 409 `conflict`.
    PATCH PUT "/recurring_transactions/{id}" => update as update_recurring_transaction;
    /// Delete a recurring transaction
    ///
    /// Its transactions stay. It may be detected again; to prevent that, make it inactive.
    DELETE "/recurring_transactions/{id}" => delete as delete_recurring_transaction;
}

path_id!(RecurringId, "Recurring transaction", |tx: &mut purser_app::FamilyTx<'_>, id| {
    recurring::get(tx, id)
});

body! {
    /// The members of a recurring transaction. A new one needs `name` or `merchant_id`, and one of
    /// `expected_day_of_month`, `last_occurrence_date` and `next_expected_date`.
    struct RecurringFields as "RecurringTransaction" in ["recurring_transaction"] {
        /// The id of the account that it comes in; null for any account. A key that is restricted
        /// to chosen accounts must name one.
        account_id: Nullable<kinds::Id>,
        /// The id of the merchant.
        merchant_id: Nullable<kinds::Id>,
        /// The id of the category.
        category_id: Nullable<kinds::Id>,
        /// The name of the transactions. Numbers in names are ignored when transactions are
        /// compared; with a merchant, the whole name is.
        #[example("Rent")]
        name: Nullable<Text<0, NAME_CHARS_MAX>>,
        /// The amount, positive for money out. A transaction may differ by a tenth.
        #[example("900.00")]
        amount: Required<Decimal>,
        /// The code of the currency; the account's, else the family's, if missing.
        #[example("USD")]
        currency: Optional<Formed<CurrencyCode>>,
        /// The day of the month; in shorter months, the last day. If missing, it follows from the
        /// dates.
        expected_day_of_month: Optional<Whole<1, 31>>,
        /// The day of the latest transaction.
        #[example("2026-01-01")]
        last_occurrence_date: Optional<Day>,
        /// The day on which the next one is expected. If missing, it is a month after the latest.
        #[example("2026-02-01")]
        next_expected_date: Optional<Day>,
        /// Whether it is followed.
        status: Optional<OneOf<RecurringStatus>>,
    }
}

impl Checked for RecurringFields {
    type Output = RecurringInput;

    fn check(self, problems: Problems) -> Result<RecurringInput> {
        Ok(RecurringInput {
            account: self.account_id,
            merchant: self.merchant_id,
            category: self.category_id,
            name: self.name,
            amount: self.amount,
            currency: self.currency,
            day: self.expected_day_of_month.map(|day| day.to_string()),
            last: self.last_occurrence_date,
            next: self.next_expected_date,
            status: self.status.map(|status| status.name().to_owned()),
            problems: problems.into_list(),
        })
    }
}

query! {
    /// The filter of a list of recurring transactions.
    struct RecurringFilter {
        /// Only recurring transactions with this status.
        status: Choice<RecurringStatus>,
        /// Only recurring transactions of this account.
        account_id: Id<AccountId>,
    }
}

/// A page of recurring transactions.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransactionPage)]
struct Page {
    /// The items of the page, by name.
    recurring_transactions: Vec<RecurringBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// The outcome of a detection.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = RecurringTransactionDetection)]
struct DetectionBody {
    /// The recurring transactions that are new, active from now on: at most 500, by account and
    /// name.
    #[schema(max_items = 500)]
    recurring_transactions: Vec<RecurringBody>,
    /// The number of detected ones that are not created yet. Another request under another
    /// `Idempotency-Key` creates the next of them.
    #[schema(example = 0)]
    remaining_count: u64,
    /// The number of known ones that have a newer transaction.
    #[schema(example = 0)]
    updated_count: u64,
}

async fn list(call: List<Paged<RecurringFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let listing = Listing { status: filter.status, account: filter.account_id };
        let (found, total) = recurring::list(tx, listing, page.limit(), page.offset())?;
        let recurring_transactions = found.into_iter().map(Into::into).collect();
        Ok(Json(Page { recurring_transactions, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn create(call: Create<New<RecurringFields>>) -> ApiResult<Answer<Created<RecurringBody>>> {
    call.write(|tx, sent| Ok(Created(changes::create(tx, &sent.body)?.into()))).await
}

async fn detect(call: Create<Nothing>) -> ApiResult<Answer<Created<DetectionBody>>> {
    call.write_prepared(
        // Looking takes longer than other writers may have to wait.
        async |app, access, ()| Ok(app.compute(access, detection::find).await?),
        |tx, findings| {
            let found = keeping::keep(tx, findings)?;
            Ok(Created(DetectionBody {
                recurring_transactions: found.created.into_iter().map(Into::into).collect(),
                remaining_count: found.remaining,
                updated_count: found.moved,
            }))
        },
    )
    .await
}

async fn show(call: Show<RecurringId>) -> ApiResult<Answer<Json<RecurringBody>>> {
    call.read(|tx, sent| Ok(Json(recurring::get(tx, sent.id)?.into()))).await
}

async fn update(
    call: Update<RecurringId, Change<RecurringFields>>,
) -> ApiResult<Answer<Json<RecurringBody>>> {
    call.write(|tx, sent| Ok(Json(changes::revise(tx, sent.id, &sent.body)?.into()))).await
}

async fn delete(call: Delete<RecurringId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| changes::remove(tx, sent.id)).await
}
