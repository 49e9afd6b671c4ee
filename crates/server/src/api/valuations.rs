//! `/api/v1/valuations`

use http::StatusCode;
use purser_app::FamilyTx;
use purser_app::valuations::{self, Valuation};
use purser_core::error::{Problems, Result};
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};
use purser_core::limits::NOTES_CHARS_MAX;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::http::answer::{Answer, CreatedOrFound, Deleted, Json, Reply};
use crate::http::body::kinds::{self, Decimal, Flag, Text};
use crate::http::body::presence::{Nullable, Optional, Outer, Required};
use crate::http::body::{Change, Checked, New, body};
use crate::http::call::{Create, Delete, List, Show, Update};
use crate::http::describe::Description;
use crate::http::error::ApiResult;
use crate::http::money::Amount;
use crate::http::named::ValuationKindName;
use crate::http::openapi::NotFoundError;
use crate::http::pagination::Pagination;
use crate::http::path::path_id;
use crate::http::query::{Day, Id, Paged, query};
use crate::http::table::routes;
use crate::http::time::Time;

routes! { "valuations":
    /// List valuations
    ///
    /// The answer lists valuations of all accounts, whatever their status, by day, the newest
    /// first.
    GET "/valuations" => list as list_valuations;
    /// Record a valuation
    ///
    /// An account has one valuation per day: one that exists is replaced and keeps its id and its
    /// kind. The balances of the account are up to date when the answer arrives. An account that
    /// doesn't exist is answered with 404.
    POST "/valuations" => record as record_valuation;
    /// Show a valuation
    ///
    /// An unknown valuation and one that the key may not see are answered with 404 `not_found`.
    GET "/valuations/{id}" => show as show_valuation;
    /// Change a valuation
    ///
    /// Members that are missing stay as they are, and so do its id and its kind. Moving it to a day
    /// that has a valuation already is refused with 422.
    PATCH PUT "/valuations/{id}" => update as update_valuation;
    /// Delete a valuation
    ///
    /// The balance of its day follows from the other entries.
    DELETE "/valuations/{id}" => delete as delete_valuation;
}

/// The id of a ledger entry that is a valuation.
#[derive(Debug, Clone, Copy)]
struct ValuationId(EntryId);

impl From<Uuid> for ValuationId {
    fn from(id: Uuid) -> Self {
        Self(EntryId(id))
    }
}

path_id!(ValuationId, "Valuation", |tx: &mut FamilyTx<'_>, id: ValuationId| {
    valuations::get(tx, id.0)
});

body! {
    /// The members of a new valuation.
    struct NewValuation as "Valuation" in ["valuation"] {
        /// The id of the account.
        account_id: Required<kinds::Id>,
        /// The value of the account at the end of the day. For a liability, a positive amount is
        /// debt.
        #[example("770639.10")]
        amount: Required<Decimal>,
        /// The day of the valuation, from 1900 to a year from today.
        #[example("2026-01-12")]
        date: Required<kinds::Day>,
        /// Free text about the valuation. If missing, a valuation that is replaced keeps its notes;
        /// null clears them.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
        /// Whether the answer is 200 instead of 201 if the day had a valuation before. It changes
        /// nothing else.
        upsert: Outer<Optional<Flag>>,
    }
}

/// A valuation that is recorded, and whether the answer distinguishes a replaced one from a new
/// one.
struct Recording {
    input: ValuationInput,
    upsert: bool,
}

impl Checked for NewValuation {
    type Output = Recording;

    fn check(self, problems: Problems) -> Result<Recording> {
        let Self { account_id, amount, date, notes, upsert } = self;
        let values = ValuationValues { amount, date, notes, problems: problems.into_list() };
        let input = ValuationInput::require(account_id.as_deref(), values)?;
        Ok(Recording { input, upsert: upsert.unwrap_or_default() })
    }
}

body! {
    /// The members of a valuation that change; what is missing stays as it is.
    struct ValuationChange as "Valuation" in ["valuation"] {
        /// The value of the account at the end of the day. For a liability, a positive amount is
        /// debt.
        #[example("770639.10")]
        amount: Optional<Decimal>,
        /// The day of the valuation, which must not have another valuation.
        #[example("2026-01-12")]
        date: Optional<kinds::Day>,
        /// Free text about the valuation. Null clears it.
        notes: Nullable<Text<0, NOTES_CHARS_MAX>>,
    }
}

impl Checked for ValuationChange {
    type Output = ValuationValues;

    fn check(self, problems: Problems) -> Result<ValuationValues> {
        let Self { amount, date, notes } = self;
        Ok(ValuationValues { amount, date, notes, problems: problems.into_list() })
    }
}

query! {
    /// The filter of a list of valuations.
    struct ValuationFilter {
        /// Only valuations of this account.
        account_id: Id<AccountId>,
        /// Only valuations from this day on.
        start_date: Day,
        /// Only valuations up to this day.
        end_date: Day,
    }
}

/// The value of an account at the end of a day.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Valuation)]
struct ValuationBody {
    /// The id of the valuation.
    id: Uuid,
    /// The day at the end of which the account has the value.
    #[schema(format = Date, example = "2026-01-12")]
    date: String,
    /// The value, formatted. For a liability, a positive amount is debt.
    #[schema(example = "$770,639.10")]
    amount: String,
    /// The exact value of the account.
    #[schema(example = "770639.10")]
    amount_decimal: String,
    /// The code of the account's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// Free text; null if there is none.
    #[schema(required)]
    notes: Option<String>,
    /// The kind of the valuation. A person or a client recorded a `reconciliation`; an
    /// `opening_anchor` starts the history; a `current_anchor` is the balance that the bank reports
    /// now.
    kind: ValuationKindName,
    /// The account of the valuation.
    account: AccountSummaryBody,
    /// The time at which it was added.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

impl From<Valuation> for ValuationBody {
    fn from(valuation: Valuation) -> Self {
        let amount = Amount::new(valuation.amount, valuation.currency);
        Self {
            id: valuation.id.0,
            date: valuation.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            currency: valuation.currency.code(),
            notes: valuation.notes,
            kind: valuation.kind.into(),
            account: valuation.account.into(),
            created_at: valuation.created_at.into(),
            updated_at: valuation.updated_at.into(),
        }
    }
}

/// A page of valuations.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ValuationPage)]
struct Page {
    /// The valuations of the page, the newest day first.
    valuations: Vec<ValuationBody>,
    /// The position of the page in the list.
    pagination: Pagination,
}

/// A recorded valuation. Unlike elsewhere, an unknown account in the body is answered with 404.
struct Recorded(CreatedOrFound<ValuationBody>);

impl Reply for Recorded {
    fn status(&self) -> StatusCode {
        self.0.status()
    }

    fn body(&self) -> Result<Option<String>> {
        self.0.body()
    }

    fn describe(operation: &mut Description<'_>) {
        CreatedOrFound::<ValuationBody>::describe(operation);
        operation.errors::<NotFoundError>();
    }
}

async fn list(call: List<Paged<ValuationFilter>>) -> ApiResult<Answer<Json<Page>>> {
    call.read(|tx, sent| {
        let Paged { page, filter } = sent.query;
        let ValuationFilter { account_id: account, start_date: start, end_date: end } = filter;
        let listing = valuations::Listing { account, start, end };
        let (listed, total) = valuations::list(tx, listing, page.limit(), page.offset())?;
        let valuations = listed.into_iter().map(Into::into).collect();
        Ok(Json(Page { valuations, pagination: Pagination::new(page, total) }))
    })
    .await
}

async fn record(call: Create<New<NewValuation>>) -> ApiResult<Answer<Recorded>> {
    call.write(|tx, sent| {
        let (valuation, existed) = valuations::set(tx, &sent.body.input)?;
        let existed = existed && sent.body.upsert;
        Ok(Recorded(CreatedOrFound { body: valuation.into(), existed }))
    })
    .await
}

async fn show(call: Show<ValuationId>) -> ApiResult<Answer<Json<ValuationBody>>> {
    call.read(|tx, sent| Ok(Json(valuations::get(tx, sent.id.0)?.into()))).await
}

async fn update(
    call: Update<ValuationId, Change<ValuationChange>>,
) -> ApiResult<Answer<Json<ValuationBody>>> {
    call.write(|tx, sent| Ok(Json(valuations::revise(tx, sent.id.0, &sent.body)?.into()))).await
}

async fn delete(call: Delete<ValuationId>) -> ApiResult<Answer<Deleted>> {
    call.delete(|tx, sent| valuations::remove(tx, sent.id.0)).await
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_app::accounts::AccountSummary;
    use purser_core::ids::{AccountId, EntryId};
    use purser_core::ledger::account::{AccountStatus, AccountType};
    use purser_core::ledger::entry::ValuationKind;
    use purser_core::money::Currency;
    use serde_json::json;

    use super::*;
    use crate::http::body::read_checked;

    const ID: &str = "0190f5f0-7c00-7a10-8000-00000000000a";

    fn read(json: &serde_json::Value) -> Result<Recording> {
        read_checked::<NewValuation>(&serde_json::from_str(&json.to_string()).unwrap())
    }

    #[test]
    fn upsert_beside_the_wrapper_wins() {
        let fields = |upsert| json!({ "account_id": ID, "amount": "1.5", "date": "2026-01-12", "upsert": upsert });
        let upsert = |json| read(&json).unwrap().upsert;
        let with = |inner, outer| json!({ "valuation": fields(inner), "upsert": outer });
        assert!(upsert(fields(json!(true))));
        assert!(upsert(json!({ "valuation": fields(json!(true)) })));
        assert!(upsert(with(json!(null), json!("true"))));
        assert!(!upsert(with(json!(true), json!(false))));
        assert!(!upsert(with(json!(true), json!(null))));
        let refused = read(&fields(json!("no"))).unwrap();
        assert_eq!(refused.input.values.problems.len(), 1);
    }

    #[test]
    fn missing_members_are_refused_one_after_the_other() {
        for (valuation, message) in [
            (json!(null), "Account ID is required"),
            (json!({}), "Account ID is required"),
            (json!({ "account_id": 5 }), "Amount is required"),
            (json!({ "account_id": 5, "amount": "" }), "Amount is required"),
            (json!({ "account_id": 5, "amount": true }), "Date is required"),
            (json!({ "account_id": 5, "amount": true, "date": 7 }), "Account not found"),
        ] {
            let refused = read(&json!({ "valuation": valuation })).err().unwrap();
            assert_eq!(refused.to_string(), message, "{valuation}");
        }
    }

    #[test]
    fn a_valuation_has_every_field() {
        let valuation = Valuation {
            id: EntryId(Uuid::from_u128(1)),
            date: jiff::civil::date(2026, 1, 12),
            amount: 7_706_391_000,
            currency: Currency::USD,
            notes: None,
            kind: ValuationKind::Reconciliation,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            account: AccountSummary {
                id: AccountId(Uuid::from_u128(2)),
                name: "House".into(),
                account_type: AccountType::Property,
                status: AccountStatus::Disabled,
            },
        };
        assert_eq!(
            serde_json::to_value(ValuationBody::from(valuation)).unwrap(),
            json!({
                "id": "00000000-0000-0000-0000-000000000001",
                "date": "2026-01-12",
                "amount": "$770,639.10",
                "amount_decimal": "770639.10",
                "currency": "USD",
                "notes": null,
                "kind": "reconciliation",
                "account": {
                    "id": "00000000-0000-0000-0000-000000000002",
                    "name": "House",
                    "account_type": "property",
                    "status": "disabled",
                },
                "created_at": "1970-01-01T00:00:00.000Z",
                "updated_at": "1970-01-01T00:00:00.000Z",
            })
        );
    }
}
