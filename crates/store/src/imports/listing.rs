//! The list of imports: newest first.

use jiff::Timestamp;
use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::status::{Condition, ImportStatus};
use purser_core::import::verdict::Counts;

use super::count;
use crate::access::{FamilyTx, VisibleAccounts};
use crate::driver::{Filter, Query, Row};
use crate::families::FamilyId;

/// The imports that are listed.
#[derive(Debug, Clone, Copy, Default)]
pub struct Listing {
    /// Only of this status.
    pub status: Option<ImportStatus>,
    /// Only of this type.
    pub import_type: Option<ImportType>,
}

/// An import in the list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// The id of the import.
    pub id: ImportId,
    /// What the file holds.
    pub import_type: ImportType,
    /// The account that every row goes to.
    pub account: Option<AccountId>,
    /// A sentence for people.
    pub error: Option<String>,
    /// The status, and the facts for its booleans.
    pub condition: Condition,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

const COLUMNS: &str = "SELECT id, import_type, status, account_id, error, readable, rows_count,
    invalid_rows_count, unassigned_mappings_count, created_at, updated_at, file_id, plan
    FROM imports";

/// A page of the imports into visible accounts, and how many there are in all.
pub fn list(
    tx: &mut FamilyTx<'_>,
    listing: Listing,
    limit: u64,
    offset: u64,
) -> Result<(Vec<Listed>, u64)> {
    let (family, visible) = (tx.family(), tx.accounts());
    let filter = filter(family, listing, &visible);
    let total = tx.query_one(&counting(&filter), &[], |row| row.count(0))?;
    let items = tx.query(&page(&filter, limit, offset), &[], read)?;
    Ok((items, total))
}

fn filter<'a>(family: FamilyId, listing: Listing, visible: &VisibleAccounts) -> Filter<'a> {
    let filter = Filter::of_family("family_id = ?", family)
        .and_opt("status = ?", listing.status.map(ImportStatus::as_str))
        .and_opt("import_type = ?", listing.import_type.map(ImportType::as_str));
    match visible.only() {
        Some(accounts) => filter.and_in("account_id", accounts.iter().map(|id| (*id).into())),
        None => filter,
    }
}

fn counting<'a>(filter: &Filter<'a>) -> Query<'a> {
    filter.query("SELECT CAST(COUNT(*) AS BIGINT) FROM imports", "", [])
}

fn page<'a>(filter: &Filter<'a>, limit: u64, offset: u64) -> Query<'a> {
    let then = "ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?";
    filter.query(COLUMNS, then, [count(limit), count(offset)])
}

/// The longest texts that this module can make, for the test that prepares them.
pub(crate) fn query_examples() -> Vec<Query<'static>> {
    let listing =
        Listing { status: Some(ImportStatus::Pending), import_type: Some(ImportType::Transaction) };
    let visible = VisibleAccounts::Only([AccountId(uuid::Uuid::nil()); 3].into());
    let filter = filter(FamilyId::from_number(0), listing, &visible);
    vec![counting(&filter), page(&filter, 1, 0)]
}

fn read(row: &Row<'_>) -> Result<Listed> {
    Ok(Listed {
        id: ImportId(row.uuid(0)?),
        import_type: row.named(1)?,
        account: row.opt_uuid(3)?.map(AccountId),
        error: row.opt_text(4)?.map(str::to_owned),
        condition: Condition {
            status: row.named(2)?,
            readable: row.bool(5)?,
            rows: row.count(6)?,
            invalid_rows: row.count(7)?,
            unassigned_mappings: row.count(8)?,
            undecided_rows: undecided(row.opt_text(12)?)?,
            uploaded: row.opt_uuid(11)?.is_some(),
        },
        created_at: row.timestamp(9)?,
        updated_at: row.timestamp(10)?,
    })
}

/// Rows for which a stored plan needs a choice.
fn undecided(plan: Option<&str>) -> Result<u64> {
    let counts = plan.map(serde_json::from_str::<Counts>).transpose().map_err(Error::internal)?;
    Ok(counts.map_or(0, |counts| counts.needs_choice))
}
