//! Balances by day: read only. The ledger writes them.
//!
//! * [`series`]: the days on which something happened, for charts.
//! * [`daily`]: every day with its flows, market movement and adjustment.
//! * [`rebuilt`]: the days computed again from the entries, without the stored rows.

pub mod daily;
mod moves;
mod unknown;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::ledger::balance::Day;

use crate::access::FamilyTx;
use crate::accounts;
use crate::driver::{statements, vals};
use crate::ledger;
pub(crate) use unknown::unknown_days;

statements! {
    /// The first day on which something happened.
    FIRST_DAY = "SELECT date FROM balances
        WHERE family_id = $1 AND account_id = $2 ORDER BY date LIMIT 1";
    /// The balance before a day.
    BEFORE = "SELECT COALESCE((SELECT b.end_amount FROM balances b
                WHERE b.family_id = $1 AND b.account_id = a.id AND b.date < $2
                ORDER BY b.date DESC LIMIT 1), a.opening_derived, a.opening_amount)
        FROM ledger_accounts a WHERE a.family_id = $1 AND a.id = $3";
    /// The days of a range on which something happened.
    DAYS = "SELECT date, end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date >= $3 AND date <= $4 ORDER BY date";
    /// The days with an amount without a known rate. Zero needs none.
    UNBOOKED_DAYS = "SELECT DISTINCT e.date FROM entry_conversions c
        JOIN ledger_entries e ON e.family_id = $1 AND e.id = c.entry_id
        WHERE c.family_id = $1 AND c.account_id = $2 AND c.rate IS NULL AND e.amount <> 0
        ORDER BY e.date";
    /// Whether the series is folded backward.
    SERIES_BACKWARD = "SELECT backward FROM accounts WHERE family_id = $1 AND id = $2";
    /// The days with a valuation.
    VALUED_DAYS = "SELECT date FROM balances
        WHERE family_id = $1 AND account_id = $2 AND valued IS NOT NULL ORDER BY date";
}

/// The end of a day, in the scale of the account's currency; debt is positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The balance stays so until the day of the next point.
    pub date: Date,
    /// At the end of the day.
    pub amount: i64,
}

/// The first day on which something happened in an account.
pub fn first_day(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<Option<Date>> {
    let family = tx.family();
    tx.query_opt(&FIRST_DAY, vals![family, account], |row| row.date(0))
}

/// An account's balance from a day (without one, from the first on which something happened) up to
/// another: where it started, and every day on which something happened. Empty when nothing
/// happened up to the last day.
pub fn series(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    from: Option<Date>,
    to: Date,
) -> Result<Vec<Point>> {
    let family = tx.family();
    let first = tx.query_opt(&FIRST_DAY, vals![family, account], |row| row.date(0))?;
    let Some(first) = first.filter(|first| *first <= to) else { return Ok(Vec::new()) };
    // Nothing is known of the days before the first.
    let from = from.unwrap_or(first).max(first);
    let whole = tx.with_all_accounts(|tx| accounts::get(tx, account))?;
    if whole.summary.account_type.holds_securities() {
        // What holdings are worth moves on every day.
        let days = daily::of_account(tx, whole, Some(from), to)?;
        let point = |day: &daily::Balance| {
            let amount = day.day.cash.end.saturating_add(day.day.non_cash.end);
            Point { date: day.day.date, amount }
        };
        return Ok(days.iter().map(point).collect());
    }
    let before = tx
        .query_opt(&BEFORE, vals![family, from, account], |row| row.int(0))?
        .ok_or(Error::NotFound { what: "Account" })?;
    let mut points = tx.query(&DAYS, vals![family, account, from, to], |row| {
        Ok(Point { date: row.date(0)?, amount: row.int(1)? })
    })?;
    if points.first().is_none_or(|point| point.date > from) {
        points.insert(0, Point { date: from, amount: before });
    }
    Ok(points)
}

/// What an account holds at the end of a day; the cash of one with holdings.
pub fn at_end_of(tx: &mut FamilyTx<'_>, account: AccountId, day: Date) -> Result<i64> {
    let family = tx.family();
    let next = day.tomorrow().map_err(Error::internal)?;
    tx.query_opt(&BEFORE, vals![family, next, account], |row| row.int(0))?
        .ok_or(Error::NotFound { what: "Account" })
}

/// What an account has at the end of a day, its holdings included; none if a price or a rate that
/// they need isn't known.
pub fn worth_at_end_of(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    day: Date,
) -> Result<Option<i64>> {
    let cash = at_end_of(tx, account, day)?;
    let values = crate::holdings::values_on(tx, account, &[day])?;
    let held = values.days.first().filter(|value| value.complete);
    let held = held.and_then(|value| i64::try_from(value.amount).ok());
    Ok(held.and_then(|held| cash.checked_add(held)))
}

/// Whether the balance at the end of the last day is the one before the first and what flowed
/// between them: not if it is folded back from what the bank reports, or set by a valuation.
pub fn follows_flows(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    first: Date,
    last: Date,
) -> Result<bool> {
    let family = tx.family();
    let backward = tx.query_opt(&SERIES_BACKWARD, vals![family, account], |row| row.bool(0))?;
    let valued = tx.query(&VALUED_DAYS, vals![family, account], |row| row.date(0))?;
    Ok(backward == Some(false) && !valued.iter().any(|day| (first..=last).contains(day)))
}

/// The day from the end of which on the balance at the end of a later one follows from what flowed
/// between them: that of the latest valuation until then, or before all days. Nothing if the series
/// is folded back from what the bank reports.
pub fn follows_since(
    tx: &mut FamilyTx<'_>,
    account: AccountId,
    last: Date,
) -> Result<Option<Date>> {
    let family = tx.family();
    let backward = tx.query_opt(&SERIES_BACKWARD, vals![family, account], |row| row.bool(0))?;
    let valued = tx.query(&VALUED_DAYS, vals![family, account], |row| row.date(0))?;
    let latest = valued.into_iter().rfind(|day| *day <= last);
    Ok((backward == Some(false)).then_some(latest.unwrap_or(Date::MIN)))
}

/// The days of an account as its entries make them, in order; not read from what is stored.
pub fn rebuilt(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<Vec<Day>> {
    let (account_type, series) = ledger::accounts::series(tx, account.0)?;
    let folded = ledger::balances::rebuilt(tx, account.0, account_type, series)?;
    Ok(folded.days)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use purser_core::ledger::new_account::AccountInput;
    use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};

    use super::*;
    use crate::accounts::tests::{input, make};

    use crate::testing::{Fixture, Raw, on_both};
    use crate::valuations;

    #[test]
    fn a_series_starts_with_what_was_before_and_ends_with_its_last_day() {
        on_both(|fixture| {
            let (family, _) = fixture.family("own");
            let (other, _) = fixture.family("other");
            let dated = AccountInput {
                opening_date: Some("2024-01-10".to_owned()),
                ..input("House", "property", "100")
            };
            let account = make(fixture, family, &dated).summary.id;
            let quiet = make(fixture, family, &input("Quiet", "property", "5")).summary.id;
            for (day, amount) in [("2024-02-10", "120"), ("2024-03-10", "90")] {
                let values = ValuationValues {
                    amount: Some(purser_core::ledger::input::AmountText::Text(amount.into())),
                    date: Some(day.into()),
                    ..ValuationValues::default()
                };
                let valued = ValuationInput { account, values };
                let set = |tx: &mut FamilyTx<'_>| valuations::set(tx, &valued).map(drop);
                fixture.store.write_blocking(family, set).unwrap();
            }
            let read = |family, account, from, to| {
                let read = |tx: &mut FamilyTx<'_>| series(tx, account, from, to);
                let points = fixture.store.read_blocking(family, read).unwrap();
                let pair = |point: &Point| (point.date, point.amount / 10_000);
                points.iter().map(pair).collect::<Vec<_>>()
            };
            let (first, second) = ((date(2024, 1, 10), 100), (date(2024, 2, 10), 120));
            let (third, end) = ((date(2024, 3, 10), 90), date(2024, 5, 1));
            assert_eq!(read(family, account, None, end), [first, second, third]);
            assert_eq!(read(family, account, None, date(2024, 3, 9)), [first, second]);
            let from = date(2024, 2, 20);
            assert_eq!(read(family, account, Some(from), end), [(from, 120), third]);
            assert_eq!(read(family, account, Some(second.0), end), [second, third]);
            let early = Some(date(2020, 1, 1));
            assert_eq!(read(family, account, early, end), [first, second, third]);
            assert_eq!(read(family, account, None, date(2024, 1, 9)), []);
            assert_eq!(read(family, quiet, None, end), []);
            assert_eq!(read(other, account, None, end), []);
        });
    }

    /// What is read by the million must not be read row by row: a rebuild reads an index alone,
    /// and what belongs to a security lies together.
    #[test]
    fn sqlite_rebuilds_from_an_index_and_reads_securities_one_by_one() {
        let fixture = Fixture::sqlite();
        let Raw::Sqlite(connection) = fixture.raw() else { panic!("not SQLite") };
        for (sql, step) in [
            (
                &ledger::balances::ACTIVITY_FROM_ENTRIES,
                "entries USING COVERING INDEX entries_by_account (family_id=? AND account_id=?)",
            ),
            (
                &crate::prices::PRICES_SPAN,
                "p USING PRIMARY KEY (family_id=? AND security_id=? AND date>? AND date<?)",
            ),
            (
                &ledger::traded::TRADES_OF_SECURITY,
                "trades USING PRIMARY KEY (family_id=? AND security_id=?)",
            ),
            (&ledger::traded::ENTRY_OF_TRADE, "entries USING PRIMARY KEY (family_id=? AND id=?)"),
            (
                &ledger::position_inputs::CONVERSION_OF_TRADE,
                "entry_conversions USING PRIMARY KEY (family_id=? AND entry_id=?)",
            ),
            (
                &ledger::segments::SEGMENTS_OF_SECURITY,
                "p USING PRIMARY KEY (family_id=? AND account_id=? AND security_id=?)",
            ),
            (
                &ledger::traded::TRADES_OF_SECURITY_AFTER,
                "trades USING INDEX trades_by_day (family_id=? AND security_id=? AND date>?)",
            ),
            (
                &ledger::segments::SEGMENTS_OF_SECURITY_AFTER,
                "p USING PRIMARY KEY (family_id=? AND account_id=? AND security_id=? AND date>?)",
            ),
            (
                &ledger::position_inputs::STATEMENTS_OF_SECURITY_AFTER,
                "p USING PRIMARY KEY (family_id=? AND account_id=? AND security_id=? AND date>?)",
            ),
        ] {
            let text = format!("EXPLAIN QUERY PLAN {}", sql.sqlite_text());
            let mut statement = connection.prepare(&text).unwrap();
            let steps = statement.raw_query().mapped(|row| row.get(3));
            let steps: Vec<String> = steps.map(|step| step.unwrap()).collect();
            assert!(steps.contains(&format!("SEARCH {step}")), "{steps:?}");
        }
    }

    #[test]
    fn a_rebuild_gives_the_stored_days() {
        on_both(|fixture| {
            let (family, _) = fixture.family("own");
            let account = make(fixture, family, &input("House", "property", "100")).summary.id;
            for (day, amount) in [("2024-02-10", "120"), ("2024-03-10", "90")] {
                let values = ValuationValues {
                    amount: Some(purser_core::ledger::input::AmountText::Text(amount.into())),
                    date: Some(day.into()),
                    ..ValuationValues::default()
                };
                let valued = ValuationInput { account, values };
                let set = |tx: &mut FamilyTx<'_>| valuations::set(tx, &valued).map(drop);
                fixture.store.write_blocking(family, set).unwrap();
            }
            let read = |tx: &mut FamilyTx<'_>| {
                Ok((rebuilt(tx, account)?, ledger::balances::stored(tx, account.0)?))
            };
            let (days, stored) = fixture.store.read_blocking(family, read).unwrap();
            assert_eq!(days, stored);
            assert_eq!(days.len(), 2);
            let unknown = AccountId(uuid::Uuid::nil());
            let missing = fixture.store.read_blocking(family, |tx| rebuilt(tx, unknown));
            assert!(matches!(missing, Err(Error::NotFound { .. })));
        });
    }
}
