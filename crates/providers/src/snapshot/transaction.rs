//! Transactions of an account.

use jiff::Timestamp;
use jiff::civil::Date;
use rust_decimal::Decimal;

use super::{StatedCurrency, UnreadableRow};

/// The transactions of an account in a window of days.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TransactionsSnapshot {
    /// The transactions, in the order of the answer. Equal rows are several transactions: two
    /// coffees of one day stay two.
    pub rows: Vec<TransactionSnapshot>,
    /// Rows that can't be read.
    pub unreadable: Vec<UnreadableRow>,
    /// Whether these are all.
    pub completeness: Completeness,
}

/// Whether an answer has all transactions of its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Completeness {
    /// Nothing speaks against it.
    #[default]
    Whole,
    /// The provider reports another number of rows than it gives, but asking for parts has shown
    /// that it has no others.
    NumberDiffers,
    /// The provider reports a problem that may concern the account. What came is used; what is
    /// missing isn't known to be gone, and the days are asked for again for a while.
    Doubtful,
    /// The provider reports that there are more, but doesn't give them. What is missing in such an
    /// answer isn't known to be gone.
    Partial,
}

/// A transaction as the provider reports it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct TransactionSnapshot {
    /// The id at the provider. Not every row has one, and it is unique in its account at most.
    pub id: Option<String>,
    /// The amount; positive if money comes into the account.
    pub amount: Decimal,
    /// The currency of the amount; never [`StatedCurrency::Unknown`].
    pub currency: StatedCurrency,
    /// The day: as it was sent, or that of `moment` in UTC.
    pub date: Date,
    /// The time that was sent instead of a day, for whoever knows the time zone.
    pub moment: Option<Timestamp>,
    /// The other side, as the provider recognised it.
    pub payee: Option<String>,
    /// The text of the bank.
    pub description: Option<String>,
    /// Whether it isn't booked yet.
    pub pending: bool,
}
