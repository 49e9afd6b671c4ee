//! What is written before anything is measured: accounts, transactions, trades and prices, through
//! the same functions that imports and requests use, some thousands in a commit.

use jiff::civil::Date;
use purser_core::ids::{AccountId, SecurityId};
use purser_core::ledger::new_account::AccountInput;
use purser_core::ledger::security::SecurityInput;
use purser_core::ledger::trade::{Terms, TradeType};
use purser_core::money::Currency;
use purser_core::plan::{Change, Creation, Target, TradeDraft, TradeTerms, TransactionDraft};
use purser_store::Access;
use purser_store::audit::Actor;
use purser_store::ledger::{Event, Executor};
use purser_store::prices::import::FilePrice;
use purser_store::{Store, accounts, prices, securities};
use rust_decimal::Decimal;
use serde_json::json;

use super::{DAYS, day};
use crate::Result;
use crate::prng::Prng;

pub(super) const ACTOR: Actor = Actor::CommandLine;
/// Entries of one commit.
const PART: u64 = 100_000;
/// The number of securities for which prices are inserted in one commit.
const PRICED_AT_ONCE: usize = 50;
const CATEGORIES: u32 = 20;

/// A trade that is to be written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traded {
    pub(super) security: SecurityId,
    pub(super) date: Date,
    pub(super) trade_type: TradeType,
    pub(super) quantity: Decimal,
    pub(super) price: Decimal,
}

pub(super) fn account(
    store: &Store,
    access: &Access,
    (name, account_type, cost_method): (&str, &str, Option<&str>),
) -> Result<AccountId> {
    let input = AccountInput {
        name: Some(name.to_owned()),
        account_type: Some(account_type.to_owned()),
        cost_method: cost_method.map(str::to_owned),
        ..AccountInput::default()
    };
    let made = store.write_blocking(access.clone(), |tx| accounts::create(tx, &input))?;
    Ok(made.summary.id)
}

/// Spreads transactions evenly over the days from ten years ago up to yesterday.
pub(super) fn transactions(
    store: &Store,
    access: &Access,
    (account, today): (AccountId, Date),
    count: u64,
) -> Result<()> {
    let mut prng = Prng::new(count);
    let mut written = 0;
    while written < count {
        let part = PART.min(count - written);
        let mut drafts = Vec::new();
        for number in written..written + part {
            let on = i64::try_from(u128::from(number) * DAYS as u128 / u128::from(count))?;
            // One of thirty is money in.
            let amount = i64::from(prng.below(2_000_000) + 1);
            let amount = if prng.below(30) == 0 { -30 * amount } else { amount };
            drafts.push((day(today, on)?, amount, prng.below(CATEGORIES)));
        }
        store.write_blocking(access.clone(), |tx| {
            let mut executor = Executor::begin(tx, part)?;
            let mut categories = Vec::new();
            for number in 0..CATEGORIES {
                // Each commit has its own: what matters is that there are many.
                let name = format!("Category {}-{number} of {account}", written / PART);
                let key = name.to_lowercase();
                let creation =
                    Creation::Category { name, key, parent: None, color: None, icon: None };
                categories.push(Target::Created(executor.create(tx, &creation)?));
            }
            for (date, amount, category) in &drafts {
                executor.apply(
                    tx,
                    &transaction(account, *date, *amount, {
                        categories.get(*category as usize).copied()
                    }),
                )?;
            }
            executor.finish(tx, event("bench.transactions", account))
        })?;
        written += part;
    }
    Ok(())
}

fn transaction(
    account: AccountId,
    date: Date,
    amount: i64,
    category: Option<Target>,
) -> Change<'static> {
    Change::AddTransaction(TransactionDraft {
        account: Target::Existing(account.0),
        date,
        amount,
        currency: Currency::USD,
        rate: None,
        name: "Corner Market card 4711",
        source_name: None,
        notes: None,
        category,
        merchant: None,
        tags: &[],
        excluded: false,
        source: None,
        external_id: None,
    })
}

fn event(action: &'static str, account: AccountId) -> Event {
    Event {
        actor: ACTOR,
        action,
        subject_kind: "account",
        subject_id: account.0,
        details: json!({}),
    }
}

/// Makes securities with these tickers.
pub(super) fn listed(
    store: &Store,
    access: &Access,
    tickers: &[String],
) -> Result<Vec<SecurityId>> {
    Ok(store.write_blocking(access.clone(), |tx| {
        let make = |ticker: &String| {
            let input = SecurityInput { ticker: Some(ticker.clone()), ..SecurityInput::default() };
            securities::create(tx, &input).map(|security| security.id)
        };
        tickers.iter().map(make).collect()
    })?)
}

/// Writes trades, all in one commit.
pub(super) fn trades(
    store: &Store,
    access: &Access,
    account: AccountId,
    trades: &[Traded],
) -> Result<()> {
    let scale = Currency::USD.scale();
    store.write_blocking(access.clone(), |tx| {
        let mut executor = Executor::begin(tx, trades.len() as u64)?;
        for Traded { security, date, trade_type, quantity, price } in trades.iter().copied() {
            let terms = Terms { trade_type, quantity, price, fee: 0, amount: 0 };
            let effect = terms.effect(scale).ok_or_else(|| {
                purser_core::error::Error::internal("a trade of the benchmark is too large")
            })?;
            let terms = TradeTerms {
                date,
                trade_type,
                currency: Currency::USD,
                rate: None,
                price,
                fee: 0,
                effect,
                split: None,
                name: "",
                notes: None,
            };
            let account = Target::Existing(account.0);
            let draft =
                TradeDraft { account, security, to: None, terms, source: None, external_id: None };
            executor.apply(tx, &Change::AddTrade(draft))?;
        }
        executor.finish(tx, event("bench.trades", account))
    })?;
    Ok(())
}

/// States a price of each security on every weekday.
pub(super) fn weekday_prices(
    store: &Store,
    access: &Access,
    tickers: &[String],
    today: Date,
) -> Result<()> {
    let mut prng = Prng::new(tickers.len() as u64);
    for tickers in tickers.chunks(PRICED_AT_ONCE) {
        let mut rows = Vec::new();
        for ticker in tickers {
            for number in 0..=DAYS {
                let date = day(today, number)?;
                if date.weekday().to_monday_zero_offset() < 5 {
                    rows.push(FilePrice {
                        line: rows.len() as u64 + 1,
                        ticker: ticker.clone(),
                        exchange_operating_mic: None,
                        date,
                        currency: Some(Currency::USD),
                        price: Decimal::new(i64::from(5_000 + prng.below(40_000)), 2),
                    });
                }
            }
        }
        store.write_blocking(access.clone(), |tx| prices::import::import(tx, &rows))?;
    }
    Ok(())
}
