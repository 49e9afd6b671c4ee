//! What people see instead of ids: names of uploaded files, and what the family has that a name in
//! a file can stand for.

use std::collections::HashMap;

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::ledger::account::AccountStatus;
use purser_core::money::Currency;
use uuid::Uuid;

use crate::access::FamilyTx;
use crate::driver::{Filter, Query, statements};
use crate::families::FamilyId;
use crate::labels;

statements! {
    /// Accounts to choose from.
    ACCOUNTS_NAMED = "SELECT id, name, currency, status FROM ledger_accounts
        WHERE family_id = $1 ORDER BY name_key, id";
}

const FILES_SELECT: &str = "SELECT i.id, f.name FROM imports i
    JOIN files f ON f.family_id = $1 AND f.id = i.file_id";

/// What a name in a file can stand for.
#[derive(Debug, Clone, Default)]
pub struct Nameable {
    /// Visible accounts by name.
    pub accounts: Vec<(Uuid, String, Currency)>,
    /// Categories with their whole names.
    pub categories: Vec<(Uuid, String)>,
    /// The tags, with their names.
    pub tags: Vec<(Uuid, String)>,
}

/// What the family has to choose from.
pub fn nameable(tx: &mut FamilyTx<'_>) -> Result<Nameable> {
    let family = tx.family();
    let mut found = Nameable::default();
    tx.query(&ACCOUNTS_NAMED, &[family.into()], |row| {
        if AccountStatus::parse(row.text(3)?).is_some_and(AccountStatus::is_visible) {
            found.accounts.push((row.uuid(0)?, row.text(1)?.to_owned(), row.currency(2)?));
        }
        Ok(())
    })?;
    let categories = labels::categories(tx)?;
    found.categories = categories.into_iter().map(|one| (one.id.0, one.path)).collect();
    found.tags = labels::tags(tx)?.into_iter().map(|tag| (tag.id.0, tag.name)).collect();
    Ok(found)
}

/// The names of the files of imports, as far as they have one.
pub fn file_names(
    tx: &mut FamilyTx<'_>,
    imports: &[ImportId],
) -> Result<HashMap<ImportId, String>> {
    let family = tx.family();
    let named = tx.query(&named(family, imports), &[], |row| {
        Ok((ImportId(row.uuid(0)?), row.opt_text(1)?.map(str::to_owned)))
    })?;
    Ok(named.into_iter().filter_map(|(id, name)| Some((id, name?))).collect())
}

fn named<'a>(family: FamilyId, imports: &[ImportId]) -> Query<'a> {
    let filter = Filter::of_family("i.family_id = ?", family)
        .and_in("i.id", imports.iter().map(|id| (*id).into()));
    filter.query(FILES_SELECT, "", [])
}

/// The longest text that this module can make, for the test that prepares it.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    vec![named(FamilyId::from_number(0), &[ImportId(Uuid::nil()); 3])]
}
