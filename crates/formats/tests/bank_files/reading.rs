//! Reads a generated file as an upload would be, and compares with the truth.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io::Cursor;
use std::ops::ControlFlow;

use jiff::civil::Date;
use purser_core::import::dispatch::Row;
use purser_core::import::kind::{Context, TargetAccount};
use purser_core::import::kinds::Kind;
use purser_core::import::layout::Layout;
use purser_core::import::layout_problem::texts;
use purser_core::import::row_edit::{RowChoice, RowEdit, RowEdits};
use purser_core::import::settings::{BalanceCheck, Settings, Signage};
use purser_core::import::transaction::interpret::UNNAMED;
use purser_core::ledger::account::Classification;
use purser_core::money::Currency;
use purser_formats::decode::{Encoding, UTF_8};
use purser_formats::records::{Visited, analyse, visit};

use crate::combination::{Account, Balance, Combination, Direction};
use crate::other_headers::AVAILABLE;
use crate::table::{Column, Table};
use crate::truth::{AS_OF, OWN_NUMBER, Truth};

const ENCODING: Encoding = Encoding { name: UTF_8, bom_len: 0, certain: true };

/// What a reader made of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Every transaction is there exactly, and nothing else can be imported.
    Right,
    /// The same, but for names: no number is wrong.
    Nameless(String),
    /// Something is asked, and what can be imported without an answer is true.
    Question(String),
    /// Something can be imported that isn't true, or a transaction is passed over in silence.
    Wrong(String),
}

/// A row that can be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Importable {
    day: Date,
    /// In the scale of the currency; money in is positive.
    amount: i64,
    currency: Currency,
    name: String,
    account: Option<String>,
}

/// Everything that the reader reports of a file.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) layout: Layout,
    problems: Vec<String>,
    // By physical line.
    rows: Vec<(u64, Result<Importable, String>)>,
    /// The physical lines of all rows, in the order of their numbers.
    numbered: Vec<u64>,
    has_account_column: bool,
}

/// What a person answers to questions about a file.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    pub(crate) settings: Settings,
    edits: RowEdits,
}

impl Answers {
    /// What a person has to answer if only balances show which way money went: what the balance
    /// counts, and the direction of the oldest row of each account. Of other files nothing.
    pub(crate) fn of(table: &Table, combination: &Combination, truth: &Truth) -> Self {
        let mut answers = Self::default();
        if combination.direction != Direction::UnsignedBothWays || !truth.goes_both_ways() {
            return answers;
        }
        answers.settings.balance_check = Some(BalanceCheck::Compare);
        answers.settings.signage = Some(match combination.balance {
            Balance::Debt => Signage::InflowsNegative,
            _ => Signage::InflowsPositive,
        });
        let (text, lines) = table.text();
        let reading = read(&text, combination, truth, &answers);
        let amount = table.position(Column::Amount).unwrap();
        for (index, line) in reading.numbered.into_iter().enumerate() {
            let record = lines[usize::try_from(line - 1).unwrap()];
            let record = record.map(|record| &table.records[record]);
            let Some((record, at)) = record.and_then(|one| Some((one, one.transaction?))) else {
                continue;
            };
            let its = &truth.transactions[at];
            if truth.is_oldest(at) {
                let sign = if its.amount < 0 { '-' } else { '+' };
                let cells = BTreeMap::from([(amount, format!("{sign}{}", record.cells[amount]))]);
                let edit = RowEdit { cells, choice: RowChoice::Plan };
                answers.edits.insert(index as u64 + 1, edit);
            }
        }
        answers
    }
}

/// Whether a file leads to a question, whichever.
pub(crate) fn is_asked(
    text: &str,
    combination: &Combination,
    truth: &Truth,
    answers: &Answers,
) -> bool {
    let reading = read(text, combination, truth, answers);
    !reading.problems.is_empty() || reading.rows.iter().any(|(_, row)| row.is_err())
}

/// What comes of a file: the text is read with nothing set.
pub(crate) fn verdict(table: &Table, combination: &Combination, truth: &Truth) -> Verdict {
    answered_verdict(table, combination, truth, &Answers::default())
}

/// What comes of a file with a person's answers.
pub(crate) fn answered_verdict(
    table: &Table,
    combination: &Combination,
    truth: &Truth,
    answers: &Answers,
) -> Verdict {
    let (text, lines) = table.text();
    let reading = read(&text, combination, truth, answers);
    if !reading.problems.is_empty() {
        return Verdict::Question(reading.problems.join("; "));
    }
    let needs_account = combination.account == Account::Column;
    if needs_account && !reading.has_account_column {
        return Verdict::Question("the account".to_owned());
    }
    let balance = table.position(Column::Balance).zip(table.header.as_ref());
    let is_called_so = balance.is_some_and(|(at, header)| header[at] == AVAILABLE);
    if is_called_so && reading.layout.stated_ends().is_some() {
        return Verdict::Wrong("what can be spent is taken for a balance".to_owned());
    }
    let comparison = Comparison {
        table,
        truth,
        lines: &lines,
        seen: HashMap::new(),
        nameless: None,
        invalid: None,
        wrong: Vec::new(),
    };
    comparison.run(reading.rows)
}

struct Comparison<'c> {
    table: &'c Table,
    truth: &'c Truth,
    /// The record of each physical line.
    lines: &'c [Option<usize>],
    /// How often each transaction can be imported, and whether it is asked about.
    seen: HashMap<usize, Occurrences>,
    nameless: Option<String>,
    invalid: Option<String>,
    /// What can be imported as something else than it is.
    wrong: Vec<String>,
}

#[derive(Default)]
struct Occurrences {
    imported: u32,
}

impl Comparison<'_> {
    fn run(mut self, rows: Vec<(u64, Result<Importable, String>)>) -> Verdict {
        for (line, row) in rows {
            if let Err(wrong) = self.row(line, row) {
                return Verdict::Wrong(format!("line {line}: {wrong}"));
            }
        }
        if let Some(what) = self.wrong.first() {
            return Verdict::Wrong(what.clone());
        }
        let records = self.table.records.iter();
        for transaction in records.filter_map(|record| record.transaction) {
            match self.seen.get(&transaction) {
                None => return Verdict::Wrong(format!("transaction {transaction} is passed over")),
                Some(seen) if seen.imported > 1 => {
                    return Verdict::Wrong(format!("transaction {transaction} is there twice"));
                }
                Some(_) => {}
            }
        }
        match (self.invalid, self.nameless) {
            (Some(reason), _) => Verdict::Question(reason),
            (None, Some(name)) => Verdict::Nameless(name),
            (None, None) => Verdict::Right,
        }
    }

    fn row(&mut self, line: u64, row: Result<Importable, String>) -> Result<(), String> {
        let record = usize::try_from(line - 1).ok().and_then(|line| *self.lines.get(line)?);
        let transaction = record.and_then(|record| self.table.records[record].transaction);
        let Some(transaction) = transaction else {
            return match row {
                Ok(row) => Err(format!("no transaction is imported: {row:?}")),
                Err(reason) => {
                    self.invalid.get_or_insert(format!("line {line}: {reason}"));
                    Ok(())
                }
            };
        };
        let seen = self.seen.entry(transaction).or_default();
        match row {
            Err(reason) => {
                self.invalid.get_or_insert(format!("line {line}: {reason}"));
                Ok(())
            }
            Ok(row) => {
                seen.imported += 1;
                self.compare(transaction, &row)
            }
        }
    }

    fn compare(&mut self, transaction: usize, row: &Importable) -> Result<(), String> {
        let its = &self.truth.transactions[transaction];
        let currency = self.truth.currency;
        let unit = 10_i64.pow(currency.scale() - currency.precision());
        let is_account_true = match (&row.account, its.account) {
            (Some(named), Some(account)) => named == account,
            (Some(named), None) => named == OWN_NUMBER,
            (None, account) => account.is_none(),
        };
        let is_true = row.day == its.day
            && row.amount == its.amount * unit
            && row.currency == currency
            && is_account_true;
        if !is_true {
            self.wrong.push(format!("it is {its:?}, but is read as {row:?}"));
            return Ok(());
        }
        let is_purpose = !its.purpose.is_empty() && row.name == its.purpose;
        if row.name == UNNAMED || (row.name != its.name && !is_purpose) {
            self.nameless.get_or_insert_with(|| format!("\"{}\"", row.name));
        }
        Ok(())
    }
}

/// What a file is read against.
pub(crate) fn context<'c>(
    combination: &Combination,
    truth: &Truth,
    account_currencies: &'c HashMap<String, Currency>,
) -> Context<'c> {
    let account = match combination.account {
        Account::Unknown | Account::Column => None,
        Account::Money => Some(Classification::Asset),
        Account::Debt => Some(Classification::Liability),
    };
    let currency = truth.currency;
    let is_abroad = combination.is_abroad && account.is_none();
    Context {
        as_of: AS_OF,
        family_currency: if is_abroad { Currency::parse("AUD").unwrap() } else { currency },
        account: account.map(|classification| TargetAccount { currency, classification }),
        account_currencies,
        row_set: None,
    }
}

/// Reads a file with a person's answers.
pub(crate) fn read(
    text: &str,
    combination: &Combination,
    truth: &Truth,
    answers: &Answers,
) -> Reading {
    let account_currencies = HashMap::new();
    let context = context(combination, truth, &account_currencies);
    let Answers { settings, edits } = answers;
    let open = || Ok(Cursor::new(text.as_bytes()));
    let analysis = analyse(open, Kind::Transaction, &ENCODING, settings, context, edits).unwrap();
    let layout = &analysis.layout;
    let (mut rows, mut numbered) = (Vec::new(), Vec::new());
    if layout.is_readable() {
        let from = usize::try_from(layout.start.offset).unwrap();
        let each = |visited: Visited<'_>| {
            numbered.push(visited.line);
            if visited.is_left_out() {
                return ControlFlow::Continue(());
            }
            let row = visited.outcome.map(|row| importable(&row));
            rows.push((visited.line, row.map_err(|reasons| reasons.join("; "))));
            ControlFlow::Continue(())
        };
        visit(&text.as_bytes()[from..], layout, context, edits, layout.start, usize::MAX, each)
            .unwrap();
        let counted = rows.iter().filter(|(_, row)| row.is_ok()).count();
        assert_eq!(counted as u64, analysis.valid, "counted once and read again\n{text}");
    }
    Reading {
        layout: layout.clone(),
        problems: texts(&layout.problems),
        rows,
        numbered,
        has_account_column: layout.columns.account.is_some(),
    }
}

fn importable(row: &Row<'_>) -> Importable {
    let Row::Transaction(row) = row else { panic!("{row:?}") };
    Importable {
        day: row.date,
        amount: -row.amount,
        currency: row.currency,
        name: row.name.to_owned(),
        account: row.account.map(str::to_owned),
    }
}

/// A file and all that is known about it, for whoever has to find out what is wrong.
pub(crate) fn described(table: &Table, combination: &Combination, truth: &Truth) -> String {
    let mut text = format!("{combination:?}\n{}\n", table.text().0);
    for (index, one) in truth.transactions.iter().enumerate() {
        let account = one.account.unwrap_or_default();
        writeln!(text, "{index}: {} {} {} {account}", one.day, one.amount, truth.currency).unwrap();
    }
    text
}
