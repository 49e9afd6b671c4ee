//! The balance of a new account before its first entry, where only a later one is known.
//!
//! What moved until then is what the ledger booked: amounts in other currencies as they were
//! converted, and the money of trades.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ImportId};
use purser_core::ledger::account::Classification;
use purser_core::money::decimal::within_limits;

use super::Executor;
use crate::access::FamilyTx;
use crate::driver::{statements, vals};

statements! {
    /// What moved on each day up to one.
    FLOWS_UNTIL = "SELECT inflow, outflow FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date <= $3";
    /// The balance at the end of a day on which something happened.
    END_OF_DAY = "SELECT end_amount FROM balances
        WHERE family_id = $1 AND account_id = $2 AND date = $3";
}

/// A balance of an account in its own sense; where securities are held, that of the cash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KnownBalance {
    /// Before the entries of a day.
    BeforeDay(Date, i64),
    /// After the entries of a day.
    AfterDay(Date, i64),
    /// That of the valuation of a day.
    AtValuation(Date),
    /// After all entries of the account.
    AfterAll(i64),
}

impl KnownBalance {
    /// The day that it is of; the last one for a balance after everything.
    pub fn date(&self) -> Date {
        match *self {
            Self::BeforeDay(date, _) | Self::AfterDay(date, _) | Self::AtValuation(date) => date,
            Self::AfterAll(_) => Date::MAX,
        }
    }
}

impl Executor {
    /// Sets the opening of accounts that the plan created with none, once all their entries are
    /// added.
    ///
    /// # Errors
    /// An opening is out of range, or the database doesn't answer.
    pub fn derive_openings(
        &mut self,
        tx: &mut FamilyTx<'_>,
        import: ImportId,
        openings: &[(AccountId, KnownBalance)],
    ) -> Result<()> {
        if openings.is_empty() {
            return Ok(());
        }
        self.end_part(tx)?;
        self.settle_prices(tx, import.0)?;
        for (account, known) in openings {
            let opening = self.opening_before(tx, *account, *known)?;
            if opening != 0 {
                self.store_opening(tx, account.0, opening)?;
            }
        }
        Ok(())
    }

    fn opening_before(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        known: KnownBalance,
    ) -> Result<i64> {
        let family = tx.family();
        let (last, end) = match known {
            // Nothing is before the first day of the calendar.
            KnownBalance::BeforeDay(date, start) => (date.yesterday().unwrap_or(date), start),
            KnownBalance::AfterDay(date, end) => (date, end),
            KnownBalance::AfterAll(end) => (Date::MAX, end),
            KnownBalance::AtValuation(date) => {
                let key = vals![family, account, date];
                let end = tx.query_opt(&END_OF_DAY, key, |row| row.int(0))?;
                (date, end.unwrap_or_default())
            }
        };
        let mut came_in = 0_i128;
        tx.for_each(&FLOWS_UNTIL, vals![family, account, last], |row| {
            came_in += i128::from(row.int(0)?) - i128::from(row.int(1)?);
            Ok(())
        })?;
        let touched = self.accounts.touch(tx, account.0)?;
        let scale = touched.currency.scale();
        // Money that comes in makes a balance larger and a debt smaller.
        let opening = match touched.account_type.classification() {
            Classification::Asset => i128::from(end) - came_in,
            Classification::Liability => i128::from(end) + came_in,
        };
        let opening = i64::try_from(opening).ok().filter(|one| within_limits(*one, scale));
        let beyond = "The balance of an account before its first entry is out of range";
        opening.ok_or_else(|| Error::invalid(beyond))
    }
}
