//! Amounts in other currencies: no better rate is known than the one that they are booked by.

use std::collections::BTreeMap;

use purser_core::error::Result;
use purser_core::ids::{AccountId, EntryId};
use purser_core::money::Currency;
use purser_core::rates::convert;

use super::report::Findings;
use crate::access::FamilyTx;
use crate::driver::{Tx, Val, statements, vals};
use crate::families::FamilyId;
use crate::ledger::hidden::is_anything_hidden;
use crate::ledger::revaluation::reach_of;
use crate::rates::applying::{KIND, outdated_anywhere};
use crate::rates::find;

statements! {
    /// Families with amounts that are converted by the best rate.
    FAMILIES_CONVERTING = "SELECT family_id, CAST(COUNT(*) AS BIGINT) FROM entry_conversions
        WHERE NOT given GROUP BY family_id ORDER BY family_id";
    /// Whether somebody is to convert them again.
    IS_CONVERTING = "SELECT 1 FROM jobs WHERE family_id = $1 AND kind = $2 AND state <> 'failed'
        LIMIT 1";
    /// What is to be converted.
    TO_CONVERT = "SELECT e.amount, e.currency, a.currency, c.rate IS NULL
        FROM ledger_entries e
        JOIN accounts a ON a.family_id = e.family_id AND a.id = e.account_id
        JOIN entry_conversions c ON c.family_id = e.family_id AND c.entry_id = e.id
        WHERE e.family_id = $1 AND e.id = $2";
}

/// Amounts of an account that wait for nothing, and what they would come to.
#[derive(Default)]
struct Waiting {
    entries: Vec<EntryId>,
    size: i128,
}

/// What is booked is booked by the best rate, but for what would leave the range of balances.
pub(super) fn best(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    let families = tx.query(&FAMILIES_CONVERTING, &[], |row| {
        Ok((FamilyId::from_number(row.int(0)?), row.int(1)?))
    })?;
    for (family, conversions) in families {
        findings.count(conversions.unsigned_abs());
        tx.of_family(family, |tx| best_of_family(tx, findings))?;
    }
    Ok(())
}

fn best_of_family(tx: &mut FamilyTx<'_>, findings: &mut Findings) -> Result<()> {
    let family = tx.family();
    let is_coming = tx.query_opt(&IS_CONVERTING, vals![family, KIND], |_| Ok(()))?.is_some();
    if is_coming || is_anything_hidden(tx)? {
        return Ok(());
    }
    let mut waiting: BTreeMap<AccountId, Waiting> = BTreeMap::new();
    for one in outdated_anywhere(tx)? {
        let read = |row: &crate::driver::Row<'_>| {
            Ok((row.int(0)?, (row.currency(1)?, row.currency(2)?), row.bool(3)?))
        };
        let key: [Val<'_>; 2] = [family.into(), one.entry.into()];
        let Some((amount, (from, to), waits)) = tx.query_opt(&TO_CONVERT, &key, read)? else {
            continue;
        };
        let id = one.entry;
        let worth = worth(tx, amount, (from, to), one.date)?;
        if !waits {
            findings.problem(|| format!("entry {id} is not booked by the best rate"));
        } else if let Some(worth) = worth {
            let waiting = waiting.entry(one.account).or_default();
            waiting.entries.push(id);
            waiting.size += i128::from(worth).abs();
        }
    }
    for (account, Waiting { entries, size }) in waiting {
        // Near the end of the range the order in which rates came decides what still fits.
        if reach_of(tx, account)? + size <= i128::from(i64::MAX / 4) {
            for id in entries {
                findings.problem(|| format!("entry {id} waits for a rate that is known"));
            }
        }
    }
    Ok(())
}

/// What an amount comes to by the best rate; none if that is no amount.
fn worth(
    tx: &mut FamilyTx<'_>,
    amount: i64,
    (from, to): (Currency, Currency),
    date: jiff::civil::Date,
) -> Result<Option<i64>> {
    let rate = find(tx, from, to, date)?;
    Ok(rate.and_then(|rate| convert(amount, from, to, &rate)))
}
