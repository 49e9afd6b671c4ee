//! The plan: what is to change in the ledger.
//!
//! An import, a valuation, an edit, and later a bank sync and an undo all become the same kind of
//! value: creations, then [`Change`]s. One executor (`purser_store::ledger`) carries them out in
//! one transaction and writes the audit trail. A large file never becomes a list: its changes are
//! handed over one by one, borrowed from the record that they come from.
//!
//! A plan does not know ids of things that don't exist yet. What it creates first (accounts,
//! categories, tags) it names by [`Slot`], the position among what is created; transactions point
//! to a [`Target`], which is either an existing id or such a slot.

use jiff::civil::Date;
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::ids::{EntryId, ImportId, SecurityId};
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
    /// Exists already.
    Existing(Uuid),
    /// Created by the same plan, before what points to it.
    Created(Slot),
}

/// A thing that must exist before transactions can point to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Creation {
    /// A new account.
    Account(NewAccount),
    /// A new category, below a parent or on the first level.
    Category {
        /// Of its own level, trimmed.
        name: String,
        /// The key of its path, see [`crate::import::mapping`].
        key: String,
        /// The first level, if this is of the second.
        parent: Option<Target>,
        /// `#rrggbb`, if it gets one of its own.
        color: Option<String>,
        /// The name of an icon.
        icon: Option<String>,
    },
    /// A new tag.
    Tag {
        /// Trimmed.
        name: String,
        /// `#rrggbb`, if it gets one of its own.
        color: Option<String>,
    },
    /// A new merchant.
    Merchant {
        /// Trimmed.
        name: String,
        /// `#rrggbb`, if it gets one of its own.
        color: Option<String>,
        /// A domain or an address.
        website: Option<String>,
    },
}

/// One change to something of the family's that is no entry. The executor keeps what it was before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RecordChange {
    /// Changes a category; its entries and those below it go along.
    ReviseCategory(CategoryRevision),
    /// Takes a category away. What has it gets the replacement, or none.
    RemoveCategory {
        /// The category.
        id: Uuid,
        /// What takes its place.
        replacement: Option<Uuid>,
    },
    /// Changes a tag.
    ReviseTag {
        /// The tag.
        id: Uuid,
        /// Another name.
        name: Option<String>,
        /// Another color; `Some(None)` clears it.
        color: Option<Option<String>>,
    },
    /// Takes a tag away, from all entries that have it too.
    RemoveTag {
        /// The tag.
        id: Uuid,
    },
    /// Changes a merchant.
    ReviseMerchant {
        /// The merchant.
        id: Uuid,
        /// Another name.
        name: Option<String>,
        /// Another color; `Some(None)` clears it.
        color: Option<Option<String>>,
        /// Another website; `Some(None)` clears it.
        website: Option<Option<String>>,
    },
    /// Takes a merchant away. What has it gets the replacement, or none.
    RemoveMerchant {
        /// The merchant.
        id: Uuid,
        /// What takes its place.
        replacement: Option<Uuid>,
    },
}

/// What changes of a category; `None` leaves a field alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryRevision {
    /// The category.
    pub id: Uuid,
    /// Another name.
    pub name: Option<String>,
    /// Another place: below a category of the first level, or on the first level itself.
    pub parent: Option<Option<Target>>,
    /// Another color; `Some(None)` clears it.
    pub color: Option<Option<String>>,
    /// Another icon; `Some(None)` clears it.
    pub icon: Option<Option<String>>,
}

impl CategoryRevision {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.name.is_none() && self.parent.is_none() && self.color.is_none() && self.icon.is_none()
    }
}

/// One change to an account's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change<'a> {
    /// Adds a transaction.
    AddTransaction(TransactionDraft<'a>),
    /// Fills fields of a transaction that are empty.
    FillTransaction(TransactionFill<'a>),
    /// Changes a transaction that exists. What its source said of it is kept.
    ReviseTransaction(TransactionRevision<'a>),
    /// Changes a transaction as rules say, which doesn't count as a person's change.
    ApplyRules(RuleRevision<'a>),
    /// Has lists and reports show parts in place of a transaction; they add up to it.
    SplitTransaction {
        /// The transaction.
        entry: EntryId,
        /// In the order in which they are shown.
        parts: &'a [Part],
    },
    /// Puts a transaction together again.
    UnsplitTransaction {
        /// The transaction.
        entry: EntryId,
    },
    /// Takes a transaction away. What its source said is kept, so that it doesn't come again.
    RemoveTransaction {
        /// The entry.
        entry: EntryId,
    },
    /// Sets the account's value at the end of a day. A valuation of that day is replaced in place:
    /// its id and kind stay.
    SetValuation(ValuationDraft),
    /// Changes a valuation that exists; its id and kind stay.
    ReviseValuation(ValuationRevision),
    /// Takes a valuation away.
    RemoveValuation {
        /// The entry.
        entry: EntryId,
    },
    /// Adds a trade; a move between accounts adds two, one in each.
    AddTrade(TradeDraft<'a>),
    /// Changes a trade that exists. Of a move both trades change.
    ReviseTrade(TradeRevision<'a>),
    /// Takes a trade away. Of a move both trades go.
    RemoveTrade {
        /// The entry.
        entry: EntryId,
    },
}

/// A transaction that a plan adds. Borrowed, so that a large file is never held as owned rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionDraft<'a> {
    /// Which account.
    pub account: Target,
    /// Which day.
    pub date: Date,
    /// Positive = money out, in the scale of `currency`.
    pub amount: i64,
    /// Of the amount.
    pub currency: Currency,
    /// What one unit of it is worth in the account's currency, if the source says so.
    pub rate: Option<Decimal>,
    /// As the source says, or as a rule renamed it.
    pub name: &'a str,
    /// As the source says, if a rule renamed it.
    pub source_name: Option<&'a str>,
    /// Free text.
    pub notes: Option<&'a str>,
    /// At most one.
    pub category: Option<Target>,
    /// At most one.
    pub merchant: Option<Target>,
    /// Each once.
    pub tags: &'a [Target],
    /// Left out of reports and budgets.
    pub excluded: bool,
    /// Who says so, together with `external_id` unique in the account.
    pub source: Option<&'a str>,
    /// The other side's id.
    pub external_id: Option<&'a str>,
}

/// What an import knows of a transaction that exists and that the ledger doesn't. Every field that
/// is filled is empty there; the transaction doesn't count as changed by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionFill<'a> {
    /// The transaction.
    pub entry: EntryId,
    /// The import, which an undo takes the fill back for.
    pub import: ImportId,
    /// It has none.
    pub category: Option<Target>,
    /// It has none.
    pub notes: Option<&'a str>,
    /// It has not a single one; each once.
    pub tags: &'a [Target],
    /// The bank's own id; it has none.
    pub external_id: Option<&'a str>,
}

/// What changes in a transaction that exists; `None` leaves a field alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionRevision<'a> {
    /// The entry.
    pub entry: EntryId,
    /// Another day.
    pub date: Option<Date>,
    /// As in [`TransactionDraft::amount`], in the transaction's own currency.
    pub amount: Option<i64>,
    /// What one unit of the amount's currency is worth in the account's; with `Some(None)` the best
    /// rate that is known counts again.
    pub rate: Option<Option<Decimal>>,
    /// Another name.
    pub name: Option<&'a str>,
    /// `Some(None)` clears them.
    pub notes: Option<Option<&'a str>>,
    /// `Some(None)` clears it.
    pub category: Option<Option<Target>>,
    /// `Some(None)` clears it.
    pub merchant: Option<Option<Target>>,
    /// All that it has from now on; each once.
    pub tags: Option<&'a [Target]>,
    /// Whether reports and budgets leave it out.
    pub excluded: Option<bool>,
    /// Fields that rules and imports may change again. What this revision sets is locked, unless it
    /// is named here.
    pub unlock: Locks,
}

/// What rules change in a transaction that exists; never a field that a person has set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRevision<'a> {
    /// The entry.
    pub entry: EntryId,
    /// Another name; the source's own is kept beside it.
    pub name: Option<&'a str>,
    /// Another category.
    pub category: Option<Uuid>,
    /// Another merchant.
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
        self.set_fields().is_empty() && self.rate.is_none()
    }
}

/// A valuation that a plan sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuationDraft {
    /// Which account.
    pub account: Target,
    /// The end of this day.
    pub date: Date,
    /// In the account's currency and its scale; for a liability positive = debt.
    pub amount: i64,
    /// Kind if it is new; a replaced one keeps its own.
    pub kind: ValuationKind,
    /// `None` leaves the notes alone, `Some(None)` clears them.
    pub notes: Option<Option<String>>,
}

/// What changes in a valuation that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuationRevision {
    /// The entry.
    pub entry: EntryId,
    /// Another day; it must be free.
    pub date: Option<Date>,
    /// Another amount, as in [`ValuationDraft::amount`].
    pub amount: Option<i64>,
    /// `None` leaves the notes alone, `Some(None)` clears them.
    pub notes: Option<Option<String>>,
}

/// What a trade says, checked; see [`crate::ledger::new_trade`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeTerms<'a> {
    /// Which day.
    pub date: Date,
    /// What it is.
    pub trade_type: TradeType,
    /// Of price, fee and effect; of a move, that of the account which the shares leave.
    pub currency: Currency,
    /// What one unit of it is worth in the account's currency, if somebody says so; of a move, in
    /// that of the account which the shares come to.
    pub rate: Option<Decimal>,
    /// Of one share; 0 if nobody said.
    pub price: Decimal,
    /// Inside of the cash.
    pub fee: i64,
    /// What it does, in the scale of its currency.
    pub effect: Effect,
    /// Of a split.
    pub split: Option<Split>,
    /// Empty if nobody named it.
    pub name: &'a str,
    /// Free text.
    pub notes: Option<&'a str>,
}

/// A trade that a plan adds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeDraft<'a> {
    /// Which account; it holds securities.
    pub account: Target,
    /// Which security.
    pub security: SecurityId,
    /// The account that the shares move to, if it is one of the family.
    pub to: Option<Target>,
    /// What it says.
    pub terms: TradeTerms<'a>,
    /// Who says so, together with `external_id` unique in the account.
    pub source: Option<&'a str>,
    /// The other side's id.
    pub external_id: Option<&'a str>,
}

/// What a trade says from now on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TradeRevision<'a> {
    /// The entry.
    pub entry: EntryId,
    /// Which security.
    pub security: SecurityId,
    /// All that it says.
    pub terms: TradeTerms<'a>,
}
