//! What conditions ask of a transaction.

use std::borrow::Cow;

use jiff::civil::Date;
use uuid::Uuid;

use crate::ledger::locks::Locks;
use crate::money::Currency;

/// What a transaction is, as a condition on its type sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionType {
    /// Money came into the account.
    Income,
    /// Money out, and amounts of zero.
    Expense,
    /// One side of a confirmed transfer between the family's own accounts.
    Transfer,
}

impl TransactionType {
    /// Every type, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Income, Self::Expense, Self::Transfer];

    /// As it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Income => "income",
            Self::Expense => "expense",
            Self::Transfer => "transfer",
        }
    }

    /// The type with a name, such as `income`.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.as_str() == text)
    }
}

/// A transaction, as far as rules know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts<'a> {
    /// The account of the transaction.
    pub account: Uuid,
    /// The day of the transaction.
    pub date: Date,
    /// Positive = money out, in the scale of its currency.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that it has now.
    pub name: Cow<'a, str>,
    /// The name that its source gave it.
    pub source_name: Cow<'a, str>,
    /// Free text of people.
    pub notes: Option<Cow<'a, str>>,
    /// The category, if there is one.
    pub category: Option<Uuid>,
    /// The merchant, if there is one.
    pub merchant: Option<Uuid>,
    /// The tags, each once.
    pub tags: Vec<Uuid>,
    /// Whether reports and budgets leave it out.
    pub excluded: bool,
    /// Whether it is in a confirmed transfer.
    pub transfer: bool,
    /// The fields that a person has set.
    pub locked: Locks,
}

impl Facts<'_> {
    /// How long its texts are, in bytes.
    pub(super) fn text_bytes(&self) -> usize {
        self.name.len()
            + self.source_name.len()
            + self.notes.as_ref().map_or(0, |notes| notes.len())
    }

    /// Income, expense, or neither.
    pub fn transaction_type(&self) -> TransactionType {
        if self.transfer {
            TransactionType::Transfer
        } else if self.amount < 0 {
            TransactionType::Income
        } else {
            TransactionType::Expense
        }
    }
}
