//! Entries: what happened in an account on a day.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::account::text_enum;
use crate::ids::{AccountId, CategoryId, MerchantId, TagId};
use crate::money::Currency;

text_enum! {
    /// What an entry is.
    EntryKind {
        /// Money in or out.
        Transaction = "transaction",
        /// The account's value at the end of a day.
        Valuation = "valuation",
        /// Securities bought or sold.
        Trade = "trade",
    }
}

text_enum! {
    /// Where a valuation comes from.
    ValuationKind {
        /// Made by a person or a client.
        Reconciliation = "reconciliation",
        /// The account's start.
        OpeningAnchor = "opening_anchor",
        /// The bank's own current balance.
        CurrentAnchor = "current_anchor",
    }
}

impl EntryKind {
    /// The number that stands in the database.
    pub fn code(self) -> i64 {
        match self {
            Self::Transaction => 0,
            Self::Valuation => 1,
            Self::Trade => 2,
        }
    }
}

/// A transaction before it has an id.
///
/// `amount` is positive for money out and is in the scale of `currency`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewTransaction {
    /// Where it happened.
    pub account: AccountId,
    /// When.
    pub date: Date,
    /// Positive = money out, in the currency's scale.
    pub amount: i64,
    /// Of the amount.
    pub currency: Currency,
    /// As the file, the bank or the person says.
    pub name: String,
    /// Free text.
    pub notes: Option<String>,
    /// At most one.
    pub category: Option<CategoryId>,
    /// Whom it was paid to or by.
    pub merchant: Option<MerchantId>,
    /// Any number, each once.
    pub tags: Vec<TagId>,
    /// Who says so: `csv`, `api`, a provider; together with `external_id` unique in the account.
    pub source: Option<String>,
    /// The other side's id.
    pub external_id: Option<String>,
}
