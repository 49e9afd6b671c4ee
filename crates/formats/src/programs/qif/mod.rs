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
use std::io::{Read, Seek, SeekFrom, Write};

use purser_core::import::register::{Amounts, OPENING, PartCell, RegisterShape};
use purser_core::limits::SPLIT_PARTS_MAX;
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
    let mut sections = Sections::new(input);
    while let Some(fields) = sections.next()? {
        let date = day(fields.get('D'), survey.has_apostrophes);
        let account = sections.account.as_str();
        let place = RecordPlace { account, date: &date };
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
}

/// Writes the transaction that one record stands for.
fn write<W: Write>(
    fields: &Fields,
    place: RecordPlace<'_>,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let RecordPlace { account, date } = place;
    let problem = if date.is_empty() { NO_DAY } else { "" };
    let whole = meaning(fields.get('L'));
    let amount = fields.amount();
    let payee = match fields.get('P') {
        "" => fields.get('Y'),
        payee => payee,
    };
    let tags = tags([whole.class, fields.standing()].into_iter());
    let notes = fields.notes();
    // The opening balance names its own account.
    let is_own = !whole.account.is_empty() && name_key(whole.account) == name_key(account);
    let entry = Entry {
        line: fields.line,
        role: if is_own { OPENING } else { "" },
        account,
        date,
        payee,
        category: whole.category,
        tags: &tags,
        notes: &notes,
        transfer: if is_own { "" } else { whole.account },
        amounts: &[amount],
        problem,
        ..Entry::default()
    };
    let parts: Vec<(Meaning<'_>, &str, &str)> = fields
        .parts()
        .filter(|(category, _, amount)| !(category.is_empty() && is_zero(amount)))
        .map(|(category, memo, amount)| (meaning(category), memo, amount))
        .collect();
    if problem.is_empty() && parts.len() > SPLIT_PARTS_MAX {
        let many = format!("The transaction has more than {SPLIT_PARTS_MAX} parts");
        return Ok(register.push(&Entry { problem: &many, ..entry })?);
    }
    match parts.as_slice() {
        [] => Ok(register.push(&entry)?),
        [(only, memo, _)] => Ok(register.push(&Entry {
            category: only.category,
            transfer: only.account,
            notes: if notes.is_empty() { memo } else { &notes },
            ..entry
        })?),
        parts => split(parts, &entry, register),
    }
}

/// Writes a split transaction. Parts that are sides of transfers are transactions of their own.
/// The last record has all of the parts, so that they are compared with the amount that the file
/// states.
fn split<W: Write>(
    parts: &[(Meaning<'_>, &str, &str)],
    entry: &Entry<'_>,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let is_side = |part: &(Meaning<'_>, &str, &str)| !part.0.account.is_empty();
    let own: Vec<_> = parts.iter().filter(|part| !is_side(part)).collect();
    let last_side = parts.iter().rposition(is_side).filter(|_| own.is_empty());
    let sides = parts.iter().enumerate().filter(|(_, part)| is_side(part));
    for (_, part) in sides.filter(|(at, _)| Some(*at) != last_side) {
        register.push(&Entry { amounts: &[part.2], ..alone(part, entry) })?;
    }
    let cells: Vec<PartCell<'_>> = parts
        .iter()
        .enumerate()
        .map(|(at, (of, memo, amount))| PartCell {
            amounts: vec![Cow::Borrowed(*amount)],
            category: Cow::Borrowed(of.category),
            notes: Cow::Borrowed(*memo),
            apart: !of.account.is_empty() && Some(at) != last_side,
        })
        .collect();
    let only = match own.as_slice() {
        [only] => Some(*only),
        _ => last_side.and_then(|at| parts.get(at)),
    };
    let several = || Entry { category: "", transfer: "", ..entry.clone() };
    let last = only.map_or_else(several, |only| alone(only, entry));
    Ok(register.push(&Entry { parts: &cells, ..last })?)
}

/// The record of one part, with the amount of the whole.
fn alone<'a>(part: &(Meaning<'a>, &'a str, &str), entry: &Entry<'a>) -> Entry<'a> {
    let (of, memo, _) = part;
    Entry {
        category: of.category,
        transfer: of.account,
        notes: if memo.is_empty() { entry.notes } else { memo },
        ..entry.clone()
    }
}

fn is_zero(amount: &str) -> bool {
    !amount.bytes().any(|byte| matches!(byte, b'1'..=b'9'))
}

#[cfg(test)]
mod tests;
