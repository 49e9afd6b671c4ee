//! Amounts in other currencies, and parts of splits: what is booked is what the rate or the whole
//! makes of it.

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::ledger::split::share;
use purser_core::money::Currency;
use purser_core::rates::{Rate, Source, convert};

use super::report::Findings;
use crate::driver::{Tx, statements};
use crate::ledger::conversions::RATE_DECIMALS;

statements! {
    /// How many conversions there are.
    CONVERSIONS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM entry_conversions";
    /// Every conversion beside its entry and account. In the order of their keys they are read
    /// first, and their entries are found by their ids, not the other way round.
    CONVERSIONS_ALL = "SELECT c.entry_id, e.amount, e.booked, e.currency, a.currency,
            c.from_currency, c.to_currency, c.origin,
            e.date = c.date AND e.account_id = c.account_id, c.rate, c.given
        FROM entry_conversions c
        JOIN ledger_entries e ON e.family_id = c.family_id AND e.id = c.entry_id
        JOIN accounts a ON a.family_id = e.family_id AND a.id = e.account_id
        WHERE e.kind IN (0, 2) ORDER BY c.family_id, c.entry_id";
    /// Entries that should have been converted, or that shouldn't. Parts have what their whole has,
    /// and pending ones count as nothing.
    CONVERSIONS_WRONG = "SELECT e.id, e.currency, a.currency FROM ledger_entries e
        LEFT JOIN accounts a ON a.family_id = e.family_id AND a.id = e.account_id
        WHERE a.id IS NULL
            OR (a.currency <> e.currency OR e.pending) <> (e.booked IS NOT NULL)
            OR (e.booked IS NOT NULL AND e.kind <> 3 AND NOT e.pending AND NOT EXISTS (
                SELECT 1 FROM entry_conversions c
                WHERE c.family_id = e.family_id AND c.entry_id = e.id))";
    /// Pending entries that count as something, or that aren't plain transactions of a source.
    PENDING_WRONG = "SELECT e.id FROM ledger_entries e WHERE e.pending
        AND (e.booked IS NULL OR e.booked <> 0 OR e.kind <> 0 OR e.is_split
            OR EXISTS (SELECT 1 FROM entry_conversions c
                WHERE c.family_id = e.family_id AND c.entry_id = e.id))";
    /// How many parts there are.
    PARTS_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM ledger_entries WHERE kind = 3";
    /// Parts in the order of their wholes, and wholes without any.
    PARTS_ALL = "SELECT w.id, w.amount, w.booked, p.amount, p.booked,
            p.date = w.date AND p.account_id = w.account_id AND p.currency = w.currency
        FROM ledger_entries w
        LEFT JOIN ledger_entries p ON p.family_id = w.family_id AND p.parent_id = w.id
        WHERE w.is_split ORDER BY w.family_id, w.id, p.id";
    /// Parts of nothing, and wholes that are no transaction.
    PARTS_WRONG = "SELECT p.id FROM ledger_entries p WHERE (p.kind = 3) <> (p.parent_id IS NOT NULL)
            OR (p.is_split AND p.kind <> 0)
            OR (p.kind = 3 AND NOT EXISTS (SELECT 1 FROM ledger_entries w
                WHERE w.family_id = p.family_id AND w.id = p.parent_id AND w.is_split))";
}

/// What is booked is the amount times the rate that is kept with it, and nothing without a rate.
pub(super) fn booked(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &CONVERSIONS_COUNT)?;
    tx.for_each(&CONVERSIONS_WRONG, &[], |row| {
        let (id, currency): (EntryId, _) = (row.id(0)?, row.text(1)?);
        let of_account = row.opt_text(2)?;
        findings.problem(|| match of_account {
            Some(other) if other == currency => {
                format!("entry {id} is in the currency of its account, but converted")
            }
            Some(other) => format!("entry {id} is in {currency}, but not booked in {other}"),
            None => format!("entry {id} is in no account of its family"),
        });
        Ok(())
    })?;
    tx.for_each(&PENDING_WRONG, &[], |row| {
        let id: EntryId = row.id(0)?;
        findings.problem(|| format!("entry {id} is pending, but counts or can't be"));
        Ok(())
    })?;
    tx.for_each(&CONVERSIONS_ALL, &[], |row| {
        let id: EntryId = row.id(0)?;
        let (amount, booked) = (row.int(1)?, row.opt_int(2)?);
        let (currency, account): (Currency, Currency) = (row.currency(3)?, row.currency(4)?);
        let rate: Option<Rate> = serde_json::from_str(row.text(7)?).map_err(Error::internal)?;
        let expected = match &rate {
            Some(rate) => convert(amount, currency, account, rate),
            None => Some(0),
        };
        let fits = (row.currency(5)?, row.currency(6)?) == (currency, account) && row.bool(8)?;
        let shown = rate.as_ref().and_then(|rate| rate.decimal(RATE_DECIMALS));
        let is_given = rate.as_ref().is_some_and(is_given);
        if !fits {
            findings.problem(|| format!("entry {id} is not what its conversion was of"));
        } else if row.opt_text(9)? != shown.map(|rate| rate.to_string()).as_deref() {
            findings
                .problem(|| format!("entry {id} has a conversion of which rate and origin differ"));
        } else if row.bool(10)? != is_given {
            findings.problem(|| {
                format!("entry {id} has a conversion of which given and origin differ")
            });
        } else if booked != expected {
            findings.problem(|| {
                format!("entry {id} is booked as {booked:?}, but comes to {expected:?}")
            });
        }
        Ok(())
    })
}

/// Whether a rate came with its entry.
fn is_given(rate: &Rate) -> bool {
    rate.legs().iter().any(|leg| leg.source == Source::Given)
}

/// Parts add up to their whole, in its currency and as booked, and have its day and account.
pub(super) fn parts(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &PARTS_COUNT)?;
    tx.for_each(&PARTS_WRONG, &[], |row| {
        let id: EntryId = row.id(0)?;
        findings.problem(|| format!("entry {id} is a part of nothing, or can't be split"));
        Ok(())
    })?;
    let mut whole: Option<Whole> = None;
    tx.for_each(&PARTS_ALL, &[], |row| {
        let id: EntryId = row.id(0)?;
        if whole.as_ref().is_none_or(|whole| whole.id != id) {
            let next = Whole {
                id,
                amount: row.int(1)?,
                booked: row.opt_int(2)?,
                parts: Vec::new(),
                is_astray: false,
            };
            if let Some(done) = whole.replace(next) {
                done.judge(findings);
            }
        }
        if let (Some(whole), Some(amount)) = (&mut whole, row.opt_int(3)?) {
            whole.parts.push((amount, row.opt_int(4)?));
            whole.is_astray |= !row.bool(5)?;
        }
        Ok(())
    })?;
    if let Some(last) = whole {
        last.judge(findings);
    }
    Ok(())
}

struct Whole {
    id: EntryId,
    amount: i64,
    booked: Option<i64>,
    parts: Vec<(i64, Option<i64>)>,
    is_astray: bool,
}

impl Whole {
    fn judge(&self, findings: &mut Findings) {
        let Self { id, amount, booked, parts, is_astray } = self;
        let amounts: Vec<i64> = parts.iter().map(|(amount, _)| *amount).collect();
        let sum: i128 = amounts.iter().map(|amount| i128::from(*amount)).sum();
        if sum != i128::from(*amount) || parts.len() < 2 {
            findings.problem(|| {
                format!("entry {id} has {amount}, but its {} parts have {sum}", parts.len())
            });
        } else if *is_astray {
            findings.problem(|| format!("a part of entry {id} is on another day or account"));
        } else {
            let shares: Vec<Option<i64>> = match booked {
                Some(booked) => share(*booked, *amount, &amounts).into_iter().map(Some).collect(),
                None => vec![None; parts.len()],
            };
            if parts.iter().map(|(_, booked)| *booked).ne(shares) {
                findings.problem(|| format!("parts of entry {id} are not booked as their share"));
            }
        }
    }
}
