//! Realised gains by year: for each security in each account, and for the family in all.
//!
//! Sums are exact fractions until they are shown, so the lines of a year add up to it whatever was
//! divided on the way. A sale with an unknown cost has no gain, and its line is marked; the year's
//! total is then that of the others, and is marked. A sum that 128 bits don't hold isn't known
//! either.

use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::{AccountId, SecurityId};
use purser_core::limits::REPORT_RATES_MAX;
use purser_core::money::Currency;
use purser_core::money::exact::{self, Fraction};
use purser_core::rates::{Rate, UsedRate, UsedRates};

use super::require_at_most;
use crate::access::FamilyTx;
use crate::accounts::{self, AccountSummary};
use crate::driver::{statements, vals};
use crate::families;
use crate::holdings::SecuritySummary;
use crate::rates;
use crate::trades::{self, Realized};

statements! {
    /// What lines show of a security.
    GAINS_SECURITY = "SELECT id, ticker, exchange_operating_mic, name FROM securities
        WHERE family_id = $1 AND id = $2";
}

/// The realised gains of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gains {
    /// The currency of the totals: the family's.
    pub currency: Currency,
    /// The years, the latest first.
    pub years: Vec<Year>,
    /// What gains were converted with for the totals, by the two currencies and then by day.
    pub rates: Vec<UsedRate>,
}

/// The realised gains of a year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Year {
    /// The number of the year.
    pub year: i16,
    /// The lines by account and security.
    pub lines: Vec<Line>,
    /// The gains of all lines in the family's currency, as far as they are known.
    pub total: i128,
    /// Whether every cost and rate that the total needs is known.
    pub complete: bool,
}

/// What sales of a security in an account realised in a year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The account that it belongs to.
    pub account: AccountSummary,
    /// The security that it is about.
    pub security: SecuritySummary,
    /// The account's: of all amounts, which are in its scale.
    pub currency: Currency,
    /// The number of sales.
    pub sales: u64,
    /// What was received, as far as it is known.
    pub proceeds: i128,
    /// What it had cost, as far as it is known.
    pub cost: i128,
    /// What is left; none if something isn't known.
    pub gain: Option<i128>,
}

/// A year while it is added up.
struct Totals {
    lines: BTreeMap<(AccountId, SecurityId), Sum>,
    total: Total,
    complete: bool,
}

impl Totals {
    fn new() -> Self {
        Self { lines: BTreeMap::new(), total: Total::nothing(), complete: true }
    }
}

/// An exact sum, and what it is shown as.
struct Total {
    exact: Fraction,
    rounded: i128,
}

impl Total {
    fn nothing() -> Self {
        Self { exact: exact::whole(0), rounded: 0 }
    }

    /// Adds what is known; returns whether the sum holds it.
    fn add(&mut self, more: &Fraction) -> bool {
        let exact = exact::shorten(&self.exact + more);
        let Some(rounded) = exact::round_sum(&exact) else { return false };
        *self = Self { exact, rounded };
        true
    }
}

/// The sums of a line while it is added up.
struct Sum {
    currency: Currency,
    sales: u64,
    proceeds: Total,
    cost: Total,
    gain: Option<Total>,
}

/// Gains by year, of sales from a day to another; of visible accounts.
pub fn gains(tx: &mut FamilyTx<'_>, from: Date, to: Date) -> Result<Gains> {
    let family = tx.family();
    let currency = families::get(tx)?.currency;
    let realized = trades::gains(tx, from, to)?;
    let known = accounts::known(tx)?;
    let summaries: BTreeMap<AccountId, AccountSummary> =
        known.into_iter().map(|account| (account.summary.id, account.summary)).collect();
    let mut names: BTreeMap<SecurityId, SecuritySummary> = BTreeMap::new();
    for one in &realized {
        if let std::collections::btree_map::Entry::Vacant(place) = names.entry(one.security) {
            let found = tx.query_one(&GAINS_SECURITY, vals![family, one.security], |row| {
                SecuritySummary::read(row, 0)
            })?;
            place.insert(found);
        }
    }
    let mut years: BTreeMap<i16, Totals> = BTreeMap::new();
    let mut used = UsedRates::default();
    for one in &realized {
        let year = years.entry(one.gain.date.year()).or_insert_with(Totals::new);
        let line = year.lines.entry((one.gain.account, one.security));
        line.or_insert_with(|| Sum::new(one.currency)).add(one);
        let gain = in_currency(tx, one, currency)?;
        match gain.filter(|(gain, _)| year.total.add(gain)) {
            Some((_, rate)) => used.extend(rate.map(|rate| (one.gain.date, rate))),
            None => year.complete = false,
        }
    }
    require_at_most(REPORT_RATES_MAX, used.count(), "exchange rates")?;
    let years = years.into_iter().rev().map(|(year, Totals { lines, total, complete })| {
        let lines = lines
            .into_iter()
            .filter_map(|((account, security), sum)| {
                Some(sum.line(summaries.get(&account)?.clone(), names.get(&security)?.clone()))
            })
            .collect();
        Year { year, lines, total: total.rounded, complete }
    });
    Ok(Gains { currency, years: years.collect(), rates: used.into_list() })
}

/// A gain in another currency, and the rate of the day if it took one; none if it isn't known.
fn in_currency(
    tx: &mut FamilyTx<'_>,
    one: &Realized,
    to: Currency,
) -> Result<Option<(Fraction, Option<Rate>)>> {
    let Some(gain) = one.gain.total() else { return Ok(None) };
    if one.currency == to || gain == exact::whole(0) {
        return Ok(Some((gain, None)));
    }
    let rate = rates::find(tx, one.currency, to, one.gain.date)?;
    let Some(number) = rate.as_ref().and_then(Rate::fraction) else { return Ok(None) };
    let scale = exact::units(to.scale()) / exact::units(one.currency.scale());
    Ok(Some((gain * number * scale, rate)))
}

impl Sum {
    fn new(currency: Currency) -> Self {
        let nothing = Total::nothing;
        Self { currency, sales: 0, proceeds: nothing(), cost: nothing(), gain: Some(nothing()) }
    }

    fn add(&mut self, one: &Realized) {
        self.sales += 1;
        let mut holds = true;
        for lot in &one.gain.lots {
            holds &= lot.proceeds.as_ref().is_none_or(|proceeds| self.proceeds.add(proceeds));
            holds &= lot.cost.as_ref().is_none_or(|cost| self.cost.add(cost));
        }
        let gain = self.gain.take().zip(one.gain.total()).filter(|_| holds);
        self.gain = gain.and_then(|(mut sum, gain)| sum.add(&gain).then_some(sum));
    }

    fn line(self, account: AccountSummary, security: SecuritySummary) -> Line {
        Line {
            account,
            security,
            currency: self.currency,
            sales: self.sales,
            proceeds: self.proceeds.rounded,
            cost: self.cost.rounded,
            gain: self.gain.map(|gain| gain.rounded),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_beyond_64_bits_and_end_at_128() {
        let mut total = Total::nothing();
        let most = i64::MAX;
        let third = exact::whole(1) / exact::whole(3);
        for more in [exact::whole(most), third.clone(), exact::whole(most), third] {
            assert!(total.add(&more));
        }
        // Two thirds of a unit, rounded once.
        assert_eq!(total.rounded, i128::from(most) * 2 + 1);
        let beyond = exact::whole(most) * exact::whole(most) * exact::whole(4);
        assert!(!total.add(&beyond));
        assert_eq!(total.rounded, i128::from(most) * 2 + 1, "what isn't held changes nothing");
    }
}
