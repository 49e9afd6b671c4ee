//! What answers say of a transaction.

use purser_app::transactions::{Category, Merchant, Tag, Transaction};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::api::accounts::view::AccountSummaryBody;
use crate::api::categories::icon;
use crate::api::converted::ConvertedBody;
use crate::api::transfers::view::CounterpartBody;
use crate::http::money::Amount;
use crate::http::time::Time;

/// A transaction.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Transaction)]
pub(in crate::api) struct TransactionBody {
    /// Its id.
    id: Uuid,
    /// Which day.
    #[schema(format = Date, example = "2026-01-15")]
    date: String,
    /// The amount as it is stored, positive for money out, formatted.
    #[schema(example = "$1,234.56")]
    amount: String,
    /// The amount, exact; positive for money out.
    #[schema(example = "1234.56")]
    amount_decimal: String,
    /// The amount in the currency's smallest unit; positive for money out.
    #[schema(example = 123_456)]
    amount_cents: i64,
    /// The amount in the currency's smallest unit; positive for money in.
    #[schema(example = -123_456)]
    signed_amount_cents: i64,
    /// The amount, exact; positive for money in.
    #[schema(example = "-1234.56")]
    signed_amount_decimal: String,
    /// The code of the amount's currency.
    #[schema(example = "USD")]
    currency: &'static str,
    /// What it is called.
    #[schema(example = "Grocery store")]
    name: String,
    /// Free text; null when there is none.
    #[schema(required)]
    notes: Option<String>,
    /// `income` for money in; `expense` for money out and amounts of zero.
    #[schema(example = "expense")]
    classification: &'static str,
    /// Whether the bank has authorised it but not yet posted it.
    pending: bool,
    /// The id of whoever brought it; null when there is none.
    #[schema(required)]
    external_id: Option<String>,
    /// Who brought it; null when nobody said.
    #[schema(required)]
    source: Option<String>,
    /// In which account.
    account: AccountSummaryBody,
    /// Null when it has none.
    #[schema(required)]
    category: Option<CategoryBody>,
    /// Null when it has none.
    #[schema(required)]
    merchant: Option<MerchantBody>,
    /// By name; empty when it has none.
    tags: Vec<TagBody>,
    /// The transfer between the family's own accounts that it is one side of: the confirmed one, or
    /// the best proposal. Null when there is none.
    #[schema(required)]
    transfer: Option<CounterpartBody>,
    /// Whether reports and budgets leave it out.
    excluded: bool,
    /// Whether it is split: lists and reports show its parts in its place.
    is_split: bool,
    /// The transaction that it is a part of; null when it is a whole one.
    #[schema(required)]
    parent_id: Option<Uuid>,
    /// The amount in the account's currency, if it is in another; null otherwise.
    #[schema(required)]
    converted: Option<ConvertedBody>,
    /// The fields that a person has set: `name`, `category`, `merchant`, `tags`, `notes`,
    /// `excluded`, `date`, `amount`. Rules and imports leave them alone.
    #[schema(example = json!(["category"]))]
    locked_attributes: Vec<&'static str>,
    /// When it was added.
    created_at: Time,
    /// When it changed last.
    updated_at: Time,
}

/// What a transaction shows of its category.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionCategory)]
pub(crate) struct CategoryBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
    #[schema(example = "Groceries")]
    name: String,
    /// `#rrggbb`: its own, else the parent's, else one that is always the same.
    #[schema(example = "#e07a3f")]
    color: String,
    /// The name of an icon; `shapes` when nobody chose one.
    #[schema(example = "shopping-basket")]
    icon: String,
    /// The category above; null on the first level.
    #[schema(required)]
    parent_id: Option<Uuid>,
}

/// What a transaction shows of its merchant.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionMerchant)]
struct MerchantBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
    #[schema(example = "Corner shop")]
    name: String,
}

/// What a transaction shows of a tag.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TransactionTag)]
struct TagBody {
    /// Its id.
    id: Uuid,
    /// Shown name.
    #[schema(example = "Holiday")]
    name: String,
    /// `#rrggbb`: its own, else one that is always the same.
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
            classification: if transaction.amount < 0 { "income" } else { "expense" },
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
            locked_attributes: transaction.locked.names(),
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
