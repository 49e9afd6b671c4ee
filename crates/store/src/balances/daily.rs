//! Daily balances of a family's accounts: every day up to the family's today.
//!
//! Only days on which something happened are stored, so pages are counted and not read: each
//! account has a row for every day from its first on. An account's first day is that of its first
//! entry, or the day on which it was made. Rows of later days than today are never shown.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{self, AccountId};
use purser_core::ledger::balance::{Activity, Day};
use purser_core::ledger::daily::{DailyBalance, Series};
use purser_core::ledger::unknown_days::UnknownDays;
use purser_core::money::Currency;
use purser_core::rates::{Rate, UsedRate, UsedRates};
use uuid::Uuid;

use super::{moves, unknown_days};
use crate::access::FamilyTx;
use crate::accounts::{self, Account, AccountSummary, Listing};
use crate::driver::{Row, date_to_days, days_to_date, statements, vals};
use crate::{calendar, holdings, ledger};

statements! {
    /// The first day on which something happened, the first on which shares were held (they may
    /// have come without money or price), and the first with amounts that lack a rate.
    DAILY_FIRST = "SELECT
            (SELECT MIN(b.date) FROM balances b WHERE b.family_id = $1
                AND b.account_id = a.id),
            (SELECT MIN(p.date) FROM position_segments p WHERE p.family_id = $1
                AND p.account_id = a.id),
            (SELECT MIN(c.date) FROM entry_conversions c WHERE c.family_id = $1
                AND c.account_id = a.id AND c.rate IS NULL),
            COALESCE(a.opening_derived, a.opening_amount)
        FROM ledger_accounts a WHERE a.family_id = $1 AND a.id = $2";
    /// The end of the last day before a day.
    DAILY_BEFORE = "SELECT end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date < $3 ORDER BY date DESC LIMIT 1";
    /// The stored days of a range.
    DAILY_STORED = "SELECT date, inflow, outflow, bought, sold, valued, transactions_count,
            adjustment, end_amount
        FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date BETWEEN $3 AND $4 ORDER BY date";
    /// Shares that moved, and the value that the stored days have for them: their number times
    /// the price that was stated, or 0.
    DAILY_MOVES = "SELECT e.date, t.security_id, t.qty, t.value FROM ledger_entries e
        JOIN trades t ON t.family_id = $1 AND t.entry_id = e.id
        WHERE e.family_id = $1 AND e.account_id = $2 AND e.date BETWEEN $3 AND $4
            AND e.kind = 2 AND t.trade_type IN ('transfer_in', 'transfer_out')";
}

/// An account's balance on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Balance {
    /// Made of the account's id and the day.
    pub id: Uuid,
    /// The account of the balance.
    pub account: AccountSummary,
    /// The currency of all amounts.
    pub currency: Currency,
    /// The day in its two halves.
    pub day: DailyBalance,
    /// The valuation of the day, if there is one.
    pub valued: Option<i64>,
    /// Whether every rate and price that its start, its flows and its end need is known.
    pub complete: bool,
    /// What the holdings were converted with, at the start and at the end of the day, if that was
    /// asked for.
    pub rates: Vec<UsedRate>,
    /// When the account was created.
    pub created_at: Timestamp,
    /// When the account or an entry of it changed last, of whatever day.
    pub updated_at: Timestamp,
}

/// Which balances are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct BalanceListing {
    /// Only of this account.
    pub account: Option<AccountId>,
    /// Only of accounts in this currency.
    pub currency: Option<Currency>,
    /// From this day on.
    pub start: Option<Date>,
    /// Up to this day.
    pub end: Option<Date>,
}

/// An account and the days that it has rows for.
struct Span {
    account: Account,
    first: i64,
    last: i64,
    opening: i64,
    /// Whether there are amounts without a known rate.
    lacks_rates: bool,
}

/// A page of the balances of visible accounts, the newest day first, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: BalanceListing,
    limit: i64,
    offset: i64,
) -> Result<(Vec<Balance>, u64)> {
    let today = calendar::today(tx)?;
    let (accounts, _) = accounts::list(tx, Listing::default(), i64::MAX, 0)?;
    let mut spans = Vec::new();
    for account in accounts {
        let wanted = listing.account.is_none_or(|id| id == account.summary.id)
            && listing.currency.is_none_or(|currency| currency == account.currency);
        if wanted && let Some(span) = span(tx, account, today)? {
            spans.extend(limited(span, listing.start, listing.end));
        }
    }
    spans.sort_by_key(|span| span.account.summary.id);
    let total = spans.iter().map(|span| span.last - span.first + 1).sum::<i64>();
    let mut rows = Vec::new();
    for (span, from, to) in window(&spans, limit, offset) {
        let (found, used) = read(tx, span, days_to_date(from)?, days_to_date(to)?)?;
        rows.extend(with_rates(found, &used));
    }
    rows.sort_by(|a, b| (b.day.date, a.account.id).cmp(&(a.day.date, b.account.id)));
    // The first and the last day of the page may have rows that belong to its neighbours.
    let newest = rows.first().map_or(0, |row| rows_after(&spans, date_to_days(row.day.date)));
    let skipped = offset - newest;
    let page = rows.into_iter().skip(usize::try_from(skipped.max(0)).unwrap_or(usize::MAX));
    let page = page.take(usize::try_from(limit).unwrap_or(usize::MAX)).collect();
    Ok((page, u64::try_from(total).map_err(Error::internal)?))
}

/// One balance by the id that is made of its account and day.
pub fn get(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Balance> {
    const MISSING: Error = Error::NotFound { what: "Balance" };
    let today = calendar::today(tx)?;
    let (accounts, _) = accounts::list(tx, Listing::default(), i64::MAX, 0)?;
    let mut found = accounts
        .into_iter()
        .filter_map(|account| ids::of_day(id, account.summary.id.0).map(|day| (account, day)));
    let (account, day) = found.next().ok_or(MISSING)?;
    let date = days_to_date(day.into()).map_err(|_| MISSING)?;
    let span = span(tx, account, today)?.ok_or(MISSING)?;
    if !(span.first..=span.last).contains(&day.into()) {
        return Err(MISSING);
    }
    let (found, used) = read(tx, &span, date, date)?;
    with_rates(found, &used).pop().ok_or(MISSING)
}

/// Every day of one account in a range, as far as it has rows; the earliest first. Without the
/// rates, of which years of days have many.
pub fn of_account(
    tx: &mut FamilyTx<'_>,
    account: Account,
    from: Option<Date>,
    to: Date,
) -> Result<Vec<Balance>> {
    let span = span(tx, account, to)?;
    let Some(span) = span.and_then(|span| limited(span, from, Some(to))) else {
        return Ok(Vec::new());
    };
    let (from, to) = (days_to_date(span.first)?, days_to_date(span.last)?);
    Ok(read(tx, &span, from, to)?.0)
}

/// The days that an account has rows for, up to `last`.
fn span(tx: &mut FamilyTx<'_>, account: Account, last: Date) -> Result<Option<Span>> {
    let family = tx.family();
    let made = calendar::day_of(tx, account.created_at)?;
    let facts = tx.query_opt(&DAILY_FIRST, vals![family, account.summary.id], |row| {
        // Money without a known rate moved nothing, but on this day.
        let firsts = [row.opt_date(0)?, row.opt_date(1)?, row.opt_date(2)?];
        Ok((firsts.into_iter().flatten().min(), firsts[2].is_some(), row.int(3)?))
    })?;
    let Some((first, lacks_rates, opening)) = facts else { return Ok(None) };
    let first = first.map_or(made, |first| first.min(made));
    let (first, last) = (date_to_days(first), date_to_days(last));
    Ok((first <= last).then_some(Span { account, first, last, opening, lacks_rates }))
}

fn limited(span: Span, start: Option<Date>, end: Option<Date>) -> Option<Span> {
    let first = start.map_or(span.first, |start| span.first.max(date_to_days(start)));
    let last = end.map_or(span.last, |end| span.last.min(date_to_days(end)));
    (first <= last).then_some(Span { first, last, ..span })
}

/// How many rows are of later days than this.
fn rows_after(spans: &[Span], day: i64) -> i64 {
    spans.iter().map(|span| (span.last - day.max(span.first - 1)).max(0)).sum()
}

/// The days of each account that a page touches.
fn window(spans: &[Span], limit: i64, offset: i64) -> Vec<(&Span, i64, i64)> {
    let (Some(newest), Some(oldest)) =
        (spans.iter().map(|span| span.last).max(), spans.iter().map(|span| span.first).min())
    else {
        return Vec::new();
    };
    // The day of the row at a position: the latest on and after which there are more rows than
    // that.
    let day_at = |position: i64| {
        let (mut low, mut high) = (oldest, newest);
        while low < high {
            let middle = low + (high - low + 1) / 2;
            if rows_after(spans, middle - 1) > position { low = middle } else { high = middle - 1 }
        }
        low
    };
    if limit < 1 || offset >= rows_after(spans, oldest - 1) {
        return Vec::new();
    }
    let (to, from) = (day_at(offset), day_at(offset.saturating_add(limit - 1)));
    let touched = spans.iter().filter(|span| span.first <= to && span.last >= from);
    touched.map(|span| (span, span.first.max(from), span.last.min(to))).collect()
}

/// Adds to each row the rates by which its holdings were converted: at its start, which is the end
/// of the day before, and at its end. The rates are in order of days.
fn with_rates(mut rows: Vec<Balance>, used: &[(Date, Rate)]) -> Vec<Balance> {
    if used.is_empty() {
        return rows;
    }
    for row in &mut rows {
        let end = row.day.date;
        let start = end.yesterday().unwrap_or(end);
        let before = used.partition_point(|(day, _)| *day < start);
        let of_row = used.iter().skip(before).take_while(|(day, _)| *day <= end);
        let mut rates = UsedRates::default();
        rates.extend(of_row.cloned());
        row.rates = rates.into_list();
    }
    rows
}

/// Rates in the order of the days on which they were used.
type DatedRates = Vec<(Date, Rate)>;

/// The rows of an account from a day to another, which it has, and the rates that its holdings were
/// converted with from the day before on.
fn read(
    tx: &mut FamilyTx<'_>,
    span: &Span,
    from: Date,
    to: Date,
) -> Result<(Vec<Balance>, DatedRates)> {
    let account = &span.account;
    let id = account.summary.id;
    let (before, mut stored) = stored_days(tx, span, from, to)?;
    let composition = account.summary.account_type.composition();
    let mut worth = Vec::new();
    let mut known: Vec<bool> = Vec::new();
    let mut used = Vec::new();
    if account.summary.account_type.holds_securities() {
        let yesterday = from.yesterday().map_err(Error::internal)?;
        let days: Vec<Date> =
            yesterday.series(jiff::Span::new().days(1)).take_while(|day| *day <= to).collect();
        let values = holdings::values_on(tx, id, &days)?;
        worth = values.days.iter().map(|value| value.in_balance().0).collect();
        known = values.days.iter().map(|value| value.in_balance().1).collect();
        used = values.rates;
        used.extend(moves::add(tx, account, (from, to), before, &mut stored)?);
        used.sort_by_key(|(day, _)| *day);
    }
    let series = Series {
        classification: account.summary.account_type.classification(),
        composition,
        before,
        days: &stored,
        worth: &worth,
    };
    let rows = series.rows(from, to).map_err(Error::internal)?;
    let unknown = if span.lacks_rates { unknown_days(tx, id)? } else { UnknownDays::default() };
    let mut valuations = stored.iter().peekable();
    let balances = rows.into_iter().enumerate().map(|(at, day)| {
        let stored = valuations.next_if(|stored| stored.date == day.date);
        // Both ends of the day: its market movement needs what the holdings were worth before it.
        let is_priced = known.iter().skip(at).take(2).all(|is_known| *is_known);
        Ok(Balance {
            id: day_id(id, day.date)?,
            account: account.summary.clone(),
            currency: account.currency,
            day,
            valued: stored.and_then(|stored| stored.activity.valued),
            complete: is_priced && unknown.is_day_known(day.date),
            rates: Vec::new(),
            created_at: account.created_at,
            updated_at: account.updated_at,
        })
    });
    Ok((balances.collect::<Result<_>>()?, used))
}

/// The balance before a day, and the days with activity from it to another, as the caller may see
/// them.
fn stored_days(
    tx: &mut FamilyTx<'_>,
    span: &Span,
    from: Date,
    to: Date,
) -> Result<(i64, Vec<Day>)> {
    let (family, AccountSummary { id, account_type, .. }) = (tx.family(), &span.account.summary);
    if let Some(mut visible) = ledger::balances::as_visible(tx, id.0, *account_type)? {
        let before = from.yesterday().map(|day| visible.end_of(day));
        visible.days.retain(|day| (from..=to).contains(&day.date));
        return Ok((before.unwrap_or(visible.opening), visible.days));
    }
    let before = tx.query_opt(&DAILY_BEFORE, vals![family, *id, from], |row| row.int(0))?;
    let stored = tx.query(&DAILY_STORED, vals![family, *id, from, to], stored_day)?;
    Ok((before.unwrap_or(span.opening), stored))
}

/// The id of an account's balance on a day.
pub(crate) fn day_id(account: AccountId, date: Date) -> Result<Uuid> {
    let day = i32::try_from(date_to_days(date)).map_err(Error::internal)?;
    Ok(ids::day_id(account.0, day))
}

fn stored_day(row: &Row<'_>) -> Result<Day> {
    let activity = Activity {
        inflow: row.int(1)?,
        outflow: row.int(2)?,
        bought: row.int(3)?,
        sold: row.int(4)?,
        valued: row.opt_int(5)?,
        transactions: row.int(6)?,
    };
    Ok(Day { date: row.date(0)?, activity, adjustment: row.int(7)?, end: row.int(8)? })
}
