//! Statements of investments as one table of trades in CSV, which `TradeImport` reads.
//!
//! Every row has a word for its type, and its numbers have no signs: there is nothing to be found
//! out. The signs of the file must agree with the type, else the row can't be read. A type that the
//! ledger has no place for (a return of capital, an option that expired) stays the word of the
//! format, which no import knows, so that the row is invalid and shown.

use std::collections::HashMap;
use std::io::Write;
use std::ops::ControlFlow;

use purser_core::import::file_statement::FileStatement;

use super::Event;
use super::amount::Amount;
use super::files::StatementFiles;
use super::found::Collector;
use super::model::{Doubt, Entry, EntryStatus, SecurityFacts, TradeFacts};
use super::survey::label;
use super::table::{TableError, name, notes, padded};
use crate::sheets::{CsvWriter, SheetRow};

/// The names of the columns. Imports know them.
pub const HEADER: [&str; 15] = [
    "Trade date",
    "Type",
    "Ticker",
    "ISIN",
    "Security",
    "Quantity",
    "Price",
    "Total",
    "Fee",
    "Tax",
    "Currency",
    "Split ratio",
    "Account",
    "Description",
    "Transaction ID",
];
/// Securities that a file may describe.
const SECURITIES_MAX: usize = 50_000;
/// The kind of account that statements of investments have.
pub(super) const INVESTMENT: &str = "INVESTMENT";
/// Charges that are taxes.
const TAXES: [&str; 4] = ["TAXES", "WITHHOLDING", "STATEWITHHOLDING", "PENALTY"];
/// Securities that are priced in something else than money for one unit.
const PRICED_OTHERWISE: [&str; 4] = ["BUYDEBT", "SELLDEBT", "BUYOPT", "SELLOPT"];

/// What is known of a file after it became a table of trades.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TradeTableFacts {
    /// Rows, those that can't be read included.
    pub rows: u64,
    /// Movements between parts of one account, which have no row.
    pub inner_moves: u64,
    /// The number of statements of investments.
    pub investments: u64,
    /// Statements of other accounts, which have no trades.
    pub others: u64,
    /// Positions that the file states. They follow from trades, and are not imported.
    pub positions: u64,
    /// What each statement states about itself, in the order of the rows.
    pub found: Vec<FileStatement>,
}

impl TradeTableFacts {
    /// Why the table can't stand for the file.
    pub fn obstacle(&self) -> Option<String> {
        if self.investments == 0 {
            return Some(
                "The file has no trades in securities: send it as TransactionImport".to_owned(),
            );
        }
        (self.others > 0).then(|| {
            "The file has statements of investments and of other accounts: import a file of each"
                .to_owned()
        })
    }
}

/// Securities by their identifiers.
type Securities = HashMap<(String, String), SecurityFacts>;

/// Reads files twice: once for the securities, which stand at the end, and once for the trades.
pub fn write_trades(
    files: &mut dyn StatementFiles,
    writer: impl Write,
) -> Result<TradeTableFacts, TableError> {
    let mut facts = TradeTableFacts::default();
    let mut securities = Securities::new();
    for file in 0..files.count() {
        files.read(file, &mut |event| {
            match event {
                Event::Security(one) if securities.len() < SECURITIES_MAX => {
                    securities.insert(one.id.clone(), *one);
                }
                Event::Position(_) => facts.positions += 1,
                Event::End(statement, _) => match statement.account.kind.as_deref() {
                    Some(INVESTMENT) => facts.investments += 1,
                    _ => facts.others += 1,
                },
                _ => {}
            }
            ControlFlow::Continue(())
        })?;
    }
    let mut table = Table {
        writer: CsvWriter::new(writer),
        rows: 0,
        securities,
        account: String::new(),
        currency: String::new(),
        inner_moves: 0,
        collector: Collector::default(),
    };
    table.put(HEADER.map(str::to_owned))?;
    for file in 0..files.count() {
        let mut failed = None;
        files.read(file, &mut |event| match table.event(event) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        })?;
        failed.map_or(Ok(()), Err)?;
    }
    facts.rows = table.rows - 1;
    facts.inner_moves = table.inner_moves;
    facts.found = table.collector.found;
    Ok(facts)
}

/// The table while it is written.
struct Table<W> {
    writer: CsvWriter<W>,
    rows: u64,
    securities: Securities,
    account: String,
    currency: String,
    inner_moves: u64,
    collector: Collector,
}

/// What a row has besides what all rows have.
#[derive(Default)]
struct TradeCells {
    kind: String,
    quantity: Option<Amount>,
    price: Option<Amount>,
    total: Option<Amount>,
    fee: Option<Amount>,
    tax: Option<Amount>,
    ratio: String,
}

impl<W: Write> Table<W> {
    fn put(&mut self, cells: [String; HEADER.len()]) -> std::io::Result<()> {
        self.rows += 1;
        self.writer.write(SheetRow { number: self.rows, cells: &cells })
    }

    fn event(&mut self, event: Event) -> std::io::Result<()> {
        self.collector.take(&event, self.rows - 1);
        self.take(event)
    }

    fn take(&mut self, event: Event) -> std::io::Result<()> {
        match event {
            Event::Begin(statement) => {
                self.account = label(&statement);
                self.currency = statement.currency().unwrap_or_default().to_owned();
                Ok(())
            }
            Event::Entry(entry) if entry.status != EntryStatus::Booked => Ok(()),
            Event::Entry(entry) => self.entry(&entry),
            Event::Unreadable(entry) => {
                let reasons = entry.reasons.join("; ");
                self.unreadable(entry.location.line, &reasons)
            }
            Event::Security(_) | Event::Position(_) | Event::End(..) => Ok(()),
        }
    }

    /// A row that can't be read either, with the reason in the place of its type.
    fn unreadable(&mut self, line: u64, reason: &str) -> std::io::Result<()> {
        let mut cells: [String; HEADER.len()] = Default::default();
        cells[1] = format!("Line {line} of the file: {reason}");
        cells[12].clone_from(&self.account);
        self.put(cells)
    }

    fn entry(&mut self, entry: &Entry) -> std::io::Result<()> {
        let line = entry.location.line;
        if entry.doubts.contains(&Doubt::Correction) {
            return self.unreadable(line, &Doubt::Correction.to_string());
        }
        let its = match &entry.trade {
            Some(trade) if trade.action.starts_with("JRNL") => {
                self.inner_moves += 1;
                return Ok(());
            }
            Some(trade) => of_trade(trade, entry.amount),
            None => Ok(of_cash(entry)),
        };
        let its = match its {
            Ok(its) => its,
            Err(reason) => return self.unreadable(line, &reason),
        };
        let [ticker, isin, security] = self.security(entry.trade.as_ref());
        let number = |amount: Option<Amount>| amount.map(|it| padded(it.abs())).unwrap_or_default();
        let is_repeated = |doubt: &Doubt| matches!(doubt, Doubt::ReferenceRepeated { .. });
        let id = entry.texts.bank_reference.clone();
        let id = id.filter(|_| !entry.doubts.iter().any(is_repeated));
        let described = [name(&entry.texts).unwrap_or_default(), notes(entry)];
        let described: Vec<String> = described.into_iter().filter(|it| !it.is_empty()).collect();
        self.put([
            entry.booked_on.map(|day| day.to_string()).unwrap_or_default(),
            its.kind,
            ticker,
            isin,
            security,
            number(its.quantity),
            number(its.price),
            number(its.total),
            number(its.fee),
            number(its.tax),
            entry.currency.clone().unwrap_or_else(|| self.currency.clone()),
            its.ratio,
            self.account.clone(),
            described.join("; "),
            id.unwrap_or_default(),
        ])
    }

    /// Ticker, ISIN and name of the security. Without a ticker its identifier is one.
    fn security(&self, trade: Option<&TradeFacts>) -> [String; 3] {
        let Some((id, kind)) = trade.and_then(|trade| trade.security.as_ref()) else {
            return Default::default();
        };
        let known = self.securities.get(&(id.clone(), kind.clone()));
        let is_isin = kind.eq_ignore_ascii_case("ISIN");
        let ticker = known.and_then(|one| one.ticker.clone());
        let compact = || id.chars().filter(|letter| !letter.is_whitespace()).collect();
        [
            ticker.unwrap_or_else(|| if is_isin { String::new() } else { compact() }),
            if is_isin { id.clone() } else { String::new() },
            known.and_then(|one| one.name.clone()).unwrap_or_default(),
        ]
    }
}

/// Which sign a number must have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

fn agrees(amount: Option<Amount>, sign: Sign) -> bool {
    let is_negative = amount.filter(|it| !it.is_zero()).map(Amount::is_negative);
    is_negative.is_none_or(|is_negative| is_negative == (sign == Sign::Minus))
}

/// What a trade is, or the reason why a row can't have it.
fn of_trade(trade: &TradeFacts, amount: Amount) -> Result<TradeCells, String> {
    let (action, detail) = trade.action.split_once(' ').unwrap_or((&trade.action, ""));
    let total = Some(amount).filter(|amount| !amount.is_zero());
    let sum = |is_tax: bool| {
        let its = trade.charges.iter().filter(|(name, _)| TAXES.contains(&name.as_str()) == is_tax);
        its.map(|(_, amount)| *amount).reduce(|sum, one| sum.checked_add(one).unwrap_or(sum))
    };
    let price = trade.unit_price.filter(|_| !PRICED_OTHERWISE.contains(&action));
    let cells = |kind: &str| TradeCells {
        kind: kind.to_owned(),
        quantity: trade.units.filter(|units| !units.is_zero()),
        price: price.filter(|price| !price.is_zero()),
        total,
        fee: sum(false),
        tax: sum(true),
        ratio: String::new(),
    };
    let against =
        |what: &str| Err(format!("{}: the sign of its {what} is the other one", trade.action));
    let checked = |kind: &str, units: Option<Sign>, money: Sign| match units {
        Some(sign) if !agrees(trade.units, sign) => against("units"),
        _ if !agrees(total, money) => against("total"),
        _ => Ok(cells(kind)),
    };
    let is_out = trade.units.is_some_and(Amount::is_negative);
    match (action, detail) {
        (action, _) if action.starts_with("BUY") => checked("Buy", Some(Sign::Plus), Sign::Minus),
        (action, _) if action.starts_with("SELL") => checked("Sell", Some(Sign::Minus), Sign::Plus),
        ("INCOME", "DIV" | "CGLONG" | "CGSHORT") => checked("Dividend", None, Sign::Plus),
        ("INCOME", "INTEREST") => checked("Interest", None, Sign::Plus),
        ("INVEXPENSE" | "MARGININTEREST", _) => {
            let mut fee = checked("Fee", None, Sign::Minus)?;
            (fee.quantity, fee.price) = (None, None);
            Ok(fee)
        }
        // Income that became shares in one step: no cash moves.
        ("REINVEST", _) if agrees(trade.units, Sign::Plus) => Ok(cells("Reinvestment")),
        ("REINVEST", _) => against("units"),
        ("SPLIT", _) if trade.charges.is_empty() => match &trade.split {
            Some(ratio) => Ok(TradeCells {
                kind: "Split".to_owned(),
                ratio: ratio.clone(),
                ..TradeCells::default()
            }),
            None => Err("SPLIT: it has no ratio".to_owned()),
        },
        ("SPLIT", _) => Err("SPLIT: it has cash for fractions".to_owned()),
        ("TRANSFER", "IN") if total.is_none() => {
            checked("Transfer in", Some(Sign::Plus), Sign::Plus)
        }
        ("TRANSFER", "OUT") if total.is_none() => Ok(cells("Transfer out")),
        ("TRANSFER", "") if total.is_none() && trade.units.is_some() => {
            Ok(cells(if is_out { "Transfer out" } else { "Transfer in" }))
        }
        _ => Err(format!("{} is not imported", trade.action)),
    }
}

/// Cash that moved in an account of investments.
fn of_cash(entry: &Entry) -> TradeCells {
    let is_out = entry.amount.is_negative();
    let kind = match (entry.texts.type_code.as_deref(), is_out) {
        (Some("INT"), false) => "Interest",
        (Some("FEE" | "SRVCHG"), true) => "Fee",
        (_, true) => "Withdrawal",
        (_, false) => "Deposit",
    };
    TradeCells { kind: kind.to_owned(), total: Some(entry.amount), ..TradeCells::default() }
}
