//! Whether what a file has is in the family after its publish.

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::import::native::{
    Balance, FamilyCounts, Readback, Record, RecordCounts, RecordType, RecordTypes,
};
use purser_core::import::verdict::Verdict;
use purser_core::money::decimal::amount_text;
use purser_formats::records::Visited;
use purser_store::FamilyTx;
use purser_store::calendar::today;
use purser_store::imports::{self, Published};

use super::entries::Pointers;
use super::opening::OpeningBalance;
use super::publication::Basis;

/// Differences that are named.
const DIFFERENCES_MAX: usize = 20;

/// What a publish did.
pub(super) struct Outcome {
    pub(super) published: Published,
    /// The counts of the family before it.
    pub(super) before: RecordCounts,
    /// What it made that is no record of the file.
    pub(super) beside: RecordCounts,
    /// What was there by the time that it was to be made.
    pub(super) found: RecordCounts,
    /// How many labels records have of which nothing was taken, or known.
    pub(super) missing_labels: u64,
}

/// Compares a file with what its publish made.
pub(super) fn verify(
    tx: &mut FamilyTx<'_>,
    basis: &Basis,
    pointers: &Pointers<'_>,
    outcome: Outcome,
) -> Result<()> {
    let Outcome { published, before, beside, found, missing_labels } = outcome;
    let import = basis.import.id;
    let mut reused = found;
    let mut differences = of_accounts(tx, basis, pointers)?;
    if missing_labels > 0 {
        differences.push(format!(
            "Labels are missing: records point {missing_labels} times to a category, tag or \
             merchant that isn't taken, or of which the file has no record"
        ));
    }
    let is_all_created = basis.counts.created() == basis.import.rows_in_file();
    // Of other records that were there only the type is needed.
    let wanted = RecordTypes::of(&[RecordType::Balance, RecordType::Trade, RecordType::Holding]);
    let each = |visited: Visited<'_>| {
        let planned = basis.blocks.get(visited.row)?.verdict;
        let Ok(row) = &visited.outcome else { return Ok(()) };
        let Some(record_type) = row.native_type() else { return Ok(()) };
        if matches!(planned, Verdict::Invalid | Verdict::LeftOut) {
            return Ok(());
        }
        if let Some(Record::Balance(one)) = row.native()
            && differences.len() < DIFFERENCES_MAX
            && let Some(difference) = of_balance(tx, basis, pointers, one)?
        {
            differences.push(format!("Line {}: {difference}", visited.line));
        }
        let named = match row.native() {
            Some(Record::Trade(one)) if planned.creates() => one.inferred(),
            Some(Record::Holding(one)) => one.difference.clone(),
            _ => None,
        };
        if let Some(named) = named.filter(|_| differences.len() < DIFFERENCES_MAX) {
            differences.push(format!("Line {}: {named}", visited.line));
        }
        if !planned.creates() {
            reused.add(record_type);
        }
        Ok(())
    };
    let expected = basis.source.layout().record_counts.clone().unwrap_or_default();
    let has_some = |record_type| expected.get(record_type) > 0;
    if !is_all_created || has_some(RecordType::Trade) || has_some(RecordType::Holding) {
        basis.source.visit_types(wanted, 1, |_| false, each)?;
    }
    let created = imports::counts_of_import(tx, import, published.range)?;
    let after = imports::family_counts(tx)?;
    let counts = FamilyCounts { before, after, created, reused, beside };
    let mut readback = Readback::compare(&expected, counts, tx.now());
    readback.differences = differences;
    imports::readback_set(tx, import, &readback)
}

/// What the accounts that the file made hold, against what it states.
fn of_accounts(
    tx: &mut FamilyTx<'_>,
    basis: &Basis,
    pointers: &Pointers<'_>,
) -> Result<Vec<String>> {
    let mut differences = Vec::new();
    let today = today(tx)?;
    for (row, one) in &basis.collected.accounts {
        if !basis.blocks.get(*row)?.verdict.creates() || differences.len() >= DIFFERENCES_MAX {
            continue;
        }
        let openings = &basis.collected.openings;
        let name = &one.name;
        if openings.of(one) == OpeningBalance::Unknown {
            differences.push(format!(
                "{name}: the cash before its first entry is not known, so it begins with 0"
            ));
        }
        let holds = openings.holds_securities(&one.id);
        // What securities are worth follows from prices.
        let (what, stated) =
            if holds { ("cash", one.cash_balance) } else { ("balance", one.balance) };
        let Some(stated) = stated else { continue };
        let account = pointers.account(&one.id)?;
        let now = imports::balance_by(tx, account, today)?;
        let last = imports::balance_by(tx, account, Date::MAX)?;
        // The file may be older than some of its entries.
        if stated != now && stated != last {
            let (stated, now) = (amount_text(stated, one.currency), amount_text(now, one.currency));
            differences.push(format!("{name}: the {what} is {now} and not {stated}"));
        }
    }
    Ok(differences)
}

/// What an account held at the end of a day, against what another program computed.
fn of_balance(
    tx: &mut FamilyTx<'_>,
    basis: &Basis,
    pointers: &Pointers<'_>,
    one: &Balance,
) -> Result<Option<String>> {
    if !one.is_of_account {
        return Ok(Some(format!(
            "the balance of {} is in {}, which is not the currency of its account",
            one.date,
            one.currency.code()
        )));
    }
    let holds = basis.collected.openings.holds_securities(&one.account);
    let (what, stated) = if holds { ("cash", one.cash) } else { ("balance", Some(one.end)) };
    let now = imports::balance_at(tx, pointers.account(&one.account)?, one.date)?;
    Ok(stated.zip(now).filter(|(stated, now)| stated != now).map(|(stated, now)| {
        let (stated, now) = (amount_text(stated, one.currency), amount_text(now, one.currency));
        format!("the {what} of {} is {now} and not {stated}", one.date)
    }))
}
