//! Transactions, valuations and trades, in the order of their ids, which is that in which they were
//! added; and what deleted ones left behind.
//!
//! Entries are read in pages. What belongs to those of a page (tags, origins, rates, trades, parts)
//! is read with one statement each, for the range of ids of the page.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ledger::entry::{EntryKind, ValuationKind};
use purser_core::ledger::locks::Locks;
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use serde_json::value::RawValue;
use uuid::Uuid;

use super::line::{Amount, Lines, flag};
use super::records::{Origin, Tombstone, Trade, Transaction, Valuation};
use super::securities::market;
use super::split_lines::{self, Parts};
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements, vals};

statements! {
    /// A page of entries; parts belong to their wholes.
    ENTRIES = "SELECT id, account_id, date, amount, currency, name, notes, category_id,
            merchant_id, excluded, locked, kind, valuation_kind, pending, source, external_id,
            is_split, created_at
        FROM ledger_entries WHERE family_id = $1 AND id > $2 AND kind <> 3 ORDER BY id LIMIT $3";
    /// The tags of a range of entries.
    ENTRIES_TAGS = "SELECT entry_id, tag_id FROM entry_tags
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 ORDER BY entry_id, tag_id";
    /// What the sources of changed transactions reported.
    ENTRIES_ORIGINS = "SELECT entry_id, account_id, date, amount, currency, name, source,
            external_id
        FROM entry_origins
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 AND deleted_at IS NULL";
    /// The rates that came with entries.
    ENTRIES_RATES = "SELECT entry_id, rate FROM entry_conversions
        WHERE family_id = $1 AND entry_id >= $2 AND entry_id <= $3 AND given
            AND rate IS NOT NULL";
    /// What trades have beside their entries.
    ENTRIES_TRADES = "SELECT t.entry_id, t.security_id, s.ticker, s.exchange_operating_mic,
            t.trade_type, t.qty, t.price, t.fee, t.cost, t.split_to, t.split_from,
            t.counterpart_id, t.lots
        FROM trades t
        JOIN securities s ON s.family_id = $1 AND s.id = t.security_id
        WHERE t.family_id = $1 AND t.entry_id >= $2 AND t.entry_id <= $3";
    /// What deleted entries left behind.
    TOMBSTONES = "SELECT entry_id, account_id, date, amount, currency, name, source, external_id,
            kind, deleted_at
        FROM entry_origins WHERE family_id = $1 AND deleted_at IS NOT NULL ORDER BY entry_id";
}

/// Entries that are in memory at a time.
const PAGE_ENTRIES: i64 = 1000;

/// An entry as it is read.
struct Entry {
    id: Uuid,
    account_id: Uuid,
    date: Date,
    amount: i64,
    currency: Currency,
    name: String,
    notes: Option<String>,
    category_id: Option<Uuid>,
    merchant_id: Option<Uuid>,
    excluded: bool,
    locks: Locks,
    kind: i64,
    valuation_kind: Option<ValuationKind>,
    pending: bool,
    source: Option<String>,
    external_id: Option<String>,
    is_split: bool,
    created_at: Timestamp,
}

/// What a trade has beside its entry.
struct TradeRow {
    security_id: Uuid,
    ticker: String,
    exchange_operating_mic: String,
    trade_type: TradeType,
    qty: String,
    price: String,
    fee: i64,
    cost: Option<i64>,
    split_to: Option<i64>,
    split_from: Option<i64>,
    counterpart_id: Option<Uuid>,
    lots: Option<Box<RawValue>>,
}

/// What belongs to the entries of a page, by their ids.
#[derive(Default)]
struct Belongings {
    tags: HashMap<Uuid, Vec<Uuid>>,
    origins: HashMap<Uuid, Origin>,
    rates: HashMap<Uuid, String>,
    trades: HashMap<Uuid, TradeRow>,
    parts: Parts,
}

/// Writes every entry, and what those left behind that are gone.
pub(super) fn write(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    let mut last = Uuid::nil();
    loop {
        let page = vals![family, last, PAGE_ENTRIES];
        let entries = tx.query(&ENTRIES, page, Entry::read)?;
        let (Some(first), Some(end)) = (entries.first(), entries.last()) else { break };
        let belongings = Belongings::of(tx, (first.id, end.id), &entries)?;
        for entry in &entries {
            entry.write(&belongings, lines)?;
        }
        last = end.id;
    }
    tx.for_each(&TOMBSTONES, vals![family], |row| {
        let currency = row.currency(4)?;
        lines.put(&Tombstone {
            id: row.uuid(0)?,
            kind: kind_name(row.int(8)?)?,
            account_id: row.uuid(1)?,
            date: row.date(2)?,
            amount: Amount(row.int(3)?, currency),
            currency,
            name: row.text(5)?,
            deleted_at: row.timestamp(9)?,
            source: row.opt_text(6)?,
            external_id: row.opt_text(7)?,
        })
    })
}

fn kind_name(code: i64) -> Result<&'static str> {
    let kind = EntryKind::ALL.iter().find(|kind| kind.code() == code);
    let unknown = || Error::internal(format!("an entry is of no kind: {code}"));
    kind.map(|kind| kind.as_str()).ok_or_else(unknown)
}

impl Belongings {
    /// Reads what belongs to entries, the first and the last of which are named.
    fn of(tx: &mut FamilyTx<'_>, (first, last): (Uuid, Uuid), entries: &[Entry]) -> Result<Self> {
        let family = tx.family();
        let range = [family.into(), Val::Uuid(first), Val::Uuid(last)];
        let mut found = Self::default();
        tx.for_each(&ENTRIES_TAGS, &range, |row| {
            found.tags.entry(row.uuid(0)?).or_default().push(row.uuid(1)?);
            Ok(())
        })?;
        tx.for_each(&ENTRIES_ORIGINS, &range, |row| {
            let currency = row.currency(4)?;
            let origin = Origin {
                account_id: row.uuid(1)?,
                date: row.date(2)?,
                amount: Amount(row.int(3)?, currency),
                currency,
                name: row.string(5)?,
                source: row.opt_string(6)?,
                external_id: row.opt_string(7)?,
            };
            found.origins.insert(row.uuid(0)?, origin);
            Ok(())
        })?;
        tx.for_each(&ENTRIES_RATES, &range, |row| {
            found.rates.insert(row.uuid(0)?, row.string(1)?);
            Ok(())
        })?;
        if entries.iter().any(|entry| entry.kind == EntryKind::Trade.code()) {
            tx.for_each(&ENTRIES_TRADES, &range, |row| {
                found.trades.insert(row.uuid(0)?, TradeRow::read(row)?);
                Ok(())
            })?;
        }
        if entries.iter().any(|entry| entry.is_split) {
            found.parts = split_lines::read(tx, &range)?;
        }
        Ok(found)
    }
}

impl Entry {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            id: row.uuid(0)?,
            account_id: row.uuid(1)?,
            date: row.date(2)?,
            amount: row.int(3)?,
            currency: row.currency(4)?,
            name: row.string(5)?,
            notes: row.opt_string(6)?,
            category_id: row.opt_uuid(7)?,
            merchant_id: row.opt_uuid(8)?,
            excluded: row.bool(9)?,
            locks: Locks::from_bits(row.int(10)?),
            kind: row.int(11)?,
            valuation_kind: row.opt_named(12)?,
            pending: row.bool(13)?,
            source: row.opt_string(14)?,
            external_id: row.opt_string(15)?,
            is_split: row.bool(16)?,
            created_at: row.timestamp(17)?,
        })
    }

    fn write(&self, belongings: &Belongings, lines: &mut Lines<'_>) -> Result<()> {
        if self.kind == EntryKind::Valuation.code() {
            return lines.put(&self.valuation()?);
        }
        if self.kind == EntryKind::Trade.code() {
            let trade = belongings.trades.get(&self.id);
            let missing = || Error::internal(format!("the trade {} has no row", self.id));
            return lines.put(&self.trade(trade.ok_or_else(missing)?, belongings));
        }
        lines.put(&self.transaction(belongings))
    }

    fn amount(&self) -> Amount {
        Amount(self.amount, self.currency)
    }

    fn transaction<'r>(&'r self, belongings: &'r Belongings) -> Transaction<'r> {
        Transaction {
            id: self.id,
            account_id: self.account_id,
            date: self.date,
            amount: self.amount(),
            currency: self.currency,
            name: &self.name,
            notes: self.notes.as_deref(),
            category_id: self.category_id,
            merchant_id: self.merchant_id,
            tag_ids: belongings.tags.get(&self.id).map(Vec::as_slice),
            excluded: flag(self.excluded),
            pending: flag(self.pending),
            source: self.source.as_deref(),
            external_id: self.external_id.as_deref(),
            locked_fields: locked(self.locks),
            exchange_rate: belongings.rates.get(&self.id).map(String::as_str),
            origin: belongings.origins.get(&self.id),
            split_lines: self.is_split.then(|| {
                let of_whole = (self.merchant_id.is_some(), belongings.tags.contains_key(&self.id));
                belongings.parts.lines(self.id, self.currency, of_whole)
            }),
        }
    }

    fn valuation(&self) -> Result<Valuation<'_>> {
        let missing = || Error::internal(format!("the valuation {} has no kind", self.id));
        Ok(Valuation {
            id: self.id,
            account_id: self.account_id,
            date: self.date,
            amount: self.amount(),
            currency: self.currency,
            kind: self.valuation_kind.ok_or_else(missing)?.as_str(),
            name: given(&self.name),
            notes: self.notes.as_deref(),
            source: self.source.as_deref(),
            external_id: self.external_id.as_deref(),
        })
    }

    fn trade<'r>(&'r self, trade: &'r TradeRow, belongings: &'r Belongings) -> Trade<'r> {
        // Costs that people stated count the share splits that were recorded before.
        let is_split = trade.trade_type == TradeType::Split;
        Trade {
            id: self.id,
            account_id: self.account_id,
            security_id: trade.security_id,
            ticker: &trade.ticker,
            date: self.date,
            trade_type: trade.trade_type.as_str(),
            qty: &trade.qty,
            price: &trade.price,
            amount: self.amount(),
            currency: self.currency,
            exchange_operating_mic: market(&trade.exchange_operating_mic),
            fee: Some(trade.fee).filter(|fee| *fee != 0).map(|fee| Amount(fee, self.currency)),
            cost: trade.cost.map(|cost| Amount(cost, self.currency)),
            split_to: trade.split_to,
            split_from: trade.split_from,
            recorded_at: is_split.then_some(self.created_at),
            counterpart_id: trade.counterpart_id,
            lots: trade.lots.as_deref(),
            exchange_rate: belongings.rates.get(&self.id).map(String::as_str),
            name: given(&self.name),
            notes: self.notes.as_deref(),
            excluded: flag(self.excluded),
            source: self.source.as_deref(),
            external_id: self.external_id.as_deref(),
        }
    }
}

impl TradeRow {
    fn read(row: &Row<'_>) -> Result<Self> {
        let lots = row.opt_text(12)?.map(serde_json::from_str).transpose();
        Ok(Self {
            security_id: row.uuid(1)?,
            ticker: row.string(2)?,
            exchange_operating_mic: row.string(3)?,
            trade_type: row.named(4)?,
            qty: row.string(5)?,
            price: row.string(6)?,
            fee: row.int(7)?,
            cost: row.opt_int(8)?,
            split_to: row.opt_int(9)?,
            split_from: row.opt_int(10)?,
            counterpart_id: row.opt_uuid(11)?,
            lots: lots.map_err(Error::internal)?,
        })
    }
}

/// The names of locked fields, if there are any.
pub(super) fn locked(locks: Locks) -> Option<Vec<&'static str>> {
    (!locks.is_empty()).then(|| locks.names())
}

/// A name, unless none was given.
fn given(name: &str) -> Option<&str> {
    Some(name).filter(|name| !name.is_empty())
}
