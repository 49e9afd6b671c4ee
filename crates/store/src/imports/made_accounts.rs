//! Accounts that a person made while they looked at an import, for its rows.
//!
//! They are in use before the publish, which therefore doesn't create them. Once it is complete
//! they count as what the import created, so that they go with its undo if nothing else uses them.

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ImportId};

use crate::access::FamilyTx;
use crate::driver::{Val, statements};

statements! {
    /// The accounts that were made for an import.
    MADE_ACCOUNTS = "SELECT made_accounts FROM imports WHERE family_id = $1 AND id = $2";
    /// Notes the accounts that were made for an import.
    MADE_ACCOUNTS_SET = "UPDATE imports SET made_accounts = $1 WHERE family_id = $2 AND id = $3";
    /// From now on the import created an account, if it is still there.
    MADE_ACCOUNT_ADOPT = "INSERT INTO import_created (family_id, import_id, kind, target_id)
        SELECT i.family_id, i.id, 'account', a.id
        FROM imports i JOIN accounts a ON a.family_id = $1 AND a.id = $2
        WHERE i.family_id = $1 AND i.id = $3
        ON CONFLICT (family_id, import_id, kind, target_id) DO NOTHING";
}

/// Notes an account that was made for the rows of an import.
pub fn note_made_account(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    account: AccountId,
) -> Result<()> {
    let family = tx.family();
    let mut made = made_accounts(tx, import)?;
    made.push(account);
    let made = serde_json::to_string(&made).map_err(Error::internal)?;
    let row = [Val::Text(&made), family.into(), import.into()];
    tx.execute(&MADE_ACCOUNTS_SET, &row).map(drop)
}

/// Counts the accounts that were made for an import among those that it created, as its publish is
/// completed.
pub fn adopt_made_accounts(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
    let family = tx.family();
    for account in made_accounts(tx, import)? {
        tx.execute(&MADE_ACCOUNT_ADOPT, &[family.into(), account.into(), import.into()])?;
    }
    Ok(())
}

fn made_accounts(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<Vec<AccountId>> {
    let family = tx.family();
    let made = tx.query_opt(&MADE_ACCOUNTS, &[family.into(), import.into()], |row| {
        row.opt_text(0)?.map(serde_json::from_str).transpose().map_err(Error::internal)
    })?;
    Ok(made.flatten().unwrap_or_default())
}
