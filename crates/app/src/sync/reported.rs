//! Snapshots of a provider in the ledger's terms.
//!
//! The provider's amounts are positive if money comes in, the ledger's if it goes out. A balance of
//! what is owed is negative at the provider and positive in the ledger; the sign is turned by the
//! kind of the account, so an overpaid card has a negative debt. Times become days in the family's
//! time zone.

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::ledger::account::Classification;
use purser_core::limits::{NAME_CHARS_MAX, NOTES_CHARS_MAX};
use purser_core::money::Currency;
use purser_core::sync::{ReportedRow, ReportedRows, SourceRow};
use purser_providers::snapshot::{
    BalanceSnapshot, Completeness, StatedCurrency, TransactionSnapshot, TransactionsSnapshot, money,
};
use purser_providers::window::Window;
use purser_store::sync_plans::Balance;

use super::{Answers, RunSettings, Warning};

/// The name of a transaction that came without any text.
const NAMELESS: &str = "Transaction";

/// What the ledger has to know of the account.
#[derive(Debug, Clone, Copy)]
pub(super) struct Home {
    /// The currency of the account, which no answer changes.
    pub(super) currency: Currency,
    /// Whether a row without a currency is in that of the account: not if the balance that came
    /// with it is in another one, or, without such a balance, what the provider stated before.
    pub(super) is_stated: bool,
    /// Whether its balance is what the family has or what it owes.
    pub(super) classification: Classification,
    /// Whether it holds securities beside cash.
    pub(super) holds_securities: bool,
}

/// The rows of an answer. Rows that can't become transactions count as unreadable.
pub(super) fn rows(
    (window, snapshot): (Window, &TransactionsSnapshot),
    home: Home,
    run: &RunSettings,
) -> ReportedRows {
    let mut unreadable = snapshot.unreadable.len() as u64;
    let mut unreadable_ids: Vec<String> =
        snapshot.unreadable.iter().filter_map(|row| row.id.clone()).collect();
    let mut rows = Vec::with_capacity(snapshot.rows.len());
    for one in &snapshot.rows {
        match row(one, home, run) {
            // A row that was moved out of the window by the time zone belongs to another answer.
            Some(row) if !window.contains(row.row.date) => {}
            Some(row) if row.row.pending && !run.include_pending => {}
            Some(row) => rows.push(row),
            None => {
                unreadable += 1;
                unreadable_ids.extend(one.id.clone().filter(|id| !id.trim().is_empty()));
            }
        }
    }
    // Where nothing can be read, or rows may be missing, nothing is known to be gone.
    let is_legible = unreadable == 0 || !rows.is_empty();
    let may_lack_rows =
        matches!(snapshot.completeness, Completeness::Partial | Completeness::Doubtful);
    ReportedRows {
        rows,
        from: window.from(),
        to: window.to(),
        is_whole: is_legible && !may_lack_rows,
        is_doubtful: is_legible && snapshot.completeness == Completeness::Doubtful,
        has_pending: run.include_pending,
        unreadable,
        unreadable_ids,
    }
}

fn row(one: &TransactionSnapshot, home: Home, run: &RunSettings) -> Option<ReportedRow> {
    let currency = match one.currency {
        StatedCurrency::Known(currency) => currency,
        StatedCurrency::Absent if home.is_stated => home.currency,
        StatedCurrency::Absent => return None,
        StatedCurrency::Unknown => return None,
    };
    let amount = money(one.amount, currency).ok()?.amount.checked_neg()?;
    let date = match one.moment {
        Some(moment) => moment.to_zoned(run.time_zone.clone()).date(),
        None => one.date,
    };
    let description = text(one.description.as_deref(), NOTES_CHARS_MAX);
    let payee = text(one.payee.as_deref(), NAME_CHARS_MAX);
    let notes = description.clone().filter(|text| payee.as_ref().is_some_and(|one| one != text));
    let name = payee.or_else(|| text(description.as_deref(), NAME_CHARS_MAX));
    let name = name.unwrap_or_else(|| NAMELESS.to_owned());
    let id = one.id.clone().filter(|id| !id.trim().is_empty());
    Some(ReportedRow {
        row: SourceRow { id, date, amount, currency, name, pending: one.pending },
        notes,
    })
}

/// A text in one line, or none if it has no characters but spaces.
fn text(stated: Option<&str>, chars_max: usize) -> Option<String> {
    let words = stated?.split(|c: char| c.is_whitespace() || c.is_control());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let text: String = words.join(" ").chars().take(chars_max).collect();
    let text = text.trim_end().to_owned();
    (!text.is_empty()).then_some(text)
}

/// The balance in the ledger's sign, on its day.
pub(super) fn balance(
    snapshot: &BalanceSnapshot,
    home: Home,
    run: &RunSettings,
) -> Result<Balance, Warning> {
    match snapshot.currency {
        StatedCurrency::Known(currency) if currency == home.currency => {}
        StatedCurrency::Absent => {}
        _ => return Err(Warning::BalanceCurrencyDiffers),
    }
    let amount = money(snapshot.amount, home.currency).map_err(|_| Warning::BalanceUnreadable)?;
    let amount = match home.classification {
        Classification::Asset => Some(amount.amount),
        Classification::Liability => amount.amount.checked_neg(),
    };
    let day = snapshot.as_of.map(|at| at.to_zoned(run.time_zone.clone()).date());
    let date: Date = day.map_or(run.today, |day| day.min(run.today));
    let amount = amount.ok_or(Warning::BalanceUnreadable)?;
    Ok(Balance { date, amount, is_cash: !home.holds_securities })
}

/// The currency of a new account: that of the balance, else that of most rows. `None` if neither
/// states one; then a person is asked.
pub fn currency_of(answers: &Answers<'_>) -> Option<Currency> {
    if let Some(currency) = answers.balance.and_then(|balance| balance.currency.known()) {
        return Some(currency);
    }
    let mut counted: HashMap<Currency, usize> = HashMap::new();
    let rows = answers.transactions.iter().flat_map(|(_, snapshot)| &snapshot.rows);
    for currency in rows.filter_map(|row| row.currency.known()) {
        *counted.entry(currency).or_default() += 1;
    }
    counted.into_iter().max_by_key(|(currency, count)| (*count, *currency)).map(|(one, _)| one)
}
