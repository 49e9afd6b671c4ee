//! The family, its accounts and its labels.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ledger::account::AccountType;
use uuid::Uuid;

use super::line::{Amount, Lines};
use super::records::{Account, Category, Family, Merchant, Tag};
use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::{accounts, families};

statements! {
    /// With what accounts began.
    OPENINGS = "SELECT id, opening_amount FROM ledger_accounts WHERE family_id = $1";
    /// To whom accounts may belong.
    OWNERS = "SELECT id, email FROM users WHERE family_id = $1";
    /// The categories; those above come before those below them.
    CATEGORIES = "SELECT id, name, parent_id, color, icon FROM ledger_categories
        WHERE family_id = $1
        ORDER BY CASE WHEN parent_id IS NULL THEN 0 ELSE 1 END, name_key, id";
    /// The tags by their names.
    TAGS = "SELECT id, name, color FROM ledger_tags WHERE family_id = $1 ORDER BY name_key, id";
    /// The merchants by their names.
    MERCHANTS = "SELECT id, name, color, website FROM ledger_merchants
        WHERE family_id = $1 ORDER BY name_key, id";
}

/// Writes what entries point to.
pub(super) fn write(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = families::get(tx)?;
    lines.put(&Family {
        id: family.public_id,
        name: &family.name,
        currency: family.currency,
        time_zone: &family.time_zone,
        locale: &family.preferences.locale,
        date_format: &family.preferences.date_format,
        month_start_day: family.preferences.month_start_day,
        transfer_matching: family.transfer_matching.as_str(),
        country: family.preferences.country.as_deref(),
    })?;
    write_accounts(tx, lines)?;
    write_labels(tx, lines)
}

fn write_accounts(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    let openings = tx.query(&OPENINGS, vals![family], |row| Ok((row.uuid(0)?, row.int(1)?)))?;
    let openings: HashMap<Uuid, i64> = openings.into_iter().collect();
    let owners = tx.query(&OWNERS, vals![family], |row| Ok((row.uuid(0)?, row.string(1)?)))?;
    let owners: HashMap<Uuid, String> = owners.into_iter().collect();
    let listing = accounts::Listing { include_disabled: true };
    for account in accounts::list(tx, listing, i64::MAX, 0)?.0 {
        let (summary, currency) = (&account.summary, account.currency);
        let opening = openings.get(&summary.id.0).copied().unwrap_or_default();
        lines.put(&Account {
            id: summary.id.0,
            name: &summary.name,
            accountable_type: class_name(summary.account_type),
            currency,
            balance: Amount(account.balance, currency),
            opening_balance: Amount(opening, currency),
            status: summary.status.as_str(),
            cost_method: account.cost_method.as_str(),
            subtype: account.subtype.as_deref(),
            institution_name: account.institution_name.as_deref(),
            institution_domain: account.institution_domain.as_deref(),
            notes: account.notes.as_deref(),
            owner: account.owner.and_then(|owner| owners.get(&owner.0)).map(String::as_str),
        })?;
    }
    Ok(())
}

fn write_labels(tx: &mut FamilyTx<'_>, lines: &mut Lines<'_>) -> Result<()> {
    let family = tx.family();
    tx.for_each(&CATEGORIES, vals![family], |row| {
        lines.put(&Category {
            id: row.uuid(0)?,
            name: row.text(1)?,
            parent_id: row.opt_uuid(2)?,
            color: row.opt_text(3)?,
            lucide_icon: row.opt_text(4)?,
        })
    })?;
    tx.for_each(&TAGS, vals![family], |row| {
        lines.put(&Tag { id: row.uuid(0)?, name: row.text(1)?, color: row.opt_text(2)? })
    })?;
    tx.for_each(&MERCHANTS, vals![family], |row| {
        lines.put(&Merchant {
            id: row.uuid(0)?,
            name: row.text(1)?,
            color: row.opt_text(2)?,
            website_url: row.opt_text(3)?,
        })
    })
}

/// The type of an account in the notation of classes: `CreditCard`.
fn class_name(account_type: AccountType) -> String {
    let words = account_type.as_str().split('_').map(|word| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + rest
    });
    words.collect()
}
