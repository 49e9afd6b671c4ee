//! QIF: sections of records, a line for each field, `^` behind each record.
//!
//! ```text
//! !Account
//! NGiro
//! TBank
//! ^
//! !Type:Bank
//! D1/15'06
//! T-12.50
//! PBakery
//! LFood:Bread/Family
//! ^
//! ```
//!
//! The account of a section is the one that stands before it, or the one that its opening balance
//! names; a file that names none goes into the account that is chosen for it. `[Savings]` as a
//! category is the other side of a transfer; `S`, `E` and `$` are the parts of a split transaction.
//! How days and amounts are written the file doesn't state, so they stay as they are, but for years
//! behind an apostrophe, which are those from 2000 on.
//!
//! Records of depots are trades, or money that moves in them (`investments`). Whatever a section
//! has that can't be represented here stays a record with the reason: none is passed over.

mod investments;
mod lists;
mod prices;
mod record;
mod sections;
mod securities;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::{Read, Seek, SeekFrom, Write};

use purser_core::import::register::{Amounts, CORRECTION, OPENING, PartCell, RegisterShape};
use purser_core::limits::{IMPORT_MAPPINGS_MAX, SPLIT_PARTS_MAX};
use purser_core::text::label::name_key;

use super::RewriteError;
use super::register::{Entry, Register, tags};
use record::{Fields, Meaning, day, meaning};
use sections::{Section, Sections, survey};

const NO_DAY: &str = "The record has no day: it is no transaction";

pub(super) fn rewrite(mut input: impl Read + Seek, output: impl Write) -> Result<(), RewriteError> {
    let survey = survey(&mut input)?;
    if !survey.has_sections {
        return Err(RewriteError::Foreign("this is no QIF file: it has no !Type line".to_owned()));
    }
    input.seek(SeekFrom::Start(0))?;
    let mut register = Register::begin_of(
        output,
        RegisterShape {
            amounts: Amounts::Signed,
            names_accounts: survey.names_accounts,
            has_trades: survey.has_trades,
        },
    )?;
    lists::accounts(&survey.accounts, &mut register)?;
    let mut sections = Sections::of_survey(input, survey.depots);
    let mut accounts = HashSet::new();
    while let Some(fields) = sections.next()? {
        let date = day(fields.get('D'), survey.has_apostrophes);
        let account = sections.account.as_str();
        let is_entry = matches!(sections.section, Section::Transactions | Section::Investments);
        let is_known = !is_entry || accounts.contains(account);
        if !is_known && accounts.len() < IMPORT_MAPPINGS_MAX {
            accounts.insert(account.to_owned());
        }
        let place = RecordPlace { account, date: &date, is_first: !is_known };
        match sections.section {
            Section::Accounts => {}
            section @ (Section::Categories
            | Section::Classes
            | Section::List
            | Section::Securities) => lists::write(&fields, section, &mut register)?,
            Section::Prices => {
                prices::write(&fields, survey.has_apostrophes, &survey.securities, &mut register)?;
            }
            Section::Transactions => write(&fields, place, &mut register)?,
            Section::Investments => {
                investments::write(&fields, place, &survey.securities, &mut register)?;
            }
        }
    }
    register.finish().map_err(RewriteError::Io)
}

/// The account and the day of a record.
#[derive(Debug, Clone, Copy)]
struct RecordPlace<'a> {
    account: &'a str,
    date: &'a str,
    /// No transaction of the account stands before it.
    is_first: bool,
}

/// A part of a transaction as the record states it.
struct Part<'a> {
    of: Meaning<'a>,
    memo: &'a str,
    amount: &'a str,
    /// Its class beside the tags of the whole, as [`tags`] joins them.
    tags: String,
}

/// Writes the transaction that one record stands for.
fn write<W: Write>(
    fields: &Fields,
    place: RecordPlace<'_>,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let RecordPlace { account, date, is_first } = place;
    let problem = if date.is_empty() { NO_DAY } else { "" };
    let whole = meaning(fields.get('L'));
    let amount = fields.amount();
    let payee = match fields.get('P') {
        "" => fields.get('Y'),
        payee => payee,
    };
    let of_whole = tags([whole.class, fields.standing()].into_iter());
    let notes = fields.notes();
    // An opening balance names its own account, and so does a correction of the balance.
    let is_own = !whole.account.is_empty() && name_key(whole.account) == name_key(account);
    let is_opening = is_own && (is_first || sections::is_opening(fields));
    let of_own = if is_own { CORRECTION } else { "" };
    let entry = Entry {
        line: fields.line,
        role: if is_opening { OPENING } else { of_own },
        account,
        date,
        payee,
        category: whole.category,
        tags: &of_whole,
        notes: &notes,
        transfer: if is_own { "" } else { whole.account },
        amounts: &[amount],
        problem,
        ..Entry::default()
    };
    let part = |(category, memo, amount)| {
        let of = meaning(category);
        let tags = tags([whole.class, of.class, fields.standing()].into_iter());
        Part { of, memo, amount, tags }
    };
    let parts: Vec<Part<'_>> = fields
        .parts()
        .filter(|(category, _, amount)| !(category.is_empty() && is_zero(amount)))
        .map(part)
        .collect();
    if problem.is_empty() && parts.len() > SPLIT_PARTS_MAX {
        let many = format!("The transaction has more than {SPLIT_PARTS_MAX} parts");
        return Ok(register.push(&Entry { problem: &many, ..entry })?);
    }
    match parts.as_slice() {
        [] => Ok(register.push(&entry)?),
        [only] => {
            // Another amount than that of the whole is compared with it.
            let compared = [cell(only, false)];
            let is_same = only.amount.is_empty() || only.amount == amount;
            let both = [notes.as_str(), only.memo].into_iter().filter(|text| !text.is_empty());
            let both: Vec<&str> = both.collect();
            let both = if only.memo == notes { notes.clone() } else { both.join("; ") };
            Ok(register.push(&Entry {
                category: only.of.category,
                transfer: only.of.account,
                tags: &only.tags,
                notes: &both,
                parts: if is_same { &[] } else { &compared },
                ..entry
            })?)
        }
        parts => split(parts, &entry, register),
    }
}

/// Writes a split transaction. Parts that are sides of transfers are transactions of their own.
/// The last record has all of the parts, so that they are compared with the amount that the file
/// states.
fn split<W: Write>(
    parts: &[Part<'_>],
    entry: &Entry<'_>,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let is_side = |part: &Part<'_>| !part.of.account.is_empty();
    let own: Vec<_> = parts.iter().filter(|part| !is_side(part)).collect();
    let last_side = parts.iter().rposition(is_side).filter(|_| own.is_empty());
    let sides = parts.iter().enumerate().filter(|(_, part)| is_side(part));
    for (_, part) in sides.filter(|(at, _)| Some(*at) != last_side) {
        register.push(&Entry { amounts: &[part.amount], ..alone(part, entry) })?;
    }
    let is_apart = |at: usize, part: &Part<'_>| is_side(part) && Some(at) != last_side;
    let cells = parts.iter().enumerate().map(|(at, part)| cell(part, is_apart(at, part)));
    let cells: Vec<PartCell<'_>> = cells.collect();
    let only = match own.as_slice() {
        [only] => Some(*only),
        _ => last_side.and_then(|at| parts.get(at)),
    };
    let several = || Entry { category: "", transfer: "", ..entry.clone() };
    let last = only.map_or_else(several, |only| alone(only, entry));
    Ok(register.push(&Entry { parts: &cells, ..last })?)
}

fn cell<'a>(part: &Part<'a>, apart: bool) -> PartCell<'a> {
    PartCell {
        amounts: vec![Cow::Borrowed(part.amount)],
        category: Cow::Borrowed(part.of.category),
        notes: Cow::Borrowed(part.memo),
        tag: Cow::Borrowed(part.of.class),
        apart,
    }
}

/// The record of one part, with the amount of the whole.
fn alone<'a>(part: &'a Part<'a>, entry: &Entry<'a>) -> Entry<'a> {
    Entry {
        category: part.of.category,
        transfer: part.of.account,
        tags: &part.tags,
        notes: if part.memo.is_empty() { entry.notes } else { part.memo },
        ..entry.clone()
    }
}

fn is_zero(amount: &str) -> bool {
    !amount.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

#[cfg(test)]
mod tests;
