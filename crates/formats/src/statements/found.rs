//! What the statements of a file state about themselves, collected while their rows are written.

use jiff::civil::Date;
use purser_core::import::file_statement::{FileStatement, StatementKind, kept, last_four};

use super::Event;
use super::labels::Labels;
use super::model::{BalanceKind, BankStatement, EntryStatus, StatedBalance};
use super::trades::INVESTMENT;

/// The words of OFX for cards and lines of credit.
const CARDS: [&str; 2] = ["CREDITCARD", "CREDITLINE"];

/// Collects statements. Rows are numbered as imports do it: the header is none.
#[derive(Debug, Default)]
pub(super) struct Collector {
    pub(super) found: Vec<FileStatement>,
    /// Rows before the first one of the statement.
    rows_before: u64,
    /// The first and the last day of its booked entries.
    days: Option<(Date, Date)>,
    /// The last statement ends with a balance that links it to the next page.
    is_continued: bool,
}

impl Collector {
    /// Takes an event of which the rows are written; `rows` are there so far.
    pub(super) fn take(&mut self, event: &Event, rows: u64, labels: &Labels) {
        match event {
            Event::Begin(_) => {
                self.rows_before = rows;
                self.days = None;
            }
            Event::Entry(entry) if entry.status == EntryStatus::Booked => {
                if let Some(day) = entry.booked_on {
                    let (first, last) = self.days.unwrap_or((day, day));
                    self.days = Some((first.min(day), last.max(day)));
                }
            }
            Event::End(statement, tally) => {
                let lines = tally.booked + tally.unreadable;
                self.end((statement, labels.of_statement(statement)), lines, rows);
            }
            _ => {}
        }
    }

    fn end(&mut self, (statement, account): (&BankStatement, String), lines: u64, rows: u64) {
        let opening = statement.balances_of(&BalanceKind::Opening).next();
        let closing = statement.balances_of(&BalanceKind::Closing).next();
        let mut one = FileStatement { account, ..self.statement(statement, opening, closing) };
        let rows = rows - self.rows_before;
        // What moves within a portfolio has no row.
        let is_portfolio = one.kind == Some(StatementKind::Investment);
        one.lines = if is_portfolio { rows } else { lines };
        (one.first_row, one.rows) = (self.rows_before + 1, rows);
        let is_next_page = opening.is_some_and(|balance| balance.is_between_pages);
        let was_continued = std::mem::replace(
            &mut self.is_continued,
            closing.is_some_and(|balance| balance.is_between_pages),
        );
        if was_continued
            && is_next_page
            && let Some(page) = self.found.last_mut()
            && page.account == one.account
            && page.currency == one.currency
            && page.closing == one.opening
            && page.first_row + page.rows == one.first_row
        {
            page.rows += one.rows;
            page.lines += one.lines;
            page.last_day = page.last_day.max(one.last_day);
            (page.closing, page.closing_day) = (one.closing, one.closing_day);
            return;
        }
        self.found.push(one);
    }

    fn statement(
        &self,
        statement: &BankStatement,
        opening: Option<&StatedBalance>,
        closing: Option<&StatedBalance>,
    ) -> FileStatement {
        let account = &statement.account;
        let (first_entry, last_entry) = self.days.unzip();
        let closing_day = closing.and_then(|balance| balance.on);
        let opening_day = opening.and_then(|balance| balance.on);
        // Banks list entries of the next working day, too.
        let last_day = statement.to.or(closing_day).max(last_entry);
        // An opening balance may be that of the day before, or of the statement before.
        let first_day = statement.from.or(first_entry).or(opening_day);
        let number = account.iban.as_ref().or(account.number.as_ref());
        let text = |text: &Option<String>| text.as_deref().and_then(kept);
        let amount = |balance: Option<&StatedBalance>| balance.map(|it| it.amount.to_string());
        let balances = [closing, opening].into_iter().flatten();
        let of_balances = balances.filter_map(|balance| balance.currency.as_deref()).next();
        FileStatement {
            kind: account.kind.as_deref().map(kind),
            // An IBAN is that of one account in the world.
            kind_word: text(&account.kind).filter(|_| account.iban.is_none()),
            bank: text(&account.bank).or_else(|| text(&account.bic)),
            holder: text(&account.holder),
            last_four: number.and_then(|number| last_four(number)),
            identifier: text(&statement.id),
            number: text(&statement.number),
            first_day: first_day.min(last_day).or(first_day).or(last_day),
            last_day: last_day.or(first_day),
            currency: of_balances.or(statement.currency()).and_then(kept),
            opening: amount(opening),
            closing: amount(closing),
            closing_day,
            ..FileStatement::default()
        }
    }
}

fn kind(word: &str) -> StatementKind {
    if word == INVESTMENT {
        return StatementKind::Investment;
    }
    match CARDS.iter().any(|card| word.eq_ignore_ascii_case(card)) {
        true => StatementKind::Card,
        false => StatementKind::Bank,
    }
}
