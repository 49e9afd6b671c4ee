//! Cash flow: what came in and what went out, by category and month.
//!
//! Counted are transactions, the parts of those that are split, and of trades only dividends,
//! interest, fees and reinvested income. Left out are excluded entries, both sides of confirmed
//! transfers (and the parts of one), valuations, and hidden accounts. A refund is money in: it
//! counts as income beside the expense of its category. A caller that shows one figure for both
//! subtracts one from the other ([`Line::net`]).
//!
//! Amounts in another currency are converted day by day, at the rate of the day. Where none is
//! known, or 128 bits don't hold the sums with them, they are not counted, and
//! [`CashFlow::missing`] lists their currencies and days; [`CashFlow::rates`] lists the rates of
//! the others.
//!
//! One pass over the index of days, folded as the rows come: sums in SQL would first be sorted by
//! SQLite, which takes three times as long.

mod fold;

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, CategoryId};
use purser_core::ledger::entry::EntryKind;
use purser_core::money::Currency;
use purser_core::rates::{Rate, UsedRate, convert};
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::accounts;
use crate::driver::{Row, statements, vals};
use crate::transfers;
use fold::Fold;

statements! {
    /// What came in and went out on some days and is booked, the amount last as it is booked in
    /// the account.
    FLOWS = "SELECT id, parent_id, account_id, date, category_id, amount, currency, booked
        FROM ledger_entries
        WHERE family_id = $1 AND date >= $2 AND date <= $3 AND kind <> $4 AND kind <> $5
            AND NOT excluded AND NOT is_split AND NOT pending";
    /// Trades that are income or expense, in the same columns; reinvested income is worth what was
    /// bought with it. They are few beside all entries, so CROSS makes SQLite begin with them.
    TRADE_FLOWS = "SELECT e.id, e.parent_id, e.account_id, e.date, e.category_id,
            CASE WHEN t.trade_type <> 'reinvestment' THEN e.amount
                WHEN e.booked IS NULL THEN -t.value ELSE t.fee - t.cost END,
            e.currency,
            CASE WHEN t.trade_type = 'reinvestment' AND e.booked IS NOT NULL THEN -t.value
                ELSE e.booked END
        FROM trades t CROSS JOIN ledger_entries e
        WHERE e.family_id = $1 AND e.id = t.entry_id
            AND t.family_id = $1 AND e.date >= $2 AND e.date <= $3
            AND t.trade_type IN ('dividend', 'interest', 'fee', 'reinvestment')
            AND NOT e.excluded";
    /// The fees of reinvestments, which were part of the income too. The columns are the same,
    /// except that the rate of the conversion takes the place of the booked amount.
    REINVESTED_FEES = "SELECT e.id, e.parent_id, e.account_id, e.date, e.category_id, -t.fee,
            e.currency, c.origin, c.to_currency
        FROM trades t CROSS JOIN ledger_entries e
        LEFT JOIN entry_conversions c ON c.family_id = $1 AND c.entry_id = e.id
        WHERE e.family_id = $1 AND e.id = t.entry_id
            AND t.family_id = $1 AND e.date >= $2 AND e.date <= $3
            AND t.trade_type = 'reinvestment' AND t.fee <> 0 AND NOT e.excluded";
    /// Amounts that are not booked in their account because no rate was known.
    UNBOOKED = "SELECT entry_id FROM entry_conversions
        WHERE family_id = $1 AND rate IS NULL AND date >= $2 AND date <= $3";
}

/// The days and accounts that the sums are for.
#[derive(Debug, Clone, Copy)]
pub struct CashFlowFilter<'a> {
    /// The first day that is counted.
    pub first: Date,
    /// The last day that is counted.
    pub last: Date,
    /// The currency of the sums.
    pub currency: Currency,
    /// The day on which months begin.
    pub month_start_day: i8,
    /// The accounts that are counted; all that are visible if this is `None`.
    pub accounts: Option<&'a [AccountId]>,
}

/// The sums of all days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CashFlow {
    /// The currency of all amounts.
    pub currency: Currency,
    /// By month, then by category; those without any category first.
    pub lines: Vec<Line>,
    /// What could not be counted.
    pub missing: Vec<Missing>,
    /// The rates by which amounts were converted, by the two currencies and then by day. An entry
    /// that is booked in another currency was converted before, and shows its rate itself.
    pub rates: Vec<UsedRate>,
}

/// What came in and went out under a category in a month. Neither is negative, and all lines of a
/// report are within [`purser_core::money::sum::SUM_MAX`] together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// The month's first day.
    pub month: Date,
    /// The category, of either level; none: entries without any.
    pub category: Option<CategoryId>,
    /// The money that came in.
    pub income: i128,
    /// The money that went out.
    pub expense: i128,
}

impl Line {
    /// What went out more than came in.
    pub fn net(&self) -> i128 {
        self.expense - self.income
    }
}

/// Amounts that no rate is known for, or that no sum holds once they are converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// The currency of the entries.
    pub from: Currency,
    /// What they would be counted in.
    pub to: Currency,
    /// The first day with one.
    pub first: Date,
    /// The last day with one.
    pub last: Date,
    /// The number of entries.
    pub entries: u64,
}

/// An entry that counts.
struct Flow {
    category: Option<Uuid>,
    date: Date,
    /// The amount; positive is money out.
    amount: i64,
    currency: Currency,
    /// 0 for an amount of an entry that was counted already.
    entries: u64,
}

/// Selects the entries that count, beside the conditions in the statements.
struct Counted {
    accounts: HashMap<Uuid, Currency>,
    transferred: HashSet<Uuid>,
    unbooked: HashSet<Uuid>,
}

/// Sums up what came in and went out of visible accounts.
pub fn cash_flow(tx: &mut FamilyTx<'_>, filter: &CashFlowFilter<'_>) -> Result<CashFlow> {
    let family = tx.family();
    let counted = Counted::read(tx, filter)?;
    let mut fold = Fold::new(filter);
    let (valuation, trade) = (EntryKind::Valuation.code(), EntryKind::Trade.code());
    let days = vals![family, filter.first, filter.last, valuation, trade];
    tx.for_each(&FLOWS, days, |row| counted.add(row, (row.opt_int(7)?, 1), &mut fold))?;
    let days = vals![family, filter.first, filter.last];
    tx.for_each(&TRADE_FLOWS, days, |row| counted.add(row, (row.opt_int(7)?, 1), &mut fold))?;
    tx.for_each(&REINVESTED_FEES, days, |row| counted.add(row, (booked_fee(row)?, 0), &mut fold))?;
    fold.finish(tx)
}

impl Counted {
    fn read(tx: &mut FamilyTx<'_>, filter: &CashFlowFilter<'_>) -> Result<Self> {
        let family = tx.family();
        let shown = accounts::shown(tx)?.into_iter();
        let accounts = shown
            .filter(|one| filter.accounts.is_none_or(|wanted| wanted.contains(&one.summary.id)))
            .map(|account| (account.summary.id.0, account.currency))
            .collect();
        let transferred = transfers::sides::confirmed(tx)?;
        let days = vals![family, filter.first, filter.last];
        let unbooked = tx.query(&UNBOOKED, days, |row| row.uuid(0))?;
        Ok(Self { accounts, transferred, unbooked: unbooked.into_iter().collect() })
    }

    /// Counts an amount that may be booked in its account's currency as another one, and how many
    /// entries it is.
    fn add(
        &self,
        row: &Row<'_>,
        (booked, entries): (Option<i64>, u64),
        fold: &mut Fold,
    ) -> Result<()> {
        let Some(own) = self.accounts.get(&row.uuid(2)?) else { return Ok(()) };
        let (id, whole) = (row.uuid(0)?, row.opt_uuid(1)?);
        let is_side = |id: &Uuid| self.transferred.contains(id);
        if !self.transferred.is_empty() && (is_side(&id) || whole.as_ref().is_some_and(is_side)) {
            return Ok(());
        }
        // Without a rate into its account there may be one into the currency of the sums.
        let is_booked = !self.unbooked.contains(whole.as_ref().unwrap_or(&id));
        let (amount, currency) = match booked.filter(|_| is_booked) {
            Some(booked) => (booked, *own),
            None => (row.int(5)?, row.currency(6)?),
        };
        let (date, category) = (row.date(3)?, row.opt_uuid(4)?);
        fold.add(&Flow { category, date, amount, currency, entries });
        Ok(())
    }
}

/// What a fee is booked as by the rate that is kept with its trade.
fn booked_fee(row: &Row<'_>) -> Result<Option<i64>> {
    let Some(origin) = row.opt_text(7)? else { return Ok(None) };
    let rate: Option<Rate> = serde_json::from_str(origin).map_err(Error::internal)?;
    let (fee, from, to) = (row.int(5)?, row.currency(6)?, row.currency(8)?);
    Ok(rate.and_then(|rate| convert(fee, from, to, &rate)))
}

#[cfg(test)]
mod tests;
