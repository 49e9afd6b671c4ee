//! What sales realised, by year: for each security in each account, and for the family in all.
//!
//! Sums are exact fractions until they are shown, so the lines of a year add up to it whatever was
//! divided on the way. A sale of which the cost isn't known has no gain, and its line says so; the
//! year's total is then that of the others, and is marked.

use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, SecurityId};
use purser_core::money::Currency;
use purser_core::money::exact::{self, Fraction};
use purser_core::rates::{Rate, UsedRate, UsedRates};

use crate::accounts::{self, AccountSummary, Restriction};
use crate::driver::{Tx, statements, vals};
use crate::families::{self, FamilyId};
use crate::holdings::SecuritySummary;
use crate::rates;
use crate::trades::{self, Realized};

statements! {
    /// What lines show of a security.
    GAINS_SECURITY = "SELECT id, ticker, exchange_operating_mic, name FROM securities
        WHERE family_id = $1 AND id = $2";
}

/// What sales realised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gains {
    /// Of the totals: the family's.
    pub currency: Currency,
    /// The latest first.
    pub years: Vec<Year>,
    /// What gains were converted with for the totals, by the two currencies and then by day.
    pub rates: Vec<UsedRate>,
}

/// A year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Year {
    /// Which.
    pub year: i16,
    /// By account and security.
    pub lines: Vec<Line>,
    /// The gains of all lines in the family's currency, as far as they are known.
    pub total: i64,
    /// Whether every cost and rate that the total needs is known.
    pub complete: bool,
}

/// What sales of a security in an account realised in a year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// Where.
    pub account: AccountSummary,
    /// Of what.
    pub security: SecuritySummary,
    /// The account's: of all amounts, which are in its scale.
    pub currency: Currency,
    /// How many sales.
    pub sales: u64,
    /// What was received, as far as it is known.
    pub proceeds: i64,
    /// What it had cost, as far as it is known.
    pub cost: i64,
    /// What is left; none if something isn't known.
    pub gain: Option<i64>,
}

/// A year while it is added up.
struct Totals {
    lines: BTreeMap<(AccountId, SecurityId), Sum>,
    total: Fraction,
    complete: bool,
}

impl Totals {
    fn new() -> Self {
        Self { lines: BTreeMap::new(), total: exact::whole(0), complete: true }
    }
}

/// The sums of a line while it is added up.
struct Sum {
    currency: Currency,
    sales: u64,
    proceeds: Fraction,
    cost: Fraction,
    gain: Option<Fraction>,
}

/// Gains by year, of sales from a day to another; of accounts in sight.
pub fn gains(
    tx: &mut Tx<'_>,
    family: FamilyId,
    restriction: Restriction<'_>,
    from: Date,
    to: Date,
) -> Result<Gains> {
    let currency = families::get(tx, family)?.currency;
    let realized = trades::gains(tx, family, restriction, from, to)?;
    let known = accounts::known(tx, family)?;
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
        match in_currency(tx, family, one, currency, &mut used)? {
            Some(gain) => year.total = exact::shorten(&year.total + gain),
            None => year.complete = false,
        }
    }
    let years = years.into_iter().rev().map(|(year, Totals { lines, total, complete })| {
        let lines = lines
            .into_iter()
            .filter_map(|((account, security), sum)| {
                Some(sum.line(summaries.get(&account)?.clone(), names.get(&security)?.clone()))
            })
            .collect::<Result<_>>()?;
        Ok(Year { year, lines, total: rounded(&total)?, complete })
    });
    Ok(Gains { currency, years: years.collect::<Result<_>>()?, rates: used.into_list() })
}

/// A gain in another currency, at the rate of the day; none if it isn't known.
fn in_currency(
    tx: &mut Tx<'_>,
    family: FamilyId,
    one: &Realized,
    to: Currency,
    used: &mut UsedRates,
) -> Result<Option<Fraction>> {
    let Some(gain) = one.gain.total() else { return Ok(None) };
    if one.currency == to {
        return Ok(Some(gain));
    }
    let rate = rates::find(tx, family, one.currency, to, one.gain.date)?;
    let Some(number) = rate.as_ref().and_then(Rate::fraction) else { return Ok(None) };
    used.extend(rate.map(|rate| (one.gain.date, rate)));
    let scale = exact::units(to.scale()) / exact::units(one.currency.scale());
    Ok(Some(gain * number * scale))
}

impl Sum {
    fn new(currency: Currency) -> Self {
        let nothing = || exact::whole(0);
        Self { currency, sales: 0, proceeds: nothing(), cost: nothing(), gain: Some(nothing()) }
    }

    fn add(&mut self, one: &Realized) {
        self.sales += 1;
        for lot in &one.gain.lots {
            if let Some(proceeds) = &lot.proceeds {
                self.proceeds = exact::shorten(&self.proceeds + proceeds);
            }
            if let Some(cost) = &lot.cost {
                self.cost = exact::shorten(&self.cost + cost);
            }
        }
        let gain = self.gain.take().zip(one.gain.total());
        self.gain = gain.map(|(sum, gain)| exact::shorten(sum + gain));
    }

    fn line(self, account: AccountSummary, security: SecuritySummary) -> Result<Line> {
        Ok(Line {
            account,
            security,
            currency: self.currency,
            sales: self.sales,
            proceeds: rounded(&self.proceeds)?,
            cost: rounded(&self.cost)?,
            gain: self.gain.as_ref().map(rounded).transpose()?,
        })
    }
}

fn rounded(value: &Fraction) -> Result<i64> {
    exact::round(value).ok_or_else(|| Error::invalid("The gains would leave the range of amounts"))
}
