//! Reading a file as an upload does, and comparing it with its ledger.

use std::ops::ControlFlow;

use purser_formats::decode::{HEAD_BYTES, detect, transcode};
use purser_formats::statements::amount::Amount;
use purser_formats::statements::model::{
    BalanceKind, BankStatement, Entry, Location, StatedBalance, UnreadableEntry,
};
use purser_formats::statements::proof::{StatementCheck, check};
use purser_formats::statements::{
    Event, StatementError, StatementFormat, Tally, encoding, read, recognise,
};

use crate::ledger::{LedgerEntry, LedgerStatement, decimal};

/// A statement with all its entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ReadStatement {
    pub(crate) statement: BankStatement,
    pub(crate) tally: Tally,
    pub(crate) entries: Vec<Entry>,
    pub(crate) unreadable: Vec<UnreadableEntry>,
}

impl ReadStatement {
    pub(crate) fn check(&self) -> StatementCheck {
        check(&self.statement, &self.tally)
    }

    /// The same with the balance at which the statement before it ended.
    pub(crate) fn opening_with(mut self, cents: i64) -> Self {
        self.statement.balances.push(StatedBalance {
            kind: BalanceKind::Opening,
            amount: Amount::new(cents, 2),
            currency: self.statement.currency.clone(),
            on: None,
            is_between_pages: false,
            location: Location::default(),
        });
        self
    }

    /// Everything about money in it that its balances could prove.
    pub(crate) fn money(&self) -> Vec<String> {
        let of_entry =
            |entry: &Entry| format!("{} {:?} {:?}", entry.amount, entry.currency, entry.status);
        let of_balance =
            |its: &StatedBalance| format!("{:?} {} {:?}", its.kind, its.amount, its.currency);
        let proves =
            |its: &&StatedBalance| matches!(its.kind, BalanceKind::Opening | BalanceKind::Closing);
        let balances = self.statement.balances.iter().filter(proves);
        let entries = self.entries.iter().map(of_entry);
        entries.chain(balances.map(of_balance)).collect()
    }
}

/// The text of a file in UTF-8, and the format that it is recognised as.
pub(crate) fn text(file: &[u8]) -> (Option<StatementFormat>, Vec<u8>) {
    let head = &file[..file.len().min(HEAD_BYTES)];
    let chosen = encoding::choose(head, detect(&mut &file[..])).unwrap();
    let mut text = Vec::new();
    transcode(&mut &file[..], &mut text, &chosen.encoding).unwrap();
    (recognise(&text[..text.len().min(HEAD_BYTES)]), text)
}

pub(crate) fn read_text(
    format: StatementFormat,
    text: &[u8],
) -> Result<Vec<ReadStatement>, StatementError> {
    let mut statements: Vec<ReadStatement> = Vec::new();
    let mut open: Option<ReadStatement> = None;
    read(format, text, &mut |event| {
        match event {
            Event::Begin(statement) => {
                assert!(open.is_none(), "a statement begins in another one");
                open = Some(ReadStatement {
                    statement: *statement,
                    tally: Tally::default(),
                    entries: Vec::new(),
                    unreadable: Vec::new(),
                });
            }
            Event::Entry(entry) => open.as_mut().unwrap().entries.push(*entry),
            Event::Unreadable(entry) => open.as_mut().unwrap().unreadable.push(entry),
            Event::Position(_) | Event::Security(_) => {}
            Event::End(statement, tally) => {
                let begun = open.take().unwrap();
                assert_eq!(begun.statement.location, statement.location);
                statements.push(ReadStatement { statement: *statement, tally: *tally, ..begun });
            }
        }
        ControlFlow::Continue(())
    })?;
    assert!(open.is_none(), "a statement has no end");
    Ok(statements)
}

pub(crate) fn read_file(format: StatementFormat, file: &[u8]) -> Vec<ReadStatement> {
    let (recognised, text) = text(file);
    assert_eq!(recognised, Some(format), "{}", String::from_utf8_lossy(&text));
    read_text(format, &text).unwrap()
}

/// What every format has of an entry.
pub(crate) fn shown(entry: &Entry) -> String {
    let texts = &entry.texts;
    format!(
        "{:?} {} {:?} {:?} {:?} {}",
        entry.booked_on.unwrap(),
        entry.amount.checked_add(Amount::new(0, 2)).unwrap(),
        entry.status,
        texts.bank_reference,
        texts.counterparty.name,
        texts.remittance.join("|"),
    )
}

pub(crate) fn expected(entry: &LedgerEntry) -> String {
    format!(
        "{:?} {} {:?} {:?} {:?} {}",
        entry.booked_on,
        decimal(entry.cents, '.'),
        entry.status,
        entry.reference,
        entry.name,
        entry.remittance.as_deref().unwrap_or_default(),
    )
}

/// Compares entry by entry, so that a difference is shown alone.
pub(crate) fn assert_entries(read: &ReadStatement, ledger: &LedgerStatement, file: &[u8]) {
    let file = || String::from_utf8_lossy(file).into_owned();
    assert_eq!(read.unreadable, [], "{}", file());
    assert_eq!(read.entries.len(), ledger.entries.len(), "{}", file());
    for (one, two) in read.entries.iter().zip(&ledger.entries) {
        assert_eq!(shown(one), expected(two), "{}", file());
    }
}
