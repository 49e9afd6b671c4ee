//! What imports look at and change besides entries.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::kinds::Kind;
use purser_core::import::whole::{
    AccountRecord, CategoryRecord, FamilyRecords, MerchantRecord, RuleRecord,
};
use serde_json::Value;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{statements, vals};
use crate::rules::{self, Rule};

statements! {
    /// Every category as it is.
    CATEGORIES_NOW = "SELECT id, name, parent_id, color, icon FROM ledger_categories
        WHERE family_id = $1 ORDER BY name_key, id";
    /// Every merchant as it is.
    MERCHANTS_NOW = "SELECT id, name, color, website FROM ledger_merchants
        WHERE family_id = $1 ORDER BY name_key, id";
    /// Every account that is not being removed.
    ACCOUNTS_NOW = "SELECT id, name, account_type, currency FROM ledger_accounts
        WHERE family_id = $1 AND status <> 'pending_deletion' ORDER BY created_at, id";
    /// What an import changed, of any kind.
    CHANGES_OF = "SELECT target_id, before_image, after_image FROM import_changes
        WHERE family_id = $1 AND import_id = $2
            AND before_image <> 'null' AND after_image <> 'null' ORDER BY kind, target_id";
}

/// A record that an import changed: its images before and after.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangedRecord {
    /// The id of the record.
    pub id: Uuid,
    /// What it was, as an object.
    pub before: Value,
    /// What the import made of it, as an object.
    pub after: Value,
}

/// What the family has, as far as imports of a kind of few rows look at it.
pub fn view(tx: &mut FamilyTx<'_>, kind: Kind) -> Result<FamilyRecords> {
    let mut view = FamilyRecords::default();
    match kind {
        Kind::Transaction | Kind::Trade | Kind::Pdf => {}
        Kind::Mint | Kind::Ynab | Kind::Actual | Kind::Qif => {}
        Kind::Category => view.categories = categories(tx)?,
        Kind::Merchant => view.merchants = merchants(tx)?,
        Kind::Rule | Kind::Native => {
            let (rules, names) = rules::all(tx)?;
            view.rules = rules.into_iter().map(rule).collect();
            view.names = names;
            if kind == Kind::Native {
                view.accounts = accounts(tx)?;
            }
        }
        Kind::Account => view.accounts = accounts(tx)?,
    }
    Ok(view)
}

fn categories(tx: &mut FamilyTx<'_>) -> Result<Vec<CategoryRecord>> {
    let family = tx.family();
    tx.query(&CATEGORIES_NOW, vals![family], |row| {
        Ok(CategoryRecord {
            id: row.uuid(0)?,
            name: row.string(1)?,
            parent: row.opt_uuid(2)?,
            color: row.opt_string(3)?,
            icon: row.opt_string(4)?,
        })
    })
}

fn merchants(tx: &mut FamilyTx<'_>) -> Result<Vec<MerchantRecord>> {
    let family = tx.family();
    tx.query(&MERCHANTS_NOW, vals![family], |row| {
        Ok(MerchantRecord {
            id: row.uuid(0)?,
            name: row.string(1)?,
            color: row.opt_string(2)?,
            website: row.opt_string(3)?,
        })
    })
}

fn accounts(tx: &mut FamilyTx<'_>) -> Result<Vec<AccountRecord>> {
    let family = tx.family();
    tx.query(&ACCOUNTS_NOW, vals![family], |row| {
        Ok(AccountRecord {
            id: row.uuid(0)?,
            name: row.string(1)?,
            account_type: row.named(2)?,
            currency: row.currency(3)?,
        })
    })
}

fn rule(rule: Rule) -> RuleRecord {
    let Rule { id, name, switched_on: active, position, rule, .. } = rule;
    RuleRecord { id: id.0, name, active, position, rule }
}

/// What a published import changed of records that were there.
pub fn changed_records(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<Vec<ChangedRecord>> {
    let family = tx.family();
    tx.query(&CHANGES_OF, vals![family, import], |row| {
        let image = |text: &str| serde_json::from_str(text).map_err(Error::internal);
        Ok(ChangedRecord {
            id: row.uuid(0)?,
            before: image(row.text(1)?)?,
            after: image(row.text(2)?)?,
        })
    })
}
