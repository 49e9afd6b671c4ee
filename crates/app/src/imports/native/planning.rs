//! The verdict on every row.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::import::native::{
    EntryFacts, Holding, Record, RecordType, SourceId, Trade, Valuation,
};
use purser_core::import::trade::fingerprint::TradeContent;
use purser_core::import::transaction::duplicates::{content_key, trade_key};
use purser_core::import::verdict::Verdict;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::new_trade::Split;
use purser_core::ledger::security::Listing;
use purser_core::ledger::valuing::Price;
use purser_core::limits::NATIVE_ROWS_MAX;
use purser_core::rates::StatedRate;
use purser_store::FamilyTx;
use purser_store::imports::{self, Comparable, Plan, Planned};
use purser_store::ledger::{is_holding_reported, is_rejected, is_transfer};
use purser_store::restoring::Restorable;
use uuid::Uuid;

use super::collected::Collected;
use super::records::Decisions;
use crate::imports::built_plan::Subject;
use crate::imports::reading::Source;
use crate::imports::streamed::{ComparedRow, Comparison};

/// The plan of a file, with what it was made of.
pub(super) struct NativePlan {
    pub(super) plan: Plan,
    pub(super) collected: Collected,
    pub(super) decisions: Decisions,
}

/// The verdict on every row of a file.
pub(in crate::imports) fn plan(
    tx: &mut FamilyTx<'_>,
    subject: &Subject<'_>,
    plan: Plan,
) -> Result<Plan> {
    if subject.rows_in_file > NATIVE_ROWS_MAX {
        return Err(Error::invalid_code(
            "content_too_large",
            format!("The file has more than {NATIVE_ROWS_MAX} records: send it in parts"),
        ));
    }
    Ok(NativePlan::of(tx, subject.source, plan)?.plan)
}

/// A pair of entries of the file, and the row that states it.
struct Pair {
    row: u64,
    is_rejected: bool,
    sides: [SourceId; 2],
}

struct Planning<'a> {
    plan: Plan,
    collected: &'a Collected,
    decisions: &'a Decisions,
    transactions: Comparison,
    trades: Comparison,
    pairs: Vec<Pair>,
    /// The rows of entries that others point to.
    rows: HashMap<SourceId, u64>,
}

impl NativePlan {
    /// Plans the rows of a file.
    pub(super) fn of(tx: &mut FamilyTx<'_>, source: &Source, plan: Plan) -> Result<Self> {
        let collected = Collected::of(source)?;
        let decisions = Decisions::of(tx, &collected)?;
        let mut planning = Planning {
            plan,
            collected: &collected,
            decisions: &decisions,
            transactions: Comparison::new(Comparable::Transactions),
            trades: Comparison::new(Comparable::Trades),
            pairs: Vec::new(),
            rows: HashMap::new(),
        };
        source.visit_all(|visited| {
            if visited.is_left_out() {
                planning.plan.push(Verdict::LeftOut);
                return Ok(());
            }
            let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
            match record {
                None => planning.plan.push(Verdict::Invalid),
                Some(record) => planning.record(tx, visited.row, record)?,
            }
            Ok(())
        })?;
        let plan = planning.finish(tx)?;
        Ok(Self { plan, collected, decisions })
    }
}

impl Planning<'_> {
    fn account(&self, id: &SourceId) -> Option<Uuid> {
        self.decisions.existing(RecordType::Account, id)
    }

    fn put(&mut self, row: u64, planned: Planned) -> Result<()> {
        self.plan.push(planned.verdict);
        if planned.record.is_some() { self.plan.set(row, planned) } else { Ok(()) }
    }

    fn record(&mut self, tx: &mut FamilyTx<'_>, row: u64, record: &Record) -> Result<()> {
        if let Some(planned) = self.decisions.planned.get(&row) {
            return self.put(row, *planned);
        }
        let verdict = match record {
            Record::Transaction(one) => {
                self.side(row, &one.id);
                let facts = one.origin.as_ref().unwrap_or(&one.facts);
                return self.transaction(tx, row, facts);
            }
            Record::Trade(one) => {
                if let Some(id) = &one.id {
                    self.side(row, id);
                }
                return self.trade(tx, row, one);
            }
            Record::Valuation(one) => return self.valuation(tx, row, one),
            Record::Tombstone(one) if one.kind == EntryKind::Trade => {
                let content = trade_key(one.facts.currency, &one.facts.name);
                return self.compared(tx, row, &one.facts, content, true);
            }
            Record::Tombstone(one) => return self.transaction(tx, row, &one.facts),
            Record::Transfer(one) => {
                let sides = [one.outflow.clone(), one.inflow.clone()];
                self.pairs.push(Pair { row, is_rejected: false, sides });
                Verdict::Create
            }
            Record::RejectedTransfer(one) => {
                let sides = [one.outflow.clone(), one.inflow.clone()];
                self.pairs.push(Pair { row, is_rejected: true, sides });
                Verdict::Create
            }
            Record::SecurityPrice(one) => {
                let security = self.decisions.existing(RecordType::Security, &one.security);
                let Some(security) = security else { return self.put(row, created()) };
                let price = Price {
                    date: one.date,
                    currency: one.currency,
                    price: one.price,
                    source: one.source,
                };
                let price = Restorable::Price(SecurityId(security), price);
                return self.there(tx, row, &price);
            }
            Record::ExchangeRate(one) => {
                let (base, quote, date, rate) = (one.from, one.to, one.date, one.rate);
                let rate = StatedRate { base, quote, date, rate };
                return self.there(tx, row, &Restorable::Rate(rate, one.source));
            }
            Record::Holding(one) => self.holding(tx, one)?,
            Record::HoldingCost(one) if self.account(&one.account).is_none() => Verdict::Create,
            // What follows from other records, and what an account that is there states itself.
            _ => Verdict::Repeats,
        };
        self.put(row, Planned { verdict, record: None })
    }

    /// A position that was reported for a day keeps the report.
    fn holding(&self, tx: &mut FamilyTx<'_>, one: &Holding) -> Result<Verdict> {
        let security = self.collected.security_of(&one.security);
        let security = self.decisions.existing(RecordType::Security, &security);
        let Some((account, security)) = self.account(&one.account).zip(security) else {
            return Ok(Verdict::Create);
        };
        let is_there = is_holding_reported(tx, AccountId(account), SecurityId(security), one.date)?;
        Ok(if is_there { Verdict::Repeats } else { Verdict::Create })
    }

    fn side(&mut self, row: u64, id: &SourceId) {
        if self.collected.sides.contains(id) {
            self.rows.insert(id.clone(), row);
        }
    }

    fn there(&mut self, tx: &mut FamilyTx<'_>, row: u64, record: &Restorable) -> Result<()> {
        match record.holder(tx)? {
            Some(id) => {
                self.put(row, Planned { verdict: Verdict::MatchedByName, record: Some(id) })
            }
            None => self.put(row, created()),
        }
    }

    fn transaction(&mut self, tx: &mut FamilyTx<'_>, row: u64, facts: &EntryFacts) -> Result<()> {
        let content = content_key(facts.currency, &facts.name);
        self.compared(tx, row, facts, content, false)
    }

    fn trade(&mut self, tx: &mut FamilyTx<'_>, row: u64, trade: &Trade) -> Result<()> {
        let listing = self.listing(trade);
        let split = trade.split.and_then(|(to, from)| {
            Some(Split { to: u32::try_from(to).ok()?, from: u32::try_from(from).ok()? })
        });
        let content = TradeContent {
            trade_type: trade.trade_type,
            listing: &listing,
            quantity: trade.quantity.abs(),
            price: trade.price,
            fee: trade.fee,
            split,
        };
        let content = trade_key(trade.facts.currency, &content.text());
        self.compared(tx, row, &trade.facts, content, true)
    }

    fn listing(&self, trade: &Trade) -> Listing {
        let id = self.collected.security_of(&trade.security);
        let recorded = self.collected.securities.iter().find(|(_, one)| one.id == id);
        match recorded {
            Some((_, security)) => security.values.listing.clone(),
            None => trade.security.listing.clone(),
        }
    }

    fn compared(
        &mut self,
        tx: &mut FamilyTx<'_>,
        row: u64,
        facts: &EntryFacts,
        content: u64,
        is_trade: bool,
    ) -> Result<()> {
        self.plan.push(Verdict::Create);
        let Some(account) = self.account(&facts.account) else { return Ok(()) };
        let compared = ComparedRow {
            row,
            date: facts.date,
            amount: facts.amount,
            currency: facts.currency,
            content,
            external_id: facts.external_id.as_deref(),
            record: None,
        };
        let comparison = if is_trade { &mut self.trades } else { &mut self.transactions };
        comparison.push(tx, &mut self.plan, account, &compared)
    }

    /// A day of an account that has a valuation keeps it.
    fn valuation(&mut self, tx: &mut FamilyTx<'_>, row: u64, one: &Valuation) -> Result<()> {
        let Some(account) = self.account(&one.facts.account) else {
            return self.put(row, created());
        };
        match imports::valuation_at(tx, AccountId(account), one.facts.date)? {
            Some(id) => {
                self.put(row, Planned { verdict: Verdict::MatchedByContent, record: Some(id) })
            }
            None => self.put(row, created()),
        }
    }

    fn finish(mut self, tx: &mut FamilyTx<'_>) -> Result<Plan> {
        self.transactions.finish(tx, &mut self.plan)?;
        self.trades.finish(tx, &mut self.plan)?;
        for pair in &self.pairs {
            let entry = |id: &SourceId| -> Result<Option<EntryId>> {
                let Some(row) = self.rows.get(id) else { return Ok(None) };
                let planned = self.plan.blocks().get(*row)?;
                let matched = planned.record.filter(|_| planned.verdict.matches());
                Ok(matched.map(EntryId))
            };
            let [outflow, inflow] = &pair.sides;
            let Some(sides) = entry(outflow)?.zip(entry(inflow)?) else { continue };
            let is_there =
                if pair.is_rejected { is_rejected(tx, sides)? } else { is_transfer(tx, sides)? };
            if is_there {
                let planned = Planned { verdict: Verdict::Repeats, record: None };
                self.plan.set(pair.row, planned)?;
            }
        }
        Ok(self.plan)
    }
}

fn created() -> Planned {
    Planned { verdict: Verdict::Create, record: None }
}
