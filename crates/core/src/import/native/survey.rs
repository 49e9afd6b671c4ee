//! What a whole file has, as far as single lines need it, and how a line is judged with it.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::fields::Fields;
use super::held::{CostDays, held_day, held_in};
use super::ids::{Claim, RecordIds, day_key};
use super::sides::Sides;
use super::types::{RecordTypes, type_of};
use super::{Record, RecordCounts, RecordType, SourceId, Trade, parse, read};
use crate::error::Problems;
use crate::ledger::account::AccountType;
use crate::limits::{IMPORT_WHOLE_ROWS_MAX, NATIVE_ROWS_MAX};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    cost_days: CostDays,
    /// How many records there are of each type, by the number of the type.
    numbers: [u64; RecordType::ALL.len()],
    /// The number of parts of transactions.
    parts: u64,
    /// Some entry names its merchant.
    names_merchants: bool,
    /// Some account doesn't state what it held before its first entry.
    derives_openings: bool,
    /// Every line was read before, and none was refused: what lines have to be compared with isn't
    /// known any more.
    is_trusted: bool,
}

/// What is kept of the survey of a file of which every line is valid: whoever reads a line later
/// needn't survey the file again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileFacts {
    accounts: BTreeMap<String, AccountFacts>,
    budgets: BTreeMap<String, Option<Currency>>,
    numbers: BTreeMap<RecordType, u64>,
    parts: u64,
    names_merchants: bool,
    derives_openings: bool,
}

impl Survey {
    /// The survey of a file, from what was kept of it.
    pub fn of_facts(facts: &FileFacts) -> Self {
        let mut survey = Self {
            accounts: facts.accounts.iter().map(|(id, its)| (SourceId(id.clone()), *its)).collect(),
            budgets: facts.budgets.iter().map(|(id, its)| (SourceId(id.clone()), *its)).collect(),
            parts: facts.parts,
            names_merchants: facts.names_merchants,
            derives_openings: facts.derives_openings,
            is_trusted: true,
            ..Self::default()
        };
        facts.numbers.iter().for_each(|(of, number)| survey.numbers[*of as usize] = *number);
        survey
    }

    /// What is kept of it, if every line of the file is valid.
    pub fn facts(&self) -> FileFacts {
        let number = |of: &RecordType| (*of, self.number_of(*of));
        FileFacts {
            accounts: self.accounts.iter().map(|(id, its)| (id.0.clone(), *its)).collect(),
            budgets: self.budgets.iter().map(|(id, its)| (id.0.clone(), *its)).collect(),
            numbers: RecordType::ALL.iter().map(number).filter(|(_, number)| *number > 0).collect(),
            parts: self.parts,
            names_merchants: self.names_merchants,
            derives_openings: self.derives_openings,
        }
    }

    /// Takes the next line of the first pass. What can't be read is found in the second.
    pub fn line(&mut self, line: &str) {
        let Ok((record_type, data)) = parse(line) else { return };
        self.count(record_type);
        if self.overflow().is_some() {
            return;
        }
        let mut problems = Problems::new();
        let mut fields = Fields::new(&data, "", &mut problems);
        self.record(record_type, &mut fields);
        let Some(id) = fields.id("id") else { return };
        match record_type {
            RecordType::Account => {
                let text = fields.text(&["accountable_type"]);
                let account_type = text.and_then(|text| AccountType::read(&text));
                let currency = fields.currency("currency");
                self.accounts.insert(id.clone(), AccountFacts { currency, account_type });
            }
            RecordType::Transaction => return self.sides.transaction(&id, &mut fields),
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
        self.ids.add(Claim::Id(record_type), id.key());
    }

    /// Takes what doesn't depend on the id of the record.
    fn record(&mut self, record_type: RecordType, fields: &mut Fields<'_, '_>) {
        match record_type {
            RecordType::Account => {
                self.derives_openings |= fields.raw("opening_balance").is_none();
            }
            RecordType::Transaction => self.transaction(fields),
            RecordType::Transfer => self.sides.transfer(fields),
            RecordType::Holding => {
                if let Some((held, date)) = held_day(fields) {
                    self.ids.add(Claim::HeldDay, day_key(&held, date));
                }
            }
            RecordType::HoldingCost => {
                if let Some((held, date)) = held_day(fields) {
                    self.cost_days.add(&held, date);
                }
            }
            RecordType::Trade => {
                let sides = fields.id("id").zip(fields.id("counterpart_id"));
                if let Some(((id, other), qty)) = sides.zip(fields.decimal("qty")) {
                    self.ids.add(Claim::Move, move_key(&id, &other, qty));
                }
            }
            RecordType::Valuation => {
                let day = fields.calendar_day("date");
                if let (Some(account), Some(date)) = (fields.id("account_id"), day) {
                    self.ids.add(Claim::ValuedDay, day_key(&account, date));
                }
            }
            _ => {}
        }
    }

    fn transaction(&mut self, fields: &mut Fields<'_, '_>) {
        self.names_merchants |= fields.raw("merchant_name").is_some();
        let lists = ["split_lines", "splitLines", "splits"];
        let part = |part: &mut Fields<'_, '_>| (part.id("id"), part.raw("merchant_name").is_some());
        let parts = fields.list(&lists, part).unwrap_or_default();
        self.parts += parts.len() as u64;
        for (id, names_merchant) in parts {
            self.names_merchants |= names_merchant;
            if let Some(id) = id {
                self.ids.add(Claim::Part, id.key());
            }
        }
    }

    fn count(&mut self, record_type: RecordType) {
        self.numbers[record_type as usize] += 1;
    }

    /// Ends the first pass.
    ///
    /// # Errors
    /// A sentence, if the file has more than is taken.
    pub fn finish(&mut self) -> Result<(), String> {
        if let Some(sentence) = self.overflow() {
            return Err(sentence);
        }
        self.ids.sort();
        self.cost_days.finish();
        let own = |(id, facts): (&SourceId, &AccountFacts)| Some((id.key(), facts.currency?));
        self.sides.finish(&self.accounts.iter().filter_map(own).collect());
        Ok(())
    }

    /// Why the file has more than is taken, if it has: what is kept of it stays bounded.
    fn overflow(&self) -> Option<String> {
        let records: u64 = self.numbers.iter().sum();
        if records + self.parts > NATIVE_ROWS_MAX {
            return Some(format!(
                "The file has more than {NATIVE_ROWS_MAX} records and parts of transactions: send \
                 it in parts"
            ));
        }
        let is_many = |of: &&RecordType| self.number_of(**of) > IMPORT_WHOLE_ROWS_MAX as u64;
        let few = RecordType::ALL.iter().filter(|of| RecordTypes::FEW.has(**of));
        let name = few.clone().find(is_many)?.name();
        Some(format!("The file has more than {IMPORT_WHOLE_ROWS_MAX} records of the type {name}"))
    }

    /// How many records of the fifteen types the file has, readable or not.
    pub fn counts(&self) -> RecordCounts {
        let mut counts = RecordCounts::default();
        RecordType::ALL.iter().for_each(|of| counts.add_many(*of, self.number_of(*of)));
        counts
    }

    /// How many records of a type the file has, readable or not.
    pub fn number_of(&self, record_type: RecordType) -> u64 {
        self.numbers[record_type as usize]
    }

    /// How many parts its transactions have.
    pub fn parts(&self) -> u64 {
        self.parts
    }

    /// Whether some entry names its merchant.
    pub fn names_merchants(&self) -> bool {
        self.names_merchants
    }

    /// Whether some account doesn't state what it held before its first entry.
    pub fn derives_openings(&self) -> bool {
        self.derives_openings
    }

    fn times(&self, record_type: RecordType, key: u128) -> u8 {
        match record_type {
            // Parts have ids among those of transactions.
            RecordType::Transaction => {
                self.sides.times(key).saturating_add(self.ids.times(Claim::Part, key))
            }
            _ => self.ids.times(Claim::Id(record_type), key),
        }
    }

    /// Whether several records of the type may have one id. Of a million transactions none has to
    /// be looked up where no two have the same.
    fn may_be_doubled(&self, record_type: RecordType) -> bool {
        record_type != RecordType::Transaction
            || self.sides.has_doubled()
            || self.ids.has(Claim::Part)
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
        if !self.is_trusted {
            self.judge(&record, &context, &mut problems);
        }
        if problems.is_empty() { Ok(record) } else { Err(problems) }
    }

    /// The type of a line, without reading the rest of it; nothing if it can't be found.
    pub fn type_of(line: &str) -> Option<RecordType> {
        type_of(line)
    }

    /// What the record means beside others.
    fn judge(&self, record: &Record, context: &Context<'_>, problems: &mut Problems) {
        let record_type = record.record_type();
        record.references(&mut |of, id, field| {
            if !id.0.is_empty() && self.times(of, id.key()) == 0 {
                problems
                    .field(field, format!("is {:?}, which no {} of the file has", id.0, of.name()));
            }
        });
        let ids = if self.may_be_doubled(record_type) { record.ids() } else { Vec::new() };
        for id in ids {
            if self.times(record_type, id.key()) > 1 {
                let sentence = format!("is {:?}, as another {} has", id.0, record_type.name());
                problems.field("id", sentence);
            }
        }
        match record {
            Record::Category(category) => {
                let is_child = |parent: &SourceId| self.children.contains_key(parent);
                if category.parent.as_ref().is_some_and(is_child) {
                    problems.field("parent_id", "is below another category: there are two levels");
                }
            }
            Record::Trade(trade) => {
                self.require_portfolio(&trade.facts.account, problems);
                self.judge_move(trade, problems);
            }
            Record::Holding(holding) => {
                self.require_portfolio(&holding.account, problems);
                let held = held_in(&holding.account, &holding.security);
                if self.ids.times(Claim::HeldDay, day_key(&held, holding.date)) > 1 {
                    problems.field("date", "has another holding of the security in the file");
                }
            }
            Record::HoldingCost(cost) => {
                self.require_portfolio(&cost.account, problems);
                self.cost_days.judge(&held_in(&cost.account, &cost.security), cost.date, problems);
            }
            Record::Valuation(valuation) => {
                let facts = &valuation.facts;
                let own = context.currency_of_account(&facts.account);
                if facts.currency != own {
                    let sentence = format!("must be that of the account, {}", own.code());
                    problems.field("currency", sentence);
                }
                let day = day_key(&facts.account, facts.date);
                if self.ids.times(Claim::ValuedDay, day) > 1 {
                    problems.field("date", "has another valuation of the account in the file");
                }
            }
            Record::Transfer(transfer) => {
                let (outflow, inflow) = ("outflow_transaction_id", "inflow_transaction_id");
                for (id, field) in [(&transfer.outflow, outflow), (&transfer.inflow, inflow)] {
                    if self.ids.times(Claim::Part, id.key()) > 0 {
                        problems.field(field, "is a part of a transaction: only whole ones pair");
                    }
                }
                self.sides.judge(transfer, context.family_currency, problems);
            }
            _ => {}
        }
    }

    /// Shares that move leave one account and come into another one, and both trades name the
    /// other.
    fn judge_move(&self, trade: &Trade, problems: &mut Problems) {
        let Some(other) = &trade.counterpart else { return };
        if self.times(RecordType::Trade, other.key()) == 0 {
            return;
        }
        let back = trade.id.as_ref().map(|id| move_key(other, id, -trade.quantity));
        if back.is_none_or(|back| self.ids.times(Claim::Move, back) == 0) {
            let predicate = format!("is {:?}, which doesn't move as many shares back", other.0);
            problems.field("counterpart_id", predicate);
        }
    }

    fn require_portfolio(&self, account: &SourceId, problems: &mut Problems) {
        let known = self.accounts.get(account).and_then(|facts| facts.account_type);
        if known.is_some_and(|account_type| !account_type.holds_securities()) {
            problems.field("account_id", "is no account of type investment or crypto");
        }
    }
}

/// What stands for a trade that names the other one of a move.
fn move_key(id: &SourceId, other: &SourceId, quantity: Decimal) -> u128 {
    SourceId(format!("{} {} {}", id.0, other.0, quantity.normalize())).key()
}
