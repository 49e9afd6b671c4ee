//! Mappings: what the names in a file stand for.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::mapping::{Existing, MappingKind};
use purser_core::ledger::account::AccountStatus;
use uuid::Uuid;

use super::count;
use crate::driver::{Tx, Val, statements};
use crate::families::FamilyId;

statements! {
    /// One distinct key of an import.
    MAPPING_INSERT = "INSERT INTO import_mappings (family_id, import_id, kind, value, value_key,
            target_id, creates, currency, problem, rows_count)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    /// All keys of an import.
    MAPPINGS_BY_IMPORT = "SELECT kind, value, value_key, target_id, creates, currency, problem,
            rows_count
        FROM import_mappings WHERE family_id = $1 AND import_id = $2 ORDER BY kind, value_key";
    /// What a publish created stands in the mapping from then on.
    MAPPING_ASSIGN = "UPDATE import_mappings SET target_id = $1, creates = $2
        WHERE family_id = $3 AND import_id = $4 AND kind = $5 AND value_key = $6";
    /// Every account, the oldest first.
    ACCOUNTS_EXISTING = "SELECT id, name_key, currency, status FROM accounts
        WHERE family_id = $1 ORDER BY created_at, id";
    /// Every category.
    CATEGORIES_EXISTING = "SELECT id, parent_id, name_key FROM categories
        WHERE family_id = $1 ORDER BY name_key";
    /// Every tag.
    TAGS_EXISTING = "SELECT id, name_key FROM tags WHERE family_id = $1 ORDER BY name_key";
}

/// One distinct name of a file and what it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// What it names.
    pub kind: MappingKind,
    /// In the first spelling of the file.
    pub value: String,
    /// What it is matched by.
    pub value_key: String,
    /// What exists.
    pub target: Option<Uuid>,
    /// Will be created by the publish.
    pub creates: bool,
    /// Accounts: the currency of their rows.
    pub currency: Option<String>,
    /// Why a person must choose.
    pub problem: Option<String>,
    /// Rows that name it.
    pub rows: u64,
}

/// Stores the mappings of an import.
pub fn mappings_insert(
    tx: &mut Tx<'_>,
    family: FamilyId,
    import: ImportId,
    mappings: &[Mapping],
) -> Result<()> {
    for mapping in mappings {
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
                mapping.currency.as_deref().into(),
                mapping.problem.as_deref().into(),
                count(mapping.rows),
            ],
        )?;
    }
    Ok(())
}

/// The mappings of an import, by kind and key.
pub fn mappings(tx: &mut Tx<'_>, family: FamilyId, import: ImportId) -> Result<Vec<Mapping>> {
    tx.query(&MAPPINGS_BY_IMPORT, &[family.into(), import.into()], |row| {
        Ok(Mapping {
            kind: MappingKind::parse(row.text(0)?)
                .ok_or_else(|| Error::internal("unknown kind of mapping"))?,
            value: row.text(1)?.to_owned(),
            value_key: row.text(2)?.to_owned(),
            target: row.opt_uuid(3)?,
            creates: row.bool(4)?,
            currency: row.opt_text(5)?.map(str::to_owned),
            problem: row.opt_text(6)?.map(str::to_owned),
            rows: row.count(7)?,
        })
    })
}

/// Notes what a publish resolved a mapping to.
pub fn mapping_assign(
    tx: &mut Tx<'_>,
    family: FamilyId,
    import: ImportId,
    mapping: &Mapping,
    target: Uuid,
) -> Result<()> {
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

/// What the family has that a name can stand for.
pub fn existing(tx: &mut Tx<'_>, family: FamilyId) -> Result<Existing> {
    let mut existing = Existing::default();
    tx.query(&ACCOUNTS_EXISTING, &[family.into()], |row| {
        if AccountStatus::parse(row.text(3)?).is_some_and(AccountStatus::is_visible) {
            existing.account(row.uuid(0)?, row.text(1)?.to_owned(), row.currency(2)?);
        }
        Ok(())
    })?;
    tx.query(&CATEGORIES_EXISTING, &[family.into()], |row| {
        existing.category(row.uuid(0)?, row.opt_uuid(1)?, row.text(2)?.to_owned());
        Ok(())
    })?;
    tx.query(&TAGS_EXISTING, &[family.into()], |row| {
        existing.tag(row.uuid(0)?, row.text(1)?.to_owned());
        Ok(())
    })?;
    Ok(existing)
}
