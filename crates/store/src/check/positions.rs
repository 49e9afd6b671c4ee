//! Trades and the positions that follow from them.

use jiff::civil::Date;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, EntryId, SecurityId};
use purser_core::ledger::positions::Segment;
use purser_core::ledger::trade::{TradeType, converted_value};
use purser_core::money::Currency;
use purser_core::money::exact::value_of;
use purser_core::rates::Rate;

use super::report::{Findings, with_cause};
use crate::access::FamilyTx;
use crate::driver::{Tx, statements};
use crate::families::FamilyId;
use crate::ledger::{checkpoints, positions};
use crate::rates;

statements! {
    /// How many trades there are.
    TRADES_COUNT = "SELECT CAST(COUNT(*) AS BIGINT) FROM trades";
    /// Entries that should have a row of what was traded, and such rows without their entry.
    TRADES_TORN = "SELECT e.id FROM ledger_entries e
        LEFT JOIN trades t ON t.family_id = e.family_id AND t.entry_id = e.id
        WHERE e.kind = 2 AND t.entry_id IS NULL
        UNION ALL
        SELECT t.entry_id FROM trades t
        LEFT JOIN entries e ON e.family_id = t.family_id AND e.id = t.entry_id AND e.kind = 2
        WHERE e.id IS NULL";
    /// The values of trades, and their amounts in their accounts.
    TRADES_ALL = "SELECT e.id, t.trade_type, t.qty, t.price, t.fee, e.amount, e.currency, t.value,
            a.currency, c.origin
        FROM trades t
        JOIN ledger_entries e ON e.family_id = t.family_id AND e.id = t.entry_id
        JOIN accounts a ON a.family_id = e.family_id AND a.id = e.account_id
        LEFT JOIN entry_conversions c ON c.family_id = e.family_id AND c.entry_id = e.id
        ORDER BY e.id";
    /// Trades of another day than their entries.
    TRADES_MISDATED = "SELECT t.entry_id, t.date, e.date FROM trades t
        JOIN entries e ON e.family_id = t.family_id AND e.id = t.entry_id
        WHERE t.date <> e.date ORDER BY t.entry_id";
    /// Moves between accounts of which the two sides don't name each other.
    MOVES_TORN = "SELECT t.entry_id FROM trades t
        JOIN ledger_entries e ON e.family_id = t.family_id AND e.id = t.entry_id
        LEFT JOIN trades o ON o.family_id = t.family_id AND o.entry_id = t.counterpart_id
        WHERE t.counterpart_id IS NOT NULL AND (t.counterpart_id = t.entry_id
            OR o.counterpart_id IS NULL OR o.counterpart_id <> t.entry_id)
        ORDER BY t.entry_id";
    /// Accounts that count their trades wrong.
    TRADE_COUNTS_WRONG = "SELECT a.id, a.trades_count, COALESCE(e.trades, 0) FROM accounts a
        LEFT JOIN (SELECT family_id, account_id, CAST(COUNT(*) AS BIGINT) AS trades
            FROM ledger_entries WHERE kind = 2 GROUP BY family_id, account_id) e
            ON e.family_id = a.family_id AND e.account_id = a.id
        WHERE a.trades_count <> COALESCE(e.trades, 0) ORDER BY a.id";
    /// Positions that nothing keeps an id of.
    POSITIONS_NAMELESS = "SELECT DISTINCT g.account_id, g.security_id FROM position_segments g
        LEFT JOIN holdings h ON h.family_id = g.family_id AND h.account_id = g.account_id
            AND h.security_id = g.security_id
        WHERE h.id IS NULL";
    /// The families that have any.
    FAMILIES_TRADING = "SELECT family_id FROM trades
        UNION SELECT family_id FROM position_statements
        UNION SELECT family_id FROM position_segments";
}

/// Trades are whole, counted, and moves have two sides.
pub(super) fn trades(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &TRADES_COUNT)?;
    tx.for_each(&TRADES_TORN, &[], |row| {
        let id: EntryId = row.id(0)?;
        findings.problem(|| format!("trade {id} is an entry or a row alone"));
        Ok(())
    })?;
    tx.for_each(&TRADES_MISDATED, &[], |row| {
        let (id, stored, of_entry): (EntryId, Date, Date) =
            (row.id(0)?, row.date(1)?, row.date(2)?);
        findings.problem(|| format!("trade {id} is of {stored}, but its entry is of {of_entry}"));
        Ok(())
    })?;
    tx.for_each(&MOVES_TORN, &[], |row| {
        let id: EntryId = row.id(0)?;
        findings.problem(|| format!("trade {id} is half of a move"));
        Ok(())
    })?;
    tx.for_each(&TRADE_COUNTS_WRONG, &[], |row| {
        let (id, counted, found): (AccountId, i64, i64) = (row.id(0)?, row.int(1)?, row.int(2)?);
        findings.problem(|| format!("account {id} counts {counted} trades, but has {found}"));
        Ok(())
    })
}

/// Quantity, price and fee give the amount, and by the rate that is kept with it the value in the
/// account.
pub(super) fn trade_amounts(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    findings.count_rows(tx, &TRADES_COUNT)?;
    tx.for_each(&TRADES_ALL, &[], |row| {
        let id: EntryId = row.id(0)?;
        let trade_type = row.named(1)?;
        let (quantity, price) = (rates::decimal(row.text(2)?)?, rates::decimal(row.text(3)?)?);
        let (currency, home): (Currency, Currency) = (row.currency(6)?, row.currency(8)?);
        let worth = value_of(quantity, price, currency.scale());
        let amount = match trade_type {
            TradeType::Buy | TradeType::Sell => {
                let fee = row.int(4)?;
                worth.and_then(|worth| worth.checked_add(fee))
            }
            kind if kind.is_money() => Some(row.int(5)?),
            _ => Some(0),
        };
        let origin = row.opt_text(9)?.unwrap_or("null");
        let rate: Option<Rate> = serde_json::from_str(origin).map_err(Error::internal)?;
        let value = match &rate {
            _ if currency == home => worth,
            Some(rate) => converted_value(quantity, price, rate, home.scale()),
            None => Some(0),
        };
        for (name, stored, expected) in
            [("an amount", row.int(5)?, amount), ("a value", row.int(7)?, value)]
        {
            if Some(stored) != expected {
                findings.problem(|| {
                    format!("trade {id} has {name} of {stored}, but comes to {expected:?}")
                });
            }
        }
        Ok(())
    })
}

/// Trades folded from the start give the stored positions.
pub(super) fn rebuilt(tx: &mut Tx<'_>, findings: &mut Findings) -> Result<()> {
    tx.for_each(&POSITIONS_NAMELESS, &[], |row| {
        let (account, security): (AccountId, SecurityId) = (row.id(0)?, row.id(1)?);
        findings.problem(|| format!("account {account}: its position in {security} has no id"));
        Ok(())
    })?;
    let families = tx.query(&FAMILIES_TRADING, &[], |row| row.int(0))?;
    for family in families.into_iter().map(FamilyId::from_number) {
        tx.of_family(family, |tx| {
            for security in positions::securities(tx)? {
                security_rebuilt(tx, security, findings)?;
            }
            Ok(())
        })?;
    }
    Ok(())
}

fn security_rebuilt(
    tx: &mut FamilyTx<'_>,
    security: SecurityId,
    findings: &mut Findings,
) -> Result<()> {
    let stored = positions::stored(tx, &[security])?.remove(&security).unwrap_or_default();
    let checkpoints = checkpoints::stored(tx, security)?;
    let ends: Vec<Date> = checkpoints.iter().map(|(date, _)| *date).collect();
    let (rebuilt, states) = match positions::folded_with_states(tx, security, &ends) {
        Ok((folded, states)) => (folded.segments, states),
        // The database answered, but the shares can't be added up.
        Err(error @ Error::Invalid { .. }) => {
            findings.problem(|| format!("security {security}: {}", with_cause(&error)));
            return Ok(());
        }
        Err(error) => return Err(error),
    };
    findings.count(checkpoints.len() as u64);
    for ((date, stored), rebuilt) in checkpoints.into_iter().zip(states) {
        if stored != Some(rebuilt) {
            findings.problem(|| {
                format!(
                    "security {security}: the checkpoint of {date} is not the state at the end of \
                     that day"
                )
            });
        }
    }
    findings.count(stored.values().map(Vec::len).sum::<usize>() as u64);
    let accounts = stored.keys().chain(rebuilt.keys().filter(|id| !stored.contains_key(id)));
    for account in accounts {
        let of = |all: Option<&Vec<Segment>>| all.map_or(&[][..], Vec::as_slice).to_vec();
        let (stored, rebuilt) = (of(stored.get(account)), of(rebuilt.get(account)));
        let same = stored.iter().zip(&rebuilt).take_while(|(one, other)| one == other).count();
        let different = stored[same..].iter().chain(&rebuilt[same..]);
        if let Some(day) = different.map(|segment| segment.date).min() {
            findings.problem(|| {
                let (stored, rebuilt) = (shown(&stored, day), shown(&rebuilt, day));
                format!(
                    "account {account}: its position in {security} on {day} is stored as \
                     {stored}, but is {rebuilt}"
                )
            });
        }
    }
    Ok(())
}

/// What a position begins on a day.
fn shown(segments: &[Segment], day: Date) -> String {
    match segments.iter().find(|segment| segment.date == day) {
        None => "nothing new".to_owned(),
        Some(segment) => {
            let cost = segment.cost.as_ref().map_or("unknown".to_owned(), ToString::to_string);
            format!("[{} at {cost}]", segment.quantity)
        }
    }
}
