//! The verdict on every row.

use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::import::native::{
    EntryFacts, Holding, Record, RecordType, RecordTypes, SourceId, Trade, Valuation,
};
use purser_core::import::trade::fingerprint::TradeContent;
use purser_core::import::transaction::duplicates::{content_key, trade_key};
use purser_core::import::verdict::Verdict;
use purser_core::ledger::entry::EntryKind;
use purser_core::ledger::new_trade::Split;
use purser_core::ledger::valuing::Price;
use purser_core::rates::StatedRate;
use purser_store::FamilyTx;
use purser_store::imports::{self, Comparable, Plan, Planned};
use purser_store::ledger::{is_holding_reported, is_rejected as is_rejected_pair, is_transfer};
use purser_store::restoring::Restorable;
use uuid::Uuid;

use super::collected::Collected;
use super::records::Decisions;
use crate::imports::built_plan::Subject;
use crate::imports::reading::Source;
use crate::imports::streamed::{ComparedRow, Comparison};

/// The verdict on every row of a file.
pub(in crate::imports) fn plan(
    tx: &mut FamilyTx<'_>,
    subject: &Subject<'_>,
    plan: Plan,
) -> Result<Plan> {
    let source = subject.source;
    let collected = Collected::of(source)?;
    let decisions = Decisions::of(tx, &collected)?;
    let is_valid = source.is_valid();
    let needs_rows = decisions.has(RecordType::Account) || !is_valid;
    let mut planning = Planning {
        plan,
        collected: &collected,
        decisions: &decisions,
        is_valid,
        transactions: Comparison::new(Comparable::Transactions),
        trades: Comparison::new(Comparable::Trades),
        rows: vec![0; if needs_rows { collected.sides.count() } else { 0 }],
    };
    source.visit_types(
        if is_valid { types(&decisions) } else { RecordTypes::ALL },
        1,
        |_| false,
        |visited| {
            let (row, is_left_out) = (visited.row, visited.is_left_out());
            match visited.outcome {
                _ if is_left_out => planning.plan.push(Verdict::LeftOut),
                Err(_) => planning.plan.push(Verdict::Invalid),
                Ok(found) => match (found.native(), found.native_type()) {
                    (Some(record), _) => planning.record(tx, row, record)?,
                    (None, Some(record_type)) => planning.unread(row, record_type)?,
                    (None, None) => planning.plan.push(Verdict::Invalid),
                },
            }
            Ok(())
        },
    )?;
    planning.finish(tx, source)
}

/// The types of records that have to be read to find out what becomes of them. Nothing in the
/// family can be like an entry of an account that it doesn't have. If rows are invalid, all types
/// are read: others may point to them.
fn types(decisions: &Decisions) -> RecordTypes {
    use RecordType as T;
    let of_accounts =
        [T::Transaction, T::Trade, T::Valuation, T::Tombstone, T::Holding, T::HoldingCost];
    RecordTypes::of(&[T::ExchangeRate])
        .with_if(decisions.has(T::Account), &of_accounts)
        .with_if(decisions.has(T::Security), &[T::SecurityPrice])
}

struct Planning<'a> {
    plan: Plan,
    collected: &'a Collected,
    decisions: &'a Decisions,
    /// No row of the file is invalid, so that everything that rows point to can come.
    is_valid: bool,
    transactions: Comparison,
    trades: Comparison,
    /// The rows of entries that others point to, if any of them can be there already, or not be
    /// taken.
    rows: Vec<u32>,
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
        if !self.is_valid && !self.collected.has_required(record) {
            return self.put(row, Planned { verdict: Verdict::Invalid, record: None });
        }
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
            Record::Transfer(_) | Record::RejectedTransfer(_) => Verdict::Create,
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

    /// A record that needn't be read.
    fn unread(&mut self, row: u64, record_type: RecordType) -> Result<()> {
        let verdict = match record_type {
            RecordType::Family | RecordType::Balance => Verdict::Repeats,
            _ => Verdict::Create,
        };
        let known = self.decisions.planned.get(&row).copied();
        self.put(row, known.unwrap_or(Planned { verdict, record: None }))
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
        let place = self.collected.side(id).and_then(|place| self.rows.get_mut(place));
        if let (Some(place), Ok(row)) = (place, u32::try_from(row)) {
            *place = row;
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
        let split = trade.split.and_then(|(to, from)| {
            Some(Split { to: u32::try_from(to).ok()?, from: u32::try_from(from).ok()? })
        });
        let content = TradeContent {
            trade_type: trade.trade_type,
            listing: self.collected.listing_of(&trade.security),
            quantity: trade.quantity.abs(),
            price: trade.price,
            fee: trade.fee,
            split,
        };
        let content = trade_key(trade.facts.currency, &content.text());
        self.compared(tx, row, &trade.facts, content, true)
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

    fn finish(mut self, tx: &mut FamilyTx<'_>, source: &Source) -> Result<Plan> {
        self.transactions.finish(tx, &mut self.plan)?;
        self.trades.finish(tx, &mut self.plan)?;
        if self.rows.is_empty() {
            return Ok(self.plan);
        }
        let Self { mut plan, collected, rows, .. } = self;
        let pairs = RecordTypes::of(&[RecordType::Transfer, RecordType::RejectedTransfer]);
        source.visit_types(
            pairs,
            1,
            |_| false,
            |visited| {
                let record = visited.outcome.as_ref().ok().and_then(|row| row.native());
                let (sides, is_rejected) = match record {
                    Some(Record::Transfer(one)) => ([&one.outflow, &one.inflow], false),
                    Some(Record::RejectedTransfer(one)) => ([&one.outflow, &one.inflow], true),
                    _ => return Ok(()),
                };
                let side = |id: &SourceId| -> Result<Option<Planned>> {
                    let row = collected.side(id).and_then(|place| rows.get(place)).copied();
                    let Some(row) = row.filter(|row| *row > 0) else { return Ok(None) };
                    plan.blocks().get(row.into()).map(Some)
                };
                let entry = |planned: Option<Planned>| {
                    let matched = planned.filter(|planned| planned.verdict.matches());
                    matched.and_then(|planned| planned.record).map(EntryId)
                };
                let sides = [side(sides[0])?, side(sides[1])?];
                if !is_rejected && let Some(verdict) = without_sides(sides) {
                    let is_planned = plan.blocks().get(visited.row)?.verdict.creates();
                    let row = if is_planned { visited.row } else { return Ok(()) };
                    return plan.set(row, Planned { verdict, record: None });
                }
                let Some(sides) = entry(sides[0]).zip(entry(sides[1])) else { return Ok(()) };
                let is_there = if is_rejected {
                    is_rejected_pair(tx, sides)?
                } else {
                    is_transfer(tx, sides)?
                };
                let is_planned = plan.blocks().get(visited.row)?.verdict == Verdict::Create;
                if is_there && is_planned {
                    plan.set(visited.row, Planned { verdict: Verdict::Repeats, record: None })?;
                }
                Ok(())
            },
        )?;
        Ok(plan)
    }
}

/// What becomes of a transfer of which a side isn't there after the publish; nothing if both are.
fn without_sides(sides: [Option<Planned>; 2]) -> Option<Verdict> {
    let missing = |side: Option<Planned>| match side {
        Some(planned) if planned.verdict.creates() || planned.verdict.matches() => None,
        Some(planned) => Some(planned.verdict),
        None => Some(Verdict::Invalid),
    };
    let missing: Vec<Verdict> = sides.into_iter().filter_map(missing).collect();
    let has = |verdict| missing.contains(&verdict).then_some(verdict);
    has(Verdict::Invalid).or(missing.first().copied())
}

fn created() -> Planned {
    Planned { verdict: Verdict::Create, record: None }
}
