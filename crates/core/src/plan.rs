//! The plan: the changes that are to be made in the ledger.
//!
//! An import, a valuation, an edit, a bank sync and an undo all become the same kind of value:
//! creations, then [`Change`]s. One executor (`purser_store::ledger`) executes them in one
//! transaction and writes the audit trail. A large file never becomes a list: its changes are
//! handed over one by one, borrowed from the record that they come from.
//!
//! A plan does not know ids of things that don't exist yet. What it creates first (accounts,
//! categories, tags) it names by [`Slot`], the position among what is created; transactions point
//! to a [`Target`], which is either an existing id or such a slot.

mod parts;
mod records;
mod source;

use jiff::civil::Date;
pub use parts::{PartDraft, TransactionFill};
pub use records::{CategoryRevision, NamedTarget, RuleDraft};
use rust_decimal::Decimal;
pub use source::SourceUpdate;
use uuid::Uuid;

use crate::ids::{AccountId, EntryId, SecurityId};
use crate::ledger::account::NewAccount;
use crate::ledger::entry::ValuationKind;
use crate::ledger::locks::{LockField, Locks};
use crate::ledger::new_trade::Split;
use crate::ledger::split::Part;
use crate::ledger::trade::{Effect, TradeType};
use crate::money::Currency;

/// Position among what a plan creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Slot(pub u32);

/// Something that exists, or that the same plan creates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// The id of something that exists already.
    Existing(Uuid),
    /// The slot of what the same plan creates before it is needed.
    Created(Slot),
}

/// A thing that must exist before transactions can point to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// A new account with its opening balance.
    Account(NewAccount),
    /// A new category, below a parent or on the first level.
    Category {
        /// The name on its own level, trimmed.
        name: String,
        /// The key of its path, see [`crate::import::mapping`].
        key: String,
        /// The category of the first level, if this one is of the second.
        parent: Option<Target>,
        /// `#rrggbb`, if it gets one of its own.
        color: Option<String>,
        /// The name of an icon.
        icon: Option<String>,
    },
    /// A new tag, with a name that the family doesn't have.
    Tag {
        /// The name, without white space around it.
        name: String,
        /// `#rrggbb`; `None` takes the default color.
        color: Option<String>,
    },
    /// A new merchant, with a name that the family doesn't have.
    Merchant {
        /// The name, without white space around it.
        name: String,
        /// `#rrggbb`; `None` takes the default color.
        color: Option<String>,
        /// The domain or the address of its website.
        website: Option<String>,
    },
    /// A new rule with what it names.
    Rule(Box<RuleDraft>),
}

/// One change to a record of the family that is not an entry. The executor keeps a before-image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordChange {
    /// Changes a category; its entries and the categories below it stay with it.
    ReviseCategory(CategoryRevision),
    /// Deletes a category. What had it gets the replacement, or none.
    RemoveCategory {
        /// The category that is deleted.
        id: Uuid,
        /// The category that its entries get instead.
        replacement: Option<Uuid>,
    },
    /// Changes the name or the color of a tag.
    ReviseTag {
        /// The tag that changes.
        id: Uuid,
        /// The new name; `None` leaves it alone.
        name: Option<String>,
        /// Another color; `Some(None)` clears it.
        color: Option<Option<String>>,
    },
    /// Deletes a tag and removes it from its entries.
    RemoveTag {
        /// The tag that is deleted.
        id: Uuid,
    },
    /// Changes fields of a merchant.
    ReviseMerchant {
        /// The merchant that changes.
        id: Uuid,
        /// The new name; `None` leaves it alone.
        name: Option<String>,
        /// Another color; `Some(None)` clears it.
        color: Option<Option<String>>,
        /// Another website; `Some(None)` clears it.
        website: Option<Option<String>>,
    },
    /// Deletes a merchant. What had it gets the replacement, or none.
    RemoveMerchant {
        /// The merchant that is deleted.
        id: Uuid,
        /// The merchant that its entries get instead.
        replacement: Option<Uuid>,
    },
    /// Gives a rule other values.
    ReviseRule {
        /// The rule that changes.
        id: Uuid,
        /// All its values from now on.
        draft: Box<RuleDraft>,
    },
}

/// One change to an account's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<'a> {
    /// Adds a transaction to an account.
    AddTransaction(TransactionDraft<'a>),
    /// Adds a transaction that the bank has not booked yet. It has no part in balances.
    AddPending(TransactionDraft<'a>),
    /// A transaction takes over what its source reports now.
    FollowSource(SourceUpdate<'a>),
    /// A source stands behind a transaction from now on: an undo of its import leaves it alone.
    ClaimTransaction {
        /// The transaction that came from elsewhere.
        entry: EntryId,
    },
    /// Deletes a transaction that its source doesn't report any more, without a tombstone.
    WithdrawTransaction {
        /// The transaction that is deleted.
        entry: EntryId,
    },
    /// Adds a transaction with its parts, which add up to it. None of it counts as changed.
    AddSplit {
        /// The transaction, without a category of its own.
        whole: TransactionDraft<'a>,
        /// The parts in the order in which they are shown: two at least.
        parts: &'a [PartDraft<'a>],
    },
    /// Fills fields of a transaction that are empty.
    FillTransaction(TransactionFill<'a>),
    /// Changes a transaction that exists. Its origin is kept.
    ReviseTransaction(TransactionRevision<'a>),
    /// Changes a transaction by rules, which doesn't count as a person's change.
    ApplyRules(RuleRevision<'a>),
    /// Has lists and reports show parts in place of a transaction; they add up to it.
    SplitTransaction {
        /// The transaction that is split.
        entry: EntryId,
        /// The parts in the order in which they are shown.
        parts: &'a [Part],
    },
    /// Removes the parts of a split transaction.
    UnsplitTransaction {
        /// The transaction that was split.
        entry: EntryId,
    },
    /// Deletes a transaction. Its origin is kept as a tombstone, so that it doesn't come again.
    RemoveTransaction {
        /// The transaction that is deleted.
        entry: EntryId,
    },
    /// Sets the account's value at the end of a day. A valuation of that day is replaced in place:
    /// its id and kind stay.
    SetValuation(ValuationDraft),
    /// Changes a valuation that exists; its id and kind stay.
    ReviseValuation(ValuationRevision),
    /// Deletes a valuation of an account.
    RemoveValuation {
        /// The valuation that is deleted.
        entry: EntryId,
    },
    /// Adds a trade; one that moves shares between accounts adds two, one in each.
    AddTrade(TradeDraft<'a>),
    /// Changes a trade that exists. Of a move between accounts both trades change.
    ReviseTrade(TradeRevision<'a>),
    /// Deletes a trade. Of a move between accounts both trades are deleted.
    RemoveTrade {
        /// The trade that is deleted.
        entry: EntryId,
    },
}

/// A transaction that a plan adds. Borrowed, so that a large file is never held as owned rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionDraft<'a> {
    /// The account that it is added to.
    pub account: Target,
    /// The day of the transaction.
    pub date: Date,
    /// The amount in the scale of `currency`; positive = money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// What one unit of it is worth in the account's currency, if the source states it.
    pub rate: Option<Decimal>,
    /// The name that the source gave it, or the one that a rule gave it.
    pub name: &'a str,
    /// The name that the source gave it, if a rule renamed it.
    pub source_name: Option<&'a str>,
    /// Free text of people or of the source.
    pub notes: Option<&'a str>,
    /// At most one category.
    pub category: Option<Target>,
    /// At most one merchant.
    pub merchant: Option<Target>,
    /// The tags, each once.
    pub tags: &'a [Target],
    /// Left out of reports and budgets.
    pub excluded: bool,
    /// The name of the source; together with `external_id` it is unique in the account.
    pub source: Option<&'a str>,
    /// The id that the source gave it.
    pub external_id: Option<&'a str>,
}

/// The changes of a transaction that exists; `None` leaves a field alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionRevision<'a> {
    /// The transaction that changes.
    pub entry: EntryId,
    /// The account that it is moved to.
    pub account: Option<AccountId>,
    /// The new day of the transaction.
    pub date: Option<Date>,
    /// As in [`TransactionDraft::amount`], in the transaction's own currency.
    pub amount: Option<i64>,
    /// What one unit of the amount's currency is worth in the account's; with `Some(None)` the best
    /// rate that is known counts again.
    pub rate: Option<Option<Decimal>>,
    /// The new name of the transaction.
    pub name: Option<&'a str>,
    /// The new notes; `Some(None)` clears them.
    pub notes: Option<Option<&'a str>>,
    /// The new category; `Some(None)` clears it.
    pub category: Option<Option<Target>>,
    /// The new merchant; `Some(None)` clears it.
    pub merchant: Option<Option<Target>>,
    /// All tags that it has from now on, each once.
    pub tags: Option<&'a [Target]>,
    /// Whether reports and budgets leave it out.
    pub excluded: Option<bool>,
    /// Fields that rules and imports may change again. What this revision sets is locked, unless it
    /// is named here.
    pub unlock: Locks,
}

/// The changes that rules make in a transaction; never of a field that a person has set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRevision<'a> {
    /// The transaction that changes.
    pub entry: EntryId,
    /// The new name; the name that its source gave it is kept beside it.
    pub name: Option<&'a str>,
    /// The new category of the transaction.
    pub category: Option<Uuid>,
    /// The new merchant of the transaction.
    pub merchant: Option<Uuid>,
    /// Tags that it doesn't have yet; each once.
    pub tags: &'a [Uuid],
    /// Whether it is left out of reports and budgets from now on.
    pub exclude: bool,
}

impl TransactionRevision<'_> {
    /// The fields that it sets.
    pub fn set_fields(&self) -> Locks {
        Locks::NONE
            .with(LockField::Date, self.date.is_some())
            .with(LockField::Amount, self.amount.is_some())
            .with(LockField::Name, self.name.is_some())
            .with(LockField::Notes, self.notes.is_some())
            .with(LockField::Category, self.category.is_some())
            .with(LockField::Merchant, self.merchant.is_some())
            .with(LockField::Tags, self.tags.is_some())
            .with(LockField::Excluded, self.excluded.is_some())
    }

    /// Whether it sets nothing.
    pub fn is_empty(&self) -> bool {
        self.set_fields().is_empty() && self.rate.is_none() && self.account.is_none()
    }
}

/// A valuation that a plan sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuationDraft {
    /// The account that is valued.
    pub account: Target,
    /// The day at the end of which the value holds.
    pub date: Date,
    /// The value in the account's currency and its scale; for a liability positive = debt.
    pub amount: i64,
    /// Kind if it is new; a replaced one keeps its own.
    pub kind: ValuationKind,
    /// `None` leaves the notes alone, `Some(None)` clears them.
    pub notes: Option<Option<String>>,
}

/// What changes in a valuation that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuationRevision {
    /// The valuation that changes.
    pub entry: EntryId,
    /// The new day, on which the account has no other valuation.
    pub date: Option<Date>,
    /// The new amount, as in [`ValuationDraft::amount`].
    pub amount: Option<i64>,
    /// `None` leaves the notes alone, `Some(None)` clears them.
    pub notes: Option<Option<String>>,
}

/// The checked contents of a trade; see [`crate::ledger::new_trade`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeTerms<'a> {
    /// The day of the trade.
    pub date: Date,
    /// The type of the trade.
    pub trade_type: TradeType,
    /// The currency of price, fee and effect; of a move between accounts, that of the account which
    /// the shares leave.
    pub currency: Currency,
    /// What one unit of it is worth in the account's currency, if it was stated; of a move, in that
    /// of the account which the shares come to.
    pub rate: Option<Decimal>,
    /// The price of one share; 0 if it was not stated.
    pub price: Decimal,
    /// The fee, which is included in the cash.
    pub fee: i64,
    /// What it does to cash, units and cost, in the scale of its currency.
    pub effect: Effect,
    /// The ratio of a share split.
    pub split: Option<Split>,
    /// The name; empty if none was given.
    pub name: &'a str,
    /// Free text of people or of the source.
    pub notes: Option<&'a str>,
}

/// A trade that a plan adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeDraft<'a> {
    /// The account that it is added to; it holds securities.
    pub account: Target,
    /// The security that is traded.
    pub security: SecurityId,
    /// The account that the shares move to, if it is one of the family.
    pub to: Option<Target>,
    /// The contents of the trade.
    pub terms: TradeTerms<'a>,
    /// The name of the source; together with `external_id` it is unique in the account.
    pub source: Option<&'a str>,
    /// The id that the source gave it.
    pub external_id: Option<&'a str>,
}

/// The new contents of a trade that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeRevision<'a> {
    /// The trade that changes.
    pub entry: EntryId,
    /// The security that is traded.
    pub security: SecurityId,
    /// All contents from now on.
    pub terms: TradeTerms<'a>,
}
