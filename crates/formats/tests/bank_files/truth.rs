//! What really happened: the transactions that a file is written from.

use jiff::ToSpan;
use jiff::civil::{Date, date};
use purser_core::money::Currency;

use crate::combination::{Account, Combination, Direction};
use crate::random::Random;

/// The day on which files are uploaded.
pub(crate) const AS_OF: Date = date(2026, 6, 30);
/// The number of the account that a file belongs to.
pub(crate) const OWN_NUMBER: &str = "GB33BUKB20201555555555";
const ACCOUNTS: [&str; 2] = ["Main 1", "Savings 2"];

// A transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Transaction {
    pub(crate) day: Date,
    /// In the smallest unit of the currency; money in is positive.
    pub(crate) amount: i64,
    pub(crate) name: &'static str,
    pub(crate) purpose: &'static str,
    /// The account, if the file names one of several.
    pub(crate) account: Option<&'static str>,
    /// What the account holds afterwards.
    pub(crate) balance: i64,
    /// Whether it is the last one of its account on its day.
    pub(crate) is_last_of_day: bool,
}

/// The transactions of a file, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Truth {
    pub(crate) currency: Currency,
    pub(crate) transactions: Vec<Transaction>,
}

impl Truth {
    pub(crate) fn of(combination: &Combination, random: &mut Random) -> Self {
        let language = combination.language;
        let currency = Currency::parse(language.currency.0).unwrap();
        let count_max = if random.one_in(5) { 40 } else { 16 };
        let count = random.between(5, count_max);
        let unit = usual_unit(currency);
        let mut day = date(2025, 9, 1)
            .checked_add(random.between(0, 7).months())
            .and_then(|day| day.checked_add(random.between(0, 25).days()))
            .unwrap();
        let opening = match combination.account {
            Account::Debt => -unit * random.between(100_000, 300_000),
            _ => unit * random.between(-20_000, 900_000),
        };
        let mut balances = [opening, unit * random.between(1_000, 50_000)];
        let mut transactions = Vec::new();
        for index in 0..count {
            day = day.checked_add(random.between(0, 4).days()).unwrap();
            let which = usize::from(combination.account == Account::Column && random.one_in(3));
            let is_income = match index {
                0 => false,
                // Something comes in, if anything does.
                2 => true,
                _ => random.one_in(6),
            } && combination.direction != Direction::Unsigned;
            let amount = unit * some_amount(is_income, random);
            balances[which] += amount;
            transactions.push(Transaction {
                day,
                amount,
                name: random.pick::<&str>(language.payees),
                purpose: random.pick::<&str>(language.purposes),
                account: (combination.account == Account::Column).then_some(ACCOUNTS[which]),
                balance: balances[which],
                is_last_of_day: false,
            });
        }
        mark_last_of_days(&mut transactions);
        Self { currency, transactions }
    }

    /// Whether a transaction is the oldest one of its account.
    pub(crate) fn is_oldest(&self, index: usize) -> bool {
        let account = self.transactions[index].account;
        !self.transactions[..index].iter().any(|one| one.account == account)
    }

    /// Whether money comes in and goes out in transactions that aren't the oldest.
    pub(crate) fn goes_both_ways(&self) -> bool {
        let later = (0..self.transactions.len()).filter(|index| !self.is_oldest(*index));
        let (ins, outs): (Vec<bool>, Vec<bool>) =
            later.map(|index| self.transactions[index].amount > 0).partition(|is_in| *is_in);
        !ins.is_empty() && !outs.is_empty()
    }

    /// Whether some day can't be a month.
    pub(crate) fn has_late_days(&self) -> bool {
        self.transactions.iter().any(|one| one.day.day() > 12)
    }
}

/// An amount as it occurs in daily life, in hundredths of what bread costs.
fn some_amount(is_income: bool, random: &mut Random) -> i64 {
    let amount = match random.below(6) {
        0 => random.between(1, 300) * 100,
        1 => random.between(100, 3_000) * 10,
        2 => random.between(20_000, 160_000),
        _ => random.between(100, 9_000),
    };
    if is_income { amount + random.between(0, 200_000) } else { -amount }
}

/// By how much amounts of a currency are larger than those in euros.
fn usual_unit(currency: Currency) -> i64 {
    match currency.code() {
        "HUF" | "RUB" | "INR" | "THB" | "KRW" => 10,
        "VND" => 100,
        "IDR" => 1_000,
        _ => 1,
    }
}

fn mark_last_of_days(transactions: &mut [Transaction]) {
    for index in 0..transactions.len() {
        let (its, later) = (&transactions[index], &transactions[index + 1..]);
        let goes_on = later.iter().any(|one| one.day == its.day && one.account == its.account);
        transactions[index].is_last_of_day = !goes_on;
    }
}
