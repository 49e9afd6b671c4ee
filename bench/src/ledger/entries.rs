//! One account with a million entries over ten years, beside seven small ones.
//!
//! The peer is the `sqlite3` program, which sums up the same rows of the same file by day and adds
//! the days up: what a rebuild of the balances does too.

use std::time::Duration;

use jiff::civil::Date;
use purser_core::error::Error;
use purser_core::ids::AccountId;
use purser_core::ledger::input::AmountText;
use purser_core::ledger::new_transaction::TransactionInput;
use purser_core::ledger::transaction_values::TransactionValues;
use purser_core::money::Currency;
use purser_store::Access;
use purser_store::cash_flow::{CashFlowFilter, cash_flow};
use purser_store::reports::net_worth::net_worth;
use purser_store::{Store, accounts, balances, transactions};

use super::{DAYS, Figure, all_days, books, day, median_time, newest_family, peers};
use crate::Result;
use crate::reads::load;
use crate::server::{Data, Server};
use crate::statistics::percentile;

const RUNS: u32 = 5;
/// New entries of which the median is taken.
const LATE_ENTRIES: u32 = 15;
const SMALL_ACCOUNTS: u32 = 7;
const SMALL_ENTRIES: u64 = 10_000;
const HTTP_SECONDS: u64 = 2;

struct Subject<'a> {
    store: &'a Store,
    access: Access,
    account: AccountId,
    today: Date,
}

/// Fills a family and measures it.
pub(super) fn measure(data: &Data, entries: u64) -> Result<Vec<Figure>> {
    let key = data.family()?;
    let mut figures = {
        let store = data.store()?;
        let (access, today) = newest_family(&store)?;
        let account = books::account(&store, &access, ("Checking", "depository", None))?;
        let started = std::time::Instant::now();
        books::transactions(&store, &access, (account, today), entries)?;
        println!("{entries} entries written in {:.1} s", started.elapsed().as_secs_f64());
        for number in 0..SMALL_ACCOUNTS {
            let name = format!("Account {number}");
            let small = books::account(&store, &access, (&name, "depository", None))?;
            books::transactions(&store, &access, (small, today), SMALL_ENTRIES)?;
        }
        let subject = Subject { store: &store, access, account, today };
        let mut figures = subject.rebuild(entries)?;
        if data.database_url().is_none() {
            figures.push(peers::sum_by_day(&data.sqlite_file(), account.0)?);
        }
        figures.extend(subject.late_entries()?);
        figures.extend(subject.reports()?);
        figures
    };
    figures.extend(over_http(data, &key)?);
    Ok(figures)
}

impl Subject<'_> {
    /// From entries, as `purser check` does it.
    fn rebuild(&self, entries: u64) -> Result<Vec<Figure>> {
        let (access, account) = (&self.access, self.account);
        let time = median_time(RUNS, |_| {
            let (days, stored) = self.store.read_blocking(access.clone(), |tx| {
                let days = balances::rebuilt(tx, account)?;
                Ok((days, accounts::get(tx, account)?.balance))
            })?;
            if days.last().map(|day| day.end) == Some(stored) {
                Ok(())
            } else {
                Err("the rebuilt balance is not the stored one".into())
            }
        })?;
        let what = format!("rebuild the balances of {entries} entries, ten years");
        Ok(vec![Figure::new(what, time).below(1_000)])
    }

    fn late_entries(&self) -> Result<Vec<Figure>> {
        let mut figures = Vec::new();
        for (what, on, goal) in [("yesterday", DAYS - 1, 10), ("ten years ago", 0, 100)] {
            let date = day(self.today, on)?.to_string();
            let time = median_time(LATE_ENTRIES, |number| self.add(&date, number))?;
            figures.push(Figure::new(format!("one new entry, {what}"), time).below(goal));
        }
        Ok(figures)
    }

    fn add(&self, date: &str, number: u32) -> Result<()> {
        let values = TransactionValues {
            date: Some(date.to_owned()),
            amount: Some(AmountText::Text(format!("{number}.99"))),
            name: Some(Some("Corner Market".to_owned())),
            ..TransactionValues::default()
        };
        let account = Some(self.account.to_string());
        let input = TransactionInput { account, values, ..TransactionInput::default() };
        self.store.write_blocking(self.access.clone(), |tx| transactions::create(tx, &input))?;
        Ok(())
    }

    fn reports(&self) -> Result<Vec<Figure>> {
        let daily = all_days(self.today)?;
        let monthly: Vec<Date> =
            daily.iter().copied().filter(|day| *day == day.last_of_month()).collect();
        let mut figures = Vec::new();
        for (what, days) in [("monthly", &monthly), ("daily", &daily)] {
            let time = median_time(RUNS, |_| {
                let found =
                    self.store.read_blocking(self.access.clone(), |tx| net_worth(tx, days))?;
                expect(found.incomplete.is_empty() && found.points.len() == days.len())
            })?;
            let what = format!("net worth over ten years, {what} ({} points)", days.len());
            figures.push(Figure::new(what, time).below(50));
        }
        for (what, on) in [("a year", DAYS - 365), ("ten years", 0)] {
            let wanted = CashFlowFilter {
                first: day(self.today, on)?,
                last: self.today,
                currency: Currency::USD,
                month_start_day: 1,
                accounts: None,
            };
            let time = median_time(RUNS, |_| {
                let flow =
                    self.store.read_blocking(self.access.clone(), |tx| cash_flow(tx, &wanted))?;
                expect(!flow.lines.is_empty() && flow.missing.is_empty())
            })?;
            figures.push(Figure::new(format!("cash flow over {what}"), time));
        }
        Ok(figures)
    }
}

fn over_http(data: &Data, key: &str) -> Result<Vec<Figure>> {
    let server = Server::start(data)?;
    let plan = load::Plan {
        address: &server.address,
        key,
        path: "/api/v1/balances",
        connections: 1,
        bound: Duration::from_secs(HTTP_SECONDS),
    };
    let mut samples = load::run(&plan)?.samples;
    Ok(vec![
        Figure::new("GET /api/v1/balances, first page, median", percentile(&mut samples, 50)),
        Figure::new("the same, p99", percentile(&mut samples, 99)),
    ])
}

fn expect(holds: bool) -> Result<()> {
    if holds { Ok(()) } else { Err(Error::internal("a report is not whole").into()) }
}
