//! Answers about transactions.

use purser_app::transactions::{Category, Merchant, Tag, Transaction};
use purser_core::ledger::nature::Nature;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::categories::icon;
use crate::api::converted::ConvertedBody;
use crate::api::transfers::view::CounterpartBody;
use crate::http::money::Amount;
use crate::http::named::{LockFieldName, NatureName};
use crate::http::time::Time;

/// A transaction of an account.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Transaction)]
pub(in crate::api) struct TransactionBody {
    /// The id of the transaction.
    id: Uuid,
    /// The day of the transaction.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$1,234.56")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "1234.56")]
    amount_decimal: String,
    /// The amount in the smallest unit of the currency; positive for money out.
    #[schema(example = 123_456)]
    amount_cents: i64,
    /// The amount in the smallest unit of the currency; positive for money in.
    #[schema(example = -123_456)]
    signed_amount_cents: i64,
    /// The exact amount; positive for money in.
    #[schema(example = "-1234.56")]
    signed_amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// The name that people see.
    #[schema(example = "Grocery store")]
    name: String,
    /// Free text; null if there is none.
    #[schema(required)]
    notes: Option<String>,
    /// `income` for money in; `expense` for money out and amounts of zero.
    classification: NatureName,
    /// Whether the bank has authorised it but not posted it yet.
    pending: bool,
    /// The id that the source gave it; null if there is none.
    #[schema(required)]
    external_id: Option<String>,
    /// The source that it came from; null if none is known.
    #[schema(required)]
    source: Option<String>,
    /// The account that it is in.
    account: AccountSummaryBody,
    /// The category; null if it has none.
    #[schema(required)]
    category: Option<CategoryBody>,
    /// The merchant; null if it has none.
    #[schema(required)]
    merchant: Option<MerchantBody>,
    /// The tags by name; empty if it has none.
    tags: Vec<TagBody>,
    /// The transfer between accounts of the family of which it is one side: the confirmed one, or
    /// the best proposal. Null if there is none.
    #[schema(required)]
    transfer: Option<CounterpartBody>,
    /// Whether reports and budgets leave it out; balances include it all the same.
    excluded: bool,
    /// Whether it is split: lists and reports show its parts in its place.
    is_split: bool,
    /// The id of the transaction that it is a part of; null if it is no part.
    #[schema(required)]
    parent_id: Option<Uuid>,
    /// The amount in the currency of the account, if the two currencies differ; null otherwise.
    #[schema(required)]
    converted: Option<ConvertedBody>,
    /// The fields that a person has set. Rules and imports leave them alone.
    #[schema(example = json!(["category"]))]
    locked_attributes: Vec<LockFieldName>,
    /// The time at which it was added.
    created_at: Time,
    /// The time of its latest change.
    updated_at: Time,
}

/// The category of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionCategory)]
pub(in crate::api) struct CategoryBody {
    /// The id of the category.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Groceries")]
    name: String,
    /// The color as `#rrggbb`: the category's own, else its parent's, else one that follows from
    /// the id.
    #[schema(example = "#e07a3f")]
    color: String,
    /// The name of the icon; `shapes` if none was chosen.
    #[schema(example = "shopping-basket")]
    icon: String,
    /// The id of the parent; null on the first level.
    #[schema(required)]
    parent_id: Option<Uuid>,
}

/// The merchant of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionMerchant)]
struct MerchantBody {
    /// The id of the merchant.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Corner shop")]
    name: String,
}

/// A tag of a transaction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionTag)]
struct TagBody {
    /// The id of the tag.
    id: Uuid,
    /// The name that people see.
    #[schema(example = "Holiday")]
    name: String,
    /// The color as `#rrggbb`: the tag's own, else one that follows from its id.
    #[schema(example = "#2f7fc1")]
    color: String,
}

impl From<Category> for CategoryBody {
    fn from(category: Category) -> Self {
        let parent_id = category.parent.map(|parent| parent.0);
        Self {
            id: category.id.0,
            name: category.name,
            color: category.color,
            icon: icon(category.icon),
            parent_id,
        }
    }
}

impl From<Merchant> for MerchantBody {
    fn from(merchant: Merchant) -> Self {
        Self { id: merchant.id.0, name: merchant.name }
    }
}

impl From<Tag> for TagBody {
    fn from(tag: Tag) -> Self {
        Self { id: tag.id.0, name: tag.name, color: tag.color }
    }
}

impl From<Transaction> for TransactionBody {
    fn from(transaction: Transaction) -> Self {
        let currency = transaction.currency;
        let amount = Amount::new(transaction.amount, currency);
        // No entry has the smallest integer: the limits of amounts are far from it.
        let signed = Amount::new(transaction.amount.saturating_neg(), currency);
        Self {
            id: transaction.id.0,
            date: transaction.date.to_string(),
            amount: amount.text,
            amount_decimal: amount.decimal,
            amount_cents: amount.minor_units,
            signed_amount_cents: signed.minor_units,
            signed_amount_decimal: signed.decimal,
            currency: currency.code(),
            name: transaction.name,
            notes: transaction.notes,
            classification: Nature::of(transaction.amount).into(),
            pending: transaction.pending,
            external_id: transaction.external_id,
            source: transaction.source,
            account: transaction.account.into(),
            category: transaction.category.map(Into::into),
            merchant: transaction.merchant.map(Into::into),
            tags: transaction.tags.into_iter().map(Into::into).collect(),
            transfer: transaction.transfer.map(Into::into),
            excluded: transaction.excluded,
            is_split: transaction.is_split,
            parent_id: transaction.parent.map(|id| id.0),
            converted: transaction.booked.map(Into::into),
            locked_attributes: transaction.locked.fields().map(Into::into).collect(),
            created_at: transaction.created_at.into(),
            updated_at: transaction.updated_at.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use purser_app::accounts::AccountSummary;
    use purser_core::ids::{AccountId, CategoryId, EntryId, TagId};
    use purser_core::ledger::account::{AccountStatus, AccountType};
    use purser_core::ledger::locks::{LockField, Locks};
    use purser_core::money::Currency;
    use serde_json::{Value, json};

    use super::*;

    fn shown(amount: i64) -> Value {
        let transaction = Transaction {
            id: EntryId(Uuid::from_u128(1)),
            date: jiff::civil::date(2026, 1, 5),
            amount,
            currency: Currency::USD,
            name: "Shop".into(),
            notes: None,
            pending: false,
            source: None,
            external_id: Some("x1".into()),
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            account: AccountSummary {
                id: AccountId(Uuid::from_u128(2)),
                name: "Checking".into(),
                account_type: AccountType::Depository,
                status: AccountStatus::Draft,
            },
            category: Some(Category {
                id: CategoryId(Uuid::from_u128(3)),
                name: "Food".into(),
                parent: None,
                color: "#e07a3f".into(),
                icon: None,
            }),
            merchant: None,
            tags: vec![Tag {
                id: TagId(Uuid::from_u128(4)),
                name: "Home".into(),
                color: "#2f7fc1".into(),
            }],
            transfer: None,
            locked: Locks::NONE.with(LockField::Tags, true),
            excluded: false,
            is_split: false,
            parent: None,
            booked: None,
        };
        serde_json::to_value(TransactionBody::from(transaction)).unwrap()
    }

    #[test]
    fn a_transaction_has_every_field() {
        assert_eq!(
            shown(12_345_600),
            json!({
                "id": "00000000-0000-0000-0000-000000000001",
                "date": "2026-01-05",
                "amount": "$1,234.56",
                "amount_decimal": "1234.56",
                "amount_cents": 123_456,
                "signed_amount_cents": -123_456,
                "signed_amount_decimal": "-1234.56",
                "currency": "USD",
                "name": "Shop",
                "notes": null,
                "classification": "expense",
                "pending": false,
                "external_id": "x1",
                "source": null,
                "account": {
                    "id": "00000000-0000-0000-0000-000000000002",
                    "name": "Checking",
                    "account_type": "depository",
                    "status": "draft",
                },
                "category": {
                    "id": "00000000-0000-0000-0000-000000000003",
                    "name": "Food",
                    "color": "#e07a3f",
                    "icon": "shapes",
                    "parent_id": null,
                },
                "merchant": null,
                "tags": [{
                    "id": "00000000-0000-0000-0000-000000000004",
                    "name": "Home",
                    "color": "#2f7fc1",
                }],
                "transfer": null,
                "excluded": false,
                "is_split": false,
                "parent_id": null,
                "converted": null,
                "locked_attributes": ["tags"],
                "created_at": "1970-01-01T00:00:00.000Z",
                "updated_at": "1970-01-01T00:00:00.000Z",
            })
        );
    }

    #[test]
    fn money_in_is_negative_as_stored_and_positive_as_signed() {
        let income = shown(-50_000);
        assert_eq!(income["amount"], "-$5.00");
        assert_eq!(income["signed_amount_cents"], 500);
        assert_eq!(income["classification"], "income");
        let nothing = shown(0);
        assert_eq!(nothing["classification"], "expense");
        assert_eq!(nothing["signed_amount_decimal"], "0.00");
    }
}
