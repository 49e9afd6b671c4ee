//! The balance of an account before its first entry, if the file doesn't state it.
//!
//! It follows from the earliest day of which a balance is known: a balance of another program at
//! the start of a day, a valuation, or at last the balance of the account after everything. What
//! the file has up to that day is taken back from it.

use std::collections::{BTreeMap, HashMap};

use jiff::civil::Date;
use purser_core::import::native::{Account, EntryFacts, Record, SourceId};
use purser_core::ledger::account::{Classification, Opening};
use purser_core::ledger::entry::ValuationKind;

/// What is known of an account.
#[derive(Default)]
struct KnownBalances {
    has_anchor: bool,
    /// Money out on each day, in the currency of the entries' account.
    flows: BTreeMap<Date, i128>,
    /// The balance before the entries of a day.
    start: Option<(Date, i64)>,
    /// The balance after the entries of a day.
    end: Option<(Date, i64)>,
}

/// What the balances before the first entries follow from.
#[derive(Default)]
pub(super) struct Openings {
    accounts: HashMap<SourceId, KnownBalances>,
    /// Accounts that state it themselves need no look at their entries.
    stated: std::collections::HashSet<SourceId>,
}

impl Openings {
    /// Takes the next record of the file.
    pub(super) fn take(&mut self, record: &Record) {
        match record {
            Record::Account(account) if account.opening_balance.is_some() => {
                self.stated.insert(account.id.clone());
                self.accounts.remove(&account.id);
            }
            Record::Transaction(one) if !one.pending => self.flow(&one.facts),
            Record::Valuation(one) => {
                let Some(known) = self.known(&one.facts.account) else { return };
                if one.kind == ValuationKind::OpeningAnchor {
                    known.has_anchor = true;
                }
                let (date, amount) = (one.facts.date, one.facts.amount);
                if known.end.is_none_or(|(day, _)| date < day) {
                    known.end = Some((date, amount));
                }
            }
            Record::Balance(one) => {
                let Some(known) = self.known(&one.account) else { return };
                if let Some(start) = one.start
                    && known.start.is_none_or(|(day, _)| one.date < day)
                {
                    known.start = Some((one.date, start));
                }
                if known.end.is_none_or(|(day, _)| one.date < day) {
                    known.end = Some((one.date, one.end));
                }
            }
            _ => {}
        }
    }

    fn flow(&mut self, facts: &EntryFacts) {
        if let Some(known) = self.known(&facts.account) {
            *known.flows.entry(facts.date).or_default() += i128::from(facts.amount);
        }
    }

    fn known(&mut self, account: &SourceId) -> Option<&mut KnownBalances> {
        if self.stated.contains(account) {
            return None;
        }
        Some(self.accounts.entry(account.clone()).or_default())
    }

    /// The opening of an account that the file creates.
    pub(super) fn of(&self, account: &Account) -> Opening {
        let known = self.accounts.get(&account.id);
        let has_anchor = known.is_some_and(|known| known.has_anchor);
        if let Some(amount) = account.opening_balance {
            let date = account.opening_date.filter(|_| !has_anchor);
            return Opening { amount, date };
        }
        if has_anchor {
            return Opening { amount: 0, date: None };
        }
        let empty = KnownBalances::default();
        let known = known.unwrap_or(&empty);
        let before = |last: Option<Date>| -> i128 {
            let days = known.flows.iter();
            days.filter(|(day, _)| last.is_none_or(|last| **day <= last)).map(|(_, sum)| *sum).sum()
        };
        let (amount, flows) = match (known.start, known.end) {
            (Some((date, start)), end) if end.is_none_or(|(day, _)| date <= day) => {
                (start, before(date.yesterday().ok()))
            }
            (_, Some((date, end))) => (end, before(Some(date))),
            _ => (account.balance.unwrap_or_default(), before(None)),
        };
        // Money out makes a balance smaller and a debt larger.
        let sum = match account.account_type.classification() {
            Classification::Asset => i128::from(amount) + flows,
            Classification::Liability => i128::from(amount) - flows,
        };
        Opening { amount: i64::try_from(sum).unwrap_or(amount), date: None }
    }
}
