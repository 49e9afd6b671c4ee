//! Positions become holdings: what they are worth on their days.

use std::collections::BTreeSet;

use jiff::civil::Date;
use purser_core::error::Result;
use purser_core::ids::SecurityId;
use purser_core::ledger::valuing::{Prices, value};
use purser_core::money::Currency;
use purser_core::money::exact::{of_decimal, to_decimal};
use rust_decimal::Decimal;

use super::positions::Position;
use super::{Holding, id_on};
use crate::access::FamilyTx;

use crate::{prices, rates};

/// Decimals of a price that was converted.
const PRICE_DECIMALS: u32 = 18;

/// The holdings of positions on days, in the order given.
pub(super) fn holdings(
    tx: &mut FamilyTx<'_>,
    wanted: &[(&Position, Date)],
    today: Date,
) -> Result<Vec<Holding>> {
    let days = || wanted.iter().map(|(_, day)| *day);
    let (Some(first), Some(last)) = (days().min(), days().max()) else { return Ok(Vec::new()) };
    let securities: BTreeSet<SecurityId> =
        wanted.iter().map(|(position, _)| position.security.id).collect();
    let securities: Vec<SecurityId> = securities.into_iter().collect();
    let prices = prices::book(tx, &securities, first, last)?;
    let mut currencies: BTreeSet<Currency> =
        wanted.iter().map(|(position, _)| position.currency).collect();
    currencies.extend(prices.values().flat_map(Prices::currencies));
    let currencies: Vec<Currency> = currencies.into_iter().collect();
    let book = rates::book(tx, &currencies, first, last)?;
    let unpriced = Prices::default();
    wanted
        .iter()
        .map(|(position, day)| {
            let of = prices.get(&position.security.id).unwrap_or(&unpriced);
            let quantity = position.quantity(*day);
            let found = value(quantity, of, position.currency, *day, &book);
            let price = match (&found.price, &found.rate) {
                (None, _) => Decimal::ZERO,
                (Some(price), None) if price.currency == position.currency => price.price,
                (Some(_), None) => Decimal::ZERO,
                (Some(price), Some(rate)) => rate
                    .fraction()
                    .and_then(|rate| to_decimal(&(of_decimal(price.price) * rate), PRICE_DECIMALS))
                    .unwrap_or_default(),
            };
            Ok(Holding {
                id: id_on(position.id, *day, today)?,
                date: *day,
                quantity,
                price,
                stated: found.price,
                rate: found.rate,
                amount: found.worth.amount,
                missing: found.worth.missing,
                currency: position.currency,
                cost: position.cost(*day),
                cost_locked: position.locked,
                created_at: position.created_at,
                updated_at: position.updated_at,
                account: position.account.clone(),
                security: position.security.clone(),
            })
        })
        .collect()
}
