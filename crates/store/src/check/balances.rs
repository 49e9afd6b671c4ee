//! Balances twice: against the entries that they are derived from, and each row against the one
//! before it. The second check does its own arithmetic, so that a mistake in the shared fold would
//! be found too.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::ledger::account::{AccountType, Classification};
use purser_core::ledger::balance::Day;

use super::report::{Findings, with_cause};
use crate::driver::{Row, Tx, statements};
use crate::families::FamilyId;
use crate::ledger::accounts::Series;
use crate::ledger::balances as ledger;

statements! {
    /// What a rebuild needs to know of each account.
    ACCOUNTS_ALL = "SELECT family_id, id, account_type, opening_amount, opening_derived, backward
        FROM accounts
        ORDER BY family_id, id";
    /// Every day of every account.
    DAYS_ALL = "SELECT b.account_id, b.date, b.inflow, b.outflow, b.valued, b.adjustment,
            b.end_amount, b.transactions_count, b.bought, b.sold, a.account_type,
            COALESCE(a.opening_derived, a.opening_amount), a.backward
        FROM balances b JOIN accounts a ON a.family_id = b.family_id AND a.id = b.account_id
        ORDER BY b.family_id, b.account_id, b.date";
}

struct Account {
    family: FamilyId,
    id: AccountId,
    account_type: AccountType,
    series: Series,
}

/// Entries folded from the start give the stored days.
pub(super) fn rebuilt(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let accounts = tx.query(&ACCOUNTS_ALL, &[], |row| {
        Ok(Account {
            family: FamilyId::from_number(row.int(0)?),
            id: row.id(1)?,
            account_type: row.named(2)?,
            series: Series {
                opening_stated: row.int(3)?,
                opening_derived: row.opt_int(4)?,
                backward: row.bool(5)?,
            },
        })
    })?;
    for Account { family, id, account_type, series } in accounts {
        let stored = tx.of_family(family, |tx| ledger::stored(tx, id.0))?;
        findings.count(stored.len() as u64);
        let rebuilt = tx.of_family(family, |tx| ledger::rebuilt(tx, id.0, account_type, series));
        match rebuilt {
            Ok(rebuilt) => {
                compare(id, &stored, &rebuilt.days, findings);
                if rebuilt.opening != series.opening() {
                    findings.problem(|| {
                        let (stored, rebuilt) = (series.opening(), rebuilt.opening);
                        format!("account {id}: opens with {stored}, but comes to {rebuilt}")
                    });
                }
            }
            // The database answered, but the amounts can't be added up.
            Err(error @ Error::Invalid { .. }) => {
                findings.problem(|| format!("account {id}: {}", with_cause(&error)));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Notes the first day that differs; those after it mostly do because of it.
fn compare(id: AccountId, stored: &[Day], rebuilt: &[Day], findings: &mut Findings) {
    let longest = stored.len().max(rebuilt.len());
    let Some(at) = (0..longest).find(|at| stored.get(*at) != rebuilt.get(*at)) else { return };
    findings.problem(|| {
        let difference = match (stored.get(at), rebuilt.get(at)) {
            (Some(stored), Some(rebuilt)) if stored.date == rebuilt.date => {
                format!("{} is stored as {}, but is {}", stored.date, day(stored), day(rebuilt))
            }
            (Some(stored), Some(rebuilt)) if rebuilt.date < stored.date => {
                format!("{} has entries, but is not stored", rebuilt.date)
            }
            (None, Some(rebuilt)) => format!("{} has entries, but is not stored", rebuilt.date),
            (Some(stored), _) => format!("{} is stored, but has no entries", stored.date),
            (None, None) => String::new(),
        };
        format!("account {id}: {difference}")
    });
}

/// A day in the scale of its currency.
fn day(day: &Day) -> String {
    let activity = &day.activity;
    let valued = activity.valued.map_or_else(|| "none".to_owned(), |value| value.to_string());
    format!(
        "[in {}, out {}, bought {}, sold {}, valued {valued}, adjustment {}, end {}, \
         transactions {}]",
        activity.inflow,
        activity.outflow,
        activity.bought,
        activity.sold,
        day.adjustment,
        day.end,
        activity.transactions
    )
}

/// A row of the table with the account that it is of.
struct Stored {
    account: AccountId,
    date: Date,
    inflow: i128,
    outflow: i128,
    valued: Option<i128>,
    adjustment: i128,
    end: i128,
    transactions: i64,
    exchanged: (i64, i64),
    account_type: AccountType,
    opening_amount: i128,
    backward: bool,
}

impl Stored {
    fn read(row: &Row<'_>) -> Result<Self> {
        Ok(Self {
            account: row.id(0)?,
            date: row.date(1)?,
            inflow: row.int(2)?.into(),
            outflow: row.int(3)?.into(),
            valued: row.opt_int(4)?.map(i128::from),
            adjustment: row.int(5)?.into(),
            end: row.int(6)?.into(),
            transactions: row.int(7)?,
            exchanged: (row.int(8)?, row.int(9)?),
            account_type: row.named(10)?,
            opening_amount: row.int(11)?.into(),
            backward: row.bool(12)?,
        })
    }

    /// What is wrong with the day, if it starts at `start`.
    fn wrong(&self, start: i128) -> Option<String> {
        let (bought, sold) = self.exchanged;
        if self.inflow < 0 || self.outflow < 0 || self.transactions < 0 || bought < 0 || sold < 0 {
            return Some("has a negative flow or count".to_owned());
        }
        // Backward the day after a valuation is adjusted: the comparison with a rebuild sees it.
        if self.valued.is_none() && self.adjustment != 0 && !self.backward {
            return Some(format!("is adjusted by {} without a valuation", self.adjustment));
        }
        let holds = self.account_type.holds_securities();
        if !holds && self.valued.is_some_and(|value| value != self.end) {
            return Some(format!("ends at {}, which is not its valuation", self.end));
        }
        let net = match self.account_type.classification() {
            Classification::Asset => self.inflow - self.outflow,
            Classification::Liability => self.outflow - self.inflow,
        };
        let end = start + net + self.adjustment;
        (end != self.end).then(|| format!("ends at {}, but comes to {end}", self.end))
    }
}

/// `end = start + net + adjustment`, and `start` is the end of the day before.
pub(super) fn articulate(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let mut before: Option<(AccountId, i128)> = None;
    tx.for_each(&DAYS_ALL, &[], |row| {
        let stored = Stored::read(row)?;
        findings.count(1);
        let start = match before {
            Some((account, end)) if account == stored.account => end,
            _ => stored.opening_amount,
        };
        if let Some(wrong) = stored.wrong(start) {
            findings.problem(|| format!("account {}: {} {wrong}", stored.account, stored.date));
        }
        before = Some((stored.account, stored.end));
        Ok(())
    })
}
