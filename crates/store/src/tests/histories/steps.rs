//! What a family does: random steps, and how they are taken.

use jiff::Span;
use jiff::civil::{Date, date};
use purser_core::error::Error;
use purser_core::ids::{AccountId, EntryId};
use purser_core::ledger::account_values::AccountValues;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::new_trade::{TradeInput, TradeValues};
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::new_valuation::{ValuationInput, ValuationValues};
use purser_core::ledger::security::Listing;
use purser_core::ledger::split::PartInput;
use purser_core::ledger::trade::TradeType;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::rates::RateInput;

use super::Dice;
use crate::access::FamilyTx;
use crate::families::FamilyId;
use crate::prices::changes::{self, PriceInput};
use crate::rates::own;
use crate::testing::Fixture;
use crate::{accounts, securities, trades, transactions, valuations};

/// Accounts that every family starts with: name, type, currency, cost method.
const ACCOUNTS: [(&str, &str, &str, &str); 6] = [
    ("Giro", "depository", "EUR", "average"),
    ("Card", "credit_card", "EUR", "average"),
    ("Dollars", "depository", "USD", "average"),
    ("House", "property", "EUR", "average"),
    ("Broker", "investment", "EUR", "average"),
    ("Depot", "investment", "EUR", "fifo"),
];
const TICKERS: [&str; 3] = ["AAA", "BBB", "CCC"];
/// The first of the days on which things happen.
const FIRST: Date = date(2024, 4, 1);
/// The day of the tests is in between, so that some things happen in the future.
const DAYS: u64 = 60;

/// Something that a family does. Numbers choose among what is there when it is done.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Enter { account: u64, day: u64, cents: i64, currency: &'static str, rate: Option<&'static str> },
    Change { entry: u64, to: usize, day: u64, cents: i64, exclude: bool },
    Remove { entry: u64 },
    Split { entry: u64, cents: i64 },
    Unsplit { entry: u64 },
    Value { account: u64, day: u64, cents: i64 },
    Unvalue { valuation: u64 },
    BankSays { account: u64, cents: i64 },
    Opening { account: u64, cents: i64 },
    Status { account: u64, status: &'static str },
    CostMethod { account: u64, method: &'static str },
    Rate { base: &'static str, quote: &'static str, day: u64, rate: &'static str },
    Unrate { rate: u64 },
    Trade { account: u64, ticker: u64, day: u64, what: &'static str, shares: i64, cents: i64 },
    Untrade { trade: u64 },
    Price { ticker: u64, day: u64, cents: i64 },
    RemoveAccount { account: u64 },
}

impl Step {
    /// A random step of any kind.
    pub(super) fn any(dice: &mut Dice) -> Self {
        let account = dice.roll(6);
        let day = dice.roll(DAYS);
        let cents = i64::try_from(dice.roll(20_000)).unwrap() - 10_000;
        let entry = dice.roll(1_000);
        match dice.roll(100) {
            0..30 => Self::enter(dice, account, day, cents),
            30..36 => Self::Change { entry, to: pick(dice, 12), day, cents, exclude: cents > 0 },
            36..41 => Self::Remove { entry },
            41..46 => Self::Split { entry, cents },
            46..48 => Self::Unsplit { entry },
            48..56 => Self::Value { account, day, cents: cents * 10 },
            56..58 => Self::Unvalue { valuation: entry },
            58..62 => Self::BankSays { account, cents: cents * 7 },
            62..65 => Self::Opening { account, cents },
            65..67 => {
                let status = ["active", "disabled", "draft"][pick(dice, 3)];
                Self::Status { account, status }
            }
            67..69 => {
                let method = ["average", "fifo", "lifo"][pick(dice, 3)];
                Self::CostMethod { account: 4 + account % 2, method }
            }
            69..75 => Self::rate(dice, day),
            75..77 => Self::Unrate { rate: entry },
            77..91 => Self::trade(dice, account, day, cents),
            91..93 => Self::Untrade { trade: entry },
            93..99 => Self::Price { ticker: entry, day, cents: cents.abs() + 1 },
            _ => Self::RemoveAccount { account },
        }
    }

    /// Things of which each is added once, trades on few days that they share, the others each on a
    /// day of its own: nothing in them refers to what was there before.
    pub(super) fn distinct_additions(dice: &mut Dice, count: usize) -> Vec<Self> {
        let step = |at: usize, dice: &mut Dice| {
            let account = dice.roll(6);
            let day = at as u64 * DAYS / count as u64;
            let cents = i64::try_from(dice.roll(20_000)).unwrap() - 10_000;
            match dice.roll(10) {
                0..4 => Self::enter(dice, account, day, cents),
                4..6 => Self::Value { account, day, cents: cents * 10 },
                6 => Self::Rate { base: "USD", quote: "EUR", day, rate: "0.91" },
                7 => Self::Price { ticker: dice.roll(3), day, cents: cents.abs() + 1 },
                _ => {
                    let shares = i64::try_from(dice.roll(90)).unwrap() + 1;
                    let what = ["buy", "sell"][pick(dice, 2)];
                    let (account, ticker) = (4 + account % 2, dice.roll(2));
                    let day = dice.roll(3) * DAYS / 3;
                    Self::Trade { account, ticker, day, what, shares, cents }
                }
            }
        };
        (0..count).map(|at| step(at, dice)).collect()
    }

    fn enter(dice: &mut Dice, account: u64, day: u64, cents: i64) -> Self {
        let currency = ["EUR", "EUR", "USD", "GBP"][pick(dice, 4)];
        let of_account = ACCOUNTS[usize::try_from(account).unwrap()].2;
        let rate = (dice.roll(5) == 0 && currency != of_account).then_some("1.23456789");
        Self::Enter { account, day, cents, currency, rate }
    }

    fn rate(dice: &mut Dice, day: u64) -> Self {
        let (base, quote) =
            [("USD", "EUR"), ("EUR", "USD"), ("GBP", "USD"), ("EUR", "GBP")][pick(dice, 4)];
        let rate = ["0.5", "1.1", "0.333333", "1.987654321"][pick(dice, 4)];
        Self::Rate { base, quote, day, rate }
    }

    fn trade(dice: &mut Dice, account: u64, day: u64, cents: i64) -> Self {
        let what = ["buy", "buy", "buy", "sell", "sell", "dividend", "split", "transfer_out"];
        let what = what[pick(dice, what.len() as u64)];
        let shares = i64::try_from(dice.roll(900)).unwrap() + 1;
        Self::Trade { account: 4 + account % 2, ticker: dice.roll(3), day, what, shares, cents }
    }
}

fn pick(dice: &mut Dice, sides: u64) -> usize {
    usize::try_from(dice.roll(sides)).unwrap()
}

/// A family, and what it has so far, in the order in which it came.
pub(super) struct Family<'f> {
    pub(super) fixture: &'f Fixture,
    pub(super) id: FamilyId,
    pub(super) accounts: Vec<AccountId>,
    entries: Vec<EntryId>,
    valuations: Vec<EntryId>,
    rates: Vec<purser_core::ids::RateId>,
    trades: Vec<EntryId>,
}

impl<'f> Family<'f> {
    pub(super) fn new(fixture: &'f Fixture, name: &str) -> Self {
        let (id, _) = fixture.family(name);
        let accounts = ACCOUNTS.map(|(name, account_type, currency, method)| {
            let input = AccountInput {
                name: Some(name.to_owned()),
                account_type: Some(account_type.to_owned()),
                currency: Some(currency.to_owned()),
                opening_balance: Some(cents_text(100_000)),
                cost_method: Some(method.to_owned()),
                ..AccountInput::default()
            };
            let make = |tx: &mut FamilyTx<'_>| accounts::create(tx, &input);
            fixture.store.write_blocking(id, make).unwrap().summary.id
        });
        for ticker in TICKERS {
            let listing =
                Listing { ticker: ticker.to_owned(), exchange_operating_mic: String::new() };
            let make = |tx: &mut FamilyTx<'_>| crate::testing::security(tx, &listing, None);
            fixture.store.write_blocking(id, make).unwrap();
        }
        let (entries, valuations, rates, trades) = Default::default();
        Self { fixture, id, accounts: accounts.to_vec(), entries, valuations, rates, trades }
    }

    /// Takes a step and returns its result, in words that don't depend on the database.
    pub(super) fn take(&mut self, step: &Step) -> String {
        let (fixture, id) = (self.fixture, self.id);
        let taken = fixture.store.write_blocking(id, |tx| self.execute(tx, step));
        match taken {
            Ok(Done::Nothing) => "done".to_owned(),
            Ok(Done::Entry(entry)) => known(&mut self.entries, entry),
            Ok(Done::Valuation(entry)) => known(&mut self.valuations, entry),
            Ok(Done::Rate(rate)) => known(&mut self.rates, rate),
            Ok(Done::Trade(entry)) => known(&mut self.trades, entry),
            Ok(Done::NothingThere) => "nothing there".to_owned(),
            Err(error @ (Error::Internal { .. } | Error::Unavailable { .. })) => {
                panic!("{step:?}: {error:?}")
            }
            // Ids differ from database to database.
            Err(error) => format!("refused: {}", error.to_string().split('"').next().unwrap()),
        }
    }

    fn execute(&self, tx: &mut FamilyTx<'_>, step: &Step) -> purser_core::error::Result<Done> {
        let account = |number: u64| self.accounts[usize::try_from(number).unwrap()];
        match step {
            Step::Enter { account: number, day, cents, currency, rate } => {
                let input = entered(account(*number), *day, *cents, currency, *rate);
                let (made, _) = transactions::create(tx, &input)?;
                Ok(Done::Entry(made.id))
            }
            Step::Change { entry, to, day, cents, exclude } => {
                let Some(entry) = chosen(&self.entries, *entry) else {
                    return Ok(Done::NothingThere);
                };
                let values = TransactionValues {
                    account: self.accounts.get(*to).map(ToString::to_string),
                    date: Some(day_text(*day)),
                    amount: Some(cents_text(*cents)),
                    excluded: Some(*exclude),
                    rate: rate_later(*cents),
                    name: Some(Some(format!("Changed {cents}"))),
                    ..TransactionValues::default()
                };
                transactions::revise(tx, entry, &values)?;
                Ok(Done::Nothing)
            }
            Step::Remove { entry } => {
                let found = chosen(&self.entries, *entry);
                let Some(entry) = found else { return Ok(Done::NothingThere) };
                transactions::remove(tx, entry)?;
                Ok(Done::Nothing)
            }
            Step::Split { entry, cents } => {
                let Some(entry) = chosen(&self.entries, *entry) else {
                    return Ok(Done::NothingThere);
                };
                self.split(tx, entry, *cents)
            }
            Step::Unsplit { entry } => {
                let Some(entry) = chosen(&self.entries, *entry) else {
                    return Ok(Done::NothingThere);
                };
                transactions::unsplit(tx, entry)?;
                Ok(Done::Nothing)
            }
            Step::Value { account: number, day, cents } => {
                let values = ValuationValues {
                    amount: Some(cents_text(*cents)),
                    date: Some(day_text(*day)),
                    ..ValuationValues::default()
                };
                let input = ValuationInput { account: account(*number), values };
                let (made, _) = valuations::set(tx, &input)?;
                Ok(Done::Valuation(made.id))
            }
            Step::Unvalue { valuation } => {
                let found = chosen(&self.valuations, *valuation);
                let Some(valuation) = found else { return Ok(Done::NothingThere) };
                valuations::remove(tx, valuation)?;
                Ok(Done::Nothing)
            }
            Step::RemoveAccount { account: number } => {
                accounts::remove(tx, account(*number))?;
                Ok(Done::Nothing)
            }
            Step::BankSays { .. }
            | Step::Opening { .. }
            | Step::Status { .. }
            | Step::CostMethod { .. } => self.change_account(tx, step),
            _ => self.market(tx, step),
        }
    }

    fn split(
        &self,
        tx: &mut FamilyTx<'_>,
        entry: EntryId,
        cents: i64,
    ) -> purser_core::error::Result<Done> {
        let whole = transactions::get(tx, entry)?;
        let scale = i64::from(10_u32.pow(whole.currency.scale()));
        let first = cents * scale / 100;
        let part = |amount: i64, name: &str| PartInput {
            amount: Some(AmountText::Text(purser_core::money::decimal::amount_text(
                amount,
                whole.currency,
            ))),
            values: TransactionValues {
                name: Some(Some(name.to_owned())),
                ..TransactionValues::default()
            },
        };
        let parts = [part(first, "One"), part(whole.amount - first, "Other")];
        transactions::split(tx, entry, &parts)?;
        Ok(Done::Nothing)
    }

    fn change_account(
        &self,
        tx: &mut FamilyTx<'_>,
        step: &Step,
    ) -> purser_core::error::Result<Done> {
        let (number, values) = match step {
            Step::BankSays { account, cents } => {
                let text = Some(cents_text(*cents));
                (account, AccountValues { current_balance: text, ..AccountValues::default() })
            }
            Step::Opening { account, cents } => {
                let text = Some(cents_text(*cents));
                (account, AccountValues { opening_balance: text, ..AccountValues::default() })
            }
            Step::Status { account, status } => {
                let status = Some((*status).to_owned());
                (account, AccountValues { status, ..AccountValues::default() })
            }
            Step::CostMethod { account, method } => {
                let cost_method = Some((*method).to_owned());
                (account, AccountValues { cost_method, ..AccountValues::default() })
            }
            other => panic!("{other:?} changes no account"),
        };
        let account = self.accounts[usize::try_from(*number).unwrap()];
        accounts::revise(tx, account, &values)?;
        Ok(Done::Nothing)
    }

    /// Rates, prices and trades.
    fn market(&self, tx: &mut FamilyTx<'_>, step: &Step) -> purser_core::error::Result<Done> {
        match step {
            Step::Rate { base, quote, day, rate } => {
                let input = RateInput {
                    base: Some((*base).to_owned()),
                    quote: Some((*quote).to_owned()),
                    date: Some(day_text(*day)),
                    rate: Some(AmountText::Text((*rate).to_owned())),
                };
                let (made, _) = own::set(tx, &input)?;
                Ok(Done::Rate(made.id))
            }
            Step::Unrate { rate } => {
                let Some(rate) = chosen(&self.rates, *rate) else { return Ok(Done::NothingThere) };
                own::remove(tx, rate)?;
                Ok(Done::Nothing)
            }
            Step::Trade { account, ticker, day, what, shares, cents } => {
                let account = self.accounts[usize::try_from(*account).unwrap()];
                let input = self.traded(account, *ticker, *day, what, *shares, *cents);
                let (made, _) = trades::create(tx, &input)?;
                Ok(Done::Trade(made.id))
            }
            Step::Untrade { trade } => {
                let Some(trade) = chosen(&self.trades, *trade) else {
                    return Ok(Done::NothingThere);
                };
                trades::remove(tx, trade)?;
                Ok(Done::Nothing)
            }
            Step::Price { ticker, day, cents } => {
                let security = securities::of_ticker(tx, ticker_of(*ticker))?;
                let Some((security, _)) = security.first() else { return Ok(Done::NothingThere) };
                let input = PriceInput {
                    security: Some(security.to_string()),
                    date: Some(day_text(*day)),
                    price: Some(cents_text(*cents)),
                    currency: Some("EUR".to_owned()),
                };
                changes::set(tx, &input)?;
                Ok(Done::Nothing)
            }
            other => panic!("{other:?} is nothing of the market"),
        }
    }

    fn traded(
        &self,
        account: AccountId,
        ticker: u64,
        day: u64,
        what: &str,
        shares: i64,
        cents: i64,
    ) -> TradeInput {
        let mut values = TradeValues {
            trade_type: TradeType::parse(what),
            date: Some(day_text(day)),
            ..TradeValues::default()
        };
        let quantity = AmountText::Text(format!("{}.{:02}", shares / 10, shares % 10 * 7));
        let price = cents_text(cents.abs() + 1);
        let mut to_account = None;
        match what {
            "dividend" => values.amount = Some(price),
            "split" => {
                (values.split_to, values.split_from) = (Some("3".into()), Some("2".into()));
            }
            "transfer_out" => {
                values.quantity = Some(quantity);
                let other = self.accounts[4..].iter().find(|other| **other != account);
                to_account = other.map(ToString::to_string);
            }
            _ => {
                (values.quantity, values.price) = (Some(quantity), Some(price));
                values.fee = Some(cents_text(shares % 5));
            }
        }
        let ticker = Some(ticker_of(ticker).to_owned());
        let account = Some(account.to_string());
        TradeInput { account, to_account, ticker, values, ..TradeInput::default() }
    }
}

/// What a step made.
enum Done {
    Nothing,
    NothingThere,
    Entry(EntryId),
    Valuation(EntryId),
    Rate(purser_core::ids::RateId),
    Trade(EntryId),
}

fn known<T: PartialEq>(list: &mut Vec<T>, one: T) -> String {
    if !list.contains(&one) {
        list.push(one);
    }
    format!("made {}", list.len())
}

fn chosen<T: Copy>(list: &[T], number: u64) -> Option<T> {
    let at = number.checked_rem(list.len() as u64)?;
    list.get(usize::try_from(at).unwrap()).copied()
}

fn ticker_of(number: u64) -> &'static str {
    TICKERS[usize::try_from(number % 3).unwrap()]
}

fn entered(
    account: AccountId,
    day: u64,
    cents: i64,
    currency: &str,
    rate: Option<&str>,
) -> TransactionInput {
    TransactionInput {
        account: Some(account.to_string()),
        currency: Some(currency.to_owned()),
        values: TransactionValues {
            rate: rate.map(|rate| Some(AmountText::Text(rate.to_owned()))),
            date: Some(day_text(day)),
            amount: Some(cents_text(cents)),
            name: Some(Some(format!("Entry {day} {cents}"))),
            ..TransactionValues::default()
        },
        ..TransactionInput::default()
    }
}

/// Some changes send a rate, or take it back.
fn rate_later(cents: i64) -> Option<Option<AmountText>> {
    match cents.rem_euclid(6) {
        0 => Some(Some(AmountText::Text("1.07".to_owned()))),
        1 => Some(None),
        _ => None,
    }
}

fn day_text(day: u64) -> String {
    FIRST.checked_add(Span::new().days(i64::try_from(day).unwrap())).unwrap().to_string()
}

fn cents_text(cents: i64) -> AmountText {
    let sign = if cents < 0 { "-" } else { "" };
    let cents = cents.unsigned_abs();
    AmountText::Text(format!("{sign}{}.{:02}", cents / 100, cents % 100))
}
