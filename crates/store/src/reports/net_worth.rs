//! What a family owns and owes, on a day or over time, in one currency.
//!
//! Stored days of all accounts are read once, in order; between them a balance stays as it was.
//! Holdings are valued at each point, and every account is converted at the rate of that day. What
//! no rate or price is known for counts as nothing, and the accounts concerned are named. Sums have
//! 128 bits, which only extreme prices and rates exceed: what they don't hold counts as nothing
//! too.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::ledger::account::{AccountType, Classification};
use purser_core::ledger::valuing::Converter;
use purser_core::limits::{REPORT_CONVERSIONS_MAX, REPORT_RATES_MAX};
use purser_core::money::{Currency, sum};
use purser_core::rates::{UsedRate, UsedRates};

use super::require_at_most;
use crate::access::FamilyTx;
use crate::accounts::{self, AccountSummary, read_summary};
use crate::balances::unknown_days;
use crate::driver::{Row, statements, vals};
use crate::families;
use crate::{holdings, ledger, rates};

statements! {
    /// What the accounts of a family start with.
    NET_WORTH_ACCOUNTS = "SELECT a.id, a.name, a.account_type, a.status, a.currency,
            COALESCE(a.opening_derived, a.opening_amount),
            EXISTS (SELECT 1 FROM entry_conversions c WHERE c.family_id = $1
                AND c.account_id = a.id AND c.rate IS NULL)
        FROM ledger_accounts a WHERE a.family_id = $1 ORDER BY a.id";
    /// The end of an account's last day up to a day.
    NET_WORTH_AT = "SELECT end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date <= $3 ORDER BY date DESC LIMIT 1";
    /// The days of an account behind a day, up to another.
    NET_WORTH_DAYS = "SELECT date, end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date > $3 AND date <= $4 ORDER BY date";
}

/// What a family has at the end of a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// The day that it is of.
    pub date: Date,
    /// The sum of all assets.
    pub assets: i128,
    /// The sum of all liabilities, as a positive amount.
    pub liabilities: i128,
    /// The sums by type of account; liabilities are positive.
    pub by_type: BTreeMap<AccountType, i128>,
}

/// Net worth over time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NetWorth {
    /// The currency of all amounts: the family's.
    pub currency: Currency,
    /// The points in order of days.
    pub points: Vec<Point>,
    /// Accounts of which a rate or a price isn't known at one of the points at least.
    pub incomplete: Vec<AccountSummary>,
    /// What prices were converted with into the currency of their account, and accounts into that
    /// of the report, by the two currencies and then by day.
    pub rates: Vec<UsedRate>,
}

impl Point {
    fn new(date: Date) -> Self {
        Self { date, assets: 0, liabilities: 0, by_type: BTreeMap::new() }
    }

    /// What is left of what is owned.
    pub fn net(&self) -> i128 {
        // Sums are so far from the ends of 128 bits that their difference holds.
        self.assets - self.liabilities
    }

    /// Adds an account; returns whether the sums hold it.
    fn add(&mut self, account_type: AccountType, amount: i128) -> bool {
        let side = match account_type.classification() {
            Classification::Asset => &mut self.assets,
            Classification::Liability => &mut self.liabilities,
        };
        let of_type = self.by_type.entry(account_type).or_default();
        match (sum::add(*side, amount), sum::add(*of_type, amount)) {
            (Some(all), Some(all_of_type)) => {
                (*side, *of_type) = (all, all_of_type);
                true
            }
            _ => false,
        }
    }
}

struct Account {
    summary: AccountSummary,
    currency: Currency,
    opening: i64,
    /// Whether there are amounts without a known rate.
    lacks_rates: bool,
}

impl Account {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            summary: read_summary(row, 0)?,
            currency: row.currency(4)?,
            opening: row.int(5)?,
            lacks_rates: row.bool(6)?,
        })
    }
}

/// The net worth of a family on each of the days, which are in order; of visible accounts. Refused
/// if it takes more conversions or rates than a report may have.
pub fn net_worth(tx: &mut FamilyTx<'_>, days: &[Date]) -> Result<NetWorth> {
    let (family, visible) = (tx.family(), tx.accounts());
    let currency = families::get(tx)?.currency;
    let mut points: Vec<Point> = days.iter().copied().map(Point::new).collect();
    let mut incomplete = Vec::new();
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Ok(NetWorth { currency, points, incomplete, rates: Vec::new() });
    };
    let mut accounts = tx.query(&NET_WORTH_ACCOUNTS, vals![family], Account::read)?;
    accounts.retain(|account| visible.shows(&account.summary));
    let currencies: BTreeSet<Currency> =
        accounts.iter().map(|account| account.currency).chain([currency]).collect();
    let currencies: Vec<Currency> = currencies.into_iter().collect();
    let conversions = days.len() * (currencies.len() - 1);
    require_at_most(REPORT_CONVERSIONS_MAX, conversions, "conversions of currencies")?;
    let book = rates::book(tx, &currencies, *first, *last)?;
    let mut converter = Converter::new(&book);
    let mut used = UsedRates::default();
    for account in accounts {
        let ends = ends(tx, &account, days)?;
        let worth = worth(tx, &account, days)?;
        used.extend(worth.rates);
        require_at_most(REPORT_RATES_MAX, used.count(), "exchange rates")?;
        let mut complete = true;
        if account.lacks_rates {
            let unknown = unknown_days(tx, account.summary.id)?;
            complete = days.iter().all(|day| unknown.is_end_known(*day));
        }
        for ((point, amount), worth) in points.iter_mut().zip(ends).zip(worth.days) {
            complete &= worth.complete;
            // What no sum holds counts as nothing, like what no rate is known for.
            let amount = sum::add(worth.amount, amount.into()).and_then(|amount| {
                converter.convert(amount, account.currency, currency, point.date)
            });
            complete &=
                amount.is_some_and(|amount| point.add(account.summary.account_type, amount));
        }
        if !complete {
            incomplete.push(account.summary);
        }
    }
    used.extend(converter.into_used());
    require_at_most(REPORT_RATES_MAX, used.count(), "exchange rates")?;
    Ok(NetWorth { currency, points, incomplete, rates: used.into_list() })
}

/// The first day with a balance in a visible account.
pub fn first_day(tx: &mut FamilyTx<'_>) -> Result<Option<Date>> {
    let mut first = None;
    for account in accounts::shown(tx)? {
        let day = crate::balances::first_day(tx, account.summary.id)?;
        first = [first, day].into_iter().flatten().min();
    }
    Ok(first)
}

/// The end of the series on each of the days.
fn ends(tx: &mut FamilyTx<'_>, account: &Account, days: &[Date]) -> Result<Vec<i64>> {
    let family = tx.family();
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Ok(Vec::new()) };
    let id: AccountId = account.summary.id;
    let visible = ledger::balances::as_visible(tx, id.0, account.summary.account_type)?;
    if let Some(visible) = visible {
        return Ok(days.iter().map(|day| visible.end_of(*day)).collect());
    }
    let mut end = tx
        .query_opt(&NET_WORTH_AT, vals![family, id, *first], |row| row.int(0))?
        .unwrap_or(account.opening);
    let mut ends = vec![end];
    let mut rest = days.iter().skip(1).peekable();
    tx.for_each(&NET_WORTH_DAYS, vals![family, id, *first, *last], |row| {
        let date = row.date(0)?;
        while rest.next_if(|day| **day < date).is_some() {
            ends.push(end);
        }
        end = row.int(1)?;
        Ok(())
    })?;
    ends.extend(rest.map(|_| end));
    Ok(ends)
}

fn worth(tx: &mut FamilyTx<'_>, account: &Account, days: &[Date]) -> Result<holdings::Values> {
    if account.summary.account_type.holds_securities() {
        return holdings::values_on(tx, account.summary.id, days);
    }
    Ok(holdings::Values::nothing(days.len()))
}

#[cfg(test)]
mod tests {
    use purser_core::money::sum::SUM_MAX;

    use super::*;

    #[test]
    fn sums_are_larger_than_amounts_and_never_wrap() {
        let mut point = Point::new(Date::constant(2024, 1, 1));
        let most = i128::from(i64::MAX);
        for (account_type, amount) in [
            (AccountType::Depository, most),
            (AccountType::Property, most),
            (AccountType::Depository, most),
            (AccountType::Loan, -most),
        ] {
            assert!(point.add(account_type, amount));
        }
        assert_eq!((point.assets, point.liabilities, point.net()), (most * 3, -most, most * 4));
        assert_eq!(point.by_type[&AccountType::Depository], most * 2);
        let before = point.clone();
        assert!(!point.add(AccountType::Depository, SUM_MAX), "more than a sum holds");
        assert!(!point.add(AccountType::Property, SUM_MAX - most), "of all assets");
        assert_eq!(point, before);
    }
}
