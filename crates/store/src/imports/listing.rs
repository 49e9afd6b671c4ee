//! The list of imports: newest first.

use jiff::Timestamp;
use purser_core::error::Result;
use purser_core::ids::{AccountId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_core::import::status::{Condition, ImportStatus};

use super::{import_type, status, unsigned};
use crate::driver::{Filter, Row, Tx, statements};
use crate::families::FamilyId;

statements! {}

/// What is listed.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Only of this status.
    pub status: Option<ImportStatus>,
    /// Only of this type.
    pub import_type: Option<ImportType>,
    /// Only into these accounts: a key's restriction.
    pub accounts: Option<Vec<AccountId>>,
}

/// An import in the list.
#[derive(Debug, Clone)]
pub struct Listed {
    /// Its id.
    pub id: ImportId,
    /// What the file holds.
    pub import_type: ImportType,
    /// The account that every row goes to.
    pub account: Option<AccountId>,
    /// A sentence for people.
    pub error: Option<String>,
    /// Where it stands, and what its booleans follow from.
    pub condition: Condition,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
}

const COLUMNS: &str = "SELECT id, import_type, status, account_id, error, readable, rows_count,
    invalid_rows_count, unassigned_mappings_count, created_at, updated_at, file_id FROM imports";

/// A page of imports and how many there are in all.
pub fn list(
    tx: &mut Tx<'_>,
    family: FamilyId,
    listing: &Listing,
    limit: u64,
    offset: u64,
) -> Result<(Vec<Listed>, u64)> {
    let mut filter = Filter::new("family_id = ?", family);
    if let Some(status) = listing.status {
        filter.and("status = ?", status.as_str());
    }
    if let Some(import_type) = listing.import_type {
        filter.and("import_type = ?", import_type.as_str());
    }
    if let Some(accounts) = &listing.accounts {
        filter.and_in("account_id", accounts.iter().map(|account| account.0));
    }
    let count = filter.count("imports");
    let total = tx.query_one(&count, count.params(), |row| row.int(0))?;
    let page = filter.page(COLUMNS, "ORDER BY created_at DESC, id DESC", limit, offset);
    let items = tx.query(&page, page.params(), read)?;
    Ok((items, unsigned(total)))
}

fn read(row: &Row<'_>) -> Result<Listed> {
    Ok(Listed {
        id: ImportId(row.uuid(0)?),
        import_type: import_type(row.text(1)?)?,
        account: row.opt_uuid(3)?.map(AccountId),
        error: row.opt_text(4)?.map(str::to_owned),
        condition: Condition {
            status: status(row.text(2)?)?,
            readable: row.bool(5)?,
            rows: unsigned(row.int(6)?),
            invalid_rows: unsigned(row.int(7)?),
            unassigned_mappings: unsigned(row.int(8)?),
            uploaded: row.opt_uuid(11)?.is_some(),
        },
        created_at: row.timestamp(9)?,
        updated_at: row.timestamp(10)?,
    })
}
