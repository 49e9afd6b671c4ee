//! Entries: what happened in an account on a day.

use crate::named::text_enum;

text_enum! {
    /// What an entry is.
    EntryKind {
        /// Money in or out.
        Transaction = "transaction",
        /// The account's value at the end of a day.
        Valuation = "valuation",
        /// Securities bought or sold.
        Trade = "trade",
        /// A part of a transaction that was split.
        Part = "part",
    }
}

text_enum! {
    /// Where a valuation comes from.
    ValuationKind {
        /// Made by a person or a client.
        Reconciliation = "reconciliation",
        /// The balance with which the account starts.
        OpeningAnchor = "opening_anchor",
        /// The bank's own current balance.
        CurrentAnchor = "current_anchor",
    }
}

impl EntryKind {
    /// The number that is stored in the database.
    pub fn code(self) -> i64 {
        match self {
            Self::Transaction => 0,
            Self::Valuation => 1,
            Self::Trade => 2,
            Self::Part => 3,
        }
    }
}
