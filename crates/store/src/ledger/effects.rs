//! What has to be computed again after records changed: balances that prices and rates go into.
//!
//! Only the days are kept while a plan runs, so that a file of many prices needs no memory for it.

use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::SecurityId;
use purser_core::money::Currency;
use uuid::Uuid;

use super::Executor;
use super::revaluation::prices_changed;
use crate::access::FamilyTx;
use crate::rates::effects::own_rates_changed;

/// The first and the last day of what changed.
pub(crate) type Days = (Date, Date);

/// Prices and rates that a plan changed.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// The first day on which a price of a security changed.
    prices: BTreeMap<SecurityId, Date>,
    /// The days on which own rates of a pair changed.
    rates: BTreeMap<(Currency, Currency), Days>,
}

impl Effects {
    /// A price of a security is or was stated on a day.
    pub(crate) fn price(&mut self, security: SecurityId, date: Date) {
        let first = self.prices.entry(security).or_insert(date);
        *first = date.min(*first);
    }

    /// An own rate of a pair is or was stated on a day.
    pub(crate) fn rate(&mut self, pair: (Currency, Currency), date: Date) {
        let days = self.rates.entry(pair).or_insert((date, date));
        *days = (days.0.min(date), days.1.max(date));
    }

    /// Brings the ledger up to date. `subject` is that of the change behind it.
    pub(crate) fn settle(self, tx: &mut FamilyTx<'_>, subject: Uuid) -> Result<()> {
        if !self.prices.is_empty() {
            let prices: Vec<(SecurityId, Date)> = self.prices.into_iter().collect();
            prices_changed(tx, &prices)?;
        }
        own_rates_changed(tx, subject, &self.rates)
    }
}

impl Executor {
    /// Brings positions, balances and what follows from prices up to date before the plan goes on.
    pub(crate) fn settle_prices(&mut self, tx: &mut FamilyTx<'_>, subject: Uuid) -> Result<()> {
        self.settle(tx)?;
        std::mem::take(&mut self.effects).settle(tx, subject)?;
        self.accounts.read_again(tx)
    }
}
