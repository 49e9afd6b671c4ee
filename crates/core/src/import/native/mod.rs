//! The server's own NDJSON: one record on each line. `docs/native.md` describes the format.
//!
//! A file is read twice. [`Survey`] takes every line first: which ids the file has, and the
//! currencies of its accounts and budgets. Then [`Survey::read`] makes a typed [`Record`] of each
//! line, or lists every reason why it can't. Lines may stand in any order. What the survey keeps is
//! small: 16 bytes for each id.

mod entries;
mod ids;
mod labels;
mod object;
mod plans;
mod references;
mod securities;
#[cfg(test)]
mod tests;
mod verification;

use std::collections::HashMap;

use jiff::civil::Date;

pub use entries::{EntryFacts, Labels, Part, Tombstone, Trade, Transaction, Valuation};
pub use ids::{RecordIds, Repeated};
pub use labels::{Account, Category, Merchant, Tag};
pub use plans::{Budget, BudgetCategory, RecurringTransaction, RejectedTransfer, Rule, Transfer};
pub use securities::{
    Balance, ExchangeRate, Holding, HoldingCost, Security, SecurityName, SecurityPrice,
};
pub use verification::{FamilyCounts, Mismatch, Readback, ReadbackStatus, RecordCounts};

use crate::error::Problems;
use crate::limits::NATIVE_LINE_BYTES_MAX;
use crate::money::Currency;
use crate::named::{Named as _, text_enum};
use object::{Fields, Object, string};

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

/// What a line is read with, besides the line.
pub(crate) struct Context<'c> {
    /// The day of the upload, to which the limit of future days refers.
    pub(crate) as_of: Date,
    /// The currency where nothing nearer names one.
    pub(crate) family_currency: Currency,
    currencies: &'c Currencies,
}

/// The currencies of records that others have amounts of.
#[derive(Debug, Default)]
struct Currencies {
    accounts: HashMap<SourceId, Currency>,
    budgets: HashMap<SourceId, Currency>,
}

impl Context<'_> {
    /// The currency of an account of the file. For one that isn't there the reference is the
    /// problem.
    fn currency_of_account(&self, account: &SourceId) -> Currency {
        self.currencies.accounts.get(account).copied().unwrap_or(self.family_currency)
    }

    fn currency_of_budget(&self, budget: &SourceId) -> Currency {
        self.currencies.budgets.get(budget).copied().unwrap_or(self.family_currency)
    }
}

/// What a whole file has, as far as single lines need it.
#[derive(Debug)]
pub struct Survey {
    as_of: Date,
    family_currency: Currency,
    ids: RecordIds,
    currencies: Currencies,
}

impl Survey {
    /// For a file that is uploaded on a day, by a family with this currency.
    pub fn new(as_of: Date, family_currency: Currency) -> Self {
        let (ids, currencies) = (RecordIds::default(), Currencies::default());
        Self { as_of, family_currency, ids, currencies }
    }

    /// Takes the next line of the first pass. What can't be read is found in the second.
    pub fn line(&mut self, line: &str) {
        let Ok((record_type, data)) = parse(line) else { return };
        let mut problems = Problems::new();
        let mut fields = Fields::new(&data, "", &mut problems);
        let Some(id) = fields.id("id") else { return };
        let currency = fields.currency("currency").unwrap_or(self.family_currency);
        match record_type {
            RecordType::Account => {
                self.currencies.accounts.insert(id.clone(), currency);
            }
            RecordType::Budget => {
                self.currencies.budgets.insert(id.clone(), currency);
            }
            RecordType::Transaction => {
                let parts = ["split_lines", "splitLines", "splits"];
                let parts = fields.list(&parts, |part| part.id("id")).unwrap_or_default();
                for part in parts.into_iter().flatten() {
                    self.ids.add(RecordType::Transaction, &part);
                }
            }
            _ => {}
        }
        self.ids.add(record_type, &id);
    }

    /// Ends the first pass.
    pub fn finish(&mut self) {
        self.ids.sort();
    }

    /// The record of a line in the second pass, or every reason why it can't be taken. Lines are
    /// to be read in their order: of two records with one id the first one is taken.
    ///
    /// # Errors
    /// The problems of the line.
    pub fn read(&self, line: &str, repeated: &mut Repeated) -> Result<Record, Problems> {
        let (record_type, data) = parse(line)?;
        let context = Context {
            as_of: self.as_of,
            family_currency: self.family_currency,
            currencies: &self.currencies,
        };
        let mut problems = Problems::new();
        let record = read(record_type, &mut Fields::new(&data, "", &mut problems), &context);
        record.references(&mut |of, id, field| {
            if !id.0.is_empty() && !self.ids.has(of, id) {
                problems
                    .field(field, format!("is {:?}, which no {} of the file has", id.0, of.name()));
            }
        });
        for id in record.ids() {
            if !self.ids.is_first(record_type, id, repeated) {
                problems.field("id", format!("is {:?}, as an earlier {record_type:?} has", id.0));
            }
        }
        if problems.is_empty() { Ok(record) } else { Err(problems) }
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
