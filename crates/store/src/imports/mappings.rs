//! Mappings: what the names in a file stand for.

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::ledger::account::AccountStatus;
use uuid::Uuid;

use super::{count, unsigned};
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
    /// Categories of a name; names are unique in the family.
    CATEGORY_BY_NAME = "SELECT id, parent_id FROM categories
        WHERE family_id = $1 AND name_key = $2";
    /// Tags of a name; names are unique in the family.
    TAG_BY_NAME = "SELECT id FROM tags WHERE family_id = $1 AND name_key = $2";
    /// Accounts of a name: there may be several.
    ACCOUNTS_BY_NAME = "SELECT id, currency, status FROM accounts
        WHERE family_id = $1 AND name_key = $2 ORDER BY created_at, id";
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MappingKind {
    /// An account.
    Account,
    /// A category, possibly `Parent:Child`.
    Category,
    /// A tag.
    Tag,
}

impl MappingKind {
    /// The text that stands in the database and in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Account => "account",
            Self::Category => "category",
            Self::Tag => "tag",
        }
    }

    fn parse(text: &str) -> Result<Self> {
        match text {
            "account" => Ok(Self::Account),
            "category" => Ok(Self::Category),
            "tag" => Ok(Self::Tag),
            _ => Err(Error::internal("unknown kind of mapping")),
        }
    }
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
            kind: MappingKind::parse(row.text(0)?)?,
            value: row.text(1)?.to_owned(),
            value_key: row.text(2)?.to_owned(),
            target: row.opt_uuid(3)?,
            creates: row.bool(4)?,
            currency: row.opt_text(5)?.map(str::to_owned),
            problem: row.opt_text(6)?.map(str::to_owned),
            rows: unsigned(row.int(7)?),
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

/// A category that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryFound {
    /// Its id.
    pub id: Uuid,
    /// The category above, if it is of the second level.
    pub parent: Option<Uuid>,
}

/// The category of a name key.
pub fn category_by_name(
    tx: &mut Tx<'_>,
    family: FamilyId,
    key: &str,
) -> Result<Option<CategoryFound>> {
    tx.query_opt(&CATEGORY_BY_NAME, &[family.into(), Val::Text(key)], |row| {
        Ok(CategoryFound { id: row.uuid(0)?, parent: row.opt_uuid(1)? })
    })
}

/// The tag of a name key.
pub fn tag_by_name(tx: &mut Tx<'_>, family: FamilyId, key: &str) -> Result<Option<Uuid>> {
    tx.query_opt(&TAG_BY_NAME, &[family.into(), Val::Text(key)], |row| row.uuid(0))
}

/// An account that exists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountFound {
    /// Its id.
    pub id: Uuid,
    /// Its currency's code.
    pub currency: String,
}

/// The visible accounts of a name key.
pub fn accounts_by_name(
    tx: &mut Tx<'_>,
    family: FamilyId,
    key: &str,
) -> Result<Vec<AccountFound>> {
    let found = tx.query(&ACCOUNTS_BY_NAME, &[family.into(), Val::Text(key)], |row| {
        let visible = AccountStatus::parse(row.text(2)?).is_some_and(AccountStatus::is_visible);
        let found = AccountFound { id: row.uuid(0)?, currency: row.text(1)?.to_owned() };
        Ok(visible.then_some(found))
    })?;
    Ok(found.into_iter().flatten().collect())
}
