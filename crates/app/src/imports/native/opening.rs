//! The balance of an account before its first entry, if the file doesn't state it.
//!
//! It follows from the earliest day of which a balance is known: a balance of another program at
//! the start or the end of a day, a valuation, or at last the balance of the account after
//! everything. Which money moved until then the ledger knows once all entries are there: trades and
//! amounts in other currencies included ([`Executor::derive_openings`]).
//!
//! Where securities are held, that is the cash alone: what they are worth follows from prices.
//!
//! [`Executor::derive_openings`]: purser_store::ledger::Executor::derive_openings

use std::collections::HashMap;

use jiff::civil::Date;
use purser_core::import::native::{Account, Record, SourceId};
use purser_core::ledger::account::Opening;
use purser_core::ledger::entry::ValuationKind;
use purser_store::ledger::KnownBalance;

/// What is known of an account.
#[derive(Debug, Default)]
struct KnownBalances {
    has_anchor: bool,
    holds_securities: bool,
    /// The earliest balances before the entries of a day, of the whole and of the cash.
    starts: [Option<(Date, i64)>; 2],
    /// The earliest balances after the entries of a day.
    ends: [Option<(Date, i64)>; 2],
    /// The first day with a valuation.
    valued: Option<Date>,
}

/// What the balances before the first entries follow from.
#[derive(Debug, Default)]
pub(super) struct Openings {
    accounts: HashMap<SourceId, KnownBalances>,
}

/// The balance of an account before its first entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpeningBalance {
    /// The file states it.
    Stated(Opening),
    /// It follows from another one.
    Derived(KnownBalance),
    /// Nothing states what an account with securities held in cash.
    Unknown,
}

impl Openings {
    /// Takes the next record of the file.
    pub(super) fn take(&mut self, record: &Record) {
        match record {
            Record::Trade(one) => self.known(&one.facts.account).holds_securities = true,
            Record::Holding(one) => self.known(&one.account).holds_securities = true,
            Record::Valuation(one) => {
                let known = self.known(&one.facts.account);
                known.has_anchor |= one.kind == ValuationKind::OpeningAnchor;
                let date = one.facts.date;
                known.valued = Some(known.valued.map_or(date, |day| day.min(date)));
            }
            // Nothing follows from a balance in another currency than the account's.
            Record::Balance(one) if one.is_of_account => {
                let known = self.known(&one.account);
                let start = [one.start, one.start_cash];
                let ends = [Some(one.end), one.cash];
                for (kept, found) in known.starts.iter_mut().zip(start) {
                    keep_earlier(kept, one.date, found);
                }
                for (kept, found) in known.ends.iter_mut().zip(ends) {
                    keep_earlier(kept, one.date, found);
                }
            }
            _ => {}
        }
    }

    fn known(&mut self, account: &SourceId) -> &mut KnownBalances {
        self.accounts.entry(account.clone()).or_default()
    }

    /// Whether the file has trades or positions of an account.
    pub(super) fn holds_securities(&self, account: &SourceId) -> bool {
        self.accounts.get(account).is_some_and(|known| known.holds_securities)
    }

    /// The opening of an account that the file creates.
    pub(super) fn of(&self, account: &Account) -> OpeningBalance {
        let empty = KnownBalances::default();
        let known = self.accounts.get(&account.id).unwrap_or(&empty);
        if let Some(amount) = account.opening_balance {
            let date = account.opening_date.filter(|_| !known.has_anchor);
            return OpeningBalance::Stated(Opening { amount, date });
        }
        if known.has_anchor {
            return OpeningBalance::Stated(Opening { amount: 0, date: None });
        }
        let (place, after_all) = match known.holds_securities {
            false => (0, account.balance),
            true => (1, account.cash_balance),
        };
        let start = known.starts[place].map(|(date, amount)| KnownBalance::BeforeDay(date, amount));
        let end = known.ends[place].map(|(date, amount)| KnownBalance::AfterDay(date, amount));
        let valued = known.valued.map(KnownBalance::AtValuation);
        let of_days = [start, end, valued].into_iter().flatten();
        let earliest = of_days.min_by_key(|known| known.date());
        let derived = earliest.or(after_all.map(KnownBalance::AfterAll));
        derived.map_or(OpeningBalance::Unknown, OpeningBalance::Derived)
    }
}

fn keep_earlier(kept: &mut Option<(Date, i64)>, date: Date, found: Option<i64>) {
    if let Some(amount) = found
        && kept.is_none_or(|(day, _)| date < day)
    {
        *kept = Some((date, amount));
    }
}
