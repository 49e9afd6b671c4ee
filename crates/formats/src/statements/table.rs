//! A file of statements as one table in CSV, which an import reads as any other.
//!
//! Its columns leave nothing to be found out: days as `2024-01-31`, money in and money out apart,
//! plain decimals. The balances at both ends are lines of their own, which an import compares with
//! the rows between them. What couldn't be read, and what a person should decide, becomes a row
//! that can't be read either, with the reason in it. Nothing is left out silently: [`TableFacts`]
//! counts what has no row.

use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use purser_core::import::transaction::ACCOUNT_OF_SEVERAL;

use super::amount::Amount;
use super::model::{BalanceKind, BankStatement, Doubt, Entry, EntryStatus, EntryTexts};
use super::proof::{Proof, StatementCheck, check};
use super::{Event, StatementError, StatementFormat, Tally, read};
use crate::sheets::{CsvWriter, SheetRow};

/// The names of the columns. Imports know them.
pub const HEADER: [&str; 9] = [
    "Date",
    "Name",
    "Money out",
    "Money in",
    "Currency",
    "Notes",
    "Account",
    "Transaction ID",
    "Status",
];
/// The place of the account among them; of several accounts it has another name.
const ACCOUNT: usize = 6;
/// Accounts that one file may have.
const ACCOUNTS_MAX: usize = 50;
/// Sentences about statements that contradict themselves.
const CONTRADICTIONS_MAX: usize = 20;
/// Letters of the texts of a batch's payments.
const NOTES_CHARS_MAX: usize = 2_000;
/// Decimals of an amount at least. Three could be taken for thousands.
const DECIMALS: [usize; 2] = [2, 4];

/// What is known of a file after it became a table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableFacts {
    /// How many statements the file has.
    pub statements: u64,
    /// How many of them are proven by their balances.
    pub proven: u64,
    /// The first statements that contradict themselves, each as a sentence.
    pub contradictions: Vec<String>,
    /// The accounts of the statements: IBAN or number; of a statement without one a blank text.
    pub accounts: Vec<String>,
    /// There are more accounts than are listed.
    pub has_more_accounts: bool,
    /// Entries that have a row, those that can't be read included.
    pub rows: u64,
    /// Entries for information only, which have none.
    pub information: u64,
    /// Entries about securities; their rows have the money alone.
    pub trades: u64,
    /// The table has the balances before its rows and after them, so that an import compares them.
    pub has_both_ends: bool,
}

impl TableFacts {
    /// Why the table can't stand for the file: an import would lose or mix something without a
    /// question.
    pub fn obstacle(&self) -> Option<String> {
        if self.trades > 0 {
            return Some(
                "The file has trades in securities, which can't be imported yet".to_owned(),
            );
        }
        if self.has_more_accounts {
            return Some(format!("The file has statements of more than {ACCOUNTS_MAX} accounts"));
        }
        if self.accounts.len() > 1 && self.accounts.iter().any(String::is_empty) {
            return Some(
                "The file has statements of several accounts, and one of them has no number: \
                 import a file of each"
                    .to_owned(),
            );
        }
        // With both balances the import asks by itself.
        let contradiction = self.contradictions.first().filter(|_| !self.has_both_ends);
        contradiction.map(|sentence| format!("The file contradicts itself. {sentence}"))
    }
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The file can't be read to its end.
    #[error(transparent)]
    Statement(#[from] StatementError),
    /// Opening the file, or writing the table, failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Reads a file twice: once for what its statements prove, and once to write the rows.
pub fn write_table<R: Read>(
    format: StatementFormat,
    mut open: impl FnMut() -> io::Result<R>,
    writer: impl Write,
) -> Result<TableFacts, TableError> {
    let mut survey = survey(format, open()?)?;
    let mut table = Table {
        writer: CsvWriter::new(writer),
        row: 0,
        cells: HEADER.map(str::to_owned),
        statement: 0,
        account: String::new(),
        currency: String::new(),
    };
    if survey.facts.accounts.len() > 1 {
        ACCOUNT_OF_SEVERAL.clone_into(&mut table.cells[ACCOUNT]);
    }
    table.put()?;
    let (openings, closings) = survey.all_ends();
    let is_one = survey.facts.accounts.len() == 1;
    survey.facts.has_both_ends = is_one && !openings.is_empty() && !closings.is_empty();
    for opening in &openings {
        table.balance("Opening balance", opening)?;
    }
    let mut failed = None;
    let result = read(format, open()?, &mut |event| match table.take(event, &survey) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            failed = Some(error);
            ControlFlow::Break(())
        }
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    result?;
    for closing in &closings {
        table.balance("Closing balance", closing)?;
    }
    Ok(survey.facts)
}

/// The balance at one end of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
struct End {
    on: String,
    amount: Amount,
    currency: String,
    account: String,
}

/// What the first reading finds.
#[derive(Default)]
struct Survey {
    facts: TableFacts,
    /// Whether each statement is proven.
    proven: Vec<bool>,
    /// The account of each statement, its currency, and its balances at both ends.
    ends: Vec<(String, String, [Option<End>; 2])>,
}

fn survey(format: StatementFormat, source: impl Read) -> Result<Survey, StatementError> {
    let mut survey = Survey::default();
    read(format, source, &mut |event| {
        match event {
            Event::Entry(entry) => survey.facts.trades += u64::from(entry.trade.is_some()),
            Event::End(statement, tally) => survey.add(&statement, &tally),
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok(survey)
}

impl Survey {
    fn add(&mut self, statement: &BankStatement, tally: &Tally) {
        let check = check(statement, tally);
        let account = label(statement);
        let facts = &mut self.facts;
        facts.statements += 1;
        facts.proven += u64::from(check.is_proven());
        facts.rows += tally.booked + tally.pending + tally.unreadable;
        facts.information += tally.information;
        if check.is_contradicted() && facts.contradictions.len() < CONTRADICTIONS_MAX {
            facts.contradictions.push(contradiction(statement, &check));
        }
        if !facts.accounts.contains(&account) {
            match facts.accounts.len() < ACCOUNTS_MAX {
                true => facts.accounts.push(account.clone()),
                false => facts.has_more_accounts = true,
            }
        }
        let currency = statement.currency().unwrap_or_default().to_owned();
        let end = |kind: BalanceKind| {
            let balance = statement.balances_of(&kind).next()?;
            Some(End {
                on: balance.on.map(|on| on.to_string()).unwrap_or_default(),
                amount: balance.amount,
                currency: balance.currency.clone().unwrap_or_default(),
                account: account.clone(),
            })
        };
        self.proven.push(check.is_proven());
        let ends = [end(BalanceKind::Opening), end(BalanceKind::Closing)];
        self.ends.push((account, currency, ends));
    }

    /// The balances of each account before its first row and after its last one.
    fn all_ends(&self) -> (Vec<End>, Vec<End>) {
        let ends = self.facts.accounts.iter().map(|account| self.ends_of(account));
        let (openings, closings): (Vec<_>, Vec<_>) = ends.map(|[one, other]| (one, other)).unzip();
        (openings.into_iter().flatten().collect(), closings.into_iter().flatten().collect())
    }

    /// Those of one account, if it has one currency. Banks that write the newest statement first
    /// are recognised by its balances.
    fn ends_of(&self, account: &str) -> [Option<End>; 2] {
        let its: Vec<_> = self.ends.iter().filter(|(of, ..)| of == account).collect();
        let (Some((_, currency, first)), Some((.., last))) = (its.first(), its.last()) else {
            return [None, None];
        };
        if its.iter().any(|(_, other, _)| other != currency) {
            return [None, None];
        }
        let follows = |pair: &[&(String, String, [Option<End>; 2])]| {
            let ends = pair[0].2[0].as_ref().zip(pair[1].2[1].as_ref());
            ends.is_some_and(|(opening, closing)| opening.amount == closing.amount)
        };
        let is_newest_first = its.len() > 1 && its.windows(2).all(follows);
        let (oldest, newest) = if is_newest_first { (last, first) } else { (first, last) };
        [oldest[0].clone(), newest[1].clone()]
    }
}

/// What an account is called in the table.
fn label(statement: &BankStatement) -> String {
    let account = &statement.account;
    account.iban.as_ref().or(account.number.as_ref()).cloned().unwrap_or_default()
}

fn contradiction(statement: &BankStatement, check: &StatementCheck) -> String {
    let number = statement.number.as_deref().or(statement.id.as_deref()).unwrap_or("?");
    let line = statement.location.line;
    match &check.proof {
        Proof::Differs { opening, sum, closing, difference, if_reversals_are_opposite } => {
            let more = match if_reversals_are_opposite {
                true => "; it would agree if its reversals had the other sign",
                false => "",
            };
            format!(
                "Statement {number} (line {line}): {opening} and entries of {sum} don't come to \
                 {closing}, but differ by {difference}{more}"
            )
        }
        _ => format!("Statement {number} (line {line}): its totals are not those of its entries"),
    }
}

/// The table while it is written.
struct Table<W> {
    writer: CsvWriter<W>,
    row: u64,
    cells: [String; HEADER.len()],
    statement: usize,
    account: String,
    currency: String,
}

impl<W: Write> Table<W> {
    /// Writes the cells as a row and empties them.
    fn put(&mut self) -> io::Result<()> {
        self.row += 1;
        let written = self.writer.write(SheetRow { number: self.row, cells: &self.cells });
        self.cells.iter_mut().for_each(String::clear);
        written
    }

    fn amount(&mut self, amount: Amount) {
        let column = if amount.is_negative() { 2 } else { 3 };
        self.cells[column] = padded(amount.abs());
    }

    fn balance(&mut self, name: &str, end: &End) -> io::Result<()> {
        self.amount(end.amount);
        self.cells[0] = end.on.clone();
        self.cells[1] = name.to_owned();
        self.cells[4] = end.currency.clone();
        self.cells[ACCOUNT] = end.account.clone();
        self.put()
    }

    fn take(&mut self, event: Event, survey: &Survey) -> io::Result<()> {
        match event {
            Event::Begin(statement) => {
                self.account = label(&statement);
                self.currency = statement.currency().unwrap_or_default().to_owned();
                Ok(())
            }
            Event::Entry(entry) if entry.status == EntryStatus::Information => Ok(()),
            Event::Entry(entry) => {
                let is_proven = survey.proven.get(self.statement).copied().unwrap_or_default();
                self.entry(*entry, is_proven)
            }
            Event::Unreadable(entry) => {
                let (line, reasons) = (entry.location.line, entry.reasons.join("; "));
                self.unreadable(format!("Line {line} of the file: {reasons}"))
            }
            Event::End(..) => {
                self.statement += 1;
                Ok(())
            }
            Event::Position(_) | Event::Security(_) => Ok(()),
        }
    }

    /// A row that can't be read, so that it isn't overlooked.
    fn unreadable(&mut self, reason: String) -> io::Result<()> {
        self.cells[1] = reason;
        self.cells[3] = "?".to_owned();
        self.cells[4] = self.currency.clone();
        self.cells[ACCOUNT] = self.account.clone();
        self.put()
    }

    fn entry(&mut self, entry: Entry, is_proven: bool) -> io::Result<()> {
        // A direction that the balances prove is no question any more.
        let doubt = entry.doubts.iter().find(|doubt| match doubt {
            Doubt::SignAgainstType => !is_proven,
            Doubt::Correction => true,
            _ => false,
        });
        if let Some(doubt) = doubt {
            let (line, amount) = (entry.location.line, entry.amount);
            let name = name(&entry.texts).unwrap_or_default();
            let reason = format!("Line {line} of the file: {amount} {name}: {doubt}");
            return self.unreadable(reason);
        }
        let is_repeated = |doubt: &Doubt| matches!(doubt, Doubt::ReferenceRepeated { .. });
        let id =
            entry.texts.bank_reference.clone().filter(|_| !entry.doubts.iter().any(is_repeated));
        self.amount(entry.amount);
        self.cells[0] = entry.booked_on.map(|day| day.to_string()).unwrap_or_default();
        self.cells[1] = name(&entry.texts).unwrap_or_default();
        self.cells[4] = entry.currency.clone().unwrap_or_else(|| self.currency.clone());
        self.cells[5] = notes(&entry);
        self.cells[ACCOUNT] = self.account.clone();
        self.cells[7] = id.unwrap_or_default();
        let is_pending = entry.status == EntryStatus::Pending;
        self.cells[8] = if is_pending { "Pending" } else { "Booked" }.to_owned();
        self.put()
    }
}

/// With two or four decimals at least, so that a point is never one of thousands.
fn padded(amount: Amount) -> String {
    let text = amount.to_string();
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let wanted = DECIMALS.into_iter().find(|count| *count >= fraction.len());
    format!("{whole}.{fraction:0<width$}", width = wanted.unwrap_or(fraction.len()))
}

/// The other party; else what was written about the entry.
fn name(texts: &EntryTexts) -> Option<String> {
    let name = texts.counterparty.name.as_ref();
    let name = name.or(texts.remittance.first()).or(texts.additional.as_ref());
    name.or(texts.type_code.as_ref()).cloned()
}

/// What isn't in the name, and the payments of a batch.
fn notes(entry: &Entry) -> String {
    let texts = &entry.texts;
    let has_name = texts.counterparty.name.is_some();
    let remittance = texts.remittance.iter().skip(usize::from(!has_name));
    let is_name = !has_name && texts.remittance.is_empty();
    let additional = texts.additional.iter().filter(|_| !is_name);
    let parts = entry.details.iter().map(|part| {
        let amount = part.amount.map(|amount| amount.to_string()).unwrap_or_default();
        format!("{amount} {}", name(&part.texts).unwrap_or_default())
    });
    let all: Vec<String> = remittance.chain(additional).cloned().chain(parts).collect();
    all.join("; ").chars().take(NOTES_CHARS_MAX).collect()
}
