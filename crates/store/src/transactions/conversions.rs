//! What amounts in other currencies than their accounts' were booked as, and why.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::EntryId;
use purser_core::money::Currency;
use purser_core::rates::Rate;
use rust_decimal::Decimal;

use crate::access::FamilyTx;
use crate::driver::{Val, statements};
use crate::rates::decimal;

statements! {
    /// How entries were converted.
    CONVERSIONS_OF = "SELECT entry_id, to_currency, rate, given, origin FROM entry_conversions
        WHERE family_id = $1 AND entry_id = ANY($2)";
}

/// An amount in the account's currency.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Booked {
    /// The amount in the scale of the account's currency; 0 while no rate is known.
    pub amount: i64,
    /// The currency of the account.
    pub currency: Currency,
    /// What one unit of the transaction's currency is worth, rounded for display; `None` while no
    /// rate is known.
    pub rate: Option<Decimal>,
    /// Whether the rate came with the transaction.
    pub given: bool,
    /// Where the rate came from.
    pub origin: Option<Rate>,
}

/// The booked amounts of entries that are converted: each with the transaction that it is a part
/// of, which has its rate.
pub(crate) fn booked(
    tx: &mut FamilyTx<'_>,
    entries: Vec<(EntryId, Option<EntryId>, i64)>,
) -> Result<HashMap<EntryId, Booked>> {
    let family = tx.family();
    let mut keys: Vec<Val<'_>> =
        entries.iter().map(|(id, parent, _)| Val::Uuid(parent.unwrap_or(*id).0)).collect();
    keys.sort_unstable_by_key(|key| match key {
        Val::Uuid(id) => *id,
        _ => uuid::Uuid::nil(),
    });
    keys.dedup();
    let mut found: HashMap<EntryId, Booked> = HashMap::new();
    if keys.is_empty() {
        return Ok(found);
    }
    tx.lookup(&CONVERSIONS_OF, &[family.into()], &keys, |row| {
        let conversion = Booked {
            amount: 0,
            currency: row.currency(1)?,
            rate: row.opt_text(2)?.map(decimal).transpose()?,
            given: row.bool(3)?,
            origin: serde_json::from_str(row.text(4)?).map_err(Error::internal)?,
        };
        found.insert(row.id(0)?, conversion);
        Ok(())
    })?;
    let own = entries.into_iter().filter_map(|(id, parent, amount)| {
        let conversion = found.get(&parent.unwrap_or(id))?.clone();
        Some((id, Booked { amount, ..conversion }))
    });
    Ok(own.collect())
}
