//! A document as the statements of its accounts.
//!
//! One account is the rule. Several are taken only if each has balances that prove its rows, to the
//! last digit: nothing else shows that no row went to the wrong one.

use std::borrow::Cow;
use std::collections::HashSet;

use purser_core::import::left_out::AnchorKind;

use super::super::error::{PdfError, Result};
use super::super::lines::Line;
use super::amounts::NumberStyle;
use super::reading::{self, Booked, PdfProof, Reading};
use super::rows::{self, Scanned};

/// Accounts of one document at most.
const ACCOUNTS_MAX: usize = 50;
/// Lines that name another account than the one before at most; a summary names them too.
const STARTS_MAX: usize = 500;

/// The statement of one account.
pub(super) struct Part<'l> {
    /// The number of the account, if the document has several.
    pub(super) account: Option<String>,
    pub(super) lines: Cow<'l, [Line]>,
    pub(super) scanned: Scanned,
    pub(super) reading: Reading,
}

/// Reads a document, as one account or as several.
pub(super) fn read(lines: &[Line], style: NumberStyle) -> Result<Vec<Part<'_>>> {
    let scanned = rows::scan(lines, style);
    let reading = reading::choose(&scanned);
    let is_proven = reading.as_ref().is_some_and(|reading| reading.proof == PdfProof::Proven);
    // Accounts of which one closes with what the next one opens with are proven together, too.
    if (!is_proven || has_openings(&scanned, false))
        && let Some(parts) = several(lines, &scanned, style)
    {
        return Ok(parts);
    }
    if !is_proven && has_openings(&scanned, true) {
        return Err(PdfError::SeveralAccounts);
    }
    let reading = reading.ok_or(PdfError::NoTable)?;
    Ok(vec![Part { account: None, lines: lines.into(), scanned, reading }])
}

/// Whether rows begin with balances at several places, as those of several accounts do, or those of
/// several pages if the balances may be the same.
fn has_openings(scanned: &Scanned, differ: bool) -> bool {
    let openings = scanned.stated.iter().filter(|one| one.kind == AnchorKind::Opening);
    let mut openings = openings.map(|one| (one.place, one.found.signed()));
    let Some((place, amount)) = openings.next() else { return false };
    openings.any(|(its, other)| its != place && (!differ || other != amount))
}

/// The statements of several accounts; nothing unless each is proven.
fn several<'l>(lines: &'l [Line], whole: &Scanned, style: NumberStyle) -> Option<Vec<Part<'l>>> {
    let mut starts: Vec<(usize, &str)> = Vec::new();
    for (at, account) in &whole.accounts {
        // Each page may repeat it.
        if starts.last().is_none_or(|(_, last)| last != account) {
            starts.push((*at, account));
        }
    }
    if starts.len() > STARTS_MAX {
        return None;
    }
    let ends = starts.iter().skip(1).map(|(at, _)| *at).chain([lines.len()]);
    let mut parts = Vec::new();
    for ((from, account), to) in starts.iter().zip(ends) {
        let of_account = lines.get(*from..to)?;
        if let Some(part) = part(account, of_account, whole, style)? {
            parts.push(part);
        }
    }
    let accounts: HashSet<_> = parts.iter().map(|part| &part.account).collect();
    let is_each_once = accounts.len() == parts.len();
    // All rows of the document are in one of them.
    let rows: usize = parts.iter().map(|part| part.scanned.rows.len()).sum();
    let is_alike = parts.iter().all(|part| part.reading.is_money)
        || parts.iter().all(|part| !part.reading.is_money);
    let is_whole = is_each_once && is_alike && rows == whole.rows.len();
    (is_whole && (2..=ACCOUNTS_MAX).contains(&parts.len())).then_some(parts)
}

/// The statement of one account. Without rows it is only a line of a summary: the inner option is
/// none. The outer one is none if its rows aren't proven.
fn part<'l>(
    account: &str,
    lines: &'l [Line],
    whole: &Scanned,
    style: NumberStyle,
) -> Option<Option<Part<'l>>> {
    let mut lines = Cow::Borrowed(lines);
    let mut scanned = rows::scan(&lines, style);
    if scanned.header.is_none() && !whole.header_lines.is_empty() {
        // The names of the columns stand above the first account alone.
        lines = [&whole.header_lines[..], &lines[..]].concat().into();
        scanned = rows::scan(&lines, style);
    }
    if scanned.rows.is_empty() {
        return Some(None);
    }
    let is_opened = scanned.stated.iter().any(|one| one.kind == AnchorKind::Opening);
    let reading = reading::choose(&scanned)?;
    let is_proven = reading.proof == PdfProof::Proven && is_opened && reading.opening.is_some();
    let account = Some(account.to_owned());
    is_proven.then_some(Some(Part { account, lines, scanned, reading }))
}

impl Reading {
    /// The balance after each row follows from the one before the first row. For proven rows it is
    /// what the bank has.
    pub(super) fn with_all_balances(self) -> Option<Self> {
        let mut balance = self.opening?;
        let mut booked = Vec::with_capacity(self.booked.len());
        for row in self.booked {
            balance = balance.checked_add(row.amount)?;
            booked.push(Booked { balance: Some(balance), ..row });
        }
        Some(Self { booked, opening: None, closing: None, ..self })
    }
}
