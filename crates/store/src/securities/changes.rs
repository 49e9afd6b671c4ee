//! Making, changing and removing securities.

use purser_core::error::{Error, Problem, Result};
use purser_core::ids::SecurityId;
use purser_core::ledger::security::{Listing, SecurityInput, SecurityValues};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    SECURITY_ADD, SECURITY_FIND, SECURITY_NAME_ONCE, SECURITY_PRICES_REMOVE, SECURITY_REMOVE,
    SECURITY_SET, SECURITY_USED, Security, get,
};
use crate::access::FamilyTx;
use crate::driver::vals;
use crate::labels::require_unrestricted;
use crate::ledger::records::{Record, execute};

/// The security of a listing, made if it is new. A name is taken over if none is known yet.
pub fn find_or_create(
    tx: &mut FamilyTx<'_>,
    listing: &Listing,
    name: Option<&str>,
) -> Result<SecurityId> {
    let family = tx.family();
    if let Some(id) = find(tx, listing)? {
        if name.is_some() {
            let now = tx.now();
            tx.execute(&SECURITY_NAME_ONCE, vals![name, now, family, id])?;
        }
        return Ok(id);
    }
    let values =
        SecurityValues { name: name.map(str::to_owned), ..SecurityValues::new(listing.clone()) };
    add(tx, &values)
}

/// Makes a security; its listing must be free.
pub fn create(tx: &mut FamilyTx<'_>, input: &SecurityInput) -> Result<Security> {
    require_unrestricted(tx)?;
    let values = input.new_values()?;
    require_free(tx, &values.listing)?;
    let id = execute(tx, ("security.create", "security"), |tx, executor| {
        executor.insert::<SecurityRecord>(tx, &values)
    })?;
    get(tx, SecurityId(id))
}

/// Changes a security; another one's listing can't be taken.
pub fn update(tx: &mut FamilyTx<'_>, id: SecurityId, input: &SecurityInput) -> Result<Security> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let values = input.changed(before.values.clone())?;
    if values == before.values {
        return Ok(before);
    }
    if values.listing != before.values.listing {
        require_free(tx, &values.listing)?;
    }
    execute(tx, ("security.update", "security"), |tx, executor| {
        executor.update::<SecurityRecord>(tx, id.0, (&before.values, &values))?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Takes a security away, with its prices. One that is or was held or traded stays.
pub fn remove(tx: &mut FamilyTx<'_>, id: SecurityId) -> Result<()> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    if tx.query_opt(&SECURITY_USED, vals![family, id], |_| Ok(()))?.is_some() {
        return Err(Error::Conflict {
            code: "security_in_use",
            message: "The security has trades or holdings".to_owned(),
        });
    }
    execute(tx, ("security.remove", "security"), |tx, executor| {
        let prices = tx.execute(&SECURITY_PRICES_REMOVE, vals![family, id])?;
        executor.add_detail("prices", prices.into());
        executor.delete::<SecurityRecord>(tx, id.0, &before.values)?;
        Ok(id.0)
    })
    .map(drop)
}

/// The security of a listing, if there is one.
pub(crate) fn find(tx: &mut FamilyTx<'_>, listing: &Listing) -> Result<Option<SecurityId>> {
    let family = tx.family();
    let key = vals![family, &listing.ticker, &listing.exchange_operating_mic];
    tx.query_opt(&SECURITY_FIND, key, |row| row.id(0))
}

fn require_free(tx: &mut FamilyTx<'_>, listing: &Listing) -> Result<()> {
    match find(tx, listing)? {
        None => Ok(()),
        Some(_) => {
            let sentence = "There is already a security with this ticker on this exchange";
            Err(Problem::about("ticker", sentence).into())
        }
    }
}

/// A security that a trade names, in the trade's own plan.
fn add(tx: &mut FamilyTx<'_>, values: &SecurityValues) -> Result<SecurityId> {
    let id = tx.new_id()?;
    SecurityRecord::insert(tx, id, values)?;
    Ok(SecurityId(id))
}

/// Securities as the executor writes them.
struct SecurityRecord;

impl Record for SecurityRecord {
    const KIND: &'static str = "security";
    type Values = SecurityValues;

    fn image(values: &SecurityValues) -> Value {
        described(values)
    }

    fn insert(tx: &mut FamilyTx<'_>, id: Uuid, values: &SecurityValues) -> Result<()> {
        let family = tx.family();
        let now = tx.now();
        let params = vals![
            family,
            id,
            &values.listing.ticker,
            &values.listing.exchange_operating_mic,
            values.name.as_deref(),
            values.kind.as_str(),
            values.isin.as_deref(),
            values.country_code.as_deref(),
            values.currency.map(|currency| currency.code()),
            values.offline,
            values.feed_symbol.as_deref(),
            now
        ];
        tx.execute(&SECURITY_ADD, params).map(drop)
    }

    fn update(tx: &mut FamilyTx<'_>, id: Uuid, values: &SecurityValues) -> Result<()> {
        let family = tx.family();
        let now = tx.now();
        let params = vals![
            &values.listing.ticker,
            &values.listing.exchange_operating_mic,
            values.name.as_deref(),
            values.kind.as_str(),
            values.isin.as_deref(),
            values.country_code.as_deref(),
            values.currency.map(|currency| currency.code()),
            values.offline,
            values.feed_symbol.as_deref(),
            now,
            family,
            id
        ];
        tx.execute(&SECURITY_SET, params).map(drop)
    }

    fn delete(tx: &mut FamilyTx<'_>, id: Uuid) -> Result<()> {
        let family = tx.family();
        tx.execute(&SECURITY_REMOVE, vals![family, id]).map(drop)
    }
}

fn described(values: &SecurityValues) -> Value {
    json!({
        "ticker": values.listing.ticker,
        "exchange_operating_mic": values.listing.exchange_operating_mic,
        "name": values.name,
        "kind": values.kind.as_str(),
        "isin": values.isin,
        "country_code": values.country_code,
        "currency": values.currency,
        "offline": values.offline,
        "feed_symbol": values.feed_symbol,
    })
}
