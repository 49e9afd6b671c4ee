//! Merchants: who money goes to or comes from.
//!
//! Several can be added at once by their names; existing ones are left out. One that turns out to
//! be another is merged into it.

use std::collections::HashSet;

use jiff::Timestamp;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::MerchantId;
use purser_core::labels::color::default_color;
use purser_core::labels::input::{CheckedLabel, LabelInput, LabelKind};
use purser_core::plan::{Creation, RecordChange};
use purser_core::text::label::name_key;

use crate::access::FamilyTx;
use crate::driver::{Row, statements, vals};
use crate::families;
use crate::labels::require_free;
use crate::labels::visibility::{VisibleIds, require_unrestricted};
use crate::ledger::records::execute;

statements! {
    /// Every merchant, by name.
    MERCHANTS_ALL = "SELECT id, name, color, website, created_at, updated_at FROM ledger_merchants
        WHERE family_id = $1 ORDER BY name_key, id";
    /// The merchant with an id.
    MERCHANT_BY_ID = "SELECT id, name, color, website, created_at, updated_at FROM ledger_merchants
        WHERE family_id = $1 AND id = $2";
}

/// A merchant of a family.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// The id of the merchant.
    pub id: MerchantId,
    /// The name that is shown.
    pub name: String,
    /// `#rrggbb`: its own, else one that follows from the id.
    pub color: String,
    /// The color that it was given itself.
    pub own_color: Option<String>,
    /// A domain or an address.
    pub website: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

/// The merchants that may be seen, by name.
pub fn list(tx: &mut FamilyTx<'_>) -> Result<Vec<Merchant>> {
    let family = tx.family();
    let visibility = VisibleIds::of_merchants(tx)?;
    let mut found = tx.query(&MERCHANTS_ALL, vals![family], read)?;
    found.retain(|merchant| visibility.shows(merchant.id.0));
    Ok(found)
}

/// The merchant with an id.
pub fn get(tx: &mut FamilyTx<'_>, id: MerchantId) -> Result<Merchant> {
    let family = tx.family();
    let visibility = VisibleIds::of_merchants(tx)?;
    tx.query_opt(&MERCHANT_BY_ID, vals![family, id], read)?
        .filter(|merchant| visibility.shows(merchant.id.0))
        .ok_or(Error::NotFound { what: "Merchant" })
}

/// Creates a merchant of the family.
pub fn create(tx: &mut FamilyTx<'_>, input: &LabelInput) -> Result<Merchant> {
    require_unrestricted(tx)?;
    let checked = input.check_new(LabelKind::Merchant)?;
    let name = checked.name.as_deref().unwrap_or_default();
    require_free(tx, LabelKind::Merchant, (&name_key(name), name), None)?;
    let id = execute(tx, ("merchant.create", "merchant"), |tx, executor| {
        let slot = executor.create(tx, &creation(checked))?;
        executor.created_id(slot)
    })?;
    get(tx, MerchantId(id))
}

fn creation(checked: CheckedLabel) -> Creation {
    Creation::Merchant {
        name: checked.name.unwrap_or_default(),
        color: checked.color.flatten(),
        website: checked.website.flatten(),
    }
}

/// Adds merchants by their names, in their order. Names that exist already, or that came before in
/// the list, are skipped; the second value counts them.
pub fn create_many(tx: &mut FamilyTx<'_>, inputs: &[LabelInput]) -> Result<(Vec<Merchant>, u64)> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let known = tx.query(&MERCHANTS_ALL, vals![family], read)?;
    let mut keys: HashSet<String> = known.iter().map(|one| name_key(&one.name)).collect();
    let (mut wanted, mut skipped) = (Vec::new(), 0);
    for input in inputs {
        let checked = input.check_new(LabelKind::Merchant)?;
        if keys.insert(name_key(checked.name.as_deref().unwrap_or_default())) {
            wanted.push(creation(checked));
        } else {
            skipped += 1;
        }
    }
    let mut made = Vec::with_capacity(wanted.len());
    if !wanted.is_empty() {
        let subject = families::get(tx)?.public_id;
        execute(tx, ("merchant.import", "family"), |tx, executor| {
            for creation in &wanted {
                let slot = executor.create(tx, creation)?;
                made.push(MerchantId(executor.created_id(slot)?));
            }
            Ok(subject)
        })?;
    }
    let merchants = made.into_iter().map(|id| get(tx, id)).collect::<Result<_>>()?;
    Ok((merchants, skipped))
}

/// Changes fields of a merchant.
pub fn revise(tx: &mut FamilyTx<'_>, id: MerchantId, input: &LabelInput) -> Result<Merchant> {
    require_unrestricted(tx)?;
    let before = get(tx, id)?;
    let checked = input.check(LabelKind::Merchant)?;
    let name = checked.name.filter(|name| *name != before.name);
    let color = checked.color.filter(|color| *color != before.own_color);
    let website = checked.website.filter(|website| *website != before.website);
    if name.is_none() && color.is_none() && website.is_none() {
        return Ok(before);
    }
    execute(tx, ("merchant.update", "merchant"), |tx, executor| {
        executor.change(tx, &RecordChange::ReviseMerchant { id: id.0, name, color, website })?;
        Ok(id.0)
    })?;
    get(tx, id)
}

/// Removes a merchant; entries that have it have none.
pub fn remove(tx: &mut FamilyTx<'_>, id: MerchantId) -> Result<()> {
    require_unrestricted(tx)?;
    detach_and_remove(tx, id, None)
}

/// Replaces a merchant by another one, and removes it.
pub fn merge(tx: &mut FamilyTx<'_>, id: MerchantId, into: MerchantId) -> Result<Merchant> {
    require_mergeable(tx, id, into)?;
    detach_and_remove(tx, id, Some(into))?;
    get(tx, into)
}

fn require_mergeable(tx: &mut FamilyTx<'_>, id: MerchantId, into: MerchantId) -> Result<()> {
    let family = tx.family();
    require_unrestricted(tx)?;
    let is_other =
        into != id && tx.query_opt(&MERCHANT_BY_ID, vals![family, into], |_| Ok(()))?.is_some();
    if is_other {
        return Ok(());
    }
    get(tx, id)?;
    Err(Problem::field("into_id", "is not the id of another merchant").into())
}

/// Fails unless a merchant can be removed by the caller, with this replacement.
pub(crate) fn require_removable(
    tx: &mut FamilyTx<'_>,
    id: MerchantId,
    replacement: Option<MerchantId>,
) -> Result<()> {
    require_unrestricted(tx)?;
    get(tx, id)?;
    replacement.map_or(Ok(()), |into| require_mergeable(tx, id, into))
}

fn detach_and_remove(
    tx: &mut FamilyTx<'_>,
    id: MerchantId,
    into: Option<MerchantId>,
) -> Result<()> {
    let action = if into.is_some() { "merchant.merge" } else { "merchant.remove" };
    execute(tx, (action, "merchant"), |tx, executor| {
        let replacement = into.map(|id| id.0);
        executor.change(tx, &RecordChange::RemoveMerchant { id: id.0, replacement })?;
        Ok(id.0)
    })
    .map(drop)
}

fn read(row: &Row<'_>) -> Result<Merchant> {
    let (id, own_color): (MerchantId, _) = (row.id(0)?, row.opt_string(2)?);
    Ok(Merchant {
        id,
        name: row.string(1)?,
        color: own_color.clone().unwrap_or_else(|| default_color(id.0).to_owned()),
        own_color,
        website: row.opt_string(3)?,
        created_at: row.timestamp(4)?,
        updated_at: row.timestamp(5)?,
    })
}
