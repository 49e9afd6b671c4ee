//! What must hold before words that were recognised in pictures are taken.
//!
//! One letter may have been taken for another, and the same mistake may be in every line: all signs
//! or all decimal points may be lost. Then opening balance, rows and closing balance still agree.
//! So each row needs a balance of its own, decimals have to be there, and which way money went must
//! not depend on signs of one kind. What no balance shows is left out or refused.

use purser_core::import::file_statement::FileStatement;

use super::amounts::{NumberStyle, style_of};
use super::reading::{Booked, PdfProof};
use super::table::Sheet;
use super::{Line, PdfError, Read, Result};

/// Refuses what isn't proven, with the reason.
pub(super) fn require_proven(lines: &[Line], found: &Read<'_>) -> Result<()> {
    let [sheet] = &found.sheets[..] else {
        return Err(PdfError::ScanNotProven("it has statements of several accounts"));
    };
    let doubts: [(bool, &'static str); 8] = [
        (
            style_of(lines) == NumberStyle::Whole,
            "its amounts have no decimals: whether decimal points were lost can't be seen",
        ),
        (
            names_other_account(sheet),
            "lines between its rows name another account than the lines above them",
        ),
        (
            found.proof != PdfProof::Proven,
            "its balances don't prove the amounts that were recognised in it",
        ),
        (
            !found.is_whole(),
            "its opening or closing balance was not recognised, so that rows may be missing",
        ),
        (
            sheet.scanned.without_amount > 0,
            "no amount was recognised in a line with a day between its rows",
        ),
        (
            sheet.reading.booked.iter().any(|row| row.balance.is_none()),
            "not every row has a balance of its own that was recognised, so that mistakes could \
             cancel each other out",
        ),
        (
            !sheet.reading.is_directed,
            "neither columns for money out and money in nor signs of both kinds show which way \
             money went, so that lost signs can't be seen",
        ),
        (!is_in_order(sheet), "its days are not in their order, as they were recognised"),
    ];
    match doubts.into_iter().find(|(applies, _)| *applies) {
        Some((_, reason)) => Err(PdfError::ScanNotProven(reason)),
        None => Ok(()),
    }
}

/// If the order of day and month isn't known, it is a question.
fn is_in_order(sheet: &Sheet<'_>) -> bool {
    let day = |row: &Booked| sheet.days.date(sheet.scanned.rows[row.row].day);
    let days: Option<Vec<_>> = sheet.reading.booked.iter().map(day).collect();
    sheet.days.order.is_none()
        || days.is_some_and(|days| days.is_sorted() || days.is_sorted_by(|one, next| one >= next))
}

fn names_other_account(sheet: &Sheet<'_>) -> bool {
    let rows = &sheet.scanned.rows;
    let place = |row: Option<&super::RawRow>| row.and_then(|row| row.lines.first().copied());
    let (first, last) = (place(rows.first()), place(rows.last()));
    let Some((first, last)) = first.zip(last) else { return false };
    let accounts = &sheet.scanned.accounts;
    let is_above = |account: &str| accounts.iter().any(|(at, its)| *at < first && its == account);
    accounts.iter().any(|(at, account)| (first..last).contains(at) && !is_above(account))
}

/// What a document states about itself, without numbers and names of which nothing shows that they
/// were recognised rightly. An IBAN has digits that do.
pub(super) fn without_unproven(statement: FileStatement, iban: &str) -> FileStatement {
    let last_four = statement.last_four.filter(|_| !iban.is_empty());
    FileStatement { bank: None, holder: None, last_four, ..statement }
}
