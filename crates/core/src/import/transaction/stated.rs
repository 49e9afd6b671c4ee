//! Balances that lines of a file state (`Opening balance`), compared with its rows.
//!
//! Without a column of balances, the balance before the rows and their sum have to come to the one
//! after them: that proves that no row is missing or read wrongly. With a column, both lines have
//! to agree with it. Only the rows of one account in one currency can be compared.

use jiff::civil::Date;

use super::Row;
use super::balance::{BalanceEnds, RunningBalance};
use super::totals::AccountTotals;
use crate::import::layout::{AmountSource, Layout};
use crate::import::layout_problem::LayoutProblem;
use crate::import::left_out::AnchorKind;
use crate::import::register::StatedOpening;
use crate::ledger::account::Classification;
use crate::money::format::money_text;
use crate::money::{Currency, Money};
use crate::text::quoted;

/// A balance that a line states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedBalance {
    /// Which balance it is.
    pub kind: AnchorKind,
    /// The account that its line names, if it names one.
    pub account: Option<String>,
    /// The amount as that of a row: positive is money out.
    pub amount: i64,
    /// The currency of the amount.
    pub currency: Currency,
    /// How many rows stand before it.
    pub place: u64,
}

/// What is known of the lines of a file that state balances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinesFacts {
    /// They may be a debt beside amounts that are money.
    pub may_be_opposite: bool,
    /// Those of the last file of the account were a debt, where both senses agree, or neither.
    pub were_opposite: bool,
    /// Each has its currency, so that one in another currency than the rows is no mistake.
    pub have_currencies: bool,
}

impl LinesFacts {
    /// Those of a file. Columns and words for the direction leave open for a debt alone what a
    /// balance counts, and statements of banks never do.
    pub fn of(layout: &Layout, account: Option<Classification>, earlier: Option<bool>) -> Self {
        let is_undirected = matches!(layout.amount, Some(AmountSource::Signed { .. }));
        let is_debt = account == Some(Classification::Liability);
        let is_of_statements = layout.is_of_statements();
        Self {
            may_be_opposite: (is_undirected || is_debt) && !is_of_statements,
            were_opposite: earlier == Some(true),
            have_currencies: is_of_statements,
        }
    }
}

/// What the rows come to that can be compared with stated balances.
#[derive(Debug, Clone, Default)]
pub struct RowsSum {
    of: Option<(String, Currency)>,
    days: Option<(Date, Date)>,
    /// Positive is money out.
    sum: i128,
    /// Rows are of several accounts or currencies, or some are missing.
    is_partial: bool,
    /// Rows are of several accounts.
    has_accounts: bool,
    /// Another currency of rows than that of the first one.
    other_currency: Option<Currency>,
}

/// The comparison of a file with the balances that it states.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comparison {
    /// Both ends as money of the account, if the file has no column of balances.
    pub ends: Option<BalanceEnds>,
    /// The balances agree only as a debt beside amounts that are money, or if the signs of the
    /// amounts are the other way round; never if that can't be.
    pub is_opposite: bool,
    /// What doesn't agree with the rows.
    pub problem: Option<LayoutProblem>,
}

impl RowsSum {
    /// Adds a row that is taken.
    pub fn add(&mut self, row: &Row<'_>) {
        let account = row.account.unwrap_or_default();
        match &self.of {
            None => self.of = Some((account.to_owned(), row.currency)),
            Some((known, currency)) => {
                self.is_partial |= known != account || *currency != row.currency;
                self.has_accounts |= known != account;
                if *currency != row.currency {
                    self.other_currency = Some(row.currency);
                }
            }
        }
        let (first, last) = self.days.unwrap_or((row.date, row.date));
        self.days = Some((first.min(row.date), last.max(row.date)));
        self.sum += i128::from(row.amount);
    }

    /// Notes that a row isn't taken that may have moved money.
    pub fn miss(&mut self) {
        self.is_partial = true;
    }

    /// Why balances at both ends can't be compared with the rows between them: currencies differ.
    fn incomparable(
        &self,
        account: &str,
        stated: &[StatedBalance],
        rows: u64,
    ) -> Option<LayoutProblem> {
        let (_, currency) = self.of.as_ref().filter(|_| !self.has_accounts)?;
        let [opening, closing] = currencies_of_ends(stated, rows, account)?;
        let other = [Some(opening), Some(closing), self.other_currency];
        let other = other.into_iter().flatten().find(|other| other != currency)?;
        let ends = format!("there are amounts in {currency} and in {other}, which can't be added");
        Some(LayoutProblem::EndsDiffer { ends })
    }

    /// Compares the rows, `rows` with those that aren't taken, with what lines state.
    pub fn compare(
        self,
        rows: u64,
        stated: &[StatedBalance],
        balance: Option<&RunningBalance>,
        lines: LinesFacts,
    ) -> Comparison {
        let (Some((account, currency)), Some((first_day, last_day))) = (self.of.clone(), self.days)
        else {
            return Comparison::default();
        };
        let (opening, closing) = ends_of(stated, rows, (&account, currency));
        if lines.have_currencies
            && let Some(problem) = self.incomparable(&account, stated, rows)
        {
            return Comparison { problem: Some(problem), ..Comparison::default() };
        }
        if self.is_partial || (opening.is_none() && closing.is_none()) {
            return Comparison::default();
        }
        if let Some(balance) = balance {
            let problem = against(balance, opening, closing);
            return Comparison { problem, ..Comparison::default() };
        }
        let money = |amount: Option<i64>, is_opposite: bool| {
            amount.and_then(|amount| if is_opposite { Some(amount) } else { amount.checked_neg() })
        };
        let ends = |is_opposite| BalanceEnds {
            account: account.clone(),
            currency,
            first_day,
            opening: money(opening, is_opposite),
            last_day,
            closing: money(closing, is_opposite),
            sum: i64::try_from(-self.sum).ok(),
        };
        // Balances may be a debt beside amounts that are money.
        let agrees = [false, true].map(|is_opposite| ends(is_opposite).difference() == Some(0));
        let agrees_opposite = agrees == [false, true];
        let is_opposite = lines.may_be_opposite
            && (agrees_opposite || (agrees[0] == agrees[1] && lines.were_opposite));
        let ends = ends(is_opposite);
        let differs = ends.difference().is_some_and(|difference| difference != 0);
        let text = ends.text(|day| day.to_string()).filter(|_| differs);
        let text = text.map(|text| match agrees_opposite && !is_opposite {
            true => format!("{text}; they would agree if the account were a debt"),
            false => text,
        });
        Comparison {
            is_opposite,
            problem: text.map(|ends| LayoutProblem::EndsDiffer { ends }),
            ends: Some(ends),
        }
    }
}

/// What accounts of a file held before its rows: lines name the accounts and state both ends, and
/// the rows lead from the one to the other. Of a file of statements that has no opening balance
/// (`is_derived`) it follows from the closing one and the rows.
pub fn proven_openings(
    stated: &[StatedBalance],
    rows: u64,
    totals: &[AccountTotals],
    is_derived: bool,
) -> Vec<StatedOpening> {
    let of = |its: &AccountTotals, kind: AnchorKind, place: u64| {
        let is_it = |one: &&StatedBalance| {
            one.account.as_ref() == Some(&its.account)
                && (one.kind, one.currency, one.place) == (kind, its.currency, place)
        };
        stated.iter().find(is_it).map(|one| i128::from(one.amount))
    };
    let proven = |its: &AccountTotals| {
        let closing = of(its, AnchorKind::Closing, rows)?;
        let moved = i128::from(its.money_out) - i128::from(its.money_in);
        let opening = match of(its, AnchorKind::Opening, 0) {
            None if is_derived => closing - moved,
            opening => opening?,
        };
        let amount = i64::try_from(-opening).ok().filter(|_| opening + moved == closing)?;
        Some(StatedOpening { account: its.account.clone(), currency: its.currency, amount })
    };
    totals.iter().filter_map(proven).collect()
}

/// The balance before all rows of an account that a line states, as money.
pub fn stated_opening(
    stated: &[StatedBalance],
    rows: u64,
    account: &str,
    currency: Currency,
) -> Option<i64> {
    ends_of(stated, rows, (account, currency)).0?.checked_neg()
}

/// The question whether balances that are opposite to the amounts are money or a debt; columns or
/// words for the direction leave none.
pub fn money_or_debt(layout: &Layout) -> Option<LayoutProblem> {
    let Some(AmountSource::Signed { column }) = layout.amount else { return None };
    let header = quoted(&layout.header(column));
    Some(LayoutProblem::MoneyOrDebt { header, is_directed: false, is_by_balance: false })
}

impl BalanceEnds {
    /// Whether rows that come to something lead from the one balance to the other.
    pub fn is_proven(&self) -> bool {
        self.difference() == Some(0) && self.sum != Some(0)
    }
}

/// The balance of an account before all rows and the one after them: newest first, the closing
/// balance stands above. What stands between rows is carried from page to page.
fn ends_of(
    stated: &[StatedBalance],
    rows: u64,
    (account, currency): (&str, Currency),
) -> (Option<i64>, Option<i64>) {
    let of = |kind, place| {
        let is_it = |one: &&StatedBalance| {
            let is_its = one.account.as_ref().is_none_or(|its| its == account);
            is_its && one.kind == kind && one.currency == currency && one.place == place
        };
        stated.iter().find(is_it).map(|one| one.amount)
    };
    let oldest_first = (of(AnchorKind::Opening, 0), of(AnchorKind::Closing, rows));
    let newest_first = (of(AnchorKind::Opening, rows), of(AnchorKind::Closing, 0));
    match oldest_first {
        (None, None) => newest_first,
        _ => oldest_first,
    }
}

/// The currencies of the balances of an account at both ends, if both are stated.
fn currencies_of_ends(stated: &[StatedBalance], rows: u64, account: &str) -> Option<[Currency; 2]> {
    let of = |kind, place| {
        let is_it = |one: &&StatedBalance| {
            let is_its = one.account.as_ref().is_none_or(|its| its == account);
            is_its && one.kind == kind && one.place == place
        };
        stated.iter().find(is_it).map(|one| one.currency)
    };
    let between =
        |first, last| Some([of(AnchorKind::Opening, first)?, of(AnchorKind::Closing, last)?]);
    between(0, rows).or_else(|| between(rows, 0))
}

/// What doesn't agree with the column of balances. Whether a balance is a debt doesn't matter here.
fn against(
    balance: &RunningBalance,
    opening: Option<i64>,
    closing: Option<i64>,
) -> Option<LayoutProblem> {
    let [ends] = balance.ends.as_slice() else { return None };
    let differs = |stated: Option<i64>, followed: Option<i64>| {
        let (stated, followed) = (stated?, followed?);
        let money = |amount: i64| money_text(Money::new(amount, ends.currency));
        let is_equal = stated.unsigned_abs() == followed.unsigned_abs();
        let stated = if followed < 0 { -stated.saturating_abs() } else { stated.saturating_abs() };
        (!is_equal).then(|| (money(stated), money(followed)))
    };
    let before = differs(opening, ends.opening).map(|both| ("before the first row", both));
    let found =
        before.or_else(|| differs(closing, ends.closing).map(|both| ("after the last row", both)));
    let (place, (stated, followed)) = found?;
    let ends = format!("it states {stated} {place}, which is {followed} by the column of balances");
    Some(LayoutProblem::EndsDiffer { ends })
}

#[cfg(test)]
#[path = "stated_tests.rs"]
mod tests;
