//! The accounts that a plan touches: what it needs to know of them, and what it changes in them.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::AccountId;
use purser_core::ledger::account::{AccountType, NewAccount};
use purser_core::ledger::balance::Delta;
use purser_core::money::Currency;
use uuid::Uuid;

use super::balances;
use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// What the ledger needs to know of an account.
    ACCOUNT_FACTS = "SELECT account_type, currency, opening_amount, opening_derived, backward
        FROM accounts WHERE family_id = $1 AND id = $2";
    /// Keeps the counters beside the entries: no list ever counts rows.
    ACCOUNT_COUNT = "UPDATE accounts
        SET transactions_count = transactions_count + $1,
            valuations_count = valuations_count + $2,
            trades_count = trades_count + $3,
            updated_at = $4
        WHERE family_id = $5 AND id = $6";
    /// Which way the series is derived, and the balance before it.
    ACCOUNT_SERIES = "UPDATE accounts SET backward = $1, opening_derived = $2
        WHERE family_id = $3 AND id = $4";
}

/// An account that a plan touches.
pub(super) struct Touched {
    pub(super) id: Uuid,
    pub(super) account_type: AccountType,
    pub(super) currency: Currency,
    pub(super) series: Series,
    pub(super) deltas: BTreeMap<Date, Delta>,
    /// Days from here on are folded again, whatever changed.
    pub(super) refolded_from: Option<Date>,
    pub(super) valuations: i64,
    pub(super) trades: i64,
    /// The plan has created it: it has no entries and balances but those that the plan adds.
    pub(super) is_new: bool,
    /// The largest possible distance of its balances from zero, once it was computed.
    pub(super) reach: Option<i128>,
}

/// How the account's balances are derived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Series {
    /// The balance before the first entry, as a person stated it.
    pub(crate) opening_stated: i64,
    /// What follows for that time, if it is something else.
    pub(crate) opening_derived: Option<i64>,
    /// Whether the series is folded back from the balance that the bank reports now.
    pub(crate) backward: bool,
}

impl Touched {
    /// An account of which nothing has changed.
    fn new(id: Uuid, account_type: AccountType, currency: Currency, series: Series) -> Self {
        Self {
            id,
            account_type,
            currency,
            series,
            deltas: BTreeMap::new(),
            refolded_from: None,
            valuations: 0,
            trades: 0,
            is_new: false,
            reach: None,
        }
    }

    /// Has the days from this one on folded again, because something changed that they depend on.
    pub(super) fn refold_from(&mut self, date: Date) {
        self.refolded_from = Some(self.refolded_from.map_or(date, |from| from.min(date)));
    }

    /// Sets whether the series is folded backward. All of it is folded again.
    pub(super) fn set_direction(&mut self, tx: &mut FamilyTx<'_>, backward: bool) -> Result<()> {
        if self.series.backward == backward {
            return Ok(());
        }
        self.series.backward = backward;
        self.refold_from(Date::MIN);
        self.series.write(tx, self.id)
    }
}

impl Series {
    /// The balance before the first entry.
    pub(crate) fn opening(&self) -> i64 {
        self.opening_derived.unwrap_or(self.opening_stated)
    }

    /// The series with what its fold found before the first entry.
    pub(super) fn with_opening(self, opening: i64) -> Self {
        Self { opening_derived: (opening != self.opening_stated).then_some(opening), ..self }
    }

    fn write(&self, tx: &mut FamilyTx<'_>, account: Uuid) -> Result<()> {
        let family = tx.family();
        let values = [Val::Bool(self.backward), self.opening_derived.into(), family.into()];
        let key = [Val::Uuid(account)];
        tx.execute(&ACCOUNT_SERIES, &[&values[..], &key].concat()).map(drop)
    }
}

/// All accounts that a plan touches, each read once.
#[derive(Default)]
pub(super) struct Accounts {
    touched: Vec<Touched>,
    index: HashMap<Uuid, usize>,
}

impl Accounts {
    /// The account, read when it is touched first.
    pub(super) fn touch(&mut self, tx: &mut FamilyTx<'_>, id: Uuid) -> Result<&mut Touched> {
        let position = match self.index.get(&id) {
            Some(position) => *position,
            None => {
                self.touched.push(read(tx, id)?);
                self.index.insert(id, self.touched.len() - 1);
                self.touched.len() - 1
            }
        };
        self.touched.get_mut(position).ok_or_else(|| Error::internal("lost a touched account"))
    }

    /// An account that was created just now and opens with a valuation: nothing of it has to be
    /// read.
    pub(super) fn take_new(&mut self, id: Uuid, account: &NewAccount) {
        let series = Series { opening_stated: 0, opening_derived: None, backward: false };
        let touched = Touched::new(id, account.account_type, account.currency, series);
        self.index.insert(id, self.touched.len());
        self.touched.push(Touched { is_new: true, ..touched });
    }

    pub(super) fn ids(&self) -> Vec<AccountId> {
        self.touched.iter().map(|account| AccountId(account.id)).collect()
    }

    /// Reads again what is known of the accounts: others may have written since they were touched.
    pub(super) fn read_again(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        for account in &mut self.touched {
            let now = read(tx, account.id)?;
            account.account_type = now.account_type;
            account.series = now.series;
        }
        Ok(())
    }

    /// An account that is gone has nothing to be written.
    pub(super) fn forget(&mut self, id: Uuid) {
        self.touched.retain(|account| account.id != id);
        self.index = self.touched.iter().enumerate().map(|(at, one)| (one.id, at)).collect();
    }

    /// Writes counters and balances; what is written doesn't count again.
    pub(super) fn write(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let family = tx.family();
        for account in &mut self.touched {
            let before = account.series;
            // What is stored is the same whoever writes it.
            account.series = tx.with_all_accounts(|tx| balances::update(tx, account))?;
            let transactions: i64 = account.deltas.values().map(|delta| delta.transactions).sum();
            let now = tx.now();
            tx.execute(
                &ACCOUNT_COUNT,
                &[
                    Val::Int(transactions),
                    Val::Int(account.valuations),
                    Val::Int(account.trades),
                    now.into(),
                    family.into(),
                    Val::Uuid(account.id),
                ],
            )?;
            if account.series != before {
                account.series.write(tx, account.id)?;
            }
            account.deltas.clear();
            account.refolded_from = None;
            account.valuations = 0;
            account.trades = 0;
            account.is_new = false;
        }
        Ok(())
    }
}

/// What an account is, and how its balances are derived.
pub(crate) fn series(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<(AccountType, Series)> {
    read(tx, id).map(|account| (account.account_type, account.series))
}

fn read(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<Touched> {
    let family = tx.family();
    let facts = tx.query_opt(&ACCOUNT_FACTS, &[family.into(), Val::Uuid(id)], |row| {
        let series = Series {
            opening_stated: row.int(2)?,
            opening_derived: row.opt_int(3)?,
            backward: row.bool(4)?,
        };
        Ok(Touched::new(id, row.named(0)?, row.currency(1)?, series))
    })?;
    facts.ok_or(Error::NotFound { what: "Account" })
}
