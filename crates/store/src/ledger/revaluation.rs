//! What follows in the ledger from rates and prices that were stated, replaced or removed.
//!
//! Conversions that would now be made with another rate are made again, and accounts that hold
//! securities have the days of their valuations folded again: a valuation is of money and holdings
//! together. All of it happens in the transaction that changed the rate or the price. What depends
//! on prices from day to day is computed when it is asked for, so nothing of it is written here.

use std::collections::BTreeMap;

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::entry::EntryKind;
use purser_core::money::Money;
use serde_json::{Value, json};
use uuid::Uuid;

use super::accounts;
use super::conversions::Booking;
use super::origins::CurrentTransaction;
use super::{Event, Executor};
use crate::access::FamilyTx;
use crate::driver::{Val, statements, vals};

statements! {
    /// An entry as it is booked, unless its rate came with it.
    ENTRY_BOOKED = "SELECT e.account_id, e.kind, e.date, e.amount, e.currency,
            COALESCE(e.booked, e.amount)
        FROM ledger_entries e
        JOIN entry_conversions c ON c.family_id = $1 AND c.entry_id = e.id
        WHERE e.family_id = $1 AND e.id = $2 AND NOT c.given";
    /// What moved in an account day by day, and where valuations set it.
    ACCOUNT_MOVED = "SELECT inflow, outflow, bought, sold, valued,
            CASE WHEN valued IS NULL THEN 0 ELSE end_amount END
        FROM balances WHERE family_id = $1 AND account_id = $2";
    /// What it is booked as from now on.
    ENTRY_REBOOK = "UPDATE entries SET booked = $1 WHERE family_id = $2 AND id = $3";
    /// Accounts in which a valuation is of money and holdings.
    VALUED_HOLDERS = "SELECT a.id FROM accounts a
        WHERE a.family_id = $1 AND a.valuations_count > 0
            AND EXISTS (SELECT 1 FROM holdings h
                WHERE h.family_id = $1 AND h.account_id = a.id)";
    /// Those of them that hold or held a security.
    VALUED_HOLDERS_OF = "SELECT h.security_id, h.account_id FROM holdings h
        JOIN accounts a ON a.family_id = $1 AND a.id = h.account_id
        WHERE h.family_id = $1 AND a.valuations_count > 0 AND h.security_id = ANY($2)";
    /// Whether a security has a stated price before a day.
    PRICED_BEFORE = "SELECT 1 FROM security_prices
        WHERE family_id = $1 AND security_id = $2 AND date < $3 LIMIT 1";
}

impl Executor {
    /// Has an account's balances folded again from a day on, because something else changed that
    /// they depend on.
    pub(crate) fn refold_balances(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: AccountId,
        from: Date,
    ) -> Result<()> {
        self.accounts.touch(tx, account.0)?.refold_from(from);
        Ok(())
    }

    /// Converts the amount of an entry again, by the best rate now. An entry that was removed, or
    /// that was given with its rate, is left alone.
    fn reconvert(&mut self, tx: &mut FamilyTx<'_>, entry: EntryId) -> Result<()> {
        let found = tx.query_opt(&ENTRY_BOOKED, &self.key(entry.0), |row| {
            let (account, kind, date) = (row.uuid(0)?, row.int(1)?, row.date(2)?);
            let original = Money::new(row.int(3)?, row.currency(4)?);
            Ok((account, kind, date, original, row.int(5)?))
        })?;
        let Some((account, kind, date, original, before)) = found else { return Ok(()) };
        let to = self.accounts.touch(tx, account)?.currency;
        let is_trade = kind == EntryKind::Trade.code();
        let shares = if is_trade { Some(self.shares_of(tx, entry)?) } else { None };
        let booking = match self.booking(tx, original, to, date, None) {
            // This failure must not keep all other amounts from being converted.
            Err(Error::Invalid { .. }) => Booking::unknown(original, to),
            Ok(booking) if shares.as_ref().is_some_and(|one| one.is_beyond(&booking)) => {
                Booking::unknown(original, to)
            }
            other => other?,
        };
        let (gone, value) = match &shares {
            Some(shares) => (magnitude(shares.value), magnitude(shares.worth(&booking)?)),
            None => (0, 0),
        };
        let gone = gone + magnitude(before);
        let come = value + magnitude(booking.amount());
        let fits = self.has_room(tx, account, gone, come)?;
        let booking = if fits { booking } else { Booking::unknown(original, to) };
        let values = [booking.booked.into(), self.family.into(), entry.into()];
        tx.execute(&ENTRY_REBOOK, &values)?;
        self.keep_conversion(tx, entry.0, account, date, &booking)?;
        // The parts of a split are beside the whole, and only the whole is counted.
        if kind == EntryKind::Transaction.code() {
            self.count_out(tx, account, date, before)?;
            self.count_in(tx, account, date, booking.amount())?;
            let whole = CurrentTransaction::of(tx, entry)?;
            if whole.is_split {
                self.book_parts(tx, &whole)?;
            }
        } else if let Some(shares) = shares {
            self.revalue_trade(tx, entry, &shares, (account, date, before), &booking)?;
        }
        Ok(())
    }

    /// Whether `come` can be booked in an account in place of `gone` so that its balances stay
    /// within 64 bits, in any order of its days. An amount that was accepted while no rate was
    /// known may be too large for this. It stays unknown then, and the other amounts are converted.
    fn has_room(
        &mut self,
        tx: &mut FamilyTx<'_>,
        account: Uuid,
        gone: i128,
        come: i128,
    ) -> Result<bool> {
        let touched = self.accounts.touch(tx, account)?;
        let reach = match touched.reach {
            Some(reach) => reach,
            None => reach_of(tx, AccountId(account))?,
        };
        let left = reach - gone;
        let fits = left + come <= i128::from(i64::MAX);
        touched.reach = Some(if fits { left + come } else { left });
        Ok(fits)
    }
}

/// The largest possible distance of an account's balances from zero, in any order of its entries.
pub(crate) fn reach_of(tx: &mut FamilyTx<'_>, account: AccountId) -> Result<i128> {
    let family = tx.family();
    let (_, series) = accounts::series(tx, account.0)?;
    let (mut moved, mut far) = (0, magnitude(series.opening()));
    tx.for_each(&ACCOUNT_MOVED, vals![family, account], |row| {
        for column in 0..4 {
            moved += magnitude(row.int(column)?);
        }
        far = far.max(magnitude(row.opt_int(4)?.unwrap_or_default()));
        far = far.max(magnitude(row.int(5)?));
        Ok(())
    })?;
    Ok(moved + far)
}

fn magnitude(amount: i64) -> i128 {
    i128::from(amount).abs()
}

/// Converts entries again, by the rates that are the best now. `subject` is what changed, for the
/// audit trail.
pub(crate) fn conversions_changed(
    tx: &mut FamilyTx<'_>,
    subject: Uuid,
    entries: &[EntryId],
) -> Result<()> {
    if entries.is_empty() {
        return Ok(());
    }
    let mut executor = Executor::begin(tx, 0)?;
    for entry in entries {
        executor.reconvert(tx, *entry)?;
    }
    let event = rates_applied(tx, subject, json!({ "conversions": entries.len() }));
    executor.finish(tx, event).map(drop)
}

/// Folds again the balances with a valuation of money and holdings, if the value of the holdings in
/// the account's currency may have changed from a day on.
pub(crate) fn valuations_changed(tx: &mut FamilyTx<'_>, subject: Uuid, from: Date) -> Result<()> {
    let family = tx.family();
    let holders = tx.query(&VALUED_HOLDERS, vals![family], |row| row.id::<AccountId>(0))?;
    if holders.is_empty() {
        return Ok(());
    }
    let mut executor = Executor::begin(tx, 0)?;
    for account in &holders {
        executor.refold_balances(tx, *account, from)?;
    }
    let event = rates_applied(tx, subject, json!({ "accounts": holders.len() }));
    executor.finish(tx, event).map(drop)
}

fn rates_applied(tx: &FamilyTx<'_>, subject_id: Uuid, details: Value) -> Event {
    let (action, subject_kind) = ("exchange_rate.apply", "exchange_rate");
    Event { actor: tx.actor(), action, subject_kind, subject_id, details }
}

/// Brings the ledger up to date after prices of securities changed on a day or later.
pub(crate) fn prices_changed(tx: &mut FamilyTx<'_>, changed: &[(SecurityId, Date)]) -> Result<()> {
    let actor = tx.actor();
    let family = tx.family();
    // Of several days of one security the earliest counts, in whatever order they are given.
    let mut firsts: BTreeMap<SecurityId, Date> = BTreeMap::new();
    for (security, date) in changed {
        let first = firsts.entry(*security).or_insert(*date);
        *first = (*date).min(*first);
    }
    let keys: Vec<Val<'_>> = firsts.keys().map(|security| (*security).into()).collect();
    let mut holders: Vec<(SecurityId, AccountId)> = Vec::new();
    tx.lookup(&VALUED_HOLDERS_OF, vals![family], &keys, |row| {
        holders.push((row.id(0)?, row.id(1)?));
        Ok(())
    })?;
    let Some((subject, _)) = holders.first().copied() else { return Ok(()) };
    let mut executor = Executor::begin(tx, 0)?;
    for (security, account) in holders {
        let date = *firsts.get(&security).ok_or_else(|| Error::internal("a lost security"))?;
        let key = vals![family, security, date];
        // The first price counts for all days before it too.
        let is_first = tx.query_opt(&PRICED_BEFORE, key, |_| Ok(()))?.is_none();
        let from = if is_first { Date::MIN } else { date };
        executor.refold_balances(tx, account, from)?;
    }
    let event = Event {
        actor,
        action: "security_price.apply",
        subject_kind: "security",
        subject_id: subject.0,
        details: json!({}),
    };
    executor.finish(tx, event).map(drop)
}
