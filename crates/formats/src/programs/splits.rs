//! Rows that are one transaction: they follow each other, and each states which part it is.
//!
//! What belongs together becomes one record with parts. A part that is the side of a transfer is a
//! record of its own, because a part can't be one; the others count it for the sum. Where a row of
//! a group is missing, the others stay what they are in the file: transactions, and nothing is
//! lost.

use std::borrow::Cow;
use std::io::{self, Write};

use purser_core::import::register::PartCell;
use purser_core::limits::SPLIT_PARTS_MAX;

use super::register::{Entry, Register};

/// A row of a split transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SplitRow {
    pub(super) line: u64,
    pub(super) account: String,
    pub(super) date: String,
    pub(super) payee: String,
    pub(super) category: String,
    pub(super) tags: String,
    /// The notes as the file has them, and without what marks the part.
    pub(super) marked_notes: String,
    pub(super) notes: String,
    pub(super) transfer: String,
    pub(super) amounts: Vec<String>,
    /// What the parts come to, in the row for the transaction itself.
    pub(super) sum: String,
    pub(super) problem: &'static str,
    pub(super) place: PartPosition,
}

/// Which row of its group a row is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum PartPosition {
    /// The transaction itself, with the sum; so many parts belong to it.
    Whole(usize),
    /// It is no row of a group.
    #[default]
    Unknown,
    /// A part, counted from 1, and how many there are.
    Part(usize, usize),
}

impl PartPosition {
    fn count(self) -> usize {
        match self {
            Self::Whole(count) | Self::Part(_, count) => count,
            Self::Unknown => 0,
        }
    }
}

/// Collects the rows of one transaction.
#[derive(Debug, Default)]
pub(super) struct Group {
    rows: Vec<SplitRow>,
    /// The group has a row for the transaction itself.
    has_whole: bool,
}

impl Group {
    /// For a program that writes a row for the transaction itself, too.
    pub(super) fn with_whole() -> Self {
        Self { rows: Vec::new(), has_whole: true }
    }

    /// Takes a row; what is complete, or can't be completed any more, goes into the register.
    pub(super) fn push<W: Write>(
        &mut self,
        row: SplitRow,
        register: &mut Register<W>,
    ) -> io::Result<()> {
        if !self.takes(&row) {
            self.end(register)?;
        }
        self.rows.push(row);
        let wanted = self.rows[0].place.count() + usize::from(self.has_whole);
        if self.rows.len() == wanted {
            let rows = std::mem::take(&mut self.rows);
            return self.whole(&rows, register);
        }
        Ok(())
    }

    /// Writes the rows of a group that isn't complete as they are in the file.
    pub(super) fn end<W: Write>(&mut self, register: &mut Register<W>) -> io::Result<()> {
        for row in std::mem::take(&mut self.rows) {
            alone(&row, &row.marked_notes, register)?;
        }
        Ok(())
    }

    /// Whether a row belongs to those before it.
    fn takes(&self, row: &SplitRow) -> bool {
        let Some(first) = self.rows.first() else { return true };
        first.account == row.account
            && first.date == row.date
            && first.place.count() == row.place.count()
            && self.rows.iter().all(|one| one.place != row.place)
            && self.rows.iter().filter(|one| matches!(one.place, PartPosition::Whole(_))).count()
                + usize::from(matches!(row.place, PartPosition::Whole(_)))
                <= 1
    }

    fn whole<W: Write>(&self, rows: &[SplitRow], register: &mut Register<W>) -> io::Result<()> {
        let is_whole = |row: &&SplitRow| matches!(row.place, PartPosition::Whole(_));
        let whole = rows.iter().find(is_whole);
        let mut parts: Vec<&SplitRow> = rows.iter().filter(|row| !is_whole(row)).collect();
        if self.has_whole && whole.is_none() || parts.len() > SPLIT_PARTS_MAX {
            for row in rows {
                alone(row, &row.marked_notes, register)?;
            }
            return Ok(());
        }
        parts.sort_by_key(|row| match row.place {
            PartPosition::Part(number, _) => number,
            _ => 0,
        });
        let (sides, own): (Vec<&SplitRow>, Vec<&SplitRow>) =
            parts.iter().copied().partition(|row| !row.transfer.is_empty());
        // One record has all parts, so that they are compared with the sum that the file states.
        let only = match own.as_slice() {
            [] => sides.last().copied(),
            [only] => Some(*only),
            _ => None,
        };
        for side in sides.iter().filter(|side| whole.is_none() || only != Some(**side)) {
            alone(side, &side.notes, register)?;
        }
        let (named, shown) = match (only, own.first(), whole) {
            (None, Some(first), whole) => (whole.unwrap_or(first), None),
            (Some(only), _, Some(whole)) => (whole, Some(only)),
            (Some(only), Some(_), None) => return alone(only, &only.notes, register),
            _ => return Ok(()),
        };
        let is_apart = |part: &SplitRow| !part.transfer.is_empty() && shown != Some(part);
        let cells = parts.iter().map(|part| cell(part, &named.payee, is_apart(part)));
        let cells: Vec<PartCell<'_>> = cells.collect();
        let mut amounts = vec![""; parts.first().map_or(0, |part| part.amounts.len())];
        if let (Some(whole), Some(amount)) = (whole, amounts.first_mut()) {
            *amount = &whole.sum;
        }
        let problem = rows.iter().map(|row| row.problem).find(|it| !it.is_empty());
        let notes = whole.map_or("", |whole| &whole.notes);
        let both = [notes, shown.map_or("", |only| &only.notes)];
        let both: Vec<&str> = both.into_iter().filter(|text| !text.is_empty()).collect();
        register.push(&Entry {
            line: rows.iter().map(|row| row.line).min().unwrap_or_default(),
            account: &named.account,
            date: &named.date,
            payee: shown.map_or(&named.payee, |only| &only.payee),
            category: shown.map_or("", |only| &only.category),
            transfer: shown.map_or("", |only| &only.transfer),
            tags: shown.map_or(&named.tags, |only| &only.tags),
            notes: &both.join("; "),
            amounts: &amounts,
            parts: &cells,
            problem: problem.unwrap_or_default(),
            ..Entry::default()
        })
    }
}

/// A part; a payee of its own stands in its notes.
fn cell<'a>(part: &'a SplitRow, payee: &str, apart: bool) -> PartCell<'a> {
    let is_same = part.payee == payee || part.payee.is_empty();
    let notes = match (is_same, part.notes.as_str()) {
        (true, notes) => Cow::Borrowed(notes),
        (false, "") => Cow::Borrowed(part.payee.as_str()),
        (false, notes) => Cow::Owned(format!("{}; {notes}", part.payee)),
    };
    PartCell {
        amounts: part.amounts.iter().map(|cell| Cow::Borrowed(cell.as_str())).collect(),
        category: Cow::Borrowed(&part.category),
        notes,
        apart,
        ..PartCell::default()
    }
}

/// A row as a transaction of its own.
fn alone<W: Write>(row: &SplitRow, notes: &str, register: &mut Register<W>) -> io::Result<()> {
    let amounts: Vec<&str> = row.amounts.iter().map(String::as_str).collect();
    register.push(&Entry {
        line: row.line,
        account: &row.account,
        date: &row.date,
        payee: &row.payee,
        category: &row.category,
        tags: &row.tags,
        notes,
        transfer: &row.transfer,
        amounts: &amounts,
        problem: row.problem,
        ..Entry::default()
    })
}
