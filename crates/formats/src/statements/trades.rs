//! Statements of investments as one table of trades in CSV, which `TradeImport` reads.
//!
//! Every row has a word for its type, and its numbers have no signs: there is nothing to be found
//! out. The signs of the file must agree with the type, else the row can't be read. A type that the
//! ledger has no place for (a return of capital, an option that expired) stays the word of the
//! format, which no import knows, so that the row is invalid and shown.
//!
//! Behind the trades of a statement stands what the account held before them, as a row that is left
//! out unless a person takes it; behind all statements the prices that they state.

mod beside;
mod cells;

use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::ops::ControlFlow;

use purser_core::import::file_statement::FileStatement;
/// The names of the columns.
pub use purser_core::import::trade::STATEMENT_HEADER as HEADER;

use super::Event;
use super::amount::Amount;
use super::files::StatementFiles;
use super::found::Collector;
use super::holdings::{Holdings, Prices, SecurityKey};
use super::labels::Labels;
use super::limits::POSITIONS_MAX;
use super::model::{Doubt, Entry, EntryStatus, SecurityFacts};
use super::table::{TableError, name, notes, padded};
use crate::sheets::{CsvWriter, SheetRow};
use cells::{of_cash, of_trade};

/// Securities that a file may describe.
const SECURITIES_MAX: usize = 50_000;
/// The kind of account that statements of investments have.
pub(super) const INVESTMENT: &str = "INVESTMENT";

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
    /// Positions that the file states. They follow from trades, and are compared with the ledger.
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
        if self.positions > POSITIONS_MAX as u64 {
            return Some(format!("The file has more than {POSITIONS_MAX} positions"));
        }
        (self.others > 0).then(|| {
            "The file has statements of investments and of other accounts: import a file of each"
                .to_owned()
        })
    }
}

/// Securities by their identifiers.
type Securities = HashMap<SecurityKey, SecurityFacts>;

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
        held: Holdings::default(),
        prices: Prices::default(),
        used: BTreeSet::new(),
        options: BTreeSet::new(),
        currencies: BTreeSet::new(),
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
    table.prices()?;
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
    /// What the statement states besides trades.
    held: Holdings,
    /// The prices of all statements.
    prices: Prices,
    /// Securities that the statements hold or trade.
    used: BTreeSet<SecurityKey>,
    /// Those of them that are options.
    options: BTreeSet<SecurityKey>,
    /// The currencies of the statements.
    currencies: BTreeSet<String>,
}

impl<W: Write> Table<W> {
    fn put(&mut self, cells: [String; HEADER.len()]) -> std::io::Result<()> {
        self.rows += 1;
        self.writer.write(SheetRow { number: self.rows, cells: &cells })
    }

    fn event(&mut self, event: Event) -> std::io::Result<()> {
        self.collector.take(&event, self.rows - 1, &Labels::default());
        self.take(event)
    }

    fn take(&mut self, event: Event) -> std::io::Result<()> {
        match event {
            Event::Begin(statement) => {
                self.account = Labels::default().of_statement(&statement);
                self.currency = statement.currency().unwrap_or_default().to_owned();
                self.currencies.insert(self.currency.clone());
                self.held = Holdings::default();
                Ok(())
            }
            Event::Entry(entry) if entry.status != EntryStatus::Booked => Ok(()),
            Event::Entry(entry) => self.entry(&entry),
            Event::Unreadable(entry) => {
                let reasons = entry.reasons.join("; ");
                self.held.unreadable(None);
                self.unreadable(entry.location.line, &reasons)
            }
            Event::Position(position) => {
                if self.held.positions.len() < POSITIONS_MAX {
                    self.used.insert(position.security.clone());
                    self.held.positions.push(*position);
                }
                Ok(())
            }
            Event::End(statement, _) => self.end(&statement),
            Event::Security(_) => Ok(()),
        }
    }

    /// A row that can't be read either, with the reason in the place of its type.
    fn unreadable(&mut self, line: u64, reason: &str) -> std::io::Result<()> {
        let mut cells: [String; HEADER.len()] = Default::default();
        cells[1] = format!("Line {line} of the file: {reason}");
        cells[12].clone_from(&self.account);
        // One cell alone would be a remark below the table.
        cells[13] = format!("Line {line}");
        self.put(cells)
    }

    fn entry(&mut self, entry: &Entry) -> std::io::Result<()> {
        let line = entry.location.line;
        let key = entry.trade.as_ref().and_then(|trade| trade.security.clone());
        self.used.extend(key.clone());
        if entry.doubts.contains(&Doubt::Correction) {
            self.held.unreadable(key);
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
            Err(reason) => {
                // What returns capital moves no units.
                if entry.trade.as_ref().is_none_or(|trade| trade.action != "RETOFCAP") {
                    self.held.unreadable(key);
                }
                return self.unreadable(line, &reason);
            }
        };
        let [ticker, isin, security] = self.security(key.as_ref());
        match (key, entry.booked_on, its.step()) {
            (Some(key), Some(day), Some(step)) => self.held.step(key, day, step),
            (key, _, Some(_)) => self.held.unreadable(key),
            _ => {}
        }
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
    fn security(&self, key: Option<&SecurityKey>) -> [String; 3] {
        let Some(key) = key else { return Default::default() };
        let (id, kind) = key;
        let known = self.securities.get(key);
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
