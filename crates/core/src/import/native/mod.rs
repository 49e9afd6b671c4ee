//! The server's own NDJSON: one record on each line. `docs/native.md` describes the format.
//!
//! A file is read twice. [`Survey`] takes every line first: which ids the file has, and what single
//! lines need to know of its accounts, budgets and categories. Then [`Survey::read`] makes a typed
//! [`Record`] of each line, or lists every reason why it can't. Lines may stand in any order. What
//! the survey keeps is small: 16 bytes for each id.

mod entries;
mod fields;
mod held;
mod ids;
mod kind;
mod labels;
mod object;
mod plans;
mod references;
mod securities;
mod sides;
mod survey;
#[cfg(test)]
mod tests;
mod trades;
mod types;
mod verification;

pub use entries::{EntryFacts, Labels, Part, Tombstone, Transaction, Valuation};
pub use ids::SortedKeys;
pub use kind::{Interpreter, NativeKind, Row};
pub use labels::{Account, Category, Merchant, Tag};
pub use plans::{Budget, BudgetCategory, RecurringTransaction, RejectedTransfer, Rule, Transfer};
pub use securities::{
    Balance, ExchangeRate, Holding, HoldingCost, Security, SecurityName, SecurityPrice,
};
pub(crate) use survey::Context;
pub use survey::{FileFacts, Survey};
pub use trades::Trade;
pub use types::RecordTypes;
pub use verification::{FamilyCounts, Mismatch, Readback, ReadbackStatus, RecordCounts};

use crate::error::Problems;
use crate::limits::NATIVE_LINE_BYTES_MAX;
use crate::named::{Named as _, text_enum};
use fields::Fields;
use object::{Object, string};

/// What a file calls a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub String);

text_enum! {
    /// The type of a record.
    RecordType {
        /// The settings of the family, which an import leaves alone.
        Family = "Family",
        /// An account with its balance.
        Account = "Account",
        /// A balance of a day, as another program computed it.
        Balance = "Balance",
        /// A category of transactions.
        Category = "Category",
        /// A tag of transactions.
        Tag = "Tag",
        /// A merchant of transactions.
        Merchant = "Merchant",
        /// Transactions that come every month.
        RecurringTransaction = "RecurringTransaction",
        /// Money in or out of an account.
        Transaction = "Transaction",
        /// Two transactions that are one movement.
        Transfer = "Transfer",
        /// Two transactions that are no transfer.
        RejectedTransfer = "RejectedTransfer",
        /// A trade of a security.
        Trade = "Trade",
        /// A position on a day.
        Holding = "Holding",
        /// The value of an account on a day.
        Valuation = "Valuation",
        /// The plan for a month.
        Budget = "Budget",
        /// The plan for a category.
        BudgetCategory = "BudgetCategory",
        /// Conditions and actions for transactions.
        Rule = "Rule",
        /// A security that can be traded.
        Security = "Security",
        /// The price of a security on a day.
        SecurityPrice = "SecurityPrice",
        /// The worth of a currency on a day.
        ExchangeRate = "ExchangeRate",
        /// The cost of a position that a person stated.
        HoldingCost = "HoldingCost",
        /// What a deleted entry leaves behind.
        Tombstone = "Tombstone",
    }
}

impl RecordType {
    /// The name under which the verification of an import counts records of the type; none for the
    /// types that only this server has.
    pub fn count_key(self) -> Option<&'static str> {
        Some(match self {
            Self::Account => "accounts",
            Self::Balance => "balances",
            Self::Category => "categories",
            Self::Tag => "tags",
            Self::Merchant => "merchants",
            Self::RecurringTransaction => "recurring_transactions",
            Self::Transaction => "transactions",
            Self::Transfer => "transfers",
            Self::RejectedTransfer => "rejected_transfers",
            Self::Trade => "trades",
            Self::Holding => "holdings",
            Self::Valuation => "valuations",
            Self::Budget => "budgets",
            Self::BudgetCategory => "budget_categories",
            Self::Rule => "rules",
            Self::Family
            | Self::Security
            | Self::SecurityPrice
            | Self::ExchangeRate
            | Self::HoldingCost
            | Self::Tombstone => return None,
        })
    }
}

/// A record that was read and judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Record {
    /// The settings of the family, which an import leaves alone.
    Family,
    /// An account with its balance.
    Account(Account),
    /// A balance of a day, as another program computed it.
    Balance(Balance),
    /// A category of transactions.
    Category(Category),
    /// A tag of transactions.
    Tag(Tag),
    /// A merchant of transactions.
    Merchant(Merchant),
    /// Transactions that come every month.
    RecurringTransaction(RecurringTransaction),
    /// Money in or out of an account.
    Transaction(Box<Transaction>),
    /// Two transactions that are one movement.
    Transfer(Transfer),
    /// Two transactions that are no transfer.
    RejectedTransfer(RejectedTransfer),
    /// A trade of a security.
    Trade(Box<Trade>),
    /// A position on a day.
    Holding(Holding),
    /// The value of an account on a day.
    Valuation(Valuation),
    /// The plan for a month.
    Budget(Budget),
    /// The plan for a category.
    BudgetCategory(BudgetCategory),
    /// Conditions and actions for transactions.
    Rule(Rule),
    /// A security that can be traded.
    Security(Security),
    /// The price of a security on a day.
    SecurityPrice(SecurityPrice),
    /// The worth of a currency on a day.
    ExchangeRate(ExchangeRate),
    /// The cost of a position that a person stated.
    HoldingCost(HoldingCost),
    /// What a deleted entry leaves behind.
    Tombstone(Tombstone),
}

impl Record {
    /// The type of the record.
    pub fn record_type(&self) -> RecordType {
        use RecordType as T;
        match self {
            Self::Family => T::Family,
            Self::Account(_) => T::Account,
            Self::Balance(_) => T::Balance,
            Self::Category(_) => T::Category,
            Self::Tag(_) => T::Tag,
            Self::Merchant(_) => T::Merchant,
            Self::RecurringTransaction(_) => T::RecurringTransaction,
            Self::Transaction(_) => T::Transaction,
            Self::Transfer(_) => T::Transfer,
            Self::RejectedTransfer(_) => T::RejectedTransfer,
            Self::Trade(_) => T::Trade,
            Self::Holding(_) => T::Holding,
            Self::Valuation(_) => T::Valuation,
            Self::Budget(_) => T::Budget,
            Self::BudgetCategory(_) => T::BudgetCategory,
            Self::Rule(_) => T::Rule,
            Self::Security(_) => T::Security,
            Self::SecurityPrice(_) => T::SecurityPrice,
            Self::ExchangeRate(_) => T::ExchangeRate,
            Self::HoldingCost(_) => T::HoldingCost,
            Self::Tombstone(_) => T::Tombstone,
        }
    }
}

/// The type and the fields of a line.
fn parse(line: &str) -> Result<(RecordType, Object<'_>), Problems> {
    let refused = |sentence: String| {
        let mut problems = Problems::new();
        problems.push(crate::error::Problem::sentence(sentence));
        Err(problems)
    };
    if line.len() > NATIVE_LINE_BYTES_MAX {
        return refused(format!("The line has more than {NATIVE_LINE_BYTES_MAX} bytes"));
    }
    if let Some(plain) = types::plain(line) {
        return Ok(plain);
    }
    let Some(record) = Object::parse(line) else {
        return refused("The line is not a JSON object".to_owned());
    };
    let name = record.get("type").and_then(string);
    let (Some(name), Some(data)) = (name, record.get("data")) else {
        return refused("The line must be an object with \"type\" and \"data\"".to_owned());
    };
    let Some(record_type) = RecordType::named(&name) else {
        return refused(format!("The type {name:?} is not known"));
    };
    let Some(data) = Object::parse(data) else {
        return refused("The data must be an object".to_owned());
    };
    Ok((record_type, data))
}

fn read(record_type: RecordType, fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Record {
    use RecordType as T;
    match record_type {
        T::Family => Record::Family,
        T::Account => Record::Account(Account::read(fields, context)),
        T::Balance => Record::Balance(Balance::read(fields, context)),
        T::Category => Record::Category(Category::read(fields)),
        T::Tag => Record::Tag(Tag::read(fields)),
        T::Merchant => Record::Merchant(Merchant::read(fields)),
        T::RecurringTransaction => {
            Record::RecurringTransaction(RecurringTransaction::read(fields, context))
        }
        T::Transaction => Record::Transaction(Box::new(Transaction::read(fields, context))),
        T::Transfer => Record::Transfer(Transfer::read(fields)),
        T::RejectedTransfer => Record::RejectedTransfer(RejectedTransfer::read(fields)),
        T::Trade => Record::Trade(Box::new(Trade::read(fields, context))),
        T::Holding => Record::Holding(Holding::read(fields, context)),
        T::Valuation => Record::Valuation(Valuation::read(fields, context)),
        T::Budget => Record::Budget(Budget::read(fields, context)),
        T::BudgetCategory => Record::BudgetCategory(BudgetCategory::read(fields, context)),
        T::Rule => Record::Rule(Rule::read(fields)),
        T::Security => Record::Security(Security::read(fields)),
        T::SecurityPrice => Record::SecurityPrice(SecurityPrice::read(fields, context)),
        T::ExchangeRate => Record::ExchangeRate(ExchangeRate::read(fields, context)),
        T::HoldingCost => Record::HoldingCost(HoldingCost::read(fields, context)),
        T::Tombstone => Record::Tombstone(Tombstone::read(fields, context)),
    }
}
