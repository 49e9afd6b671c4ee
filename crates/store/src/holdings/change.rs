//! What a person states about a holding: its cost, whether the cost is locked, and which security
//! it really is.
//!
//! A stated cost is kept with the position, and positions are folded again with it. A cost of one
//! share is kept as a total and the number of shares that it paid for, so one with many decimals is
//! exact; the cost of all shares is kept as that of all shares of the day.

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Problem, Problems, Result};
use purser_core::ids::{HoldingId, SecurityId};
use purser_core::ledger::input::{self, AmountText};
use purser_core::limits::STATED_COSTS_MAX;
use purser_core::money::Currency;
use purser_core::money::decimal::quantity_text;
use purser_core::rates::positive_decimal;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::{Value, json};

use super::positions::{Position, PositionFilter, select};
use super::{Holding, find, get};
use crate::access::FamilyTx;
use crate::calendar;
use crate::driver::{Val, statements, vals};
use crate::ledger::stated_costs::{StatedCost, StatedCosts};
use crate::ledger::{Event, Executor};
use crate::securities;

statements! {
    /// Stores the cost that a person states for a position.
    HOLDING_STATE_COST = "UPDATE holdings SET cost_total = $1, cost_qty = $2, cost_date = $3,
            cost_said_at = $4, cost_locked = $5, earlier_costs = $6, security_id = $7,
            updated_at = $8, import_id = $9
        WHERE family_id = $10 AND id = $11";
    /// A position that became part of another.
    HOLDING_REMOVE = "DELETE FROM holdings WHERE family_id = $1 AND id = $2";
}

/// What changes in a holding; `None` leaves a field alone, `Some(None)` clears it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HoldingChange {
    /// What one share cost.
    pub average: Option<Option<AmountText>>,
    /// What all shares cost, of the day that the holding's id names.
    pub total: Option<Option<AmountText>>,
    /// Whether the cost is never replaced.
    pub locked: Option<bool>,
    /// The security that it really is.
    pub security: Option<String>,
    /// Problems that were found while reading, such as values of a wrong type.
    pub problems: Vec<Problem>,
}

/// Changes fields of a holding.
pub fn update(tx: &mut FamilyTx<'_>, id: HoldingId, change: &HoldingChange) -> Result<Holding> {
    let actor = tx.actor();
    let today = calendar::today(tx)?;
    let (before, day) = find(tx, id, today)?;
    let mut problems = Problems::new();
    problems.extend(change.problems.iter().cloned());
    let new = stated_cost(change, &before, (day, tx.now()), &mut problems);
    let security = security(tx, change, &mut problems)?;
    let locked = change.locked.unwrap_or(before.locked);
    let replaces = match (&new, before.stated.newest()) {
        (Some(new), Some(before)) => !new.is_same_cost(before),
        (new, before) => new.is_some() || before.is_some(),
    };
    if replaces && before.locked && change.locked != Some(false) {
        problems
            .field("cost_basis_locked", "must be sent as false first: the cost basis is locked");
    }
    if locked && new.is_none() {
        problems.field("cost_basis_locked", "needs a cost basis that a person set");
    }
    problems.into_result()?;
    let security = security.unwrap_or(before.security.id);
    if !replaces && locked == before.locked && security == before.security.id {
        return get(tx, id);
    }
    let mut executor = Executor::begin(tx, 0)?;
    let mut after = Position { locked, ..before.clone() };
    match new {
        Some(new) => {
            if !after.stated.state(StatedCost { locked, ..new }) {
                let sentence = format!("Costs of {STATED_COSTS_MAX} days are stated already");
                return Err(Error::invalid(sentence));
            }
        }
        None => after.stated = StatedCosts::default(),
    }
    if security != before.security.id {
        executor.remap_position(tx, before.account.id, (before.security.id, security))?;
        after = merged(tx, after, security)?;
    }
    write(tx, &after)?;
    executor.refold_securities([after.security.id]);
    let event = Event {
        actor,
        action: "holding.update",
        subject_kind: "holding",
        subject_id: before.id.0,
        details: json!({ "before": image(&before), "after": image(&after) }),
    };
    executor.finish(tx, event)?;
    get(tx, id)
}

/// The position as one of another security; what the account has of that becomes part of it.
fn merged(tx: &mut FamilyTx<'_>, position: Position, security: SecurityId) -> Result<Position> {
    let family = tx.family();
    let accounts = [position.account.id];
    let wanted = PositionFilter { accounts: Some(&accounts), security: Some(security), id: None };
    let mut merged = position;
    for other in select(tx, wanted)? {
        let [own, others] = [&merged, &other].map(|one| one.stated.newest().is_some());
        if own && others {
            return Err(Error::invalid(
                "A person said a cost basis of both positions: one of them must be cleared first",
            ));
        }
        if others {
            (merged.stated, merged.locked) = (other.stated, other.locked);
        }
        tx.execute(&HOLDING_REMOVE, vals![family, other.id])?;
    }
    merged.security.id = security;
    Ok(merged)
}

fn write(tx: &mut FamilyTx<'_>, position: &Position) -> Result<()> {
    let family = tx.family();
    let now = tx.now();
    let stated = position.stated.newest();
    let quantity = stated.and_then(|stated| stated.quantity).map(quantity_text);
    let earlier = position.stated.earlier_text()?;
    let values = [
        stated.map(|stated| stated.total).into(),
        quantity.as_deref().into(),
        stated.map(|stated| stated.date).into(),
        stated.map(|stated| stated.at).into(),
        Val::Bool(position.locked),
        earlier.as_deref().into(),
        position.security.id.into(),
        now.into(),
        stated.and_then(|stated| stated.import).into(),
        family.into(),
        position.id.into(),
    ];
    tx.execute(&HOLDING_STATE_COST, &values).map(drop)
}

/// The cost that is stated from now on, for shares as they are counted on a day and known at a
/// time.
fn stated_cost(
    change: &HoldingChange,
    before: &Position,
    (day, at): (Date, Timestamp),
    problems: &mut Problems,
) -> Option<StatedCost> {
    match (&change.average, &change.total) {
        // Whoever changes it states it.
        (None, None) => {
            let newest = before.stated.newest().cloned();
            newest.map(|newest| StatedCost { import: None, ..newest })
        }
        (Some(_), Some(_)) => {
            problems.field("avg_cost", "can't be sent together with the cost_basis");
            None
        }
        (Some(None), None) | (None, Some(None)) => None,
        (Some(Some(text)), None) => {
            let average = price("avg_cost", text, before.currency, problems)?;
            let stated = of_average(average, before.currency, (day, at));
            if stated.is_none() {
                problems.field("avg_cost", "must have fewer digits");
            }
            stated
        }
        (None, Some(Some(text))) => {
            let total = input::amount("cost_basis", text, before.currency, problems)?;
            let quantity = before.quantity(day).abs();
            if total < 0 {
                problems.field("cost_basis", "must not be negative");
            } else if quantity.is_zero() {
                problems.field("cost_basis", format!("has no share on {day} that it could be of"));
            }
            Some(StatedCost { quantity: None, total, date: day, at, locked: false, import: None })
        }
    }
}

/// A decimal that isn't negative: something can be given for nothing.
fn price(
    field: &str,
    text: &AmountText,
    currency: Currency,
    problems: &mut Problems,
) -> Option<Decimal> {
    if text.read(currency) == Ok(0) {
        return Some(Decimal::ZERO);
    }
    positive_decimal(field, text, problems)
}

/// The cost of one share as the cost of as many as make it a whole number of units.
fn of_average(
    average: Decimal,
    currency: Currency,
    (date, at): (Date, Timestamp),
) -> Option<StatedCost> {
    let average = average.normalize();
    let decimals = average.scale().max(currency.scale());
    let unit = 10i128.checked_pow(decimals - average.scale())?;
    let total = average.mantissa().checked_mul(unit)?.to_i64()?;
    let shares = 10i64.checked_pow(decimals - currency.scale())?;
    let quantity = Some(Decimal::from(shares));
    Some(StatedCost { quantity, total, date, at, locked: false, import: None })
}

/// The security that is named; one that the family doesn't have is a problem among the others.
fn security(
    tx: &mut FamilyTx<'_>,
    change: &HoldingChange,
    problems: &mut Problems,
) -> Result<Option<SecurityId>> {
    let Some(text) = &change.security else { return Ok(None) };
    let found = match text.parse::<SecurityId>() {
        Ok(id) => match securities::get(tx, id) {
            Ok(security) => Some(security.id),
            Err(Error::NotFound { .. }) => None,
            Err(error) => return Err(error),
        },
        Err(_) => None,
    };
    if found.is_none() {
        problems.push(Problem::unknown("security_id", "security"));
    }
    Ok(found)
}

fn image(position: &Position) -> Value {
    let stated = position.stated.newest();
    json!({
        "security": position.security.id,
        "cost_total": stated.map(|stated| stated.total),
        "cost_qty": stated.and_then(|stated| stated.quantity).map(quantity_text),
        "cost_date": stated.map(|stated| stated.date),
        "cost_said_at": stated.map(|stated| stated.at),
        "cost_locked": position.locked,
        "earlier_costs": position.stated.earlier_text().ok().flatten(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cost_of_one_share_is_kept_exactly() {
        let day = (jiff::civil::date(2024, 1, 1), Timestamp::UNIX_EPOCH);
        for (average, total, quantity) in [
            ("0", 0, 1),
            ("100", 1_000_000, 1),
            ("33.33333333", 3_333_333_333, 10_000),
            ("0.000000000000000001", 1, 100_000_000_000_000_i64),
        ] {
            let stated = of_average(average.parse().unwrap(), Currency::USD, day).unwrap();
            let expected = (total, Some(Decimal::from(quantity)));
            assert_eq!((stated.total, stated.quantity), expected, "{average}");
        }
        assert_eq!(of_average("9999999999.1234567891".parse().unwrap(), Currency::USD, day), None);
    }
}
