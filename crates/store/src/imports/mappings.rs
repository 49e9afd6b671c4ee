//! Mappings: what the names in a file stand for.

use purser_core::error::Result;
use purser_core::ids::ImportId;
use purser_core::import::mapping::{
    Choice, DistinctName, ExistingRecords, MappingKind, Resolution, resolve,
};
use purser_core::ledger::account::{AccountStatus, AccountType};
use purser_core::money::Currency;
use uuid::Uuid;

use super::count;
use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};
use crate::labels::visibility::VisibleIds;

statements! {
    /// One distinct key of an import.
    MAPPING_INSERT = "INSERT INTO import_mappings (family_id, import_id, kind, value, value_key,
            target_id, creates, currency, problem, rows_count, chosen, new_name, per_currency)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    /// All keys of an import.
    MAPPINGS_BY_IMPORT = "SELECT kind, value, value_key, target_id, creates, currency, problem,
            rows_count, chosen, new_name, per_currency
        FROM import_mappings WHERE family_id = $1 AND import_id = $2 ORDER BY kind, value_key";
    /// All keys of an import go, to be found anew.
    MAPPINGS_DELETE = "DELETE FROM import_mappings WHERE family_id = $1 AND import_id = $2";
    /// What a publish created is in the mapping from then on.
    MAPPING_ASSIGN = "UPDATE import_mappings SET target_id = $1, creates = $2
        WHERE family_id = $3 AND import_id = $4 AND kind = $5 AND value_key = $6";
    /// Every account, the oldest first.
    ACCOUNTS_EXISTING = "SELECT id, name_key, currency, status, account_type FROM ledger_accounts
        WHERE family_id = $1 ORDER BY created_at, id";
    /// Names in imported files that stand for accounts.
    ACCOUNTS_FORMER = "SELECT DISTINCT m.target_id, m.value_key
        FROM import_mappings m
        JOIN imports i ON i.family_id = $1 AND i.id = m.import_id
        WHERE m.family_id = $1 AND m.kind = 'account' AND m.target_id IS NOT NULL
            AND m.value_key <> '' AND i.status = 'complete'";
    /// All categories of the family.
    CATEGORIES_EXISTING = "SELECT id, parent_id, name_key FROM ledger_categories
        WHERE family_id = $1 ORDER BY name_key";
    /// All tags of the family.
    TAGS_EXISTING = "SELECT id, name_key FROM ledger_tags WHERE family_id = $1 ORDER BY name_key";
}

/// One distinct name of a file and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The kind of thing that it names.
    pub kind: MappingKind,
    /// The name, in its first spelling in the file.
    pub value: String,
    /// The key by which names are compared.
    pub value_key: String,
    /// The existing thing that it stands for.
    pub target: Option<Uuid>,
    /// Will be created by the publish.
    pub creates: bool,
    /// Accounts: the currencies of their rows.
    pub currencies: Vec<Currency>,
    /// Why a person must choose.
    pub problem: Option<String>,
    /// The number of rows with this name.
    pub rows: u64,
    /// What a person chose, if one did. `target` and `creates` follow from it.
    pub choice: Option<Choice>,
}

impl Mapping {
    /// The type of accounts that the text stands for, as far as it is one.
    pub fn account_type(&self) -> Option<AccountType> {
        match &self.choice {
            _ if self.kind != MappingKind::AccountType => None,
            Some(Choice::AccountType(chosen)) => Some(*chosen),
            _ => match resolve(&self.found(), &ExistingRecords::default()) {
                Resolution::AccountType(found) => Some(found),
                _ => None,
            },
        }
    }

    /// The name as it was found in the rows.
    pub fn found(&self) -> DistinctName {
        DistinctName {
            kind: self.kind,
            value: self.value.clone(),
            key: self.value_key.clone(),
            rows: self.rows,
            currencies: self.currencies.clone(),
        }
    }
}

/// Stores the mappings of an import.
pub fn mappings_insert(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    mappings: &[Mapping],
) -> Result<()> {
    let family = tx.family();
    for mapping in mappings {
        let currencies: Vec<&str> = mapping.currencies.iter().map(|one| one.code()).collect();
        let currencies = Some(currencies.join(",")).filter(|codes| !codes.is_empty());
        let new_name = match &mapping.choice {
            Some(Choice::Create { name } | Choice::PerCurrency { name }) => name.as_deref(),
            Some(Choice::AccountType(account_type)) => Some(account_type.as_str()),
            _ => None,
        };
        tx.execute(
            &MAPPING_INSERT,
            &[
                family.into(),
                import.into(),
                Val::Text(mapping.kind.as_str()),
                Val::Text(&mapping.value),
                Val::Text(&mapping.value_key),
                mapping.target.into(),
                Val::Bool(mapping.creates),
                currencies.as_deref().into(),
                mapping.problem.as_deref().into(),
                count(mapping.rows),
                Val::Bool(mapping.choice.is_some()),
                new_name.into(),
                Val::Bool(matches!(mapping.choice, Some(Choice::PerCurrency { .. }))),
            ],
        )?;
    }
    Ok(())
}

/// The mappings of an import, by kind and key.
pub fn mappings(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<Vec<Mapping>> {
    let family = tx.family();
    tx.query(&MAPPINGS_BY_IMPORT, &[family.into(), import.into()], read)
}

fn read(row: &Row<'_>) -> Result<Mapping> {
    let kind: MappingKind = row.named(0)?;
    let (target, creates) = (row.opt_uuid(3)?, row.bool(4)?);
    let codes = row.opt_text(5)?.unwrap_or_default();
    let name = || row.opt_text(9).map(|name| name.map(str::to_owned));
    let account_type = || row.opt_text(9).map(|name| name.and_then(AccountType::parse));
    let choice = match (row.bool(8)?, row.bool(10)?, creates) {
        (false, ..) => None,
        (true, ..) if kind == MappingKind::AccountType => account_type()?.map(Choice::AccountType),
        (true, true, _) => Some(Choice::PerCurrency { name: name()? }),
        (true, false, true) => Some(Choice::Create { name: name()? }),
        (true, false, false) => target.map(Choice::Existing),
    };
    Ok(Mapping {
        kind,
        value: row.text(1)?.to_owned(),
        value_key: row.text(2)?.to_owned(),
        target,
        creates,
        currencies: codes.split(',').filter_map(Currency::parse).collect(),
        problem: row.opt_text(6)?.map(str::to_owned),
        rows: row.count(7)?,
        choice,
    })
}

/// The mappings of an import go, to be found anew.
pub(super) fn mappings_delete(tx: &mut FamilyTx<'_>, import: ImportId) -> Result<()> {
    let family = tx.family();
    tx.execute(&MAPPINGS_DELETE, &[family.into(), import.into()]).map(drop)
}

/// Notes what a publish resolved a mapping to.
pub fn mapping_assign(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
    mapping: &Mapping,
    target: Uuid,
) -> Result<()> {
    let family = tx.family();
    tx.execute(
        &MAPPING_ASSIGN,
        &[
            Val::Uuid(target),
            Val::Bool(mapping.creates),
            family.into(),
            import.into(),
            Val::Text(mapping.kind.as_str()),
            Val::Text(&mapping.value_key),
        ],
    )?;
    Ok(())
}

/// What a name can stand for: what the caller may see. Another name is to be created; the publish,
/// which sees everything, takes what the family has by that name.
pub fn existing(tx: &mut FamilyTx<'_>) -> Result<ExistingRecords> {
    let (family, visible) = (tx.family(), tx.accounts());
    let mut existing = ExistingRecords::default();
    tx.for_each(&ACCOUNTS_EXISTING, &[family.into()], |row| {
        let status = AccountStatus::parse(row.text(3)?);
        if status.is_some_and(AccountStatus::is_visible) && visible.allows(row.id(0)?) {
            existing.account(row.uuid(0)?, row.text(1)?.to_owned(), row.currency(2)?);
            if row.named::<AccountType>(4)?.holds_securities() {
                existing.holds_securities(row.uuid(0)?);
            }
        }
        Ok(())
    })?;
    tx.for_each(&ACCOUNTS_FORMER, &[family.into()], |row| {
        existing.former_name(row.uuid(0)?, row.text(1)?.to_owned());
        Ok(())
    })?;
    let categories = VisibleIds::of_categories(tx)?;
    tx.for_each(&CATEGORIES_EXISTING, &[family.into()], |row| {
        if categories.shows(row.uuid(0)?) {
            existing.category(row.uuid(0)?, row.opt_uuid(1)?, row.text(2)?.to_owned());
        }
        Ok(())
    })?;
    let tags = VisibleIds::of_tags(tx)?;
    tx.for_each(&TAGS_EXISTING, &[family.into()], |row| {
        if tags.shows(row.uuid(0)?) {
            existing.tag(row.uuid(0)?, row.text(1)?.to_owned());
        }
        Ok(())
    })?;
    Ok(existing)
}
