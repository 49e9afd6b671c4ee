//! Imports: their record, their mappings, and where their file's records start.
//!
//! Rows are not stored: they are read again from the file. Stored here is what an import was
//! configured with, what was found, and the counts that every answer needs.

pub(crate) mod candidates;
pub(crate) mod changes;
pub(crate) mod configuration;
pub(crate) mod found_statements;
pub(crate) mod labels;
pub(crate) mod lifecycle;
pub(crate) mod listing;
pub(crate) mod made_accounts;
pub(crate) mod mappings;
pub(crate) mod offsets;
pub(crate) mod pages;
pub(crate) mod plan;
pub(crate) mod progress;
pub(crate) mod referred;
pub(crate) mod removal;
pub(crate) mod resolutions;
pub(crate) mod revert;
pub(crate) mod row_edits;
pub(crate) mod same_file;
pub mod sessions;
pub(crate) mod templates;
pub(crate) mod verification;

use jiff::Timestamp;
use jiff::civil::Date;
use purser_core::error::{Error, Problem, Result};
use purser_core::ids::{AccountId, EntryId, FileId, ImportId, TemplateId};
use purser_core::import::import_type::ImportType;
use purser_core::import::kind::TargetAccount;
use purser_core::import::native::Readback;
use purser_core::import::planned_flow::PlannedFlow;
use purser_core::import::status::{Condition, ImportStatus};
use purser_core::import::verdict::Counts;
use purser_core::ledger::account::{AccountStatus, AccountType};

use crate::access::FamilyTx;
use crate::driver::{Row, Val, statements};

pub use candidates::{Candidate, Comparable, candidates, candidates_by_id, candidates_of};
pub use changes::{ChangedRecord, changed_records, view};
pub use configuration::replace;
pub use found_statements::found_statements;
pub use labels::{Nameable, file_names, nameable};
pub use lifecycle::{
    Published, complete, fail, fail_enqueue, forget_wish, mark_importing, take_up_again,
};
pub use listing::{Listed, Listing, list};
pub use made_accounts::{adopt_made_accounts, note_made_account};
pub use mappings::{Mapping, existing, mapping_assign, mappings, mappings_insert};
use offsets::offsets_insert;
pub use offsets::{Offsets, offsets};
pub use pages::pages_file;
pub use plan::{
    BLOCK_ROWS, Block, Blocks, Plan, Planned, plan_block, plan_blocks, plan_remove, plan_rows_with,
    plan_store,
};
pub use progress::{Progress, note_progress, progress};
pub use referred::{Referred, referred};
pub use resolutions::mappings_resolve;

pub use removal::remove;
pub use revert::{
    Created, FillsSurvey, KeptEntry, KeptFill, KeptRecord, OtherImport, OtherImports, RecordSurvey,
    Removal, Survey, fail_revert, mark_reverting, others, removable, removed_before, reverted,
    survey, take_fills_back, take_records_back,
};
pub use row_edits::{row_choices_reset, row_edit_put, row_edits, row_edits_clear};
pub use same_file::{SameFile, same_file, smaller_imported};
pub use templates::{
    NewTemplate, Template, template_by_header, template_delete, template_get, template_put,
    template_rename, templates, templates_of_type,
};
pub use verification::{
    balance_at, balance_by, counts_of_import, family_counts, readback_set, valuation_at,
};

statements! {
    /// A new import, always pending.
    IMPORT_INSERT = "INSERT INTO imports (family_id, id, import_type, status, account_id, file_id,
            settings, layout, readable, as_of, rows_count, valid_rows_count, invalid_rows_count,
            mappings_count, unassigned_mappings_count, findings, publish_wanted, skip_invalid,
            upload_fingerprint, created_count, created_at, updated_at, left_out_count, template_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
            $19, 0, $20, $20, $21, $22)";
    /// The import with an id, with all columns.
    IMPORT_BY_ID = "SELECT id, import_type, status, account_id, file_id, settings, layout,
            readable, as_of, rows_count, valid_rows_count, invalid_rows_count, mappings_count,
            unassigned_mappings_count, findings, skip_invalid, error, first_entry_id,
            last_entry_id, created_count, completed_at, created_at, updated_at, publish_wanted,
            plan, plan_version, left_out_count, readback, plan_flows,
            (SELECT version FROM families WHERE id = $1)
        FROM imports WHERE family_id = $1 AND id = $2";
    /// Whether an account can be imported into.
    ACCOUNT_STATUS = "SELECT status, currency, account_type FROM ledger_accounts
        WHERE family_id = $1 AND id = $2";
}

/// What an upload found, as it is stored.
#[derive(Debug, Clone)]
pub struct NewImport {
    /// What the file holds.
    pub import_type: ImportType,
    /// The account that every row goes to, if one was named.
    pub account: Option<AccountId>,
    /// The uploaded file, as evidence.
    pub file: Option<FileId>,
    /// JSON of what was sent or taken over.
    pub settings: String,
    /// The result of reading the file.
    pub reading: Reading,
    /// The wish to publish, which is fulfilled after this is committed.
    pub publish_wanted: bool,
    /// Publish the valid rows and leave out the others.
    pub skip_invalid: bool,
    /// The hash of settings and content, by which a retry after a 500 is recognised.
    pub fingerprint: Option<[u8; 32]>,
    /// The template with the settings that were taken over.
    pub template: Option<TemplateId>,
    /// Rows for which the plan needs a person's choice.
    pub undecided_rows: u64,
}

impl NewImport {
    /// What its booleans follow from.
    pub fn condition(&self) -> Condition {
        let reading = &self.reading;
        Condition {
            status: ImportStatus::Pending,
            uploaded: self.file.is_some(),
            readable: reading.readable,
            rows: reading.valid_rows + reading.invalid_rows,
            invalid_rows: reading.invalid_rows,
            unassigned_mappings: reading.unassigned(),
            undecided_rows: self.undecided_rows,
        }
    }
}

impl Reading {
    fn unassigned(&self) -> u64 {
        self.mappings.iter().filter(|mapping| mapping.problem.is_some()).count() as u64
    }
}

/// What reading the file with the settings found.
#[derive(Debug, Clone)]
pub struct Reading {
    /// JSON of what is in effect; `None` without a file.
    pub layout: Option<String>,
    /// Whether all required columns and formats are known.
    pub readable: bool,
    /// The day that limits of dates refer to.
    pub as_of: Date,
    /// The number of valid rows.
    pub valid_rows: u64,
    /// The number of invalid rows.
    pub invalid_rows: u64,
    /// Rows that a person left out.
    pub left_out: u64,
    /// JSON of the first invalid rows and their reasons.
    pub findings: String,
    /// Distinct keys, as resolved.
    pub mappings: Vec<Mapping>,
    /// Where the records start, and in which file if not in the evidence.
    pub offsets: Option<Offsets>,
    /// JSON of the bank statements that the file has, if it was read for the first time.
    pub statements: Option<String>,
    /// The file with the pages of a document, if it was read for the first time.
    pub pages: Option<FileId>,
}

/// An import as it is stored.
#[derive(Debug, Clone)]
pub struct Import {
    /// The id of the import.
    pub id: ImportId,
    /// What the file holds.
    pub import_type: ImportType,
    /// The status at present.
    pub status: ImportStatus,
    /// The account that every row goes to.
    pub account: Option<AccountId>,
    /// The uploaded file, as evidence.
    pub file: Option<FileId>,
    /// JSON of what was sent.
    pub settings: String,
    /// JSON of what is in effect.
    pub layout: Option<String>,
    /// Whether all required columns and formats are known.
    pub readable: bool,
    /// The day that limits of dates refer to.
    pub as_of: Date,
    /// The number of valid and invalid rows.
    pub rows: u64,
    /// The number of valid rows.
    pub valid_rows: u64,
    /// The number of invalid rows.
    pub invalid_rows: u64,
    /// The number of distinct names.
    pub mappings: u64,
    /// Keys that a person must choose for.
    pub unassigned_mappings: u64,
    /// JSON of the first invalid rows and their reasons.
    pub findings: String,
    /// Publish the valid rows and leave out the others.
    pub skip_invalid: bool,
    /// A sentence for people.
    pub error: Option<String>,
    /// The entries that it created.
    pub range: Option<(EntryId, EntryId)>,
    /// The number of entries that were created.
    pub created: u64,
    /// When it was completed.
    pub completed_at: Option<Timestamp>,
    /// When it was uploaded.
    pub created_at: Timestamp,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// The wish to publish, if it is still to be fulfilled.
    pub publish_wanted: bool,
    /// What is to become of the rows, or became of them; `None` if no plan could be made yet.
    pub plan: Option<Counts>,
    /// The family's version that the plan was made at.
    pub plan_version: Option<i64>,
    /// What the rows that the plan adds come to in accounts that exist, if that is known.
    pub plan_flows: Option<Vec<PlannedFlow>>,
    /// Rows that a person left out; they are neither valid nor invalid.
    pub left_out: u64,
    /// The family's version when this was read.
    pub family_version: i64,
    /// What a publish of a file in the server's own format was found to have made.
    pub readback: Option<Readback>,
}

impl Import {
    /// Whether the plan is what a publish would carry out now, or what one did carry out.
    pub fn has_current_plan(&self) -> bool {
        let is_of_now = self.plan_version == Some(self.family_version);
        self.plan.is_some() && (is_of_now || !self.awaits_plan())
    }

    /// Whether a publish may still come, for which the plan has to be current.
    pub fn awaits_plan(&self) -> bool {
        use ImportStatus::{Failed, Importing, Pending};
        matches!(self.status, Pending | Importing | Failed)
    }

    /// Every row of the file, those that were left out among them.
    pub fn rows_in_file(&self) -> u64 {
        self.rows + self.left_out
    }

    /// What its booleans follow from.
    pub fn condition(&self) -> Condition {
        Condition {
            status: self.status,
            uploaded: self.file.is_some(),
            readable: self.readable,
            rows: self.rows,
            invalid_rows: self.invalid_rows,
            unassigned_mappings: self.unassigned_mappings,
            undecided_rows: self.plan.map_or(0, |counts| counts.needs_choice),
        }
    }
}

/// Stores an import with its mappings and offsets, pending.
pub fn insert(tx: &mut FamilyTx<'_>, new: &NewImport) -> Result<ImportId> {
    let family = tx.family();
    let id = tx.new_id()?;
    let now = tx.now();
    let reading = &new.reading;
    tx.execute(
        &IMPORT_INSERT,
        &[
            family.into(),
            Val::Uuid(id),
            Val::Text(new.import_type.as_str()),
            Val::Text(ImportStatus::Pending.as_str()),
            new.account.into(),
            new.file.into(),
            Val::Text(&new.settings),
            reading.layout.as_deref().into(),
            Val::Bool(reading.readable),
            reading.as_of.into(),
            count(reading.valid_rows + reading.invalid_rows),
            count(reading.valid_rows),
            count(reading.invalid_rows),
            count(reading.mappings.len() as u64),
            count(reading.unassigned()),
            Val::Text(&reading.findings),
            Val::Bool(new.publish_wanted),
            Val::Bool(new.skip_invalid),
            new.fingerprint.as_ref().map(|bytes| bytes.as_slice()).into(),
            now.into(),
            count(reading.left_out),
            new.template.map(|template| template.0).into(),
        ],
    )?;
    mappings_insert(tx, ImportId(id), &reading.mappings)?;
    if let Some(offsets) = &reading.offsets {
        offsets_insert(tx, ImportId(id), offsets)?;
    }
    found_statements::insert(tx, ImportId(id), reading.statements.as_deref())?;
    pages::insert(tx, ImportId(id), reading.pages)?;
    Ok(ImportId(id))
}

/// One import into a visible account.
pub fn get(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Import> {
    let (family, visible) = (tx.family(), tx.accounts());
    tx.query_opt(&IMPORT_BY_ID, &[family.into(), id.into()], read)?
        .filter(|import| visible.covers(import.account))
        .ok_or(Error::NotFound { what: "Import" })
}

/// A visible account of the family, to import into.
pub fn require_account(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<TargetAccount> {
    let family = tx.family();
    let found = tx.query_opt(&ACCOUNT_STATUS, &[family.into(), id.into()], |row| {
        let visible = AccountStatus::parse(row.text(0)?).is_some_and(AccountStatus::is_visible);
        let target = read_target(row)?;
        Ok(visible.then_some(target))
    })?;
    found.flatten().ok_or_else(|| Problem::unknown("account_id", "account").into())
}

/// The account of an import, whatever became of it since.
pub fn target_account(tx: &mut FamilyTx<'_>, id: AccountId) -> Result<TargetAccount> {
    let family = tx.family();
    tx.query_one(&ACCOUNT_STATUS, &[family.into(), id.into()], read_target)
}

fn read_target(row: &Row<'_>) -> Result<TargetAccount> {
    let kind: AccountType = row.named(2)?;
    Ok(TargetAccount { currency: row.currency(1)?, classification: kind.classification() })
}

fn read(row: &Row<'_>) -> Result<Import> {
    let range = match (row.opt_uuid(17)?, row.opt_uuid(18)?) {
        (Some(first), Some(last)) => Some((EntryId(first), EntryId(last))),
        _ => None,
    };
    Ok(Import {
        id: ImportId(row.uuid(0)?),
        import_type: row.named(1)?,
        status: row.named(2)?,
        account: row.opt_uuid(3)?.map(AccountId),
        file: row.opt_uuid(4)?.map(FileId),
        settings: row.text(5)?.to_owned(),
        layout: row.opt_text(6)?.map(str::to_owned),
        readable: row.bool(7)?,
        as_of: row.date(8)?,
        rows: row.count(9)?,
        valid_rows: row.count(10)?,
        invalid_rows: row.count(11)?,
        mappings: row.count(12)?,
        unassigned_mappings: row.count(13)?,
        findings: row.text(14)?.to_owned(),
        skip_invalid: row.bool(15)?,
        error: row.opt_text(16)?.map(str::to_owned),
        range,
        created: row.count(19)?,
        completed_at: row.opt_timestamp(20)?,
        created_at: row.timestamp(21)?,
        updated_at: row.timestamp(22)?,
        publish_wanted: row.bool(23)?,
        plan: row.opt_text(24)?.map(serde_json::from_str).transpose().map_err(Error::internal)?,
        plan_version: row.opt_int(25)?,
        left_out: row.count(26)?,
        readback: row
            .opt_text(27)?
            .map(serde_json::from_str)
            .transpose()
            .map_err(Error::internal)?,
        plan_flows: row
            .opt_text(28)?
            .map(serde_json::from_str)
            .transpose()
            .map_err(Error::internal)?,
        family_version: row.int(29)?,
    })
}

/// Counts are never negative and never near 2^63.
fn count(number: u64) -> Val<'static> {
    Val::Int(i64::try_from(number).unwrap_or(i64::MAX))
}
