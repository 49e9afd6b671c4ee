//! Accounts and their histories: pure functions of a seed and a day.
//!
//! A purchase is authorised on one day and booked on the same or a later one; in between it is
//! pending. What a client sees depends on the day on which it asks, so a world in which days pass
//! shows the same purchase first as pending and then as booked, perhaps with another amount.

pub(crate) mod dice;
mod history;
mod holdings;

use jiff::Span;
use jiff::civil::{Date, Weekday};

pub use history::Purchase;
pub use holdings::Holding;

use crate::misbehaviour::Quirk;
use dice::Dice;

/// What purchases cost if prices are round, in hundredths.
const ROUND_PRICES: [i64; 2] = [500, 1_000];
/// How many days of history there are on the first day.
const HISTORY_DAYS: i64 = 400;

/// What an account is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountKind {
    /// Money at a bank.
    Current,
    /// A credit card, with a negative balance while money is owed.
    Card,
    /// An account with holdings of securities.
    Investment,
}

/// An account of the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// The id at the provider.
    pub id: u64,
    /// The name of the account.
    pub name: &'static str,
    /// The name of the bank.
    pub bank: &'static str,
    /// The service that the provider gets it from.
    pub upstream: &'static str,
    /// The code of the currency.
    pub currency: &'static str,
    /// What the account is.
    pub kind: AccountKind,
    /// The balance before the history, in hundredths.
    pub opening: i64,
}

impl Account {
    /// The number of the sign-in at the bank, which accounts of one bank share.
    pub fn connection(&self) -> u64 {
        match self.id {
            1001 | 1002 => 500,
            other => other,
        }
    }
}

/// The accounts of every world.
pub const ACCOUNTS: [Account; 4] = [
    Account {
        id: 1001,
        name: "Current account",
        bank: "Harbour Bank",
        upstream: "gocardless",
        currency: "EUR",
        kind: AccountKind::Current,
        opening: 250_000,
    },
    Account {
        id: 1002,
        name: "Credit card",
        bank: "Harbour Bank",
        upstream: "gocardless",
        currency: "EUR",
        kind: AccountKind::Card,
        opening: 0,
    },
    Account {
        id: 1003,
        name: "Checking",
        bank: "Prairie Credit Union",
        upstream: "quiltt",
        currency: "USD",
        kind: AccountKind::Current,
        opening: 120_000,
    },
    Account {
        id: 1004,
        name: "Brokerage",
        bank: "Summit Invest",
        upstream: "snaptrade",
        currency: "USD",
        kind: AccountKind::Investment,
        opening: 5_000_000,
    },
];

/// A row as a client sees it on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The id; none while the bank has given none.
    pub id: Option<String>,
    /// The amount in hundredths; negative for money out.
    pub amount: i64,
    /// The day of the row.
    pub date: Date,
    /// The other side of the purchase.
    pub payee: &'static str,
    /// The text of the bank.
    pub description: String,
    /// Whether it isn't booked yet.
    pub pending: bool,
}

impl Row {
    /// The name of the other side and the text of the bank, as the first provider gives them.
    pub fn texts(&self, world: &World) -> (Option<&str>, Option<&str>) {
        match world.has(Quirk::NoNames) {
            true => (None, Some(self.description.as_str()).filter(|_| self.amount % 2 != 0)),
            false => (Some(self.payee), Some(&self.description)),
        }
    }
}

/// Banks with their accounts.
#[derive(Debug, Clone)]
pub struct World {
    /// Everything follows from it.
    pub seed: u64,
    /// The first day of all histories.
    start: Date,
    /// The day on which clients ask.
    pub today: Date,
    /// What the banks do wrong.
    pub quirks: Vec<Quirk>,
    /// Every account that the banks have.
    pub accounts: Vec<Account>,
    /// How much is bought with each account on each day; `None` for what people buy.
    pub purchases_per_day: Option<u64>,
}

impl World {
    /// A world without misbehaviour, with histories of more than a year. The day can be moved on.
    pub fn new(seed: u64, today: Date) -> Self {
        Self::with_days(seed, today, HISTORY_DAYS)
    }

    /// The same with histories that begin so many days ago.
    pub fn with_days(seed: u64, today: Date, days: i64) -> Self {
        let start = today.saturating_sub(Span::new().days(days));
        let accounts = ACCOUNTS.to_vec();
        Self { seed, start, today, quirks: Vec::new(), accounts, purchases_per_day: None }
    }

    /// Whether the banks do something wrong.
    pub fn has(&self, quirk: Quirk) -> bool {
        self.quirks.contains(&quirk)
    }

    /// The accounts that the provider lists.
    pub fn accounts(&self) -> Vec<Account> {
        let is_gone = |account: &Account| self.has(Quirk::AccountRemoved) && account.id == 1003;
        let is_listed = |account: &Account| !self.has(Quirk::NoAccounts) && !is_gone(account);
        self.accounts.iter().copied().filter(is_listed).collect()
    }

    /// Whether the bank of an account asks for a new consent.
    pub fn is_expired(&self, account: &Account) -> bool {
        self.has(Quirk::ConsentExpired) && account.id == 1002
    }

    /// Whether the bank of an account has a failure.
    pub fn is_failing(&self, account: &Account) -> bool {
        self.has(Quirk::BankError) && account.id == 1002
    }

    /// The rows of an account today, the newest first, with `pending` ones if they are wanted.
    pub fn rows(&self, account: &Account, pending: bool) -> Vec<Row> {
        let mut rows = Vec::new();
        let mut day = self.today;
        while day >= self.start {
            for purchase in history::purchases(self.seed, account, day, self.purchases_per_day) {
                rows.extend(self.seen(account, &purchase));
            }
            day = day.saturating_sub(Span::new().days(1));
        }
        let oldest = self.today.saturating_sub(Span::new().days(30));
        rows.retain(|row| {
            (pending || !row.pending) && (!self.has(Quirk::ShortHistory) || row.date >= oldest)
        });
        rows.sort_by_key(|row| std::cmp::Reverse(row.date));
        rows
    }

    /// The balance of an account today, in hundredths: the opening balance, what is booked, and
    /// what prices of holdings have moved.
    pub fn balance(&self, account: &Account) -> i64 {
        let mut whole = self.clone();
        whole.quirks.retain(|quirk| *quirk != Quirk::ShortHistory);
        let booked: i64 = whole.rows(account, false).iter().map(|row| row.amount).sum();
        let moved = match account.kind {
            AccountKind::Investment => self.holdings_moved(),
            AccountKind::Current | AccountKind::Card => 0,
        };
        account.opening + booked + moved
    }

    /// How many weeks of the history begin in some days.
    pub fn weeks_begun(&self, from: Date, to: Date) -> usize {
        let (from, to) = (from.max(self.start), to.min(self.today));
        let days = from.series(Span::new().days(1)).take_while(|day| *day <= to);
        days.filter(|day| day.weekday() == Weekday::Monday).count()
    }

    /// How a purchase is seen today: not at all, as one row, or as two.
    fn seen(&self, account: &Account, purchase: &Purchase) -> Vec<Row> {
        let mut dice = Dice::of(&[self.seed, account.id, purchase.number, 1]);
        let is_late = self.has(Quirk::LatePostings) && dice.one_in(4);
        let is_pending = purchase.booked > self.today;
        let is_held = purchase.booked > purchase.authorised;
        let is_cancelled = self.has(Quirk::CancelledHolds)
            && is_held
            && Dice::of(&[self.seed, account.id, purchase.number, 5]).one_in(4);
        if is_cancelled && !is_pending {
            return Vec::new();
        }
        let appears = purchase.booked.saturating_add(Span::new().days(3));
        if is_late && (is_pending || appears > self.today) {
            return Vec::new();
        }
        let tip = if self.has(Quirk::Tips) && !is_pending { purchase.tip } else { 0 };
        let amount = match self.has(Quirk::RoundPrices) && purchase.amount < 0 {
            true => -ROUND_PRICES[usize::from(purchase.amount % 2 == 0)],
            false => purchase.amount,
        };
        let row = Row {
            id: self.id(account, purchase, is_pending),
            amount: amount - tip,
            date: if is_pending { purchase.authorised } else { purchase.booked },
            payee: match self.has(Quirk::Renames) && !is_pending {
                true => purchase.booked_as,
                false => purchase.payee,
            },
            description: purchase.description.clone(),
            pending: is_pending,
        };
        let is_doubled = self.has(Quirk::TwinPendings) && is_pending && dice.one_in(2);
        if is_doubled { vec![row.clone(), row] } else { vec![row] }
    }

    fn id(&self, account: &Account, purchase: &Purchase, is_pending: bool) -> Option<String> {
        if self.has(Quirk::NoIds) || is_pending && self.has(Quirk::BlankIds) {
            return None;
        }
        if self.has(Quirk::OneIdForAll) {
            return Some("NONREF".to_owned());
        }
        let rotates = self.has(Quirk::RotatingIds)
            && Dice::of(&[self.seed, account.id, purchase.number, 3]).one_in(4);
        let day = if rotates { history::day_number(self.today) } else { 0 };
        let mut dice = Dice::of(&[self.seed, account.id, purchase.number, 2, day]);
        Some(format!("{:016x}{:016x}", dice.roll(), dice.roll()))
    }
}

#[cfg(test)]
mod tests;
