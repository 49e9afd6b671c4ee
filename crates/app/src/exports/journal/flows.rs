//! Transactions, transfers, and trades of money alone.

use std::borrow::Cow;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ledger::trade::TradeType;
use purser_core::money::Currency;
use purser_formats::journal::{Amount, Fact, Posting, Transaction};
use purser_store::FamilyTx;
use purser_store::books::entries::{Conversion, Entry, Side, page};
use uuid::Uuid;

use super::chart::{Account, Chart, DIVIDENDS, EXCLUDED, FEES, Flow, INTEREST, TRANSFERS};
use super::{Writer, failed};

impl Writer<'_> {
    /// Writes everything that is booked and moves no shares, day by day.
    pub(super) fn flows(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.journal.heading("Transactions").map_err(failed)?;
        let mut after = (Date::MIN, Uuid::nil());
        loop {
            let entries = page(tx, after)?;
            let Some(last) = entries.last() else { return Ok(()) };
            after = (last.date, last.id);
            for entry in &entries {
                self.flow(entry)?;
            }
        }
    }

    fn flow(&mut self, entry: &Entry) -> Result<()> {
        if entry.trade.is_some_and(|(trade_type, _)| trade_type.moves_shares()) {
            return Ok(());
        }
        if entry.trade.is_none() && entry.transfer.is_none() {
            for part in portions(entry).filter(|part| !part.excluded) {
                self.chart.use_category(part.category, direction(part.amount));
            }
        }
        let Some(account) = self.chart.account(entry.account) else { return Ok(()) };
        self.entries += 1;
        let transaction = match &entry.transfer {
            Some(side) if is_written_together(&self.chart, entry, side) => {
                if !side.is_outflow {
                    return Ok(());
                }
                transferred(&self.chart, entry, account, side)
            }
            _ => alone(&self.chart, entry, account),
        };
        self.journal.transaction(&transaction).map_err(failed)
    }
}

/// Both sides of a transfer are one transaction if they are of one day.
fn is_written_together(chart: &Chart, entry: &Entry, side: &Side) -> bool {
    side.date == entry.date && !side.pending && chart.account(side.account).is_some()
}

fn direction(amount: i64) -> Flow {
    if amount < 0 { Flow::Income } else { Flow::Expense }
}

/// A transaction as it is, or a part of it.
struct Portion<'e> {
    amount: i64,
    booked: i64,
    name: Option<&'e str>,
    notes: Option<&'e str>,
    category: Option<Uuid>,
    merchant: Option<Uuid>,
    excluded: bool,
}

fn portions(entry: &Entry) -> impl Iterator<Item = Portion<'_>> {
    let whole = entry.parts.is_empty().then_some(Portion {
        amount: entry.amount,
        booked: entry.booked,
        name: None,
        notes: None,
        category: entry.category,
        merchant: None,
        excluded: entry.excluded,
    });
    let parts = entry.parts.iter().map(|part| Portion {
        amount: part.amount,
        booked: part.booked,
        name: Some(&part.name),
        notes: part.notes.as_deref(),
        category: part.category,
        merchant: part.merchant,
        excluded: part.excluded || entry.excluded,
    });
    whole.into_iter().chain(parts)
}

/// What went out counts as so much more of what it was for.
fn against(entry: &Entry, account: &Account, amount: i64, booked: i64) -> Amount<'static> {
    if entry.currency == account.currency || amount == 0 {
        return Amount::Money(booked, account.currency);
    }
    Amount::Converted { amount, currency: entry.currency, booked, into: account.currency }
}

fn alone<'c>(chart: &'c Chart, entry: &'c Entry, account: &'c Account) -> Transaction<'c> {
    let mut postings = vec![posting(&account.path, Amount::Money(-entry.booked, account.currency))];
    let mut facts = facts_of(entry);
    if let Some(side) = &entry.transfer {
        facts.push(("transfer", side.transfer.to_string().into()));
        facts.extend(category_fact(chart, entry.category));
        postings.push(posting(TRANSFERS, Amount::Money(entry.booked, account.currency)));
    } else if let Some((trade_type, security)) = entry.trade {
        facts.push(("security", chart.commodity(security).into()));
        let path = if entry.excluded { EXCLUDED } else { account_of(trade_type) };
        postings.push(posting(path, against(entry, account, entry.amount, entry.booked)));
    } else {
        postings.extend(portions(entry).map(|part| category_posting(chart, entry, account, &part)));
    }
    let (tags, original) = chart.tags(entry.tags.iter());
    facts.extend(original);
    let payee = chart.merchant(entry.merchant);
    Transaction { date: entry.date, payee, text: &entry.name, tags, facts, postings }
}

fn category_posting<'c>(
    chart: &'c Chart,
    entry: &Entry,
    account: &Account,
    part: &Portion<'c>,
) -> Posting<'c> {
    let mut facts: Vec<Fact<'c>> = Vec::new();
    let mut put = |key, value| facts.extend(known(key, value));
    put("name", part.name);
    put("notes", part.notes);
    put("merchant", chart.merchant(part.merchant));
    let path = if part.excluded {
        put("category", chart.category_name(part.category));
        EXCLUDED
    } else {
        chart.category(part.category, direction(part.amount))
    };
    Posting { account: path, amount: against(entry, account, part.amount, part.booked), facts }
}

fn transferred<'c>(
    chart: &'c Chart,
    entry: &'c Entry,
    account: &'c Account,
    side: &'c Side,
) -> Transaction<'c> {
    let mut facts = facts_of(entry);
    facts.push(("transfer", side.transfer.to_string().into()));
    facts.push(("inflow", side.other.to_string().into()));
    facts.extend((side.name != entry.name).then(|| ("inflow-name", Cow::from(&side.name))));
    facts.extend(side.notes.as_deref().map(|notes| ("inflow-notes", notes.into())));
    facts.extend(category_fact(chart, entry.category));
    let (tags, original) = chart.tags(entry.tags.iter().chain(&side.tags));
    facts.extend(original);
    let mut postings = vec![posting(&account.path, Amount::Money(-entry.booked, account.currency))];
    if let Some(other) = chart.account(side.account) {
        postings.extend(arrival(account, entry.booked, other, side.booked));
    }
    let payee = chart.merchant(entry.merchant);
    Transaction { date: entry.date, payee, text: &entry.name, tags, facts, postings }
}

/// What arrives in the other account, and what is left between two amounts that differ.
fn arrival<'c>(account: &Account, out: i64, other: &'c Account, into: i64) -> Vec<Posting<'c>> {
    let arrives = -into;
    let rest = |currency: Currency| posting(TRANSFERS, Amount::Rest(currency));
    if account.currency == other.currency {
        let whole = Amount::Money(arrives, other.currency);
        return vec![posting(&other.path, whole), rest(account.currency)];
    }
    if out > 0 && arrives > 0 {
        let (currency, booked, into) = (other.currency, out, account.currency);
        let converted = Amount::Converted { amount: arrives, currency, booked, into };
        return vec![posting(&other.path, converted)];
    }
    vec![
        posting(&other.path, Amount::Money(arrives, other.currency)),
        rest(account.currency),
        rest(other.currency),
    ]
}

fn account_of(trade_type: TradeType) -> &'static str {
    match trade_type {
        TradeType::Interest => INTEREST,
        TradeType::Fee => FEES,
        _ => DIVIDENDS,
    }
}

fn facts_of(entry: &Entry) -> Vec<Fact<'_>> {
    let mut facts: Vec<Fact<'_>> = vec![("id", entry.id.to_string().into())];
    let mut put = |key, value| facts.extend(known(key, value));
    put("source", entry.source.as_deref());
    put("external-id", entry.external_id.as_deref());
    put("notes", entry.notes.as_deref());
    match &entry.conversion {
        Conversion::None => {}
        Conversion::Rate(rate) => put("rate", Some(rate)),
        Conversion::Unknown => put("rate", Some("unknown")),
    }
    if entry.excluded {
        put("excluded", Some("true"));
    }
    facts
}

/// A fact, if there is anything to it.
fn known<'c>(key: &'static str, value: Option<&'c str>) -> Option<Fact<'c>> {
    value.filter(|value| !value.is_empty()).map(|value| (key, value.into()))
}

fn category_fact(chart: &Chart, category: Option<Uuid>) -> Option<Fact<'_>> {
    chart.category_name(category).map(|name| ("category", name.into()))
}

pub(super) fn posting<'c>(account: &'c str, amount: Amount<'c>) -> Posting<'c> {
    Posting { account, amount, facts: Vec::new() }
}
