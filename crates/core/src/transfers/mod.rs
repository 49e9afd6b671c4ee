//! Transfers: money that went out of one of the family's accounts and came into another.
//!
//! [`Matcher`] takes the entries in the order of their days and finds pairs: opposite signs, equal
//! size and currency, different accounts, at most [`DAYS_MAX`] days apart. Each pair has a score,
//! the reasons for it in sentences, and a decision: it is made without asking, or proposed, or not
//! worth mentioning.
//!
//! ```text
//! entries by day ─► window (equal amounts) ─► evidence ─► the best few of each entry ─► pairs
//! ```
//!
//! The result depends on the set of entries only, not on their order within a day. An entry is in
//! at most one pair that is made without asking, because such a pair has no rival on either side.
//! Amounts in different currencies are never paired: that needs exchange rates.

mod evidence;
mod matcher;
mod window;
mod words;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};

use crate::ids::{AccountId, CategoryId, EntryId};
use crate::ledger::account::{AccountType, Classification};
use crate::money::Currency;
use crate::named::text_enum;

pub use matcher::Matcher;

/// So far apart two entries may be that are looked at as a pair.
pub const DAYS_MAX: i64 = 4;
/// So far apart a pair may be that is made without asking.
pub const DAYS_CERTAIN_MAX: i64 = 3;
/// So far apart a pair may be that a person makes.
pub const DAYS_BY_PERSON_MAX: i64 = 30;
/// Proposals that one entry is in at most.
pub const PROPOSALS_MAX: usize = 3;
/// An entry with more equal ones around it is not paired at all, because nothing distinguishes
/// them.
pub const CANDIDATES_MAX: usize = 16;
/// Where both sides of a pair have so many opposite entries in other accounts within [`DAYS_MAX`]
/// days, whatever their amounts, equal amounts turn up by chance.
pub const CROWD_MIN: u32 = 40;
/// The decision on a pair depends on the entries that are at most so many days from either side.
pub const CONTEXT_DAYS: i64 = 2 * DAYS_MAX;

text_enum! {
    /// What a person decides about a proposed transfer.
    TransferDecision {
        /// The two transactions are one transfer.
        Confirmed = "confirmed",
        /// They are not, and are never proposed again.
        Rejected = "rejected",
    }
}

text_enum! {
    /// What a family wants to be done with transfers that are found.
    Matching {
        /// Make the certain ones, propose others.
        Automatic = "automatic",
        /// Propose pairs, even certain ones, and link none.
        Propose = "propose",
        /// Don't look for pairs.
        Off = "off",
    }
}

text_enum! {
    /// The status of a transfer.
    TransferStatus {
        /// A pair that is proposed to people.
        Pending = "pending",
        /// Made, by a person or because it is certain.
        Confirmed = "confirmed",
    }
}

text_enum! {
    /// Who made a transfer.
    Maker {
        /// The matching found it.
        Matching = "matching",
        /// A person, who made or confirmed it.
        Person = "person",
        /// The file of an import states it.
        Import = "import",
    }
}

text_enum! {
    /// What a transfer is for, by the account that the money came into.
    TransferType {
        /// Between what the family owns.
        Transfer = "transfer",
        /// Money into a loan.
        LoanPayment = "loan_payment",
        /// Into a card or another debt.
        LiabilityPayment = "liability_payment",
    }
}

impl TransferType {
    /// The type of a transfer by the account that the money came into.
    pub fn into_account(account_type: AccountType) -> Self {
        match account_type {
            AccountType::Loan => Self::LoanPayment,
            other if other.classification() == Classification::Liability => Self::LiabilityPayment,
            _ => Self::Transfer,
        }
    }
}

/// A transaction as the matching sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The id of the entry.
    pub id: EntryId,
    /// The account of the entry.
    pub account: AccountId,
    /// The number of its day; only differences matter.
    pub day: i64,
    /// The amount in the currency's scale; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// The name that the source gave.
    pub name: String,
    /// The notes that the source gave.
    pub notes: Option<String>,
    /// The category, if there is one.
    pub category: Option<CategoryId>,
    /// Authorised, not yet posted: it may still change, so it is no candidate.
    pub pending: bool,
    /// A part of a split, or split itself: no candidate.
    pub split: bool,
    /// Whether it is in a confirmed transfer, and so no candidate.
    pub taken: bool,
}

impl Entry {
    /// Whether it may be one side of a pair.
    fn is_free(&self) -> bool {
        !(self.pending || self.split || self.taken || self.amount == 0)
    }
}

/// An account that entries are in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// The name that is shown.
    pub name: String,
    /// The type of the account.
    pub account_type: AccountType,
}

/// Accounts and categories of the entries, and earlier decisions of people.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// Accounts that may be paired; entries of others are ignored.
    pub accounts: HashMap<AccountId, Account>,
    /// Names of categories, with their parents.
    pub categories: HashMap<CategoryId, String>,
    /// Pairs that are no transfers: out, in.
    pub rejected: HashSet<(EntryId, EntryId)>,
}

/// What is to become of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Decision {
    /// The pair is proposed to people.
    Propose,
    /// Certain enough to be made.
    Confirm,
}

/// A pair that is worth mentioning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedPair {
    /// Where the money went out.
    pub outflow: EntryId,
    /// Where it came in.
    pub inflow: EntryId,
    /// The days of the two, out and in.
    pub days: (i64, i64),
    /// What is to become of it.
    pub decision: Decision,
    /// The score, from 0 to 100.
    pub score: u8,
    /// The reasons for the score, in sentences.
    pub reasons: Vec<String>,
}
