//! What a whole file has, as far as single lines need it, and how a line is judged with it.

use std::collections::HashMap;

use jiff::civil::Date;

use super::ids::{Claim, RecordIds, day_key, key};
use super::object::Fields;
use super::sides::Sides;
use super::{Record, RecordCounts, RecordType, SourceId, parse, read};
use crate::error::Problems;
use crate::ledger::account::AccountType;
use crate::ledger::security::Listing;
use crate::money::Currency;
use crate::named::Named as _;

/// What a line is read with, besides the line.
pub(crate) struct Context<'c> {
    /// The day of the upload, to which the limit of future days refers.
    pub(crate) as_of: Date,
    /// The currency where nothing nearer names one.
    pub(crate) family_currency: Currency,
    survey: &'c Survey,
}

/// What single lines need to know of an account of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct AccountFacts {
    currency: Option<Currency>,
    account_type: Option<AccountType>,
}

impl Context<'_> {
    /// The currency of an account of the file. For one that isn't there the reference is the
    /// problem.
    pub(super) fn currency_of_account(&self, account: &SourceId) -> Currency {
        let facts = self.survey.accounts.get(account);
        facts.and_then(|facts| facts.currency).unwrap_or(self.family_currency)
    }

    pub(super) fn currency_of_budget(&self, budget: &SourceId) -> Currency {
        let own = self.survey.budgets.get(budget).copied().flatten();
        own.unwrap_or(self.family_currency)
    }
}

/// What a whole file has, as far as single lines need it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    ids: RecordIds,
    accounts: HashMap<SourceId, AccountFacts>,
    budgets: HashMap<SourceId, Option<Currency>>,
    /// Categories that are below another one.
    children: HashMap<SourceId, SourceId>,
    sides: Sides,
    counts: RecordCounts,
    entries: u64,
}

impl Survey {
    /// Takes the next line of the first pass. What can't be read is found in the second.
    pub fn line(&mut self, line: &str) {
        let Ok((record_type, data)) = parse(line) else { return };
        let mut problems = Problems::new();
        let mut fields = Fields::new(&data, "", &mut problems);
        self.counts.add(record_type);
        match record_type {
            RecordType::Transaction => self.transaction(&mut fields),
            RecordType::Transfer => self.sides.transfer(&mut fields),
            RecordType::Trade => self.entries += 1,
            RecordType::Holding => {
                let security = fields.id("security_id").map(|id| id.0);
                let market = fields.text(&["exchange_operating_mic", "exchange_mic"]);
                let ticker = fields.text(&["ticker"]).unwrap_or_default();
                let ticker = format!("{ticker} {}", market.unwrap_or_default()).to_uppercase();
                let day = fields.calendar_day("date");
                if let (Some(account), Some(date)) = (fields.id("account_id"), day) {
                    let held = SourceId(held_in(&account, security.as_deref(), &ticker));
                    self.ids.add(Claim::HeldDay, day_key(&held, date));
                }
            }
            RecordType::Valuation => {
                self.entries += 1;
                let day = fields.calendar_day("date");
                if let (Some(account), Some(date)) = (fields.id("account_id"), day) {
                    self.ids.add(Claim::ValuedDay, day_key(&account, date));
                }
            }
            _ => {}
        }
        let Some(id) = fields.id("id") else { return };
        match record_type {
            RecordType::Account => {
                let text = fields.text(&["accountable_type"]);
                let account_type = text.and_then(|text| AccountType::read(&text));
                let currency = fields.currency("currency");
                self.accounts.insert(id.clone(), AccountFacts { currency, account_type });
                // An opening balance with a day becomes an entry.
                self.entries += 1;
            }
            RecordType::Transaction => self.sides.transaction(&id, &mut fields),
            RecordType::Budget => {
                self.budgets.insert(id.clone(), fields.currency("currency"));
            }
            RecordType::Category => {
                if let Some(parent) = fields.id("parent_id") {
                    self.children.insert(id.clone(), parent);
                }
            }
            _ => {}
        }
        self.ids.add(Claim::Id(record_type), key(&id));
    }

    fn transaction(&mut self, fields: &mut Fields<'_, '_>) {
        self.entries += 1;
        let lists = ["split_lines", "splitLines", "splits"];
        let parts = fields.list(&lists, |part| part.id("id")).unwrap_or_default();
        self.entries += parts.len() as u64;
        for part in parts.into_iter().flatten() {
            self.ids.add(Claim::Id(RecordType::Transaction), key(&part));
            self.ids.add(Claim::Part, key(&part));
        }
    }

    /// Ends the first pass.
    pub fn finish(&mut self) {
        self.ids.sort();
        let own = |(id, facts): (&SourceId, &AccountFacts)| Some((key(id), facts.currency?));
        self.sides.finish(&self.accounts.iter().filter_map(own).collect());
    }

    /// How many records of each type the file has, readable or not.
    pub fn counts(&self) -> &RecordCounts {
        &self.counts
    }

    /// How many entries its records can become, parts of transactions among them.
    pub fn entries_max(&self) -> u64 {
        self.entries
    }

    /// The record of a line in the second pass, or every reason why it can't be taken. Limits of
    /// days refer to the day `as_of`.
    ///
    /// # Errors
    /// The problems of the line.
    pub fn read(
        &self,
        line: &str,
        as_of: Date,
        family_currency: Currency,
    ) -> Result<Record, Problems> {
        let (record_type, data) = parse(line)?;
        let context = Context { as_of, family_currency, survey: self };
        let mut problems = Problems::new();
        let record = read(record_type, &mut Fields::new(&data, "", &mut problems), &context);
        record.references(&mut |of, id, field| {
            if !id.0.is_empty() && !self.ids.has(Claim::Id(of), key(id)) {
                problems
                    .field(field, format!("is {:?}, which no {} of the file has", id.0, of.name()));
            }
        });
        for id in record.ids() {
            if self.ids.is_of_several(Claim::Id(record_type), key(id)) {
                let sentence = format!("is {:?}, as another {} has", id.0, record_type.name());
                problems.field("id", sentence);
            }
        }
        self.judge(&record, &context, &mut problems);
        if problems.is_empty() { Ok(record) } else { Err(problems) }
    }

    /// What the record means beside others.
    fn judge(&self, record: &Record, context: &Context<'_>, problems: &mut Problems) {
        match record {
            Record::Category(category) => {
                let is_child = |parent: &SourceId| self.children.contains_key(parent);
                if category.parent.as_ref().is_some_and(is_child) {
                    problems.field("parent_id", "is below another category: there are two levels");
                }
            }
            Record::Trade(trade) => self.require_portfolio(&trade.facts.account, problems),
            Record::Holding(holding) => {
                self.require_portfolio(&holding.account, problems);
                let security = holding.security.id.as_ref().map(|id| id.0.as_str());
                let Listing { ticker, exchange_operating_mic } = &holding.security.listing;
                let ticker = format!("{ticker} {exchange_operating_mic}");
                let held = SourceId(held_in(&holding.account, security, &ticker));
                if self.ids.is_of_several(Claim::HeldDay, day_key(&held, holding.date)) {
                    problems.field("date", "has another holding of the security in the file");
                }
            }
            Record::HoldingCost(cost) => self.require_portfolio(&cost.account, problems),
            Record::Valuation(valuation) => {
                let facts = &valuation.facts;
                let own = context.currency_of_account(&facts.account);
                if facts.currency != own {
                    let sentence = format!("must be that of the account, {}", own.code());
                    problems.field("currency", sentence);
                }
                let day = day_key(&facts.account, facts.date);
                if self.ids.is_of_several(Claim::ValuedDay, day) {
                    problems.field("date", "has another valuation of the account in the file");
                }
            }
            Record::Transfer(transfer) => {
                let (outflow, inflow) = ("outflow_transaction_id", "inflow_transaction_id");
                for (id, field) in [(&transfer.outflow, outflow), (&transfer.inflow, inflow)] {
                    if self.ids.has(Claim::Part, key(id)) {
                        problems.field(field, "is a part of a transaction: only whole ones pair");
                    }
                }
                self.sides.judge(transfer, context.family_currency, problems);
            }
            _ => {}
        }
    }

    fn require_portfolio(&self, account: &SourceId, problems: &mut Problems) {
        let known = self.accounts.get(account).and_then(|facts| facts.account_type);
        if known.is_some_and(|account_type| !account_type.holds_securities()) {
            problems.field("account_id", "is no account of type investment or crypto");
        }
    }
}

/// What stands for a security in an account. Records of the older server have no ids of securities.
fn held_in(account: &SourceId, security: Option<&str>, ticker: &str) -> String {
    format!("{} {}", account.0, security.unwrap_or(ticker))
}
